//! Limits on the depth of schemas and of values. Walks over schemas and values are recursive, so a
//! limit protects the stack.

use super::crd_path::CrdPath;
use super::raw::keywords::Keywords;
use k8s_json_internals::deep::is_deeper;
use union_runtime::Violation;

/// The largest number of levels of a schema. Real schemas are far below this limit.
pub(crate) const MAX_SCHEMA_DEPTH: usize = 200;

/// The largest number of levels of lists and objects in a value that is printed or compared as a
/// whole. The JSON of a schema with [`MAX_SCHEMA_DEPTH`] levels must fit: each level of a
/// schema has up to two levels of JSON, such as `properties` and the property.
pub(crate) const MAX_VALUE_DEPTH: usize = 500;

/// Returns the error for a schema with too many levels.
pub(crate) fn schema_too_deep_error(path: &CrdPath<'_>) -> Violation {
    path.invalid(&format!(
        "the schema has more than {MAX_SCHEMA_DEPTH} levels; make it flatter"
    ))
}

/// Rejects a default or an enum value with more than [`MAX_SCHEMA_DEPTH`] levels, because copying
/// such a value is recursive.
pub(crate) fn check_value_depths(
    keywords: &Keywords<'_>,
    path: &CrdPath<'_>,
) -> Result<(), Violation> {
    let default = keywords.default.map(|default| ("default", default));
    let values = keywords.enum_values.into_iter().flatten();
    let mut values_by_keyword = default
        .into_iter()
        .chain(values.map(|value| ("enum", value)));
    match values_by_keyword.find(|(_, value)| is_deeper(value, MAX_SCHEMA_DEPTH)) {
        None => Ok(()),
        Some((keyword, _)) => Err(path.field(keyword).invalid(&format!(
            "the value has more than {MAX_SCHEMA_DEPTH} levels; make it flatter"
        ))),
    }
}
