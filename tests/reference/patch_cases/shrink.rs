//! Shrinks a case to the parts that are necessary for a difference.

use std::error::Error;
use std::iter;

use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

use crate::outcome::Case;

/// The maximum number of smaller cases that are tried.
const MAX_TRIES: usize = 400;

/// A function that runs a case on both sides, and returns true if they differ.
pub(crate) type Differs<'f> = &'f mut dyn FnMut(&Case) -> Result<bool, Box<dyn Error>>;

/// Removes the parts of a case that are not necessary for a difference.
pub(crate) fn shrink(case: &Case, differs: Differs<'_>) -> Result<(), Box<dyn Error>> {
    let mut case = case.clone();
    let mut tries = 0;
    loop {
        let mut is_smaller = false;
        let documents = case.documents().count();
        for i in 0..documents {
            let mut at = 0;
            loop {
                let mut smaller = case.clone();
                let mut left = at;
                let mut documents = smaller.documents_mut();
                if !take_out(documents[i], &mut left) {
                    break;
                }
                tries += 1;
                if tries > MAX_TRIES {
                    return Ok(());
                }
                if differs(&smaller)? {
                    case = smaller;
                    is_smaller = true;
                } else {
                    at += 1;
                }
            }
        }
        if !is_smaller {
            return Ok(());
        }
    }
}

/// Returns a case for each field and each element, without this field or element. In each document,
/// outer fields and elements come first.
pub(crate) fn parts(case: &Case) -> impl Iterator<Item = Case> {
    (0..case.documents().count()).flat_map(move |document| {
        (0..).map_while(move |number| {
            let (mut part, mut left) = (case.clone(), number);
            let taken = take_out(part.documents_mut()[document], &mut left);
            taken.then_some(part)
        })
    })
}

/// Returns cases without the value at a path or a value around the path, one for each document that
/// has the value. The value at the path comes first.
pub(crate) fn parts_at(case: &Case, path: Option<&FieldPath>) -> impl Iterator<Item = Case> {
    let paths = iter::successors(path.cloned(), FieldPath::parent);
    paths.flat_map(move |path| {
        (0..case.documents().count()).filter_map(move |document| {
            let mut part = case.clone();
            let steps: Vec<PathStep<'_>> = path.steps().collect();
            take_out_at(part.documents_mut()[document], &steps).then_some(part)
        })
    })
}

/// Removes the value at the end of these steps. Returns false if there is no such value.
fn take_out_at(value: &mut Value, steps: &[PathStep<'_>]) -> bool {
    match (steps, value) {
        ([PathStep::Field(name) | PathStep::Key(name)], Value::Object(object)) => {
            object.remove(*name).is_some()
        }
        ([PathStep::Index(at)], Value::Array(values)) if *at < values.len() => {
            values.remove(*at);
            true
        }
        ([PathStep::Field(name) | PathStep::Key(name), below @ ..], Value::Object(object)) => {
            object
                .get_mut(*name)
                .is_some_and(|value| take_out_at(value, below))
        }
        ([PathStep::Index(at), below @ ..], Value::Array(values)) => values
            .get_mut(*at)
            .is_some_and(|value| take_out_at(value, below)),
        _ => false,
    }
}

/// Removes the field or the element with this number. Outer fields and elements have smaller
/// numbers. Returns false if there are fewer.
fn take_out(value: &mut Value, number: &mut usize) -> bool {
    match value {
        Value::Object(object) => {
            if *number < object.len() {
                let key = object.keys().nth(*number).cloned();
                return key.is_some_and(|key| object.remove(&key).is_some());
            }
            *number -= object.len();
            object.values_mut().any(|value| take_out(value, number))
        }
        Value::Array(values) => {
            if *number < values.len() {
                values.remove(*number);
                return true;
            }
            *number -= values.len();
            values.iter_mut().any(|value| take_out(value, number))
        }
        _ => false,
    }
}
