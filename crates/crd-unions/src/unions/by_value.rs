//! Fields by the states of a possible discriminator: the states in which each field may be set, and
//! in which it must be set.

use crate::bounds::MEMBER_VALUES;
use crate::solver::component::{Component, Is};
use crate::solver::model::Model;
use crate::terms::fields::{Field, FieldId, State};

/// The allowed states of the other own fields, at each state of a possible discriminator.
pub(crate) struct ByValue {
    pub(crate) discriminator: FieldId,
    /// True for each state that an allowed object may have.
    pub(crate) allowed: Vec<bool>,
    pub(crate) patterns: Vec<Pattern>,
}

/// The states of the discriminator in which a field may be set, and in which it may be unset.
pub(crate) struct Pattern {
    pub(crate) field: FieldId,
    pub(crate) settable: Vec<bool>,
    pub(crate) unsettable: Vec<bool>,
}

/// A member of a discriminated union.
#[derive(Clone, Copy)]
pub(crate) struct MemberAt {
    pub(crate) field: FieldId,
    /// The position of the member's value among the states of the discriminator.
    pub(crate) state: usize,
    /// True if the member may be unset at the value.
    pub(crate) optional: bool,
}

/// The members of a discriminator, found from the allowed objects.
pub(crate) struct Selected {
    pub(crate) discriminator: FieldId,
    pub(crate) members: Vec<MemberAt>,
    /// The fields that share their value with other fields.
    pub(crate) crowded: Vec<FieldId>,
}

impl Pattern {
    /// Returns the states in which the field may be set.
    pub(crate) fn set_at(&self) -> Vec<usize> {
        positions(&self.settable, true)
    }

    /// Returns the allowed states in which the field must be set.
    pub(crate) fn required_at(&self, by_value: &ByValue) -> Vec<usize> {
        let allowed = positions(&by_value.allowed, true).into_iter();
        let required = allowed.filter(|state| self.unsettable.get(*state) == Some(&false));
        required.collect()
    }

    /// Returns true if the field may not be set in some allowed state.
    pub(crate) fn is_forbidden_somewhere(&self, by_value: &ByValue) -> bool {
        let mut both = by_value.allowed.iter().zip(&self.settable);
        both.any(|(allowed, settable)| *allowed && !settable)
    }

    /// Returns true if the discriminator determines whether the field may be set or unset.
    pub(crate) fn depends(&self, by_value: &ByValue) -> bool {
        let allowed = positions(&by_value.allowed, true);
        let differs = |of: &[bool]| {
            let mut values = allowed.iter().map(|state| of.get(*state));
            let first = values.next();
            values.any(|value| Some(value) != first)
        };
        self.settable.contains(&true) && (differs(&self.settable) || differs(&self.unsettable))
    }

    /// Returns the only state in which the field may be set.
    fn only(&self) -> Option<usize> {
        match &*self.set_at() {
            [state] => Some(*state),
            _ => None,
        }
    }
}

fn positions(of: &[bool], wanted: bool) -> Vec<usize> {
    let of = of.iter().enumerate();
    of.filter(|(_, is)| **is == wanted)
        .map(|(state, _)| state)
        .collect()
}

/// Queries the solver for each own field whose states are strings, and which may be a
/// discriminator.
pub(crate) fn by_values(model: &Model<'_>, component: &mut Component) -> Vec<ByValue> {
    let own = component.own(model);
    let could_be = |id: &FieldId| {
        let field = model.fields.get(*id);
        field.is_some_and(Field::is_split_by_text)
    };
    let discriminators: Vec<FieldId> = own.iter().copied().filter(could_be).collect();
    let discriminators = discriminators.into_iter();
    discriminators
        .map(|discriminator| by_value(model, component, discriminator, &own))
        .collect()
}

fn by_value(
    model: &Model<'_>,
    component: &mut Component,
    discriminator: FieldId,
    own: &[FieldId],
) -> ByValue {
    let states = 0..model.fields.states(discriminator).len();
    let allowed: Vec<bool> = states
        .map(|state| component.may_be(&[(discriminator, Is::In(state))]))
        .collect();
    let mut may_be = |field: FieldId, is: Is| -> Vec<bool> {
        let states = allowed.iter().enumerate();
        states
            .map(|(state, allowed)| {
                *allowed && component.may_be(&[(discriminator, Is::In(state)), (field, is)])
            })
            .collect()
    };
    let patterns = own
        .iter()
        .filter(|field| **field != discriminator)
        .map(|field| Pattern {
            field: *field,
            settable: may_be(*field, Is::Set),
            unsettable: may_be(*field, Is::Unset),
        });
    let patterns = patterns.collect();
    ByValue {
        discriminator,
        allowed,
        patterns,
    }
}

/// Returns the members of each discriminator: fields that may be set at exactly one value. A field
/// becomes a member of the discriminator with the most other allowed states. Fields that share a
/// value are not members.
pub(crate) fn selected(model: &Model<'_>, by_values: &[ByValue]) -> Vec<Selected> {
    let mut found: Vec<Selected> = by_values
        .iter()
        .map(|by_value| Selected {
            discriminator: by_value.discriminator,
            members: Vec::new(),
            crowded: Vec::new(),
        })
        .collect();
    let mut fields: Vec<FieldId> = Vec::new();
    for by_value in by_values {
        for pattern in &by_value.patterns {
            if !fields.contains(&pattern.field) {
                fields.push(pattern.field);
            }
        }
    }
    fields.sort_by_key(|field| model.fields.rank(*field));
    for field in fields {
        let mut best: Option<(usize, usize, MemberAt)> = None;
        for (position, by_value) in by_values.iter().enumerate() {
            let Some(member) = member_of(model, by_value, field) else {
                continue;
            };
            // The number of other allowed states, in which the field is not set.
            let says = by_value.allowed.len() - 1;
            if best.is_none_or(|(most, ..)| says > most) {
                best = Some((says, position, member));
            }
        }
        if let Some((_, position, member)) = best
            && let Some(selected) = found.get_mut(position)
        {
            selected.members.push(member);
        }
    }
    for selected in &mut found {
        let members = selected.members.iter();
        let states: Vec<usize> = members.map(|member| member.state).collect();
        let is_alone = |state: usize| states.iter().filter(|other| **other == state).count() == 1;
        let crowded = selected
            .members
            .iter()
            .filter(|member| !is_alone(member.state));
        selected.crowded = crowded.map(|member| member.field).collect();
        selected.members.retain(|member| is_alone(member.state));
    }
    found.retain(|selected| {
        let is_bounded = selected.members.len() <= MEMBER_VALUES;
        is_bounded && (!selected.members.is_empty() || !selected.crowded.is_empty())
    });
    found
}

/// Returns the field as a member, if it may be set at exactly one value.
fn member_of(model: &Model<'_>, by_value: &ByValue, field: FieldId) -> Option<MemberAt> {
    let mut patterns = by_value.patterns.iter();
    let pattern = patterns.find(|pattern| pattern.field == field)?;
    let state = pattern.only()?;
    let states = model.fields.states(by_value.discriminator);
    let is_value = matches!(states.get(state), Some(State::Text(text)) if !text.is_empty());
    let may_be_unset = pattern.unsettable.contains(&true);
    let optional = pattern.unsettable.get(state) == Some(&true);
    // A field that is always set would restrict the discriminator to one value.
    let is_free = may_be_unset || by_value.allowed.iter().filter(|allowed| **allowed).count() == 1;
    (is_value && is_free).then_some(MemberAt {
        field,
        state,
        optional,
    })
}

/// Returns the members of a union in the 2019 model: fields that may each be set at one value and
/// without the discriminator, and never together.
pub(crate) fn deduced(
    model: &Model<'_>,
    component: &mut Component,
    by_value: &ByValue,
) -> Option<Vec<MemberAt>> {
    let patterns = by_value.patterns.iter();
    let members: Vec<MemberAt> = patterns
        .filter(|pattern| pattern.is_forbidden_somewhere(by_value))
        .filter_map(|pattern| {
            Some(MemberAt {
                field: pattern.field,
                state: free_when_absent(model, by_value, pattern)?,
                optional: true,
            })
        })
        .collect();
    let mut values: Vec<usize> = members.iter().map(|member| member.state).collect();
    values.sort_unstable();
    values.dedup();
    if members.is_empty() || values.len() != members.len() {
        return None;
    }
    for (position, one) in members.iter().enumerate() {
        for other in members.iter().skip(position + 1) {
            if component.may_be(&[(one.field, Is::Set), (other.field, Is::Set)]) {
                return None;
            }
        }
    }
    Some(members)
}

/// Returns the value of a field that may be set at this value, and without the discriminator
/// (absent, null or `""`), and nowhere else.
pub(crate) fn free_when_absent(
    model: &Model<'_>,
    by_value: &ByValue,
    pattern: &Pattern,
) -> Option<usize> {
    let states = model.fields.states(by_value.discriminator);
    let mut value = None;
    let mut is_free = false;
    for state in pattern.set_at() {
        match states.get(state)? {
            State::Absent | State::Null => is_free = true,
            State::Text(text) if text.is_empty() => {}
            State::Text(_) if value.is_none() => value = Some(state),
            _ => return None,
        }
    }
    value.filter(|_| is_free)
}
