//! Strings for which the functions of CEL have different results.

use serde_json::Value;

use super::solver::{Solver, interleaved};
use crate::edges::strings::near_misses;
use crate::sample::pattern::{Lengths, matching_strings, strings_of_one};

/// The maximum number of patterns of other rules that a pattern is compared with.
const OTHER_PATTERNS: usize = 3;

/// A function of a string whose result is a boolean, the strings for which it is true, and strings
/// for which it is false.
type PredicateRow = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const PREDICATES: [PredicateRow; 6] = [
    (
        "isIP",
        &["10.0.0.1", "fd00::1"],
        &["example", "10.0.0.256", ""],
    ),
    (
        "ip.isCanonical",
        &["10.0.0.1", "fd00::1"],
        &["fd00:0::1", "FD00::1"],
    ),
    (
        "isCIDR",
        &["10.0.0.0/24", "fd00::/64"],
        &["example", "10.0.0.1", ""],
    ),
    (
        "isURL",
        &["https://example.com/path?query=1", "/path"],
        &["example", "example.com", ""],
    ),
    (
        "isQuantity",
        &["1Gi", "1", "500m"],
        &["example", "1 Gi", ""],
    ),
    (
        "isSemver",
        &["1.0.0", "1.2.3-alpha.1"],
        &["example", "v1.0.0", "1.0", ""],
    ),
];

/// Functions, each with strings for which their results differ. The functions of an address, a URL,
/// a quantity and so on stand for the function that reads a string as such a value.
const EXAMPLES: [(&[&str], &[&str]); 12] = [
    (
        &["ip", "isLoopback", "isUnspecified", "family"],
        &[
            "10.0.0.1",
            "127.0.0.1",
            "::1",
            "fd00::1",
            "0.0.0.0",
            "8.8.8.8",
            "224.0.0.1",
            "169.254.0.1",
        ],
    ),
    (
        &[
            "cidr",
            "containsIP",
            "containsCIDR",
            "prefixLength",
            "masked",
        ],
        &[
            "10.0.0.0/24",
            "10.0.0.1/24",
            "10.0.0.0/8",
            "10.0.0.1/32",
            "0.0.0.0/0",
            "fd00::/64",
        ],
    ),
    (
        &["url"],
        &[
            "https://example.com/path?query=1",
            "http://example.com:8080",
            "ftp://user@example.com",
            "/path",
            "http://[fd00::1]",
        ],
    ),
    (
        &["quantity"],
        &["0", "1", "-1", "500m", "1Gi", "100Gi", "1k"],
    ),
    (
        &["semver"],
        &["1.0.0", "0.0.1", "2.0.0", "1.2.3-alpha.1", "10.20.30"],
    ),
    (
        &["duration"],
        &["0s", "1s", "5m", "1h", "24h", "8760h", "-1h", "1ms"],
    ),
    (
        &["timestamp"],
        &[
            "2026-01-01T00:00:00Z",
            "1970-01-01T00:00:00Z",
            "2100-06-15T12:30:45.5Z",
        ],
    ),
    (
        &["int", "uint", "double"],
        &["0", "1", "-1", "10", "100", "70000"],
    ),
    (
        &["lowerAscii", "upperAscii"],
        &["example", "EXAMPLE", "Example"],
    ),
    (&["trim"], &[" example ", "example"]),
    (
        &[
            "split",
            "join",
            "replace",
            "substring",
            "charAt",
            "indexOf",
            "lastIndexOf",
        ],
        &[
            "", "a", "ab", "example", "a,b", "a-b-c", "a.b", "a/b/c", "a:b",
        ],
    ),
    (
        &["validate", "format.named"],
        &[
            "example",
            "example.com",
            "a/b",
            "Example",
            "-a",
            "a_b",
            "1a",
            "a!",
            "",
            "https://example.com",
            "123e4567-e89b-12d3-a456-426614174000",
            "2026-01-01",
            "2026-01-01T00:00:00Z",
            "Zm9v",
            "a-",
        ],
    ),
];

/// Returns strings for which the results of a function differ.
pub(super) fn examples(function: &str) -> &'static [&'static str] {
    let row = EXAMPLES.iter().find(|(names, _)| names.contains(&function));
    row.map_or(&[], |(_, strings)| *strings)
}

impl Solver {
    /// Returns strings for which a function of a string has a result; `None` for a function whose
    /// result is not known. `argument` is the argument of the function beside the string, and
    /// `others` are strings that the schema of the string accepts.
    pub(super) fn strings_for(
        &self,
        function: &str,
        argument: Option<&Value>,
        wanted: bool,
        others: &[String],
    ) -> Option<Vec<String>> {
        if let Some((_, good, bad)) = PREDICATES.iter().find(|(name, ..)| *name == function) {
            let strings = if wanted { good } else { bad };
            let others = others.iter().filter(|_| !wanted);
            let strings = strings.iter().map(|&string| string.to_owned());
            return Some(strings.chain(others.cloned()).collect());
        }
        let part = argument.and_then(Value::as_str)?;
        let mut strings: Vec<String> = match function {
            "contains" | "startsWith" | "endsWith" => {
                let mut strings = vec![
                    part.to_owned(),
                    format!("{part}a"),
                    format!("a{part}"),
                    format!("a{part}a"),
                    format!("a.{part}"),
                    format!("{part}example.com"),
                ];
                let joined = others.iter().take(2);
                strings.extend(
                    joined.flat_map(|other| [format!("{part}{other}"), format!("{other}{part}")]),
                );
                strings
            }
            "matches" => self.strings_for_pattern(part, wanted),
            _ => return None,
        };
        strings.extend(others.iter().cloned());
        strings.push(String::new());
        strings.push("a".to_owned());
        strings.retain(|string| self.has_result(function, string, part, wanted));
        Some(strings)
    }

    /// Returns strings that match a pattern or not, and strings for which another rule has another
    /// result.
    fn strings_for_pattern(&self, pattern: &str, wanted: bool) -> Vec<String> {
        let matching = matching_strings(pattern, 0, usize::MAX);
        let mut samples: Vec<String> = matching.iter().take(6).cloned().collect();
        samples.extend(matching.iter().take(2).flat_map(|it| near_misses(it)));
        samples.retain(|string| self.matches(pattern, string) == wanted);
        let others = self.other_patterns.iter().map(String::as_str);
        let others = others.filter(|other| *other != pattern);
        let any_string = (!wanted).then_some("");
        let of_others = others.take(OTHER_PATTERNS).chain(any_string);
        let distinguishing = of_others.map(|other| {
            let [matching, other] = if wanted {
                [pattern, other]
            } else {
                [other, pattern]
            };
            strings_of_one(matching, Some(other), Lengths::ANY)
        });
        let lists = std::iter::once(samples).chain(distinguishing);
        interleaved(lists.collect())
    }

    /// Returns true if a function of a string and a part has the wanted result.
    pub(super) fn has_result(
        &self,
        function: &str,
        string: &str,
        part: &str,
        wanted: bool,
    ) -> bool {
        let result = match function {
            "contains" => string.contains(part),
            "startsWith" => string.starts_with(part),
            "endsWith" => string.ends_with(part),
            _ => self.matches(part, string),
        };
        result == wanted
    }
}
