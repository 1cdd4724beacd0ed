//! Comparison of rules with a union: the rules that the union implies and can replace, and the
//! rules that reject more objects.

use std::ops::RangeInclusive;

use crate::solver::component::{is_active, states_when_set};
use crate::solver::model::{Constraint, ConstraintForm, Model};
use crate::solver::solver::StateSet;
use crate::solver::table::{CardinalityConstraint, TruthTable};
use crate::terms::fields::{FieldId, FieldState};
use crate::terms::value::TRUE;

/// The fields of a union, and its rule for selecting a member.
pub(crate) struct UnionForm {
    pub(crate) selection: SelectionRule,
    pub(crate) members: Vec<FieldId>,
}

/// The rule that determines which member may be set.
pub(crate) enum SelectionRule {
    /// The discriminator, and the rule of each of its states. `None` is a state that the union
    /// rejects.
    Discriminated {
        discriminator: FieldId,
        state_rules: Vec<Option<StateRule>>,
    },
    /// A union without a discriminator. Exactly one or at most one member is set.
    Group { needs_one: bool },
}

/// The members that may be set in a state of the discriminator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StateRule {
    /// No member is set.
    NoMember,
    /// Only this member may be set.
    Member { field: FieldId, optional: bool },
    /// At most one member may be set, because the discriminator follows the member.
    AtMostOne,
}

/// The rules that a union can replace, and the rules that reject more objects than the union.
pub(crate) struct RuleComparison {
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

/// The maximum number of rules without a valid expression that are listed with a union, which keeps
/// the output of an invalid CRD small.
const MAX_INVALID_RULES: usize = 16;

/// Compares each rule about the fields of a union with the union.
pub(crate) fn compare_rules(model: &Model<'_>, form: &UnionForm) -> RuleComparison {
    let mut comparison = RuleComparison {
        replaceable_rules: Vec::new(),
        remaining_rules: Vec::new(),
    };
    let set_states: Vec<(FieldId, StateSet)> = form
        .members
        .iter()
        .map(|member| (*member, states_when_set(model, *member)))
        .collect();
    // A rule that is not a valid expression may be about any field, so it remains.
    let indexed_rules = model.rules.iter().enumerate();
    let invalid_rules = indexed_rules.filter(|(index, rule)| {
        rule.unknown_reason.is_some() && model.constraints_of_rule(*index).next().is_none()
    });
    comparison.remaining_rules = invalid_rules
        .map(|(index, _)| index)
        .take(MAX_INVALID_RULES)
        .collect();
    let mut fields = form.members.clone();
    fields.extend(form.discriminator());
    let constraints = model.constraints_about(&fields).into_iter();
    let mut rules: Vec<usize> = constraints.map(|constraint| constraint.rule).collect();
    rules.dedup();
    for rule in rules {
        let is_about_union = |constraint: &&Constraint| is_about(constraint, form, model);
        let constraints = || model.constraints_of_rule(rule);
        if constraints()
            .filter(is_about_union)
            .any(|constraint| !is_implied_by_union(constraint, model, form, &set_states))
        {
            comparison.remaining_rules.push(rule);
        } else if model.rules.get(rule).is_some_and(|rule| rule.whole)
            && constraints().any(|constraint| is_about_union(&constraint))
            && constraints()
                .all(|constraint| is_about_union(&constraint) || is_tautology(constraint, model))
        {
            comparison.replaceable_rules.push(rule);
        }
    }
    comparison.remaining_rules.sort_unstable();
    comparison
}

/// Returns true if a constraint is about a field of the union.
fn is_about(constraint: &Constraint, form: &UnionForm, model: &Model<'_>) -> bool {
    match &constraint.form {
        ConstraintForm::Transition => false,
        ConstraintForm::Unknown(_) => constraint
            .named_fields
            .iter()
            .any(|field| form.has_field(*field)),
        constraint_form => {
            is_active(constraint, &model.fields)
                && constraint_form
                    .fields()
                    .iter()
                    .any(|field| form.has_field(*field))
        }
    }
}

/// Returns true if a constraint holds for every object.
fn is_tautology(constraint: &Constraint, model: &Model<'_>) -> bool {
    match &constraint.form {
        ConstraintForm::Table { full_table, .. } => {
            (0..full_table.len()).all(|row| matches!(full_table.truth(row), 0 | TRUE))
        }
        ConstraintForm::Cardinality(cardinality) => cardinality.is_trivial(&model.fields),
        ConstraintForm::Unknown(_) | ConstraintForm::Transition => false,
    }
}

/// Returns true if a constraint holds for every object that the union allows, for all states of
/// other fields.
fn is_implied_by_union(
    constraint: &Constraint,
    model: &Model<'_>,
    form: &UnionForm,
    set_states: &[(FieldId, StateSet)],
) -> bool {
    match &constraint.form {
        ConstraintForm::Table { reduced_table, .. } => {
            let rows = (0..reduced_table.len()).filter(|row| reduced_table.truth(*row) != 0);
            let mut allowed =
                rows.filter(|row| is_row_possible(reduced_table, *row, form, set_states));
            allowed.all(|row| reduced_table.truth(row) == TRUE)
        }
        ConstraintForm::Cardinality(cardinality) => {
            let mut counts = possible_counts(cardinality, model, form);
            counts.all(|count| cardinality.allowed.get(count) == Some(&true))
        }
        ConstraintForm::Unknown(_) | ConstraintForm::Transition => false,
    }
}

/// Returns true if the union allows an object whose fields have the states of a row.
fn is_row_possible(
    table: &TruthTable,
    row: usize,
    form: &UnionForm,
    set_states: &[(FieldId, StateSet)],
) -> bool {
    let states = table.states(row);
    let state = |field: FieldId| {
        let position = table.position(field)?;
        states.get(position).copied().map(usize::from)
    };
    // The members in the table, each with true if the member is set.
    let members: Vec<(FieldId, bool)> = set_states
        .iter()
        .filter_map(|(member, set_states)| Some((*member, set_states.contains(state(*member)?))))
        .collect();
    let set_member_count = members.iter().filter(|(_, is_set)| *is_set).count();
    match &form.selection {
        SelectionRule::Group { needs_one } => {
            let has_all_members = members.len() == form.members.len();
            set_member_count <= 1 && !(*needs_one && has_all_members && set_member_count == 0)
        }
        SelectionRule::Discriminated {
            discriminator,
            state_rules,
        } => {
            let allows_row = |rule: &Option<StateRule>| match rule {
                None => false,
                Some(StateRule::NoMember) => set_member_count == 0,
                Some(StateRule::AtMostOne) => set_member_count <= 1,
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
                Some(state) => state_rules.get(state).is_some_and(allows_row),
                None => state_rules.iter().any(allows_row),
            }
        }
    }
}

/// Returns the range of the numbers of counted fields that may be set in an object that the union
/// allows.
fn possible_counts(
    cardinality: &CardinalityConstraint,
    model: &Model<'_>,
    form: &UnionForm,
) -> RangeInclusive<usize> {
    let states = |field: &FieldId| model.fields.states(*field).iter();
    let is_member = |field: &&FieldId| form.members.contains(field);
    let non_members = || cardinality.fields.iter().filter(|field| !is_member(field));
    let mut min_count = non_members()
        .filter(|field| states(field).all(|state| cardinality.counts_as_set(state)))
        .count();
    let mut max_count = non_members()
        .filter(|field| states(field).any(|state| cardinality.counts_as_set(state)))
        .count();
    let members: Vec<FieldId> = cardinality
        .fields
        .iter()
        .filter(is_member)
        .copied()
        .collect();
    let (min_member_count, max_member_count) = match &form.selection {
        SelectionRule::Group { needs_one } => {
            let has_all_members = members.len() == form.members.len();
            (usize::from(*needs_one && has_all_members), 1)
        }
        SelectionRule::Discriminated { state_rules, .. } => {
            let requires_counted = |rule: &StateRule| matches!(rule, StateRule::Member { field, optional: false } if members.contains(field));
            let needs_one = state_rules.iter().flatten().all(requires_counted);
            (usize::from(needs_one), 1)
        }
    };
    // A null member may count as set in the rule, but is unset in the union.
    let null_member_count = members
        .iter()
        .filter(|field| {
            cardinality.null_is_set && states(field).any(|state| *state == FieldState::Null)
        })
        .count();
    min_count += min_member_count.min(members.len());
    max_count += (max_member_count + null_member_count).min(members.len());
    min_count..=max_count
}
