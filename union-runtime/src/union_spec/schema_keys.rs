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

/// The heading of the list of values at the end of a description, as Kubernetes writes it
/// (KEP-2887).
pub const POSSIBLE_VALUES: &str = "Possible enum values:";

/// Returns the part of a description before the list of values, or `None` if the description does
/// not end with a list of values.
#[must_use]
pub fn description_without_values(description: &str) -> Option<&str> {
    let lines = description.rsplit('\n');
    let value_lines = lines.take_while(|line| line.starts_with(" - `\""));
    let list_len: usize = value_lines.map(|line| line.len() + 1).sum();
    let heading_end = description.len().checked_sub(list_len)?;
    let text = description.get(..heading_end)?;
    let text = text.strip_suffix(POSSIBLE_VALUES)?;
    let has_list = list_len > 0 && (text.is_empty() || text.ends_with('\n'));
    has_list.then(|| text.trim_end())
}
