//! Fields that exclude each other but are not a group: pairs, and alternatives of several fields.

use crate::report::analysis::{self, ObjectAnalysis};
use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::terms::fields::FieldId;

/// Mutually exclusive alternatives, some of several fields that are set together: `a | b | (c and
/// d)`.
pub(crate) struct AlternativeFieldIds {
    pub(crate) alternatives: Vec<Vec<FieldId>>,
    /// True if one of the alternatives must be set.
    pub(crate) needs_one: bool,
}

/// Returns true if two fields exclude each other. The fields are given by their positions in the
/// matrix `exclusions`.
pub(crate) fn are_exclusive(
    exclusions: &[Vec<bool>],
    first_field: usize,
    second_field: usize,
) -> bool {
    exclusions
        .get(first_field)
        .and_then(|row| row.get(second_field))
        == Some(&true)
}

/// Returns the pairs of fields that exclude each other, without the pairs within a group.
/// `connected` and `group` contain positions in `fields`.
pub(crate) fn exclusion_pairs(
    connected: &[usize],
    exclusions: &[Vec<bool>],
    group: &[usize],
    fields: &[FieldId],
) -> Vec<[FieldId; 2]> {
    let mut pairs = Vec::new();
    for (position, first_field) in connected.iter().enumerate() {
        for second_field in connected.iter().skip(position + 1) {
            let is_grouped = group.contains(first_field) && group.contains(second_field);
            if are_exclusive(exclusions, *first_field, *second_field)
                && !is_grouped
                && let (Some(first_field), Some(second_field)) =
                    (fields.get(*first_field), fields.get(*second_field))
            {
                pairs.push([*first_field, *second_field]);
            }
        }
    }
    pairs
}

/// Returns the fields as alternatives, if the fields of each alternative are all set or all unset.
pub(crate) fn find_alternatives(
    connected: &[usize],
    exclusions: &[Vec<bool>],
    fields: &[FieldId],
    component: &mut RuleComponent,
) -> Option<AlternativeFieldIds> {
    let mut remaining = connected.to_vec();
    let mut alternatives: Vec<Vec<FieldId>> = Vec::new();
    while let Some(first) = remaining.first().copied() {
        // All fields that do not exclude the first field must form one alternative with it.
        let (alternative, other_fields): (Vec<usize>, Vec<usize>) = remaining
            .iter()
            .partition(|field| !are_exclusive(exclusions, first, **field));
        let excludes_others = alternative.iter().all(|field| {
            other_fields
                .iter()
                .all(|other_field| are_exclusive(exclusions, *field, *other_field))
        });
        if !excludes_others {
            return None;
        }
        let alternative: Vec<FieldId> = alternative
            .into_iter()
            .filter_map(|position| fields.get(position).copied())
            .collect();
        let is_all_or_none = alternative.iter().all(|field| {
            let mut other_fields = alternative
                .iter()
                .filter(|other_field| *other_field != field);
            other_fields.all(|other_field| {
                !component
                    .is_possible(&[(*field, Assumption::Set), (*other_field, Assumption::Unset)])
            })
        });
        if !is_all_or_none {
            return None;
        }
        alternatives.push(alternative);
        remaining = other_fields;
    }
    let all_unset: Vec<(FieldId, Assumption)> = alternatives
        .iter()
        .flatten()
        .map(|field| (*field, Assumption::Unset))
        .collect();
    Some(AlternativeFieldIds {
        alternatives,
        needs_one: !component.is_possible(&all_unset),
    })
}

/// Adds the pairs and the alternatives to the analysis, in schema order.
pub(crate) fn add_exclusions(
    model: &Model<'_>,
    pairs: &[[FieldId; 2]],
    alternative_sets: &[AlternativeFieldIds],
    analysis: &mut ObjectAnalysis,
) {
    let in_schema_order = |fields: &[FieldId]| {
        let mut fields = fields.to_vec();
        fields.sort_by_key(|field| model.fields.sort_key(*field));
        fields
    };
    let mut pairs: Vec<Vec<FieldId>> = pairs.iter().map(|pair| in_schema_order(pair)).collect();
    let sort_keys = |fields: &Vec<FieldId>| -> Vec<_> {
        fields
            .iter()
            .map(|field| model.fields.sort_key(*field))
            .collect()
    };
    pairs.sort_by_key(sort_keys);
    for pair in pairs {
        if let [first_field, second_field] = *pair {
            let pair = [first_field, second_field].map(|field| model.fields.name(field));
            analysis.exclusions.push(pair);
        }
    }
    for set in alternative_sets {
        let alternatives = set.alternatives.iter();
        let mut alternatives: Vec<Vec<FieldId>> =
            alternatives.map(|fields| in_schema_order(fields)).collect();
        alternatives.sort_by_key(sort_keys);
        let names = |fields: Vec<FieldId>| {
            let names = fields.into_iter().map(|field| model.fields.name(field));
            names.collect()
        };
        analysis
            .alternative_field_sets
            .push(analysis::AlternativeFieldSets {
                alternatives: alternatives.into_iter().map(names).collect(),
                required: set.needs_one,
            });
    }
}
