//! Tests of the tables in `by_world.json`: documents, and the patches and results for them.

use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchError};
use serde_json::Value;

use crate::world::item;

fn check(name: &str, case: &Value) {
    let schema = item();
    let get = |key: &str| case.get(key).unwrap_or(&Value::Null);
    let refused = |error: PatchError| format!("{}: {}", error.kind(), error.path());
    let answer = match get("op").as_str().expect("an operation") {
        "apply" => schema
            .apply(get("live").clone(), get("patch"))
            .map_err(refused),
        "diff" => schema
            .diff(get("original"), get("modified"))
            .map(Value::from)
            .map_err(refused),
        "three_way" => schema
            .three_way(
                get("original"),
                get("modified"),
                get("live"),
                if get("overwrite") == &Value::Bool(false) {
                    OnConflict::Fail
                } else {
                    OnConflict::Overwrite
                },
            )
            .map(Value::from)
            .map_err(|error: DiffError| format!("{}: {}", error.kind(), error.path())),
        "compose" => schema
            .compose(get("patches").as_array().expect("a list"))
            .map_err(refused),
        other => panic!("{name}: unknown operation {other}"),
    };
    match (&answer, case.get("error")) {
        (Ok(answer), None) => assert_eq!(answer, get("answer"), "{name}"),
        (Err(error), Some(expected)) => assert_eq!(error, expected, "{name}"),
        (answer, _) => panic!("{name}: {answer:?}"),
    }
    // The created patch results in the wanted document.
    if let (Ok(patch), Some(result)) = (answer, case.get("result")) {
        let before = if get("op") == "diff" {
            get("original")
        } else {
            get("live")
        };
        assert_eq!(
            &schema.apply(before.clone(), &patch).unwrap(),
            result,
            "{name}"
        );
    }
}

#[test]
fn the_table_holds() {
    let table: Value =
        serde_json::from_str(include_str!("by_world.json")).expect("the table is JSON");
    let cases = table["cases"].as_object().expect("cases by name");
    assert!(cases.len() > 60, "{}", cases.len());
    for (name, case) in cases {
        check(name, case);
    }
}
