//! Time zones, as names or as offsets such as `+01:30`.

use std::sync::LazyLock;

use jiff::tz::{TimeZone, TimeZoneDatabase};
use k8s_go_text::duration::NANOS_PER_SECOND;
use k8s_json_internals::quote::GoQuoted;

use super::timestamp::Timestamp;

/// Returns the offset of a time zone from UTC at a time, in seconds.
///
/// The time zone database is part of the program. `Local` is UTC, as on servers.
///
/// # Errors
///
/// Returns the error of an API server if the zone is unknown.
pub(crate) fn utc_offset(zone: &str, time: Timestamp) -> Result<i64, String> {
    if let Some((hours, minutes)) = zone.split_once(':') {
        let (hours, minutes) = (parse_int(hours)?, parse_int(minutes)?);
        let minutes = if zone.starts_with('-') {
            minutes.wrapping_neg()
        } else {
            minutes
        };
        // As in cel-go, an overflow wraps around.
        let nanos = hours
            .wrapping_mul(60)
            .wrapping_add(minutes)
            .wrapping_mul(60 * NANOS_PER_SECOND);
        return Ok(nanos / NANOS_PER_SECOND);
    }
    if matches!(zone, "" | "UTC" | "Local") {
        return Ok(0);
    }
    if zone.contains("..") || zone.starts_with(['/', '\\']) {
        return Err("time: invalid location name".to_owned());
    }
    let time_zone = find_zone(zone)?;
    // CEL's last day is beyond the range of `jiff`. No zone changes its offset on that day.
    let time = jiff::Timestamp::from_second(time.seconds).unwrap_or(jiff::Timestamp::MAX);
    Ok(time_zone.to_offset(time).seconds().into())
}

static TIME_ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// The maximum length of a file name.
const MAX_FILE_NAME_LENGTH: usize = 255;

/// Returns the zone with a name. A server opens a file with this name, so the errors are file
/// system errors.
fn find_zone(path: &str) -> Result<TimeZone, String> {
    if path.contains('\0') {
        return Err("invalid argument".to_owned());
    }
    let segments = path
        .split('/')
        .filter(|segment| !matches!(*segment, "" | "."));
    let mut name = String::new();
    for segment in segments {
        if segment.len() > MAX_FILE_NAME_LENGTH {
            return Err("file name too long".to_owned());
        }
        if !name.is_empty() {
            if zone_by_name(&name).is_some() {
                return Err("not a directory".to_owned());
            }
            name.push('/');
        }
        name.push_str(segment);
    }
    let Some(zone) = zone_by_name(&name) else {
        return Err(if is_folder(&name) {
            "is a directory".to_owned()
        } else {
            format!("unknown time zone {path}")
        });
    };
    if path.ends_with('/') || path.ends_with("/.") {
        return Err("not a directory".to_owned());
    }
    Ok(zone)
}

/// Returns the zone with a name of the database. Names are case-sensitive.
fn zone_by_name(name: &str) -> Option<TimeZone> {
    let zone = TIME_ZONES.get(name).ok()?;
    (zone.iana_name() == Some(name)).then_some(zone)
}

/// Returns true if this is a folder with zones.
fn is_folder(name: &str) -> bool {
    let is_in = |zone: &str| {
        zone.strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    name.is_empty() || TIME_ZONES.available().any(|zone| is_in(zone.as_str()))
}

/// Parses an integer with an optional sign, with the errors of Go's `strconv.Atoi`.
fn parse_int(number: &str) -> Result<i64, String> {
    let digits = number.strip_prefix(['+', '-']).unwrap_or(number);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().map_err(|_| {
        let reason = if is_number {
            "value out of range"
        } else {
            "invalid syntax"
        };
        format!("strconv.Atoi: parsing {}: {reason}", GoQuoted(number))
    })
}

#[cfg(test)]
mod tests {
    use super::utc_offset;
    use crate::values::timestamp::Timestamp;

    #[test]
    fn offsets_are_ahead_of_utc() {
        for (zone, time, seconds) in [
            ("", 0, 0),
            ("Local", 0, 0),
            ("Europe/Berlin", 0, 3600),
            ("Europe/Berlin", 1_593_561_600, 7200),
            ("America/New_York", 2_540_246_400, -4 * 3600),
            ("America/New_York", -8_504_400_000, -17_762),
            ("Europe/Berlin", 253_402_300_799, 3600),
            ("01:00", 0, 3600),
            ("-1:30", 0, -5400),
            ("-00:60", 0, -3600),
            ("1:-2", 0, 58 * 60),
            ("Europe//./Berlin", 0, 3600),
            ("+99:00", 0, 99 * 3600),
        ] {
            let time = Timestamp::new(time, 0).expect("a time");
            assert_eq!(utc_offset(zone, time), Ok(seconds), "{zone}");
        }
    }

    #[test]
    fn messages_match_the_server() {
        for (zone, message) in [
            ("x", "unknown time zone x"),
            ("europe/berlin", "unknown time zone europe/berlin"),
            ("a\\b", "unknown time zone a\\b"),
            ("../x", "time: invalid location name"),
            ("x\0", "invalid argument"),
            ("./Europe", "is a directory"),
            (".", "is a directory"),
            ("Europ", "unknown time zone Europ"),
            ("Europe/Berlin/", "not a directory"),
            ("Europe/Berlin/x", "not a directory"),
            ("/x", "time: invalid location name"),
            ("a:0", "strconv.Atoi: parsing \"a\": invalid syntax"),
            ("+-1:0", "strconv.Atoi: parsing \"+-1\": invalid syntax"),
            ("1:2:3", "strconv.Atoi: parsing \"2:3\": invalid syntax"),
            (
                "9223372036854775808:0",
                "strconv.Atoi: parsing \"9223372036854775808\": value out of range",
            ),
        ] {
            let time = Timestamp::new(0, 0).expect("a time");
            assert_eq!(utc_offset(zone, time), Err(message.to_owned()));
        }
    }
}
