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
    /// A create if nothing is stored yet, otherwise an update. An accepted object is stored.
    Apply {
        apply: Value,
        #[serde(default)]
        errors: Vec<String>,
        #[serde(default)]
        warnings: Vec<String>,
    },
}

fn compile_schema(schema: &Value, has_status: bool) -> Result<StructuralSchema, Vec<String>> {
    let result = if has_status {
        StructuralSchema::compiler()
            .status(StatusHandling::Subresource)
            .schema(schema)
    } else {
        StructuralSchema::compile(schema)
    };
    result.map_err(|report| sorted(report.errors().iter().map(ToString::to_string)))
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

/// Returns the sorted errors and the sorted warnings.
fn errors_and_warnings(report: &Report) -> [Vec<String>; 2] {
    let errors = report.errors().iter().map(ToString::to_string);
    [sorted(errors), sorted(report.warnings().iter().cloned())]
}

#[test]
fn single_requests_have_the_errors_warnings_and_objects_of_a_server() {
    let table: Requests =
        serde_json::from_str(include_str!("../cases/custom_resources.json")).unwrap();
    assert!(table.about.ends_with('.'));
    let settings = ServerSettings::default();
    let mut differences = Vec::new();
    for case in &table.cases {
        let name = &case.name;
        let schema = compile_schema(&case.schema, case.status || case.op == Op::Status);
        if case.op == Op::Crd {
            let actual = schema.err().unwrap_or_default();
            if actual != case.errors {
                differences.push(format!("{name}: {actual:#?}"));
            }
            continue;
        }
        let schema = schema.unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let (old, mut new) = (resource(&case.old), resource(&case.new));
        let report = match case.op {
            Op::Create | Op::Crd => schema.create(&mut new, &settings),
            Op::Update => schema.update(&mut new, &old, &settings),
            Op::Status => schema.update_status(&mut new, &old, &settings),
        };
        without_metadata(&mut new);
        let expected = [case.errors.clone(), case.warnings.clone()];
        let actual = errors_and_warnings(&report);
        // With the feature `arbitrary_precision`, `serde_json` itself compares numbers as strings.
        if actual != expected || !deep_equal(&new, case.object.as_ref().unwrap_or(&case.new)) {
            differences.push(format!("{name}: {actual:#?} {new}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn sequences_of_requests_have_the_errors_and_warnings_of_a_server() {
    let table: Stories =
        serde_json::from_str(include_str!("../cases/tightened_schemas.json")).unwrap();
    assert!(table.about.ends_with('.'));
    let settings = ServerSettings::default();
    for Story { name, steps } in &table.stories {
        let (mut schema, mut stored_object) = (None, None);
        for (step_index, step) in steps.iter().enumerate() {
            match step {
                Step::Schema { schema: new } => {
                    schema = Some(
                        compile_schema(new, false).unwrap_or_else(|e| panic!("{name}: {e:?}")),
                    );
                }
                Step::Apply {
                    apply,
                    errors,
                    warnings,
                } => {
                    let schema = schema.as_ref().expect("a schema comes first");
                    let mut new = resource(apply);
                    let report = match &stored_object {
                        None => schema.create(&mut new, &settings),
                        Some(old) => schema.update(&mut new, old, &settings),
                    };
                    let expected = [errors.clone(), warnings.clone()];
                    assert_eq!(
                        errors_and_warnings(&report),
                        expected,
                        "{name}, step {step_index}"
                    );
                    if report.is_accepted() {
                        stored_object = Some(new);
                    }
                }
            }
        }
    }
}

/// The names identify failed cases.
#[test]
fn names_of_cases_are_unique() {
    let requests: Requests =
        serde_json::from_str(include_str!("../cases/custom_resources.json")).unwrap();
    let stories: Stories =
        serde_json::from_str(include_str!("../cases/tightened_schemas.json")).unwrap();
    let names = requests.cases.iter().map(|case| &case.name);
    let names: Vec<&String> = names
        .chain(stories.stories.iter().map(|story| &story.name))
        .collect();
    let distinct_names: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(names.len(), distinct_names.len());
}
