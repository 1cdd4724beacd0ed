//! The keys of a schema that say what Kubernetes' own do not: for tools that read what the derives
//! write there.

/// The unions of an object (KEP-1027, "`OpenAPI`", in both texts).
pub const UNIONS: &str = "x-kubernetes-unions";

/// The patch strategy of a field: `merge`, `replace`, `retainKeys`, or two of them with a comma.
pub const STRATEGY: &str = "x-kubernetes-patch-strategy";

/// The key by which a patch identifies the elements of a list.
pub const MERGE_KEY: &str = "x-kubernetes-patch-merge-key";

/// The key under which the schema of an enum type keeps the list of its values, if the doc comment
/// of a field may overwrite the description of the type. `schema::Finish` removes the key.
pub const ENUM_VALUES: &str = "x-union-enum-values";

/// The heading of the list of values at the end of a description, as Kubernetes writes it
/// (KEP-2887).
pub const POSSIBLE_VALUES: &str = "Possible enum values:";

/// Returns the text above the list of values that ends a description, if there is such a list.
#[must_use]
pub fn above_values(description: &str) -> Option<&str> {
    let lines = description.rsplit('\n');
    let values = lines.take_while(|line| line.starts_with(" - `\""));
    let list: usize = values.map(|line| line.len() + 1).sum();
    let end = description.len().checked_sub(list)?;
    let above = description.get(..end)?.strip_suffix(POSSIBLE_VALUES)?;
    let is_list = list > 0 && (above.is_empty() || above.ends_with('\n'));
    is_list.then(|| above.trim_end())
}
