//! The schema keys of this project, which are not keys of Kubernetes, for tools that read schemas.

/// The key of the unions of an object (KEP-1027, section "`OpenAPI`" of both texts).
pub const UNIONS: &str = "x-kubernetes-unions";

/// The key of the patch strategy of a field: `merge`, `replace`, `retainKeys`, or two of these
/// strategies separated by a comma.
pub const STRATEGY: &str = "x-kubernetes-patch-strategy";

/// The key of the patch merge key: the name of the field by which a patch identifies the elements
/// of a list.
pub const MERGE_KEY: &str = "x-kubernetes-patch-merge-key";

/// The key of the list of values of an enum type. The list is also in the description of the type,
/// which the doc comment of a field may overwrite. `schema::FinishSchema` then restores the list
/// from this key, and removes the key.
pub const ENUM_VALUES: &str = "x-union-enum-values";

pub use k8s_json_internals::value_list::{POSSIBLE_VALUES, description_without_values};
