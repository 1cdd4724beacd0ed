//! Abstract values: the sets of values that a term may have.

use std::rc::Rc;

use crate::terms::fields::FieldId;

/// The possible truth values, as bits.
pub(crate) type TruthSet = u8;

pub(crate) const TRUE: TruthSet = 1;
pub(crate) const FALSE: TruthSet = 2;
/// An error, in most cases because a field is absent.
pub(crate) const ERROR: TruthSet = 4;

/// The maximum number of distinct values of a term, which bounds the work of an evaluation. More
/// values become `ValueClass::Any`.
const MAX_VALUES: usize = 64;

/// A value, or a class of values that the evaluation does not distinguish.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueClass {
    Bool(bool),
    /// An integer in this inclusive range.
    Int(i64, i64),
    String(Rc<str>),
    /// A string of this field that is not in any of its states, with at least this number of
    /// characters.
    OtherString(FieldId, i64),
    Null,
    List(Rc<[AbstractValue]>),
    Map(Rc<[[AbstractValue; 2]]>),
    /// A list or map of the object. Its number of entries is in this inclusive range.
    SizedContainer(i64, i64),
    Object,
    /// An empty optional.
    OptionalNone,
    /// An optional with this value.
    OptionalOf(Box<ValueClass>),
    Any,
}

/// The possible values of a term.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AbstractValue {
    pub(crate) values: Vec<ValueClass>,
    /// True if the evaluation may fail with an error.
    pub(crate) may_fail: bool,
}

impl AbstractValue {
    pub(crate) fn single(value: ValueClass) -> Self {
        Self {
            values: vec![value],
            may_fail: false,
        }
    }

    /// Returns a result without values. If `may_fail` is true, the result is an error.
    pub(crate) const fn without_values(may_fail: bool) -> Self {
        Self {
            values: Vec::new(),
            may_fail,
        }
    }

    /// Returns a result that may be any value or an error.
    pub(crate) fn unknown() -> Self {
        Self {
            values: vec![ValueClass::Any],
            may_fail: true,
        }
    }

    pub(crate) fn from_truth(truth: TruthSet) -> Self {
        let mut value = Self {
            values: Vec::new(),
            may_fail: truth & ERROR != 0,
        };
        if truth & TRUE != 0 {
            value.values.push(ValueClass::Bool(true));
        }
        if truth & FALSE != 0 {
            value.values.push(ValueClass::Bool(false));
        }
        value
    }

    pub(crate) fn truth(&self) -> TruthSet {
        let values = self.values.iter().map(|value| match value {
            ValueClass::Bool(true) => TRUE,
            ValueClass::Bool(false) => FALSE,
            ValueClass::Any => TRUE | FALSE,
            // The value is not a boolean.
            _ => TRUE | FALSE | ERROR,
        });
        values.fold(if self.may_fail { ERROR } else { 0 }, |truths, truth| {
            truths | truth
        })
    }

    pub(crate) fn add(&mut self, value: ValueClass) {
        if self.values.contains(&value) || self.values.first() == Some(&ValueClass::Any) {
            return;
        }
        if value == ValueClass::Any || self.values.len() >= MAX_VALUES {
            self.values.clear();
            self.values.push(ValueClass::Any);
            return;
        }
        self.values.push(value);
    }

    pub(crate) fn add_all(&mut self, other: Self) {
        self.may_fail |= other.may_fail;
        for value in other.values {
            self.add(value);
        }
    }
}

/// Returns the possible truth values of `!`.
pub(crate) const fn truth_not(truth: TruthSet) -> TruthSet {
    let mut negated = truth & ERROR;
    if truth & TRUE != 0 {
        negated |= FALSE;
    }
    if truth & FALSE != 0 {
        negated |= TRUE;
    }
    negated
}

/// Returns the possible truth values of `&&`, in which false absorbs an error.
pub(crate) const fn truth_and(left: TruthSet, right: TruthSet) -> TruthSet {
    let mut conjunction = (left | right) & FALSE;
    if left & TRUE != 0 && right & TRUE != 0 {
        conjunction |= TRUE;
    }
    if left & ERROR != 0 && right & (TRUE | ERROR) != 0
        || right & ERROR != 0 && left & (TRUE | ERROR) != 0
    {
        conjunction |= ERROR;
    }
    conjunction
}

/// Returns the possible truth values of `||`, in which true absorbs an error.
pub(crate) const fn truth_or(left: TruthSet, right: TruthSet) -> TruthSet {
    truth_not(truth_and(truth_not(left), truth_not(right)))
}

/// True or false, but not an error.
const TRUE_OR_FALSE: TruthSet = TRUE | FALSE;

const fn truth_from_bool(value: bool) -> TruthSet {
    if value { TRUE } else { FALSE }
}

/// The strings that a field in the state `OtherString` may have.
pub(crate) trait StringDomain {
    /// Returns true if a field in the state `OtherString` never has this string.
    fn excludes(&self, field: FieldId, string: &str) -> bool;
}

/// Returns the possible truth values of `==`.
pub(crate) fn truth_equal(
    left: &ValueClass,
    right: &ValueClass,
    domain: &dyn StringDomain,
) -> TruthSet {
    match (left, right) {
        (ValueClass::Bool(left), ValueClass::Bool(right)) => truth_from_bool(left == right),
        (ValueClass::Int(left_min, left_max), ValueClass::Int(right_min, right_max)) => {
            if left_max < right_min || right_max < left_min {
                FALSE
            } else if left_min == left_max && right_min == right_max {
                TRUE
            } else {
                TRUE_OR_FALSE
            }
        }
        (ValueClass::String(left), ValueClass::String(right)) => truth_from_bool(left == right),
        (ValueClass::OtherString(field, min), ValueClass::String(string))
        | (ValueClass::String(string), ValueClass::OtherString(field, min)) => {
            if string.is_empty() && *min > 0 || domain.excludes(*field, string) {
                FALSE
            } else {
                TRUE_OR_FALSE
            }
        }
        (ValueClass::Null, ValueClass::Null)
        | (ValueClass::OptionalNone, ValueClass::OptionalNone) => TRUE,
        (ValueClass::Any, _) | (_, ValueClass::Any) => TRUE_OR_FALSE,
        (ValueClass::Null, _)
        | (_, ValueClass::Null)
        | (ValueClass::OptionalNone, ValueClass::OptionalOf(_))
        | (ValueClass::OptionalOf(_), ValueClass::OptionalNone) => FALSE,
        (ValueClass::OptionalOf(left), ValueClass::OptionalOf(right)) => {
            truth_equal(left, right, domain)
        }
        (ValueClass::SizedContainer(min, max), ValueClass::List(list))
        | (ValueClass::List(list), ValueClass::SizedContainer(min, max)) => {
            truth_equal_by_size(*min, *max, list.len())
        }
        (ValueClass::SizedContainer(min, max), ValueClass::Map(map))
        | (ValueClass::Map(map), ValueClass::SizedContainer(min, max)) => {
            truth_equal_by_size(*min, *max, map.len())
        }
        _ => TRUE_OR_FALSE,
    }
}

/// Returns the possible truth values of comparing a list or map of the object with a literal that
/// has `length` elements or entries.
fn truth_equal_by_size(min: i64, max: i64, length: usize) -> TruthSet {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    if length < min || max < length {
        FALSE
    } else if length == 0 && max == 0 {
        TRUE
    } else {
        TRUE_OR_FALSE
    }
}

/// Returns the possible truth values of `<`.
pub(crate) fn truth_less(left: &ValueClass, right: &ValueClass) -> TruthSet {
    match (left, right) {
        (ValueClass::Int(_, max), ValueClass::Int(min, _)) if max < min => TRUE,
        (ValueClass::Int(min, _), ValueClass::Int(_, max)) if min >= max => FALSE,
        (ValueClass::String(left), ValueClass::String(right)) => truth_from_bool(left < right),
        _ => TRUE_OR_FALSE,
    }
}

/// Returns the result of `size()`.
pub(crate) fn size_of(value: &ValueClass) -> ValueClass {
    let exact_size = |size: usize| {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        ValueClass::Int(size, size)
    };
    match value {
        ValueClass::String(string) => exact_size(string.chars().count()),
        ValueClass::List(list) => exact_size(list.len()),
        ValueClass::Map(map) => exact_size(map.len()),
        ValueClass::OtherString(_, min) => ValueClass::Int(*min, i64::MAX),
        ValueClass::SizedContainer(min, max) => ValueClass::Int(*min, *max),
        _ => ValueClass::Int(0, i64::MAX),
    }
}
