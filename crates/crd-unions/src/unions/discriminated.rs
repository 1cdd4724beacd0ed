//! Candidates for discriminators, and the members that each candidate selects. The solver
//! determines, for each state of a candidate, which fields may be set and may be unset.

use crate::bounds::MEMBER_VALUES;
use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::terms::fields::{Field, FieldId, FieldState};

/// A field that may be a discriminator, and the settability of the other own fields in its states.
pub(crate) struct DiscriminatorCandidate {
    pub(crate) discriminator: FieldId,
    /// For each state of the field, true if an allowed object may have this state.
    pub(crate) allowed: Vec<bool>,
    pub(crate) settabilities: Vec<SettabilityByState>,
}

/// The states of the discriminator in which a field may be set, and the states in which the field
/// may be unset.
pub(crate) struct SettabilityByState {
    pub(crate) field: FieldId,
    /// For each state of the discriminator, true if the field may be set.
    pub(crate) may_be_set: Vec<bool>,
    /// For each state of the discriminator, true if the field may be unset.
    pub(crate) may_be_unset: Vec<bool>,
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

/// The members that a discriminator selects.
pub(crate) struct CandidateMembers {
    pub(crate) discriminator: FieldId,
    pub(crate) members: Vec<CandidateMember>,
    /// The fields that share their value with other fields.
    pub(crate) value_sharing_fields: Vec<FieldId>,
}

impl SettabilityByState {
    /// Returns the states in which the field may be set.
    pub(crate) fn settable_states(&self) -> Vec<usize> {
        true_positions(&self.may_be_set)
    }

    /// Returns the allowed states in which the field must be set.
    pub(crate) fn required_states(&self, candidate: &DiscriminatorCandidate) -> Vec<usize> {
        let allowed = true_positions(&candidate.allowed).into_iter();
        let required = allowed.filter(|state| self.may_be_unset.get(*state) == Some(&false));
        required.collect()
    }

    /// Returns true if the field must be unset in some allowed state.
    pub(crate) fn is_forbidden_in_some_state(&self, candidate: &DiscriminatorCandidate) -> bool {
        let mut states = candidate.allowed.iter().zip(&self.may_be_set);
        states.any(|(allowed, may_be_set)| *allowed && !may_be_set)
    }

    /// Returns true if the discriminator determines whether the field may be set or unset.
    pub(crate) fn is_determined_by(&self, candidate: &DiscriminatorCandidate) -> bool {
        let allowed = true_positions(&candidate.allowed);
        let differs = |flags: &[bool]| {
            let mut values = allowed.iter().map(|state| flags.get(*state));
            let first_value = values.next();
            values.any(|value| Some(value) != first_value)
        };
        self.may_be_set.contains(&true)
            && (differs(&self.may_be_set) || differs(&self.may_be_unset))
    }

    /// Returns the only state in which the field may be set.
    fn only_settable_state(&self) -> Option<usize> {
        match &*self.settable_states() {
            [state] => Some(*state),
            _ => None,
        }
    }
}

fn true_positions(flags: &[bool]) -> Vec<usize> {
    let flags = flags.iter().enumerate();
    flags
        .filter(|(_, flag)| **flag)
        .map(|(position, _)| position)
        .collect()
}

/// Returns a candidate for each own field that has strings as states.
pub(crate) fn discriminator_candidates(
    model: &Model<'_>,
    component: &mut RuleComponent,
) -> Vec<DiscriminatorCandidate> {
    let own_fields = component.own_fields(model);
    let has_string_states = |id: &FieldId| {
        let field = model.fields.get(*id);
        field.is_some_and(Field::has_string_states)
    };
    let discriminators: Vec<FieldId> = own_fields
        .iter()
        .copied()
        .filter(has_string_states)
        .collect();
    let discriminators = discriminators.into_iter();
    discriminators
        .map(|discriminator| candidate(model, component, discriminator, &own_fields))
        .collect()
}

/// Queries the solver for the states that the discriminator may have, and for the states in which
/// each other field may be set and may be unset.
fn candidate(
    model: &Model<'_>,
    component: &mut RuleComponent,
    discriminator: FieldId,
    own_fields: &[FieldId],
) -> DiscriminatorCandidate {
    let states = 0..model.fields.states(discriminator).len();
    let allowed: Vec<bool> = states
        .map(|state| component.is_possible(&[(discriminator, Assumption::InState(state))]))
        .collect();
    let mut possible_states = |field: FieldId, assumption: Assumption| -> Vec<bool> {
        let states = allowed.iter().enumerate();
        states
            .map(|(state, allowed)| {
                *allowed
                    && component.is_possible(&[
                        (discriminator, Assumption::InState(state)),
                        (field, assumption),
                    ])
            })
            .collect()
    };
    let settabilities = own_fields
        .iter()
        .filter(|field| **field != discriminator)
        .map(|field| SettabilityByState {
            field: *field,
            may_be_set: possible_states(*field, Assumption::Set),
            may_be_unset: possible_states(*field, Assumption::Unset),
        });
    let settabilities = settabilities.collect();
    DiscriminatorCandidate {
        discriminator,
        allowed,
        settabilities,
    }
}

/// Returns the members of each discriminator: fields that may be set at exactly one value. If a
/// field could be a member of several discriminators, it becomes a member of the discriminator with
/// the most states. Fields that share a value are not members.
pub(crate) fn candidate_members(
    model: &Model<'_>,
    candidates: &[DiscriminatorCandidate],
) -> Vec<CandidateMembers> {
    let mut candidate_members: Vec<CandidateMembers> = candidates
        .iter()
        .map(|candidate| CandidateMembers {
            discriminator: candidate.discriminator,
            members: Vec::new(),
            value_sharing_fields: Vec::new(),
        })
        .collect();
    let mut fields: Vec<FieldId> = Vec::new();
    for candidate in candidates {
        for settability in &candidate.settabilities {
            if !fields.contains(&settability.field) {
                fields.push(settability.field);
            }
        }
    }
    fields.sort_by_key(|field| model.fields.sort_key(*field));
    for field in fields {
        // The number of other states, the position of the candidate, and the member.
        let mut best: Option<(usize, usize, CandidateMember)> = None;
        for (position, candidate) in candidates.iter().enumerate() {
            let Some(member) = candidate_member(model, candidate, field) else {
                continue;
            };
            // The number of other states, in which the field is unset.
            let other_states = candidate.allowed.len() - 1;
            if best.is_none_or(|(best_state_count, ..)| other_states > best_state_count) {
                best = Some((other_states, position, member));
            }
        }
        if let Some((_, position, member)) = best
            && let Some(members_of_discriminator) = candidate_members.get_mut(position)
        {
            members_of_discriminator.members.push(member);
        }
    }
    for members_of_discriminator in &mut candidate_members {
        let members = members_of_discriminator.members.iter();
        let states: Vec<usize> = members.map(|member| member.state).collect();
        let has_own_value =
            |state: usize| states.iter().filter(|other| **other == state).count() == 1;
        let value_sharing = members_of_discriminator
            .members
            .iter()
            .filter(|member| !has_own_value(member.state));
        members_of_discriminator.value_sharing_fields =
            value_sharing.map(|member| member.field).collect();
        members_of_discriminator
            .members
            .retain(|member| has_own_value(member.state));
    }
    candidate_members.retain(|members_of_discriminator| {
        let is_within_limit = members_of_discriminator.members.len() <= MEMBER_VALUES;
        is_within_limit
            && (!members_of_discriminator.members.is_empty()
                || !members_of_discriminator.value_sharing_fields.is_empty())
    });
    candidate_members
}

/// Returns the field as a member, if it may be set at exactly one value.
fn candidate_member(
    model: &Model<'_>,
    candidate: &DiscriminatorCandidate,
    field: FieldId,
) -> Option<CandidateMember> {
    let mut settabilities = candidate.settabilities.iter();
    let settability = settabilities.find(|settability| settability.field == field)?;
    let state = settability.only_settable_state()?;
    let states = model.fields.states(candidate.discriminator);
    let is_value =
        matches!(states.get(state), Some(FieldState::String(string)) if !string.is_empty());
    let may_be_unset = settability.may_be_unset.contains(&true);
    let optional = settability.may_be_unset.get(state) == Some(&true);
    // A field that may never be unset restricts the discriminator to the value of its one state, so
    // the field is a member only if the discriminator has no other value anyway.
    let is_free = may_be_unset || candidate.allowed.iter().filter(|allowed| **allowed).count() == 1;
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
    candidate: &DiscriminatorCandidate,
) -> Option<Vec<CandidateMember>> {
    let settabilities = candidate.settabilities.iter();
    let members: Vec<CandidateMember> = settabilities
        .filter(|settability| settability.is_forbidden_in_some_state(candidate))
        .filter_map(|settability| {
            Some(CandidateMember {
                field: settability.field,
                state: only_value_if_settable_when_absent(model, candidate, settability)?,
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
    for (position, member) in members.iter().enumerate() {
        for other_member in members.iter().skip(position + 1) {
            if component.is_possible(&[
                (member.field, Assumption::Set),
                (other_member.field, Assumption::Set),
            ]) {
                return None;
            }
        }
    }
    Some(members)
}

/// Returns the position of the only value at which a field may be set, if the field may also be set
/// while the discriminator is absent or null. A discriminator that is `""` is ignored.
pub(crate) fn only_value_if_settable_when_absent(
    model: &Model<'_>,
    candidate: &DiscriminatorCandidate,
    settability: &SettabilityByState,
) -> Option<usize> {
    let states = model.fields.states(candidate.discriminator);
    let mut value = None;
    let mut is_free = false;
    for state in settability.settable_states() {
        match states.get(state)? {
            FieldState::Absent | FieldState::Null => is_free = true,
            FieldState::String(string) if string.is_empty() => {}
            FieldState::String(_) if value.is_none() => value = Some(state),
            _ => return None,
        }
    }
    value.filter(|_| is_free)
}
