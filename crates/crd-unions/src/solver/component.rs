//! Components: sets of fields that rules connect. Each component has its own solver.

use std::cell::Cell;
use std::rc::Rc;

use crate::bounds::{COMPONENT_FIELDS, SOLVER_STEPS};
use crate::solver::model::{Constraint, ConstraintForm, Model};
use crate::solver::solver::{
    DomainRestriction, Satisfiability, Solver, SolverConstraint, StateSet,
};
use crate::solver::table::TruthTable;
use crate::terms::fields::{Field, FieldId, FieldState, Fields};
use crate::terms::value::TRUE;

/// Fields that are connected by rules.
pub(crate) struct RuleComponent {
    /// The fields, in schema order.
    pub(crate) fields: Vec<FieldId>,
    /// The positions of the constraints on the fields, in order.
    pub(crate) constraints: Vec<usize>,
    pub(crate) solver: Solver,
    /// For each field, the states in which it is set.
    set_states: Vec<StateSet>,
    /// For each field, all of its states.
    all_states: Vec<StateSet>,
}

/// An assumption about a field in a query.
#[derive(Clone, Copy)]
pub(crate) enum Assumption {
    Set,
    Unset,
    /// In the state at this position.
    InState(usize),
}

impl RuleComponent {
    /// Returns the fields of the object itself.
    pub(crate) fn own_fields(&self, model: &Model<'_>) -> Vec<FieldId> {
        let is_own = |id: &FieldId| model.fields.get(*id).is_some_and(Field::is_own);
        self.fields.iter().copied().filter(is_own).collect()
    }

    fn field_position(&self, field: FieldId) -> Option<usize> {
        self.fields.iter().position(|other| *other == field)
    }

    /// Converts assumptions about fields to restrictions of the solver's domains. Assumptions about
    /// fields of other components are omitted.
    fn restrictions(&self, assumptions: &[(FieldId, Assumption)]) -> Vec<DomainRestriction> {
        let restrictions = assumptions.iter().filter_map(|(field, assumption)| {
            let field = self.field_position(*field)?;
            let set_states = *self.set_states.get(field)?;
            let states = match assumption {
                Assumption::Set => set_states,
                Assumption::Unset => {
                    let all_states = self.all_states.get(field)?;
                    StateSet::from_states(
                        all_states
                            .iter()
                            .filter(|state| !set_states.contains(*state)),
                    )
                }
                Assumption::InState(state) => StateSet::from_states([*state]),
            };
            Some(DomainRestriction { field, states })
        });
        restrictions.collect()
    }

    /// Queries the solver for an allowed object that satisfies the assumptions.
    pub(crate) fn decide(&mut self, assumptions: &[(FieldId, Assumption)]) -> Satisfiability {
        let restrictions = self.restrictions(assumptions);
        self.solver.decide(&restrictions)
    }

    /// Returns true if an allowed object that satisfies the assumptions exists, or if the query is
    /// not decided.
    pub(crate) fn is_possible(&mut self, assumptions: &[(FieldId, Assumption)]) -> bool {
        self.decide(assumptions).is_possible()
    }

    /// Returns a small allowed object that satisfies the assumptions, as fields with the positions
    /// of their states.
    pub(crate) fn find_object(
        &mut self,
        assumptions: &[(FieldId, Assumption)],
    ) -> Option<Vec<(FieldId, usize)>> {
        let restrictions = self.restrictions(assumptions);
        let object = self.solver.find_object(&restrictions)?;
        let states = object.into_iter().map(usize::from);
        Some(self.fields.iter().copied().zip(states).collect())
    }
}

/// Returns the components of an object, in the order of their first rules. Components with more
/// than [`COMPONENT_FIELDS`] fields are omitted. `steps_left` is the number of steps that the
/// solvers may take together, in addition to the limit [`SOLVER_STEPS`].
pub(crate) fn components(model: &Model<'_>, steps_left: u64) -> Vec<RuleComponent> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    // For each field, the position of its group in `groups`.
    let mut group_of_field: Vec<Option<usize>> = vec![None; model.fields.list.len()];
    for (position, constraint) in model.constraints.iter().enumerate() {
        if !is_active(constraint, &model.fields) {
            continue;
        }
        let fields = constraint.form.fields();
        let mut connected: Vec<usize> = fields
            .iter()
            .filter_map(|field| group_of_field.get(*field).copied().flatten())
            .collect();
        connected.sort_unstable();
        connected.dedup();
        let target_group = connected.first().copied().unwrap_or_else(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        for merged_group in connected.iter().skip(1) {
            merge_groups(
                &mut groups,
                &mut group_of_field,
                *merged_group,
                target_group,
            );
        }
        for field in fields {
            if let Some(group) = group_of_field.get_mut(*field) {
                *group = Some(target_group);
            }
        }
        if let Some(group) = groups.get_mut(target_group) {
            group.push(position);
        }
    }
    join_groups_of_parents(model, &mut groups, &mut group_of_field);
    let steps_left = Rc::new(Cell::new(SOLVER_STEPS.min(steps_left)));
    let mut components = Vec::new();
    for (group_index, mut constraint_positions) in groups.into_iter().enumerate() {
        constraint_positions.sort_unstable();
        let mut fields: Vec<FieldId> = (0..group_of_field.len())
            .filter(|field| group_of_field.get(*field) == Some(&Some(group_index)))
            .collect();
        if constraint_positions.is_empty() || fields.is_empty() || fields.len() > COMPONENT_FIELDS {
            continue;
        }
        fields.sort_by_key(|field| model.fields.sort_key(*field));
        components.push(build_component(
            model,
            fields,
            constraint_positions,
            Rc::clone(&steps_left),
        ));
    }
    components.sort_by_key(|component| component.constraints.first().copied());
    components
}

/// Moves the constraints and the fields of the group `source` to the group `target`.
fn merge_groups(
    groups: &mut [Vec<usize>],
    group_of_field: &mut [Option<usize>],
    source: usize,
    target: usize,
) {
    let moved_constraints = groups
        .get_mut(source)
        .map(std::mem::take)
        .unwrap_or_default();
    if let Some(group) = groups.get_mut(target) {
        group.extend(moved_constraints);
    }
    for group in group_of_field {
        if *group == Some(source) {
            *group = Some(target);
        }
    }
}

/// Returns true if a constraint rejects any object.
pub(crate) fn is_active(constraint: &Constraint, fields: &Fields<'_>) -> bool {
    match &constraint.form {
        ConstraintForm::Table { reduced_table, .. } => {
            !reduced_table.fields.is_empty() && !reduced_table.is_trivial()
        }
        ConstraintForm::Cardinality(cardinality) => !cardinality.is_trivial(fields),
        ConstraintForm::Unknown(_) | ConstraintForm::Transition => false,
    }
}

/// Joins the group of each nested field with the group of its nearest ancestor that has a group.
fn join_groups_of_parents(
    model: &Model<'_>,
    groups: &mut [Vec<usize>],
    group_of_field: &mut [Option<usize>],
) {
    for (id, field) in model.fields.list.iter().enumerate() {
        let Some(own_group) = group_of_field.get(id).copied().flatten() else {
            continue;
        };
        let mut ancestors = field.chain.iter().rev().skip(1);
        let Some(parent_group) =
            ancestors.find_map(|ancestor| group_of_field.get(*ancestor).copied().flatten())
        else {
            continue;
        };
        if own_group == parent_group {
            continue;
        }
        merge_groups(groups, group_of_field, own_group, parent_group);
    }
}

/// Builds a component from its fields and the positions of its constraints.
fn build_component(
    model: &Model<'_>,
    fields: Vec<FieldId>,
    constraint_positions: Vec<usize>,
    steps_left: Rc<Cell<u64>>,
) -> RuleComponent {
    let states = |field: &FieldId| model.fields.states(*field);
    let all_states: Vec<StateSet> = fields
        .iter()
        .map(|field| StateSet::first_states(states(field).len()))
        .collect();
    let set_states = fields
        .iter()
        .map(|field| states_when_set(model, *field))
        .collect();
    let position = |field: &FieldId| fields.iter().position(|other| other == field);
    let mut constraints: Vec<SolverConstraint> = constraint_positions
        .iter()
        .filter_map(|constraint| model.constraints.get(*constraint))
        .filter_map(|constraint| solver_constraint(&constraint.form, &model.fields, &position))
        .collect();
    constraints.extend(parent_constraints(model, &fields));
    let solver = Solver::new(all_states.clone(), constraints, steps_left);
    RuleComponent {
        fields,
        constraints: constraint_positions,
        solver,
        set_states,
        all_states,
    }
}

/// Returns the states in which a field is set: present, and not empty if empty counts as unset.
pub(crate) fn states_when_set(model: &Model<'_>, id: FieldId) -> StateSet {
    let is_empty_unset = model.treats_empty_as_unset(id);
    let states = model.fields.states(id).iter().enumerate();
    let set_states = states.filter(|(_, state)| {
        state.is_present() && !(is_empty_unset && **state == FieldState::Empty)
    });
    StateSet::from_states(set_states.map(|(position, _)| position))
}

/// Converts a constraint for the solver. `position` returns the position of a field in its
/// component.
fn solver_constraint(
    form: &ConstraintForm,
    fields: &Fields<'_>,
    position: &impl Fn(&FieldId) -> Option<usize>,
) -> Option<SolverConstraint> {
    match form {
        ConstraintForm::Table { reduced_table, .. } => {
            allowed_rows_constraint(reduced_table, position)
        }
        ConstraintForm::Cardinality(cardinality) => {
            let set_states = cardinality.fields.iter().map(|field| {
                let states = fields.states(*field).iter().enumerate();
                let counted = states.filter(|(_, state)| cardinality.counts_as_set(state));
                StateSet::from_states(counted.map(|(position, _)| position))
            });
            Some(SolverConstraint::Cardinality {
                fields: cardinality
                    .fields
                    .iter()
                    .map(position)
                    .collect::<Option<_>>()?,
                set_states: set_states.collect(),
                allowed: cardinality.allowed.clone(),
            })
        }
        ConstraintForm::Unknown(_) | ConstraintForm::Transition => None,
    }
}

/// Converts a table to the rows that the rule accepts or may accept.
fn allowed_rows_constraint(
    table: &TruthTable,
    position: &impl Fn(&FieldId) -> Option<usize>,
) -> Option<SolverConstraint> {
    let allowed_rows = (0..table.len()).filter(|row| table.truth(*row) & TRUE != 0);
    Some(SolverConstraint::Rows {
        fields: table.fields.iter().map(position).collect::<Option<_>>()?,
        rows: allowed_rows.flat_map(|row| table.states(row)).collect(),
    })
}

/// Returns the constraints between nested fields and their parents. A nested field is present only
/// if its parent is present. If the parent requires the field, both are present or absent together.
fn parent_constraints(model: &Model<'_>, fields: &[FieldId]) -> Vec<SolverConstraint> {
    let mut constraints = Vec::new();
    for (position, id) in fields.iter().enumerate() {
        let Some(field) = model.fields.get(*id) else {
            continue;
        };
        let mut ancestors = field.chain.iter().rev().enumerate().skip(1);
        let nearest_ancestor = ancestors.find_map(|(distance, ancestor)| {
            let parent = fields.iter().position(|other| other == ancestor)?;
            Some((distance, parent))
        });
        let Some((distance, parent)) = nearest_ancestor else {
            continue;
        };
        let is_required = distance == 1 && !field.is_optional();
        let parent_states = fields
            .get(parent)
            .map_or(&[][..], |id| model.fields.states(*id));
        let mut rows = Vec::new();
        for (parent_index, parent_state) in parent_states.iter().enumerate() {
            for (state_index, state) in field.states.iter().enumerate() {
                let is_consistent = if parent_state.is_present() {
                    !is_required || *state != FieldState::Absent
                } else {
                    *state == FieldState::Absent
                };
                if is_consistent {
                    let row = [parent_index, state_index]
                        .map(|state| u8::try_from(state).unwrap_or_default());
                    rows.extend(row);
                }
            }
        }
        constraints.push(SolverConstraint::Rows {
            fields: vec![parent, position],
            rows,
        });
    }
    constraints
}
