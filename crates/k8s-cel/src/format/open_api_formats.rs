//! The table of the formats that Kubernetes checks.

use k8s_go_text::duration;

use super::{checksum, color, date, email, hex, hostname, ip, mac, name, uri, uuid};
use crate::types::feature::Feature;

/// A format, the feature that added it, and its check.
pub(super) type OpenApiFormat = (&'static str, Option<Feature>, fn(&str) -> bool);

/// The formats, sorted by name. Names do not have dashes.
const OPEN_API_FORMATS: [OpenApiFormat; 26] = [
    ("bsonobjectid", None, hex::is_bson_object_id),
    ("byte", None, hex::is_base64),
    ("cidr", None, ip::is_cidr),
    ("creditcard", None, checksum::is_credit_card),
    ("date", None, date::is_date),
    ("datetime", None, date::is_date_time),
    ("duration", None, |string| {
        duration::parse_format_duration(string).is_ok()
    }),
    ("email", None, email::is_email),
    ("hexcolor", None, color::is_hex_color),
    ("hostname", None, hostname::is_hostname),
    ("ipv4", None, ip::is_ipv4),
    ("ipv6", None, ip::is_ipv6),
    ("isbn", None, checksum::is_isbn),
    ("isbn10", None, checksum::is_isbn10),
    ("isbn13", None, checksum::is_isbn13),
    (
        "k8slongname",
        Some(Feature::NameFormats),
        name::is_long_name,
    ),
    (
        "k8sshortname",
        Some(Feature::NameFormats),
        name::is_short_name,
    ),
    ("mac", None, mac::is_mac),
    ("password", None, |_| true),
    ("rgbcolor", None, color::is_rgb_color),
    ("ssn", None, checksum::is_ssn),
    ("uri", None, uri::is_uri),
    ("uuid", None, uuid::is_uuid),
    ("uuid3", None, uuid::is_uuid3),
    ("uuid4", None, uuid::is_uuid4),
    ("uuid5", None, uuid::is_uuid5),
];

/// Returns the format with the name, which must not have dashes.
pub(super) fn find(name: &str) -> Option<&'static OpenApiFormat> {
    let index = OPEN_API_FORMATS.binary_search_by(|(known, ..)| (*known).cmp(name));
    OPEN_API_FORMATS.get(index.ok()?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_sorted_and_without_dashes() {
        assert!(super::OPEN_API_FORMATS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(
            super::OPEN_API_FORMATS
                .iter()
                .all(|(name, ..)| !name.contains('-'))
        );
    }
}
