//! Tests of combinators whose branches all fail: a server reports the errors of the branch that
//! matches most parts of the value.

use k8s_crd_validation::ServerSettings;
use serde_json::{Value, json};

use super::{errors, schema};

/// The first branch describes `null_count` fields with the value null, each of which adds one to
/// the count of the branch. The second branch describes the field `name`, and its count is higher
/// by one.
#[test]
fn the_branch_with_the_highest_count_is_reported() {
    let names: Vec<String> = (0..7).map(|i| format!("n{i}")).collect();
    for (null_count, name, rule, expected_error) in [
        (
            4,
            "s",
            json!({"maxLength": 0}),
            "spec.s: Too long: may not be more than 0 bytes",
        ),
        (
            7,
            "s",
            json!({"format": "date"}),
            r#"spec.s: Invalid value: "x": spec.s in body must be of type date: "x""#,
        ),
        (
            5,
            "l",
            json!({"minItems": 1}),
            "spec.l: Invalid value: 0: spec.l in body should have at least 1 items",
        ),
        (
            4,
            "o",
            json!({"minProperties": 1}),
            "spec.o: Invalid value: 0: spec.o in body should have at least 1 properties",
        ),
    ] {
        let mut spec_schema = json!({"type": "object", "properties": {
            "s": {"type": "string"},
            "l": {"type": "array", "items": {"type": "string"}},
            "o": {"type": "object"},
        }});
        let mut spec = json!({"s": "x", "l": [], "o": {}});
        let mut nulls = json!({});
        for (i, null) in names.iter().enumerate() {
            spec_schema["properties"][null] = json!({"type": "string", "nullable": true});
            spec[null] = Value::Null;
            if i < null_count {
                nulls[null] = json!({});
            }
        }
        spec_schema["anyOf"] =
            json!([{"properties": nulls, "required": ["z"]}, {"properties": {name: rule}}]);
        let mut object = json!({ "spec": spec });
        let report = schema(spec_schema).create(&mut object, &ServerSettings::default());
        let errors = errors(&report);
        assert!(
            errors.iter().any(|error| error == expected_error),
            "{name}: {errors:?}"
        );
        assert!(
            !errors.iter().any(|error| error.starts_with("spec.z")),
            "{name}: {errors:?}"
        );
    }
}
