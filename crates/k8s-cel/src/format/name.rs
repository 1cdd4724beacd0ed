//! The formats `k8s-short-name` and `k8s-long-name`, since 1.34.

use k8s_go_text::name::{is_dns1123_label, is_dns1123_subdomain};

/// Returns true for a name of one part, of up to 63 bytes.
pub(super) fn is_short_name(text: &str) -> bool {
    text.len() <= 63 && is_dns1123_label(text.as_bytes())
}

/// Returns true for parts with dots between them, of up to 253 bytes. A part may be longer than a
/// short name.
pub(super) fn is_long_name(text: &str) -> bool {
    text.len() <= 253 && is_dns1123_subdomain(text)
}
