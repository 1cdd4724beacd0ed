//! What an update of lists and maps must be answered with, computed on JSON alone: pairs by looking at each old element
//! in turn (KEP-4008), unions by the words of KEP-1027.

use serde_json::Value;
use union_runtime::Ratchet;

use crate::nested::answer::Answer;

/// How the elements of a field are paired.
#[derive(Clone, Copy)]
pub(crate) enum Pairing {
    ByKeys(&'static [&'static str]),
    ByName,
    Never,
}

/// The answer for an object whose fields hold elements, in the order that the struct has them.
pub(crate) fn answer(
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
        for (path, key) in places(field, &value) {
            let (old, new) = pair(*pairing, old, &mut value, &key);
            normalize(&path, old, new, &mut answer);
        }
        // KEP-4008: the nearest thing that is correlated decides, and for an element without an old one that is the list.
        let is_same = old == Some(&value);
        for (path, key) in places(field, &value) {
            let (old, new) = pair(*pairing, old, &mut value, &key);
            judge(&path, old, is_same, new, ratchet, &mut answer);
        }
        answer.object[*field] = value;
    }
    answer
}

/// Where an element is.
enum At {
    Index(usize),
    Key(String),
}

/// The elements of a list or a map.
fn places(field: &str, value: &Value) -> Vec<(String, At)> {
    match value {
        Value::Array(elements) => (0..elements.len())
            .map(|i| (format!("{field}[{i}]"), At::Index(i)))
            .collect(),
        Value::Object(entries) => entries
            .keys()
            .map(|key| (format!("{field}[{key}]"), At::Key(key.clone())))
            .collect(),
        other => panic!("neither a list nor a map: {other}"),
    }
}

/// The old element and the new one.
fn pair<'a>(
    pairing: Pairing,
    old: Option<&'a Value>,
    new: &'a mut Value,
    at: &At,
) -> (Option<&'a Value>, &'a mut Value) {
    match at {
        At::Index(i) => {
            let new = &mut new[*i];
            (old.and_then(|old| partner(pairing, old, new)), new)
        }
        At::Key(key) => (old.and_then(|old| old.get(key)), &mut new[key]),
    }
}

/// The first old element that has all keys of the new one.
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

fn judge(
    path: &str,
    old: Option<&Value>,
    is_same_list: bool,
    new: &Value,
    ratchet: Ratchet,
    answer: &mut Answer,
) {
    for wrong in wrong(new) {
        let is_tolerated = match (ratchet, old) {
            (Ratchet::Off, _) => false,
            (_, None) => is_same_list,
            (Ratchet::SameReason, Some(old)) => has_the_same_reason(wrong, old, new),
            (_, Some(old)) => old == new,
        };
        let path = if wrong.is_empty() {
            path.to_owned()
        } else {
            format!("{path}.{wrong}")
        };
        if is_tolerated {
            answer.tolerated.push(path);
        } else {
            answer.refused.push(path);
        }
    }
}

fn has(object: &Value, field: &str) -> bool {
    object.get(field).is_some_and(|value| !value.is_null())
}

/// The members of the union with a discriminator, and what selects them.
const MEMBERS: [(&str, &str); 2] = [("alpha", "Alpha"), ("beta", "Beta")];

/// The members of the union without one.
const SOURCES: [&str; 2] = ["hostPath", "emptyDir"];

fn normalize(path: &str, old: Option<&Value>, new: &mut Value, answer: &mut Answer) {
    for cleared in to_be_cleared(old, new) {
        new.as_object_mut().expect("an element").remove(cleared);
        answer.changes.push(format!("{path}.{cleared}: cleared"));
    }
}

fn to_be_cleared(old: Option<&Value>, new: &Value) -> Vec<&'static str> {
    let mut cleared = Vec::new();
    let Some(old) = old else {
        return cleared;
    };
    for (member, value) in MEMBERS {
        if old["kind"] != new["kind"] && new["kind"] != value && has(new, member) {
            cleared.push(member);
        }
    }
    let is_added = |source: &str| has(new, source) && !has(old, source);
    if SOURCES.iter().all(|source| has(new, source)) {
        match SOURCES.map(is_added) {
            [true, false] => cleared.push("emptyDir"),
            [false, true] => cleared.push("hostPath"),
            _ => {}
        }
    }
    cleared
}

/// The members that are set or unset against the rules; `""` for the union without a discriminator.
fn wrong(new: &Value) -> Vec<&'static str> {
    let mut wrong = Vec::new();
    for (member, value) in MEMBERS {
        if has(new, member) != (new["kind"] == value) {
            wrong.push(member);
        }
    }
    if SOURCES.iter().all(|source| has(new, source)) {
        wrong.push("");
    }
    wrong
}

/// Old has it too, and what leads to it did not change.
fn has_the_same_reason(wrong: &str, old: &Value, new: &Value) -> bool {
    if wrong.is_empty() {
        return SOURCES.iter().all(|source| has(old, source));
    }
    old["kind"] == new["kind"] && has(old, wrong) == has(new, wrong)
}
