//! What the reference runs ask. Nobody else may: it changes with every version.

use serde_json::Value;

use super::meta::{self, NameRule, Scope};
use super::schema::StructuralSchema;
use k8s_cel::pattern;
use union_runtime::Violation;
use union_runtime::path::Path;

/// What is wrong with a pattern, or a test of texts.
///
/// # Errors
///
/// As an API server words it.
pub fn pattern(text: &str) -> Result<impl Fn(&str) -> bool + use<>, String> {
    let regex = pattern::compile(text)?;
    Ok(move |text: &str| regex.is_match(text))
}

/// Reads metadata, as it is sent or as it is stored.
///
/// # Errors
///
/// As an API server words it.
pub fn coerce(metadata: &mut Value, is_stored: bool) -> Result<(), String> {
    if is_stored {
        meta::coerce_stored(metadata);
        return Ok(());
    }
    meta::coerce(metadata)
}

/// What is wrong with new metadata.
#[must_use]
pub fn created(metadata: &Value, is_namespaced: bool) -> Vec<String> {
    let scope = if is_namespaced {
        Scope::Namespaced
    } else {
        Scope::Cluster
    };
    all(|at, sink| meta::common(Some(metadata), NameRule::Subdomain, scope, at, sink))
}

/// What is wrong with changed metadata.
#[must_use]
pub fn updated(new: &Value, old: &Value) -> Vec<String> {
    all(|at, sink| meta::update(Some(new), Some(old), at, sink))
}

fn all(check: impl FnOnce(&Path<'_>, &mut Vec<Violation>)) -> Vec<String> {
    let mut sink = Vec::new();
    check(&Path::ROOT.field("metadata"), &mut sink);
    sink.iter().map(ToString::to_string).collect()
}

/// Reads the embedded resources of an object, and says what is wrong with them.
///
/// # Errors
///
/// The first that cannot be read.
pub fn embedded(schema: &StructuralSchema, object: &mut Value) -> Result<Vec<String>, String> {
    meta::coerce_embedded(schema, object).map_err(|violation| violation.to_string())?;
    let mut sink = Vec::new();
    meta::validate_embedded(schema, object, &mut sink);
    Ok(sink.iter().map(ToString::to_string).collect())
}
