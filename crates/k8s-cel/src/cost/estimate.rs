//! Cost estimates as saturating ranges, and the origins of values, which determine their maximum
//! sizes.

use crate::types::declared::{DeclaredId, DeclaredKind, DeclaredTypes};

/// The minimum and the maximum of a size or a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EstimateRange {
    pub(crate) min: u64,
    pub(crate) max: u64,
}

impl EstimateRange {
    pub(crate) const ZERO: Self = Self::exact(0);
    pub(crate) const ONE: Self = Self::exact(1);
    pub(crate) const UNKNOWN: Self = Self {
        min: 0,
        max: u64::MAX,
    };
    /// The identity of [`Self::union`]: a union with any range is that range.
    const EMPTY: Self = Self {
        min: u64::MAX,
        max: 0,
    };

    pub(crate) const fn exact(value: u64) -> Self {
        Self {
            min: value,
            max: value,
        }
    }

    pub(crate) const fn up_to(max: u64) -> Self {
        Self { min: 0, max }
    }

    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            min: self.min.saturating_add(other.min),
            max: self.max.saturating_add(other.max),
        }
    }

    pub(crate) const fn times(self, other: Self) -> Self {
        Self {
            min: self.min.saturating_mul(other.min),
            max: self.max.saturating_mul(other.max),
        }
    }

    /// Multiplies both bounds by a factor, and rounds up.
    pub(crate) fn times_factor(self, factor: f64) -> Self {
        Self {
            min: multiply(self.min, factor),
            max: multiply(self.max, factor),
        }
    }

    /// Returns a tenth of both bounds, rounded up.
    pub(crate) fn tenths(self) -> Self {
        self.times_factor(0.1)
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Returns the union of several ranges.
    pub(crate) fn union_of(ranges: impl IntoIterator<Item = Self>) -> Self {
        ranges.into_iter().fold(Self::EMPTY, Self::union)
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "cel-go computes with floats, and the cast saturates"
)]
fn multiply(value: u64, factor: f64) -> u64 {
    let product = (value as f64 * factor).ceil();
    product as u64
}

/// The type of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContainerType {
    List,
    Map,
    Unknown,
}

/// The sizes of the keys and of the values of a list or map. The keys of a list are its indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntrySizes {
    pub(crate) container: ContainerType,
    pub(crate) keys: EstimateRange,
    pub(crate) values: EstimateRange,
}

impl EntrySizes {
    pub(crate) fn from_list(sizes: impl ExactSizeIterator<Item = EstimateRange>) -> Self {
        Self {
            container: ContainerType::List,
            keys: EstimateRange::ONE,
            values: union_or_zero(sizes),
        }
    }

    pub(crate) fn from_map(
        keys: impl ExactSizeIterator<Item = EstimateRange>,
        values: impl ExactSizeIterator<Item = EstimateRange>,
    ) -> Self {
        Self {
            container: ContainerType::Map,
            keys: union_or_zero(keys),
            values: union_or_zero(values),
        }
    }

    fn is_known(self) -> bool {
        self.container != ContainerType::Unknown
    }

    /// Returns the union of the entry sizes of two values; `None` if neither value has entry sizes.
    pub(crate) fn union(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(a), Some(b)) if a.is_known() && b.is_known() => Some(Self {
                container: a.container,
                keys: a.keys.union(b.keys),
                values: a.values.union(b.values),
            }),
            (None, None) => None,
            // As on a server, a value that may be a list or a map has entries of size zero.
            _ => Some(Self {
                container: ContainerType::Unknown,
                keys: EstimateRange::ZERO,
                values: EstimateRange::ZERO,
            }),
        }
    }
}

fn union_or_zero(sizes: impl ExactSizeIterator<Item = EstimateRange>) -> EstimateRange {
    if sizes.len() == 0 {
        EstimateRange::ZERO
    } else {
        EstimateRange::union_of(sizes)
    }
}

/// The origin of a value in the schema (`AstNode.Path` of cel-go), which determines its maximum
/// size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueOrigin {
    /// A value that an expression computes.
    Expression,
    /// A value of a declared type.
    Declared(DeclaredId),
    /// A key of a map.
    MapKey,
    Unknown,
}

/// A step from a container to a value inside.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OriginStep<'a> {
    /// An element of a list, or a value of a map.
    Items,
    /// A key of a map.
    Keys,
    /// The index of an element of a list.
    Index,
    Field(&'a str),
}

impl ValueOrigin {
    /// Returns the origin of a value inside this value. As on a server, a value inside a computed
    /// value has the same origin as `self`, whatever the step.
    pub(crate) fn step(
        self,
        declared_types: &DeclaredTypes,
        self_declaration: DeclaredId,
        step: OriginStep<'_>,
    ) -> Self {
        let id = match self {
            Self::Expression => return Self::Declared(self_declaration),
            Self::Declared(id) => id,
            Self::MapKey | Self::Unknown => return Self::Unknown,
        };
        match (&declared_types.get(id).kind, step) {
            (DeclaredKind::List { items, .. }, OriginStep::Items) => Self::Declared(*items),
            (DeclaredKind::Map(values), OriginStep::Items) => Self::Declared(*values),
            (DeclaredKind::Map(_), OriginStep::Keys) => Self::MapKey,
            (DeclaredKind::Object(fields), OriginStep::Field(name)) => {
                let mut fields = fields.iter();
                let field = fields.find(|field| field.escaped.as_deref() == Some(name));
                field.map_or(Self::Unknown, |field| Self::Declared(field.ty))
            }
            _ => Self::Unknown,
        }
    }

    /// Returns the range of sizes of a value with this origin, if the origin determines the size.
    pub(crate) fn size(self, declared_types: &DeclaredTypes) -> Option<EstimateRange> {
        match self {
            Self::Declared(id) => Some(EstimateRange::up_to(declared_types.max_elements(id))),
            Self::MapKey => Some(EstimateRange::ZERO),
            Self::Expression | Self::Unknown => None,
        }
    }
}
