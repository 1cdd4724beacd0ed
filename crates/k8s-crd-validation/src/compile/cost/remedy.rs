//! A search for bounds that make a rule cheap enough, by repeated estimates.

use core::cell::Cell;

use k8s_cel::declared::{DeclaredKind, MAX_REQUEST};
use k8s_cel::{DeclaredTypes, Environment};

use super::bound::{Bound, Multiplier, joined};
use crate::rules::limits::{cardinality, product};
use crate::schema::programs::Programs;
use crate::schema::{NodeId, StructuralSchema};

/// The largest number of values inside the value of a rule that are examined.
const TRIED: usize = 1000;

/// The largest number of estimates for a schema in the search for bounds.
const PRICED: u32 = 4000;

/// The remaining number of estimates.
pub(super) struct Tries(Cell<u32>);

impl Tries {
    pub(super) const fn new() -> Self {
        Self(Cell::new(PRICED))
    }

    /// Uses up one estimate. Returns true if there was one left.
    fn take(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }

    pub(super) const fn are_none(&self) -> bool {
        self.0.get() == 0
    }
}

/// A rule and its position.
pub(super) struct Expression<'a> {
    pub(super) node: NodeId,
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) optional_old: bool,
}

/// Returns alternative sets of bounds that reduce the cost of a rule to `target`: bounds of the
/// lists and maps above the rule, bounds of the values that the rule reads, or both.
pub(super) fn remedies(
    schema: &StructuralSchema,
    programs: &Programs,
    expression: &Expression<'_>,
    multipliers: &[Multiplier],
    target: u64,
    tries: &Tries,
) -> Vec<Vec<Bound>> {
    let estimate = Estimate {
        tries,
        declared: &programs.declared,
        expression,
        multipliers,
    };
    let below = estimate.that_matter(schema);
    let above: Vec<&Multiplier> = estimate.to_bound();
    let mut ways = Vec::new();
    for (bounds_above, bounds_below) in [(true, false), (false, true), (true, true)] {
        let is_needless = bounds_above && above.is_empty() || bounds_below && below.is_empty();
        if is_needless || bounds_above && bounds_below && !ways.is_empty() {
            continue;
        }
        let chosen: &[Loose] = if bounds_below { &below } else { &[] };
        if let Some(most) = largest(|most| estimate.cost(chosen, bounds_above, most) <= target) {
            let mut way = Vec::new();
            if bounds_above {
                way.extend(above.iter().map(|multiplier| Bound {
                    path: multiplier.path.clone(),
                    keyword: multiplier.keyword,
                    at_most: most,
                }));
            }
            way.extend(chosen.iter().map(|loose| loose.bound(most)));
            if way.iter().all(|bound| bound.at_most > 0) && !way.is_empty() {
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
struct Loose {
    id: NodeId,
    path: String,
    keyword: &'static str,
}

impl Loose {
    /// Returns the bound. The bound of a string counts characters, of four bytes each.
    fn bound(&self, most: u64) -> Bound {
        let is_text = self.keyword == "maxLength";
        Bound {
            path: self.path.clone(),
            keyword: self.keyword,
            at_most: if is_text { most / 4 } else { most },
        }
    }
}

struct Estimate<'a> {
    tries: &'a Tries,
    declared: &'a DeclaredTypes,
    expression: &'a Expression<'a>,
    multipliers: &'a [Multiplier],
}

impl<'a> Estimate<'a> {
    /// Returns the cost of all evaluations of the rule if the chosen values are not larger than
    /// `most`.
    fn cost(&self, below: &[Loose], bounds_above: bool, most: u64) -> u64 {
        let Expression {
            node,
            text,
            optional_old,
            ..
        } = *self.expression;
        if !self.tries.take() {
            return u64::MAX;
        }
        let bounded = self
            .declared
            .priced_as(below.iter().map(|loose| loose.id), most);
        let environment = Environment::new(&bounded, node).optional_old_self(optional_old);
        let each = match environment.compile(text) {
            Ok(program) => program.max_cost(),
            Err(_) => u64::MAX,
        };
        each.saturating_mul(self.times(bounds_above.then_some(most)))
    }

    fn times(&self, most: Option<u64>) -> u64 {
        let chosen = self.to_bound();
        let bounds = self.multipliers.iter().map(|multiplier| {
            let is_chosen = chosen.iter().any(|chosen| chosen.node == multiplier.node);
            match most {
                Some(most) if is_chosen => Some(multiplier.bound.unwrap_or(most).min(most)),
                _ => multiplier.bound,
            }
        });
        cardinality(
            product(bounds),
            self.declared.get(self.expression.node).min_size,
        )
    }

    /// Returns the unbounded lists and maps above the rule, or the one with the largest bound if
    /// all are bounded.
    fn to_bound(&self) -> Vec<&'a Multiplier> {
        let unbounded = self
            .multipliers
            .iter()
            .filter(|above| above.bound.is_none());
        let unbounded: Vec<&Multiplier> = unbounded.collect();
        if !unbounded.is_empty() {
            return unbounded;
        }
        let largest = self.multipliers.iter().max_by_key(|above| above.bound);
        largest.into_iter().collect()
    }

    /// Returns the values without a bound, at and below the rule, that increase its cost.
    fn that_matter(&self, schema: &StructuralSchema) -> Vec<Loose> {
        let mut found = Vec::new();
        let mut waiting = vec![(self.expression.node, self.expression.path.to_owned())];
        let mut next = 0;
        while let Some((id, path)) = waiting.get(next).cloned().filter(|_| next < TRIED) {
            next += 1;
            let node = schema.node(id);
            let (keyword, bound) = match &self.declared.get(id).kind {
                DeclaredKind::List { items, .. } => {
                    waiting.push((*items, format!("{path}[*]")));
                    let bound = node.list.as_ref().and_then(|list| list.max_items);
                    ("maxItems", bound)
                }
                DeclaredKind::Map(values) => {
                    waiting.push((*values, format!("{path}{{*}}")));
                    ("maxProperties", node.max_properties)
                }
                DeclaredKind::Text | DeclaredKind::Bytes | DeclaredKind::IntOrString => {
                    let bound = node.text.as_ref().and_then(|text| text.max_length);
                    let is_listed = node.values.is_some();
                    ("maxLength", bound.or(is_listed.then_some(0)))
                }
                DeclaredKind::Object(_) => {
                    let properties = node.properties.iter();
                    waiting.extend(
                        properties.map(|property| (property.id, joined(&path, &property.name))),
                    );
                    continue;
                }
                _ => continue,
            };
            if bound.is_none() {
                found.push(Loose { id, path, keyword });
            }
        }
        let now = self.cost(&[], false, MAX_REQUEST);
        self.retain_dear(&mut found, now);
        found
    }

    /// Keeps the values that increase the cost of the rule. Most values do not, so halves without
    /// such values are dropped at once.
    fn retain_dear(&self, found: &mut Vec<Loose>, now: u64) {
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
