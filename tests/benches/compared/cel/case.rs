//! Rules with the answers of an API server, from the tests of `k8s-cel`.

use k8s_cel::KubeVersion;
use serde_json::{Value, json};

use crate::declared;

const FILES: [&str; 2] = [
    include_str!("../../../../crates/k8s-cel/tests/cases/recorded.jsonl"),
    include_str!("../../../../crates/k8s-cel/tests/cases/edges.jsonl"),
];

/// The result of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The rule does not compile, or it needs a function that does not exist.
    Refused,
    /// The evaluation fails, or its result is not a boolean.
    Error,
    Bool(bool),
}

/// A rule, and its values.
pub(crate) struct Case {
    pub(crate) expression: String,
    /// The schema of `self`, with the rule.
    pub(crate) schema: Value,
    /// The value of `self`.
    pub(crate) this: Value,
    /// The value of `oldSelf`.
    pub(crate) old: Option<Value>,
    pub(crate) has_optional_old_self: bool,
    pub(crate) servers_answer: Answer,
}

/// Returns the expressions that are rules, because their result is a boolean, and those that a
/// server refuses.
pub(crate) fn read_cases() -> Vec<Case> {
    let (schema, _) = declared::schema(false).expect("a schema");
    let mut cases = Vec::new();
    for file in FILES {
        // A line without a definition has the definition of the line before.
        let mut definition = Value::Null;
        for line in file.lines() {
            let mut line: Value = serde_json::from_str(line).expect("a case");
            if let Some(next) = line.get_mut("use") {
                definition = next.take();
            }
            if is_for_latest_version(&definition) {
                cases.extend(read_case(&line, &definition, &schema));
            }
        }
    }
    cases
}

/// Returns true if the answer is from the latest server. The other crates have no versions.
fn is_for_latest_version(definition: &Value) -> bool {
    let version = definition["version"].as_str();
    version.is_none_or(|version| version.parse() == Ok(KubeVersion::LATEST))
}

/// Returns a line as a case, or `None` if its expression is not a rule.
fn read_case(line: &Value, definition: &Value, schema: &Value) -> Option<Case> {
    let (question, answer) = (&line["question"], &line["answer"]);
    let servers_answer = if answer.get("compile").is_some() {
        Answer::Refused
    } else if answer["type"] != "bool" {
        return None;
    } else if answer.get("error").is_some() {
        Answer::Error
    } else {
        Answer::Bool(answer["value"] == "true")
    };
    let expression = question["expression"].as_str()?;
    let has_optional_old_self = definition["optionalOldSelf"] == true;
    let mut schema = schema.clone();
    schema["x-kubernetes-validations"] =
        json!([{"rule": expression, "optionalOldSelf": has_optional_old_self}]);
    Some(Case {
        expression: expression.to_owned(),
        schema,
        this: question["self"].clone(),
        old: question
            .get("oldSelf")
            .filter(|old| !old.is_null())
            .cloned(),
        has_optional_old_self,
        servers_answer,
    })
}
