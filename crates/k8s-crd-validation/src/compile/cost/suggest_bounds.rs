//! A search for bounds that make a rule cheap enough, by repeated estimates.

use core::cell::Cell;

use k8s_cel::declared::{DeclaredKind, MAX_REQUEST};
use k8s_cel::{DeclaredTypes, Environment};

use super::bound::{Cardinality, SuggestedBound, join_path};
use crate::rules::limits::{cardinality, max_occurrences};
use crate::schema::compiled_rules::CompiledRules;
use crate::schema::{NodeId, StructuralSchema};

/// The largest number of values inside the value of a rule that are examined.
const MAX_EXAMINED: usize = 1000;

/// The largest number of estimates for a schema in the search for bounds.
const MAX_ESTIMATES: u32 = 4000;

/// The remaining number of estimates.
pub(super) struct SearchBudget(Cell<u32>);

impl SearchBudget {
    pub(super) const fn new() -> Self {
        Self(Cell::new(MAX_ESTIMATES))
    }

    /// Uses up one estimate. Returns true if there was one left.
    fn try_take(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }

    pub(super) const fn is_exhausted(&self) -> bool {
        self.0.get() == 0
    }
}

/// A rule and its position.
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
    tries: &SearchBudget,
) -> Vec<Vec<SuggestedBound>> {
    let estimate = CostEstimator {
        budget: tries,
        declared_types: &programs.declared_types,
        location: expression,
        multipliers,
    };
    let below = estimate.costly_unbounded_nodes(schema);
    let above: Vec<&Cardinality> = estimate.cardinalities_to_bound();
    let mut ways = Vec::new();
    for (bounds_above, bounds_below) in [(true, false), (false, true), (true, true)] {
        let is_needless = bounds_above && above.is_empty() || bounds_below && below.is_empty();
        if is_needless || bounds_above && bounds_below && !ways.is_empty() {
            continue;
        }
        let chosen: &[UnboundedNode] = if bounds_below { &below } else { &[] };
        if let Some(most) = largest(|most| estimate.cost(chosen, bounds_above, most) <= target) {
            let mut way = Vec::new();
            if bounds_above {
                way.extend(above.iter().map(|multiplier| SuggestedBound {
                    path: multiplier.path.clone(),
                    keyword: multiplier.keyword,
                    max: most,
                }));
            }
            way.extend(chosen.iter().map(|loose| loose.bound(most)));
            if way.iter().all(|bound| bound.max > 0) && !way.is_empty() {
                ways.push(way);
            }
        }
    }
    ways
}

/// Returns the largest number up to the size of a request for which `will_do` returns true.
fn largest(will_do: impl Fn(u64) -> bool) -> Option<u64> {
    if !will_do(1) {
        return None;
    }
    let (mut good, mut bad) = (1, MAX_REQUEST);
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if will_do(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}

/// A value without a bound, at or below a rule.
struct UnboundedNode {
    id: NodeId,
    path: String,
    keyword: &'static str,
}

impl UnboundedNode {
    /// Returns the bound. The bound of a string counts characters, of four bytes each.
    fn bound(&self, most: u64) -> SuggestedBound {
        let is_text = self.keyword == "maxLength";
        SuggestedBound {
            path: self.path.clone(),
            keyword: self.keyword,
            max: if is_text { most / 4 } else { most },
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
    /// `most`.
    fn cost(&self, below: &[UnboundedNode], bounds_above: bool, most: u64) -> u64 {
        let RuleLocation {
            node,
            rule: text,
            optional_old,
            ..
        } = *self.location;
        if !self.budget.try_take() {
            return u64::MAX;
        }
        let bounded = self
            .declared_types
            .with_estimate_bounds(below.iter().map(|loose| loose.id), most);
        let environment = Environment::new(&bounded, node).optional_old_self(optional_old);
        let each = match environment.compile(text) {
            Ok(program) => program.max_cost(),
            Err(_) => u64::MAX,
        };
        each.saturating_mul(self.evaluations(bounds_above.then_some(most)))
    }

    fn evaluations(&self, most: Option<u64>) -> u64 {
        let chosen = self.cardinalities_to_bound();
        let bounds = self.multipliers.iter().map(|multiplier| {
            let is_chosen = chosen.iter().any(|chosen| chosen.node == multiplier.node);
            match most {
                Some(most) if is_chosen => Some(multiplier.bound.unwrap_or(most).min(most)),
                _ => multiplier.bound,
            }
        });
        cardinality(
            max_occurrences(bounds),
            self.declared_types.get(self.location.node).min_size,
        )
    }

    /// Returns the unbounded lists and maps above the rule, or the one with the largest bound if
    /// all are bounded.
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
        let mut dear = vec![false; found.len()];
        let whole = 0..found.len();
        let mut waiting = Vec::from([whole]);
        while let Some(part) = waiting.pop() {
            let some = found.get(part.clone()).unwrap_or_default();
            if some.is_empty() || self.cost(some, false, 1) >= now {
                continue;
            }
            if let ([_], Some(dear)) = (some, dear.get_mut(part.start)) {
                *dear = true;
                continue;
            }
            let middle = part.start.midpoint(part.end);
            waiting.extend([part.start..middle, middle..part.end]);
        }
        let mut dear = dear.into_iter();
        found.retain(|_| dear.next().unwrap_or_default());
    }
}
