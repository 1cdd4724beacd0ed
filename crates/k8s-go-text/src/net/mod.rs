//! IP addresses, networks and URLs, as Go's `net/netip` and `net/url` parse them.

pub mod cidr;
pub mod ip;
mod quoted_bytes;
pub mod url;

pub use self::quoted_bytes::QuotedBytes;
