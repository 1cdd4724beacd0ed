//! The warnings of an API server about finalizers.

use std::collections::HashSet;

use serde_json::Value;

use super::names;
use crate::metadata::meta::fields::ObjectFields;
use k8s_json_internals::quote::GoQuoted;

/// The finalizers of Kubernetes itself, which are the only finalizers that need no domain.
const BUILT_IN: [&str; 3] = ["foregroundDeletion", "orphan", "kubernetes"];

/// Returns the warnings about the finalizers that the old metadata does not have. `old` returns the
/// old metadata, and is called only if the new metadata has finalizers.
pub(crate) fn finalizer_warnings<'v>(
    new: Option<&Value>,
    old: impl FnOnce() -> Option<&'v Value>,
) -> Vec<String> {
    let mut warnings = Vec::new();
    let finalizers = ObjectFields::new(new).list("finalizers");
    if finalizers.is_empty() {
        return warnings;
    }
    let old_finalizers = ObjectFields::new(old()).list("finalizers");
    // Most updates do not change the finalizers.
    let old_strings = old_finalizers.iter().map(Value::as_str);
    if finalizers.iter().map(Value::as_str).eq(old_strings) {
        return warnings;
    }
    let old_names: HashSet<&str> = old_finalizers.iter().filter_map(Value::as_str).collect();
    let names = finalizers.iter().filter_map(Value::as_str);
    for name in names.filter(|name| !old_names.contains(name)) {
        let prefix = || format!("metadata.finalizers: {}", GoQuoted(name));
        for message in names::check_qualified_name(name) {
            warnings.push(format!("{}: {message}", prefix()));
        }
        if !name.contains('/') && !BUILT_IN.contains(&name) {
            warnings.push(format!(
                "{}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers",
                prefix()
            ));
        }
    }
    warnings
}
