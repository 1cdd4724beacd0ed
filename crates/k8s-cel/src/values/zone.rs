//! Time zones: names, or offsets such as `+01:30`.

use std::sync::LazyLock;

use jiff::tz::{TimeZone, TimeZoneDatabase};
use k8s_go_text::duration::NANOS_PER_SECOND;
use k8s_json_internals::quote::GoQuoted;

use super::timestamp::Timestamp;

/// Returns the number of seconds that a zone is ahead of UTC at a time.
///
/// The zones are in a table inside this program. `Local` is UTC, as on servers.
///
/// # Errors
///
/// Returns an error if the zone is unknown, with the message of an API server.
pub(crate) fn utc_offset(zone: &str, time: Timestamp) -> Result<i64, String> {
    if let Some((hours, minutes)) = zone.split_once(':') {
        let (hours, minutes) = (parse_int(hours)?, parse_int(minutes)?);
        let minutes = if zone.starts_with('-') {
            minutes.wrapping_neg()
        } else {
            minutes
        };
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
    let found = zone_at_path(zone)?;
    // The last day is beyond the range of `jiff`. No zone changes its offset on that day.
    let time = jiff::Timestamp::from_second(time.seconds).unwrap_or(jiff::Timestamp::MAX);
    Ok(found.to_offset(time).seconds().into())
}

static TIME_ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// The maximum length of a file name.
const MAX_FILE_NAME_LENGTH: usize = 255;

/// Returns the zone of a name. To a server the name is a path of a file, and the errors are the
/// errors of its operating system.
fn zone_at_path(path: &str) -> Result<TimeZone, String> {
    if path.contains('\0') {
        return Err("invalid argument".to_owned());
    }
    let steps = path.split('/').filter(|step| !matches!(*step, "" | "."));
    let mut name = String::new();
    for step in steps {
        if step.len() > MAX_FILE_NAME_LENGTH {
            return Err("file name too long".to_owned());
        }
        if !name.is_empty() {
            if named(&name).is_some() {
                return Err("not a directory".to_owned());
            }
            name.push('/');
        }
        name.push_str(step);
    }
    let Some(zone) = named(&name) else {
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

/// Returns the zone of a name. Names are case-sensitive.
fn named(name: &str) -> Option<TimeZone> {
    let zone = TIME_ZONES.get(name).ok()?;
    (zone.iana_name() == Some(name)).then_some(zone)
}

/// Returns true if names of zones start with this folder.
fn is_folder(name: &str) -> bool {
    let is_in = |zone: &str| {
        zone.strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    name.is_empty() || TIME_ZONES.available().any(|zone| is_in(zone.as_str()))
}

/// Parses an integer, with or without a sign.
fn parse_int(text: &str) -> Result<i64, String> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().map_err(|_| {
        let why = if is_number {
            "value out of range"
        } else {
            "invalid syntax"
        };
        format!("strconv.Atoi: parsing {}: {why}", GoQuoted(text))
    })
}

#[cfg(test)]
mod tests {
    use super::utc_offset;
    use crate::values::timestamp::Timestamp;

    #[test]
    fn zones_are_ahead_of_utc() {
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
    fn what_is_wrong_is_said_as_a_server_says_it() {
        for (zone, said) in [
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
            assert_eq!(utc_offset(zone, time), Err(said.to_owned()));
        }
    }
}
