//! Compares the results of this crate with kubectl's results for the sources in
//! `../shared/cases/reports/yaml.jsonl`, or in the folder `$SHARED_CASES`. The file is not in this
//! repository; without the file, the test does nothing.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

/// Returns true if two values are sent as the same JSON. The last digit of floats may differ,
/// because the test itself may parse it differently.
fn are_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() || b.is_f64() => {
            let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) else {
                return false;
            };
            (a - b).abs() <= a.abs() * 1e-15
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut entries = a.iter();
            a.len() == b.len()
                && entries.all(|(key, a)| b.get(key).is_some_and(|b| are_equal(a, b)))
        }
        (a, b) => a == b,
    }
}

#[test]
fn sources_are_read_as_by_kubectl() {
    let default_folder = || {
        PathBuf::from(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../shared/cases"
        ))
    };
    let folder = std::env::var_os("SHARED_CASES").map_or_else(default_folder, PathBuf::from);
    let Ok(cases) = fs::read_to_string(folder.join("reports/yaml.jsonl")) else {
        return;
    };
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap();
        let kubectl = &case["kubectl"];
        let result = k8s_yaml::parse(text);
        let is_expected = match &result {
            Err(error) => {
                let is_duplicate_key =
                    case["strict"].is_string() && error.message.contains("duplicate");
                kubectl["error"].is_string() || is_duplicate_key
            }
            Ok(values) => {
                let expected = json!([kubectl]);
                let expected = if kubectl.is_null() {
                    json!([])
                } else {
                    expected
                };
                are_equal(&json!(values), &expected)
            }
        };
        assert!(is_expected, "{case}: {result:?}");
    }
}
