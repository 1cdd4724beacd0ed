//! Enum types in a schema (KEP-2887): `type: string`, the values, and what they mean.

use core::fmt::Write as _;

use schemars::Schema;
use serde_json::{Map, Value, json};

use crate::union_spec::enum_type::EnumType;
use crate::union_spec::schema_keys::{ENUM_VALUES, POSSIBLE_VALUES, above_values};

/// Puts an enum type into its schema (KEP-2887): `type: string`, `enum`, and a description that
/// ends with the list of values, as Kubernetes' own documents have it.
///
/// It is a schemars transform, for the enum:
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
/// assert_eq!(schema["description"], "Possible enum values:\n - `\"Git\"` From a repository.\n - `\"Bucket\"`");
/// ```
///
/// # Panics
///
/// Where `#[schemars(extend("enum" = ...))]` lists other values than the enum has.
pub fn add_enum<E: EnumType>(schema: &mut Schema) {
    let schema = schema.ensure_object();
    set_values(schema, E::VALUES, E::DOCS);
    schema.insert(ENUM_VALUES.into(), block(E::VALUES, E::DOCS).into());
}

/// Makes a schema that of an enum type, whatever form it has: a reference, one of several
/// constants, a plain enum.
///
/// It is not nullable, even where the field is an `Option`: an API server never matches null with a
/// value of an enum, and refuses the object, nullable or not. Where null is not allowed, it drops
/// the null before it validates, so that null counts as absent there as it does here. (Seen in runs
/// of apiextensions-apiserver v0.36: `tests/reference`.)
pub(super) fn set_values(schema: &mut Map<String, Value>, values: &[&str], docs: &[&str]) {
    refuse_contradiction(schema, values);
    for keyword in ["$ref", "anyOf", "oneOf", "const", "nullable"] {
        schema.remove(keyword);
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    schema.insert("type".into(), json!("string"));
    schema.insert("enum".into(), json!(values));
    describe(schema, &block(values, docs));
    // The description of the property stands above that of its type, and it has the list now.
    schema.remove(ENUM_VALUES);
}

/// Ends the description with the list of values again, where a field's own doc comment overwrote
/// it.
pub(super) fn restore_docs(schema: &mut Map<String, Value>) {
    if let Some(Value::String(block)) = schema.remove(ENUM_VALUES) {
        describe(schema, &block);
    }
}

fn refuse_contradiction(schema: &Map<String, Value>, values: &[&str]) {
    let Some(Value::Array(found)) = schema.get("enum") else {
        return;
    };
    let is_same = found
        .iter()
        .filter(|value| !value.is_null())
        .all(|value| value.as_str().is_some_and(|value| values.contains(&value)))
        && values
            .iter()
            .all(|value| found.iter().any(|found| found == value));
    assert!(
        is_same,
        "the schema lists the values {} and the enum type has {}; remove the `enum` from `#[schemars(extend(...))]`: the enum type lists its values itself",
        Value::Array(found.clone()),
        json!(values),
    );
}

/// ``Possible enum values:`` and a line `` - `"A"` what A means`` for each.
fn block(values: &[&str], docs: &[&str]) -> String {
    let mut block = POSSIBLE_VALUES.to_owned();
    for (i, value) in values.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(block, "\n - `{}`", k8s_json_internals::quote::Quoted(value));
        for word in docs.get(i).unwrap_or(&"").split_whitespace() {
            block.push(' ');
            block.push_str(word);
        }
    }
    block
}

/// Ends the description with the list of values, in place of a list that ends it already.
fn describe(schema: &mut Map<String, Value>, block: &str) {
    let description = schema.get("description").and_then(Value::as_str);
    let text = description.unwrap_or_default();
    let text = above_values(text).unwrap_or(text).trim_end();
    let separator = if text.is_empty() { "" } else { "\n\n" };
    let description = format!("{text}{separator}{block}");
    schema.insert("description".into(), description.into());
}
