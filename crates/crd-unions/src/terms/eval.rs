//! Evaluation of a term, with each field in one state.

use std::cell::Cell;

use crate::terms::fields::{FieldId, Fields, Kind, State};
use crate::terms::term::{Comparison, Fold, Term, TextTest, Way};
use crate::terms::value::{
    self, ERROR, FALSE, Outcomes, TRUE, Texts, Truth, Val, and, equal, less, not, or,
};

/// An evaluator of terms. All evaluations for an object schema share one budget of steps.
pub(crate) struct Evaluator<'f, 's> {
    fields: &'f Fields<'s>,
    left: Cell<u64>,
}

/// The states of the fields, as positions.
pub(crate) type Row = [u8];

const UNKNOWN: Truth = TRUE | FALSE | ERROR;

impl Texts for Fields<'_> {
    fn excludes(&self, field: FieldId, text: &str) -> bool {
        let Some(field) = self.get(field) else {
            return false;
        };
        // With an enum, `State::Another` is a future value, which no rule names.
        field.values.is_some()
            || field
                .states
                .iter()
                .any(|state| matches!(state, State::Text(other) if other == text))
    }
}

impl<'f, 's> Evaluator<'f, 's> {
    pub(crate) const fn new(fields: &'f Fields<'s>, steps: u64) -> Self {
        Self {
            fields,
            left: Cell::new(steps),
        }
    }

    /// Returns the number of steps that are left.
    pub(crate) const fn left(&self) -> u64 {
        self.left.get()
    }

    /// Returns the possible outcomes of a term.
    pub(crate) fn truth(&self, term: &Term, row: &Row) -> Truth {
        self.truth_with(term, row, &mut Vec::new())
    }

    fn step(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    fn state(&self, field: FieldId, row: &Row) -> Option<&State> {
        let at = row.get(field).copied().map(usize::from)?;
        self.fields.states(field).get(at)
    }

    fn is_there(&self, field: FieldId, row: &Row) -> bool {
        self.state(field, row).is_some_and(State::is_there)
    }

    /// Returns the possible outcomes of a term. The recursion is as deep as the CEL tree or the
    /// schema keywords.
    fn truth_with(&self, term: &Term, row: &Row, locals: &mut Vec<Outcomes>) -> Truth {
        if !self.step() {
            return UNKNOWN;
        }
        match term {
            Term::Unknown => UNKNOWN,
            Term::Maybe => TRUE | FALSE,
            Term::Has(way) => self.has(*way, row),
            Term::Present(field) => match self.state(*field, row) {
                Some(State::Absent) | None => FALSE,
                Some(_) => TRUE,
            },
            Term::Not(inner) => not(self.truth_with(inner, row, locals)),
            Term::And(both) => {
                let [left, right] = &**both;
                let left = self.truth_with(left, row, locals);
                if left == FALSE {
                    return FALSE;
                }
                and(left, self.truth_with(right, row, locals))
            }
            Term::Or(both) => {
                let [left, right] = &**both;
                let left = self.truth_with(left, row, locals);
                if left == TRUE {
                    return TRUE;
                }
                or(left, self.truth_with(right, row, locals))
            }
            Term::If(three) => self.chosen(three, row, locals),
            Term::Compare(comparison, both) => self.compare(*comparison, both, row, locals),
            Term::In(both) => self.contains(both, row, locals),
            Term::Text(test, both) => self.text_test(*test, both, row, locals),
            Term::NotStrictlyFalse(inner) => {
                let truth = self.truth_with(inner, row, locals);
                let is_true = if truth & (TRUE | ERROR) == 0 { 0 } else { TRUE };
                is_true | truth & FALSE
            }
            Term::All(terms) => terms.iter().fold(TRUE, |all, term| {
                if all == FALSE {
                    return all;
                }
                and(all, self.truth_with(term, row, locals))
            }),
            Term::OneOf(terms) => self.one_of(terms, row, locals),
            Term::HasValue(inner) => self.has_value(inner, row, locals),
            _ => self.value(term, row, locals).truth(),
        }
    }

    fn chosen(&self, three: &[Term; 3], row: &Row, locals: &mut Vec<Outcomes>) -> Truth {
        let [condition, yes, no] = three;
        let condition = self.truth_with(condition, row, locals);
        let mut truth = condition & ERROR;
        if condition & TRUE != 0 {
            truth |= self.truth_with(yes, row, locals);
        }
        if condition & FALSE != 0 {
            truth |= self.truth_with(no, row, locals);
        }
        truth
    }

    fn has_value(&self, optional: &Term, row: &Row, locals: &mut Vec<Outcomes>) -> Truth {
        let outcomes = self.value(optional, row, locals);
        let values = outcomes.values.iter().map(|value| match value {
            Val::Nothing => FALSE,
            Val::Some(_) => TRUE,
            _ => TRUE | FALSE,
        });
        let start = if outcomes.error { ERROR } else { 0 };
        values.fold(start, |all, one| all | one)
    }

    /// Returns the outcome of `has(a.b)`, which is an error if `a` is absent.
    fn has(&self, way: Way, row: &Row) -> Truth {
        let Some(field) = self.fields.get(way.field) else {
            return UNKNOWN;
        };
        for (at, above) in field.chain.iter().enumerate() {
            if !self.is_there(*above, row) {
                let is_last = at + 1 == field.chain.len();
                let is_optional = way.optional_from.is_some_and(|from| from <= at);
                return if is_last || is_optional { FALSE } else { ERROR };
            }
        }
        TRUE
    }

    fn one_of(&self, terms: &[Term], row: &Row, locals: &mut Vec<Outcomes>) -> Truth {
        let (mut least, mut most) = (0, 0);
        for term in terms {
            let truth = self.truth_with(term, row, locals);
            least += usize::from(truth == TRUE);
            most += usize::from(truth & TRUE != 0);
        }
        match (least, most) {
            (1, 1) => TRUE,
            (2.., _) | (_, 0) => FALSE,
            _ => TRUE | FALSE,
        }
    }

    fn compare(
        &self,
        comparison: Comparison,
        both: &[Term; 2],
        row: &Row,
        locals: &mut Vec<Outcomes>,
    ) -> Truth {
        self.pairs(both, row, locals, |left, right| match comparison {
            Comparison::Equal => equal(left, right, self.fields),
            Comparison::NotEqual => not(equal(left, right, self.fields)),
            Comparison::Less => less(left, right),
            Comparison::Greater => less(right, left),
            Comparison::LessEqual => not(less(right, left)),
            Comparison::GreaterEqual => not(less(left, right)),
        })
    }

    fn contains(&self, both: &[Term; 2], row: &Row, locals: &mut Vec<Outcomes>) -> Truth {
        self.pairs(both, row, locals, |item, list| match list {
            Val::List(list) => list.iter().fold(FALSE, |any, other| {
                let others = other.values.iter();
                let found = others.map(|other| equal(item, other, self.fields));
                let start = if other.error { ERROR } else { 0 };
                or(any, found.fold(start, |all, one| all | one))
            }),
            Val::Sized(_, 0) => FALSE,
            _ => TRUE | FALSE,
        })
    }

    fn text_test(
        &self,
        asked: TextTest,
        both: &[Term; 2],
        row: &Row,
        locals: &mut Vec<Outcomes>,
    ) -> Truth {
        self.pairs(both, row, locals, |text, part| {
            let (Val::Text(text), Val::Text(part)) = (text, part) else {
                return TRUE | FALSE;
            };
            let holds = match asked {
                TextTest::StartsWith => text.starts_with(&**part),
                TextTest::EndsWith => text.ends_with(&**part),
                TextTest::Contains => text.contains(&**part),
                TextTest::Matches => return TRUE | FALSE,
            };
            if holds { TRUE } else { FALSE }
        })
    }

    /// Returns the possible outcomes of a function of two values, for all their possible values.
    fn pairs(
        &self,
        both: &[Term; 2],
        row: &Row,
        locals: &mut Vec<Outcomes>,
        function: impl Fn(&Val, &Val) -> Truth,
    ) -> Truth {
        let left = self.value(&both[0], row, locals);
        let right = self.value(&both[1], row, locals);
        let mut truth = if left.error || right.error { ERROR } else { 0 };
        for left in &left.values {
            for right in &right.values {
                truth |= function(left, right);
            }
        }
        truth
    }

    fn value(&self, term: &Term, row: &Row, locals: &mut Vec<Outcomes>) -> Outcomes {
        if !self.step() {
            return Outcomes::unknown();
        }
        match term {
            Term::Const(value) => Outcomes::one(value.clone()),
            Term::Read(way) => self.read(*way, row),
            Term::Raw(field) => match self.state(*field, row) {
                Some(State::Null) => Outcomes::one(Val::Null),
                Some(state) if state.is_there() => Outcomes::one(self.value_of(*field, state)),
                _ => Outcomes::unknown(),
            },
            Term::OrValue(both) => self.or_value(both, row, locals),
            Term::If(three) => self.chosen_value(three, row, locals),
            Term::Add(both) => self.sum(both, row, locals),
            Term::Index(both) => self.index(both, row, locals),
            Term::Size(inner) => self.size(inner, row, locals),
            Term::List(terms) => self.list(terms, row, locals),
            Term::Map(terms) => self.map(terms, row, locals),
            Term::Local(number) => locals
                .get(*number)
                .cloned()
                .unwrap_or_else(Outcomes::unknown),
            Term::Fold(fold) => self.fold(fold, row, locals),
            _ => Outcomes::of_truth(self.truth_with(term, row, locals)),
        }
    }

    fn or_value(&self, both: &[Term; 2], row: &Row, locals: &mut Vec<Outcomes>) -> Outcomes {
        let [optional, otherwise] = both;
        let first = self.value(optional, row, locals);
        let mut outcomes = Outcomes::of_error(first.error);
        for value in first.values {
            match value {
                Val::Some(value) => outcomes.add(*value),
                Val::Nothing => outcomes.add_all(self.value(otherwise, row, locals)),
                _ => outcomes.add(Val::Any),
            }
        }
        outcomes
    }

    fn chosen_value(&self, three: &[Term; 3], row: &Row, locals: &mut Vec<Outcomes>) -> Outcomes {
        let [condition, yes, no] = three;
        let condition = self.truth_with(condition, row, locals);
        let mut outcomes = Outcomes::of_error(condition & ERROR != 0);
        if condition & TRUE != 0 {
            outcomes.add_all(self.value(yes, row, locals));
        }
        if condition & FALSE != 0 {
            outcomes.add_all(self.value(no, row, locals));
        }
        outcomes
    }

    fn size(&self, of: &Term, row: &Row, locals: &mut Vec<Outcomes>) -> Outcomes {
        let of = self.value(of, row, locals);
        let mut outcomes = Outcomes::of_error(of.error);
        for value in &of.values {
            outcomes.add(value::size(value));
        }
        outcomes
    }

    fn list(&self, terms: &[Term], row: &Row, locals: &mut Vec<Outcomes>) -> Outcomes {
        let list = terms.iter().map(|term| self.value(term, row, locals));
        let list: Vec<Outcomes> = list.collect();
        let error = list.iter().any(|element| element.error);
        Outcomes {
            values: vec![Val::List(list.into())],
            error,
        }
    }

    fn map(&self, terms: &[[Term; 2]], row: &Row, locals: &mut Vec<Outcomes>) -> Outcomes {
        let map = terms
            .iter()
            .map(|[key, value]| [self.value(key, row, locals), self.value(value, row, locals)]);
        let map: Vec<[Outcomes; 2]> = map.collect();
        let error = map.iter().flatten().any(|part| part.error);
        Outcomes {
            values: vec![Val::Map(map.into())],
            error,
        }
    }

    fn read(&self, way: Way, row: &Row) -> Outcomes {
        let Some(field) = self.fields.get(way.field) else {
            return Outcomes::unknown();
        };
        for (at, above) in field.chain.iter().enumerate() {
            if !self.is_there(*above, row) {
                return if way.optional_from.is_some_and(|from| from <= at) {
                    Outcomes::one(Val::Nothing)
                } else {
                    Outcomes::of_error(true)
                };
            }
        }
        let Some(state) = self.state(way.field, row) else {
            return Outcomes::unknown();
        };
        let value = self.value_of(way.field, state);
        Outcomes::one(if way.optional_from.is_some() {
            Val::Some(Box::new(value))
        } else {
            value
        })
    }

    /// Returns the value of a field in a state in which it is present.
    fn value_of(&self, id: FieldId, state: &State) -> Val {
        let kind = self.fields.get(id).map_or(Kind::Other, |field| field.kind);
        match (state, kind) {
            (State::Text(text), _) => Val::Text(text.as_str().into()),
            (State::True, _) => Val::Bool(true),
            (State::False, _) => Val::Bool(false),
            (State::Empty, Kind::Text) => Val::Text("".into()),
            (State::Empty, _) => Val::Sized(0, 0),
            (State::Full, Kind::Text) => Val::Other(id, 1),
            (State::Full, _) => Val::Sized(1, i64::MAX),
            (_, Kind::Text) => Val::Other(id, 0),
            (_, Kind::List | Kind::Map) => Val::Sized(0, i64::MAX),
            (_, Kind::Int) => Val::Int(i64::MIN, i64::MAX),
            (_, Kind::Object) => Val::Object,
            _ => Val::Any,
        }
    }

    fn sum(&self, both: &[Term; 2], row: &Row, locals: &mut Vec<Outcomes>) -> Outcomes {
        let left = self.value(&both[0], row, locals);
        let right = self.value(&both[1], row, locals);
        let mut outcomes = Outcomes::of_error(left.error || right.error);
        for left in &left.values {
            for right in &right.values {
                match (left, right) {
                    (Val::Int(a, b), Val::Int(c, d)) => {
                        let sum = Val::Int(a.saturating_add(*c), b.saturating_add(*d));
                        outcomes.add(sum);
                    }
                    (Val::List(left), Val::List(right)) => {
                        let both: Vec<Outcomes> = left.iter().chain(&**right).cloned().collect();
                        outcomes.add(Val::List(both.into()));
                    }
                    _ => outcomes.add(Val::Any),
                }
            }
        }
        outcomes
    }

    fn index(&self, both: &[Term; 2], row: &Row, locals: &mut Vec<Outcomes>) -> Outcomes {
        let target = self.value(&both[0], row, locals);
        let key = self.value(&both[1], row, locals);
        let mut outcomes = Outcomes::of_error(target.error || key.error);
        for target in &target.values {
            let Val::Map(map) = target else {
                return Outcomes::unknown();
            };
            for key in &key.values {
                let mut is_sure = false;
                for [entry, value] in map.iter() {
                    let found = entry.values.iter();
                    let found = found.fold(0, |all, entry| all | equal(entry, key, self.fields));
                    if found & TRUE != 0 {
                        outcomes.add_all(value.clone());
                    }
                    is_sure |= found == TRUE;
                }
                outcomes.error |= !is_sure;
            }
        }
        outcomes
    }

    fn fold(&self, fold: &Fold, row: &Row, locals: &mut Vec<Outcomes>) -> Outcomes {
        let range = self.value(&fold.range, row, locals);
        let mut outcomes = Outcomes::of_error(range.error);
        for value in &range.values {
            match value {
                Val::List(list) => outcomes.add_all(self.over(fold, list, row, locals)),
                Val::Sized(least, most) => {
                    if *least == 0 {
                        outcomes.add_all(self.over(fold, &[], row, locals));
                    }
                    if *most > 0 {
                        outcomes.add_all(Outcomes::unknown());
                    }
                }
                _ => return Outcomes::unknown(),
            }
        }
        outcomes
    }

    fn over(
        &self,
        fold: &Fold,
        list: &[Outcomes],
        row: &Row,
        locals: &mut Vec<Outcomes>,
    ) -> Outcomes {
        let most = fold.var.max(fold.accu) + 1;
        if locals.len() < most {
            locals.resize(most, Outcomes::unknown());
        }
        let mut gathered = self.value(&fold.init, row, locals);
        for element in list {
            set(locals, fold.accu, gathered.clone());
            set(locals, fold.var, element.clone());
            let goes_on = self.truth_with(&fold.condition, row, locals);
            if goes_on & TRUE == 0 {
                break;
            }
            let next = self.value(&fold.step, row, locals);
            if goes_on == TRUE {
                gathered = next;
            } else {
                gathered.add_all(next);
                gathered.error |= goes_on & ERROR != 0;
            }
        }
        set(locals, fold.accu, gathered);
        self.value(&fold.result, row, locals)
    }
}

fn set(locals: &mut [Outcomes], number: usize, value: Outcomes) {
    if let Some(local) = locals.get_mut(number) {
        *local = value;
    }
}
