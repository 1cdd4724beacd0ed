//! The reasons why fields are not a union.

use crate::report::finding::{Code, Finding, Weight};
use crate::report::reading::Reason;
use crate::solver::component::{Component, Is};
use crate::solver::model::Model;
use crate::terms::fields::{Field, FieldId, Kind, State};
use crate::unions::by_value::{ByValue, Pattern, Selected};

/// The facts about a component that the reasons depend on.
pub(crate) struct Known<'r> {
    pub(crate) by_values: &'r [ByValue],
    pub(crate) selected: &'r [Selected],
    /// The members and discriminators of the unions with a discriminator.
    pub(crate) taken: &'r [FieldId],
    pub(crate) findings: &'r [Finding],
    /// True if the component has a union with a discriminator or with several members.
    pub(crate) has_union: bool,
}

pub(crate) fn reasons(
    model: &Model<'_>,
    component: &mut Component,
    known: &Known<'_>,
) -> Vec<Reason> {
    let mut found = Vec::new();
    for by_value in known.by_values {
        for pattern in &by_value.patterns {
            let is_discriminator = known
                .by_values
                .iter()
                .any(|other| other.discriminator == pattern.field);
            if !is_discriminator && !known.taken.contains(&pattern.field) {
                found.extend(by_pattern(model, by_value, pattern, known));
            }
        }
    }
    let nested = |id: &FieldId| model.fields.get(*id).is_some_and(|field| !field.is_own());
    let below: Vec<FieldId> = component.fields.iter().copied().filter(nested).collect();
    let has_own = !found.is_empty();
    if decides(model, component, known, &|model, id| is_boolean(model, id)) {
        found.push(Reason::BooleanDiscriminator);
    }
    if decides(model, component, known, &|model, id| {
        below.contains(&id) && is_text(model, id)
    }) || !has_own && !known.has_union && decides_below(model, component, &below)
    {
        found.push(Reason::OtherLevel);
    }
    if found.is_empty() && !known.has_union {
        found.push(by_presence(model, component));
    }
    found
}

fn is_boolean(model: &Model<'_>, id: FieldId) -> bool {
    model
        .fields
        .get(id)
        .is_some_and(|field| field.kind == Kind::Bool && field.states.contains(&State::True))
}

fn is_text(model: &Model<'_>, id: FieldId) -> bool {
    model.fields.get(id).is_some_and(Field::is_split_by_text)
}

fn by_pattern(
    model: &Model<'_>,
    by_value: &ByValue,
    pattern: &Pattern,
    known: &Known<'_>,
) -> Option<Reason> {
    if !pattern.depends(by_value) {
        return None;
    }
    let is_crowded = known
        .selected
        .iter()
        .any(|selected| selected.crowded.contains(&pattern.field));
    if is_crowded {
        return Some(Reason::SeveralFieldsPerValue);
    }
    let path = model.fields.path(pattern.field);
    let about = known.findings.iter().find(|finding| {
        finding.fields == core::slice::from_ref(&path)
            && finding.value.is_some()
            && finding.code != Code::NoRule
    });
    Some(match about.map(|finding| (finding.code, finding.weight)) {
        Some((Code::NotForbidden, Weight::Weak)) => Reason::ConditionallyRequired,
        Some(_) => Reason::Holes,
        None => Reason::SeveralValuesPerField,
    })
}

/// Returns true if a field that `sort` accepts determines whether another field may or must be set.
fn decides(
    model: &Model<'_>,
    component: &mut Component,
    known: &Known<'_>,
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
fn decides_below(model: &Model<'_>, component: &mut Component, below: &[FieldId]) -> bool {
    let own: Vec<FieldId> = component
        .fields
        .iter()
        .copied()
        .filter(|id| is_text(model, *id) && !below.contains(id))
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
fn depends(model: &Model<'_>, component: &mut Component, decider: FieldId, field: FieldId) -> bool {
    let states = model.fields.states(decider);
    let values: Vec<usize> = states
        .iter()
        .enumerate()
        .filter(|(_, state)| state.is_there())
        .map(|(position, _)| position)
        .filter(|state| component.may_be(&[(decider, Is::In(*state))]))
        .collect();
    let may_be_both =
        component.may_be(&[(field, Is::Set)]) && component.may_be(&[(field, Is::Unset)]);
    may_be_both
        && [Is::Set, Is::Unset].into_iter().any(|is| {
            let mut answers = values
                .iter()
                .map(|state| component.may_be(&[(decider, Is::In(*state)), (field, is)]));
            answers.any(|answer| !answer)
        })
}

/// Returns the relation between the fields of a component by their presence.
fn by_presence(model: &Model<'_>, component: &mut Component) -> Reason {
    let fields = component.fields.clone();
    if let [only] = &*fields
        && (is_text(model, *only) || is_boolean(model, *only))
    {
        return Reason::ValuesOnly;
    }
    let all: Vec<(FieldId, Is)> = fields.iter().map(|field| (*field, Is::Set)).collect();
    let none: Vec<(FieldId, Is)> = fields.iter().map(|field| (*field, Is::Unset)).collect();
    let has_all = component.may_be(&all);
    let mut may_be_unset = fields
        .iter()
        .map(|field| component.may_be(&[(*field, Is::Unset)]));
    let each_unset = may_be_unset.all(|may_be| may_be);
    if fields.len() > 1 && has_all && each_unset {
        if !component.may_be(&none) {
            return Reason::AtLeastOne;
        }
        let mixed = fields.iter().any(|one| {
            let mut others = fields.iter().filter(|other| *other != one);
            others.any(|other| component.may_be(&[(*one, Is::Set), (*other, Is::Unset)]))
        });
        if !mixed {
            return Reason::AllOrNone;
        }
    }
    Reason::Dependency
}
