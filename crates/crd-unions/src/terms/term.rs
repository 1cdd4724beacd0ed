//! A part of a rule over fields: what CEL and the keywords of schemas come to.

use std::rc::Rc;

use crate::terms::fields::FieldId;
use crate::terms::value::Val;

/// An expression over the states of fields.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    /// Not understood: true, false, any value, or an error.
    Unknown,
    /// True or false.
    Maybe,
    Const(Val),
    /// `has(..)` of CEL.
    Has(Way),
    /// A key of the JSON, whose value may be null.
    Present(FieldId),
    /// The value, as CEL reads it.
    Read(Way),
    /// The value of a key that is there, null too.
    Raw(FieldId),
    OrValue(Box<[Self; 2]>),
    HasValue(Box<Self>),
    Not(Box<Self>),
    And(Box<[Self; 2]>),
    Or(Box<[Self; 2]>),
    If(Box<[Self; 3]>),
    Compare(Comparison, Box<[Self; 2]>),
    Add(Box<[Self; 2]>),
    In(Box<[Self; 2]>),
    Index(Box<[Self; 2]>),
    Size(Box<Self>),
    Text(TextTest, Box<[Self; 2]>),
    List(Vec<Self>),
    Map(Vec<[Self; 2]>),
    /// A variable of a macro.
    Local(usize),
    /// `@not_strictly_false`.
    NotStrictlyFalse(Box<Self>),
    Fold(Box<Fold>),
    /// All of a schema's keywords.
    All(Vec<Self>),
    /// One of them, and no more.
    OneOf(Vec<Self>),
}

/// A field, and the step of its way that is optional first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) field: FieldId,
    pub(crate) optional_from: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextTest {
    StartsWith,
    EndsWith,
    Contains,
    Matches,
}

/// A comprehension; its variables are numbered.
#[derive(Clone, Debug)]
pub(crate) struct Fold {
    pub(crate) range: Term,
    pub(crate) var: usize,
    pub(crate) accu: usize,
    pub(crate) init: Term,
    pub(crate) condition: Term,
    pub(crate) step: Term,
    pub(crate) result: Term,
}

impl Term {
    pub(crate) fn bool(value: bool) -> Self {
        Self::Const(Val::Bool(value))
    }

    pub(crate) fn text(text: &str) -> Self {
        Self::Const(Val::Text(Rc::from(text)))
    }

    pub(crate) fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self::Or(Box::new([self, other]))
    }

    /// The field that it reads, with a value for its absence or without.
    pub(crate) fn field_read(&self) -> Option<FieldId> {
        match self {
            Self::Read(way) => Some(way.field),
            Self::Raw(field) => Some(*field),
            Self::OrValue(both) => {
                let [optional, _] = &**both;
                optional.field_read()
            }
            _ => None,
        }
    }
}
