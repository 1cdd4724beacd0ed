//! The CRDs of generated types beside the originals: the same verdicts.

use std::collections::BTreeMap;

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::Value;

use crate::objects::{all, kind_of};
use crate::registry::{Kind, kinds};

/// A kind, judged by its original CRD and by that of its Rust type.
struct Judges {
    original: StructuralSchema,
    own: StructuralSchema,
}

impl Judges {
    fn of(kind: &Kind) -> Self {
        let compile = |crd: &Value| {
            StructuralSchema::compile_crd(crd, Some(kind.version)).unwrap_or_else(|errors| {
                panic!("{} {}: {errors}", kind.api_version, kind.kind)
            })
        };
        Self {
            original: compile(&kind.original()),
            own: compile(&(kind.crd)()),
        }
    }

    /// Whether each of them accepts an object, and what it then is.
    fn judge(&self, object: &Value) -> [Result<Value, String>; 2] {
        [&self.original, &self.own].map(|schema| {
            let mut object = object.clone();
            let outcome = schema.create(&mut object, &ServerSettings::default());
            if outcome.is_accepted() { Ok(object) } else { Err(format!("{:?}", outcome.errors)) }
        })
    }
}

/// Objects near to one: each value left out, or of another kind, text or number.
fn near(object: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(pointer) = waiting.pop() {
        let below: Vec<String> = match object.pointer(&pointer) {
            Some(Value::Object(fields)) => fields
                .keys()
                .map(|name| name.replace('~', "~0").replace('/', "~1"))
                .collect(),
            Some(Value::Array(values)) => (0..values.len()).map(|at| at.to_string()).collect(),
            _ => Vec::new(),
        };
        for name in below {
            let inner = format!("{pointer}/{name}");
            let is_of_the_root = ["/apiVersion", "/kind", "/metadata"].contains(&&*inner);
            if is_of_the_root {
                continue;
            }
            found.extend(changed(object, &pointer, &inner, &name));
            waiting.push(inner);
        }
    }
    found
}

fn changed(object: &Value, parent: &str, pointer: &str, name: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut without = object.clone();
    match without.pointer_mut(parent) {
        Some(Value::Object(fields)) => drop(fields.remove(&name.replace("~1", "/").replace("~0", "~"))),
        Some(Value::Array(values)) => drop(values.remove(name.parse().unwrap())),
        _ => {}
    }
    found.push(without);
    let texts = ["", "x", "Y-z", "a b", "1h", "2024-01-01T00:00:00Z", "1.2.3.4"];
    let others = texts.iter().map(|text| Value::from(*text));
    let others = others.chain([0, 1, -1, 70_000, 5_000_000_000_i64].map(Value::from));
    let others = others.chain([Value::Null, true.into(), Value::Array(Vec::new()), serde_json::json!({}), 1.5.into()]);
    for other in others {
        let mut with = object.clone();
        if let Some(value) = with.pointer_mut(pointer) {
            *value = other;
        }
        found.push(with);
    }
    // Elements that stand twice.
    let mut twice = object.clone();
    if let Some(Value::Array(values)) = twice.pointer_mut(parent)
        && let Some(last) = values.last().cloned()
    {
        values.push(last);
        found.push(twice);
    }
    found
}

/// Kinds whose CRD differs, each with the reason.
const DIFFERENT: [(&str, &str); 0] = [];

#[test]
fn own_crds_are_taken_by_a_server() {
    for kind in kinds() {
        let crd = (kind.crd)();
        let outcome = k8s_crd_validation::crd::create(&crd);
        assert!(outcome.is_accepted(), "{} {}: {:?}", kind.api_version, kind.kind, outcome.errors);
    }
}

#[test]
fn own_crds_judge_as_the_originals() {
    let kinds = kinds();
    let mut judges: BTreeMap<(String, &str), Judges> = BTreeMap::new();
    let mut counts = [0_usize; 3];
    let mut different: BTreeMap<String, String> = BTreeMap::new();
    for (file, object) in all() {
        let Some(kind) = kind_of(&object, &kinds) else { continue };
        let judges = judges.entry((kind.api_version.clone(), kind.kind)).or_insert_with(|| Judges::of(kind));
        for object in std::iter::once(object.clone()).chain(near(&object)) {
            let [original, own] = judges.judge(&object);
            counts[usize::from(original.is_ok())] += 1;
            let is_same = match (&original, &own) {
                (Ok(original), Ok(own)) => original == own,
                (Err(_), Err(_)) => true,
                _ => false,
            };
            if !is_same && !DIFFERENT.iter().any(|(name, _)| *name == kind.kind) {
                counts[2] += 1;
                let key = format!("{} {:?}", kind.kind, own.as_ref().err().or(original.as_ref().err()));
                different.entry(key).or_insert_with(|| format!("{file}: {object}\noriginal: {original:?}\nown: {own:?}"));
            }
        }
    }
    let [refused, accepted, others] = counts;
    println!("{accepted} accepted and {refused} refused by the originals; {others} judged otherwise");
    let different: Vec<String> = different.into_values().collect();
    assert!(different.is_empty(), "{}", different.join("\n\n"));
    assert!(accepted > 100 && refused > 100);
}
