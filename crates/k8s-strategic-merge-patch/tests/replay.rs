//! Our answers to recorded operations, in the form of the program `tests/reference/strategic`. The
//! recorder and the fuzz target `recorded` share this file.

use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchSchema, UnknownFieldPolicy};
use serde_json::{Value, json};

use crate::whole_numbers::with_whole_numbers;

/// Returns our answer to an operation. `definition` is an `OpenAPI` document with the schema
/// `Root`.
pub(crate) fn answer(definition: &Value, question: &Value) -> Value {
    let (document, policy) = match definition.get("v2") {
        Some(document) => (document, UnknownFieldPolicy::Schemaless),
        None => (&definition["v3"], UnknownFieldPolicy::Strict),
    };
    let compiler = PatchSchema::compiler().with_policy(policy);
    let schema = match compiler.openapi(document, "Root") {
        Ok(schema) => schema,
        Err(error) => return json!({"error": error.to_string()}),
    };
    match run(&schema, question) {
        Ok(result) => json!({"ok": with_whole_numbers(&result)}),
        Err(DiffError::Conflict(conflicts)) => json!({"conflict": conflicts.message()}),
        Err(error) => json!({"error": error.message()}),
    }
}

fn run(schema: &PatchSchema, question: &Value) -> Result<Value, DiffError> {
    let document = |name: &str| question.get(name).unwrap_or(&Value::Null);
    let three_way = |on_conflict| {
        let documents = ["original", "modified", "current"].map(document);
        let [original, modified, current] = documents;
        Ok(schema
            .three_way(original, modified, current, on_conflict)?
            .into())
    };
    match question["only"].as_str() {
        Some("diff") => Ok(schema
            .diff(document("original"), document("modified"))?
            .into()),
        Some("three_way") => three_way(OnConflict::Fail),
        Some("overwrite") => three_way(OnConflict::Overwrite),
        Some("apply") => Ok(schema.apply(document("current").clone(), document("patch"))?),
        _ => {
            let patches = document("patches").as_array();
            Ok(schema.compose(patches.map(Vec::as_slice).unwrap_or_default())?)
        }
    }
}
