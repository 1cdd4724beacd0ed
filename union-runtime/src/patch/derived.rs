//! What a Rust type says of patches.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::schema::PatchSchema;
use crate::engine::SchemaError;

/// What the schema of a type says of patches: that of `#[union(patch_strategy, patch_merge_key)]`, and of extensions that
/// stand there by other means.
///
/// # Errors
///
/// As [`PatchSchema::compile`]; the schema of a derived type has no such errors.
pub fn patch_schema<T: JsonSchema>() -> Result<PatchSchema, SchemaError> {
    // Types that hold themselves stand behind references.
    let generator = SchemaSettings::openapi3().into_generator();
    PatchSchema::compile(generator.into_root_schema_for::<T>().as_value())
}
