//! Cases: a CRD that is created, or that replaces another CRD.

use serde_json::{Value, json};

use crate::crd;
use crate::fields::{FIELDS, FieldChange, SENT, STORED};
use union_random::Random;

pub(crate) struct Case {
    pub(crate) new: Value,
    pub(crate) old: Option<Value>,
}

impl Case {
    pub(crate) fn random(random: &mut Random) -> Self {
        let mut new = crd::random(random);
        if random.chance(45) {
            for _ in 0..random.weighted(&[(1, 0), (6, 1), (5, 2)]) {
                break_one(&mut new, FIELDS, random);
            }
            return Self { new, old: None };
        }
        store(&mut new, random);
        for _ in 0..random.weighted(&[(3, 0), (6, 1), (2, 2)]) {
            break_one(&mut new, FIELDS, random);
        }
        let mut old = new.clone();
        if random.chance(40) {
            break_one(&mut old, STORED, random);
        }
        for _ in 0..random.weighted(&[(3, 0), (6, 1), (4, 2)]) {
            break_one(&mut new, FIELDS, random);
        }
        if random.chance(15) {
            break_one(&mut new, SENT, random);
        }
        if random.chance(10) {
            swap_versions(&mut new);
        }
        Self {
            new,
            old: Some(old),
        }
    }

    pub(crate) fn line(&self) -> Value {
        let mut line = json!({"op": "crd", "crd": self.new});
        if let Some(old) = &self.old {
            line["old"] = old.clone();
        }
        line
    }
}

/// Adds the fields that a server adds to a stored CRD.
fn store(crd: &mut Value, random: &mut Random) {
    crd["metadata"]["resourceVersion"] = json!("7");
    crd["metadata"]["uid"] = json!("u");
    crd["metadata"]["generation"] = json!(1);
    let versions = crd["spec"]["versions"].as_array();
    let stored = versions.into_iter().flatten();
    let stored = stored.filter(|version| version["storage"] == true);
    let stored: Value = stored.map(|version| version["name"].clone()).collect();
    crd["status"] = json!({"storedVersions": stored});
    if random.chance(60) {
        crd["status"]["conditions"] = json!([
            {"type": "NamesAccepted", "status": "True"},
            {"type": "Established", "status": "True"},
        ]);
    }
}

/// Reverses the order of the versions.
fn swap_versions(crd: &mut Value) {
    if let Some(versions) = crd["spec"]["versions"].as_array_mut() {
        versions.reverse();
    }
}

/// Makes one random change of the table `fields` to a CRD.
fn break_one(crd: &mut Value, fields: &[(&str, &[FieldChange])], random: &mut Random) {
    let (pointer, changes) = random.pick(fields);
    let count = crd["spec"]["versions"].as_array().map_or(0, Vec::len);
    let pointer = pointer.replace('#', &random.below(count.max(1)).to_string());
    let change = *random.pick(changes);
    let (parent, name) = pointer.rsplit_once('/').unwrap_or_default();
    add_parents(crd, parent);
    let value = match change {
        FieldChange::Remove => None,
        FieldChange::Set(generator) => Some(generator(random)),
    };
    match (crd.pointer_mut(parent), value) {
        (Some(Value::Object(parent)), None) => drop(parent.remove(name)),
        (Some(Value::Object(parent)), Some(value)) => drop(parent.insert(name.to_owned(), value)),
        (Some(Value::Array(parent)), Some(value)) => {
            if let Some(place) = name.parse().ok().and_then(|at: usize| parent.get_mut(at)) {
                *place = value;
            }
        }
        _ => {}
    }
}

/// Adds the missing objects on the path to a field.
fn add_parents(crd: &mut Value, pointer: &str) {
    let mut at = crd;
    for name in pointer.split('/').skip(1) {
        match at {
            Value::Object(object) => {
                at = object.entry(name).or_insert_with(|| json!({}));
            }
            Value::Array(list) => {
                let Some(next) = name.parse().ok().and_then(|i: usize| list.get_mut(i)) else {
                    return;
                };
                at = next;
            }
            _ => return,
        }
    }
}
