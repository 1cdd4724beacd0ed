//! Values that sigs.k8s.io/yaml printed: each line of `emitted.jsonl` is a value with its YAML. The
//! Go program of `tests/reference/yaml` prints the same lines if it reads the file, and
//! `tests/reference/run` compares its results with the file.

use serde_json::{Value, json};

#[test]
fn prints_values_as_go_does() {
    let lines = include_str!("emitted.jsonl").lines();
    let differences: Vec<String> = lines
        .clone()
        .filter_map(|line| {
            let case: Value = serde_json::from_str(line).expect("a line is JSON");
            let ours = k8s_yaml::to_yaml(&case["emit"]);
            (case["text"] != *ours).then(|| format!("{line}\n  ours {ours:?}"))
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(lines.count() > 400);
}

/// Go cannot print these values, because it first reads their JSON as YAML.
#[test]
fn prints_values_that_go_rejects() {
    for (value, expected) in [
        (json!({"a": "\u{7f}"}), "a: \"\\x7F\"\n".to_owned()),
        (json!({"\u{9f}": 1}), "\"\\x9F\": 1\n".to_owned()),
        (json!({"a": "\u{ffff}"}), "a: \"\\uFFFF\"\n".to_owned()),
        (json!({"a\u{85}b": 1}), "? \"a\\Nb\"\n: 1\n".to_owned()),
        (
            json!({"a".repeat(2000): 1}),
            format!("? {}\n: 1\n", "a".repeat(2000)),
        ),
    ] {
        assert_eq!(k8s_yaml::to_yaml(&value), expected);
    }
}

/// Returns the number of bytes that printing allocates.
fn allocated_by(value: &Value) -> u64 {
    allocation_counter::measure(|| drop(k8s_yaml::to_yaml(value))).bytes_total
}

#[test]
fn work_is_linear() {
    let values = [
        ("words", |count: usize| json!("a b'\u{2028}".repeat(count))),
        ("escapes", |count| json!("\t \"".repeat(count))),
        ("lines", |count| json!(" a\n\n".repeat(count))),
        ("next lines", |count| json!("a \u{85} ".repeat(count))),
        ("items", |count| json!(vec![json!({"a": ["b"]}); count])),
    ] as [(&str, fn(usize) -> Value); 5];
    for (name, value) in values {
        let (small, large) = (allocated_by(&value(1_000)), allocated_by(&value(16_000)));
        assert!(large < small * 40, "{name}: {small} bytes, then {large}");
    }
}

/// The order of keys has cycles, which must not cause a panic.
#[test]
fn prints_keys_in_a_cycle_of_the_order() {
    let keys = (0..40).flat_map(|number| {
        [
            format!("{number}"),
            format!("{number}a"),
            format!("0{number}"),
        ]
    });
    let map: Value = keys.map(|key| (key, json!(1))).collect();
    assert_eq!(k8s_yaml::to_yaml(&map).lines().count(), 120);
}

#[test]
fn prints_deep_values() {
    const DEPTH: usize = 1_000;
    let nested = |value, _| json!({"a": [value]});
    let yaml = k8s_yaml::to_yaml(&(0..DEPTH).fold(json!("no"), nested));
    assert!(yaml.ends_with(" \"no\"\n"));
    assert_eq!(yaml.lines().count(), DEPTH + 1);
}
