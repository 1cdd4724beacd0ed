//! Tests of schemas with null in place of each keyword and of each part of a keyword. Each line of
//! `tests/cases/nulls.jsonl` is a schema, and `nulls_answers.jsonl` has the responses of a real
//! server. `tests/reference/crd/run` requests the responses again.

use std::collections::BTreeSet;

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};

#[test]
fn nulls_in_schemas_have_the_effect_that_they_have_on_a_server() {
    let requests = include_str!("../cases/nulls.jsonl").lines();
    let mut expected_answers = include_str!("../cases/nulls_answers.jsonl").lines();
    let mut rejected_count = 0;
    for line in requests {
        let request: Value = serde_json::from_str(line).expect("a request");
        let expected: Value =
            serde_json::from_str(expected_answers.next().expect("an answer")).unwrap();
        let (errors, object) = run_request(&request);
        let expected_errors = expected["errors"].as_array().expect("errors");
        let expected_errors = expected_errors
            .iter()
            .map(|error| error["text"].to_string());
        assert_eq!(errors, expected_errors.collect(), "{line}");
        let expected_object = expected.get("object").cloned().unwrap_or(json!({}));
        assert_eq!(object, expected_object, "{line}");
        rejected_count += usize::from(!errors.is_empty());
    }
    assert_eq!(expected_answers.next(), None);
    assert!(rejected_count > 300, "only {rejected_count} are rejected");
}

/// Returns the errors of a request, and the object as it is stored.
fn run_request(request: &Value) -> (BTreeSet<String>, Value) {
    let schema = &request["schema"];
    let to_json = |errors: &[String]| {
        errors
            .iter()
            .map(|error| json!(error).to_string())
            .collect()
    };
    if request["op"] == "crd" {
        let errors = match StructuralSchema::compile(schema) {
            Ok(_) => Vec::new(),
            Err(report) => report.errors().iter().map(ToString::to_string).collect(),
        };
        return (to_json(&errors), json!({}));
    }
    let schema = StructuralSchema::compiler().stored().schema(schema);
    let schema = schema.unwrap_or_else(|errors| panic!("{errors}: {request}"));
    let mut new = request["new"].clone();
    let report = schema.create(&mut new, &ServerSettings::default());
    (to_json(&crate::errors(&report)), new)
}
