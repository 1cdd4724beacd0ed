//! The patch schema of a Rust type.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::schema::PatchSchema;
use union_json::SchemaError;

/// Returns the patch schema of a type: the keywords of `#[union(patch_strategy, patch_merge_key)]`,
/// and extensions that are added to the schema by other means.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
/// use union_runtime::Union;
///
/// #[derive(Union, Serialize, Deserialize, JsonSchema)]
/// #[schemars(transform = union_runtime::add_unions::<Spec>)]
/// struct Spec {
///     #[union(patch_strategy = "merge")]
///     tags: Vec<String>,
/// }
///
/// let schema = k8s_strategic_merge_patch::patch_schema::<Spec>()?;
/// let merged = schema.apply(json!({"tags": ["a"]}), &json!({"tags": ["b"]})).unwrap();
/// // New elements come first, as on an API server.
/// assert_eq!(merged, json!({"tags": ["b", "a"]}));
/// # Ok::<(), k8s_strategic_merge_patch::SchemaError>(())
/// ```
///
/// # Errors
///
/// Returns an error if [`PatchSchema::compile`] does; the schema of a derived type has no such
/// errors.
pub fn patch_schema<T: JsonSchema>() -> Result<PatchSchema, SchemaError> {
    // Recursive types need references.
    let generator = SchemaSettings::openapi3().into_generator();
    PatchSchema::compile(generator.into_root_schema_for::<T>().as_value())
}
