//! Updates that tell two schemas apart: rules that compare a value with its old value.

use serde_json::Value;

use crate::schema::difference::Difference;
use crate::schema::keyword::Keyword;

/// The maximum number of objects that are paired.
const PAIRED: usize = 14;

/// Returns true if a difference is a rule that reads the old value.
pub(crate) fn is_transition(difference: &Difference) -> bool {
    let rule = difference.old.as_ref().or(difference.new.as_ref());
    let text = rule.and_then(|rule| rule.get("rule")?.as_str());
    difference.keyword == Keyword::Rule && text.is_some_and(|text| text.contains("oldSelf"))
}

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
