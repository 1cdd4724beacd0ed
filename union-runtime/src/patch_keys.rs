//! What stands on the properties of a schema for patches.

/// How a field is patched.
pub(crate) const STRATEGY: &str = "x-kubernetes-patch-strategy";

/// What the elements of a list are told apart by where it is patched.
pub(crate) const MERGE_KEY: &str = "x-kubernetes-patch-merge-key";
