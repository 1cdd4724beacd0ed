//! Terms: expressions over the states of fields, which CEL rules and schema keywords are lowered
//! to.

use std::rc::Rc;

use crate::terms::fields::FieldId;
use crate::terms::value::ValueClass;

/// An expression over the states of fields.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    /// An expression that is not understood. Its result may be any value or an error.
    Unknown,
    /// A condition that is not understood. Its result is true or false, never an error.
    UnknownBool,
    Const(ValueClass),
    /// `has(..)` of CEL.
    Has(FieldAccess),
    /// The presence of a key in the JSON, even if its value is null.
    Present(FieldId),
    /// The value of a field, as CEL reads it.
    CelValue(FieldAccess),
    /// The value of a key that is present, including null.
    JsonValue(FieldId),
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
    StringTest(StringTest, Box<[Self; 2]>),
    List(Vec<Self>),
    Map(Vec<[Self; 2]>),
    /// The variable of a macro with this number.
    Variable(usize),
    /// `@not_strictly_false`, which cel-go uses in the macros `all` and `exists`.
    NotStrictlyFalse(Box<Self>),
    Comprehension(Box<Comprehension>),
    /// True if all terms are true: the keywords of a schema, or `allOf`.
    AllOf(Vec<Self>),
    /// True if exactly one of the terms is true: `oneOf`.
    OneOf(Vec<Self>),
}

/// A field, and the position of the first optional step of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldAccess {
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
pub(crate) enum StringTest {
    StartsWith,
    EndsWith,
    Contains,
    Matches,
}

/// A comprehension as in cel-go. `var` and `accu` are the numbers of its iteration variable and of
/// its accumulator.
#[derive(Clone, Debug)]
pub(crate) struct Comprehension {
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
        Self::Const(ValueClass::Bool(value))
    }

    pub(crate) fn string(value: &str) -> Self {
        Self::Const(ValueClass::String(Rc::from(value)))
    }

    pub(crate) fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self::Or(Box::new([self, other]))
    }

    /// Returns the field that the term reads, also through `orValue`.
    pub(crate) fn accessed_field(&self) -> Option<FieldId> {
        match self {
            Self::CelValue(access) => Some(access.field),
            Self::JsonValue(field) => Some(*field),
            Self::OrValue(operands) => {
                let [optional, _] = &**operands;
                optional.accessed_field()
            }
            _ => None,
        }
    }
}
