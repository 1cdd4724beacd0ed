//! All changes between small unions: what is found is what a search by hand finds, and no object is smaller.

use serde_json::{Map, Value, json};
use union_compat::{Code, Comparison, Version, compare};

use crate::judged::{crd, create, engine, is_refused};

/// A small union: its schema, and what happens to each object of the small world when it is created.
struct Form {
    name: String,
    version: Version,
    /// What is stored, where both judges accept it and no field is dropped.
    kept: Vec<Option<Value>>,
    /// Whether the server refuses it, and the engine.
    refused: Vec<(bool, bool)>,
    /// What an absent discriminator stands for, where there is one.
    absent: Option<&'static str>,
}

/// Absent, A, B, C and one that nobody knows, with `a` and `b` set and unset.
fn world() -> Vec<Value> {
    let mut objects = Vec::new();
    for value in [None, Some("A"), Some("B"), Some("C"), Some("Unknown")] {
        for members in 0..4 {
            let mut object = Map::new();
            object.extend(value.map(|value| ("type".to_owned(), json!(value))));
            for (bit, member) in ["a", "b"].into_iter().enumerate() {
                if members >> bit & 1 == 1 {
                    object.insert(member.to_owned(), json!({}));
                }
            }
            objects.push(Value::Object(object));
        }
    }
    objects
}

fn size(object: &Value) -> usize {
    object.as_object().map_or(0, Map::len)
}

#[derive(Clone, Copy, PartialEq)]
enum Presence {
    Required,
    Optional,
    Default(&'static str),
}

fn discriminated(values: &[&str], members: &[(&str, &str, bool)], presence: Presence) -> Value {
    let mut properties = json!({"type": {"type": "string", "enum": values}});
    let mut rules = Vec::new();
    for (value, field, optional) in members {
        properties[*field] = json!({"type": "object"});
        let set = if *optional {
            "true".to_owned()
        } else {
            format!("has(self.{field})")
        };
        rules.push(json!({
            "rule": format!("has(self.type) && self.type == '{value}' ? {set} : !has(self.{field})"),
        }));
    }
    let mut required = Vec::new();
    match presence {
        Presence::Required => required.push("type"),
        Presence::Optional => {}
        Presence::Default(value) => properties["type"]["default"] = json!(value),
    }
    json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "x-kubernetes-validations": rules,
    })
}

fn plain(rule: Option<&str>) -> Value {
    let rules: Vec<Value> = rule.iter().map(|rule| json!({"rule": rule})).collect();
    json!({
        "type": "object",
        "properties": {"a": {"type": "object"}, "b": {"type": "object"}},
        "x-kubernetes-validations": rules,
    })
}

type Schema = (String, Value, Option<&'static str>);

/// The names of the unions, their schemas, and what absent discriminators stand for.
fn schemas() -> Vec<Schema> {
    let mut schemas: Vec<Schema> = Vec::new();
    let flags = [(false, false), (true, false), (true, true)];
    for presence in [
        Presence::Required,
        Presence::Optional,
        Presence::Default("A"),
    ] {
        let (name, absent) = match presence {
            Presence::Required => ("required", "absent"),
            Presence::Optional => ("optional", "absent"),
            Presence::Default(value) => ("default", value),
        };
        for values in [&["A", "B"][..], &["A", "B", "C"]] {
            for (a, b) in flags {
                let schema = discriminated(values, &[("A", "a", a), ("B", "b", b)], presence);
                schemas.push((format!("{name} {values:?} {a} {b}"), schema, Some(absent)));
            }
        }
        let schema = discriminated(&["A", "C"], &[("A", "a", false)], presence);
        schemas.push((format!("{name} A C"), schema, Some(absent)));
    }
    schemas.push(("none".to_owned(), plain(None), None));
    schemas.push((
        "at most one".to_owned(),
        plain(Some("!(has(self.a) && has(self.b))")),
        None,
    ));
    schemas.push((
        "exactly one".to_owned(),
        plain(Some("has(self.a) != has(self.b)")),
        None,
    ));
    schemas
}

fn forms() -> Vec<Form> {
    let made = schemas().into_iter().map(|(name, spec, absent)| {
        let crd = crd(&[("v1", spec.clone())]);
        let (mut kept, mut refused) = (Vec::new(), Vec::new());
        for object in world() {
            let said = create(&crd, "v1", &object);
            let is_fine = engine(&spec, &object);
            refused.push((said.is_err(), !is_fine));
            let stored = said.ok().filter(|stored| {
                is_fine
                    && object
                        .as_object()
                        .unwrap()
                        .keys()
                        .all(|key| stored.get(key).is_some())
            });
            kept.push(stored);
        }
        Form {
            name,
            version: Version::of_crd(&crd, None).unwrap(),
            kept,
            refused,
            absent,
        }
    });
    made.collect()
}

impl Form {
    /// What a stored object says, where there is a discriminator.
    fn says<'v>(&'v self, stored: &'v Value) -> Option<&'v str> {
        let absent = self.absent?;
        let said = stored.get("type").and_then(Value::as_str);
        Some(said.unwrap_or(absent))
    }
}

/// The objects of which the two do not say the same, in the order of the world.
fn differing(old: &Form, new: &Form) -> Vec<usize> {
    let pairs = old.kept.iter().zip(&new.kept).enumerate();
    let differs = pairs.filter(|(_, (was, is))| match (was, is) {
        (Some(was), Some(is)) => match (old.says(was), new.says(is)) {
            (Some(was), Some(is)) => was != is,
            _ => false,
        },
        (was, is) => was.is_some() != is.is_some(),
    });
    differs.map(|(number, _)| number).collect()
}

fn check(old: &Form, new: &Form, comparison: &Comparison) {
    let about = format!("{} -> {}\n{comparison}", old.name, new.name);
    let world = world();
    let differing = differing(old, new);
    assert_eq!(
        differing.is_empty(),
        comparison.findings.is_empty(),
        "{about}"
    );
    for finding in &comparison.findings {
        let number = world.iter().position(|object| *object == finding.object);
        let number = number.unwrap_or_else(|| panic!("{about}"));
        assert!(differing.contains(&number), "{about}");
        for (verdict, form) in [(&finding.before, old), (&finding.after, new)] {
            let said = (is_refused(&verdict.server), is_refused(&verdict.union));
            assert_eq!(said, form.refused[number], "{about}");
        }
        assert_eq!(
            finding.stored_as.is_some(),
            finding.code == Code::DefaultChanged
                && old.kept[number].is_some()
                && new.kept[number].is_some(),
            "{about}"
        );
    }
    // The smallest object that one of them alone takes is shown. What both directions show is told once, by what was fine before.
    let smallest = |own: &Form, other: &Form| {
        let alone = (0..world.len())
            .filter(|number| own.kept[*number].is_some() && other.kept[*number].is_none());
        alone.map(|number| size(&world[number])).min()
    };
    let shown = |is_of: &dyn Fn(usize) -> bool| {
        let findings = comparison.findings.iter();
        let of = findings.filter(|finding| {
            is_of(
                world
                    .iter()
                    .position(|object| *object == finding.object)
                    .unwrap(),
            )
        });
        of.map(|finding| size(&finding.object)).min()
    };
    let of_old = shown(&|number| old.kept[number].is_some() && new.kept[number].is_none());
    assert_eq!(of_old, smallest(old, new), "{about}");
    let of_new = shown(&|number| new.kept[number].is_some() && old.kept[number].is_none());
    assert!(of_new == smallest(new, old) || of_old.is_some(), "{about}");
}

#[test]
fn all_changes_between_small_unions() {
    let forms = forms();
    let mut changes = 0;
    for old in &forms {
        for new in &forms {
            let comparison = compare(&old.version, &new.version);
            assert_eq!(comparison.notes, [] as [&str; 0]);
            check(old, new, &comparison);
            changes += 1;
        }
    }
    assert_eq!(changes, 24 * 24);
}
