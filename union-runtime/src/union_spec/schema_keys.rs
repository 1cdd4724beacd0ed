//! The schema keys that the derives write beside the keys of Kubernetes, for tools that read such
//! schemas.

/// The key of the unions of an object (KEP-1027, "`OpenAPI`", in both texts).
pub const UNIONS: &str = "x-kubernetes-unions";

/// The key of the patch strategy of a field: `merge`, `replace`, `retainKeys`, or two of them
/// separated by a comma.
pub const STRATEGY: &str = "x-kubernetes-patch-strategy";

/// The key of the patch merge key: the name of the field by which a patch identifies the elements
/// of a list.
pub const MERGE_KEY: &str = "x-kubernetes-patch-merge-key";

/// The key of the list of values of an enum type. A schema has the key if the doc comment of a
/// field may overwrite the description of the type, which contains the list. `schema::FinishSchema`
/// removes the key.
pub const ENUM_VALUES: &str = "x-union-enum-values";

/// The heading of the list of values at the end of a description, as Kubernetes writes it
/// (KEP-2887).
pub const POSSIBLE_VALUES: &str = "Possible enum values:";

/// Returns the part of a description above the list of values, if the description ends with such a
/// list.
#[must_use]
pub fn description_without_values(description: &str) -> Option<&str> {
    let lines = description.rsplit('\n');
    let values = lines.take_while(|line| line.starts_with(" - `\""));
    let list: usize = values.map(|line| line.len() + 1).sum();
    let end = description.len().checked_sub(list)?;
    let above = description.get(..end)?.strip_suffix(POSSIBLE_VALUES)?;
    let is_list = list > 0 && (above.is_empty() || above.ends_with('\n'));
    is_list.then(|| above.trim_end())
}
