//! Comparison of rules with a union: the rules that the union can replace, and the rules that
//! require more.

use crate::solver::component::{is_active, states_when_set};
use crate::solver::model::{Constraint, ConstraintForm, Model};
use crate::solver::solver::StateSet;
use crate::solver::table::{CardinalityConstraint, TruthTable};
use crate::terms::fields::{FieldId, FieldState};
use crate::terms::value::TRUE;

/// A union, as far as the comparison needs it.
pub(crate) struct UnionForm {
    pub(crate) selection: SelectionRule,
    pub(crate) members: Vec<FieldId>,
}

/// The mechanism that selects the member that may be set.
pub(crate) enum SelectionRule {
    /// The discriminator, and the requirement of each of its states. `None` is a state that the
    /// union rejects.
    Discriminated {
        discriminator: FieldId,
        state_rules: Vec<Option<StateRule>>,
    },
    /// No discriminator. Exactly one member or at most one member is set.
    Group { needs_one: bool },
}

/// The requirement of a state of the discriminator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StateRule {
    /// No member is set.
    NoMember,
    /// Only this member may be set.
    Member { field: FieldId, optional: bool },
    /// At most one member may be set, because the discriminator follows the member.
    AtMostOne,
}

/// The rules that a union can replace, and the rules that require more.
pub(crate) struct CoveredRules {
    pub(crate) replaceable_rules: Vec<usize>,
    pub(crate) remaining_rules: Vec<usize>,
}

impl UnionForm {
    fn discriminator(&self) -> Option<FieldId> {
        match &self.selection {
            SelectionRule::Discriminated { discriminator, .. } => Some(*discriminator),
            SelectionRule::Group { .. } => None,
        }
    }

    pub(crate) fn has_field(&self, field: FieldId) -> bool {
        self.discriminator() == Some(field) || self.members.contains(&field)
    }
}

/// The maximum number of rules without a valid expression that are listed with a union.
const MAX_INVALID_RULES: usize = 16;

pub(crate) fn covered_rules(model: &Model<'_>, shape: &UnionForm) -> CoveredRules {
    let mut covered = CoveredRules {
        replaceable_rules: Vec::new(),
        remaining_rules: Vec::new(),
    };
    let set: Vec<(FieldId, StateSet)> = shape
        .members
        .iter()
        .map(|member| (*member, states_when_set(model, *member)))
        .collect();
    // A rule that is not an expression could be about any field.
    let unread = model.rules.iter().enumerate();
    let unread = unread.filter(|(rule, text)| {
        text.unknown_reason.is_some() && model.constraints_of_rule(*rule).next().is_none()
    });
    covered.remaining_rules = unread
        .map(|(rule, _)| rule)
        .take(MAX_INVALID_RULES)
        .collect();
    let mut fields = shape.members.clone();
    fields.extend(shape.discriminator());
    let pieces = model.constraints_about(&fields).into_iter();
    let mut rules: Vec<usize> = pieces.map(|piece| piece.rule).collect();
    rules.dedup();
    for rule in rules {
        let about = |piece: &&Constraint| is_about(piece, shape, model);
        let pieces = || model.constraints_of_rule(rule);
        if pieces()
            .filter(about)
            .any(|piece| !is_implied_by_union(piece, model, shape, &set))
        {
            covered.remaining_rules.push(rule);
        } else if model.rules.get(rule).is_some_and(|rule| rule.whole)
            && pieces().any(|piece| about(&piece))
            && pieces().all(|piece| about(&piece) || is_tautology(piece, model))
        {
            covered.replaceable_rules.push(rule);
        }
    }
    covered.remaining_rules.sort_unstable();
    covered
}

/// Returns true if a part of a rule is about a field of the union.
fn is_about(piece: &Constraint, shape: &UnionForm, model: &Model<'_>) -> bool {
    match &piece.form {
        ConstraintForm::Transition => false,
        ConstraintForm::Unknown(_) => piece
            .named_fields
            .iter()
            .any(|field| shape.has_field(*field)),
        says => {
            is_active(piece, &model.fields)
                && says.fields().iter().any(|field| shape.has_field(*field))
        }
    }
}

/// Returns true if a part of a rule holds for every object.
fn is_tautology(piece: &Constraint, model: &Model<'_>) -> bool {
    match &piece.form {
        ConstraintForm::Table { whole, .. } => {
            (0..whole.len()).all(|row| matches!(whole.truth(row), 0 | TRUE))
        }
        ConstraintForm::Cardinality(count) => count.is_trivial(&model.fields),
        ConstraintForm::Unknown(_) | ConstraintForm::Transition => false,
    }
}

/// Returns true if a part of a rule holds for every object that the union allows, whatever the
/// states of other fields are.
fn is_implied_by_union(
    piece: &Constraint,
    model: &Model<'_>,
    shape: &UnionForm,
    set: &[(FieldId, StateSet)],
) -> bool {
    match &piece.form {
        ConstraintForm::Table { reduced, .. } => {
            let rows = (0..reduced.len()).filter(|row| reduced.truth(*row) != 0);
            let mut allowed = rows.filter(|row| is_row_possible(reduced, *row, shape, set));
            allowed.all(|row| reduced.truth(row) == TRUE)
        }
        ConstraintForm::Cardinality(count) => {
            let (least, most) = possible_counts(count, model, shape);
            (least..=most).all(|set| count.allowed.get(set) == Some(&true))
        }
        ConstraintForm::Unknown(_) | ConstraintForm::Transition => false,
    }
}

/// Returns true if the union allows an object whose fields have the states of a row.
fn is_row_possible(
    table: &TruthTable,
    row: usize,
    shape: &UnionForm,
    set: &[(FieldId, StateSet)],
) -> bool {
    let states = table.states(row);
    let state = |field: FieldId| {
        let position = table.position(field)?;
        states.get(position).copied().map(usize::from)
    };
    // The members in the table, each with true if the member is set.
    let members: Vec<(FieldId, bool)> = set
        .iter()
        .filter_map(|(member, set)| Some((*member, set.contains(state(*member)?))))
        .collect();
    let count = members.iter().filter(|(_, is_set)| *is_set).count();
    match &shape.selection {
        SelectionRule::Group { needs_one } => {
            let is_whole = members.len() == shape.members.len();
            count <= 1 && !(*needs_one && is_whole && count == 0)
        }
        SelectionRule::Discriminated {
            discriminator,
            state_rules: at,
        } => {
            let fits = |at: &Option<StateRule>| match at {
                None => false,
                Some(StateRule::NoMember) => count == 0,
                Some(StateRule::AtMostOne) => count <= 1,
                Some(StateRule::Member { field, optional }) => {
                    members.iter().all(|(member, is_set)| {
                        if member == field {
                            *is_set || *optional
                        } else {
                            !is_set
                        }
                    })
                }
            };
            match state(*discriminator) {
                Some(state) => at.get(state).is_some_and(fits),
                None => at.iter().any(fits),
            }
        }
    }
}

/// Returns the minimum and the maximum number of counted fields that are set in an object that the
/// union allows.
fn possible_counts(
    count: &CardinalityConstraint,
    model: &Model<'_>,
    shape: &UnionForm,
) -> (usize, usize) {
    let states = |field: &FieldId| model.fields.states(*field).iter();
    let is_member = |field: &&FieldId| shape.members.contains(field);
    let others = || count.fields.iter().filter(|field| !is_member(field));
    let mut least = others()
        .filter(|field| states(field).all(|state| count.counts_as_set(state)))
        .count();
    let mut most = others()
        .filter(|field| states(field).any(|state| count.counts_as_set(state)))
        .count();
    let members: Vec<FieldId> = count.fields.iter().filter(is_member).copied().collect();
    let (fewest, all) = match &shape.selection {
        SelectionRule::Group { needs_one } => {
            let is_whole = members.len() == shape.members.len();
            (usize::from(*needs_one && is_whole), 1)
        }
        SelectionRule::Discriminated {
            state_rules: at, ..
        } => {
            let needs = |at: &StateRule| matches!(at, StateRule::Member { field, optional: false } if members.contains(field));
            let needs_one = at.iter().flatten().all(needs);
            (usize::from(needs_one), 1)
        }
    };
    // A null member may be counted as set, but is unset in the union.
    let nulls = members
        .iter()
        .filter(|field| count.null_is_set && states(field).any(|state| *state == FieldState::Null))
        .count();
    least += fewest.min(members.len());
    most += (all + nulls).min(members.len());
    (least, most)
}
