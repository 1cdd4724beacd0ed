//! The annotation `last-applied-configuration`, in which `kubectl apply` keeps the last applied
//! object.

use k8s_json_internals::print::GoJson;
use k8s_yaml::Document;
use serde_json::{Map, Value};

use crate::error::CommandError;
use crate::input::object;

const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Returns the last applied object; `None` if the live object has no annotation.
pub(super) fn read_annotation(
    file: &str,
    live_object: &Value,
) -> Result<Option<Value>, CommandError> {
    let annotations = live_object
        .get("metadata")
        .and_then(|field| field.get("annotations"));
    let Some(annotation) = annotations.and_then(|field| field.get(ANNOTATION)) else {
        return Ok(None);
    };
    let advice = "pass the last applied object to --original";
    let annotation_error = |description: String| {
        CommandError::new(
            file,
            format!("metadata.annotations[{ANNOTATION}] {description}; {advice}"),
        )
    };
    let Value::String(last_applied) = annotation else {
        return Err(annotation_error(format!(
            "must be a string, not {}",
            object::json_type_name(annotation)
        )));
    };
    match Document::from_json(last_applied).value() {
        Ok(last_applied @ Value::Object(_)) => Ok(Some(last_applied)),
        Ok(value) => Err(annotation_error(format!(
            "must contain an object, not {}",
            object::json_type_name(&value)
        ))),
        Err(error) => Err(annotation_error(format!("has an error at {error}"))),
    }
}

/// Sets the annotation of an object to the object itself without the annotation, as `kubectl apply`
/// does.
pub(super) fn write_annotation(file: &str, object: &mut Value) -> Result<(), CommandError> {
    let metadata = object_field_mut(file, object, "metadata", "metadata")?;
    let annotations = object_field_mut(file, metadata, "annotations", "metadata.annotations")?;
    if let Some(annotations) = annotations.as_object_mut() {
        annotations.remove(ANNOTATION);
    }
    let last_applied = format!("{}\n", GoJson(object));
    let annotations = object.pointer_mut("/metadata/annotations");
    if let Some(Value::Object(annotations)) = annotations {
        annotations.insert(ANNOTATION.to_owned(), last_applied.into());
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
    let field = object
        .as_object_mut()
        .map(|fields| fields.entry(name).or_insert_with(empty));
    match field {
        Some(field @ Value::Null) => {
            *field = empty();
            Ok(field)
        }
        Some(field @ Value::Object(_)) => Ok(field),
        value => {
            let type_name = value.map_or("nothing", |value| object::json_type_name(value));
            Err(CommandError::new(
                file,
                format!("{path} must be an object, not {type_name}"),
            ))
        }
    }
}
