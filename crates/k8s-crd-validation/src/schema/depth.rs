//! How deep a schema may be, and the data in it.

use super::place::Place;
use super::props::Props;
use k8s_json_internals::deep::is_deeper;
use union_runtime::Violation;

/// How many levels a schema may have: every level takes stack.
pub(crate) const DEEPEST: usize = 200;

/// How many lists and objects may stand in each other in what is printed or compared as a whole, which takes stack too: enough
/// for a schema of that many levels.
pub(crate) const NESTED: usize = 500;

/// What is said of a schema that has more levels.
pub(crate) fn too_deep(at: &Place<'_>) -> Violation {
    at.invalid(&format!(
        "the schema has more than {DEEPEST} levels; make it flatter"
    ))
}

/// Refuses data that is deeper than a schema may be: it is copied, and the stack has to hold that.
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
