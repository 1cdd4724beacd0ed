//! Values of CEL. Those of an object borrow from it.

use core::fmt;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::declared::DeclaredId;
use super::time::Timestamp;

#[derive(Clone, Debug)]
pub(super) enum Val<'v> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(Text<'v>),
    Bytes(Rc<[u8]>),
    Timestamp(Timestamp),
    /// In nanoseconds.
    Duration(i64),
    /// A list that an expression made.
    List(Rc<Vec<Val<'v>>>),
    /// A map that an expression made.
    Map(Rc<Vec<(Val<'v>, Val<'v>)>>),
    /// A list of the object, and the declared type of the list.
    Items(&'v [Value], DeclaredId),
    /// An object or map of the object.
    Object(&'v Map<String, Value>, DeclaredId),
    /// What the schema keeps without describing it.
    Unknown(&'v Value),
    Optional(Option<Rc<Val<'v>>>),
    /// In an optional value: what is there cannot be read.
    Fault(Rc<str>),
    Type(&'static str),
    Quantity(Rc<Quantity>),
    /// What functions of the library make.
    Foreign(Foreign),
}

/// A text, of the object, of the rule or made.
#[derive(Clone, Debug)]
pub(super) enum Text<'v> {
    Borrowed(&'v str),
    Made(Rc<str>),
}

/// A quantity such as `1.5Gi`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantity {
    /// In billionths.
    pub(super) nanos: i128,
    /// Whether it was written with parts of a whole, such as `1000m`: then it counts as no integer.
    pub(super) is_fine: bool,
}

/// A value of one of Kubernetes' own types.
#[derive(Clone, Debug)]
pub(super) struct Foreign {
    pub(super) type_name: &'static str,
    pub(super) value: kube_cel::cel::Value,
    /// What costs depend on: the bytes of a network's prefix, the length of a format's expression.
    pub(super) size: u64,
}

/// Why a program comes to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// An error of the expression, which `&&`, `||` and the like may outweigh.
    Error(Rc<str>),
    /// The expression costs more than it may.
    Cost,
    /// The server's own code breaks down there, and with it the expression.
    Crash(Rc<str>),
    /// This library cannot evaluate the expression.
    Unsupported(Rc<str>),
}

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Made(text) => text,
        }
    }

    /// How many code points there are.
    pub(super) fn size(&self) -> u64 {
        let text = self.as_str();
        if text.is_ascii() {
            text.len() as u64
        } else {
            text.chars().count() as u64
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(text) | Self::Crash(text) => f.write_str(text),
            Self::Cost => f.write_str("operation cancelled: actual cost limit exceeded"),
            Self::Unsupported(why) => write!(f, "not evaluated, as {why}"),
        }
    }
}

impl core::error::Error for Fault {}

impl Fault {
    pub(super) fn error(text: impl Into<Rc<str>>) -> Self {
        Self::Error(text.into())
    }

    pub(super) fn no_such_overload() -> Self {
        Self::error("no such overload")
    }
}

impl Val<'_> {
    pub(super) fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(Text::Made(text.into()))
    }

    pub(super) fn list(values: Vec<Self>) -> Self {
        Self::List(Rc::new(values))
    }

    pub(super) fn some(value: Self) -> Self {
        Self::Optional(Some(Rc::new(value)))
    }

    /// The name of the value's type, as `type()` gives it.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::Text(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::List(_) | Self::Items(..) => "list",
            Self::Map(_) | Self::Object(..) => "map",
            Self::Unknown(_) => "unknown",
            Self::Optional(_) => "optional_type",
            Self::Fault(_) => "error",
            Self::Type(_) => "type",
            Self::Quantity(_) => "kubernetes.Quantity",
            Self::Foreign(foreign) => foreign.type_name,
        }
    }

    /// What costs depend on: the number of code points, bytes, elements or entries; 1 for all else.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Text(text) => text.size(),
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::List(values) => values.len() as u64,
            Self::Map(entries) => entries.len() as u64,
            Self::Items(items, _) => items.len() as u64,
            Self::Object(object, _) => object.len() as u64,
            Self::Optional(Some(value)) => value.size(),
            Self::Foreign(foreign) => foreign.size,
            _ => 1,
        }
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }
}
