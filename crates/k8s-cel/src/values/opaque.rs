//! Values of the types of Kubernetes. Only functions of the library create and read them.

use core::net::IpAddr;
use std::rc::Rc;

use k8s_go_text::net::cidr::Cidr;
use k8s_go_text::net::url::Url;
use k8s_go_text::quantity::Quantity;
use k8s_go_text::semver::Semver;

use crate::format::CelFormat;

/// A value of a type of Kubernetes.
#[derive(Clone, Debug)]
pub(crate) enum Opaque {
    Quantity(Rc<Quantity>),
    /// A quantity that was computed. The server stores it otherwise.
    ComputedQuantity(Rc<Quantity>),
    Url(Rc<Url>),
    Ip(IpAddr),
    Cidr(Cidr),
    Semver(Rc<Semver>),
    Format(&'static CelFormat),
}

impl Opaque {
    /// Returns the name of the type, as `type()` does.
    pub(crate) const fn type_name(&self) -> &'static str {
        match self {
            Self::Quantity(_) | Self::ComputedQuantity(_) => "kubernetes.Quantity",
            Self::Url(_) => "kubernetes.URL",
            Self::Ip(_) => "net.IP",
            Self::Cidr(_) => "net.CIDR",
            Self::Semver(_) => "kubernetes.Semver",
            Self::Format(_) => "kubernetes.NamedFormat",
        }
    }

    /// Returns true if the server stores both values at the same place in its memory.
    pub(crate) fn is_same_instance(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Quantity(one), Self::Quantity(other))
            | (Self::ComputedQuantity(one), Self::ComputedQuantity(other)) => {
                Rc::ptr_eq(one, other)
            }
            (Self::Url(one), Self::Url(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Returns the size that costs depend on: the bytes of an address, or of a network's prefix.
    pub(crate) const fn size(&self) -> u64 {
        match self {
            Self::Cidr(cidr) => cidr.bits.div_ceil(8) as u64,
            Self::Ip(IpAddr::V4(_)) => 4,
            Self::Ip(IpAddr::V6(_)) => 16,
            _ => 1,
        }
    }

    /// Returns the quantity.
    pub(crate) fn as_quantity(&self) -> Option<&Quantity> {
        match self {
            Self::Quantity(quantity) | Self::ComputedQuantity(quantity) => Some(quantity),
            _ => None,
        }
    }

    /// Returns true if `==` is true. Returns `None` if the server does not compare the two values,
    /// for example a computed quantity.
    pub(crate) fn equals(&self, other: &Self) -> Option<bool> {
        Some(match (self, other) {
            (Self::Quantity(a) | Self::ComputedQuantity(a), Self::Quantity(b)) => a == b,
            (Self::Url(a), Self::Url(b)) => a == b,
            (Self::Ip(a), Self::Ip(b)) => a == b,
            (Self::Cidr(a), Self::Cidr(b)) => a == b,
            (Self::Semver(a), Self::Semver(b)) => a == b,
            (Self::Format(a), Self::Format(b)) => a == b,
            _ => return None,
        })
    }
}
