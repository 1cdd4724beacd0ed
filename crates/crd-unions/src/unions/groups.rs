//! Groups: fields that cannot be set together, without a discriminator.

use crate::solver::component::{Component, Is};
use crate::solver::model::{Model, Says};
use crate::terms::fields::FieldId;
use crate::unions::by_value::ByValue;
use crate::unions::exclusions::{Bundle, bundle, excluded, pairs};

/// The maximum number of steps of the search for the largest group of connected fields.
const STEPS: u32 = 10_000;

/// Fields of which at most one can be set.
pub(crate) struct Group {
    pub(crate) members: Vec<FieldId>,
    /// True if one of the fields must be set.
    pub(crate) needs_one: bool,
}

/// The groups of a component, and the exclusions that are in no group.
#[derive(Default)]
pub(crate) struct Groups {
    pub(crate) found: Vec<Group>,
    /// True if exclusions overlap and contain no group.
    pub(crate) overlap: bool,
    /// True if a group has further exclusions beside it.
    pub(crate) beside: bool,
    /// The exclusions that are in no group and no bundle.
    pub(crate) pairs: Vec<[FieldId; 2]>,
    pub(crate) bundles: Vec<Bundle>,
}

pub(crate) fn groups(
    model: &Model<'_>,
    component: &mut Component,
    by_values: &[ByValue],
) -> Groups {
    let fields = candidates(model, component);
    let excludes = exclusions(&fields, component, by_values);
    let mut found = Groups::default();
    for lot in connected(&excludes) {
        let members = if is_clique(&lot, &excludes) {
            Some(lot)
        } else {
            let largest = largest_clique(&lot, &excludes);
            found.overlap |= largest.is_none();
            found.beside |= largest.is_some();
            let group = largest.as_deref().unwrap_or_default();
            match bundle(&lot, &excludes, &fields, component).filter(|_| group.is_empty()) {
                Some(bundle) => found.bundles.push(bundle),
                None => found.pairs.extend(pairs(&lot, &excludes, group, &fields)),
            }
            largest
        };
        if let Some(members) = members {
            let members: Vec<FieldId> = members
                .into_iter()
                .filter_map(|position| fields.get(position).copied())
                .collect();
            let none: Vec<(FieldId, Is)> =
                members.iter().map(|field| (*field, Is::Unset)).collect();
            let needs_one = !component.may_be(&none);
            found.found.push(Group { members, needs_one });
        }
    }
    let alone = alone(model, component, &found.found);
    found.found.extend(alone);
    found
}

/// Returns the own fields that may be set and may be unset.
fn candidates(model: &Model<'_>, component: &mut Component) -> Vec<FieldId> {
    let mut candidates = component.own(model);
    candidates.retain(|field| {
        component.may_be(&[(*field, Is::Set)]) && component.may_be(&[(*field, Is::Unset)])
    });
    candidates
}

/// Returns, for each field, the fields that cannot be set with it. Fields that a discriminator
/// separates by their values do not count.
fn exclusions(
    fields: &[FieldId],
    component: &mut Component,
    by_values: &[ByValue],
) -> Vec<Vec<bool>> {
    let mut excludes = vec![vec![false; fields.len()]; fields.len()];
    for (one, first) in fields.iter().enumerate() {
        for (other, second) in fields.iter().enumerate().skip(one + 1) {
            if component.may_be(&[(*first, Is::Set), (*second, Is::Set)])
                || are_told_apart(*first, *second, by_values)
            {
                continue;
            }
            for (one, other) in [(one, other), (other, one)] {
                if let Some(slot) = excludes.get_mut(one).and_then(|row| row.get_mut(other)) {
                    *slot = true;
                }
            }
        }
    }
    excludes
}

/// Returns true if some discriminator allows the two fields only in different states.
fn are_told_apart(one: FieldId, other: FieldId, by_values: &[ByValue]) -> bool {
    by_values.iter().any(|by_value| {
        let settable = |field: FieldId| {
            let mut patterns = by_value.patterns.iter();
            let pattern = patterns.find(|pattern| pattern.field == field)?;
            Some(&pattern.settable)
        };
        let (Some(one), Some(other)) = (settable(one), settable(other)) else {
            return false;
        };
        !one.iter().zip(other).any(|(one, other)| *one && *other)
    })
}

/// Returns the connected components of exclusions that have more than one field.
fn connected(excludes: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let mut lots = Vec::new();
    let mut seen = vec![false; excludes.len()];
    for start in 0..excludes.len() {
        let mut lot = Vec::new();
        let mut waiting = vec![start];
        while let Some(next) = waiting.pop() {
            let Some(seen) = seen.get_mut(next).filter(|seen| !**seen) else {
                continue;
            };
            *seen = true;
            lot.push(next);
            waiting.extend((0..excludes.len()).filter(|other| excluded(excludes, next, *other)));
        }
        if lot.len() > 1 {
            lot.sort_unstable();
            lots.push(lot);
        }
    }
    lots
}

fn is_clique(lot: &[usize], excludes: &[Vec<bool>]) -> bool {
    let mut pairs = lot.iter().enumerate();
    pairs.all(|(position, one)| {
        let mut others = lot.iter().skip(position + 1);
        others.all(|other| excluded(excludes, *one, *other))
    })
}

/// Returns the largest set of fields that all exclude each other, if it has at least three fields
/// and no other set is as large.
fn largest_clique(lot: &[usize], excludes: &[Vec<bool>]) -> Option<Vec<usize>> {
    let mut search = Search {
        excludes,
        best: Vec::new(),
        is_only: true,
        left: STEPS,
    };
    search.extend(&mut Vec::new(), lot.to_vec(), Vec::new())?;
    (search.best.len() >= 3 && search.is_only).then_some(search.best)
}

struct Search<'e> {
    excludes: &'e [Vec<bool>],
    best: Vec<usize>,
    is_only: bool,
    left: u32,
}

impl Search<'_> {
    /// Visits the sets that cannot be extended. The recursion is as deep as the largest set.
    /// Returns `None` if the search takes too many steps.
    fn extend(
        &mut self,
        chosen: &mut Vec<usize>,
        mut open: Vec<usize>,
        mut done: Vec<usize>,
    ) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        if open.is_empty() {
            if done.is_empty() && chosen.len() >= self.best.len() {
                self.is_only = chosen.len() > self.best.len();
                self.best.clone_from(chosen);
                self.best.sort_unstable();
            }
            return Some(());
        }
        let near = |of: usize, among: &[usize]| -> Vec<usize> {
            let excludes = self.excludes;
            among
                .iter()
                .copied()
                .filter(|other| excluded(excludes, of, *other))
                .collect()
        };
        let pivot = open
            .iter()
            .chain(&done)
            .max_by_key(|node| near(**node, &open).len());
        let pivot = pivot.copied()?;
        let spared = near(pivot, &open);
        let next: Vec<usize> = open
            .iter()
            .copied()
            .filter(|node| !spared.contains(node))
            .collect();
        for node in next {
            let near = |among: &[usize]| -> Vec<usize> {
                let excludes = self.excludes;
                among
                    .iter()
                    .copied()
                    .filter(|other| excluded(excludes, node, *other))
                    .collect()
            };
            let (inner, outer) = (near(&open), near(&done));
            chosen.push(node);
            self.extend(chosen, inner, outer)?;
            chosen.pop();
            open.retain(|other| *other != node);
            done.push(node);
        }
        Some(())
    }
}

/// Returns a group for each field that a count or a `oneOf` requires alone.
fn alone(model: &Model<'_>, component: &mut Component, groups: &[Group]) -> Vec<Group> {
    let pieces = component.pieces.clone();
    let mut may_be_unset = |field| component.may_be(&[(field, Is::Unset)]);
    let pieces = pieces.iter().filter_map(|piece| model.pieces.get(*piece));
    let singles = pieces.filter_map(|piece| {
        let keyword = model.rules.get(piece.rule)?.keyword;
        let [field] = piece.says.fields() else {
            return None;
        };
        let asks_for_one = match &piece.says {
            Says::Count(count) => {
                let is_of_object = matches!(keyword, "minProperties" | "maxProperties");
                count.allowed == [false, true] && !is_of_object
            }
            Says::Table { .. } => keyword == "oneOf" && !may_be_unset(*field),
            Says::Unknown(_) | Says::Transition => false,
        };
        asks_for_one.then_some(*field)
    });
    let mut found: Vec<Group> = Vec::new();
    for field in singles {
        let is_known = groups
            .iter()
            .chain(&found)
            .any(|group| group.members.contains(&field));
        if !is_known {
            found.push(Group {
                members: vec![field],
                needs_one: true,
            });
        }
    }
    found
}
