//! Makes the object of a finding smaller.

use serde_json::Value;

use crate::bounds::SHRINK;
use crate::sample::removals;

/// Returns the object without the values that the finding does not need.
pub(crate) fn smaller(
    object: Value,
    schema: &Value,
    mut is_proof: impl FnMut(&Value) -> bool,
) -> Value {
    let mut object = object;
    let mut index = 0;
    let mut tries = 0;
    while let Some(change) = removals(&object, schema).get(index) {
        tries += 1;
        if tries > SHRINK {
            break;
        }
        match change.apply(&object) {
            Some(smaller) if is_proof(&smaller) => object = smaller,
            _ => index += 1,
        }
    }
    object
}
