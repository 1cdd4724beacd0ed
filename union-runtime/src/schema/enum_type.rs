//! Enum types in a schema (KEP-2887): `type: string`, the values, and what they mean.

use core::fmt::Write as _;

use schemars::Schema;
use serde_json::{Map, Value, json};

use crate::spec::enum_type::EnumType;

/// Opens the list of values at the end of a description, as Kubernetes writes it.
const HEADING: &str = "Possible enum values:";

/// Keeps the list of values where a field's own doc comment overwrites the description of its type. Removed by
/// [`Finish`](super::Finish), and unknown to CRDs.
pub(super) const DOCS: &str = "x-union-enum-values";

/// Puts an enum type into its schema (KEP-2887): `type: string`, `enum`, and a description that ends with the list of
/// values, as Kubernetes' own documents have it.
///
/// It is a schemars transform, for the enum: `#[schemars(transform = union_runtime::add_enum::<Kind>)]`.
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
    schema.insert(DOCS.into(), block(E::VALUES, E::DOCS).into());
}

/// Makes a schema that of an enum type, whatever form it has: a reference, one of several constants, a plain enum.
///
/// It is not nullable, even where the field is an `Option`: an API server never matches null with a value of an enum,
/// and refuses the object, nullable or not. Where null is not allowed, it drops the null before it validates, so that
/// null counts as absent there as it does here. (Seen in runs of apiextensions-apiserver v0.36: `tests/reference`.)
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
    schema.remove(DOCS);
}

/// Ends the description with the list of values again, where a field's own doc comment overwrote it.
pub(super) fn restore_docs(schema: &mut Map<String, Value>) {
    if let Some(Value::String(block)) = schema.remove(DOCS) {
        describe(schema, &block);
    }
}

/// Takes everything about an enum type out of a schema, if it is one of ours.
pub(super) fn prune(schema: &mut Map<String, Value>) {
    let description = schema.get("description").and_then(Value::as_str);
    let text = description.map(|description| split(description).0.to_owned());
    let is_listed = text.as_deref() != description;
    if schema.remove(DOCS).is_none() && !is_listed || !schema.contains_key("enum") {
        return;
    }
    schema.remove("enum");
    match text {
        Some(text) if text.is_empty() => schema.remove("description"),
        Some(text) => schema.insert("description".into(), text.into()),
        None => None,
    };
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
    let mut block = HEADING.to_owned();
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

fn describe(schema: &mut Map<String, Value>, block: &str) {
    let text = schema
        .get("description")
        .and_then(Value::as_str)
        .map_or("", |description| split(description).0.trim_end());
    let description = if text.is_empty() {
        block.to_owned()
    } else {
        format!("{text}\n\n{block}")
    };
    schema.insert("description".into(), description.into());
}

/// A description without and with the list of values that ends it.
fn split(description: &str) -> (&str, &str) {
    let lines = description.rsplit('\n');
    let values = lines.take_while(|line| line.starts_with(" - `\""));
    let list: usize = values.map(|line| line.len() + 1).sum();
    let above = description.len().checked_sub(list);
    let above = above.and_then(|end| description.get(..end)?.strip_suffix(HEADING));
    match above {
        Some(text) if list > 0 && (text.is_empty() || text.ends_with('\n')) => (
            text.trim_end(),
            description.get(text.len()..).unwrap_or_default(),
        ),
        _ => (description, ""),
    }
}
