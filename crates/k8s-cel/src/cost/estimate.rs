//! The estimate of the maximum cost of an expression: ranges of sizes and costs, which do not
//! overflow.

use crate::types::declared::{DeclaredId, DeclaredKind, DeclaredTypes};

/// The smallest and the largest value of a size or a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) min: u64,
    pub(crate) max: u64,
}

impl Range {
    pub(crate) const ZERO: Self = Self::exactly(0);
    pub(crate) const ONE: Self = Self::exactly(1);
    pub(crate) const UNKNOWN: Self = Self {
        min: 0,
        max: u64::MAX,
    };
    /// The start of a union of several ranges.
    const NONE: Self = Self {
        min: u64::MAX,
        max: 0,
    };

    pub(crate) const fn exactly(value: u64) -> Self {
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

    /// Multiplies the range with a factor, and rounds up.
    pub(crate) fn factor(self, each: f64) -> Self {
        Self {
            min: factor(self.min, each),
            max: factor(self.max, each),
        }
    }

    /// Returns a tenth of the range, rounded up.
    pub(crate) fn tenths(self) -> Self {
        self.factor(0.1)
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Returns the union of several ranges.
    pub(crate) fn all(ranges: impl IntoIterator<Item = Self>) -> Self {
        ranges.into_iter().fold(Self::NONE, Self::union)
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "upstream computes with floats, and the cast saturates"
)]
fn factor(value: u64, each: f64) -> u64 {
    let product = (value as f64 * each).ceil();
    product as u64
}

/// The kind of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    List,
    Map,
    Unknown,
}

/// The sizes of the keys and values of a list or map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries {
    pub(crate) of: Container,
    pub(crate) keys: Range,
    pub(crate) values: Range,
}

impl Entries {
    pub(crate) fn of_list(sizes: impl ExactSizeIterator<Item = Range>) -> Self {
        Self {
            of: Container::List,
            keys: Range::ONE,
            values: sizes_of(sizes),
        }
    }

    pub(crate) fn of_map(
        keys: impl ExactSizeIterator<Item = Range>,
        values: impl ExactSizeIterator<Item = Range>,
    ) -> Self {
        Self {
            of: Container::Map,
            keys: sizes_of(keys),
            values: sizes_of(values),
        }
    }

    fn is_known(self) -> bool {
        self.of != Container::Unknown
    }

    pub(crate) fn union(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(a), Some(b)) if a.is_known() && b.is_known() => Some(Self {
                of: a.of,
                keys: a.keys.union(b.keys),
                values: a.values.union(b.values),
            }),
            (None, None) => None,
            // As in the server, a value that may be either a list or a map does not have sizes of
            // entries.
            _ => Some(Self {
                of: Container::Unknown,
                keys: Range::ZERO,
                values: Range::ZERO,
            }),
        }
    }
}

fn sizes_of(sizes: impl ExactSizeIterator<Item = Range>) -> Range {
    if sizes.len() == 0 {
        Range::ZERO
    } else {
        Range::all(sizes)
    }
}

/// The origin of a value in the schema, which determines its maximum size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A value of an expression.
    Nowhere,
    Declared(DeclaredId),
    /// A key of a map.
    Key,
    Unknown,
}

/// A step from a value to a value inside.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    Items,
    Keys,
    Index,
    Field(&'a str),
}

impl Place {
    /// Returns the place of a value inside a value. As in the server, a value inside a value of an
    /// expression counts as `self`.
    pub(crate) fn step(self, declared: &DeclaredTypes, node: DeclaredId, step: Step<'_>) -> Self {
        let id = match self {
            Self::Nowhere => return Self::Declared(node),
            Self::Declared(id) => id,
            Self::Key | Self::Unknown => return Self::Unknown,
        };
        match (&declared.get(id).kind, step) {
            (DeclaredKind::List { items, .. }, Step::Items) => Self::Declared(*items),
            (DeclaredKind::Map(values), Step::Items) => Self::Declared(*values),
            (DeclaredKind::Map(_), Step::Keys) => Self::Key,
            (DeclaredKind::Object(fields), Step::Field(name)) => {
                let mut fields = fields.iter();
                let field = fields.find(|field| field.escaped.as_deref() == Some(name));
                field.map_or(Self::Unknown, |field| Self::Declared(field.ty))
            }
            _ => Self::Unknown,
        }
    }

    /// Returns the size of the value at the place.
    pub(crate) fn size(self, declared: &DeclaredTypes) -> Option<Range> {
        match self {
            Self::Declared(id) => Some(Range::up_to(declared.max_elements(id))),
            Self::Key => Some(Range::ZERO),
            Self::Nowhere | Self::Unknown => None,
        }
    }
}
