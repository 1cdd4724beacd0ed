//! Opaque values, whose types only functions of the Kubernetes libraries create and read.

use core::net::IpAddr;
use std::rc::Rc;

use k8s_go_text::net::cidr::Cidr;
use k8s_go_text::net::url::Url;
use k8s_go_text::quantity::Quantity;
use k8s_go_text::semver::Semver;

use crate::format::CelFormat;

/// A value of an opaque type.
#[derive(Clone, Debug)]
pub(crate) enum Opaque {
    Quantity(Rc<Quantity>),
    /// A computed quantity, which the server stores differently from a parsed one.
    ComputedQuantity(Rc<Quantity>),
    Url(Rc<Url>),
    Ip(IpAddr),
    Cidr(Cidr),
    Semver(Rc<Semver>),
    Format(&'static CelFormat),
    /// A format on a server without [`FormatValues`](crate::Feature::FormatValues).
    FormatPointer(&'static CelFormat),
}

impl Opaque {
    /// Returns the name of the type, as the CEL function `type()` does.
    pub(crate) const fn type_name(&self) -> &'static str {
        match self {
            Self::Quantity(_) | Self::ComputedQuantity(_) => "kubernetes.Quantity",
            Self::Url(_) => "kubernetes.URL",
            Self::Ip(_) => "net.IP",
            Self::Cidr(_) => "net.CIDR",
            Self::Semver(_) => "kubernetes.Semver",
            Self::Format(_) | Self::FormatPointer(_) => "kubernetes.NamedFormat",
        }
    }

    /// Returns true if the server would store both values at the same address.
    pub(crate) fn is_same_instance(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Quantity(left), Self::Quantity(right))
            | (Self::ComputedQuantity(left), Self::ComputedQuantity(right)) => {
                Rc::ptr_eq(left, right)
            }
            (Self::Url(left), Self::Url(right)) => Rc::ptr_eq(left, right),
            (Self::FormatPointer(left), Self::FormatPointer(right)) => core::ptr::eq(*left, *right),
            _ => false,
        }
    }

    /// Returns the size for costs: the number of bytes of an address, or of a network's prefix.
    pub(crate) const fn size(&self) -> u64 {
        match self {
            Self::Cidr(cidr) => cidr.bits.div_ceil(8) as u64,
            Self::Ip(IpAddr::V4(_)) => 4,
            Self::Ip(IpAddr::V6(_)) => 16,
            _ => 1,
        }
    }

    /// Returns the format, if the value is a format.
    pub(crate) const fn as_format(&self) -> Option<&'static CelFormat> {
        match self {
            Self::Format(format) | Self::FormatPointer(format) => Some(format),
            _ => None,
        }
    }

    /// Returns the quantity, if the value is a quantity.
    pub(crate) fn as_quantity(&self) -> Option<&Quantity> {
        match self {
            Self::Quantity(quantity) | Self::ComputedQuantity(quantity) => Some(quantity),
            _ => None,
        }
    }

    /// Returns the result of `==`; `None` if the server cannot compare the two values, for example
    /// if the right side is a computed quantity.
    pub(crate) fn equals(&self, other: &Self) -> Option<bool> {
        Some(match (self, other) {
            (Self::Quantity(a) | Self::ComputedQuantity(a), Self::Quantity(b)) => a == b,
            (Self::Url(a), Self::Url(b)) => a == b,
            (Self::Ip(a), Self::Ip(b)) => a == b,
            (Self::Cidr(a), Self::Cidr(b)) => a == b,
            (Self::Semver(a), Self::Semver(b)) => a == b,
            (Self::Format(a), Self::Format(b))
            | (Self::FormatPointer(a), Self::FormatPointer(b)) => a == b,
            _ => return None,
        })
    }
}
