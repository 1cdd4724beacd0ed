//! Tests of schemas with null in place of each keyword and of each part of a keyword. Each line of
//! `tests/cases/nulls.jsonl` is a schema, and `nulls_answers.jsonl` has the responses of a real
//! server. `tests/reference/crd/run` requests the responses again.

use std::collections::BTreeSet;

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};

#[test]
fn null_in_a_schema_is_what_a_server_takes_it_for() {
    let questions = include_str!("../cases/nulls.jsonl").lines();
    let mut answers = include_str!("../cases/nulls_answers.jsonl").lines();
    let mut refused = 0;
    for line in questions {
        let question: Value = serde_json::from_str(line).expect("a question");
        let wanted: Value = serde_json::from_str(answers.next().expect("an answer")).unwrap();
        let (errors, object) = answer(&question);
        let wanted_errors = wanted["errors"].as_array().expect("errors");
        let wanted_errors = wanted_errors.iter().map(|error| error["text"].to_string());
        assert_eq!(errors, wanted_errors.collect(), "{line}");
        let wanted_object = wanted.get("object").cloned().unwrap_or(json!({}));
        assert_eq!(object, wanted_object, "{line}");
        refused += usize::from(!errors.is_empty());
    }
    assert_eq!(answers.next(), None);
    assert!(refused > 300, "only {refused} are refused");
}

/// Returns the errors, and the object as it is stored.
fn answer(question: &Value) -> (BTreeSet<String>, Value) {
    let schema = &question["schema"];
    let texts = |errors: &[String]| errors.iter().map(|text| json!(text).to_string()).collect();
    if question["op"] == "crd" {
        let errors = match StructuralSchema::compile(schema) {
            Ok(_) => Vec::new(),
            Err(refused) => refused.errors().iter().map(ToString::to_string).collect(),
        };
        return (texts(&errors), json!({}));
    }
    let schema = StructuralSchema::compiler().stored().schema(schema);
    let schema = schema.unwrap_or_else(|errors| panic!("{errors}: {question}"));
    let mut new = question["new"].clone();
    let outcome = schema.create(&mut new, &ServerSettings::default());
    (texts(&crate::errors(&outcome)), new)
}
