//! The types of CEL.

use core::fmt;
use core::ops::Range;

use super::declared::{DeclaredId, DeclaredKind, DeclaredTypes};
use super::feature::Feature;

/// The maximum number of nodes of a type. Without a limit, each level of a map literal could double
/// the number.
const MAX_NODES: usize = 256;

/// A CEL type. `Display` prints the type as API servers do: `list(string)`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Type {
    /// Any type, which is known only at run time.
    Dyn,
    /// The type of an expression with an error. No program has this type.
    Error,
    /// Null.
    Null,
    /// A bool: `true` or `false`.
    Bool,
    /// An integer of 64 bits.
    Int,
    /// An unsigned integer of 64 bits.
    Uint,
    /// A float.
    Double,
    /// A string.
    String,
    /// A sequence of bytes.
    Bytes,
    /// A timestamp.
    Timestamp,
    /// A duration.
    Duration,
    /// A list with elements of a type.
    List(Box<Type>),
    /// A map with the types of its keys and values.
    Map(Box<(Type, Type)>),
    /// An optional value.
    Optional(Box<Type>),
    /// The type of types.
    Type(Box<Type>),
    /// An object with a declared type.
    Object(DeclaredId),
    /// An opaque type of a Kubernetes library, such as `kubernetes.Quantity`.
    Opaque(&'static str),
    /// A type variable. No program has this type.
    Var(u32),
    /// The missing type of a variable: see [`Feature::DynLoopVariables`]. The number identifies the
    /// list, map or optional type that contains the missing type. No program has this type, but a
    /// program may have the type of this type.
    Missing(u32),
}

/// The names of the opaque types, whose values only functions create.
pub(crate) const OPAQUE_NAMES: [&str; 11] = [
    "kubernetes.URL",
    "kubernetes.Quantity",
    "kubernetes.NamedFormat",
    "kubernetes.Semver",
    "net.IP",
    "net.CIDR",
    "kubernetes.authorization.Authorizer",
    "kubernetes.authorization.PathCheck",
    "kubernetes.authorization.GroupCheck",
    "kubernetes.authorization.ResourceCheck",
    "kubernetes.authorization.Decision",
];

/// The type parameters of `list` and `map` in expressions that name these types, such as `type(x)
/// == list`. They are never bound.
pub(crate) const UNBOUND_TYPE_PARAMS: [Type; 2] = [Type::Var(u32::MAX), Type::Var(u32::MAX - 1)];

impl Type {
    pub(crate) fn list(element: Self) -> Self {
        Self::List(Box::new(element.dyn_if_larger(MAX_NODES)))
    }

    pub(crate) fn map(key: Self, value: Self) -> Self {
        Self::Map(Box::new((
            key.dyn_if_larger(MAX_NODES / 2),
            value.dyn_if_larger(MAX_NODES / 2),
        )))
    }

    /// Returns the type, or `dyn` if the type has more nodes than `max_nodes`.
    fn dyn_if_larger(self, max_nodes: usize) -> Self {
        if self.node_count() > max_nodes {
            Self::Dyn
        } else {
            self
        }
    }

    fn node_count(&self) -> usize {
        1 + match self {
            Self::List(element) | Self::Optional(element) | Self::Type(element) => {
                element.node_count()
            }
            Self::Map(entry) => entry.0.node_count() + entry.1.node_count(),
            _ => 0,
        }
    }

    pub(crate) fn optional(element: Self) -> Self {
        Self::Optional(Box::new(element.dyn_if_larger(MAX_NODES)))
    }

    /// Returns the type of a declared value; `None` if expressions cannot read the value.
    pub(crate) fn from_declared(
        declared_types: &DeclaredTypes,
        mut id: DeclaredId,
    ) -> Option<Self> {
        // Nesting may be deep, so a loop collects the containers, outermost first, and applies them
        // at the end.
        let mut containers: Vec<fn(Self) -> Self> = Vec::new();
        let mut ty = loop {
            let declaration = declared_types.get(id);
            if !declaration.is_exposed {
                return None;
            }
            break match &declaration.kind {
                DeclaredKind::List { items, .. } => {
                    containers.push(Self::list);
                    id = *items;
                    continue;
                }
                DeclaredKind::Map(values) => {
                    containers.push(|values| Self::map(Self::String, values));
                    id = *values;
                    continue;
                }
                DeclaredKind::IntOrString => Self::Dyn,
                DeclaredKind::Bool => Self::Bool,
                DeclaredKind::Int => Self::Int,
                DeclaredKind::Double => Self::Double,
                DeclaredKind::String => Self::String,
                DeclaredKind::Bytes => Self::Bytes,
                DeclaredKind::Date | DeclaredKind::DateTime => Self::Timestamp,
                DeclaredKind::Duration => Self::Duration,
                DeclaredKind::Object(_) | DeclaredKind::ObjectWithoutFields => Self::Object(id),
                DeclaredKind::PreserveUnknownFields
                | DeclaredKind::ListWithoutItems
                | DeclaredKind::Untyped(_) => {
                    return None;
                }
            };
        };
        while let Some(wrap) = containers.pop() {
            ty = wrap(ty);
        }
        Some(ty)
    }

    /// Returns the name of the type of values of this type, as the CEL function `type()` does.
    pub(crate) const fn runtime_name(&self) -> &'static str {
        match self {
            Self::Dyn | Self::Error | Self::Var(_) => "dyn",
            Self::Missing(_) => "",
            Self::Null => "null_type",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Duration => "google.protobuf.Duration",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Optional(_) => "optional_type",
            Self::Type(_) => "type",
            Self::Object(_) => "object",
            Self::Opaque(name) => name,
        }
    }

    /// Adds the libraries that declare the type and all types inside, each once.
    pub(crate) fn add_libraries(&self, libraries: &mut Vec<Feature>) {
        let own_library = match self {
            Self::Optional(_) => Some(Feature::Optionals),
            Self::Opaque(name) => match *name {
                "kubernetes.Quantity" => Some(Feature::Quantities),
                "net.IP" | "net.CIDR" => Some(Feature::IpAndCidr),
                "kubernetes.NamedFormat" => Some(Feature::NamedFormats),
                "kubernetes.Semver" => Some(Feature::Semver),
                "kubernetes.URL" => None,
                _ => Some(Feature::Authorizer),
            },
            _ => None,
        };
        libraries.extend(own_library.filter(|library| !libraries.contains(library)));
        match self {
            Self::List(inner) | Self::Optional(inner) | Self::Type(inner) => {
                inner.add_libraries(libraries);
            }
            Self::Map(entry) => {
                entry.0.add_libraries(libraries);
                entry.1.add_libraries(libraries);
            }
            _ => {}
        }
    }

    /// Returns the highest number of the type's variables that is in the range.
    pub(crate) fn last_var(&self, numbers: &Range<u32>) -> Option<u32> {
        match self {
            Self::Var(number) => Some(*number).filter(|number| numbers.contains(number)),
            Self::List(inner) | Self::Optional(inner) | Self::Type(inner) => {
                inner.last_var(numbers)
            }
            Self::Map(entry) => entry.0.last_var(numbers).max(entry.1.last_var(numbers)),
            _ => None,
        }
    }

    /// Returns true if the type is missing, or contains a missing type.
    pub(crate) fn contains_missing(&self) -> bool {
        match self {
            Self::Missing(_) => true,
            Self::List(inner) | Self::Optional(inner) | Self::Type(inner) => {
                inner.contains_missing()
            }
            Self::Map(entry) => entry.0.contains_missing() || entry.1.contains_missing(),
            _ => false,
        }
    }

    pub(super) const fn is_dyn(&self) -> bool {
        matches!(self, Self::Dyn | Self::Error)
    }

    /// Returns true if null is assignable to the type.
    pub(super) const fn accepts_null(&self) -> bool {
        matches!(
            self,
            Self::Null
                | Self::Optional(_)
                | Self::Opaque(_)
                | Self::Object(_)
                | Self::Duration
                | Self::Timestamp
        )
    }

    /// Returns true if cost estimates count every value of the type as size 1.
    pub(crate) fn is_scalar(&self) -> bool {
        match self {
            Self::Bool
            | Self::Double
            | Self::Duration
            | Self::Int
            | Self::Timestamp
            | Self::Uint => true,
            Self::Optional(inner) => inner.is_scalar(),
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dyn => "dyn",
            Self::Error => "!error!",
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Timestamp => "timestamp",
            Self::Duration => "duration",
            Self::Object(_) => "object",
            Self::Opaque(name) => name,
            Self::Missing(_) => "",
            Self::List(inner) => return write!(f, "list({inner})"),
            Self::Map(entry) => return write!(f, "map({}, {})", entry.0, entry.1),
            Self::Optional(inner) => return write!(f, "optional_type({inner})"),
            Self::Type(inner) => return write!(f, "type({inner})"),
            Self::Var(var) => {
                return match UNBOUND_TYPE_PARAMS
                    .iter()
                    .position(|parameter| parameter == self)
                {
                    Some(0) => f.write_str("A"),
                    Some(_) => f.write_str("B"),
                    None => write!(f, "_var{var}"),
                };
            }
        })
    }
}
