//! A search for bounds that make a rule cheap enough, by repeated estimates.

use core::cell::Cell;

use k8s_cel::declared::{DeclaredKind, MAX_REQUEST};
use k8s_cel::{DeclaredTypes, Environment};

use super::bound::{Cardinality, SuggestedBound, join_path};
use crate::rules::limits::{cardinality, max_occurrences};
use crate::schema::structural::compiled_rules::CompiledRules;
use crate::schema::{NodeId, StructuralSchema};

/// The maximum number of examined values inside the value of one rule.
const MAX_EXAMINED: usize = 1000;

/// The largest number of estimates for a schema in the search for bounds.
const MAX_ESTIMATES: u32 = 4000;

/// The remaining number of estimates.
pub(super) struct SearchBudget(Cell<u32>);

impl SearchBudget {
    pub(super) const fn new() -> Self {
        Self(Cell::new(MAX_ESTIMATES))
    }

    /// Subtracts one estimate. Returns false if no estimate remained.
    fn try_take(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }

    pub(super) const fn is_exhausted(&self) -> bool {
        self.0.get() == 0
    }
}

/// A rule and the path of its value.
pub(super) struct RuleLocation<'a> {
    pub(super) node: NodeId,
    pub(super) path: &'a str,
    pub(super) rule: &'a str,
    pub(super) optional_old: bool,
}

/// Returns alternative sets of bounds that reduce the cost of a rule to `target`: bounds of the
/// lists and maps above the rule, bounds of the values that the rule reads, or both.
pub(super) fn suggest_bounds(
    schema: &StructuralSchema,
    programs: &CompiledRules,
    expression: &RuleLocation<'_>,
    multipliers: &[Cardinality],
    target: u64,
    budget: &SearchBudget,
) -> Vec<Vec<SuggestedBound>> {
    let estimate = CostEstimator {
        budget,
        declared_types: &programs.declared_types,
        location: expression,
        multipliers,
    };
    let below = estimate.costly_unbounded_nodes(schema);
    let above: Vec<&Cardinality> = estimate.cardinalities_to_bound();
    let mut alternatives = Vec::new();
    for (bounds_above, bounds_below) in [(true, false), (false, true), (true, true)] {
        let is_needless = bounds_above && above.is_empty() || bounds_below && below.is_empty();
        if is_needless || bounds_above && bounds_below && !alternatives.is_empty() {
            continue;
        }
        let chosen: &[UnboundedNode] = if bounds_below { &below } else { &[] };
        if let Some(max_bound) =
            largest(|max_bound| estimate.cost(chosen, bounds_above, max_bound) <= target)
        {
            let mut bounds = Vec::new();
            if bounds_above {
                bounds.extend(above.iter().map(|multiplier| SuggestedBound {
                    path: multiplier.path.clone(),
                    keyword: multiplier.keyword,
                    max: max_bound,
                }));
            }
            bounds.extend(chosen.iter().map(|node| node.bound(max_bound)));
            if bounds.iter().all(|bound| bound.max > 0) && !bounds.is_empty() {
                alternatives.push(bounds);
            }
        }
    }
    alternatives
}

/// Returns the largest number up to the size of a request for which `is_enough` returns true.
fn largest(is_enough: impl Fn(u64) -> bool) -> Option<u64> {
    if !is_enough(1) {
        return None;
    }
    let (mut accepted, mut rejected) = (1, MAX_REQUEST);
    while rejected - accepted > 1 {
        let middle = accepted.midpoint(rejected);
        if is_enough(middle) {
            accepted = middle;
        } else {
            rejected = middle;
        }
    }
    Some(accepted)
}

/// A value without a bound, at or below a rule.
struct UnboundedNode {
    id: NodeId,
    path: String,
    keyword: &'static str,
}

impl UnboundedNode {
    /// Returns the bound. The bound of a string counts characters, of four bytes each.
    fn bound(&self, max_bound: u64) -> SuggestedBound {
        let is_string = self.keyword == "maxLength";
        SuggestedBound {
            path: self.path.clone(),
            keyword: self.keyword,
            max: if is_string { max_bound / 4 } else { max_bound },
        }
    }
}

struct CostEstimator<'a> {
    budget: &'a SearchBudget,
    declared_types: &'a DeclaredTypes,
    location: &'a RuleLocation<'a>,
    multipliers: &'a [Cardinality],
}

impl<'a> CostEstimator<'a> {
    /// Returns the cost of all evaluations of the rule if the chosen values are not larger than
    /// `max_bound`.
    fn cost(&self, below: &[UnboundedNode], bounds_above: bool, max_bound: u64) -> u64 {
        let RuleLocation {
            node,
            rule,
            optional_old,
            ..
        } = *self.location;
        if !self.budget.try_take() {
            return u64::MAX;
        }
        let bounded = self
            .declared_types
            .with_estimate_bounds(below.iter().map(|node| node.id), max_bound);
        let environment = Environment::new(&bounded, node).optional_old_self(optional_old);
        let each = match environment.compile(rule) {
            Ok(program) => program.max_cost(),
            Err(_) => u64::MAX,
        };
        each.saturating_mul(self.evaluations(bounds_above.then_some(max_bound)))
    }

    fn evaluations(&self, max_bound: Option<u64>) -> u64 {
        let chosen = self.cardinalities_to_bound();
        let bounds = self.multipliers.iter().map(|multiplier| {
            let is_chosen = chosen.iter().any(|chosen| chosen.node == multiplier.node);
            match max_bound {
                Some(max_bound) if is_chosen => {
                    Some(multiplier.bound.unwrap_or(max_bound).min(max_bound))
                }
                _ => multiplier.bound,
            }
        });
        cardinality(
            max_occurrences(bounds),
            self.declared_types.get(self.location.node).min_size,
        )
    }

    /// Returns the unbounded lists and maps above the rule. If all are bounded, returns the list or
    /// map with the largest bound.
    fn cardinalities_to_bound(&self) -> Vec<&'a Cardinality> {
        let unbounded = self
            .multipliers
            .iter()
            .filter(|above| above.bound.is_none());
        let unbounded: Vec<&Cardinality> = unbounded.collect();
        if !unbounded.is_empty() {
            return unbounded;
        }
        let largest = self.multipliers.iter().max_by_key(|above| above.bound);
        largest.into_iter().collect()
    }

    /// Returns the values without a bound, at and below the rule, that increase its cost.
    fn costly_unbounded_nodes(&self, schema: &StructuralSchema) -> Vec<UnboundedNode> {
        let mut found = Vec::new();
        let mut waiting = vec![(self.location.node, self.location.path.to_owned())];
        let mut next = 0;
        while let Some((id, path)) = waiting.get(next).cloned().filter(|_| next < MAX_EXAMINED) {
            next += 1;
            let node = schema.node(id);
            let (keyword, bound) = match &self.declared_types.get(id).kind {
                DeclaredKind::List { items, .. } => {
                    waiting.push((*items, format!("{path}[*]")));
                    let bound = node.list.as_ref().and_then(|list| list.max_items);
                    ("maxItems", bound)
                }
                DeclaredKind::Map(values) => {
                    waiting.push((*values, format!("{path}{{*}}")));
                    ("maxProperties", node.max_properties)
                }
                DeclaredKind::String | DeclaredKind::Bytes | DeclaredKind::IntOrString => {
                    let bound = node.string.as_ref().and_then(|text| text.max_length);
                    let is_listed = node.enum_values.is_some();
                    ("maxLength", bound.or(is_listed.then_some(0)))
                }
                DeclaredKind::Object(_) => {
                    let properties = node.properties.iter();
                    waiting.extend(
                        properties.map(|property| (property.id, join_path(&path, &property.name))),
                    );
                    continue;
                }
                _ => continue,
            };
            if bound.is_none() {
                found.push(UnboundedNode { id, path, keyword });
            }
        }
        let now = self.cost(&[], false, MAX_REQUEST);
        self.retain_costly(&mut found, now);
        found
    }

    /// Keeps the values that increase the cost of the rule. Most values do not, so halves without
    /// such values are dropped at once.
    fn retain_costly(&self, found: &mut Vec<UnboundedNode>, now: u64) {
        let mut is_costly = vec![false; found.len()];
        let whole = 0..found.len();
        let mut waiting = Vec::from([whole]);
        while let Some(part) = waiting.pop() {
            let some = found.get(part.clone()).unwrap_or_default();
            if some.is_empty() || self.cost(some, false, 1) >= now {
                continue;
            }
            if let ([_], Some(is_costly)) = (some, is_costly.get_mut(part.start)) {
                *is_costly = true;
                continue;
            }
            let middle = part.start.midpoint(part.end);
            waiting.extend([part.start..middle, middle..part.end]);
        }
        let mut is_costly = is_costly.into_iter();
        found.retain(|_| is_costly.next().unwrap_or_default());
    }
}
