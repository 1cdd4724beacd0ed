//! The annotation `last-applied-configuration`, in which `kubectl apply` keeps the last applied
//! object.

use k8s_json_internals::print::GoJson;
use k8s_yaml::Document;
use serde_json::{Map, Value};

use crate::error::CommandError;
use crate::input::object;

const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Returns the last applied object; `None` if the live object has no annotation.
pub(super) fn read_annotation(file: &str, current: &Value) -> Result<Option<Value>, CommandError> {
    let annotations = current
        .get("metadata")
        .and_then(|field| field.get("annotations"));
    let Some(annotation) = annotations.and_then(|field| field.get(ANNOTATION)) else {
        return Ok(None);
    };
    let remedy = "pass the last applied object to --original";
    let annotation_error = |description: String| {
        CommandError::new(
            file,
            format!("metadata.annotations[{ANNOTATION}] {description}; {remedy}"),
        )
    };
    let Value::String(applied) = annotation else {
        return Err(annotation_error(format!(
            "must be a string, not {}",
            object::json_type_name(annotation)
        )));
    };
    match Document::from_json(applied).value() {
        Ok(applied @ Value::Object(_)) => Ok(Some(applied)),
        Ok(other) => Err(annotation_error(format!(
            "must contain an object, not {}",
            object::json_type_name(&other)
        ))),
        Err(error) => Err(annotation_error(format!("has an error at {error}"))),
    }
}

/// Sets the annotation of an object to the object itself without the annotation, as `kubectl apply`
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

/// Returns a field that must be an object. A missing or null field becomes an empty object.
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
