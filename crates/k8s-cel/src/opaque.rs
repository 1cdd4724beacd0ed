//! Values of Kubernetes' own types, which only functions of the library make and look into.

use std::rc::Rc;

/// A value of one of Kubernetes' own types.
#[derive(Clone, Debug)]
pub(super) enum Opaque {
    Quantity(Rc<Quantity>),
    /// What the crate `kube-cel` makes.
    Foreign(Foreign),
}

/// A quantity such as `1.5Gi`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantity {
    /// In billionths.
    pub(super) nanos: i128,
    /// Whether it was written with parts of a whole, such as `1000m`: then it counts as no integer.
    pub(super) is_fine: bool,
}

/// A value of `kube-cel`.
#[derive(Clone, Debug)]
pub(super) struct Foreign {
    pub(super) type_name: &'static str,
    pub(super) value: kube_cel::cel::Value,
    /// What costs depend on: the bytes of a network's prefix, the length of a format's expression.
    pub(super) size: u64,
}

impl Opaque {
    /// The name of the value's type, as `type()` gives it.
    pub(super) const fn type_name(&self) -> &'static str {
        match self {
            Self::Quantity(_) => "kubernetes.Quantity",
            Self::Foreign(foreign) => foreign.type_name,
        }
    }

    /// What costs depend on.
    pub(super) const fn size(&self) -> u64 {
        match self {
            Self::Quantity(_) => 1,
            Self::Foreign(foreign) => foreign.size,
        }
    }

    /// Whether `==` holds.
    pub(super) fn is_equal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Quantity(a), Self::Quantity(b)) => a.nanos == b.nanos,
            (Self::Foreign(a), Self::Foreign(b)) => {
                a.type_name == b.type_name && a.value == b.value
            }
            _ => false,
        }
    }
}
