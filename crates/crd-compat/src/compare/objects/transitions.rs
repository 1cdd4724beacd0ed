//! Updates that tell two schemas apart: rules that compare a value with its old value.

use serde_json::Value;

/// The maximum number of objects that are paired.
const PAIRED: usize = 14;

/// Returns pairs of distinct objects: a stored object, and the object that replaces it.
pub(crate) fn pairs(objects: &[Value]) -> Vec<(&Value, &Value)> {
    let objects = objects.get(..PAIRED.min(objects.len())).unwrap_or_default();
    let mut pairs = Vec::new();
    for old in objects {
        for new in objects {
            if old != new {
                pairs.push((old, new));
            }
        }
    }
    pairs
}
