//! Tests of the tables in `by_world.json`: documents, and the patches and results for them.

use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchError};
use serde_json::Value;

use crate::item_schema::compile_item_schema;

fn check_case(name: &str, case: &Value) {
    let schema = compile_item_schema();
    let field = |key: &str| case.get(key).unwrap_or(&Value::Null);
    let describe_error = |error: PatchError| format!("{}: {}", error.kind(), error.path());
    let result = match field("op").as_str().expect("an operation") {
        "apply" => schema
            .apply(field("live").clone(), field("patch"))
            .map_err(describe_error),
        "diff" => schema
            .diff(field("original"), field("modified"))
            .map(Value::from)
            .map_err(describe_error),
        "three_way" => schema
            .three_way(
                field("original"),
                field("modified"),
                field("live"),
                if field("overwrite") == &Value::Bool(false) {
                    OnConflict::Fail
                } else {
                    OnConflict::Overwrite
                },
            )
            .map(Value::from)
            .map_err(|error: DiffError| format!("{}: {}", error.kind(), error.path())),
        "compose" => schema
            .compose(field("patches").as_array().expect("a list"))
            .map_err(describe_error),
        operation => panic!("{name}: unknown operation {operation}"),
    };
    match (&result, case.get("error")) {
        (Ok(result), None) => assert_eq!(result, field("answer"), "{name}"),
        (Err(error), Some(expected)) => assert_eq!(error, expected, "{name}"),
        (result, _) => panic!("{name}: {result:?}"),
    }
    // The created patch results in the wanted document.
    if let (Ok(patch), Some(result)) = (result, case.get("result")) {
        let before = if field("op") == "diff" {
            field("original")
        } else {
            field("live")
        };
        assert_eq!(
            &schema.apply(before.clone(), &patch).unwrap(),
            result,
            "{name}"
        );
    }
}

#[test]
fn cases_of_the_table_have_their_results() {
    let table: Value =
        serde_json::from_str(include_str!("by_world.json")).expect("the table is JSON");
    let cases = table["cases"].as_object().expect("cases by name");
    assert!(cases.len() > 60, "{}", cases.len());
    for (name, case) in cases {
        check_case(name, case);
    }
}
