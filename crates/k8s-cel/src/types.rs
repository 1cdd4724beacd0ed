//! The types of CEL.

use core::fmt;

use super::shapes::{ShapeId, ShapeKind, Shapes};

/// How many parts a type may have: literals of maps could double them with every level.
const LARGEST: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Dyn,
    /// The type of what has an error already.
    Error,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    Text,
    Bytes,
    Timestamp,
    Duration,
    List(Box<Type>),
    Map(Box<(Type, Type)>),
    Optional(Box<Type>),
    /// The type of a type.
    Kind(Box<Type>),
    /// An object of the schema.
    Object(ShapeId),
    /// A type of Kubernetes' own functions.
    Opaque(&'static str),
    /// A type that is not known yet.
    Var(u32),
}

/// The names of the types that only functions make.
pub(super) const OPAQUE: [&str; 6] = [
    "kubernetes.URL",
    "kubernetes.Quantity",
    "kubernetes.NamedFormat",
    "kubernetes.Semver",
    "net.IP",
    "net.CIDR",
];

impl Type {
    pub(super) fn list(of: Self) -> Self {
        Self::List(Box::new(of.within(LARGEST)))
    }

    pub(super) fn map(key: Self, value: Self) -> Self {
        Self::Map(Box::new((
            key.within(LARGEST / 2),
            value.within(LARGEST / 2),
        )))
    }

    /// The type, or `dyn` where it has more parts than that.
    fn within(self, parts: usize) -> Self {
        if self.parts() > parts {
            Self::Dyn
        } else {
            self
        }
    }

    fn parts(&self) -> usize {
        1 + match self {
            Self::List(of) | Self::Optional(of) | Self::Kind(of) => of.parts(),
            Self::Map(of) => of.0.parts() + of.1.parts(),
            _ => 0,
        }
    }

    pub(super) fn optional(of: Self) -> Self {
        Self::Optional(Box::new(of.within(LARGEST)))
    }

    /// The type of a shape's values; `None` where rules do not see them.
    pub(super) fn of_shape(shapes: &Shapes, id: ShapeId) -> Option<Self> {
        let shape = shapes.get(id);
        if !shape.is_exposed {
            return None;
        }
        Some(match &shape.kind {
            ShapeKind::IntOrString => Self::Dyn,
            ShapeKind::Bool => Self::Bool,
            ShapeKind::Int => Self::Int,
            ShapeKind::Double => Self::Double,
            ShapeKind::Text => Self::Text,
            ShapeKind::Bytes => Self::Bytes,
            ShapeKind::Date | ShapeKind::DateTime => Self::Timestamp,
            ShapeKind::Duration => Self::Duration,
            ShapeKind::List { items, .. } => Self::list(Self::of_shape(shapes, *items)?),
            ShapeKind::Map(values) => Self::map(Self::Text, Self::of_shape(shapes, *values)?),
            ShapeKind::Object { .. } => Self::Object(id),
            ShapeKind::Unknown | ShapeKind::NoItems | ShapeKind::Untyped => return None,
        })
    }

    pub(super) const fn is_dyn(&self) -> bool {
        matches!(self, Self::Dyn | Self::Error)
    }

    /// Whether null goes where this is asked for.
    pub(super) const fn takes_null(&self) -> bool {
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

    /// Whether values have one size only.
    pub(super) fn is_scalar(&self) -> bool {
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
            Self::Text => "string",
            Self::Bytes => "bytes",
            Self::Timestamp => "timestamp",
            Self::Duration => "duration",
            Self::Object(_) => "object",
            Self::Opaque(name) => name,
            Self::List(of) => return write!(f, "list({of})"),
            Self::Map(of) => return write!(f, "map({}, {})", of.0, of.1),
            Self::Optional(of) => return write!(f, "optional_type({of})"),
            Self::Kind(of) => return write!(f, "type({of})"),
            Self::Var(var) => return write!(f, "_var{var}"),
        })
    }
}
