//! Semantic versions such as `1.2.3-alpha.1+build`, as the Go package `blang/semver` parses them
//! and CEL rules accept them.

use core::cmp::Ordering;
use core::fmt;

use crate::scan::parse_decimal;
use k8s_json_internals::quote::GoQuoted;

/// A semantic version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Semver {
    /// The major version.
    pub major: u64,
    /// The minor version.
    pub minor: u64,
    /// The patch version.
    pub patch: u64,
    prerelease: Prerelease,
    build: BuildMetadata,
}

/// The build metadata, after the plus sign. All build metadata is equal, so that comparisons of
/// versions ignore it.
#[derive(Clone, Debug)]
struct BuildMetadata(Option<Box<str>>);

impl PartialEq for BuildMetadata {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for BuildMetadata {}

impl Ord for BuildMetadata {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl PartialOrd for BuildMetadata {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Semver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (index, identifier) in self.prerelease.0.iter().enumerate() {
            f.write_str(if index == 0 { "-" } else { "." })?;
            match identifier {
                Identifier::Numeric(number) => write!(f, "{number}")?,
                Identifier::AlphaNumeric(word) => f.write_str(word)?,
            }
        }
        match &self.build.0 {
            Some(build) => write!(f, "+{build}"),
            None => Ok(()),
        }
    }
}

/// The prerelease identifiers, after the dash.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Prerelease(Vec<Identifier>);

/// A prerelease identifier. Numeric identifiers precede alphanumeric identifiers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Numeric(u64),
    AlphaNumeric(Box<str>),
}

impl Ord for Prerelease {
    /// Compares two prereleases. A version without a prerelease follows all versions with one.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0.is_empty(), other.0.is_empty()) {
            (false, false) => self.0.cmp(&other.0),
            (is_release, other_is_release) => is_release.cmp(&other_is_release),
        }
    }
}

impl PartialOrd for Prerelease {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Semver {
    /// Parses a version. With `normalize`, the version may start with `v`, its numbers may have
    /// leading zeros, and minor and patch may be missing.
    ///
    /// # Errors
    ///
    /// Returns the error of an API server if the string is not a version.
    pub fn parse(string: &str, normalize: bool) -> Result<Self, String> {
        if normalize {
            parse_strict(&normalize_string(string)?)
        } else {
            parse_strict(string)
        }
    }
}

/// Removes `v` and leading zeros from a version, and adds a missing minor and patch version.
fn normalize_string(string: &str) -> Result<String, String> {
    let string = string.strip_prefix('v').unwrap_or(string);
    let mut numbers: Vec<String> = string.splitn(3, '.').map(strip_leading_zeros).collect();
    if numbers.len() < 3 {
        let has_suffix = numbers
            .last()
            .is_some_and(|number| number.contains(['+', '-']));
        if has_suffix {
            return Err("short version cannot contain PreRelease/Build meta data".to_owned());
        }
        numbers.resize(3, "0".to_owned());
    }
    Ok(numbers.join("."))
}

/// Removes leading zeros from a component of a version. As on an API server, a component without a
/// digit after its zeros gets a zero in front: `V1` becomes `0V1`.
fn strip_leading_zeros(number: &str) -> String {
    if number.len() < 2 {
        return number.to_owned();
    }
    let rest = number.trim_start_matches('0');
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        rest.to_owned()
    } else {
        format!("0{rest}")
    }
}

fn parse_strict(string: &str) -> Result<Semver, String> {
    if string.is_empty() {
        return Err("Version string empty".to_owned());
    }
    let mut parts = string.splitn(3, '.');
    let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return Err("No Major.Minor.Patch elements found".to_owned());
    };
    let major = parse_number(major, "Major", "major")?;
    let minor = parse_number(minor, "Minor", "minor")?;
    let (rest, build) = match rest.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (rest, None),
    };
    let (patch, prerelease) = match rest.split_once('-') {
        Some((patch, prerelease)) => (patch, Some(prerelease)),
        None => (rest, None),
    };
    let patch = parse_number(patch, "Patch", "patch")?;
    let prerelease = prerelease
        .into_iter()
        .flat_map(|prerelease| prerelease.split('.'));
    let prerelease = prerelease.map(parse_identifier).collect::<Result<_, _>>()?;
    for identifier in build.into_iter().flat_map(|build| build.split('.')) {
        check_build_identifier(identifier)?;
    }
    Ok(Semver {
        major,
        minor,
        patch,
        prerelease: Prerelease(prerelease),
        build: BuildMetadata(build.map(Box::from)),
    })
}

/// Parses the major, minor or patch version. `title` and `name` are its name in messages, such as
/// `Major` and `major`.
fn parse_number(string: &str, title: &str, name: &str) -> Result<u64, String> {
    let quoted = GoQuoted(string);
    if !is_number(string) {
        return Err(format!(
            "Invalid character(s) found in {name} number {quoted}"
        ));
    }
    if string.len() > 1 && string.starts_with('0') {
        return Err(format!(
            "{title} number must not contain leading zeroes {quoted}"
        ));
    }
    to_number(string)
}

/// Parses a number with the errors of Go's `strconv.ParseUint`.
fn to_number(string: &str) -> Result<u64, String> {
    let reason = match parse_decimal(string.as_bytes()) {
        Some(number) if !string.is_empty() => return Ok(number),
        Some(_) => "invalid syntax",
        None => "value out of range",
    };
    Err(format!(
        "strconv.ParseUint: parsing {}: {reason}",
        GoQuoted(string)
    ))
}

fn is_number(string: &str) -> bool {
    string.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_alphanumeric(string: &str) -> bool {
    string
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn parse_identifier(string: &str) -> Result<Identifier, String> {
    let quoted = GoQuoted(string);
    if string.is_empty() {
        return Err("Prerelease is empty".to_owned());
    }
    if is_number(string) {
        if string.len() > 1 && string.starts_with('0') {
            return Err(format!(
                "Numeric PreRelease version must not contain leading zeroes {quoted}"
            ));
        }
        return to_number(string).map(Identifier::Numeric);
    }
    if is_alphanumeric(string) {
        return Ok(Identifier::AlphaNumeric(string.into()));
    }
    Err(format!("Invalid character(s) found in prerelease {quoted}"))
}

fn check_build_identifier(string: &str) -> Result<(), String> {
    if string.is_empty() {
        return Err("Build meta data is empty".to_owned());
    }
    if !is_alphanumeric(string) {
        let quoted = GoQuoted(string);
        return Err(format!(
            "Invalid character(s) found in build meta data {quoted}"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Semver;

    #[test]
    fn versions_are_ordered() {
        let strings = [
            "0.0.1-0",
            "0.0.1-1",
            "0.0.1-1.0",
            "0.0.1-1.a",
            "0.0.1-9",
            "0.0.1-10",
            "0.0.1--",
            "0.0.1-A",
            "0.0.1-a",
            "0.0.1-a.1",
            "0.0.1-a.1.0",
            "0.0.1-a1",
            "0.0.1",
            "0.0.2",
            "0.1.0",
            "0.9.0",
            "0.10.0",
            "1.0.0",
            "1.0.18446744073709551615",
        ];
        let versions = strings.map(|string| Semver::parse(string, false).expect(string));
        assert!(versions.is_sorted_by(|a, b| a < b));
        assert_eq!(
            Semver::parse("1.2.3+a", false),
            Semver::parse("1.2.3+b.c", false)
        );
    }

    #[test]
    fn versions_are_normalized() {
        for (string, expected) in [
            ("v1", "1.0.0"),
            ("1.2", "1.2.0"),
            ("01.002.03-a", "1.2.3-a"),
            ("v00.0.000", "0.0.0"),
            ("1.2.3-a.1+b.2", "1.2.3-a.1+b.2"),
        ] {
            let version = Semver::parse(string, true);
            assert_eq!(
                version.map(|version| version.to_string()),
                Ok(expected.to_owned())
            );
        }
    }

    #[test]
    fn messages_are_those_of_the_server() {
        for (string, normalize, message) in [
            ("", false, "Version string empty"),
            ("1.2", false, "No Major.Minor.Patch elements found"),
            (
                "v1.2.3",
                false,
                "Invalid character(s) found in major number \"v1\"",
            ),
            (
                "1.02.3",
                false,
                "Minor number must not contain leading zeroes \"02\"",
            ),
            (
                ".2.3",
                false,
                "strconv.ParseUint: parsing \"\": invalid syntax",
            ),
            (
                "1.2.99999999999999999999",
                false,
                "strconv.ParseUint: parsing \"99999999999999999999\": value out of range",
            ),
            (
                "1.2.3-01",
                false,
                "Numeric PreRelease version must not contain leading zeroes \"01\"",
            ),
            ("1.2.3-", false, "Prerelease is empty"),
            (
                "1.2.3-a_b",
                false,
                "Invalid character(s) found in prerelease \"a_b\"",
            ),
            ("1.2.3+", false, "Build meta data is empty"),
            (
                "1.2.3+a_b",
                false,
                "Invalid character(s) found in build meta data \"a_b\"",
            ),
            (
                "1-a",
                true,
                "short version cannot contain PreRelease/Build meta data",
            ),
            (
                "V1.2",
                true,
                "Invalid character(s) found in major number \"0V1\"",
            ),
        ] {
            let result = Semver::parse(string, normalize);
            assert_eq!(result.err().as_deref(), Some(message), "{string}");
        }
    }
}
