//! The warnings of a server about the finalizers of an object.

use serde_json::Value;

use super::fields::ObjectFields;
use super::names;
use k8s_json_internals::quote::GoQuoted;

/// The finalizers of Kubernetes itself, which have no domain.
const OWN: [&str; 3] = ["foregroundDeletion", "orphan", "kubernetes"];

/// Returns the warnings about new finalizers. `old` returns the old metadata, and is called only if
/// there are finalizers.
pub(crate) fn finalizer_warnings<'v>(
    new: Option<&Value>,
    old: impl FnOnce() -> Option<&'v Value>,
) -> Vec<String> {
    let mut warnings = Vec::new();
    let finalizers = ObjectFields::new(new).list("finalizers");
    if finalizers.is_empty() {
        return warnings;
    }
    let known = ObjectFields::new(old()).list("finalizers");
    for finalizer in finalizers {
        let Some(name) = finalizer.as_str().filter(|_| !known.contains(finalizer)) else {
            continue;
        };
        let at = || format!("metadata.finalizers: {}", GoQuoted(name));
        for wrong in names::check_qualified_name(name) {
            warnings.push(format!("{}: {wrong}", at()));
        }
        if !name.contains('/') && !OWN.contains(&name) {
            warnings.push(format!(
                "{}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers",
                at()
            ));
        }
    }
    warnings
}
