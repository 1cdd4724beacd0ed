//! The keys of a schema that say what Kubernetes' own do not, written by one feature and read by others.

/// What unions an object has.
pub const UNIONS: &str = "x-kubernetes-unions";

/// How a field is patched.
pub const STRATEGY: &str = "x-kubernetes-patch-strategy";

/// What the elements of a list are told apart by where it is patched.
pub const MERGE_KEY: &str = "x-kubernetes-patch-merge-key";
