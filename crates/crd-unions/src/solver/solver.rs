//! A bounded constraint solver: finds an allowed object that satisfies given assumptions.
//!
//! Each field has a domain of states. A constraint is a table of allowed rows, or a set of allowed
//! counts. `propagate` removes states that no constraint supports; `search` then branches on the
//! field with the fewest states. Work is counted in steps. A query that exceeds its steps returns
//! [`Satisfiability::Unknown`], which callers treat as "such an object may exist".

use std::cell::Cell;
use std::rc::Rc;

use crate::bounds::QUERY_STEPS;

/// A set of states of a field, as a mask of 256 bits. A field has at most
/// [`FIELD_STATES`](crate::bounds::FIELD_STATES) states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StateSet([u64; 4]);

impl StateSet {
    pub(crate) fn from_states(states: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::default();
        for state in states {
            set.add(state);
        }
        set
    }

    pub(crate) fn first_states(count: usize) -> Self {
        Self::from_states(0..count)
    }

    fn add(&mut self, state: usize) {
        if let Some(word) = self.0.get_mut(state / 64) {
            *word |= 1 << (state % 64);
        }
    }

    pub(crate) fn contains(&self, state: usize) -> bool {
        let word = self.0.get(state / 64).copied().unwrap_or_default();
        word >> (state % 64) & 1 == 1
    }

    pub(crate) const fn intersection(self, other: Self) -> Self {
        let [one, two, three, four] = self.0;
        let [first, second, third, fourth] = other.0;
        Self([one & first, two & second, three & third, four & fourth])
    }

    const fn is_empty(self) -> bool {
        self.len() == 0
    }

    const fn len(self) -> u32 {
        let [one, two, three, four] = self.0;
        one.count_ones() + two.count_ones() + three.count_ones() + four.count_ones()
    }

    const fn is_subset(self, other: Self) -> bool {
        self.intersection(other).len() == self.len()
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..256).filter(move |state| self.contains(*state))
    }
}

/// A constraint on fields of the component. Fields are given by their positions.
#[derive(Clone, Debug)]
pub(crate) enum SolverConstraint {
    /// The allowed rows, concatenated. A row has one state for each field.
    Rows { fields: Vec<usize>, rows: Vec<u8> },
    /// The allowed numbers of set fields, and for each field the states that count as set.
    Cardinality {
        fields: Vec<usize>,
        set_states: Vec<StateSet>,
        allowed: Vec<bool>,
    },
}

/// A restriction of the domain of a field, by an assumption or by a constraint.
#[derive(Clone, Copy)]
pub(crate) struct DomainRestriction {
    pub(crate) field: usize,
    /// The states that the field may have.
    pub(crate) states: StateSet,
}

/// The result of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Satisfiability {
    Sat,
    Unsat,
    /// The query exceeded its steps.
    Unknown,
}

impl Satisfiability {
    /// Returns true if such an object may exist.
    pub(crate) const fn is_possible(self) -> bool {
        !matches!(self, Self::Unsat)
    }
}

/// The fields and rules of a component.
pub(crate) struct Solver {
    /// The states of each field.
    domains: Vec<StateSet>,
    constraints: Vec<SolverConstraint>,
    /// The positions of the constraints of each field.
    constraints_of_field: Vec<Vec<usize>>,
    /// The domains after propagation without assumptions, computed by the first query. All domains
    /// are empty if no object is allowed.
    initial_domains: Option<Vec<StateSet>>,
    /// The objects of earlier queries. They answer most queries without a search.
    known_objects: Vec<Vec<u8>>,
    /// The number of steps that this solver has taken.
    steps: u64,
    /// The remaining steps of all solvers of an object schema together.
    steps_left: Rc<Cell<u64>>,
}

/// The maximum number of objects in [`Solver::known_objects`], because each query looks at all of
/// them.
const MAX_CACHED_OBJECTS: usize = 256;

/// The order in which the search tries the states of a field.
#[derive(Clone, Copy)]
enum SearchOrder {
    /// Absent first, so that the object has few fields. Users see these objects.
    FewFields,
    /// Absent last, so that the object has many fields and answers many later queries.
    ManyFields,
}

/// The reason why the solver found no object.
enum SolverStop {
    /// No allowed object satisfies the assumptions.
    Conflict,
    /// The query exceeded its steps.
    OutOfSteps,
}

impl Solver {
    pub(crate) fn new(
        domains: Vec<StateSet>,
        constraints: Vec<SolverConstraint>,
        steps_left: Rc<Cell<u64>>,
    ) -> Self {
        let mut constraints_of_field = vec![Vec::new(); domains.len()];
        for (position, constraint) in constraints.iter().enumerate() {
            let (SolverConstraint::Rows { fields, .. }
            | SolverConstraint::Cardinality { fields, .. }) = constraint;
            for field in fields {
                if let Some(constraints) = constraints_of_field.get_mut(*field) {
                    constraints.push(position);
                }
            }
        }
        Self {
            domains,
            constraints,
            constraints_of_field,
            initial_domains: None,
            known_objects: Vec::new(),
            steps: 0,
            steps_left,
        }
    }

    /// Returns the number of steps that were taken.
    pub(crate) const fn steps(&self) -> u64 {
        self.steps
    }

    /// Searches for an allowed object that satisfies the assumptions.
    pub(crate) fn decide(&mut self, assumptions: &[DomainRestriction]) -> Satisfiability {
        let satisfies_all = |object: &Vec<u8>| {
            assumptions.iter().all(|assumption| {
                let state = object.get(assumption.field).copied();
                state.is_some_and(|state| assumption.states.contains(state.into()))
            })
        };
        if self.known_objects.iter().any(satisfies_all) {
            return Satisfiability::Sat;
        }
        match self.solve(assumptions, SearchOrder::ManyFields) {
            Ok(object) => {
                if self.known_objects.len() < MAX_CACHED_OBJECTS {
                    self.known_objects.push(object);
                }
                Satisfiability::Sat
            }
            Err(SolverStop::Conflict) => Satisfiability::Unsat,
            Err(SolverStop::OutOfSteps) => Satisfiability::Unknown,
        }
    }

    /// Returns a small allowed object that satisfies the assumptions, as a state for each field.
    pub(crate) fn find_object(&mut self, assumptions: &[DomainRestriction]) -> Option<Vec<u8>> {
        self.solve(assumptions, SearchOrder::FewFields).ok()
    }

    fn solve(
        &mut self,
        assumptions: &[DomainRestriction],
        order: SearchOrder,
    ) -> Result<Vec<u8>, SolverStop> {
        let budget = QUERY_STEPS.min(self.steps_left.get());
        let mut steps_left = budget;
        let result = self.solve_within(assumptions, order, &mut steps_left);
        let steps_taken = budget - steps_left;
        self.steps += steps_taken;
        self.steps_left.set(self.steps_left.get() - steps_taken);
        result
    }

    /// Searches for an object, and subtracts the steps that were taken from `steps_left`.
    fn solve_within(
        &mut self,
        assumptions: &[DomainRestriction],
        order: SearchOrder,
        steps_left: &mut u64,
    ) -> Result<Vec<u8>, SolverStop> {
        if self.initial_domains.is_none() {
            let mut domains = self.domains.clone();
            let all_fields: Vec<usize> = (0..domains.len()).collect();
            self.initial_domains = match self.propagate(&mut domains, &all_fields, steps_left) {
                Ok(()) => Some(domains),
                Err(SolverStop::Conflict) => Some(vec![StateSet::default(); domains.len()]),
                Err(SolverStop::OutOfSteps) => return Err(SolverStop::OutOfSteps),
            };
        }
        let mut domains = self.initial_domains.clone().unwrap_or_default();
        if domains.iter().any(|domain| domain.is_empty()) {
            return Err(SolverStop::Conflict);
        }
        let mut changed_fields = Vec::new();
        for DomainRestriction { field, states } in assumptions {
            if let Some(domain) = domains.get_mut(*field) {
                *domain = domain.intersection(*states);
                changed_fields.push(*field);
            }
        }
        self.search(domains, &changed_fields, order, steps_left)
    }

    /// Searches the domains for an allowed object. The recursion is at most as deep as the number
    /// of fields.
    fn search(
        &self,
        mut domains: Vec<StateSet>,
        changed_fields: &[usize],
        order: SearchOrder,
        steps_left: &mut u64,
    ) -> Result<Vec<u8>, SolverStop> {
        // Each branch copies all domains, so a component with many fields costs more steps.
        let cost = 1 + domains.len() as u64 / 16;
        *steps_left = steps_left.checked_sub(cost).ok_or(SolverStop::OutOfSteps)?;
        self.propagate(&mut domains, changed_fields, steps_left)?;
        let undecided_fields = domains
            .iter()
            .enumerate()
            .filter(|(_, domain)| domain.len() > 1);
        let Some((field, domain)) = undecided_fields.min_by_key(|(_, domain)| domain.len()) else {
            let object = domains.iter().filter_map(|domain| domain.iter().next());
            return Ok(object
                .filter_map(|state| u8::try_from(state).ok())
                .collect());
        };
        let mut states: Vec<usize> = domain.iter().collect();
        if matches!(order, SearchOrder::ManyFields) {
            states.reverse();
        }
        for state in states {
            let mut branch_domains = domains.clone();
            if let Some(domain) = branch_domains.get_mut(field) {
                *domain = StateSet::from_states([state]);
            }
            match self.search(branch_domains, &[field], order, steps_left) {
                Err(SolverStop::Conflict) => {}
                result => return result,
            }
        }
        Err(SolverStop::Conflict)
    }

    /// Removes unsupported states from the domains, starting with the constraints of the changed
    /// fields. Fails if a domain becomes empty.
    fn propagate(
        &self,
        domains: &mut [StateSet],
        changed_fields: &[usize],
        steps_left: &mut u64,
    ) -> Result<(), SolverStop> {
        if changed_fields
            .iter()
            .any(|field| domain(domains, *field).is_empty())
        {
            return Err(SolverStop::Conflict);
        }
        let mut is_queued = vec![false; self.constraints.len()];
        let mut queue: Vec<usize> = Vec::new();
        for constraint in changed_fields
            .iter()
            .filter_map(|field| self.constraints_of_field.get(*field))
            .flatten()
        {
            if let Some(is_queued) = is_queued.get_mut(*constraint)
                && !*is_queued
            {
                *is_queued = true;
                queue.push(*constraint);
            }
        }
        while let Some(position) = queue.pop() {
            if let Some(is_queued) = is_queued.get_mut(position) {
                *is_queued = false;
            }
            let Some(constraint) = self.constraints.get(position) else {
                continue;
            };
            *steps_left = steps_left
                .checked_sub(propagation_cost(constraint))
                .ok_or(SolverStop::OutOfSteps)?;
            let narrowed_domains = match constraint {
                SolverConstraint::Rows { fields, rows } => narrow_by_rows(domains, fields, rows)?,
                SolverConstraint::Cardinality {
                    fields,
                    set_states,
                    allowed,
                } => narrow_by_count(domains, fields, set_states, allowed)?,
            };
            for DomainRestriction { field, states } in narrowed_domains {
                let Some(domain) = domains.get_mut(field) else {
                    continue;
                };
                *domain = states;
                for constraint in self.constraints_of_field.get(field).into_iter().flatten() {
                    if let Some(is_queued) = is_queued.get_mut(*constraint)
                        && !*is_queued
                        && *constraint != position
                    {
                        *is_queued = true;
                        queue.push(*constraint);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the number of steps that one propagation of a constraint costs. Large constraints cost
/// more, so that the work of a step is bounded.
const fn propagation_cost(constraint: &SolverConstraint) -> u64 {
    match constraint {
        SolverConstraint::Rows { rows, .. } => 1 + rows.len() as u64 / 1_024,
        SolverConstraint::Cardinality { fields, .. } => 1 + fields.len() as u64 / 64,
    }
}

fn domain(domains: &[StateSet], field: usize) -> StateSet {
    domains.get(field).copied().unwrap_or_default()
}

/// Returns the domains that shrink if only the states of rows within the domains remain.
fn narrow_by_rows(
    domains: &[StateSet],
    fields: &[usize],
    rows: &[u8],
) -> Result<Vec<DomainRestriction>, SolverStop> {
    let old_domains: Vec<StateSet> = fields.iter().map(|field| domain(domains, *field)).collect();
    let mut supported_states = vec![StateSet::default(); fields.len()];
    for row in rows.chunks_exact(fields.len().max(1)) {
        let mut states_and_domains = row.iter().zip(&old_domains);
        if states_and_domains.all(|(state, domain)| domain.contains((*state).into())) {
            for (supported, state) in supported_states.iter_mut().zip(row) {
                supported.add((*state).into());
            }
        }
    }
    if supported_states.iter().any(|states| states.is_empty()) {
        return Err(SolverStop::Conflict);
    }
    let domains_and_support = fields.iter().zip(old_domains).zip(supported_states);
    let narrowed_domains =
        domains_and_support.filter(|((_, old_domain), supported)| old_domain != supported);
    Ok(narrowed_domains
        .map(|((field, _), states)| DomainRestriction {
            field: *field,
            states,
        })
        .collect())
}

/// Returns the domains that shrink if only states that lead to an allowed count remain.
fn narrow_by_count(
    domains: &[StateSet],
    fields: &[usize],
    set_states: &[StateSet],
    allowed: &[bool],
) -> Result<Vec<DomainRestriction>, SolverStop> {
    let fields_and_set_states = || fields.iter().zip(set_states);
    let certainly_set = fields_and_set_states()
        .filter(|(field, set_states)| domain(domains, **field).is_subset(**set_states));
    let possibly_set = fields_and_set_states().filter(|(field, set_states)| {
        !domain(domains, **field)
            .intersection(**set_states)
            .is_empty()
    });
    let (min_count, max_count) = (certainly_set.count(), possibly_set.count());
    let mut counts = (min_count..=max_count).filter(|count| allowed.get(*count) == Some(&true));
    let Some(first_allowed) = counts.next() else {
        return Err(SolverStop::Conflict);
    };
    let last_allowed = counts.next_back().unwrap_or(first_allowed);
    let mut narrowed_domains = Vec::new();
    for (field, set_states) in fields_and_set_states() {
        let field_domain = domain(domains, *field);
        let is_undecided = !field_domain.is_subset(*set_states)
            && !field_domain.intersection(*set_states).is_empty();
        if !is_undecided {
            continue;
        }
        let states = if first_allowed == max_count {
            field_domain.intersection(*set_states)
        } else if last_allowed == min_count {
            StateSet::from_states(
                field_domain
                    .iter()
                    .filter(|state| !set_states.contains(*state)),
            )
        } else {
            continue;
        };
        narrowed_domains.push(DomainRestriction {
            field: *field,
            states,
        });
    }
    Ok(narrowed_domains)
}
