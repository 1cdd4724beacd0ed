//! The schema of enum types (KEP-2887): `type: string`, the values, and their doc comments.

use crate::union_spec::EnumType;
use crate::union_spec::schema_keys::ENUM_VALUES;
use k8s_json_internals::value_list::{set_value_list, value_list};
use schemars::Schema;
use serde_json::{Map, Value, json};

/// Writes an enum type into its schema (KEP-2887): `type: string`, `enum`, and a description that
/// ends with the list of values, as in the documents of Kubernetes.
///
/// Use this function as a schemars transform of the enum:
/// `#[schemars(transform = union_runtime::add_enum::<Kind>)]`.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use union_runtime::EnumType;
///
/// #[derive(EnumType, Serialize, Deserialize, JsonSchema)]
/// #[schemars(transform = union_runtime::add_enum::<Kind>)]
/// enum Kind {
///     /// From a repository.
///     Git,
///     Bucket,
/// }
///
/// let schema = schemars::schema_for!(Kind).to_value();
/// assert_eq!(
///     schema["description"],
///     "Possible enum values:\n - `\"Git\"` From a repository.\n - `\"Bucket\"`",
/// );
/// ```
///
/// # Panics
///
/// Panics if `#[schemars(extend("enum" = ...))]` lists other values than the enum has, or if serde
/// does not read and write each value as the enum type lists it.
pub fn add_enum<E: EnumType>(schema: &mut Schema) {
    reject(E::json_error());
    let schema = schema.ensure_object();
    set_values(schema, E::VALUES, E::DOCS);
    schema.insert(ENUM_VALUES.into(), value_list(E::VALUES, E::DOCS).into());
}

/// Converts a schema of any form (a reference, one of several constants, a plain enum) to the
/// schema of an enum type.
///
/// The result is not nullable, even if the field is an `Option`. Null is never one of the values of
/// an `enum`, so an API server rejects null even if the schema is nullable. If the schema is not
/// nullable, the server drops the null before it validates, so null counts as absent, as in this
/// crate. (Observed in runs of apiextensions-apiserver v0.36: `tests/reference`.)
pub(super) fn set_values(schema: &mut Map<String, Value>, values: &[&str], docs: &[&str]) {
    reject_contradiction(schema, values);
    for keyword in ["$ref", "anyOf", "oneOf", "const", "format", "nullable"] {
        schema.remove(keyword);
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    schema.insert("type".into(), json!("string"));
    schema.insert("enum".into(), json!(values));
    set_value_list(schema, &value_list(values, docs));
    // The description of the property overrides the description of its type, and contains the list
    // now.
    schema.remove(ENUM_VALUES);
}

/// Adds the list of values to the description again, if the doc comment of the field overwrote the
/// description of the type.
pub(super) fn restore_docs(schema: &mut Map<String, Value>) {
    if let Some(Value::String(list)) = schema.remove(ENUM_VALUES) {
        set_value_list(schema, &list);
    }
}

/// Panics if there is an error, such as an error in the JSON of an enum type.
pub(super) fn reject(error: Option<String>) {
    assert!(error.is_none(), "{}", error.unwrap_or_default());
}

/// Panics if a schema has an `enum` with other values than these.
fn reject_contradiction(schema: &Map<String, Value>, values: &[&str]) {
    let Some(Value::Array(listed_values)) = schema.get("enum") else {
        return;
    };
    let is_value = |listed: &Value| listed.is_null() || values.iter().any(|it| listed == it);
    let is_listed = |value: &&str| listed_values.iter().any(|listed| listed == value);
    let has_same_values = listed_values.iter().all(is_value) && values.iter().all(is_listed);
    assert!(
        has_same_values,
        "the schema lists the values {}, but the enum type has {}; remove `enum` from `#[schemars(extend(...))]`, because the enum type adds its own values",
        Value::Array(listed_values.clone()),
        json!(values),
    );
}
