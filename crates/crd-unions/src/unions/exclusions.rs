//! Fields that exclude each other but are not a group: pairs, and alternatives of several fields.

use crate::report::analysis::{self, ObjectAnalysis};
use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::terms::fields::FieldId;

/// Fields of which some are set together and exclude all others: `a | b | c and d`.
pub(crate) struct AlternativeFieldIds {
    pub(crate) alternatives: Vec<Vec<FieldId>>,
    /// True if one of the alternatives must be set.
    pub(crate) needs_one: bool,
}

/// Returns true if two fields exclude each other, by their positions.
pub(crate) fn are_exclusive(excludes: &[Vec<bool>], one: usize, other: usize) -> bool {
    excludes.get(one).and_then(|row| row.get(other)) == Some(&true)
}

/// Returns the pairs of fields that exclude each other, without the pairs within a group.
pub(crate) fn exclusion_pairs(
    lot: &[usize],
    excludes: &[Vec<bool>],
    group: &[usize],
    fields: &[FieldId],
) -> Vec<[FieldId; 2]> {
    let mut pairs = Vec::new();
    for (at, one) in lot.iter().enumerate() {
        for other in lot.iter().skip(at + 1) {
            let is_grouped = group.contains(one) && group.contains(other);
            if are_exclusive(excludes, *one, *other)
                && !is_grouped
                && let (Some(one), Some(other)) = (fields.get(*one), fields.get(*other))
            {
                pairs.push([*one, *other]);
            }
        }
    }
    pairs
}

/// Returns the fields as alternatives, if each alternative of several fields is set as a whole or
/// not at all.
pub(crate) fn find_alternatives(
    lot: &[usize],
    excludes: &[Vec<bool>],
    fields: &[FieldId],
    component: &mut RuleComponent,
) -> Option<AlternativeFieldIds> {
    let mut left = lot.to_vec();
    let mut alternatives: Vec<Vec<FieldId>> = Vec::new();
    while let Some(first) = left.first().copied() {
        // All fields that do not exclude the first field must form one alternative with it.
        let (together, others): (Vec<usize>, Vec<usize>) = left
            .iter()
            .partition(|other| !are_exclusive(excludes, first, **other));
        let is_apart = together.iter().all(|one| {
            others
                .iter()
                .all(|other| are_exclusive(excludes, *one, *other))
        });
        if !is_apart {
            return None;
        }
        let together: Vec<FieldId> = together
            .into_iter()
            .filter_map(|at| fields.get(at).copied())
            .collect();
        let is_whole = together.iter().all(|one| {
            let mut others = together.iter().filter(|other| *other != one);
            others.all(|other| {
                !component.is_possible(&[(*one, Assumption::Set), (*other, Assumption::Unset)])
            })
        });
        if !is_whole {
            return None;
        }
        alternatives.push(together);
        left = others;
    }
    let none: Vec<(FieldId, Assumption)> = alternatives
        .iter()
        .flatten()
        .map(|field| (*field, Assumption::Unset))
        .collect();
    Some(AlternativeFieldIds {
        alternatives,
        needs_one: !component.is_possible(&none),
    })
}

/// Adds the exclusions beside unions to the reading.
pub(crate) fn add_exclusions(
    model: &Model<'_>,
    pairs: &[[FieldId; 2]],
    bundles: &[AlternativeFieldIds],
    reading: &mut ObjectAnalysis,
) {
    let in_order = |fields: &[FieldId]| {
        let mut fields = fields.to_vec();
        fields.sort_by_key(|field| model.fields.sort_key(*field));
        fields
    };
    let mut pairs: Vec<Vec<FieldId>> = pairs.iter().map(|pair| in_order(pair)).collect();
    let ranks = |fields: &Vec<FieldId>| -> Vec<_> {
        fields
            .iter()
            .map(|field| model.fields.sort_key(*field))
            .collect()
    };
    pairs.sort_by_key(ranks);
    for pair in pairs {
        if let [one, other] = *pair {
            let pair = [one, other].map(|field| model.fields.name(field));
            reading.exclusions.push(pair);
        }
    }
    for bundle in bundles {
        let alternatives = bundle.alternatives.iter();
        let mut alternatives: Vec<Vec<FieldId>> = alternatives.map(|of| in_order(of)).collect();
        alternatives.sort_by_key(ranks);
        let names = |fields: Vec<FieldId>| {
            let names = fields.into_iter().map(|field| model.fields.name(field));
            names.collect()
        };
        reading
            .alternative_field_sets
            .push(analysis::AlternativeFieldSets {
                alternatives: alternatives.into_iter().map(names).collect(),
                required: bundle.needs_one,
            });
    }
}
