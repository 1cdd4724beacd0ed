//! Our answers to recorded questions, in the form of the programs `tests/reference/crd` and
//! `tests/reference/crd_whole`. The recorder and the fuzz target `recorded` share this file.

use k8s_crd_validation::crd::Review;
use k8s_crd_validation::{Report, ServerSettings, StatusHandling, StructuralSchema};
use serde_json::{Value, json};

use crate::whole_numbers::with_whole_numbers;

/// Returns our answer to `question`. `definition` is the schema or the CRD that the question is
/// about. Without a question, the definition itself is validated.
pub(crate) fn answer(definition: &Value, question: &Value) -> Value {
    if question["op"] == "crd" {
        let review = Review::new();
        let report = match question.get("old") {
            Some(old) => review.update(&question["crd"], old),
            None => review.create(&question["crd"]),
        };
        return normalized(&json!(report), question);
    }
    let schema = match compile(definition) {
        Ok(schema) => schema,
        Err(report) => return normalized(&json!(report), question),
    };
    if question.is_null() {
        return normalized(&Value::Null, question);
    }
    let mut new = question["new"].clone();
    let report = run(&schema, question, &mut new);
    let mut answer = json!(report);
    answer["object"] = new;
    normalized(&answer, question)
}

fn compile(definition: &Value) -> Result<StructuralSchema, Report> {
    let compiler = StructuralSchema::compiler().ratchet(Some(true));
    let Some(crd) = definition.get("crd") else {
        let status = if definition["status_subresource"] == true {
            StatusHandling::Subresource
        } else {
            StatusHandling::Field
        };
        return compiler.status(status).schema(&definition["schema"]);
    };
    let compiler = if definition["stored"] == true {
        compiler.stored()
    } else {
        compiler
    };
    compiler.crd(crd, definition["version"].as_str())
}

fn run(schema: &StructuralSchema, question: &Value, new: &mut Value) -> Report {
    let settings = ServerSettings::default();
    let old = &question["old"];
    match question["op"].as_str() {
        Some("update") => schema.update(new, old, &settings),
        Some("status") => schema.update_status(new, old, &settings),
        _ => schema.create(new, &settings),
    }
}

/// Returns an answer without the parts that vary: the order of errors and warnings, the number of
/// times that a server repeats an error of a CRD, and the message of a CRD that cannot be decoded,
/// which depends on the field that the server decodes first. The object is omitted if it is the
/// object that was sent.
pub(crate) fn normalized(answer: &Value, question: &Value) -> Value {
    let list = |name: &str| {
        answer[name]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default()
    };
    let is_crd = question["op"] == "crd";
    let part = |error: &Value, name: &str| error[name].as_str().unwrap_or_default().to_owned();
    let errors = list("errors").iter().map(|error| {
        let kind = part(error, "type");
        let text = if is_crd && kind == "BadRequest" {
            String::new()
        } else {
            part(error, "text")
        };
        [kind, text]
    });
    let mut errors: Vec<[String; 2]> = errors.collect();
    errors.sort_unstable();
    if is_crd {
        errors.dedup();
    }
    let mut warnings: Vec<&str> = list("warnings").iter().filter_map(Value::as_str).collect();
    warnings.sort_unstable();
    let mut normalized = json!({"errors": errors, "warnings": warnings});
    let is_decoded = !errors.iter().any(|[kind, _]| kind == "BadRequest");
    let comparable = |object: &Value| {
        let mut object = with_whole_numbers(object);
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            // A server sets the generation after decoding.
            metadata.remove("generation");
        }
        object
    };
    let object = answer.get("object").filter(|_| is_decoded).map(comparable);
    if let Some(object) = object.filter(|object| *object != comparable(&question["new"])) {
        normalized["object"] = object;
    }
    normalized
}
