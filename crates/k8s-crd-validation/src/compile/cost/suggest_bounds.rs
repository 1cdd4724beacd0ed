//! A search for bounds that make a rule cheap enough, by repeated estimates.

use core::cell::Cell;

use k8s_cel::declared::{DeclaredKind, MAX_REQUEST};
use k8s_cel::{DeclaredTypes, Environment};

use super::bound::{Cardinality, SuggestedBound, join_path};
use crate::rules::limits::{max_cardinality, max_occurrences};
use crate::schema::structural::compiled_rules::CompiledRules;
use crate::schema::{NodeId, StructuralSchema};

/// The maximum number of nested values that are examined for one rule. Limits the time for a large
/// schema; Kubernetes makes no suggestions, so it has no such limit.
const MAX_EXAMINED: usize = 1000;

/// The maximum number of cost estimates during the search for bounds in one schema. Limits the
/// time, like [`MAX_EXAMINED`].
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

/// A rule or its message expression, and the path of the value.
pub(super) struct RuleLocation<'a> {
    pub(super) node: NodeId,
    pub(super) path: &'a str,
    pub(super) rule: &'a str,
    pub(super) optional_old_self: bool,
    /// True for a message expression, which counts once.
    pub(super) is_message: bool,
}

/// Returns alternative sets of bounds that reduce the cost of a rule to `target_cost`: bounds of
/// the lists and maps above the rule, bounds of the values that the rule reads, or both.
pub(super) fn suggest_bounds(
    schema: &StructuralSchema,
    compiled_rules: &CompiledRules,
    location: &RuleLocation<'_>,
    cardinalities: &[Cardinality],
    target_cost: u64,
    budget: &SearchBudget,
) -> Vec<Vec<SuggestedBound>> {
    let estimator = CostEstimator {
        budget,
        declared_types: &compiled_rules.declared_types,
        location,
        cardinalities,
    };
    let unbounded_nodes = estimator.costly_unbounded_nodes(schema);
    let cardinalities_to_bound = estimator.cardinalities_to_bound();
    let mut alternatives = Vec::new();
    for (bounds_cardinalities, bounds_nodes) in [(true, false), (false, true), (true, true)] {
        let is_needless = bounds_cardinalities && cardinalities_to_bound.is_empty()
            || bounds_nodes && unbounded_nodes.is_empty();
        if is_needless || bounds_cardinalities && bounds_nodes && !alternatives.is_empty() {
            continue;
        }
        let nodes_to_bound: &[UnboundedNode] = if bounds_nodes { &unbounded_nodes } else { &[] };
        if let Some(max_bound) = largest_bound(|max_bound| {
            estimator.cost(nodes_to_bound, bounds_cardinalities, max_bound) <= target_cost
        }) {
            let mut bounds = Vec::new();
            if bounds_cardinalities {
                bounds.extend(
                    cardinalities_to_bound
                        .iter()
                        .map(|cardinality| SuggestedBound {
                            path: cardinality.path.clone(),
                            keyword: cardinality.keyword,
                            max: max_bound,
                        }),
                );
            }
            bounds.extend(
                nodes_to_bound
                    .iter()
                    .map(|node| node.suggested_bound(max_bound)),
            );
            if bounds.iter().all(|bound| bound.max > 0) && !bounds.is_empty() {
                alternatives.push(bounds);
            }
        }
    }
    alternatives
}

/// Returns the largest number below [`MAX_REQUEST`] for which `is_enough` returns true, or `None`
/// if `is_enough(1)` is false. No bound exceeds the size of a request.
fn largest_bound(is_enough: impl Fn(u64) -> bool) -> Option<u64> {
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
    /// Returns the bound to suggest. The bound of a string counts characters, of four bytes each.
    fn suggested_bound(&self, max_bound: u64) -> SuggestedBound {
        let is_string = self.keyword == "maxLength";
        SuggestedBound {
            path: self.path.clone(),
            keyword: self.keyword,
            max: if is_string { max_bound / 4 } else { max_bound },
        }
    }
}

/// An estimator of the cost of one rule if some values get a bound.
struct CostEstimator<'a> {
    budget: &'a SearchBudget,
    declared_types: &'a DeclaredTypes,
    location: &'a RuleLocation<'a>,
    cardinalities: &'a [Cardinality],
}

impl<'a> CostEstimator<'a> {
    /// Returns the cost of all evaluations of the rule if `nodes_to_bound` and, with
    /// `bounds_cardinalities`, the lists and maps above the rule are not larger than `max_bound`.
    /// Returns `u64::MAX`, which no search accepts, if the budget is exhausted.
    fn cost(
        &self,
        nodes_to_bound: &[UnboundedNode],
        bounds_cardinalities: bool,
        max_bound: u64,
    ) -> u64 {
        let RuleLocation {
            node,
            rule,
            optional_old_self,
            is_message,
            ..
        } = *self.location;
        if !self.budget.try_take() {
            return u64::MAX;
        }
        let bounded_types = self
            .declared_types
            .with_estimate_bounds(nodes_to_bound.iter().map(|node| node.id), max_bound);
        let environment =
            Environment::new(&bounded_types, node).optional_old_self(optional_old_self);
        let cost_per_evaluation = match environment.compile(rule) {
            Ok(program) => program.max_cost(),
            Err(_) => u64::MAX,
        };
        if is_message {
            return cost_per_evaluation;
        }
        cost_per_evaluation
            .saturating_mul(self.evaluations(bounds_cardinalities.then_some(max_bound)))
    }

    /// Returns the number of evaluations for one object. `max_bound` is the new bound of the
    /// lists and maps above the rule, if they get a bound.
    fn evaluations(&self, max_bound: Option<u64>) -> u64 {
        let cardinalities_to_bound = self.cardinalities_to_bound();
        let bounds = self.cardinalities.iter().map(|cardinality| {
            let gets_bound = cardinalities_to_bound
                .iter()
                .any(|to_bound| to_bound.node == cardinality.node);
            match max_bound {
                Some(max_bound) if gets_bound => {
                    Some(cardinality.bound.unwrap_or(max_bound).min(max_bound))
                }
                _ => cardinality.bound,
            }
        });
        max_cardinality(
            max_occurrences(bounds),
            self.declared_types.get(self.location.node).min_size,
        )
    }

    /// Returns the unbounded lists and maps above the rule. If all are bounded, returns the list or
    /// map with the largest bound.
    fn cardinalities_to_bound(&self) -> Vec<&'a Cardinality> {
        let unbounded = self
            .cardinalities
            .iter()
            .filter(|cardinality| cardinality.bound.is_none());
        let unbounded: Vec<&Cardinality> = unbounded.collect();
        if !unbounded.is_empty() {
            return unbounded;
        }
        let largest = self
            .cardinalities
            .iter()
            .max_by_key(|cardinality| cardinality.bound);
        largest.into_iter().collect()
    }

    /// Returns the values without a bound, at and below the rule, that increase its cost.
    fn costly_unbounded_nodes(&self, schema: &StructuralSchema) -> Vec<UnboundedNode> {
        let mut unbounded_nodes = Vec::new();
        let mut pending = vec![(self.location.node, self.location.path.to_owned())];
        let mut next_index = 0;
        while let Some((id, path)) = pending
            .get(next_index)
            .cloned()
            .filter(|_| next_index < MAX_EXAMINED)
        {
            next_index += 1;
            let node = schema.node(id);
            let (keyword, bound) = match &self.declared_types.get(id).kind {
                DeclaredKind::List { items, .. } => {
                    pending.push((*items, format!("{path}[*]")));
                    let bound = node.list.as_ref().and_then(|list| list.max_items);
                    ("maxItems", bound)
                }
                DeclaredKind::Map(values) => {
                    pending.push((*values, format!("{path}[*]")));
                    ("maxProperties", node.max_properties)
                }
                DeclaredKind::String | DeclaredKind::Bytes | DeclaredKind::IntOrString => {
                    let bound = node
                        .string
                        .as_ref()
                        .and_then(|keywords| keywords.max_length);
                    // The values of an enum are a bound.
                    let has_enum = node.enum_values.is_some();
                    ("maxLength", bound.or(has_enum.then_some(0)))
                }
                DeclaredKind::Object(_) => {
                    let properties = node.properties.iter();
                    pending.extend(
                        properties.map(|property| (property.id, join_path(&path, &property.name))),
                    );
                    continue;
                }
                _ => continue,
            };
            if bound.is_none() {
                unbounded_nodes.push(UnboundedNode { id, path, keyword });
            }
        }
        let current_cost = self.cost(&[], false, MAX_REQUEST);
        self.retain_costly(&mut unbounded_nodes, current_cost);
        unbounded_nodes
    }

    /// Keeps the values that increase the cost of the rule. Bisects, because most values do not:
    /// a half is dropped if a bound of 1 for all its values does not reduce the cost.
    fn retain_costly(&self, nodes: &mut Vec<UnboundedNode>, current_cost: u64) {
        let mut is_costly = vec![false; nodes.len()];
        let all_nodes = 0..nodes.len();
        let mut pending = Vec::from([all_nodes]);
        while let Some(range) = pending.pop() {
            let nodes_in_range = nodes.get(range.clone()).unwrap_or_default();
            if nodes_in_range.is_empty() || self.cost(nodes_in_range, false, 1) >= current_cost {
                continue;
            }
            if let ([_], Some(is_costly)) = (nodes_in_range, is_costly.get_mut(range.start)) {
                *is_costly = true;
                continue;
            }
            let middle = range.start.midpoint(range.end);
            pending.extend([range.start..middle, middle..range.end]);
        }
        let mut is_costly = is_costly.into_iter();
        nodes.retain(|_| is_costly.next().unwrap_or_default());
    }
}
