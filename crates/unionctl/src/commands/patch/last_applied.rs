//! The annotation that `kubectl apply` keeps in a live object: the object that was applied last.

use k8s_json_internals::print::GoJson;
use k8s_yaml::Document;
use serde_json::{Map, Value};

use crate::error::CommandError;
use crate::input::object;

const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Returns the object that was applied last; `None` if the live object has no annotation.
pub(super) fn read_annotation(file: &str, current: &Value) -> Result<Option<Value>, CommandError> {
    let annotations = current.get("metadata").and_then(|of| of.get("annotations"));
    let Some(annotation) = annotations.and_then(|of| of.get(ANNOTATION)) else {
        return Ok(None);
    };
    let remedy = "pass the last applied object to --original";
    let problem = |what: String| {
        CommandError::new(
            file,
            format!("metadata.annotations[{ANNOTATION}] {what}; {remedy}"),
        )
    };
    let Value::String(text) = annotation else {
        return Err(problem(format!(
            "must be a string, not {}",
            object::json_type_name(annotation)
        )));
    };
    match Document::from_json(text).value() {
        Ok(applied @ Value::Object(_)) => Ok(Some(applied)),
        Ok(other) => Err(problem(format!(
            "must contain an object, not {}",
            object::json_type_name(&other)
        ))),
        Err(error) => Err(problem(format!("has an error at {error}"))),
    }
}

/// Writes the annotation with the object that is applied now into the object, as `kubectl apply`
/// does.
pub(super) fn write_annotation(file: &str, modified: &mut Value) -> Result<(), CommandError> {
    let metadata = object_field_mut(file, modified, "metadata", "metadata")?;
    let annotations = object_field_mut(file, metadata, "annotations", "metadata.annotations")?;
    if let Some(annotations) = annotations.as_object_mut() {
        annotations.remove(ANNOTATION);
    }
    let applied = format!("{}\n", GoJson(modified));
    let annotations = modified.pointer_mut("/metadata/annotations");
    if let Some(Value::Object(annotations)) = annotations {
        annotations.insert(ANNOTATION.to_owned(), applied.into());
    }
    Ok(())
}

/// Returns the object in a field. A field that is missing or null becomes an empty object.
fn object_field_mut<'v>(
    file: &str,
    object: &'v mut Value,
    name: &str,
    path: &str,
) -> Result<&'v mut Value, CommandError> {
    let empty = || Value::Object(Map::new());
    let inner = object
        .as_object_mut()
        .map(|fields| fields.entry(name).or_insert_with(empty));
    match inner {
        Some(inner @ Value::Null) => {
            *inner = empty();
            Ok(inner)
        }
        Some(inner @ Value::Object(_)) => Ok(inner),
        other => {
            let found = other.map_or("nothing", |other| object::json_type_name(other));
            Err(CommandError::new(
                file,
                format!("{path} must be an object, not {found}"),
            ))
        }
    }
}
