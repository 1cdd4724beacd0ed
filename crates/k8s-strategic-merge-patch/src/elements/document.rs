//! Checks of input documents: they are objects, and not too deep for recursive functions.

use serde_json::{Map, Value};

use crate::error::{PatchError, PatchErrorKind};
use k8s_json_internals::deep::{discard, is_deeper};
use union_runtime::path::Path;

/// The role of an input document.
#[derive(Clone, Copy)]
pub(crate) enum Which {
    Document,
    /// A patch, which may be one level deeper: `$retainKeys` is a list in an object that may be on
    /// the last level.
    Patch,
}

/// Returns the object, which may be too deep; `None` for null, which is an empty object.
pub(crate) fn unmeasured(value: &Value) -> Result<Option<&Map<String, Value>>, PatchError> {
    match value {
        Value::Null => Ok(None),
        Value::Object(object) => Ok(Some(object)),
        _ => Err(no_object()),
    }
}

/// Returns the object if it is not too deep; `None` for null, which is an empty object.
pub(crate) fn object(
    value: &Value,
    depth: usize,
    which: Which,
) -> Result<Option<&Map<String, Value>>, PatchError> {
    let depth = match which {
        Which::Document => depth,
        Which::Patch => depth + 1,
    };
    let object = unmeasured(value)?;
    match object.and_then(|object| deep_field(object, depth)) {
        None => Ok(object),
        Some(field) => Err(too_deep(depth, &Path::ROOT.field(field))),
    }
}

/// Returns an object that is passed by value. A deep object is dropped without recursion.
pub(crate) fn taken(value: Value, depth: usize) -> Result<Map<String, Value>, PatchError> {
    match value {
        Value::Null => Ok(Map::new()),
        Value::Object(object) => match deep_field(&object, depth) {
            None => Ok(object),
            Some(field) => {
                let error = too_deep(depth, &Path::ROOT.field(field));
                discard(object.into());
                Err(error)
            }
        },
        other => {
            discard(other);
            Err(no_object())
        }
    }
}

/// Rejects a part of a document that is too deep.
pub(crate) fn check_depth(value: &Value, depth: usize) -> Result<(), PatchError> {
    if is_deeper(value, depth) {
        return Err(too_deep(depth, &Path::ROOT));
    }
    Ok(())
}

fn no_object() -> PatchError {
    PatchError::new(
        PatchErrorKind::BadJson,
        "invalid JSON document",
        &Path::ROOT,
    )
}

fn too_deep(depth: usize, path: &Path<'_>) -> PatchError {
    PatchError::new(
        PatchErrorKind::TooDeep,
        format!("exceeded max depth of {depth}"),
        path,
    )
}

/// Returns the first field whose value makes the object deeper than `depth` levels, counting the
/// object's own level.
fn deep_field(object: &Map<String, Value>, depth: usize) -> Option<&str> {
    let mut fields = object.iter();
    let found = fields.find(|(_, value)| is_deeper(value, depth.saturating_sub(1)));
    found.map(|(field, _)| field.as_str())
}
