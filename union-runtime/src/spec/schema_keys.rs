//! The keys of a schema that say what Kubernetes' own do not: for tools that read what the derives write there.

/// What unions an object has (KEP-1027, "`OpenAPI`", in both texts).
pub const UNIONS: &str = "x-kubernetes-unions";

/// How a field is patched: `merge`, `replace`, `retainKeys`, or two of them with a comma.
pub const STRATEGY: &str = "x-kubernetes-patch-strategy";

/// What the elements of a list are told apart by where it is patched.
pub const MERGE_KEY: &str = "x-kubernetes-patch-merge-key";

/// The key under which the schema of an enum type keeps the list of its values, if the doc comment
/// of a field may overwrite the description of the type. `schema::Finish` removes the key.
pub const ENUM_VALUES: &str = "x-union-enum-values";

/// The heading of the list of values at the end of a description, as Kubernetes writes it
/// (KEP-2887).
pub const POSSIBLE_VALUES: &str = "Possible enum values:";
