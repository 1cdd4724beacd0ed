//! Abstract values: the sets of values that a term may have.

use std::rc::Rc;

use crate::terms::fields::FieldId;

/// The possible truth values, as bits.
pub(crate) type TruthSet = u8;

pub(crate) const TRUE: TruthSet = 1;
pub(crate) const FALSE: TruthSet = 2;
/// An error, in most cases because a field is absent.
pub(crate) const ERROR: TruthSet = 4;

/// The maximum number of distinct values. More values become `Val::Any`.
const MAX_VALUES: usize = 64;

/// A value, or several values that are not distinguished.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Val {
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
    OptionalOf(Box<Val>),
    Any,
}

/// The possible values of a term.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AbstractValue {
    pub(crate) values: Vec<Val>,
    /// True if the evaluation may fail with an error.
    pub(crate) may_fail: bool,
}

impl AbstractValue {
    pub(crate) fn single(value: Val) -> Self {
        Self {
            values: vec![value],
            may_fail: false,
        }
    }

    /// Returns no values, with or without an error.
    pub(crate) const fn from_error(may_fail: bool) -> Self {
        Self {
            values: Vec::new(),
            may_fail,
        }
    }

    pub(crate) fn unknown() -> Self {
        Self {
            values: vec![Val::Any],
            may_fail: true,
        }
    }

    pub(crate) fn from_truth(truth: TruthSet) -> Self {
        let mut value = Self {
            values: Vec::new(),
            may_fail: truth & ERROR != 0,
        };
        if truth & TRUE != 0 {
            value.values.push(Val::Bool(true));
        }
        if truth & FALSE != 0 {
            value.values.push(Val::Bool(false));
        }
        value
    }

    pub(crate) fn truth(&self) -> TruthSet {
        let values = self.values.iter().map(|value| match value {
            Val::Bool(true) => TRUE,
            Val::Bool(false) => FALSE,
            Val::Any => TRUE | FALSE,
            // The value is not a boolean.
            _ => TRUE | FALSE | ERROR,
        });
        values.fold(if self.may_fail { ERROR } else { 0 }, |all, truth| {
            all | truth
        })
    }

    pub(crate) fn add(&mut self, value: Val) {
        if self.values.contains(&value) || self.values.first() == Some(&Val::Any) {
            return;
        }
        if value == Val::Any || self.values.len() >= MAX_VALUES {
            self.values.clear();
            self.values.push(Val::Any);
            return;
        }
        self.values.push(value);
    }

    pub(crate) fn add_all(&mut self, others: Self) {
        self.may_fail |= others.may_fail;
        for value in others.values {
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

const fn truth_of(value: bool) -> TruthSet {
    if value { TRUE } else { FALSE }
}

/// A type that knows which strings a field in the state `OtherString` cannot have.
pub(crate) trait StringDomain {
    /// Returns true if a field in the state `OtherString` never has this string.
    fn excludes(&self, field: FieldId, string: &str) -> bool;
}

/// Returns the possible truth values of `==`.
pub(crate) fn equal(left: &Val, right: &Val, domain: &dyn StringDomain) -> TruthSet {
    match (left, right) {
        (Val::Bool(left), Val::Bool(right)) => truth_of(left == right),
        (Val::Int(a, b), Val::Int(c, d)) => {
            if b < c || d < a {
                FALSE
            } else if a == b && c == d {
                TRUE
            } else {
                TRUE_OR_FALSE
            }
        }
        (Val::String(left), Val::String(right)) => truth_of(left == right),
        (Val::OtherString(field, min), Val::String(string))
        | (Val::String(string), Val::OtherString(field, min)) => {
            if string.is_empty() && *min > 0 || domain.excludes(*field, string) {
                FALSE
            } else {
                TRUE_OR_FALSE
            }
        }
        (Val::Null, Val::Null) | (Val::OptionalNone, Val::OptionalNone) => TRUE,
        (Val::Any, _) | (_, Val::Any) => TRUE_OR_FALSE,
        (Val::Null, _)
        | (_, Val::Null)
        | (Val::OptionalNone, Val::OptionalOf(_))
        | (Val::OptionalOf(_), Val::OptionalNone) => FALSE,
        (Val::OptionalOf(left), Val::OptionalOf(right)) => equal(left, right, domain),
        (Val::SizedContainer(min, max), Val::List(list))
        | (Val::List(list), Val::SizedContainer(min, max)) => equal_by_size(*min, *max, list.len()),
        (Val::SizedContainer(min, max), Val::Map(map))
        | (Val::Map(map), Val::SizedContainer(min, max)) => equal_by_size(*min, *max, map.len()),
        _ => TRUE_OR_FALSE,
    }
}

/// Returns the possible truth values of comparing a list or map of the object with a literal that
/// has `length` elements or entries.
fn equal_by_size(min: i64, max: i64, length: usize) -> TruthSet {
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
pub(crate) fn less(left: &Val, right: &Val) -> TruthSet {
    match (left, right) {
        (Val::Int(_, max), Val::Int(min, _)) if max < min => TRUE,
        (Val::Int(min, _), Val::Int(_, max)) if min >= max => FALSE,
        (Val::String(left), Val::String(right)) => truth_of(left < right),
        _ => TRUE_OR_FALSE,
    }
}

/// Returns the result of `size()`.
pub(crate) fn size_of(value: &Val) -> Val {
    let count = |count: usize| {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        Val::Int(count, count)
    };
    match value {
        Val::String(string) => count(string.chars().count()),
        Val::List(list) => count(list.len()),
        Val::Map(map) => count(map.len()),
        Val::OtherString(_, min) => Val::Int(*min, i64::MAX),
        Val::SizedContainer(min, max) => Val::Int(*min, *max),
        _ => Val::Int(0, i64::MAX),
    }
}
