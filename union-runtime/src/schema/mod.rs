//! Schema output (feature `schemars`): the `x-kubernetes-unions` extension (KEP-1027, "`OpenAPI`",
//! in both texts), enum types (KEP-2887), and rules that API servers enforce today.
//!
//! The derives demand their hook where a type implements `JsonSchema`:
//! `#[schemars(transform = union_runtime::add_unions::<T>)]` and `union_runtime::add_enum::<T>`.

mod document;
mod enforce;
pub(crate) mod enum_form;
mod enum_type;
mod extension;

use schemars::transform::Transform;
use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::{Map, Value};

use self::document::transform_objects;
use crate::union_spec::schema_keys::ENUM_VALUES;

pub use enforce::add_rules;
pub use enum_type::add_enum;
pub use extension::add_unions;

pub use crate::union_spec::schema_keys::UNIONS;

/// Keys that the hooks leave in a schema, for [`Finish`], which takes them out. Where a schema is
/// made without it, as the one in a CRD of kube-rs is, they are yours to remove.
pub const MARKS: [&str; 2] = [enforce::ENFORCED, ENUM_VALUES];

/// The finished schema of a type, as an `OpenAPI` v3 document holds it: with the
/// `x-kubernetes-unions` extension, enum types with the docs of their values, and CEL rules; all in
/// one piece, without `$ref`.
///
/// The schema of a type that holds itself ends where the type comes again, with
/// `x-kubernetes-preserve-unknown-fields`, because CRDs have no references. For a schema with
/// references, which the crate `union-json` follows, use a generator of schemars and [`Finish`].
///
/// The schema that `CustomResource` puts into a CRD differs: `k8s-openapi` knows no
/// `x-kubernetes-unions` and drops it.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
/// use union_runtime::{Union, schema_for};
///
/// #[derive(Union, Serialize, Deserialize, JsonSchema)]
/// #[schemars(transform = union_runtime::add_unions::<Source>)]
/// struct Source {
///     #[union(member, group = source)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     git: Option<String>,
///     #[union(member, group = source)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     bucket: Option<String>,
/// }
///
/// let schema = schema_for::<Source>();
/// let union = json!({"fields-to-discriminateBy": {"git": "Git", "bucket": "Bucket"}});
/// assert_eq!(schema.get("x-kubernetes-unions"), Some(&json!([union])));
/// ```
///
/// # Panics
///
/// Where an `enum` that stands in a schema by other means contradicts the enum type; see
/// [`add_enum`].
#[must_use]
pub fn schema_for<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::openapi3().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    Finish.transform(&mut schema);
    // The references that are left are those of types that hold themselves.
    let document = schema.clone();
    schema.remove("components");
    transform_objects(&mut schema, &mut |object| end_references(&document, object));
    schema
}

/// Ends a schema that refers to another one of the document, alone or in branches. A server rejects
/// `x-kubernetes-preserve-unknown-fields` below branches, so only the type is left of them, if they
/// have one; rules do not see a field without a type.
fn end_references(document: &Schema, object: &mut Map<String, Value>) {
    let refers = |branch: &&Value| branch.get("$ref").is_some();
    let is_null = |branch: &Value| branch.get("nullable").is_some();
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if let Some(Value::Array(branches)) = object.get(keyword)
            && let Some(reference) = branches.iter().find(refers)
        {
            let is_alone = branches.iter().filter(|branch| !is_null(branch)).count() == 1;
            let reference = reference["$ref"].as_str().filter(|_| is_alone).into();
            if branches.iter().any(is_null) {
                object.insert("nullable".to_owned(), true.into());
            }
            object.remove(keyword);
            object.insert("$ref".to_owned(), reference);
        }
    }
    if let Some(reference) = object.remove("$ref") {
        object.insert(
            "x-kubernetes-preserve-unknown-fields".to_owned(),
            true.into(),
        );
        let pointer = reference
            .as_str()
            .and_then(|reference| reference.strip_prefix('#'));
        if let Some(of_type) = pointer.and_then(|pointer| document.pointer(pointer)?.get("type")) {
            object.insert("type".to_owned(), of_type.clone());
        }
    }
}

/// Finishes a schema that any generator made: restores the docs of enum values that a field's own
/// doc comment overwrote, and adds what enforces the unions that `flatten` dropped it of.
///
/// [`schema_for`] does it too. A second time changes nothing.
///
/// ```
/// use schemars::generate::SchemaSettings;
/// use schemars::transform::Transform as _;
/// use union_runtime::schema::Finish;
///
/// let mut schema = SchemaSettings::openapi3().into_generator().into_root_schema_for::<Option<String>>();
/// Finish.transform(&mut schema);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Finish;

impl Transform for Finish {
    fn transform(&mut self, schema: &mut Schema) {
        transform_objects(schema, &mut |object| {
            enum_type::restore_docs(object);
            object.remove(enforce::ENFORCED);
            enforce::add_marked(object);
        });
    }
}
