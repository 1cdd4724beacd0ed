//! The formats `k8s-short-name` and `k8s-long-name`; see
//! [`NameFormats`](crate::Feature::NameFormats).

use k8s_go_text::name::{is_dns1123_label, is_dns1123_subdomain};

/// Returns true for a DNS label of at most 63 bytes.
pub(super) fn is_short_name(string: &str) -> bool {
    string.len() <= 63 && is_dns1123_label(string.as_bytes())
}

/// Returns true for a DNS subdomain of at most 253 bytes. Unlike a short name, a label may have
/// more than 63 bytes.
pub(super) fn is_long_name(string: &str) -> bool {
    string.len() <= 253 && is_dns1123_subdomain(string)
}
