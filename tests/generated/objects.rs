//! Sample objects, and tests that the types read them and write them back.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::registry::{Kind, kinds};

/// Returns the objects with a kind in the files of a folder and its subfolders.
pub(crate) fn read_objects(folder: &Path) -> Vec<(String, Value)> {
    let mut files_and_objects = Vec::new();
    let mut pending_folders = vec![folder.to_owned()];
    while let Some(folder) = pending_folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending_folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let documents: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap();
            let name = path.display().to_string();
            files_and_objects.extend(documents.into_iter().map(|object| (name.clone(), object)));
        }
    }
    files_and_objects.sort_by(|(file, _), (other_file, _)| file.cmp(other_file));
    files_and_objects
}

/// Returns our own objects, and objects of the Gateway API if their folder exists. The name of the
/// folder states if an object is valid or invalid.
pub(crate) fn sample_objects() -> Vec<(String, Value)> {
    let package_folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let shared_cases = std::env::var("SHARED_CASES").map(PathBuf::from);
    let shared_cases =
        shared_cases.unwrap_or_else(|_| package_folder.join("../../../shared/cases"));
    let mut samples = read_objects(&package_folder.join("objects"));
    samples.extend(read_objects(&shared_cases.join("gateway/valid")));
    samples.extend(read_objects(&shared_cases.join("gateway/invalid")));
    if let Ok(text) = fs::read_to_string(shared_cases.join("foreign_unions.json")) {
        samples.extend(foreign_unions(&serde_json::from_str(&text).unwrap()));
    }
    samples
}

/// Returns the objects of third-party unions, each in the field that has its schema.
fn foreign_unions(cases: &Value) -> Vec<(String, Value)> {
    let mut samples = Vec::new();
    for (index, case) in cases["cases"].as_array().unwrap().iter().enumerate() {
        let objects_in = |folder, name: &str| {
            let objects = case[name].as_array().into_iter().flatten();
            objects
                .map(move |object| (folder, object))
                .collect::<Vec<_>>()
        };
        let objects = [
            objects_in("valid", "accepted"),
            objects_in("invalid", "refused"),
        ];
        for (folder, object) in objects.concat() {
            let object_of_kind = json!({
                "apiVersion": "tests.example.com/v1", "kind": "Foreign", "metadata": { "name": "a" },
                "spec": { format!("case{index}"): object },
            });
            samples.push((
                format!("foreign unions/{folder}/{}", case["id"]),
                object_of_kind,
            ));
        }
    }
    samples
}

/// Returns the kinds of an object, one for each module that has a type for it.
pub(crate) fn kinds_of<'k>(object: &Value, kinds: &'k [Kind]) -> impl Iterator<Item = &'k Kind> {
    let is_kind_of_object =
        |kind: &&Kind| object["apiVersion"] == kind.api_version && object["kind"] == kind.kind;
    kinds
        .iter()
        .filter(is_kind_of_object)
        .collect::<Vec<_>>()
        .into_iter()
}

/// Returns the value with all numbers as floats, because `1` and `1.0` are the same number.
pub(crate) fn with_floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
        Value::Array(values) => values.iter().map(with_floats).collect(),
        Value::Object(object) => {
            let entries = object
                .iter()
                .map(|(name, value)| (name.clone(), with_floats(value)));
            Value::Object(entries.collect())
        }
        scalar => scalar.clone(),
    }
}

/// Returns a value with every field that a schema has.
fn value_with_all_fields(schema: &Value) -> Value {
    if let Some(value) = schema["enum"].as_array().and_then(|values| values.first()) {
        return value.clone();
    }
    if schema["x-kubernetes-int-or-string"] == true {
        return "1".into();
    }
    match schema["type"].as_str() {
        Some("array") => json!([value_with_all_fields(&schema["items"])]),
        Some("object") => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            let fields = fields
                .map(|(name, field_schema)| (name.clone(), value_with_all_fields(field_schema)));
            let field_schema = &schema["additionalProperties"];
            let additional_field = field_schema
                .is_object()
                .then(|| ("k".to_owned(), value_with_all_fields(field_schema)));
            fields.chain(additional_field).collect()
        }
        Some("string") => match schema["format"].as_str() {
            Some("date-time") => "2024-01-01T00:00:00Z".into(),
            Some("byte") => "YQ==".into(),
            _ => "a".into(),
        },
        Some("integer") => 1.into(),
        Some("number") => 0.5.into(),
        Some("boolean") => true.into(),
        _ => json!({ "any": 1 }),
    }
}

/// Returns an object with every field that the schema of a kind has.
pub(crate) fn object_with_all_fields(kind: &Kind) -> Value {
    let schema = kind.schema();
    let mut object = value_with_all_fields(&schema);
    object["apiVersion"] = kind.api_version.clone().into();
    object["kind"] = kind.kind.into();
    object["metadata"] = json!({ "name": "a" });
    object
}

#[test]
fn an_object_with_every_field_is_read_and_written_back() {
    // A closed enum rejects an object with several members of a union.
    for kind in kinds().iter().filter(|kind| kind.module != "closed") {
        let object = object_with_all_fields(kind);
        let label = format!("{} {}, {}", kind.api_version, kind.kind, kind.module);
        let written = (kind.round_trip)(&object).unwrap_or_else(|error| panic!("{label}: {error}"));
        assert_eq!(with_floats(&written), with_floats(&object), "{label}");
    }
}

#[test]
fn every_valid_object_is_read_and_written_back() {
    let kinds = kinds();
    let mut count = 0;
    for (file, object) in sample_objects() {
        for kind in kinds_of(&object, &kinds).filter(|_| file.contains("/valid/")) {
            let label = format!("{file}, {}", kind.module);
            let written =
                (kind.round_trip)(&object).unwrap_or_else(|error| panic!("{label}: {error}"));
            assert_eq!(with_floats(&written), with_floats(&object), "{label}");
            count += 1;
        }
    }
    println!("{count} objects were read and written back");
    assert!(count >= 4, "only {count}");
}
