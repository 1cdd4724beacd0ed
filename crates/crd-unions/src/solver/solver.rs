//! A solver that decides whether an allowed object satisfies given assumptions.
//!
//! The solver narrows the domains of states by the rows of tables and the bounds of counts, then
//! searches. Its work is counted in steps. A query that takes too many steps is not decided, which
//! counts as "such an object may exist".

use std::cell::Cell;
use std::rc::Rc;

use crate::bounds::QUERY_STEPS;

/// A set of states of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StateSet([u64; 4]);

impl StateSet {
    pub(crate) fn from_states(states: impl IntoIterator<Item = usize>) -> Self {
        let mut mask = Self::default();
        for state in states {
            mask.add(state);
        }
        mask
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

/// A rule over fields of the component, which are given by their positions.
#[derive(Clone, Debug)]
pub(crate) enum SolverConstraint {
    /// The allowed rows, with a state for each field.
    Rows { fields: Vec<usize>, rows: Vec<u8> },
    /// The allowed counts, and the states of each field that count.
    Cardinality {
        fields: Vec<usize>,
        set: Vec<StateSet>,
        allowed: Vec<bool>,
    },
}

/// An assumption about a field, or the part of the field's domain that a check allows.
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
    /// The query would take too many steps.
    Unknown,
}

impl Satisfiability {
    /// Returns true if the object may exist.
    pub(crate) const fn is_possible(self) -> bool {
        !matches!(self, Self::Unsat)
    }
}

/// The fields and rules of a component.
pub(crate) struct Solver {
    /// The states of each field.
    domains: Vec<StateSet>,
    checks: Vec<SolverConstraint>,
    /// The positions of the checks of each field.
    of_field: Vec<Vec<usize>>,
    /// The states that the checks allow without assumptions, once they are computed. All sets are
    /// empty if no object is allowed.
    start: Option<Vec<StateSet>>,
    /// Objects that were found. Most queries are answered by one of these objects.
    found: Vec<Vec<u8>>,
    steps: u64,
    /// The number of steps that all solvers of an object schema have left.
    left: Rc<Cell<u64>>,
}

/// The maximum number of objects that are kept.
const MAX_CACHED_OBJECTS: usize = 256;

/// The objects that the search tries first.
#[derive(Clone, Copy)]
enum SearchOrder {
    /// Objects with few fields, to be shown to users.
    FewFields,
    /// Objects with many fields, because each answers many queries.
    ManyFields,
}

enum SolverStop {
    Conflict,
    OutOfSteps,
}

impl Solver {
    pub(crate) fn new(
        domains: Vec<StateSet>,
        checks: Vec<SolverConstraint>,
        left: Rc<Cell<u64>>,
    ) -> Self {
        let mut of_field = vec![Vec::new(); domains.len()];
        for (position, check) in checks.iter().enumerate() {
            let (SolverConstraint::Rows { fields, .. }
            | SolverConstraint::Cardinality { fields, .. }) = check;
            for field in fields {
                if let Some(checks) = of_field.get_mut(*field) {
                    checks.push(position);
                }
            }
        }
        Self {
            domains,
            checks,
            of_field,
            start: None,
            found: Vec::new(),
            steps: 0,
            left,
        }
    }

    /// Returns the number of steps that were taken.
    pub(crate) const fn steps(&self) -> u64 {
        self.steps
    }

    /// Decides whether an allowed object satisfies the assumptions.
    pub(crate) fn decide(&mut self, assumptions: &[DomainRestriction]) -> Satisfiability {
        let fits = |object: &Vec<u8>| {
            assumptions.iter().all(|assumption| {
                let state = object.get(assumption.field).copied();
                state.is_some_and(|state| assumption.states.contains(state.into()))
            })
        };
        if self.found.iter().any(fits) {
            return Satisfiability::Sat;
        }
        match self.solve(assumptions, SearchOrder::ManyFields) {
            Ok(object) => {
                if self.found.len() < MAX_CACHED_OBJECTS {
                    self.found.push(object);
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
        prefers: SearchOrder,
    ) -> Result<Vec<u8>, SolverStop> {
        let budget = QUERY_STEPS.min(self.left.get());
        let mut left = budget;
        let solved = self.solve_within(assumptions, prefers, &mut left);
        let taken = budget - left;
        self.steps += taken;
        self.left.set(self.left.get() - taken);
        solved
    }

    fn solve_within(
        &mut self,
        assumptions: &[DomainRestriction],
        prefers: SearchOrder,
        left: &mut u64,
    ) -> Result<Vec<u8>, SolverStop> {
        if self.start.is_none() {
            let mut domains = self.domains.clone();
            let all: Vec<usize> = (0..domains.len()).collect();
            self.start = match self.propagate(&mut domains, &all, left) {
                Ok(()) => Some(domains),
                Err(SolverStop::Conflict) => Some(vec![StateSet::default(); domains.len()]),
                Err(SolverStop::OutOfSteps) => return Err(SolverStop::OutOfSteps),
            };
        }
        let mut domains = self.start.clone().unwrap_or_default();
        if domains.iter().any(|domain| domain.is_empty()) {
            return Err(SolverStop::Conflict);
        }
        let mut changed = Vec::new();
        for DomainRestriction { field, states } in assumptions {
            if let Some(domain) = domains.get_mut(*field) {
                *domain = domain.intersection(*states);
                changed.push(*field);
            }
        }
        self.search(domains, &changed, prefers, left)
    }

    /// Searches the domains for an allowed object. The recursion is at most as deep as the number
    /// of fields.
    fn search(
        &self,
        mut domains: Vec<StateSet>,
        changed: &[usize],
        prefers: SearchOrder,
        left: &mut u64,
    ) -> Result<Vec<u8>, SolverStop> {
        let price = 1 + domains.len() as u64 / 16;
        *left = left.checked_sub(price).ok_or(SolverStop::OutOfSteps)?;
        self.propagate(&mut domains, changed, left)?;
        let open = domains
            .iter()
            .enumerate()
            .filter(|(_, domain)| domain.len() > 1);
        let Some((field, domain)) = open.min_by_key(|(_, domain)| domain.len()) else {
            let object = domains.iter().filter_map(|domain| domain.iter().next());
            return Ok(object
                .filter_map(|state| u8::try_from(state).ok())
                .collect());
        };
        let mut states: Vec<usize> = domain.iter().collect();
        if matches!(prefers, SearchOrder::ManyFields) {
            states.reverse();
        }
        for state in states {
            let mut with = domains.clone();
            if let Some(domain) = with.get_mut(field) {
                *domain = StateSet::from_states([state]);
            }
            match self.search(with, &[field], prefers, left) {
                Err(SolverStop::Conflict) => {}
                found => return found,
            }
        }
        Err(SolverStop::Conflict)
    }

    fn propagate(
        &self,
        domains: &mut [StateSet],
        changed: &[usize],
        left: &mut u64,
    ) -> Result<(), SolverStop> {
        if changed
            .iter()
            .any(|field| domain(domains, *field).is_empty())
        {
            return Err(SolverStop::Conflict);
        }
        let mut is_waiting = vec![false; self.checks.len()];
        let mut waiting: Vec<usize> = Vec::new();
        for check in changed
            .iter()
            .filter_map(|field| self.of_field.get(*field))
            .flatten()
        {
            if let Some(is_waiting) = is_waiting.get_mut(*check)
                && !*is_waiting
            {
                *is_waiting = true;
                waiting.push(*check);
            }
        }
        while let Some(position) = waiting.pop() {
            if let Some(is_waiting) = is_waiting.get_mut(position) {
                *is_waiting = false;
            }
            let Some(check) = self.checks.get(position) else {
                continue;
            };
            *left = left
                .checked_sub(price(check))
                .ok_or(SolverStop::OutOfSteps)?;
            let narrowed = match check {
                SolverConstraint::Rows { fields, rows } => narrow_by_rows(domains, fields, rows)?,
                SolverConstraint::Cardinality {
                    fields,
                    set,
                    allowed,
                } => narrow_by_count(domains, fields, set, allowed)?,
            };
            for DomainRestriction { field, states } in narrowed {
                let Some(domain) = domains.get_mut(field) else {
                    continue;
                };
                *domain = states;
                for check in self.of_field.get(field).into_iter().flatten() {
                    if let Some(is_waiting) = is_waiting.get_mut(*check)
                        && !*is_waiting
                        && *check != position
                    {
                        *is_waiting = true;
                        waiting.push(*check);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the number of steps that a revision of a check takes.
const fn price(check: &SolverConstraint) -> u64 {
    match check {
        SolverConstraint::Rows { rows, .. } => 1 + rows.len() as u64 / 1_024,
        SolverConstraint::Cardinality { fields, .. } => 1 + fields.len() as u64 / 64,
    }
}

fn domain(domains: &[StateSet], field: usize) -> StateSet {
    domains.get(field).copied().unwrap_or_default()
}

/// Returns the domains that become smaller if only states in a matching row remain.
fn narrow_by_rows(
    domains: &[StateSet],
    fields: &[usize],
    rows: &[u8],
) -> Result<Vec<DomainRestriction>, SolverStop> {
    let current: Vec<StateSet> = fields.iter().map(|field| domain(domains, *field)).collect();
    let mut support = vec![StateSet::default(); fields.len()];
    for row in rows.chunks_exact(fields.len().max(1)) {
        let mut both = row.iter().zip(&current);
        if both.all(|(state, domain)| domain.contains((*state).into())) {
            for (support, state) in support.iter_mut().zip(row) {
                support.add((*state).into());
            }
        }
    }
    if support.iter().any(|support| support.is_empty()) {
        return Err(SolverStop::Conflict);
    }
    let all = fields.iter().zip(current).zip(support);
    let narrowed = all.filter(|((_, current), support)| current != support);
    Ok(narrowed
        .map(|((field, _), states)| DomainRestriction {
            field: *field,
            states,
        })
        .collect())
}

/// Returns the domains that become smaller if only states with an allowed count remain.
fn narrow_by_count(
    domains: &[StateSet],
    fields: &[usize],
    set: &[StateSet],
    allowed: &[bool],
) -> Result<Vec<DomainRestriction>, SolverStop> {
    let both = || fields.iter().zip(set);
    let least = both().filter(|(field, set)| domain(domains, **field).is_subset(**set));
    let most =
        both().filter(|(field, set)| !domain(domains, **field).intersection(**set).is_empty());
    let (least, most) = (least.count(), most.count());
    let mut counts = (least..=most).filter(|count| allowed.get(*count) == Some(&true));
    let Some(first) = counts.next() else {
        return Err(SolverStop::Conflict);
    };
    let end = counts.next_back().unwrap_or(first);
    let mut narrowed = Vec::new();
    for (field, set) in both() {
        let current = domain(domains, *field);
        let is_open = !current.is_subset(*set) && !current.intersection(*set).is_empty();
        if !is_open {
            continue;
        }
        let states = if first == most {
            current.intersection(*set)
        } else if end == least {
            StateSet::from_states(current.iter().filter(|state| !set.contains(*state)))
        } else {
            continue;
        };
        narrowed.push(DomainRestriction {
            field: *field,
            states,
        });
    }
    Ok(narrowed)
}
