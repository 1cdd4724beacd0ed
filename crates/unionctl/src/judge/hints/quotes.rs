//! Hints on YAML values without quotes that are not strings, such as `on` and `1.10`.

use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::input::ObjectSource;
use crate::judge::reply::unions_reply::FieldError;

/// The maximum number of errors of an object that get a hint.
const MAX_HINTS: usize = 100;

/// The fields of metadata whose values are strings, or maps and lists of strings.
const METADATA_FIELDS: [&str; 6] = [
    "annotations",
    "finalizers",
    "generateName",
    "labels",
    "name",
    "namespace",
];

/// Adds a hint to each error about a value that must be a string, if the file has the value without
/// quotes. `object` is the object in the file.
pub(crate) fn add_hints(
    errors: &mut [FieldError],
    object: &Value,
    source: &ObjectSource,
    file: &str,
) {
    for error in errors.iter_mut().take(MAX_HINTS) {
        let hints = if is_metadata_error(error) {
            let paths = metadata_paths(object).into_iter();
            paths
                .filter_map(|path| quote_hint(&path, object, source, file))
                .collect()
        } else if is_string_expected(error) {
            Vec::from_iter(quote_hint(&error.path, object, source, file))
        } else {
            Vec::new()
        };
        error.hints.extend(hints);
    }
}

fn is_string_expected(error: &FieldError) -> bool {
    match error.r#type {
        "FieldValueTypeInvalid" | "FieldValueInvalid" => {
            error.rule().contains("must be of type string")
        }
        "FieldValueNotSupported" => true,
        _ => false,
    }
}

/// Returns true if the metadata of the object cannot be decoded, because a value is not a string.
/// Such an error does not have the path of the value.
fn is_metadata_error(error: &FieldError) -> bool {
    error.r#type == "BadRequest" && error.rule().contains("of type string")
}

/// Returns the paths of the strings in the metadata of an object.
fn metadata_paths(object: &Value) -> Vec<FieldPath> {
    let mut paths = Vec::new();
    for field in METADATA_FIELDS {
        let path = || FieldPath::from(["metadata"]).field(field);
        match object
            .get("metadata")
            .and_then(|metadata| metadata.get(field))
        {
            Some(Value::Object(entries)) => {
                paths.extend(entries.keys().map(|key| path().field(key)));
            }
            Some(Value::Array(elements)) => {
                paths.extend((0..elements.len()).map(|index| path().index(index)));
            }
            Some(_) => paths.push(path()),
            None => {}
        }
    }
    paths
}

/// Returns the hint on a value that is not a string because it has no quotes.
fn quote_hint(
    path: &FieldPath,
    object: &Value,
    source: &ObjectSource,
    file: &str,
) -> Option<String> {
    let type_name = match path.find(object)? {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let (text, position) = source.unquoted_value(path)?;
    let (line, column) = (position.line, position.column);
    Some(match text {
        "" => format!("{file}:{line}:{column}: an empty value is null; write \"\" for a string"),
        text => format!(
            "{file}:{line}:{column}: `{text}` without quotes is {type_name}; write {text:?} for a string"
        ),
    })
}
