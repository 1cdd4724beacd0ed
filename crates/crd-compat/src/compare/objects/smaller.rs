//! Makes the object of a finding smaller.

use serde_json::Value;

use crate::bounds::SHRINK;
use crate::compare::effects::Weakness;
use crate::sample::removals;

/// Returns the object without the values that the finding does not need. `weakness_of` returns the
/// weakness of an object as a proof; `None` if the object does not prove the finding. A removal
/// does not make the proof weaker, so a removal does not add an error of another cause.
pub(crate) fn smaller(
    object: Value,
    schema: &Value,
    weakness_of: impl Fn(&Value) -> Option<Weakness>,
) -> Value {
    let Some(mut best) = weakness_of(&object) else {
        return object;
    };
    let mut object = object;
    let mut index = 0;
    let mut tries = 0;
    while let Some(change) = removals(&object, schema).get(index) {
        tries += 1;
        if tries > SHRINK {
            break;
        }
        let smaller = change.apply(&object);
        let proof = smaller.and_then(|smaller| Some((weakness_of(&smaller)?, smaller)));
        match proof.filter(|(weakness, _)| *weakness <= best) {
            Some((weakness, smaller)) => (best, object) = (weakness, smaller),
            None => index += 1,
        }
    }
    object
}
