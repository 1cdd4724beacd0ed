//! The possible results of a part of a rule: sets of values, some of which may be unknown.

use std::rc::Rc;

use crate::terms::fields::FieldId;

/// The possible truth values, as bits.
pub(crate) type Truth = u8;

pub(crate) const TRUE: Truth = 1;
pub(crate) const FALSE: Truth = 2;
/// An error, in most cases because a field is absent.
pub(crate) const ERROR: Truth = 4;

/// The maximum number of distinct values. More values become `Val::Any`.
const KEPT: usize = 64;

/// A value, or several values that are not distinguished.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Val {
    Bool(bool),
    /// A number in this range.
    Int(i64, i64),
    Text(Rc<str>),
    /// A string of this field that is not in any of its states, with at least this number of
    /// characters.
    Other(FieldId, i64),
    Null,
    List(Rc<[Outcomes]>),
    Map(Rc<[[Outcomes; 2]]>),
    /// A list or map of the object, with a number of entries in this range.
    Sized(i64, i64),
    Object,
    /// An empty optional.
    Nothing,
    /// An optional with this value.
    Some(Box<Val>),
    Any,
}

/// The possible values, and true if an error is possible.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcomes {
    pub(crate) values: Vec<Val>,
    pub(crate) error: bool,
}

impl Outcomes {
    pub(crate) fn one(value: Val) -> Self {
        Self {
            values: vec![value],
            error: false,
        }
    }

    /// Returns no values, with or without an error.
    pub(crate) const fn of_error(error: bool) -> Self {
        Self {
            values: Vec::new(),
            error,
        }
    }

    pub(crate) fn unknown() -> Self {
        Self {
            values: vec![Val::Any],
            error: true,
        }
    }

    pub(crate) fn of_truth(truth: Truth) -> Self {
        let mut outcomes = Self {
            values: Vec::new(),
            error: truth & ERROR != 0,
        };
        if truth & TRUE != 0 {
            outcomes.values.push(Val::Bool(true));
        }
        if truth & FALSE != 0 {
            outcomes.values.push(Val::Bool(false));
        }
        outcomes
    }

    pub(crate) fn truth(&self) -> Truth {
        let values = self.values.iter().map(|value| match value {
            Val::Bool(true) => TRUE,
            Val::Bool(false) => FALSE,
            Val::Any => TRUE | FALSE,
            // The value is not a boolean.
            _ => TRUE | FALSE | ERROR,
        });
        values.fold(if self.error { ERROR } else { 0 }, |all, one| all | one)
    }

    pub(crate) fn add(&mut self, value: Val) {
        if self.values.contains(&value) || self.values.first() == Some(&Val::Any) {
            return;
        }
        if value == Val::Any || self.values.len() >= KEPT {
            self.values.clear();
            self.values.push(Val::Any);
            return;
        }
        self.values.push(value);
    }

    pub(crate) fn add_all(&mut self, others: Self) {
        self.error |= others.error;
        for value in others.values {
            self.add(value);
        }
    }
}

/// Returns the outcomes of `!`.
pub(crate) const fn not(truth: Truth) -> Truth {
    let mut negated = truth & ERROR;
    if truth & TRUE != 0 {
        negated |= FALSE;
    }
    if truth & FALSE != 0 {
        negated |= TRUE;
    }
    negated
}

/// Returns the outcomes of `&&`, in which false absorbs an error.
pub(crate) const fn and(left: Truth, right: Truth) -> Truth {
    let mut both = (left | right) & FALSE;
    if left & TRUE != 0 && right & TRUE != 0 {
        both |= TRUE;
    }
    if left & ERROR != 0 && right & (TRUE | ERROR) != 0
        || right & ERROR != 0 && left & (TRUE | ERROR) != 0
    {
        both |= ERROR;
    }
    both
}

/// Returns the outcomes of `||`, in which true absorbs an error.
pub(crate) const fn or(left: Truth, right: Truth) -> Truth {
    not(and(not(left), not(right)))
}

/// True or false: an unknown outcome.
const MAYBE: Truth = TRUE | FALSE;

const fn known(value: bool) -> Truth {
    if value { TRUE } else { FALSE }
}

/// A type that knows the strings of a field in the state `Another`.
pub(crate) trait Texts {
    /// Returns true if a field in the state `Another` never has this string.
    fn excludes(&self, field: FieldId, text: &str) -> bool;
}

/// Returns the outcomes of `==`.
pub(crate) fn equal(left: &Val, right: &Val, texts: &dyn Texts) -> Truth {
    match (left, right) {
        (Val::Bool(left), Val::Bool(right)) => known(left == right),
        (Val::Int(a, b), Val::Int(c, d)) => {
            if b < c || d < a {
                FALSE
            } else if a == b && c == d {
                TRUE
            } else {
                MAYBE
            }
        }
        (Val::Text(left), Val::Text(right)) => known(left == right),
        (Val::Other(field, least), Val::Text(text))
        | (Val::Text(text), Val::Other(field, least)) => {
            if text.is_empty() && *least > 0 || texts.excludes(*field, text) {
                FALSE
            } else {
                MAYBE
            }
        }
        (Val::Null, Val::Null) | (Val::Nothing, Val::Nothing) => TRUE,
        (Val::Any, _) | (_, Val::Any) => MAYBE,
        (Val::Null, _)
        | (_, Val::Null)
        | (Val::Nothing, Val::Some(_))
        | (Val::Some(_), Val::Nothing) => FALSE,
        (Val::Some(left), Val::Some(right)) => equal(left, right, texts),
        (Val::Sized(least, most), Val::List(list)) | (Val::List(list), Val::Sized(least, most)) => {
            sized(*least, *most, list.len())
        }
        (Val::Sized(least, most), Val::Map(map)) | (Val::Map(map), Val::Sized(least, most)) => {
            sized(*least, *most, map.len())
        }
        _ => MAYBE,
    }
}

/// Returns the outcomes of comparing a list or map of the object with a literal of this length.
fn sized(least: i64, most: i64, length: usize) -> Truth {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    if length < least || most < length {
        FALSE
    } else if length == 0 && most == 0 {
        TRUE
    } else {
        MAYBE
    }
}

/// Returns the outcomes of `<`.
pub(crate) fn less(left: &Val, right: &Val) -> Truth {
    match (left, right) {
        (Val::Int(_, most), Val::Int(least, _)) if most < least => TRUE,
        (Val::Int(least, _), Val::Int(_, most)) if least >= most => FALSE,
        (Val::Text(left), Val::Text(right)) => known(left < right),
        _ => MAYBE,
    }
}

/// Returns the result of `size()`.
pub(crate) fn size(value: &Val) -> Val {
    let count = |count: usize| {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        Val::Int(count, count)
    };
    match value {
        Val::Text(text) => count(text.chars().count()),
        Val::List(list) => count(list.len()),
        Val::Map(map) => count(map.len()),
        Val::Other(_, least) => Val::Int(*least, i64::MAX),
        Val::Sized(least, most) => Val::Int(*least, *most),
        _ => Val::Int(0, i64::MAX),
    }
}
