//! What a part of a rule can come to: sets of values, of which not all need be known.

use std::rc::Rc;

use crate::terms::fields::FieldId;

/// Truth values that are possible, as bits.
pub(crate) type Truth = u8;

pub(crate) const TRUE: Truth = 1;
pub(crate) const FALSE: Truth = 2;
/// An error: a field that is absent, for the most part.
pub(crate) const ERROR: Truth = 4;

/// How many values are kept apart.
const KEPT: usize = 64;

/// A value, or several that are not told apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Val {
    Bool(bool),
    /// A number of this range.
    Int(i64, i64),
    Text(Rc<str>),
    /// A text of this field that is none of its states' texts, with so many characters at least.
    Other(FieldId, i64),
    Null,
    List(Rc<[Outcomes]>),
    Map(Rc<[[Outcomes; 2]]>),
    /// A list or map of the object with so many entries.
    Sized(i64, i64),
    /// An object.
    Object,
    /// No value: an optional.
    Nothing,
    /// An optional with this value.
    Some(Box<Val>),
    Any,
}

/// The values that are possible, and whether an error is.
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

    /// No value yet, and an error or none.
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
            // It is not a condition.
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

/// `!`.
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

/// `&&`: what is false absorbs an error.
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

/// `||`: what is true absorbs an error.
pub(crate) const fn or(left: Truth, right: Truth) -> Truth {
    not(and(not(left), not(right)))
}

/// True, false or both: what is not known.
const MAYBE: Truth = TRUE | FALSE;

const fn known(value: bool) -> Truth {
    if value { TRUE } else { FALSE }
}

/// What tells whether a text may be that of a field's state "another".
pub(crate) trait Texts {
    /// Whether another text of the field cannot be this one.
    fn excludes(&self, field: FieldId, text: &str) -> bool;
}

/// `==`.
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

/// Whether a list or map of so many entries may be that literal.
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

/// `<`.
pub(crate) fn less(left: &Val, right: &Val) -> Truth {
    match (left, right) {
        (Val::Int(_, most), Val::Int(least, _)) if most < least => TRUE,
        (Val::Int(least, _), Val::Int(_, most)) if least >= most => FALSE,
        (Val::Text(left), Val::Text(right)) => known(left < right),
        _ => MAYBE,
    }
}

/// `size()`.
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
