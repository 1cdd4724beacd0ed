//! The expected results of updates of lists and maps, computed on JSON alone.
//!
//! A new element is paired by a search through the old elements (KEP-4008), and `union_oracle`
//! validates its unions.

use serde_json::Value;
use union_oracle::{Absence, Discriminator, FieldViolation, Member, Tolerance, Union};
use union_runtime::Ratchet;

use crate::unions::nested::answer::Answer;

/// The rule that pairs the elements of a field with old elements.
#[derive(Clone, Copy)]
pub(crate) enum Pairing {
    ByKeys(&'static [&'static str]),
    ByName,
    Never,
}

/// Returns the result for an object with these fields, each of which contains a list or a map.
/// `fields` is in the order of the struct.
pub(crate) fn expected_answer(
    fields: &[(&str, Pairing)],
    old: Option<&Value>,
    new: &Value,
    ratchet: Ratchet,
) -> Answer {
    let mut answer = Answer {
        object: new.clone(),
        ..Answer::default()
    };
    for (field, pairing) in fields {
        let old = old.and_then(|old| old.get(field));
        let mut value = answer.object[*field].take();
        for (path, position) in positions(field, &value) {
            let (old, new) = pair(*pairing, old, &mut value, &position);
            normalize_element(&path, old, new, &mut answer);
        }
        // KEP-4008: if an element has no old element, its errors are tolerated if the whole list is
        // unchanged.
        let is_same_list = old == Some(&value);
        for (path, position) in positions(field, &value) {
            let (old, new) = pair(*pairing, old, &mut value, &position);
            validate_element(&path, old, is_same_list, new, ratchet, &mut answer);
        }
        answer.object[*field] = value;
    }
    answer
}

/// The position of an element in its list or map.
enum Position {
    Index(usize),
    Key(String),
}

/// Returns the path and the position of each element of a list or a map.
fn positions(field: &str, value: &Value) -> Vec<(String, Position)> {
    match value {
        Value::Array(elements) => (0..elements.len())
            .map(|index| (format!("{field}[{index}]"), Position::Index(index)))
            .collect(),
        Value::Object(entries) => entries
            .keys()
            .map(|key| (format!("{field}[{key}]"), Position::Key(key.clone())))
            .collect(),
        scalar => panic!("neither a list nor a map: {scalar}"),
    }
}

/// Returns the old element that is paired with the element at a position, if there is one, and the
/// element itself.
fn pair<'a>(
    pairing: Pairing,
    old: Option<&'a Value>,
    new: &'a mut Value,
    position: &Position,
) -> (Option<&'a Value>, &'a mut Value) {
    match position {
        Position::Index(index) => {
            let new = &mut new[*index];
            (old.and_then(|old| partner(pairing, old, new)), new)
        }
        Position::Key(key) => (old.and_then(|old| old.get(key)), &mut new[key]),
    }
}

/// Returns the first old element that has the same keys as the new element.
pub(crate) fn partner<'a>(pairing: Pairing, old: &'a Value, element: &Value) -> Option<&'a Value> {
    let Pairing::ByKeys(keys) = pairing else {
        return None;
    };
    old.as_array()?.iter().find(|old| {
        keys.iter().all(|key| {
            let (old, new) = (old.get(key), element.get(key));
            new.is_some_and(|new| !new.is_null()) && old == new
        })
    })
}

/// Returns the unions of an element: `Choice`, then `Source`.
fn unions() -> [Union<'static>; 2] {
    let member = |field, value| Member {
        field,
        value,
        optional: false,
    };
    let choice = Union {
        discriminator: Some(Discriminator {
            field: "kind",
            values: Some(&["Nothing", "Alpha", "Beta"]),
            absence: Absence::Unreadable,
            is_lenient: false,
            is_deduced: false,
        }),
        members: vec![member("alpha", "Alpha"), member("beta", "Beta")],
        requires_member: false,
        known_fields: None,
    };
    let source = Union {
        discriminator: None,
        members: vec![member("hostPath", ""), member("emptyDir", "")],
        requires_member: false,
        known_fields: None,
    };
    [choice, source]
}

fn validate_element(
    path: &str,
    old: Option<&Value>,
    is_same_list: bool,
    new: &Value,
    ratchet: Ratchet,
    answer: &mut Answer,
) {
    let tolerance = match ratchet {
        Ratchet::Off => Tolerance::Off,
        Ratchet::Unchanged => Tolerance::Unchanged,
        _ => Tolerance::SameReason,
    };
    for union in unions() {
        let verdict = match old {
            Some(old) => union.validate_update(new, old, tolerance),
            // An element of an unchanged list is unchanged.
            None if is_same_list => union.validate_update(new, new, tolerance),
            None => union.validate_update(new, new, Tolerance::Off),
        };
        let paths = |violations: Vec<FieldViolation<'_>>| {
            let paths = violations.into_iter().map(|(field, _)| match field {
                "" => path.to_owned(),
                field => format!("{path}.{field}"),
            });
            paths.collect::<Vec<_>>()
        };
        answer.errors.extend(paths(verdict.errors));
        answer.tolerated.extend(paths(verdict.ratcheted));
    }
}

fn normalize_element(path: &str, old: Option<&Value>, new: &mut Value, answer: &mut Answer) {
    for union in unions() {
        let result = union.normalize(new, old);
        *new = result.object;
        let cleared = result.cleared.iter();
        let changes = cleared.map(|cleared| format!("{path}.{cleared}: cleared"));
        answer.changes.extend(changes);
    }
}
