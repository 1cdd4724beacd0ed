//! A solver that decides whether an allowed object satisfies given assumptions.
//!
//! The solver narrows the domains of states by the rows of tables and the bounds of counts, then
//! searches. Its work is counted in steps. A query that takes too many steps is not decided, which
//! counts as "such an object may exist".

use std::cell::Cell;
use std::rc::Rc;

use crate::bounds::QUESTION_STEPS;

/// A set of states of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mask([u64; 4]);

impl Mask {
    pub(crate) fn of(states: impl IntoIterator<Item = usize>) -> Self {
        let mut mask = Self::default();
        for state in states {
            mask.add(state);
        }
        mask
    }

    pub(crate) fn first(count: usize) -> Self {
        Self::of(0..count)
    }

    fn add(&mut self, state: usize) {
        if let Some(word) = self.0.get_mut(state / 64) {
            *word |= 1 << (state % 64);
        }
    }

    pub(crate) fn has(&self, state: usize) -> bool {
        let word = self.0.get(state / 64).copied().unwrap_or_default();
        word >> (state % 64) & 1 == 1
    }

    pub(crate) const fn and(self, other: Self) -> Self {
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

    const fn is_within(self, other: Self) -> bool {
        self.and(other).len() == self.len()
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..256).filter(move |state| self.has(*state))
    }
}

/// A rule over fields of the component, which are given by their positions.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// The allowed rows, with a state for each field.
    Rows { fields: Vec<usize>, rows: Vec<u8> },
    /// The allowed counts, and the states of each field that count.
    Count {
        fields: Vec<usize>,
        set: Vec<Mask>,
        allowed: Vec<bool>,
    },
}

/// An assumption about a field, or the part of the field's domain that a check allows.
#[derive(Clone, Copy)]
pub(crate) struct Assumption {
    pub(crate) field: usize,
    /// The states that the field may have.
    pub(crate) states: Mask,
}

/// The result of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    /// The query would take too many steps.
    Open,
}

impl Answer {
    /// Returns true if the object may exist.
    pub(crate) const fn may_be(self) -> bool {
        !matches!(self, Self::No)
    }
}

/// The fields and rules of a component.
pub(crate) struct Solver {
    /// The states of each field.
    domains: Vec<Mask>,
    checks: Vec<Check>,
    /// The positions of the checks of each field.
    of_field: Vec<Vec<usize>>,
    /// The states that the checks allow without assumptions, once they are computed. All sets are
    /// empty if no object is allowed.
    start: Option<Vec<Mask>>,
    /// Objects that were found. Most queries are answered by one of these objects.
    found: Vec<Vec<u8>>,
    steps: u64,
    /// The number of steps that all solvers of an object schema have left.
    left: Rc<Cell<u64>>,
}

/// The maximum number of objects that are kept.
const KEPT: usize = 256;

/// The objects that the search tries first.
#[derive(Clone, Copy)]
enum Prefers {
    /// Objects with few fields, to be shown to users.
    Little,
    /// Objects with many fields, because each answers many queries.
    Much,
}

enum Stop {
    Conflict,
    OutOfSteps,
}

impl Solver {
    pub(crate) fn new(domains: Vec<Mask>, checks: Vec<Check>, left: Rc<Cell<u64>>) -> Self {
        let mut of_field = vec![Vec::new(); domains.len()];
        for (position, check) in checks.iter().enumerate() {
            let (Check::Rows { fields, .. } | Check::Count { fields, .. }) = check;
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
    pub(crate) fn ask(&mut self, assumptions: &[Assumption]) -> Answer {
        let fits = |object: &Vec<u8>| {
            assumptions.iter().all(|assumption| {
                let state = object.get(assumption.field).copied();
                state.is_some_and(|state| assumption.states.has(state.into()))
            })
        };
        if self.found.iter().any(fits) {
            return Answer::Yes;
        }
        match self.solve(assumptions, Prefers::Much) {
            Ok(object) => {
                if self.found.len() < KEPT {
                    self.found.push(object);
                }
                Answer::Yes
            }
            Err(Stop::Conflict) => Answer::No,
            Err(Stop::OutOfSteps) => Answer::Open,
        }
    }

    /// Returns a small allowed object that satisfies the assumptions, as a state for each field.
    pub(crate) fn object(&mut self, assumptions: &[Assumption]) -> Option<Vec<u8>> {
        self.solve(assumptions, Prefers::Little).ok()
    }

    fn solve(&mut self, assumptions: &[Assumption], prefers: Prefers) -> Result<Vec<u8>, Stop> {
        let budget = QUESTION_STEPS.min(self.left.get());
        let mut left = budget;
        let solved = self.solve_within(assumptions, prefers, &mut left);
        let taken = budget - left;
        self.steps += taken;
        self.left.set(self.left.get() - taken);
        solved
    }

    fn solve_within(
        &mut self,
        assumptions: &[Assumption],
        prefers: Prefers,
        left: &mut u64,
    ) -> Result<Vec<u8>, Stop> {
        if self.start.is_none() {
            let mut domains = self.domains.clone();
            let all: Vec<usize> = (0..domains.len()).collect();
            self.start = match self.propagate(&mut domains, &all, left) {
                Ok(()) => Some(domains),
                Err(Stop::Conflict) => Some(vec![Mask::default(); domains.len()]),
                Err(Stop::OutOfSteps) => return Err(Stop::OutOfSteps),
            };
        }
        let mut domains = self.start.clone().unwrap_or_default();
        if domains.iter().any(|domain| domain.is_empty()) {
            return Err(Stop::Conflict);
        }
        let mut changed = Vec::new();
        for Assumption { field, states } in assumptions {
            if let Some(domain) = domains.get_mut(*field) {
                *domain = domain.and(*states);
                changed.push(*field);
            }
        }
        self.search(domains, &changed, prefers, left)
    }

    /// Searches the domains for an allowed object. The recursion is at most as deep as the number
    /// of fields.
    fn search(
        &self,
        mut domains: Vec<Mask>,
        changed: &[usize],
        prefers: Prefers,
        left: &mut u64,
    ) -> Result<Vec<u8>, Stop> {
        let price = 1 + domains.len() as u64 / 16;
        *left = left.checked_sub(price).ok_or(Stop::OutOfSteps)?;
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
        if matches!(prefers, Prefers::Much) {
            states.reverse();
        }
        for state in states {
            let mut with = domains.clone();
            if let Some(domain) = with.get_mut(field) {
                *domain = Mask::of([state]);
            }
            match self.search(with, &[field], prefers, left) {
                Err(Stop::Conflict) => {}
                found => return found,
            }
        }
        Err(Stop::Conflict)
    }

    fn propagate(
        &self,
        domains: &mut [Mask],
        changed: &[usize],
        left: &mut u64,
    ) -> Result<(), Stop> {
        if changed
            .iter()
            .any(|field| domain(domains, *field).is_empty())
        {
            return Err(Stop::Conflict);
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
            *left = left.checked_sub(price(check)).ok_or(Stop::OutOfSteps)?;
            let narrowed = match check {
                Check::Rows { fields, rows } => supported(domains, fields, rows)?,
                Check::Count {
                    fields,
                    set,
                    allowed,
                } => counted(domains, fields, set, allowed)?,
            };
            for Assumption { field, states } in narrowed {
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
const fn price(check: &Check) -> u64 {
    match check {
        Check::Rows { rows, .. } => 1 + rows.len() as u64 / 1_024,
        Check::Count { fields, .. } => 1 + fields.len() as u64 / 64,
    }
}

fn domain(domains: &[Mask], field: usize) -> Mask {
    domains.get(field).copied().unwrap_or_default()
}

/// Returns the domains that become smaller if only states in a matching row remain.
fn supported(domains: &[Mask], fields: &[usize], rows: &[u8]) -> Result<Vec<Assumption>, Stop> {
    let current: Vec<Mask> = fields.iter().map(|field| domain(domains, *field)).collect();
    let mut support = vec![Mask::default(); fields.len()];
    for row in rows.chunks_exact(fields.len().max(1)) {
        let mut both = row.iter().zip(&current);
        if both.all(|(state, domain)| domain.has((*state).into())) {
            for (support, state) in support.iter_mut().zip(row) {
                support.add((*state).into());
            }
        }
    }
    if support.iter().any(|support| support.is_empty()) {
        return Err(Stop::Conflict);
    }
    let all = fields.iter().zip(current).zip(support);
    let narrowed = all.filter(|((_, current), support)| current != support);
    Ok(narrowed
        .map(|((field, _), states)| Assumption {
            field: *field,
            states,
        })
        .collect())
}

/// Returns the domains that become smaller if only states with an allowed count remain.
fn counted(
    domains: &[Mask],
    fields: &[usize],
    set: &[Mask],
    allowed: &[bool],
) -> Result<Vec<Assumption>, Stop> {
    let both = || fields.iter().zip(set);
    let least = both().filter(|(field, set)| domain(domains, **field).is_within(**set));
    let most = both().filter(|(field, set)| !domain(domains, **field).and(**set).is_empty());
    let (least, most) = (least.count(), most.count());
    let mut counts = (least..=most).filter(|count| allowed.get(*count) == Some(&true));
    let Some(first) = counts.next() else {
        return Err(Stop::Conflict);
    };
    let end = counts.next_back().unwrap_or(first);
    let mut narrowed = Vec::new();
    for (field, set) in both() {
        let current = domain(domains, *field);
        let is_open = !current.is_within(*set) && !current.and(*set).is_empty();
        if !is_open {
            continue;
        }
        let states = if first == most {
            current.and(*set)
        } else if end == least {
            Mask::of(current.iter().filter(|state| !set.has(*state)))
        } else {
            continue;
        };
        narrowed.push(Assumption {
            field: *field,
            states,
        });
    }
    Ok(narrowed)
}
