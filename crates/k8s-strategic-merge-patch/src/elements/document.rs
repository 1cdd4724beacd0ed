//! Checks of input documents: they are objects, and not too deep for recursive functions.

use serde_json::{Map, Value};

use crate::error::{PatchError, PatchErrorKind};
use k8s_json_internals::deep::{discard, is_deeper};
use union_runtime::path::Path;

/// The role of an input document.
#[derive(Clone, Copy)]
pub(crate) enum InputKind {
    Document,
    /// A patch, which may be one level deeper, because an object on the last level may contain the
    /// list `$retainKeys`.
    Patch,
}

/// Returns the object, which may be too deep; `None` for null, which is an empty object.
pub(crate) fn to_object_of_any_depth(
    value: &Value,
) -> Result<Option<&Map<String, Value>>, PatchError> {
    match value {
        Value::Null => Ok(None),
        Value::Object(object) => Ok(Some(object)),
        _ => Err(not_an_object_error()),
    }
}

/// Returns the object if it is not too deep; `None` for null, which is an empty object.
pub(crate) fn to_object(
    value: &Value,
    depth: usize,
    kind: InputKind,
) -> Result<Option<&Map<String, Value>>, PatchError> {
    let depth = match kind {
        InputKind::Document => depth,
        InputKind::Patch => depth + 1,
    };
    let object = to_object_of_any_depth(value)?;
    match object.and_then(|object| first_deep_field(object, depth)) {
        None => Ok(object),
        Some(field) => Err(too_deep_error(depth, &Path::ROOT.field(field))),
    }
}

/// Returns an object that is passed by value. A deep object is dropped without recursion.
pub(crate) fn into_object(value: Value, depth: usize) -> Result<Map<String, Value>, PatchError> {
    match value {
        Value::Null => Ok(Map::new()),
        Value::Object(object) => match first_deep_field(&object, depth) {
            None => Ok(object),
            Some(field) => {
                let error = too_deep_error(depth, &Path::ROOT.field(field));
                discard(object.into());
                Err(error)
            }
        },
        value => {
            discard(value);
            Err(not_an_object_error())
        }
    }
}

/// Rejects a value that is too deep.
pub(crate) fn check_depth(value: &Value, depth: usize) -> Result<(), PatchError> {
    if is_deeper(value, depth) {
        return Err(too_deep_error(depth, &Path::ROOT));
    }
    Ok(())
}

fn not_an_object_error() -> PatchError {
    PatchError::new(
        PatchErrorKind::BadJson,
        "invalid JSON document",
        &Path::ROOT,
    )
}

fn too_deep_error(depth: usize, location: &Path<'_>) -> PatchError {
    PatchError::new(
        PatchErrorKind::TooDeep,
        format!("exceeded max depth of {depth}"),
        location,
    )
}

/// Returns the first field whose value makes the object deeper than `depth` levels, counting the
/// object's own level.
fn first_deep_field(object: &Map<String, Value>, depth: usize) -> Option<&str> {
    let mut fields = object.iter();
    let deep_field = fields.find(|(_, value)| is_deeper(value, depth.saturating_sub(1)));
    deep_field.map(|(field, _)| field.as_str())
}
