//! Abstract evaluation of terms. Each field is in a known state, and the result is the set of
//! values that the term may have.

use std::cell::Cell;

use crate::terms::fields::{FieldId, FieldState, FieldType, Fields};
use crate::terms::term::{Comparison, Comprehension, FieldAccess, StringTest, Term};
use crate::terms::value::{
    self, AbstractValue, ERROR, FALSE, StringDomain, TRUE, TruthSet, ValueClass, truth_and,
    truth_equal, truth_less, truth_not, truth_or,
};

/// An evaluator of terms. All evaluations for an object schema share one budget of steps.
pub(crate) struct TermEvaluator<'f, 's> {
    fields: &'f Fields<'s>,
    steps_left: Cell<u64>,
}

/// The states of all fields: for each field, the position of its state in `Field::states`.
pub(crate) type StateRow = [u8];

/// The truth values of an expression that is not understood.
const UNKNOWN: TruthSet = TRUE | FALSE | ERROR;

impl StringDomain for Fields<'_> {
    fn excludes(&self, field: FieldId, string: &str) -> bool {
        let Some(field) = self.get(field) else {
            return false;
        };
        // With an enum, `FieldState::OtherString` is a future value, which no rule names.
        field.values.is_some()
            || field
                .states
                .iter()
                .any(|state| matches!(state, FieldState::String(known) if known == string))
    }
}

impl<'f, 's> TermEvaluator<'f, 's> {
    pub(crate) const fn new(fields: &'f Fields<'s>, steps: u64) -> Self {
        Self {
            fields,
            steps_left: Cell::new(steps),
        }
    }

    /// Returns the remaining budget.
    pub(crate) const fn steps_left(&self) -> u64 {
        self.steps_left.get()
    }

    /// Returns the possible truth values of a term.
    pub(crate) fn truth(&self, term: &Term, row: &StateRow) -> TruthSet {
        self.truth_with(term, row, &mut Vec::new())
    }

    /// Takes a step from the budget. Returns false if the budget is exhausted.
    fn try_step(&self) -> bool {
        let steps_left = self.steps_left.get();
        self.steps_left.set(steps_left.saturating_sub(1));
        steps_left > 0
    }

    fn state(&self, field: FieldId, row: &StateRow) -> Option<&FieldState> {
        let index = row.get(field).copied().map(usize::from)?;
        self.fields.states(field).get(index)
    }

    fn is_present(&self, field: FieldId, row: &StateRow) -> bool {
        self.state(field, row).is_some_and(FieldState::is_present)
    }

    /// Returns the possible truth values of a term, with the values of macro variables. The
    /// recursion is as deep as the CEL tree or the schema keywords, which are both limited.
    fn truth_with(&self, term: &Term, row: &StateRow, locals: &mut Vec<AbstractValue>) -> TruthSet {
        if !self.try_step() {
            return UNKNOWN;
        }
        match term {
            Term::Unknown => UNKNOWN,
            Term::UnknownBool => TRUE | FALSE,
            Term::Has(access) => self.has_field(*access, row),
            Term::Present(field) => match self.state(*field, row) {
                Some(FieldState::Absent) | None => FALSE,
                Some(_) => TRUE,
            },
            Term::Not(inner) => truth_not(self.truth_with(inner, row, locals)),
            Term::And(operands) => {
                let [left, right] = &**operands;
                let left = self.truth_with(left, row, locals);
                if left == FALSE {
                    return FALSE;
                }
                truth_and(left, self.truth_with(right, row, locals))
            }
            Term::Or(operands) => {
                let [left, right] = &**operands;
                let left = self.truth_with(left, row, locals);
                if left == TRUE {
                    return TRUE;
                }
                truth_or(left, self.truth_with(right, row, locals))
            }
            Term::If(operands) => self.conditional_truth(operands, row, locals),
            Term::Compare(comparison, operands) => self.compare(*comparison, operands, row, locals),
            Term::In(operands) => self.is_in(operands, row, locals),
            Term::StringTest(test, operands) => self.string_test(*test, operands, row, locals),
            Term::NotStrictlyFalse(inner) => {
                let truth = self.truth_with(inner, row, locals);
                let is_true = if truth & (TRUE | ERROR) == 0 { 0 } else { TRUE };
                is_true | truth & FALSE
            }
            Term::AllOf(terms) => terms.iter().fold(TRUE, |all_true, term| {
                if all_true == FALSE {
                    return all_true;
                }
                truth_and(all_true, self.truth_with(term, row, locals))
            }),
            Term::OneOf(terms) => self.one_of(terms, row, locals),
            Term::HasValue(inner) => self.has_value(inner, row, locals),
            _ => self.value(term, row, locals).truth(),
        }
    }

    fn conditional_truth(
        &self,
        operands: &[Term; 3],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> TruthSet {
        let [condition, if_true, if_false] = operands;
        let condition = self.truth_with(condition, row, locals);
        let mut truth = condition & ERROR;
        if condition & TRUE != 0 {
            truth |= self.truth_with(if_true, row, locals);
        }
        if condition & FALSE != 0 {
            truth |= self.truth_with(if_false, row, locals);
        }
        truth
    }

    /// Returns the truth value of `hasValue()`.
    fn has_value(
        &self,
        optional: &Term,
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> TruthSet {
        let result = self.value(optional, row, locals);
        let values = result.values.iter().map(|value| match value {
            ValueClass::OptionalNone => FALSE,
            ValueClass::OptionalOf(_) => TRUE,
            _ => TRUE | FALSE,
        });
        let error_truth = if result.may_fail { ERROR } else { 0 };
        values.fold(error_truth, |truths, truth| truths | truth)
    }

    /// Returns the truth value of `has(a.b)`, which is an error if `a` is absent.
    fn has_field(&self, access: FieldAccess, row: &StateRow) -> TruthSet {
        let Some(field) = self.fields.get(access.field) else {
            return UNKNOWN;
        };
        for (index, ancestor) in field.chain.iter().enumerate() {
            if !self.is_present(*ancestor, row) {
                let is_last = index + 1 == field.chain.len();
                let is_optional = access.optional_from.is_some_and(|from| from <= index);
                return if is_last || is_optional { FALSE } else { ERROR };
            }
        }
        TRUE
    }

    fn one_of(&self, terms: &[Term], row: &StateRow, locals: &mut Vec<AbstractValue>) -> TruthSet {
        let (mut min_true_count, mut max_true_count) = (0, 0);
        for term in terms {
            let truth = self.truth_with(term, row, locals);
            min_true_count += usize::from(truth == TRUE);
            max_true_count += usize::from(truth & TRUE != 0);
        }
        match (min_true_count, max_true_count) {
            (1, 1) => TRUE,
            (2.., _) | (_, 0) => FALSE,
            _ => TRUE | FALSE,
        }
    }

    fn compare(
        &self,
        comparison: Comparison,
        operands: &[Term; 2],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> TruthSet {
        self.binary_truth(operands, row, locals, |left, right| match comparison {
            Comparison::Equal => truth_equal(left, right, self.fields),
            Comparison::NotEqual => truth_not(truth_equal(left, right, self.fields)),
            Comparison::Less => truth_less(left, right),
            Comparison::Greater => truth_less(right, left),
            Comparison::LessEqual => truth_not(truth_less(right, left)),
            Comparison::GreaterEqual => truth_not(truth_less(left, right)),
        })
    }

    /// Returns the possible truth values of `in`.
    fn is_in(
        &self,
        operands: &[Term; 2],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> TruthSet {
        self.binary_truth(operands, row, locals, |item, list| match list {
            ValueClass::List(list) => list.iter().fold(FALSE, |any_equal, element| {
                let element_values = element.values.iter();
                let equalities = element_values.map(|value| truth_equal(item, value, self.fields));
                let error_truth = if element.may_fail { ERROR } else { 0 };
                let element_equal = equalities.fold(error_truth, |truths, truth| truths | truth);
                truth_or(any_equal, element_equal)
            }),
            ValueClass::SizedContainer(_, 0) => FALSE,
            _ => TRUE | FALSE,
        })
    }

    fn string_test(
        &self,
        test: StringTest,
        operands: &[Term; 2],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> TruthSet {
        self.binary_truth(operands, row, locals, |string, pattern| {
            let (ValueClass::String(string), ValueClass::String(pattern)) = (string, pattern)
            else {
                return TRUE | FALSE;
            };
            let holds = match test {
                StringTest::StartsWith => string.starts_with(&**pattern),
                StringTest::EndsWith => string.ends_with(&**pattern),
                StringTest::Contains => string.contains(&**pattern),
                StringTest::Matches => return TRUE | FALSE,
            };
            if holds { TRUE } else { FALSE }
        })
    }

    /// Returns the possible truth values of a function of two operands.
    fn binary_truth(
        &self,
        operands: &[Term; 2],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
        function: impl Fn(&ValueClass, &ValueClass) -> TruthSet,
    ) -> TruthSet {
        let left = self.value(&operands[0], row, locals);
        let right = self.value(&operands[1], row, locals);
        let mut truth = if left.may_fail || right.may_fail {
            ERROR
        } else {
            0
        };
        for left in &left.values {
            for right in &right.values {
                truth |= function(left, right);
            }
        }
        truth
    }

    /// Returns the possible values of a term. The counterpart for conditions is
    /// [`truth_with`](Self::truth_with).
    fn value(&self, term: &Term, row: &StateRow, locals: &mut Vec<AbstractValue>) -> AbstractValue {
        if !self.try_step() {
            return AbstractValue::unknown();
        }
        match term {
            Term::Const(value) => AbstractValue::single(value.clone()),
            Term::CelValue(access) => self.read_field(*access, row),
            Term::JsonValue(field) => match self.state(*field, row) {
                Some(FieldState::Null) => AbstractValue::single(ValueClass::Null),
                Some(state) if state.is_present() => {
                    AbstractValue::single(self.state_value(*field, state))
                }
                _ => AbstractValue::unknown(),
            },
            Term::OrValue(operands) => self.or_value(operands, row, locals),
            Term::If(operands) => self.conditional_value(operands, row, locals),
            Term::Add(operands) => self.sum(operands, row, locals),
            Term::Index(operands) => self.index(operands, row, locals),
            Term::Size(inner) => self.size(inner, row, locals),
            Term::List(terms) => self.list(terms, row, locals),
            Term::Map(terms) => self.map(terms, row, locals),
            Term::Variable(variable) => locals
                .get(*variable)
                .cloned()
                .unwrap_or_else(AbstractValue::unknown),
            Term::Comprehension(comprehension) => self.comprehension(comprehension, row, locals),
            _ => AbstractValue::from_truth(self.truth_with(term, row, locals)),
        }
    }

    /// Returns the possible values of `a.orValue(b)`.
    fn or_value(
        &self,
        operands: &[Term; 2],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> AbstractValue {
        let [optional, otherwise] = operands;
        let optional_value = self.value(optional, row, locals);
        let mut result = AbstractValue::without_values(optional_value.may_fail);
        for value in optional_value.values {
            match value {
                ValueClass::OptionalOf(value) => result.add(*value),
                ValueClass::OptionalNone => result.add_all(self.value(otherwise, row, locals)),
                _ => result.add(ValueClass::Any),
            }
        }
        result
    }

    fn conditional_value(
        &self,
        operands: &[Term; 3],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> AbstractValue {
        let [condition, if_true, if_false] = operands;
        let condition = self.truth_with(condition, row, locals);
        let mut result = AbstractValue::without_values(condition & ERROR != 0);
        if condition & TRUE != 0 {
            result.add_all(self.value(if_true, row, locals));
        }
        if condition & FALSE != 0 {
            result.add_all(self.value(if_false, row, locals));
        }
        result
    }

    fn size(
        &self,
        operand: &Term,
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> AbstractValue {
        let operand = self.value(operand, row, locals);
        let mut result = AbstractValue::without_values(operand.may_fail);
        for value in &operand.values {
            result.add(value::size_of(value));
        }
        result
    }

    fn list(
        &self,
        terms: &[Term],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> AbstractValue {
        let list = terms.iter().map(|term| self.value(term, row, locals));
        let list: Vec<AbstractValue> = list.collect();
        let may_fail = list.iter().any(|element| element.may_fail);
        AbstractValue {
            values: vec![ValueClass::List(list.into())],
            may_fail,
        }
    }

    fn map(
        &self,
        terms: &[[Term; 2]],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> AbstractValue {
        let map = terms
            .iter()
            .map(|[key, value]| [self.value(key, row, locals), self.value(value, row, locals)]);
        let map: Vec<[AbstractValue; 2]> = map.collect();
        let may_fail = map.iter().flatten().any(|value| value.may_fail);
        AbstractValue {
            values: vec![ValueClass::Map(map.into())],
            may_fail,
        }
    }

    /// Returns the value of a field as CEL reads it: an error or an empty optional if the field, or
    /// an ancestor, is absent.
    fn read_field(&self, access: FieldAccess, row: &StateRow) -> AbstractValue {
        let Some(field) = self.fields.get(access.field) else {
            return AbstractValue::unknown();
        };
        for (index, ancestor) in field.chain.iter().enumerate() {
            if !self.is_present(*ancestor, row) {
                return if access.optional_from.is_some_and(|from| from <= index) {
                    AbstractValue::single(ValueClass::OptionalNone)
                } else {
                    AbstractValue::without_values(true)
                };
            }
        }
        let Some(state) = self.state(access.field, row) else {
            return AbstractValue::unknown();
        };
        let value = self.state_value(access.field, state);
        AbstractValue::single(if access.optional_from.is_some() {
            ValueClass::OptionalOf(Box::new(value))
        } else {
            value
        })
    }

    /// Returns the value of a field in a state. The field must be present in the state.
    fn state_value(&self, id: FieldId, state: &FieldState) -> ValueClass {
        let value_type = self
            .fields
            .get(id)
            .map_or(FieldType::Other, |field| field.value_type);
        match (state, value_type) {
            (FieldState::String(string), _) => ValueClass::String(string.as_str().into()),
            (FieldState::True, _) => ValueClass::Bool(true),
            (FieldState::False, _) => ValueClass::Bool(false),
            (FieldState::Empty, FieldType::String) => ValueClass::String("".into()),
            (FieldState::Empty, _) => ValueClass::SizedContainer(0, 0),
            (FieldState::NonEmpty, FieldType::String) => ValueClass::OtherString(id, 1),
            (FieldState::NonEmpty, _) => ValueClass::SizedContainer(1, i64::MAX),
            (_, FieldType::String) => ValueClass::OtherString(id, 0),
            (_, FieldType::List | FieldType::Map) => ValueClass::SizedContainer(0, i64::MAX),
            (_, FieldType::Int) => ValueClass::Int(i64::MIN, i64::MAX),
            (_, FieldType::Object) => ValueClass::Object,
            _ => ValueClass::Any,
        }
    }

    /// Returns the possible values of `+`: the sums of integers, and the concatenations of lists.
    fn sum(
        &self,
        operands: &[Term; 2],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> AbstractValue {
        let left = self.value(&operands[0], row, locals);
        let right = self.value(&operands[1], row, locals);
        let mut result = AbstractValue::without_values(left.may_fail || right.may_fail);
        for left in &left.values {
            for right in &right.values {
                match (left, right) {
                    (
                        ValueClass::Int(left_min, left_max),
                        ValueClass::Int(right_min, right_max),
                    ) => {
                        let sum = ValueClass::Int(
                            left_min.saturating_add(*right_min),
                            left_max.saturating_add(*right_max),
                        );
                        result.add(sum);
                    }
                    (ValueClass::List(left), ValueClass::List(right)) => {
                        let concatenated: Vec<AbstractValue> =
                            left.iter().chain(&**right).cloned().collect();
                        result.add(ValueClass::List(concatenated.into()));
                    }
                    _ => result.add(ValueClass::Any),
                }
            }
        }
        result
    }

    /// Returns the possible values of `map[key]`, in which the map is a literal.
    fn index(
        &self,
        operands: &[Term; 2],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> AbstractValue {
        let target = self.value(&operands[0], row, locals);
        let key = self.value(&operands[1], row, locals);
        let mut result = AbstractValue::without_values(target.may_fail || key.may_fail);
        for target in &target.values {
            let ValueClass::Map(map) = target else {
                return AbstractValue::unknown();
            };
            for key in &key.values {
                let mut is_found = false;
                for [entry_key, value] in map.iter() {
                    let entry_key_values = entry_key.values.iter();
                    let equality = entry_key_values.fold(0, |truths, entry_key| {
                        truths | truth_equal(entry_key, key, self.fields)
                    });
                    if equality & TRUE != 0 {
                        result.add_all(value.clone());
                    }
                    is_found |= equality == TRUE;
                }
                result.may_fail |= !is_found;
            }
        }
        result
    }

    /// Returns the possible values of a macro over a list literal, or over a list of the object. A
    /// list of the object with elements has an unknown result.
    fn comprehension(
        &self,
        comprehension: &Comprehension,
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> AbstractValue {
        let range = self.value(&comprehension.range, row, locals);
        let mut result = AbstractValue::without_values(range.may_fail);
        for value in &range.values {
            match value {
                ValueClass::List(list) => {
                    result.add_all(self.fold_elements(comprehension, list, row, locals));
                }
                ValueClass::SizedContainer(min, max) => {
                    if *min == 0 {
                        result.add_all(self.fold_elements(comprehension, &[], row, locals));
                    }
                    if *max > 0 {
                        result.add_all(AbstractValue::unknown());
                    }
                }
                _ => return AbstractValue::unknown(),
            }
        }
        result
    }

    /// Evaluates a macro over a list with these elements.
    fn fold_elements(
        &self,
        comprehension: &Comprehension,
        list: &[AbstractValue],
        row: &StateRow,
        locals: &mut Vec<AbstractValue>,
    ) -> AbstractValue {
        let variable_count = comprehension.var.max(comprehension.accu) + 1;
        if locals.len() < variable_count {
            locals.resize(variable_count, AbstractValue::unknown());
        }
        let mut accumulator = self.value(&comprehension.init, row, locals);
        for element in list {
            set_local(locals, comprehension.accu, accumulator.clone());
            set_local(locals, comprehension.var, element.clone());
            let continues_loop = self.truth_with(&comprehension.condition, row, locals);
            if continues_loop & TRUE == 0 {
                break;
            }
            let next_accumulator = self.value(&comprehension.step, row, locals);
            if continues_loop == TRUE {
                accumulator = next_accumulator;
            } else {
                accumulator.add_all(next_accumulator);
                accumulator.may_fail |= continues_loop & ERROR != 0;
            }
        }
        set_local(locals, comprehension.accu, accumulator);
        self.value(&comprehension.result, row, locals)
    }
}

fn set_local(locals: &mut [AbstractValue], variable: usize, value: AbstractValue) {
    if let Some(local) = locals.get_mut(variable) {
        *local = value;
    }
}
