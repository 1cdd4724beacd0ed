//! Tests that a hostile source exceeds neither the bounds of memory nor the bounds of allocations.

use std::fmt::Write as _;

use allocation_counter::{AllocationInfo, measure};

/// Parses a source, and returns the allocations and the result.
fn parse(text: &str) -> (AllocationInfo, Result<usize, String>) {
    let mut result = Ok(0);
    let allocations = measure(|| {
        let values = k8s_yaml::parse(text);
        result = values
            .map(|values| values.len())
            .map_err(|error| error.message);
    });
    (allocations, result)
}

/// Asserts that a source is valid and needs memory in proportion to its length.
#[track_caller]
fn assert_linear(text: &str) {
    let (allocations, result) = parse(text);
    assert_eq!(result, Ok(1), "{text:.100}");
    let limit = 100 * u64::try_from(text.len()).unwrap();
    assert!(
        allocations.bytes_total < limit,
        "{allocations:?} of {limit}: {text:.100}"
    );
}

#[test]
fn a_long_prefix_of_tags_is_not_repeated() {
    let prefix = "x".repeat(100_000);
    for tag in ["!a!b", "!a!%20", "!b", "!!c"] {
        let handle = &tag[..=tag.rfind('!').unwrap()];
        let values = format!("- {tag} v\n").repeat(10_000);
        assert_linear(&format!("%TAG {handle} {prefix}\r---\r{values}"));
    }
    let values = format!("- !{prefix} v\n").repeat(10);
    assert_linear(&values);
    assert_linear(&values.replace(&format!("!{prefix}"), &format!("!<{prefix}>")));
}

#[test]
fn directives_are_limited() {
    // kubectl separates documents at `---` after a line feed, so other line breaks are used.
    let source = |count: usize| {
        let mut text = String::new();
        for i in 0..count {
            write!(text, "%TAG !a{i}! tag:yaml.org,2002:\r").unwrap();
        }
        text + "---\r- !a0!str 1\n- !a99!int \"2\"\n"
    };
    let values = k8s_yaml::parse(&source(100)).unwrap();
    assert_eq!(values, [serde_json::json!(["1", 2])]);
    for count in [101, 100_000] {
        let (allocations, result) = parse(&source(count));
        let expected = "the document exceeds the limit of 100 directives %TAG; remove some";
        assert_eq!(result, Err(expected.to_owned()));
        let length = u64::try_from(source(count).len()).unwrap();
        assert!(
            allocations.bytes_total < 4 * length + 100_000,
            "{allocations:?}"
        );
    }
}

#[test]
fn keys_and_values_are_limited() {
    // The map, the key and the list count, too. The ends of the map and of the lists do not count.
    let full = format!("{{\"a\": [{}[]]}}", "[],".repeat(2_000_000 - 5));
    let value_of_last_document = |text: &str| {
        let document = k8s_yaml::Documents::new(text).last().unwrap();
        document.value().map_err(|error| error.message)
    };
    assert_eq!(
        value_of_last_document(&format!("{full}{{}}")),
        Ok(serde_json::json!({}))
    );
    let error = "the input exceeds the limit of 2000000 keys and values; split the input";
    assert_eq!(
        value_of_last_document(&format!("{full}{{\"a\": 1}}")),
        Err(error.to_owned())
    );
}

/// For a token, the scanner allocates only the token's string.
#[test]
fn tokens_and_events_make_no_other_strings() {
    let entry_count = 10_000;
    for (entry, limit) in [
        // A string of the token, the key, and the nodes of the map.
        ("- a\n", 2),
        ("- [a, b]\n", 5),
        ("- {}\n", 1),
        ("- 1\n", 1),
        ("- 1.5\n", 1),
        ("- -0x1F\n", 1),
        ("- \"a\"\n", 2),
        ("- !!str a\n", 5),
        ("- &a a\n", 3),
    ] {
        let (allocations, result) = parse(&entry.repeat(entry_count));
        assert_eq!(result, Ok(1), "{entry}");
        let count = allocations.count_total / u64::try_from(entry_count).unwrap();
        assert!(count <= limit, "{count} allocations for {entry:?}");
    }
}
