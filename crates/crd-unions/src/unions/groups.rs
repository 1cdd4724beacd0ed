//! Groups: fields that cannot be set together, without a discriminator.

use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::{ConstraintForm, Model};
use crate::terms::fields::FieldId;
use crate::unions::discriminated::DiscriminatorCandidate;
use crate::unions::exclusions::{
    AlternativeFieldIds, are_exclusive, exclusion_pairs, find_alternatives,
};

/// The maximum number of steps of the search for the largest group of connected fields.
const MAX_STEPS: u32 = 10_000;

/// Fields of which at most one can be set.
pub(crate) struct Group {
    pub(crate) members: Vec<FieldId>,
    /// True if one of the fields must be set.
    pub(crate) needs_one: bool,
}

/// The groups of a component, and the exclusions that are in no group.
#[derive(Default)]
pub(crate) struct Groups {
    pub(crate) list: Vec<Group>,
    /// True if exclusions overlap and contain no group.
    pub(crate) has_overlap: bool,
    /// True if a group has further exclusions beside it.
    pub(crate) has_further_exclusions: bool,
    /// The exclusions that are in no group and no bundle.
    pub(crate) pairs: Vec<[FieldId; 2]>,
    pub(crate) alternatives: Vec<AlternativeFieldIds>,
}

pub(crate) fn find_groups(
    model: &Model<'_>,
    component: &mut RuleComponent,
    by_values: &[DiscriminatorCandidate],
) -> Groups {
    let fields = candidates(model, component);
    let excludes = exclusion_matrix(&fields, component, by_values);
    let mut found = Groups::default();
    for lot in connected_components(&excludes) {
        let members = if is_clique(&lot, &excludes) {
            Some(lot)
        } else {
            let largest = largest_clique(&lot, &excludes);
            found.has_overlap |= largest.is_none();
            found.has_further_exclusions |= largest.is_some();
            let group = largest.as_deref().unwrap_or_default();
            match find_alternatives(&lot, &excludes, &fields, component)
                .filter(|_| group.is_empty())
            {
                Some(bundle) => found.alternatives.push(bundle),
                None => found
                    .pairs
                    .extend(exclusion_pairs(&lot, &excludes, group, &fields)),
            }
            largest
        };
        if let Some(members) = members {
            let members: Vec<FieldId> = members
                .into_iter()
                .filter_map(|position| fields.get(position).copied())
                .collect();
            let none: Vec<(FieldId, Assumption)> = members
                .iter()
                .map(|field| (*field, Assumption::Unset))
                .collect();
            let needs_one = !component.is_possible(&none);
            found.list.push(Group { members, needs_one });
        }
    }
    let alone = alone(model, component, &found.list);
    found.list.extend(alone);
    found
}

/// Returns the own fields that may be set and may be unset.
fn candidates(model: &Model<'_>, component: &mut RuleComponent) -> Vec<FieldId> {
    let mut candidates = component.own_fields(model);
    candidates.retain(|field| {
        component.is_possible(&[(*field, Assumption::Set)])
            && component.is_possible(&[(*field, Assumption::Unset)])
    });
    candidates
}

/// Returns, for each field, the fields that cannot be set with it. Fields that a discriminator
/// separates by their values do not count.
fn exclusion_matrix(
    fields: &[FieldId],
    component: &mut RuleComponent,
    by_values: &[DiscriminatorCandidate],
) -> Vec<Vec<bool>> {
    let mut excludes = vec![vec![false; fields.len()]; fields.len()];
    for (one, first) in fields.iter().enumerate() {
        for (other, second) in fields.iter().enumerate().skip(one + 1) {
            if component.is_possible(&[(*first, Assumption::Set), (*second, Assumption::Set)])
                || are_separated_by_discriminator(*first, *second, by_values)
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
fn are_separated_by_discriminator(
    one: FieldId,
    other: FieldId,
    by_values: &[DiscriminatorCandidate],
) -> bool {
    by_values.iter().any(|by_value| {
        let settable = |field: FieldId| {
            let mut patterns = by_value.settabilities.iter();
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
fn connected_components(excludes: &[Vec<bool>]) -> Vec<Vec<usize>> {
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
            waiting
                .extend((0..excludes.len()).filter(|other| are_exclusive(excludes, next, *other)));
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
        others.all(|other| are_exclusive(excludes, *one, *other))
    })
}

/// Returns the largest set of fields that all exclude each other, if it has at least three fields
/// and no other set is as large.
fn largest_clique(lot: &[usize], excludes: &[Vec<bool>]) -> Option<Vec<usize>> {
    let mut search = CliqueSearch {
        excludes,
        best: Vec::new(),
        is_only: true,
        left: MAX_STEPS,
    };
    search.extend(&mut Vec::new(), lot.to_vec(), Vec::new())?;
    (search.best.len() >= 3 && search.is_only).then_some(search.best)
}

struct CliqueSearch<'e> {
    excludes: &'e [Vec<bool>],
    best: Vec<usize>,
    is_only: bool,
    left: u32,
}

impl CliqueSearch<'_> {
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
                .filter(|other| are_exclusive(excludes, of, *other))
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
                    .filter(|other| are_exclusive(excludes, node, *other))
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
fn alone(model: &Model<'_>, component: &mut RuleComponent, groups: &[Group]) -> Vec<Group> {
    let pieces = component.constraints.clone();
    let mut may_be_unset = |field| component.is_possible(&[(field, Assumption::Unset)]);
    let pieces = pieces
        .iter()
        .filter_map(|piece| model.constraints.get(*piece));
    let singles = pieces.filter_map(|piece| {
        let keyword = model.rules.get(piece.rule)?.keyword;
        let [field] = piece.form.fields() else {
            return None;
        };
        let asks_for_one = match &piece.form {
            ConstraintForm::Cardinality(count) => {
                let is_of_object = matches!(keyword, "minProperties" | "maxProperties");
                count.allowed == [false, true] && !is_of_object
            }
            ConstraintForm::Table { .. } => keyword == "oneOf" && !may_be_unset(*field),
            ConstraintForm::Unknown(_) | ConstraintForm::Transition => false,
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
