//! Fields by the states of a possible discriminator: the states in which each field may be set, and
//! in which it must be set.

use crate::bounds::MEMBER_VALUES;
use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::terms::fields::{Field, FieldId, FieldState};

/// The allowed states of the other own fields, at each state of a possible discriminator.
pub(crate) struct DiscriminatorCandidate {
    pub(crate) discriminator: FieldId,
    /// True for each state that an allowed object may have.
    pub(crate) allowed: Vec<bool>,
    pub(crate) settabilities: Vec<SettabilityByState>,
}

/// The states of the discriminator in which a field may be set, and in which it may be unset.
pub(crate) struct SettabilityByState {
    pub(crate) field: FieldId,
    pub(crate) settable: Vec<bool>,
    pub(crate) unsettable: Vec<bool>,
}

/// A member of a discriminated union.
#[derive(Clone, Copy)]
pub(crate) struct CandidateMember {
    pub(crate) field: FieldId,
    /// The position of the member's value among the states of the discriminator.
    pub(crate) state: usize,
    /// True if the member may be unset at the value.
    pub(crate) optional: bool,
}

/// The members of a discriminator, found from the allowed objects.
pub(crate) struct CandidateMembers {
    pub(crate) discriminator: FieldId,
    pub(crate) members: Vec<CandidateMember>,
    /// The fields that share their value with other fields.
    pub(crate) value_sharing_fields: Vec<FieldId>,
}

impl SettabilityByState {
    /// Returns the states in which the field may be set.
    pub(crate) fn settable_states(&self) -> Vec<usize> {
        positions(&self.settable, true)
    }

    /// Returns the allowed states in which the field must be set.
    pub(crate) fn required_states(&self, by_value: &DiscriminatorCandidate) -> Vec<usize> {
        let allowed = positions(&by_value.allowed, true).into_iter();
        let required = allowed.filter(|state| self.unsettable.get(*state) == Some(&false));
        required.collect()
    }

    /// Returns true if the field may not be set in some allowed state.
    pub(crate) fn is_forbidden_somewhere(&self, by_value: &DiscriminatorCandidate) -> bool {
        let mut both = by_value.allowed.iter().zip(&self.settable);
        both.any(|(allowed, settable)| *allowed && !settable)
    }

    /// Returns true if the discriminator determines whether the field may be set or unset.
    pub(crate) fn is_determined_by(&self, by_value: &DiscriminatorCandidate) -> bool {
        let allowed = positions(&by_value.allowed, true);
        let differs = |of: &[bool]| {
            let mut values = allowed.iter().map(|state| of.get(*state));
            let first = values.next();
            values.any(|value| Some(value) != first)
        };
        self.settable.contains(&true) && (differs(&self.settable) || differs(&self.unsettable))
    }

    /// Returns the only state in which the field may be set.
    fn only_settable_state(&self) -> Option<usize> {
        match &*self.settable_states() {
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
pub(crate) fn discriminator_candidates(
    model: &Model<'_>,
    component: &mut RuleComponent,
) -> Vec<DiscriminatorCandidate> {
    let own = component.own_fields(model);
    let could_be = |id: &FieldId| {
        let field = model.fields.get(*id);
        field.is_some_and(Field::has_string_states)
    };
    let discriminators: Vec<FieldId> = own.iter().copied().filter(could_be).collect();
    let discriminators = discriminators.into_iter();
    discriminators
        .map(|discriminator| by_value(model, component, discriminator, &own))
        .collect()
}

fn by_value(
    model: &Model<'_>,
    component: &mut RuleComponent,
    discriminator: FieldId,
    own: &[FieldId],
) -> DiscriminatorCandidate {
    let states = 0..model.fields.states(discriminator).len();
    let allowed: Vec<bool> = states
        .map(|state| component.is_possible(&[(discriminator, Assumption::InState(state))]))
        .collect();
    let mut may_be = |field: FieldId, is: Assumption| -> Vec<bool> {
        let states = allowed.iter().enumerate();
        states
            .map(|(state, allowed)| {
                *allowed
                    && component
                        .is_possible(&[(discriminator, Assumption::InState(state)), (field, is)])
            })
            .collect()
    };
    let patterns = own
        .iter()
        .filter(|field| **field != discriminator)
        .map(|field| SettabilityByState {
            field: *field,
            settable: may_be(*field, Assumption::Set),
            unsettable: may_be(*field, Assumption::Unset),
        });
    let patterns = patterns.collect();
    DiscriminatorCandidate {
        discriminator,
        allowed,
        settabilities: patterns,
    }
}

/// Returns the members of each discriminator: fields that may be set at exactly one value. A field
/// becomes a member of the discriminator with the most other allowed states. Fields that share a
/// value are not members.
pub(crate) fn candidate_members(
    model: &Model<'_>,
    by_values: &[DiscriminatorCandidate],
) -> Vec<CandidateMembers> {
    let mut found: Vec<CandidateMembers> = by_values
        .iter()
        .map(|by_value| CandidateMembers {
            discriminator: by_value.discriminator,
            members: Vec::new(),
            value_sharing_fields: Vec::new(),
        })
        .collect();
    let mut fields: Vec<FieldId> = Vec::new();
    for by_value in by_values {
        for pattern in &by_value.settabilities {
            if !fields.contains(&pattern.field) {
                fields.push(pattern.field);
            }
        }
    }
    fields.sort_by_key(|field| model.fields.sort_key(*field));
    for field in fields {
        let mut best: Option<(usize, usize, CandidateMember)> = None;
        for (position, by_value) in by_values.iter().enumerate() {
            let Some(member) = candidate_member(model, by_value, field) else {
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
        selected.value_sharing_fields = crowded.map(|member| member.field).collect();
        selected.members.retain(|member| is_alone(member.state));
    }
    found.retain(|selected| {
        let is_bounded = selected.members.len() <= MEMBER_VALUES;
        is_bounded && (!selected.members.is_empty() || !selected.value_sharing_fields.is_empty())
    });
    found
}

/// Returns the field as a member, if it may be set at exactly one value.
fn candidate_member(
    model: &Model<'_>,
    by_value: &DiscriminatorCandidate,
    field: FieldId,
) -> Option<CandidateMember> {
    let mut patterns = by_value.settabilities.iter();
    let pattern = patterns.find(|pattern| pattern.field == field)?;
    let state = pattern.only_settable_state()?;
    let states = model.fields.states(by_value.discriminator);
    let is_value = matches!(states.get(state), Some(FieldState::String(text)) if !text.is_empty());
    let may_be_unset = pattern.unsettable.contains(&true);
    let optional = pattern.unsettable.get(state) == Some(&true);
    // A field that is always set would restrict the discriminator to one value.
    let is_free = may_be_unset || by_value.allowed.iter().filter(|allowed| **allowed).count() == 1;
    (is_value && is_free).then_some(CandidateMember {
        field,
        state,
        optional,
    })
}

/// Returns the members of a union in the 2019 model: fields that may each be set at one value and
/// without the discriminator, and never together.
pub(crate) fn deduced_members(
    model: &Model<'_>,
    component: &mut RuleComponent,
    by_value: &DiscriminatorCandidate,
) -> Option<Vec<CandidateMember>> {
    let patterns = by_value.settabilities.iter();
    let members: Vec<CandidateMember> = patterns
        .filter(|pattern| pattern.is_forbidden_somewhere(by_value))
        .filter_map(|pattern| {
            Some(CandidateMember {
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
            if component
                .is_possible(&[(one.field, Assumption::Set), (other.field, Assumption::Set)])
            {
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
    by_value: &DiscriminatorCandidate,
    pattern: &SettabilityByState,
) -> Option<usize> {
    let states = model.fields.states(by_value.discriminator);
    let mut value = None;
    let mut is_free = false;
    for state in pattern.settable_states() {
        match states.get(state)? {
            FieldState::Absent | FieldState::Null => is_free = true,
            FieldState::String(text) if text.is_empty() => {}
            FieldState::String(_) if value.is_none() => value = Some(state),
            _ => return None,
        }
    }
    value.filter(|_| is_free)
}
