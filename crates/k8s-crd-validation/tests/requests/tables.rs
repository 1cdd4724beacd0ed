//! Tests of the tables `custom_resources.json` and `tightened_schemas.json`: the answers of an API
//! server, line by line.

use k8s_crd_validation::{Report, ServerSettings, StatusHandling, StructuralSchema};
use k8s_json_internals::equality::deep_equal;
use serde::Deserialize;
use serde_json::Value;

use crate::resource;

/// Single requests.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Requests {
    about: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    op: Op,
    schema: Value,
    /// True if status is a subresource. Status updates always have a status subresource.
    #[serde(default)]
    status: bool,
    #[serde(default)]
    old: Value,
    #[serde(default)]
    new: Value,
    /// The object after the request, if the case checks it.
    object: Option<Value>,
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    warnings: Vec<String>,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Op {
    Create,
    Update,
    Status,
    /// The schema itself.
    Crd,
}

/// Sequences of requests about an object whose schema changes in between.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stories {
    about: String,
    stories: Vec<Story>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Story {
    name: String,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, untagged)]
enum Step {
    Schema {
        schema: Value,
    },
    /// A create if nothing is stored yet, else an update; it is stored if there are no errors.
    Apply {
        apply: Value,
        #[serde(default)]
        errors: Vec<String>,
        #[serde(default)]
        warnings: Vec<String>,
    },
}

fn compiled(schema: &Value, status: bool) -> Result<StructuralSchema, Vec<String>> {
    let compiled = if status {
        StructuralSchema::compiler()
            .status(StatusHandling::Subresource)
            .schema(schema)
    } else {
        StructuralSchema::compile(schema)
    };
    compiled.map_err(|refused| sorted(refused.errors().iter().map(ToString::to_string)))
}

fn sorted(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = lines.into_iter().collect();
    lines.sort_unstable();
    lines
}

fn without_metadata(object: &mut Value) {
    if let Value::Object(object) = object {
        object.remove("metadata");
    }
}

/// Errors and warnings, in any order.
fn said(outcome: &Report) -> [Vec<String>; 2] {
    let errors = outcome.errors().iter().map(ToString::to_string);
    [sorted(errors), sorted(outcome.warnings().iter().cloned())]
}

#[test]
fn requests_are_answered_as_a_server_answers_them() {
    let table: Requests =
        serde_json::from_str(include_str!("../cases/custom_resources.json")).unwrap();
    assert!(table.about.ends_with('.'));
    let settings = ServerSettings::default();
    let mut otherwise = Vec::new();
    for case in &table.cases {
        let name = &case.name;
        let schema = compiled(&case.schema, case.status || case.op == Op::Status);
        if case.op == Op::Crd {
            let found = schema.err().unwrap_or_default();
            if found != case.errors {
                otherwise.push(format!("{name}: {found:#?}"));
            }
            continue;
        }
        let schema = schema.unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let (old, mut new) = (resource(&case.old), resource(&case.new));
        let outcome = match case.op {
            Op::Create | Op::Crd => schema.create(&mut new, &settings),
            Op::Update => schema.update(&mut new, &old, &settings),
            Op::Status => schema.update_status(&mut new, &old, &settings),
        };
        without_metadata(&mut new);
        let wanted = [case.errors.clone(), case.warnings.clone()];
        let found = said(&outcome);
        // With the feature `arbitrary_precision`, `serde_json` itself compares numbers as strings.
        if found != wanted || !deep_equal(&new, case.object.as_ref().unwrap_or(&case.new)) {
            otherwise.push(format!("{name}: {found:#?} {new}"));
        }
    }
    assert!(otherwise.is_empty(), "{}", otherwise.join("\n"));
}

#[test]
fn objects_go_through_changes_of_their_schema() {
    let table: Stories =
        serde_json::from_str(include_str!("../cases/tightened_schemas.json")).unwrap();
    assert!(table.about.ends_with('.'));
    let settings = ServerSettings::default();
    for Story { name, steps } in &table.stories {
        let (mut schema, mut stored) = (None, None);
        for (number, step) in steps.iter().enumerate() {
            match step {
                Step::Schema { schema: new } => {
                    schema = Some(compiled(new, false).unwrap_or_else(|e| panic!("{name}: {e:?}")));
                }
                Step::Apply {
                    apply,
                    errors,
                    warnings,
                } => {
                    let schema = schema.as_ref().expect("a schema comes first");
                    let mut new = resource(apply);
                    let outcome = match &stored {
                        None => schema.create(&mut new, &settings),
                        Some(old) => schema.update(&mut new, old, &settings),
                    };
                    let wanted = [errors.clone(), warnings.clone()];
                    assert_eq!(said(&outcome), wanted, "{name}, step {number}");
                    if outcome.is_accepted() {
                        stored = Some(new);
                    }
                }
            }
        }
    }
}

/// A failed case is found by its name.
#[test]
fn names_are_unique() {
    let requests: Requests =
        serde_json::from_str(include_str!("../cases/custom_resources.json")).unwrap();
    let stories: Stories =
        serde_json::from_str(include_str!("../cases/tightened_schemas.json")).unwrap();
    let names = requests.cases.iter().map(|case| &case.name);
    let names: Vec<&String> = names
        .chain(stories.stories.iter().map(|story| &story.name))
        .collect();
    let different: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(names.len(), different.len());
}
