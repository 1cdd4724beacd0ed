//! Numbers of objects, as an API server returns them from its storage.

use serde_json::Value;

use k8s_json_internals::normalized_numbers;

/// Rewrites the numbers of an object as an API server returns them from its storage: `1.0`, `1e0`
/// and `-0` become the integers 1 and 0, and integers of more than 64 bits become floats.
///
/// An API server compares a new object with the stored object, in which a number that was sent as
/// `1.0` is an integer. Old objects from an API server therefore need no change. Call this function
/// on other old objects, and on an object or a patch that is written back.
///
/// ```
/// use union_json::normalize_numbers;
/// use serde_json::json;
///
/// let mut old = json!({"weight": 1.0, "ratio": 0.5, "large": 1e30});
/// normalize_numbers(&mut old);
/// assert_eq!(old, json!({"weight": 1, "ratio": 0.5, "large": 1e30}));
/// ```
pub fn normalize_numbers(object: &mut Value) {
    normalized_numbers::normalize_numbers([object]);
}
