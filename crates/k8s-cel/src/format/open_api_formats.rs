//! The table of the formats that Kubernetes checks.

use k8s_go_text::duration;

use super::{checksum, color, date, email, hex, hostname, ip, mac, name, uri, uuid};

/// The name of a format, the minor version that added it, and its check.
pub(super) type OpenApiFormat = (&'static str, u16, fn(&str) -> bool);

/// The formats, sorted by name. Names do not have dashes.
const OPEN_API_FORMATS: [OpenApiFormat; 26] = [
    ("bsonobjectid", 0, hex::is_bson_object_id),
    ("byte", 0, hex::is_base64),
    ("cidr", 0, ip::is_cidr),
    ("creditcard", 0, checksum::is_credit_card),
    ("date", 0, date::is_date),
    ("datetime", 0, date::is_date_time),
    ("duration", 0, |string| {
        duration::parse_format_duration(string).is_ok()
    }),
    ("email", 0, email::is_email),
    ("hexcolor", 0, color::is_hex_color),
    ("hostname", 0, hostname::is_hostname),
    ("ipv4", 0, ip::is_ipv4),
    ("ipv6", 0, ip::is_ipv6),
    ("isbn", 0, checksum::is_isbn),
    ("isbn10", 0, checksum::is_isbn10),
    ("isbn13", 0, checksum::is_isbn13),
    ("k8slongname", 34, name::is_long_name),
    ("k8sshortname", 34, name::is_short_name),
    ("mac", 0, mac::is_mac),
    ("password", 0, |_| true),
    ("rgbcolor", 0, color::is_rgb_color),
    ("ssn", 0, checksum::is_ssn),
    ("uri", 0, uri::is_uri),
    ("uuid", 0, uuid::is_uuid),
    ("uuid3", 0, uuid::is_uuid3),
    ("uuid4", 0, uuid::is_uuid4),
    ("uuid5", 0, uuid::is_uuid5),
];

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
