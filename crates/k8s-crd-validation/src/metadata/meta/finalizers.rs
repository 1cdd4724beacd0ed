//! The warnings of a server about the finalizers of an object.

use serde_json::Value;

use super::names;
use super::read::Meta;
use k8s_json_internals::quote::Quoted;

/// The finalizers of Kubernetes itself, which have no domain.
const OWN: [&str; 3] = ["foregroundDeletion", "orphan", "kubernetes"];

/// Returns the warnings about new finalizers. `old` returns the old metadata, and is called only if
/// there are finalizers.
pub(crate) fn warnings<'v>(
    new: Option<&Value>,
    old: impl FnOnce() -> Option<&'v Value>,
) -> Vec<String> {
    let mut warnings = Vec::new();
    let finalizers = Meta::of(new).list("finalizers");
    if finalizers.is_empty() {
        return warnings;
    }
    let known = Meta::of(old()).list("finalizers");
    for finalizer in finalizers {
        let Some(name) = finalizer.as_str().filter(|_| !known.contains(finalizer)) else {
            continue;
        };
        let at = || format!("metadata.finalizers: {}", Quoted(name));
        for wrong in names::key(name) {
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
