//! Shrinks a case, as long as both sides still differ in the same way.

use std::collections::BTreeSet;
use std::error::Error;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::case::{Case, Definition, Op};
use crate::verdict::Difference;

/// A function that runs a case on both sides, and returns the difference. Without a case, compares
/// the errors about the schema itself.
pub(crate) type CompareCase<'t> =
    dyn FnMut(&Definition, Option<&Case>) -> Result<Option<Difference>, Box<dyn Error>> + 't;

/// The maximum number of runs to shrink one case.
const MAX_TRIES: usize = 1500;
/// The maximum time to shrink one case, because some rules are costly.
const MAX_TIME: Duration = Duration::from_secs(10);

pub(crate) struct SmallCase {
    pub(crate) definition: Definition,
    pub(crate) case: Option<Case>,
    pub(crate) difference: Difference,
}

impl SmallCase {
    pub(crate) fn size(&self) -> usize {
        let case = self
            .case
            .as_ref()
            .map_or(0, |case| case.line().to_string().len());
        case + self.definition.line().to_string().len()
    }
}

/// Removes all parts that are not necessary for the difference.
pub(crate) fn shrink(
    mut small: SmallCase,
    ask: &mut CompareCase<'_>,
) -> Result<SmallCase, Box<dyn Error>> {
    let signs = small.difference.signs();
    let mut tries = 0;
    let start = Instant::now();
    loop {
        let mut smaller = false;
        for part in [Part::Both, Part::New, Part::Old, Part::Schema] {
            let mut number = 0;
            while let Some((definition, case)) = part.without(&small, number) {
                if tries == MAX_TRIES || start.elapsed() > MAX_TIME {
                    return Ok(small);
                }
                tries += 1;
                let found = ask(&definition, case.as_ref())?;
                match found {
                    Some(difference) if same_kind(&signs, &difference.signs()) => {
                        small = SmallCase {
                            definition,
                            case,
                            difference,
                        };
                        smaller = true;
                    }
                    _ => number += 1,
                }
            }
        }
        if !smaller {
            return Ok(small);
        }
    }
}

/// Returns true if differences remain, and all of them are among the original differences.
fn same_kind(signs: &BTreeSet<String>, found: &BTreeSet<String>) -> bool {
    !found.is_empty() && found.is_subset(signs)
}

/// The part of a case from which something is removed.
#[derive(Clone, Copy)]
enum Part {
    /// The old and the new object. The removal is at the same path in both.
    Both,
    New,
    Old,
    Schema,
}

impl Part {
    /// Returns the case without the key or the element with this number (see [`remove`]), or `None`
    /// if there are fewer.
    fn without(self, small: &SmallCase, number: usize) -> Option<(Definition, Option<Case>)> {
        let mut definition = small.definition.clone();
        let mut case = small.case.clone();
        match self {
            Self::Schema => {
                remove(definition.generated_schema()?, &mut { number })?;
            }
            Self::New => {
                remove(&mut case.as_mut()?.new, &mut { number })?;
            }
            Self::Old => {
                let case = case.as_mut().filter(|case| case.op != Op::Create)?;
                remove(&mut case.old, &mut { number })?;
            }
            Self::Both => {
                let case = case.as_mut().filter(|case| case.op != Op::Create)?;
                let pointer = remove(&mut case.new, &mut { number })?;
                remove_at(&mut case.old, &pointer);
            }
        }
        Some((definition, case))
    }
}

/// Removes the key or the element with this number. An outer key or element comes before those that
/// it contains. Returns the path of the removed value in reverse order.
fn remove(value: &mut Value, number: &mut usize) -> Option<Vec<String>> {
    match value {
        Value::Object(object) => {
            let keys: Vec<String> = object.keys().cloned().collect();
            for key in keys {
                if *number == 0 {
                    object.remove(&key);
                    return Some(vec![key]);
                }
                *number -= 1;
                if let Some(mut at) = object.get_mut(&key).and_then(|value| remove(value, number)) {
                    at.push(key);
                    return Some(at);
                }
            }
            None
        }
        Value::Array(items) => {
            for i in 0..items.len() {
                if *number == 0 {
                    items.remove(i);
                    return Some(vec![i.to_string()]);
                }
                *number -= 1;
                if let Some(mut at) = remove(&mut items[i], number) {
                    at.push(i.to_string());
                    return Some(at);
                }
            }
            None
        }
        _ => None,
    }
}

/// Removes the value at a path. The steps of the path are in reverse order.
fn remove_at(value: &mut Value, at: &[String]) {
    let Some((step, rest)) = at.split_last() else {
        return;
    };
    match value {
        Value::Object(object) if rest.is_empty() => drop(object.remove(step)),
        Value::Object(object) => {
            if let Some(inner) = object.get_mut(step) {
                remove_at(inner, rest);
            }
        }
        Value::Array(items) => {
            let Some(i) = step.parse().ok().filter(|i| *i < items.len()) else {
                return;
            };
            if rest.is_empty() {
                items.remove(i);
            } else {
                remove_at(&mut items[i], rest);
            }
        }
        _ => {}
    }
}
