//! Versions such as `1.2.3-alpha.1+build`, as the Go package `blang/semver` parses them and CEL
//! rules accept them.

use core::cmp::Ordering;
use core::fmt;

use crate::scan::parse_decimal;
use k8s_json_internals::quote::GoQuoted;

/// A semantic version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Semver {
    /// The first number.
    pub major: u64,
    /// The second number.
    pub minor: u64,
    /// The third number.
    pub patch: u64,
    prerelease: Prerelease,
    build: BuildMetadata,
}

/// The part after the plus sign, which does not count in comparisons.
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
        for (at, part) in self.prerelease.0.iter().enumerate() {
            f.write_str(if at == 0 { "-" } else { "." })?;
            match part {
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

/// The parts after the dash, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Prerelease(Vec<Identifier>);

/// A part of a stage; numbers precede words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Numeric(u64),
    AlphaNumeric(Box<str>),
}

impl Ord for Prerelease {
    /// Compares two stages. A version without a stage follows the versions with a stage.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0.is_empty(), other.0.is_empty()) {
            (false, false) => self.0.cmp(&other.0),
            (one, two) => one.cmp(&two),
        }
    }
}

impl PartialOrd for Prerelease {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Semver {
    /// Parses a version. With `normalize`, the version may begin with a `v` and numbers with zeros,
    /// and the last numbers may be missing.
    ///
    /// # Errors
    ///
    /// Returns the error message of an API server if the string is not a version.
    pub fn parse(text: &str, normalize: bool) -> Result<Self, String> {
        if normalize {
            parse_strict(&normalized(text)?)
        } else {
            parse_strict(text)
        }
    }
}

fn normalized(text: &str) -> Result<String, String> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let mut parts: Vec<String> = text.splitn(3, '.').map(without_zeros).collect();
    if parts.len() < 3 {
        let has_more = parts.last().is_some_and(|part| part.contains(['+', '-']));
        if has_more {
            return Err("short version cannot contain PreRelease/Build meta data".to_owned());
        }
        parts.resize(3, "0".to_owned());
    }
    Ok(parts.join("."))
}

fn without_zeros(part: &str) -> String {
    if part.len() < 2 {
        return part.to_owned();
    }
    let rest = part.trim_start_matches('0');
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        rest.to_owned()
    } else {
        format!("0{rest}")
    }
}

fn parse_strict(text: &str) -> Result<Semver, String> {
    if text.is_empty() {
        return Err("Version string empty".to_owned());
    }
    let mut parts = text.splitn(3, '.');
    let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return Err("No Major.Minor.Patch elements found".to_owned());
    };
    let major = parse_number(major, "Major", "major")?;
    let minor = parse_number(minor, "Minor", "minor")?;
    let (rest, build) = match rest.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (rest, None),
    };
    let (patch, stage) = match rest.split_once('-') {
        Some((patch, stage)) => (patch, Some(stage)),
        None => (rest, None),
    };
    let patch = parse_number(patch, "Patch", "patch")?;
    let stage = stage.into_iter().flat_map(|stage| stage.split('.'));
    let stage = stage.map(parse_identifier).collect::<Result<_, _>>()?;
    for part in build.into_iter().flat_map(|build| build.split('.')) {
        check_build(part)?;
    }
    Ok(Semver {
        major,
        minor,
        patch,
        prerelease: Prerelease(stage),
        build: BuildMetadata(build.map(Box::from)),
    })
}

fn parse_number(text: &str, title: &str, name: &str) -> Result<u64, String> {
    let quoted = GoQuoted(text);
    if !is_number(text) {
        return Err(format!(
            "Invalid character(s) found in {name} number {quoted}"
        ));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(format!(
            "{title} number must not contain leading zeroes {quoted}"
        ));
    }
    to_number(text)
}

fn to_number(text: &str) -> Result<u64, String> {
    let why = match parse_decimal(text.as_bytes()) {
        Some(number) if !text.is_empty() => return Ok(number),
        Some(_) => "invalid syntax",
        None => "value out of range",
    };
    Err(format!(
        "strconv.ParseUint: parsing {}: {why}",
        GoQuoted(text)
    ))
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_word(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn parse_identifier(text: &str) -> Result<Identifier, String> {
    let quoted = GoQuoted(text);
    if text.is_empty() {
        return Err("Prerelease is empty".to_owned());
    }
    if is_number(text) {
        if text.len() > 1 && text.starts_with('0') {
            return Err(format!(
                "Numeric PreRelease version must not contain leading zeroes {quoted}"
            ));
        }
        return to_number(text).map(Identifier::Numeric);
    }
    if is_word(text) {
        return Ok(Identifier::AlphaNumeric(text.into()));
    }
    Err(format!("Invalid character(s) found in prerelease {quoted}"))
}

fn check_build(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("Build meta data is empty".to_owned());
    }
    if !is_word(text) {
        let quoted = GoQuoted(text);
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
    fn versions_have_an_order() {
        let texts = [
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
        let versions = texts.map(|text| Semver::parse(text, false).expect(text));
        assert!(versions.is_sorted_by(|a, b| a < b));
        assert_eq!(
            Semver::parse("1.2.3+a", false),
            Semver::parse("1.2.3+b.c", false)
        );
    }

    #[test]
    fn versions_are_normalized() {
        for (text, wanted) in [
            ("v1", "1.0.0"),
            ("1.2", "1.2.0"),
            ("01.002.03-a", "1.2.3-a"),
            ("v00.0.000", "0.0.0"),
            ("1.2.3-a.1+b.2", "1.2.3-a.1+b.2"),
        ] {
            let version = Semver::parse(text, true);
            assert_eq!(
                version.map(|version| version.to_string()),
                Ok(wanted.to_owned())
            );
        }
    }

    #[test]
    fn what_is_wrong_is_said_as_a_server_says_it() {
        for (text, normalize, said) in [
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
            let found = Semver::parse(text, normalize);
            assert_eq!(found.err().as_deref(), Some(said), "{text}");
        }
    }
}
