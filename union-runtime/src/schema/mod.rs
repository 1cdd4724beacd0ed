//! Schema output (feature `schemars`): the `x-kubernetes-unions` extension (KEP-1027, "`OpenAPI`", in both texts), enum
//! types (KEP-2887), and rules that API servers enforce today.
//!
//! The derives demand their hook where a type implements `JsonSchema`:
//! `#[schemars(transform = union_runtime::add_unions::<T>)]` and `union_runtime::add_enum::<T>`.

mod document;
mod enforce;
pub(crate) mod enum_form;
mod enum_type;
mod extension;
mod prune;

use schemars::transform::Transform;
use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::Value;

use self::document::transform_objects;

pub use document::visit_objects;
pub use enforce::add_rules;
pub use enum_type::add_enum;
pub use extension::add_unions;
pub use prune::{PruneEnums, prune_enums};

pub use crate::spec::schema_keys::UNIONS;

/// Keys that the hooks leave in a schema, for [`Finish`], which takes them out. Where a schema is made without it, as the one in
/// a CRD of kube-rs is, they are yours to remove.
pub const MARKS: [&str; 2] = [enforce::ENFORCED, enum_type::DOCS];

/// The finished schema of a type, as an `OpenAPI` v3 document holds it: with the `x-kubernetes-unions` extension, enum
/// types with the docs of their values, and CEL rules; all in one piece, without `$ref`. A type that holds itself ends
/// where it comes again, with `x-kubernetes-preserve-unknown-fields`: no schema of a CRD can say more. A schema
/// with references comes from a generator of schemars and [`Finish`]; the crate `union-json` follows them.
///
/// The schema that `CustomResource` puts into a CRD differs: `k8s-openapi` knows no `x-kubernetes-unions` and drops it.
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
/// Where an `enum` that stands in a schema by other means contradicts the enum type; see [`add_enum`].
#[must_use]
pub fn schema_for<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::openapi3().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    Finish.transform(&mut schema);
    // What is left are references of types that hold themselves.
    schema.remove("components");
    transform_objects(&mut schema, &mut |object| {
        if object.remove("$ref").is_some() {
            object.insert(
                "x-kubernetes-preserve-unknown-fields".to_owned(),
                true.into(),
            );
        }
    });
    schema
}

/// Finishes a schema that any generator made: restores the docs of enum values that a field's own doc comment
/// overwrote, and adds what enforces the unions that `flatten` dropped it of.
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
            let mut schema = Schema::from(core::mem::take(object));
            enum_type::restore_docs(&mut schema);
            schema.remove(enforce::ENFORCED);
            add_rules(&mut schema);
            if let Value::Object(finished) = schema.to_value() {
                *object = finished;
            }
        });
    }
}
