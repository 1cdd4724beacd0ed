//! Limits on the depth of schemas and of the values in them.

use super::crd_path::CrdPath;
use super::keywords::Keywords;
use k8s_json_internals::deep::is_deeper;
use union_runtime::Violation;

/// The largest number of levels of a schema, because every level takes stack.
pub(crate) const MAX_SCHEMA_DEPTH: usize = 200;

/// The largest number of nested lists and objects in a value that is printed or compared as a
/// whole, which takes stack too. A schema with [`MAX_SCHEMA_DEPTH`] levels fits.
pub(crate) const MAX_VALUE_DEPTH: usize = 500;

/// Returns the error for a schema with too many levels.
pub(crate) fn schema_too_deep_error(at: &CrdPath<'_>) -> Violation {
    at.invalid(&format!(
        "the schema has more than {MAX_SCHEMA_DEPTH} levels; make it flatter"
    ))
}

/// Rejects defaults and enum values that are deeper than a schema may be. They are copied, which
/// takes stack.
pub(crate) fn check_value_depths(props: &Keywords<'_>, at: &CrdPath<'_>) -> Result<(), Violation> {
    let default = props.default.map(|default| ("default", default));
    let values = props.enum_values.into_iter().flatten();
    let mut data = default
        .into_iter()
        .chain(values.map(|value| ("enum", value)));
    match data.find(|(_, value)| is_deeper(value, MAX_SCHEMA_DEPTH)) {
        None => Ok(()),
        Some((keyword, _)) => Err(at.field(keyword).invalid(&format!(
            "the value has more than {MAX_SCHEMA_DEPTH} levels; make it flatter"
        ))),
    }
}
