//! The reasons why fields are not a union.

use crate::report::analysis::NoUnionReason;
use crate::report::finding::{Confidence, Finding, FindingCode};
use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::terms::fields::{Field, FieldId, FieldState, FieldType};
use crate::unions::discriminated::{CandidateMembers, DiscriminatorCandidate, SettabilityByState};

/// The facts about a component that the reasons depend on.
pub(crate) struct ComponentContext<'r> {
    pub(crate) by_values: &'r [DiscriminatorCandidate],
    pub(crate) selected: &'r [CandidateMembers],
    /// The members and discriminators of the unions with a discriminator.
    pub(crate) taken: &'r [FieldId],
    pub(crate) findings: &'r [Finding],
    /// True if the component has a union with a discriminator or with several members.
    pub(crate) has_union: bool,
}

pub(crate) fn no_union_reasons(
    model: &Model<'_>,
    component: &mut RuleComponent,
    known: &ComponentContext<'_>,
) -> Vec<NoUnionReason> {
    let mut found = Vec::new();
    for by_value in known.by_values {
        for pattern in &by_value.settabilities {
            let is_discriminator = known
                .by_values
                .iter()
                .any(|other| other.discriminator == pattern.field);
            if !is_discriminator && !known.taken.contains(&pattern.field) {
                found.extend(settability_reason(model, by_value, pattern, known));
            }
        }
    }
    let nested = |id: &FieldId| model.fields.get(*id).is_some_and(|field| !field.is_own());
    let below: Vec<FieldId> = component.fields.iter().copied().filter(nested).collect();
    let has_own = !found.is_empty();
    if has_deciding_field(model, component, known, &|model, id| is_boolean(model, id)) {
        found.push(NoUnionReason::BooleanDiscriminator);
    }
    if has_deciding_field(model, component, known, &|model, id| {
        below.contains(&id) && has_string_states(model, id)
    }) || !has_own && !known.has_union && has_deciding_field_for_nested(model, component, &below)
    {
        found.push(NoUnionReason::DifferentLevels);
    }
    if found.is_empty() && !known.has_union {
        found.push(presence_reason(model, component));
    }
    found
}

fn is_boolean(model: &Model<'_>, id: FieldId) -> bool {
    model.fields.get(id).is_some_and(|field| {
        field.value_type == FieldType::Bool && field.states.contains(&FieldState::True)
    })
}

fn has_string_states(model: &Model<'_>, id: FieldId) -> bool {
    model.fields.get(id).is_some_and(Field::has_string_states)
}

fn settability_reason(
    model: &Model<'_>,
    by_value: &DiscriminatorCandidate,
    pattern: &SettabilityByState,
    known: &ComponentContext<'_>,
) -> Option<NoUnionReason> {
    if !pattern.is_determined_by(by_value) {
        return None;
    }
    let is_crowded = known
        .selected
        .iter()
        .any(|selected| selected.value_sharing_fields.contains(&pattern.field));
    if is_crowded {
        return Some(NoUnionReason::SeveralFieldsPerValue);
    }
    let path = model.fields.path(pattern.field);
    let about = known.findings.iter().find(|finding| {
        finding.fields == core::slice::from_ref(&path)
            && finding.value.is_some()
            && finding.code != FindingCode::NoRule
    });
    Some(
        match about.map(|finding| (finding.code, finding.confidence)) {
            Some((FindingCode::NotForbidden, Confidence::Weak)) => {
                NoUnionReason::ConditionallyRequired
            }
            Some(_) => NoUnionReason::MissingRules,
            None => NoUnionReason::SeveralValuesPerField,
        },
    )
}

/// Returns true if a field that `sort` accepts determines whether another field may or must be set.
fn has_deciding_field(
    model: &Model<'_>,
    component: &mut RuleComponent,
    known: &ComponentContext<'_>,
    sort: &dyn Fn(&Model<'_>, FieldId) -> bool,
) -> bool {
    let fields = component.fields.clone();
    let deciders = fields.iter().copied().filter(|id| sort(model, *id));
    deciders.collect::<Vec<_>>().into_iter().any(|decider| {
        fields
            .iter()
            .filter(|other| !known.taken.contains(other) && !are_related(model, decider, **other))
            .any(|other| depends(model, component, decider, *other))
    })
}

/// Returns true if an own string field determines whether a field of an object below may or must be
/// set.
fn has_deciding_field_for_nested(
    model: &Model<'_>,
    component: &mut RuleComponent,
    below: &[FieldId],
) -> bool {
    let own: Vec<FieldId> = component
        .fields
        .iter()
        .copied()
        .filter(|id| has_string_states(model, *id) && !below.contains(id))
        .collect();
    own.iter().any(|decider| {
        let mut below = below.iter();
        below.any(|field| depends(model, component, *decider, *field))
    })
}

/// Returns true if the fields are the same, or one contains the other.
fn are_related(model: &Model<'_>, one: FieldId, other: FieldId) -> bool {
    let is_above = |one: FieldId, other: FieldId| {
        model
            .fields
            .get(other)
            .is_some_and(|field| field.chain.contains(&one))
    };
    is_above(one, other) || is_above(other, one)
}

/// Returns true if the value of one field determines whether the other field may or must be set.
fn depends(
    model: &Model<'_>,
    component: &mut RuleComponent,
    decider: FieldId,
    field: FieldId,
) -> bool {
    let states = model.fields.states(decider);
    let values: Vec<usize> = states
        .iter()
        .enumerate()
        .filter(|(_, state)| state.is_present())
        .map(|(position, _)| position)
        .filter(|state| component.is_possible(&[(decider, Assumption::InState(*state))]))
        .collect();
    let may_be_both = component.is_possible(&[(field, Assumption::Set)])
        && component.is_possible(&[(field, Assumption::Unset)]);
    may_be_both
        && [Assumption::Set, Assumption::Unset].into_iter().any(|is| {
            let mut answers = values.iter().map(|state| {
                component.is_possible(&[(decider, Assumption::InState(*state)), (field, is)])
            });
            answers.any(|answer| !answer)
        })
}

/// Returns the relation between the fields of a component by their presence.
fn presence_reason(model: &Model<'_>, component: &mut RuleComponent) -> NoUnionReason {
    let fields = component.fields.clone();
    if let [only] = &*fields
        && (has_string_states(model, *only) || is_boolean(model, *only))
    {
        return NoUnionReason::ValuesOnly;
    }
    let all: Vec<(FieldId, Assumption)> = fields
        .iter()
        .map(|field| (*field, Assumption::Set))
        .collect();
    let none: Vec<(FieldId, Assumption)> = fields
        .iter()
        .map(|field| (*field, Assumption::Unset))
        .collect();
    let has_all = component.is_possible(&all);
    let mut may_be_unset = fields
        .iter()
        .map(|field| component.is_possible(&[(*field, Assumption::Unset)]));
    let each_unset = may_be_unset.all(|may_be| may_be);
    if fields.len() > 1 && has_all && each_unset {
        if !component.is_possible(&none) {
            return NoUnionReason::AtLeastOne;
        }
        let mixed = fields.iter().any(|one| {
            let mut others = fields.iter().filter(|other| *other != one);
            others.any(|other| {
                component.is_possible(&[(*one, Assumption::Set), (*other, Assumption::Unset)])
            })
        });
        if !mixed {
            return NoUnionReason::AllOrNone;
        }
    }
    NoUnionReason::Dependency
}
