//! Schemas of derived types (feature `schemars`): the `x-kubernetes-unions` extension (KEP-1027,
//! section "`OpenAPI`" of both texts), enum types (KEP-2887), and rules that API servers enforce
//! today.
//!
//! The derives require a schema hook on types that implement `JsonSchema`:
//! `#[schemars(transform = union_runtime::add_unions::<T>)]` or
//! `#[schemars(transform = union_runtime::add_enum::<T>)]`.

mod document;
mod enforcement;
pub(crate) mod enum_form;
mod enum_type;
mod extension;

use schemars::transform::Transform;
use schemars::{JsonSchema, Schema, generate::SchemaSettings};

use self::document::visit_schemas_mut;
use crate::union_spec::schema_keys::ENUM_VALUES;
use k8s_json_internals::schema_keywords::inline_ref;

pub use crate::union_spec::schema_keys::UNIONS;
pub use enforcement::add_rules;
pub use enum_type::add_enum;
pub use extension::add_unions;

/// The keys that the schema hooks leave in a schema for [`FinishSchema`], which removes them. If
/// you do not use [`FinishSchema`], remove the keys yourself, for example from the CRD of a kube-rs
/// type.
pub const MARKS: [&str; 2] = [enforcement::ENFORCED, ENUM_VALUES];

/// Returns the finished schema of a type, as in an `OpenAPI` v3 document. It contains the
/// `x-kubernetes-unions` extension, enum types with the doc comments of their values, and CEL
/// rules. All subschemas are inlined, without `$ref`.
///
/// CRDs have no references, so a recursive type ends where the type occurs again, with
/// `x-kubernetes-preserve-unknown-fields`. For a schema with references, which the crate
/// `union-json` resolves, use a generator of schemars and [`FinishSchema`].
///
/// The CRD of the `CustomResource` derive does not contain the extension, because the type of
/// schemas in `k8s-openapi` drops `x-kubernetes-unions`.
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
/// Panics if a schema has an `enum` from another source that contradicts the enum type; see
/// [`add_enum`]. Also panics if the schema of a member has a default or allows only null.
#[must_use]
pub fn schema_for<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::openapi3().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    FinishSchema.transform(&mut schema);
    // Only references of recursive types remain.
    let document = schema.clone();
    schema.remove("components");
    visit_schemas_mut(&mut schema, &mut |object| {
        inline_ref(document.as_value(), object);
    });
    schema
}

/// A schemars transform that finishes the schema of any generator. It restores the doc comments of
/// enum values that the doc comment of a field overwrote, adds the rules of unions that `flatten`
/// dropped, and removes the keys in [`MARKS`].
///
/// [`schema_for`] applies this transform too. A second application changes nothing.
///
/// ```
/// use schemars::generate::SchemaSettings;
/// use schemars::transform::Transform as _;
/// use union_runtime::schema::FinishSchema;
///
/// let generator = SchemaSettings::openapi3().into_generator();
/// let mut schema = generator.into_root_schema_for::<Option<String>>();
/// FinishSchema.transform(&mut schema);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FinishSchema;

impl Transform for FinishSchema {
    fn transform(&mut self, schema: &mut Schema) {
        visit_schemas_mut(schema, &mut |object| {
            enum_type::restore_docs(object);
            object.remove(enforcement::ENFORCED);
            enforcement::add_marked_keywords(object);
        });
    }
}
