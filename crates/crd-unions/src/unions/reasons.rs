//! The reasons why fields are not a union.

use crate::report::analysis::NoUnionReason;
use crate::report::finding::{Confidence, Finding, FindingCode};
use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::terms::fields::{Field, FieldId, FieldState, FieldType};
use crate::unions::discriminated::{CandidateMembers, DiscriminatorCandidate, SettabilityByState};

/// The inferred unions and findings of a component, on which the reasons depend.
pub(crate) struct ComponentContext<'r> {
    pub(crate) candidates: &'r [DiscriminatorCandidate],
    pub(crate) members_by_discriminator: &'r [CandidateMembers],
    /// The members and discriminators of the unions with a discriminator.
    pub(crate) used_fields: &'r [FieldId],
    pub(crate) findings: &'r [Finding],
    /// True if the component has a union with a discriminator or with several members.
    pub(crate) has_union: bool,
}

/// Returns the reasons why fields of a component are not in a union.
pub(crate) fn no_union_reasons(
    model: &Model<'_>,
    component: &mut RuleComponent,
    context: &ComponentContext<'_>,
) -> Vec<NoUnionReason> {
    let mut reasons = Vec::new();
    for candidate in context.candidates {
        for settability in &candidate.settabilities {
            let is_discriminator = context
                .candidates
                .iter()
                .any(|other| other.discriminator == settability.field);
            if !is_discriminator && !context.used_fields.contains(&settability.field) {
                reasons.extend(settability_reason(model, candidate, settability, context));
            }
        }
    }
    let is_nested = |id: &FieldId| model.fields.get(*id).is_some_and(|field| !field.is_own());
    let nested_fields: Vec<FieldId> = component.fields.iter().copied().filter(is_nested).collect();
    let has_settability_reason = !reasons.is_empty();
    if has_deciding_field(model, component, context, &|model, id| {
        is_boolean(model, id)
    }) {
        reasons.push(NoUnionReason::BooleanDiscriminator);
    }
    if has_deciding_field(model, component, context, &|model, id| {
        nested_fields.contains(&id) && has_string_states(model, id)
    }) || !has_settability_reason
        && !context.has_union
        && has_deciding_field_for_nested(model, component, &nested_fields)
    {
        reasons.push(NoUnionReason::DifferentLevels);
    }
    if reasons.is_empty() && !context.has_union {
        reasons.push(presence_reason(model, component));
    }
    reasons
}

fn is_boolean(model: &Model<'_>, id: FieldId) -> bool {
    model.fields.get(id).is_some_and(|field| {
        field.value_type == FieldType::Bool && field.states.contains(&FieldState::True)
    })
}

fn has_string_states(model: &Model<'_>, id: FieldId) -> bool {
    model.fields.get(id).is_some_and(Field::has_string_states)
}

/// Returns the reason why a field is not a member, although a discriminator determines when the
/// field may or must be set. Returns `None` if the discriminator does not determine this.
fn settability_reason(
    model: &Model<'_>,
    candidate: &DiscriminatorCandidate,
    settability: &SettabilityByState,
    context: &ComponentContext<'_>,
) -> Option<NoUnionReason> {
    if !settability.is_determined_by(candidate) {
        return None;
    }
    let shares_value = context
        .members_by_discriminator
        .iter()
        .any(|candidate_members| {
            candidate_members
                .value_sharing_fields
                .contains(&settability.field)
        });
    if shares_value {
        return Some(NoUnionReason::SeveralFieldsPerValue);
    }
    let path = model.fields.path(settability.field);
    let related_finding = context.findings.iter().find(|finding| {
        finding.fields == core::slice::from_ref(&path)
            && finding.value.is_some()
            && finding.code != FindingCode::NoRule
    });
    Some(
        match related_finding.map(|finding| (finding.code, finding.confidence)) {
            Some((FindingCode::NotForbidden, Confidence::Weak)) => {
                NoUnionReason::ConditionallyRequired
            }
            Some(_) => NoUnionReason::MissingRules,
            None => NoUnionReason::SeveralValuesPerField,
        },
    )
}

/// Returns true if a field for which `is_decider` is true determines when another field may or must
/// be set.
fn has_deciding_field(
    model: &Model<'_>,
    component: &mut RuleComponent,
    context: &ComponentContext<'_>,
    is_decider: &dyn Fn(&Model<'_>, FieldId) -> bool,
) -> bool {
    let fields = component.fields.clone();
    let deciders = fields.iter().copied().filter(|id| is_decider(model, *id));
    deciders.collect::<Vec<_>>().into_iter().any(|decider| {
        fields
            .iter()
            .filter(|other| {
                !context.used_fields.contains(other) && !are_related(model, decider, **other)
            })
            .any(|other| determines(model, component, decider, *other))
    })
}

/// Returns true if an own string field determines when a nested field may or must be set.
fn has_deciding_field_for_nested(
    model: &Model<'_>,
    component: &mut RuleComponent,
    nested_fields: &[FieldId],
) -> bool {
    let own_string_fields: Vec<FieldId> = component
        .fields
        .iter()
        .copied()
        .filter(|id| has_string_states(model, *id) && !nested_fields.contains(id))
        .collect();
    own_string_fields.iter().any(|decider| {
        let mut nested_fields = nested_fields.iter();
        nested_fields.any(|field| determines(model, component, *decider, *field))
    })
}

/// Returns true if the fields are the same, or one contains the other.
fn are_related(model: &Model<'_>, field: FieldId, other_field: FieldId) -> bool {
    let contains = |ancestor: FieldId, descendant: FieldId| {
        model
            .fields
            .get(descendant)
            .is_some_and(|field| field.chain.contains(&ancestor))
    };
    contains(field, other_field) || contains(other_field, field)
}

/// Returns true if the value of `decider` determines when `field` may or must be set.
fn determines(
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
    let may_be_set_or_unset = component.is_possible(&[(field, Assumption::Set)])
        && component.is_possible(&[(field, Assumption::Unset)]);
    may_be_set_or_unset
        && [Assumption::Set, Assumption::Unset]
            .into_iter()
            .any(|assumption| {
                let mut possible = values.iter().map(|state| {
                    component
                        .is_possible(&[(decider, Assumption::InState(*state)), (field, assumption)])
                });
                possible.any(|is_possible| !is_possible)
            })
}

/// Returns the reason of a component whose fields only depend on the presence of each other.
fn presence_reason(model: &Model<'_>, component: &mut RuleComponent) -> NoUnionReason {
    let fields = component.fields.clone();
    if let [only_field] = &*fields
        && (has_string_states(model, *only_field) || is_boolean(model, *only_field))
    {
        return NoUnionReason::ValuesOnly;
    }
    let all_set: Vec<(FieldId, Assumption)> = fields
        .iter()
        .map(|field| (*field, Assumption::Set))
        .collect();
    let all_unset: Vec<(FieldId, Assumption)> = fields
        .iter()
        .map(|field| (*field, Assumption::Unset))
        .collect();
    let may_all_be_set = component.is_possible(&all_set);
    let mut may_be_unset = fields
        .iter()
        .map(|field| component.is_possible(&[(*field, Assumption::Unset)]));
    let may_each_be_unset = may_be_unset.all(|may_be_unset| may_be_unset);
    if fields.len() > 1 && may_all_be_set && may_each_be_unset {
        if !component.is_possible(&all_unset) {
            return NoUnionReason::AtLeastOne;
        }
        let may_be_mixed = fields.iter().any(|set_field| {
            let mut other_fields = fields
                .iter()
                .filter(|unset_field| *unset_field != set_field);
            other_fields.any(|unset_field| {
                component.is_possible(&[
                    (*set_field, Assumption::Set),
                    (*unset_field, Assumption::Unset),
                ])
            })
        });
        if !may_be_mixed {
            return NoUnionReason::AllOrNone;
        }
    }
    NoUnionReason::Dependency
}
