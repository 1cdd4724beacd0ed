//! Creates strings for schemas of strings.

use serde_json::Value;

use super::pattern::matching_strings;

/// A valid string for each format that servers check. Names do not have dashes. Formats with
/// several values are used in lists, whose items may have to differ.
const FORMAT_EXAMPLES: [(&str, &[&str]); 26] = [
    ("bsonobjectid", &["507f1f77bcf86cd799439011"]),
    ("byte", &["ZXhhbXBsZQ==", "Zm9v"]),
    ("cidr", &["10.0.0.0/24", "fd00::/64"]),
    ("creditcard", &["4111111111111111"]),
    ("date", &["2026-01-01", "2026-01-02"]),
    (
        "datetime",
        &["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"],
    ),
    ("duration", &["1h", "5m"]),
    ("email", &["user@example.com", "admin@example.com"]),
    ("hexcolor", &["#336699"]),
    ("hostname", &["example.com", "www.example.com"]),
    ("ipv4", &["10.0.0.1", "10.0.0.2"]),
    ("ipv6", &["fd00::1", "fd00::2"]),
    ("isbn", &["9780306406157"]),
    ("isbn10", &["0306406152"]),
    ("isbn13", &["9780306406157"]),
    ("k8slongname", &["example.com", "www.example.com"]),
    ("k8sshortname", &["example", "example-2"]),
    ("mac", &["02:00:00:00:00:01", "02:00:00:00:00:02"]),
    ("password", &["example"]),
    ("rgbcolor", &["rgb(51,102,153)"]),
    ("ssn", &["123-45-6789"]),
    ("uri", &["https://example.com", "https://www.example.com"]),
    ("uuid", &["123e4567-e89b-12d3-a456-426614174000"]),
    ("uuid3", &["6fa459ea-ee8a-3ca4-894e-db77e160355e"]),
    ("uuid4", &["16fd2706-8baf-433b-82eb-8c7fada847da"]),
    ("uuid5", &["886313e1-3b8a-5372-9b90-0c9aee199e5d"]),
];

/// The strings that rules often require, because they call functions such as `quantity`, `url`,
/// `ip` or `semver`.
const COMMON_STRINGS: [&str; 20] = [
    "example",
    "a",
    "1",
    "1Gi",
    "1h",
    "example.com",
    "example.com/name",
    "https://example.com",
    "https://example.com/path",
    "10.0.0.1",
    "10.0.0.0/24",
    "fd00::1",
    "1.0.0",
    "v1",
    "*",
    "/",
    "/path",
    "a:b",
    "user@example.com",
    "",
];

const EXAMPLE: &str = "example";

/// Returns strings for a schema, the best first. Most of them satisfy the keywords of the schema.
pub(crate) fn small_strings(schema: &Value) -> Vec<String> {
    let length = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    let min_length = length("minLength").unwrap_or(0);
    let max_length = length("maxLength").unwrap_or(u64::MAX);
    let [min_length, max_length] =
        [min_length, max_length].map(|length| usize::try_from(length).unwrap_or(usize::MAX));
    let is_in_range = |string: &str| (min_length..=max_length).contains(&string.chars().count());
    let mut strings: Vec<String> = Vec::new();
    if let Some(format) = schema.get("format").and_then(Value::as_str) {
        let name = format.replace('-', "");
        let examples = FORMAT_EXAMPLES.iter().find(|(known, _)| *known == name);
        let examples = examples.into_iter().flat_map(|(_, examples)| *examples);
        strings.extend(examples.map(|&example| example.to_owned()));
    }
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        strings.extend(matching_strings(pattern, min_length, max_length));
    }
    if is_in_range(EXAMPLE) {
        strings.push(EXAMPLE.to_owned());
        let numbered = (2..=9).map(|number| format!("{EXAMPLE}-{number}"));
        strings.extend(numbered.filter(|string| is_in_range(string)));
    } else if min_length <= MAX_PADDED_LENGTH {
        let wanted_length = min_length.max(EXAMPLE.len()).min(max_length);
        let letters = EXAMPLE.chars().chain(core::iter::repeat('a'));
        strings.push(letters.take(wanted_length).collect());
        let short_strings = ('a'..='i').map(|letter| {
            let letters = core::iter::repeat_n(letter, wanted_length);
            letters.collect()
        });
        strings.extend(short_strings);
    }
    strings
}

/// The maximum length of a string that is padded to the minimum length of its schema.
const MAX_PADDED_LENGTH: usize = 10_000;

/// Returns the strings that rules often require.
pub fn common_strings() -> impl Iterator<Item = String> {
    COMMON_STRINGS.iter().map(|&string| string.to_owned())
}

#[cfg(test)]
mod tests {
    use k8s_crd_validation::{Request, ServerSettings, StructuralSchema};
    use serde_json::{Value, json};

    use super::{FORMAT_EXAMPLES, small_strings};

    /// Returns true if a schema of a string accepts a string.
    fn accepts(schema: &Value, string: &str) -> bool {
        let schema = json!({"type": "object", "properties": {"a": schema}});
        let schema = StructuralSchema::compiler().schema(&schema).unwrap();
        let mut object = json!({
            "apiVersion": "example.com/v1", "kind": "A", "metadata": {"name": "a"}, "a": string,
        });
        let settings = ServerSettings::default();
        let report = Request::new(&schema, &settings).create(&mut object);
        report.errors().is_empty()
    }

    #[test]
    fn each_format_has_valid_examples() {
        for (format, examples) in FORMAT_EXAMPLES {
            let schema = json!({"type": "string", "format": format});
            // The format is known: another string is invalid.
            assert!(
                format == "password" || !accepts(&schema, "no, not this!"),
                "{format}"
            );
            for example in examples {
                assert!(accepts(&schema, example), "{format}: {example}");
            }
        }
    }

    #[test]
    fn the_first_string_satisfies_the_keywords() {
        for schema in [
            json!({}),
            json!({"minLength": 12}),
            json!({"maxLength": 3}),
            json!({"maxLength": 0}),
            json!({"minLength": 3, "maxLength": 3}),
            json!({"pattern": "^[A-Z]+$", "minLength": 4}),
            json!({"pattern": "^[0-9]+(\\.[0-9]+)?(Gi|Mi)$"}),
            json!({"pattern": "^arn:aws[a-z-]*:iam::[0-9]{12}:role/.+$"}),
            json!({"pattern": "example", "minLength": 20}),
            json!({"format": "date-time"}),
        ] {
            let mut string_schema = schema.clone();
            string_schema["type"] = "string".into();
            let strings = small_strings(&string_schema);
            assert!(
                accepts(&string_schema, &strings[0]),
                "{schema}: {strings:?}"
            );
        }
    }
}
