//! The keys of a schema that say what Kubernetes' own do not: for tools that read what the derives write there.

/// What unions an object has (KEP-1027, "`OpenAPI`", in both texts).
pub const UNIONS: &str = "x-kubernetes-unions";

/// How a field is patched: `merge`, `replace`, `retainKeys`, or two of them with a comma.
pub const STRATEGY: &str = "x-kubernetes-patch-strategy";

/// What the elements of a list are told apart by where it is patched.
pub const MERGE_KEY: &str = "x-kubernetes-patch-merge-key";
