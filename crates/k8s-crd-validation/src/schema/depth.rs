//! Limits on the depth of schemas and of the values in them.

use super::place::Place;
use super::props::Props;
use k8s_json_internals::deep::is_deeper;
use union_runtime::Violation;

/// The largest number of levels of a schema, because every level takes stack.
pub(crate) const DEEPEST: usize = 200;

/// The largest number of nested lists and objects in a value that is printed or compared as a
/// whole, which takes stack too. A schema with [`DEEPEST`] levels fits.
pub(crate) const NESTED: usize = 500;

/// Returns the error for a schema with too many levels.
pub(crate) fn too_deep(at: &Place<'_>) -> Violation {
    at.invalid(&format!(
        "the schema has more than {DEEPEST} levels; make it flatter"
    ))
}

/// Rejects defaults and enum values that are deeper than a schema may be. They are copied, which
/// takes stack.
pub(crate) fn check_data(props: &Props<'_>, at: &Place<'_>) -> Result<(), Violation> {
    let default = props.default.map(|default| ("default", default));
    let values = props.values.into_iter().flatten();
    let mut data = default
        .into_iter()
        .chain(values.map(|value| ("enum", value)));
    match data.find(|(_, value)| is_deeper(value, DEEPEST)) {
        None => Ok(()),
        Some((keyword, _)) => Err(at.field(keyword).invalid(&format!(
            "the value has more than {DEEPEST} levels; make it flatter"
        ))),
    }
}
