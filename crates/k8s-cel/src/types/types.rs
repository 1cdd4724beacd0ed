//! The types of CEL.

use core::fmt;

use super::declared::{DeclaredId, DeclaredKind, DeclaredTypes};
use super::feature::Feature;
use super::version::KubeVersion;

/// The maximum number of parts of a type: each level of a map literal could double the parts.
const MAX_PARTS: usize = 256;

/// A type of CEL. `Display` prints it as API servers do: `list(string)`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Type {
    /// Any type, which is known only at the evaluation.
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
    /// A string: `string`.
    String,
    /// Bytes.
    Bytes,
    /// A point in time.
    Timestamp,
    /// A duration.
    Duration,
    /// A list of elements of a type.
    List(Box<Type>),
    /// A map from keys of a type to values of a type.
    Map(Box<(Type, Type)>),
    /// A value that may be absent.
    Optional(Box<Type>),
    /// The type of a type.
    Type(Box<Type>),
    /// An object with a declaration.
    Object(DeclaredId),
    /// A type of the functions of Kubernetes, such as `kubernetes.Quantity`.
    Opaque(&'static str),
    /// A type that is not known yet. No program has this type.
    Var(u32),
}

/// The names of the types whose values only functions create.
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

/// The type parameters of the types with the names `list` and `map`, which always stay unknown.
pub(crate) const PARAMETERS: [Type; 2] = [Type::Var(u32::MAX), Type::Var(u32::MAX - 1)];

impl Type {
    pub(crate) fn list(of: Self) -> Self {
        Self::List(Box::new(of.dyn_if_larger(MAX_PARTS)))
    }

    pub(crate) fn map(key: Self, value: Self) -> Self {
        Self::Map(Box::new((
            key.dyn_if_larger(MAX_PARTS / 2),
            value.dyn_if_larger(MAX_PARTS / 2),
        )))
    }

    /// Returns the type, or `dyn` if the type has more parts than the limit.
    fn dyn_if_larger(self, parts: usize) -> Self {
        if self.parts() > parts {
            Self::Dyn
        } else {
            self
        }
    }

    fn parts(&self) -> usize {
        1 + match self {
            Self::List(of) | Self::Optional(of) | Self::Type(of) => of.parts(),
            Self::Map(of) => of.0.parts() + of.1.parts(),
            _ => 0,
        }
    }

    pub(crate) fn optional(of: Self) -> Self {
        Self::Optional(Box::new(of.dyn_if_larger(MAX_PARTS)))
    }

    /// Returns the type of a declared value; `None` if expressions do not see the value.
    pub(crate) fn from_declared(declared: &DeclaredTypes, mut id: DeclaredId) -> Option<Self> {
        // The loop collects the outer types first and adds them at the end, as the nesting may be
        // deep.
        let mut around: Vec<fn(Self) -> Self> = Vec::new();
        let mut ty = loop {
            let declaration = declared.get(id);
            if !declaration.is_exposed {
                return None;
            }
            break match &declaration.kind {
                DeclaredKind::List { items, .. } => {
                    around.push(Self::list);
                    id = *items;
                    continue;
                }
                DeclaredKind::Map(values) => {
                    around.push(|values| Self::map(Self::String, values));
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
                DeclaredKind::Object(_) => Self::Object(id),
                DeclaredKind::Unknown | DeclaredKind::NoItems | DeclaredKind::Untyped(_) => {
                    return None;
                }
            };
        };
        while let Some(of) = around.pop() {
            ty = of(ty);
        }
        Some(ty)
    }

    /// Returns the name of the type of values of this type, as `type()` does.
    pub(crate) const fn runtime_name(&self) -> &'static str {
        match self {
            Self::Dyn | Self::Error | Self::Var(_) => "dyn",
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

    /// Returns the first version that has the type and all its parts.
    pub(crate) fn since(&self) -> KubeVersion {
        let own = match self {
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
        let own = own.map_or(KubeVersion::EARLIEST, Feature::since);
        match self {
            Self::List(of) | Self::Optional(of) | Self::Type(of) => own.max(of.since()),
            Self::Map(of) => of.0.since().max(of.1.since()),
            _ => own,
        }
    }

    /// Returns true if an unknown type is part of the type.
    pub(crate) fn contains_var(&self, var: u32) -> bool {
        match self {
            Self::Var(other) => *other == var,
            Self::List(of) | Self::Optional(of) | Self::Type(of) => of.contains_var(var),
            Self::Map(of) => of.0.contains_var(var) || of.1.contains_var(var),
            _ => false,
        }
    }

    /// Returns true if only values determine the type, or the type of the elements.
    pub(crate) fn is_dynamic(&self) -> bool {
        match self {
            Self::Dyn | Self::Error | Self::Var(_) => true,
            Self::List(of) | Self::Optional(of) => of.is_dynamic(),
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

    /// Returns true if all values have the same size.
    pub(crate) fn is_scalar(&self) -> bool {
        match self {
            Self::Bool
            | Self::Double
            | Self::Duration
            | Self::Int
            | Self::Timestamp
            | Self::Uint => true,
            Self::Optional(of) => of.is_scalar(),
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
            Self::List(of) => return write!(f, "list({of})"),
            Self::Map(of) => return write!(f, "map({}, {})", of.0, of.1),
            Self::Optional(of) => return write!(f, "optional_type({of})"),
            Self::Type(of) => return write!(f, "type({of})"),
            Self::Var(var) => {
                return match PARAMETERS.iter().position(|parameter| parameter == self) {
                    Some(0) => f.write_str("A"),
                    Some(_) => f.write_str("B"),
                    None => write!(f, "_var{var}"),
                };
            }
        })
    }
}
