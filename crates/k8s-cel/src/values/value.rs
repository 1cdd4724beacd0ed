//! CEL values. Strings, lists and objects from JSON are borrowed.

use core::fmt;
use core::num::NonZero;
use core::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::opaque::Opaque;
use super::timestamp::Timestamp;
use crate::types::declared::DeclaredId;
use crate::types::feature::Feature;
use crate::types::types::Type;
use crate::types::version::KubeVersion;

// Lists of a million values must fit into memory, so a value must be small.
const _: () = assert!(size_of::<Val<'_>>() <= 32);

/// A CEL value.
#[derive(Clone, Debug)]
pub(crate) enum Val<'v> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(Str<'v>),
    Bytes(Rc<[u8]>),
    Timestamp(Timestamp),
    /// A duration in nanoseconds.
    Duration(i64),
    /// A computed list.
    List(Rc<ComputedItems<Val<'v>>>),
    /// A computed map.
    Map(Rc<ComputedItems<(Val<'v>, Val<'v>)>>),
    /// A JSON list, with its declared type.
    JsonList(&'v [Value], DeclaredId),
    /// A JSON list with appended elements.
    AppendedList(Rc<AppendedList<'v>>),
    /// A JSON object, with its declared type.
    JsonObject(&'v Map<String, Value>, DeclaredId),
    /// A value that is preserved without a schema.
    Unstructured(&'v Value),
    Optional(Option<Rc<Val<'v>>>),
    /// An evaluation error as a value, for example inside an optional value.
    Error(Arc<str>),
    /// A type as a value, with its name.
    Type(&'static str),
    /// An opaque value of a Kubernetes library.
    Opaque(Opaque),
}

/// The content of a computed list or map.
#[derive(Clone, Debug)]
pub(crate) struct ComputedItems<T> {
    values: Vec<T>,
    /// True for the concatenation of two nonempty lists, which has a Go type of its own, and for a
    /// map with added entries.
    is_concat: bool,
    /// True for a list of strings from a function, which has a Go type of its own.
    is_strings: bool,
    /// The id of the constant, if the value is a constant. A server creates each constant only
    /// once, so constants have an identity.
    constant: Option<NonZero<usize>>,
}

impl<T> From<Vec<T>> for ComputedItems<T> {
    fn from(values: Vec<T>) -> Self {
        Self {
            values,
            is_concat: false,
            is_strings: false,
            constant: None,
        }
    }
}

impl<T> Deref for ComputedItems<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.values
    }
}

impl<T> DerefMut for ComputedItems<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.values
    }
}

impl<T> ComputedItems<T> {
    fn concat(values: Vec<T>) -> Rc<Self> {
        Rc::new(Self {
            is_concat: true,
            ..values.into()
        })
    }

    pub(crate) const fn is_concat(&self) -> bool {
        self.is_concat
    }

    pub(crate) const fn is_strings(&self) -> bool {
        self.is_strings
    }

    /// Returns true if the server would store both values at the same address.
    fn is_same_instance(left: &Rc<Self>, right: &Rc<Self>) -> bool {
        Rc::ptr_eq(left, right) || left.constant.is_some() && left.constant == right.constant
    }
}

/// A JSON list with appended elements.
#[derive(Clone, Debug)]
pub(crate) struct AppendedList<'v> {
    /// The declared type of the list.
    pub(crate) declaration: DeclaredId,
    pub(crate) storage: AppendedStorage<'v>,
}

/// The elements of a list with appended elements.
#[derive(Clone, Debug)]
pub(crate) enum AppendedStorage<'v> {
    /// Single elements, for a set or map list, whose elements are hashed.
    Elements(Vec<AppendedItem<'v>>),
    /// The elements of the JSON list, and the appended lists, each with the index after its last
    /// element in the whole list. The lists are shared, so a loop that appends a long list to
    /// another list copies neither.
    Lists(&'v [Value], Vec<(usize, Val<'v>)>),
    /// The converted elements of a set or map list, on a server that has
    /// [`ConvertedSums`](crate::Feature::ConvertedSums). An invalid element is an error value.
    Converted(ListKind, Vec<Val<'v>>),
}

/// The kind of a list whose elements are hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListKind {
    Set,
    Map,
}

/// An element of a set or map list with appended elements.
#[derive(Clone, Debug)]
pub(crate) enum AppendedItem<'v> {
    /// An element of the JSON list.
    Json(&'v Value),
    /// A computed element.
    Computed(Val<'v>),
}

/// A string that is borrowed from JSON or from the program, or a computed string.
#[derive(Clone, Debug)]
pub(crate) enum Str<'v> {
    Borrowed(&'v str),
    Owned(Rc<str>),
}

/// The reason why an evaluation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvalError {
    /// An error of the expression. Operators such as `&&` and `||` may ignore it.
    Expression(Arc<str>),
    /// The cost of the expression exceeds its limit, or the evaluation does too much work that a
    /// server does not count.
    CostLimit,
    /// A panic of the server's own code, which fails the expression.
    ServerPanic(Arc<str>),
}

impl Str<'_> {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(string) => string,
            Self::Owned(string) => string,
        }
    }

    /// Returns the number of code points.
    pub(crate) fn size(&self) -> u64 {
        code_point_count(self.as_str())
    }
}

/// Returns the number of code points of a string.
pub(crate) fn code_point_count(string: &str) -> u64 {
    if string.is_ascii() {
        string.len() as u64
    } else {
        string.chars().count() as u64
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expression(message) | Self::ServerPanic(message) => f.write_str(message),
            Self::CostLimit => f.write_str("operation cancelled: actual cost limit exceeded"),
        }
    }
}

/// The message of [`EvalError::no_such_overload`].
const NO_OVERLOAD: &str = "no such overload";

impl core::error::Error for EvalError {}

impl EvalError {
    pub(crate) fn new(message: impl Into<Arc<str>>) -> Self {
        Self::Expression(message.into())
    }

    /// Returns the error as an error value, which functions reject.
    pub(crate) fn as_value<'v>(&self) -> Val<'v> {
        match self {
            Self::Expression(message) | Self::ServerPanic(message) => Val::Error(message.clone()),
            _ => Val::Null,
        }
    }

    /// Returns true if the error is [`no_such_overload`](Self::no_such_overload).
    pub(crate) fn is_no_overload(&self) -> bool {
        matches!(self, Self::Expression(message) if &**message == NO_OVERLOAD)
    }

    /// Returns the error of a function that does not accept its arguments.
    pub(crate) fn no_such_overload() -> Self {
        Self::new(NO_OVERLOAD)
    }
}

impl Val<'_> {
    pub(crate) fn string(string: impl Into<Rc<str>>) -> Self {
        Self::String(Str::Owned(string.into()))
    }

    pub(crate) fn list(values: Vec<Self>) -> Self {
        Self::List(Rc::new(values.into()))
    }

    /// Returns the list of strings that a function returns.
    pub(crate) fn strings(values: Vec<Self>) -> Self {
        Self::List(Rc::new(ComputedItems {
            is_strings: true,
            ..values.into()
        }))
    }

    pub(crate) fn map(entries: Vec<(Self, Self)>) -> Self {
        Self::Map(Rc::new(entries.into()))
    }

    /// Marks a list or map as the constant with the id. On a server, each evaluation of a constant
    /// returns the same instance.
    pub(crate) fn into_constant(mut self, id: usize) -> Self {
        let id = NonZero::new(id);
        match &mut self {
            Self::List(list) => {
                if let Some(list) = Rc::get_mut(list) {
                    list.constant = id;
                }
            }
            Self::Map(map) => {
                if let Some(map) = Rc::get_mut(map) {
                    map.constant = id;
                }
            }
            _ => {}
        }
        self
    }

    /// Returns the value as the accumulator of a loop. On a server, a list in an accumulator is a
    /// new list.
    pub(crate) fn into_loop_result(mut self) -> Self {
        if let Self::List(list) = &mut self
            && (list.is_concat || list.constant.is_some())
        {
            let list = Rc::make_mut(list);
            list.is_concat = false;
            list.constant = None;
        }
        self
    }

    /// Returns the value as a variable of `cel.bind`. The server copies an empty list or map,
    /// because the variable may be an accumulator, to which a loop appends.
    pub(crate) fn into_variable(self) -> Self {
        match &self {
            Self::JsonList([], _) => Self::list(Vec::new()),
            Self::AppendedList(appended) if appended.size() == 0 => Self::list(Vec::new()),
            Self::JsonObject(object, _) if object.is_empty() => {
                Self::Map(Rc::new(Vec::new().into()))
            }
            _ => self,
        }
    }

    /// Returns true if the server would store both values at the same address. The server compares
    /// lists, maps and opaque values as keys by their addresses.
    pub(crate) fn is_same_instance(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(left), Self::List(right)) => ComputedItems::is_same_instance(left, right),
            (Self::Map(left), Self::Map(right)) => ComputedItems::is_same_instance(left, right),
            (Self::AppendedList(left), Self::AppendedList(right)) => Rc::ptr_eq(left, right),
            (Self::Opaque(left), Self::Opaque(right)) => left.is_same_instance(right),
            _ => false,
        }
    }

    /// Returns the concatenation of two nonempty lists.
    pub(crate) fn concat(values: Vec<Self>) -> Self {
        Self::List(ComputedItems::concat(values))
    }

    /// Returns a map with added entries.
    pub(crate) fn extended_map(entries: Vec<(Self, Self)>) -> Self {
        Self::Map(ComputedItems::concat(entries))
    }

    /// Returns a present optional value.
    pub(crate) fn some(value: Self) -> Self {
        Self::Optional(Some(Rc::new(value)))
    }

    /// Returns the name of the type, as the CEL function `type()` does.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::List(_) | Self::JsonList(..) | Self::AppendedList(_) => "list",
            Self::Map(_) | Self::JsonObject(..) => "map",
            Self::Unstructured(_) => "unknown",
            Self::Optional(_) => "optional_type",
            Self::Error(_) => "error",
            Self::Type(_) => "type",
            Self::Opaque(opaque) => opaque.type_name(),
        }
    }

    /// Returns the name of the type in a version of Kubernetes.
    pub(crate) fn type_name_in(&self, version: KubeVersion) -> &'static str {
        match self {
            Self::Optional(_) if !version.has(Feature::OptionalTypeName) => "optional",
            value => value.type_name(),
        }
    }

    /// Returns the name of the value's Go type on a server, which some messages contain.
    pub(crate) fn go_type(&self) -> &'static str {
        match self {
            Self::Null => "types.Null",
            Self::Bool(_) => "types.Bool",
            Self::Int(_) => "types.Int",
            Self::Uint(_) => "types.Uint",
            Self::Double(_) => "types.Double",
            Self::String(_) => "types.String",
            Self::Bytes(_) => "types.Bytes",
            Self::Timestamp(_) => "types.Timestamp",
            Self::Duration(_) => "types.Duration",
            Self::List(list) if list.is_concat => "*types.concatList",
            Self::List(_) => "*types.baseList",
            Self::Map(_) => "*types.baseMap",
            Self::AppendedList(list) => match list.storage {
                AppendedStorage::Converted(ListKind::Set, _) => "*common.refValSetList",
                AppendedStorage::Converted(ListKind::Map, _) => "*common.refValMapList",
                _ => "*common.unstructuredList",
            },
            Self::JsonList(..) => "*common.unstructuredList",
            Self::JsonObject(..) | Self::Unstructured(_) => "*common.unstructuredMap",
            Self::Optional(_) => "*types.Optional",
            Self::Error(_) => "*types.Err",
            Self::Type(_) => "*types.Type",
            Self::Opaque(Opaque::ComputedQuantity(_)) => "*cel.Quantity",
            Self::Opaque(Opaque::FormatPointer(_)) => "*cel.Format",
            Self::Opaque(value) => match value.type_name() {
                "kubernetes.URL" => "cel.URL",
                "kubernetes.Quantity" => "cel.Quantity",
                "kubernetes.NamedFormat" => "cel.Format",
                "kubernetes.Semver" => "cel.Semver",
                "net.IP" => "cel.IP",
                _ => "cel.CIDR",
            },
        }
    }

    /// Returns the size for costs: the number of code points, bytes, elements or entries; 1 for
    /// most other values.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::String(string) => string.size(),
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::List(values) => values.len() as u64,
            Self::Map(entries) => entries.len() as u64,
            Self::JsonList(items, _) => items.len() as u64,
            Self::AppendedList(appended) => appended.size() as u64,
            Self::JsonObject(object, _) => object.len() as u64,
            Self::Optional(Some(value)) => value.size(),
            Self::Opaque(value) => value.size(),
            _ => 1,
        }
    }

    /// Returns true if the value is of a type. The types of elements are not checked.
    pub(crate) fn has_type(&self, ty: &Type) -> bool {
        match ty {
            Type::Dyn | Type::Var(_) => true,
            Type::Null => matches!(self, Self::Null),
            Type::Bool => matches!(self, Self::Bool(_)),
            Type::Int => matches!(self, Self::Int(_)),
            Type::Uint => matches!(self, Self::Uint(_)),
            Type::Double => matches!(self, Self::Double(_)),
            Type::String => matches!(self, Self::String(_)),
            Type::Bytes => matches!(self, Self::Bytes(_)),
            Type::Timestamp => matches!(self, Self::Timestamp(_)),
            Type::Duration => matches!(self, Self::Duration(_)),
            Type::List(_) => matches!(
                self,
                Self::List(_) | Self::JsonList(..) | Self::AppendedList(_)
            ),
            Type::Map(_) => matches!(self, Self::Map(_) | Self::JsonObject(..)),
            Type::Optional(_) => matches!(self, Self::Optional(_)),
            Type::Type(_) => matches!(self, Self::Type(_)),
            Type::Opaque(name) => matches!(self, Self::Opaque(value) if value.type_name() == *name),
            Type::Object(_) | Type::Error | Type::Missing(_) => false,
        }
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }
}
