//! Cases: requests whose body has mistakes in the names of some fields.

use std::collections::BTreeSet;

use k8s_crd_validation::DuplicateKey;
use k8s_json_internals::quote::GoQuoted;
use serde_json::{Value, json};
use union_random::Random;

use super::make::Generator;
use super::mistakes::{Change, MadeChange, places, spoil};
use super::names::Mistake;
use super::schemas;
use super::tree::Tree;
use super::types::{GoType, Structs, Type};

/// A request.
pub(crate) struct Case {
    /// `crd`, `create`, `update` or `status`.
    pub(crate) op: &'static str,
    /// The stored object, for an update.
    pub(crate) old: Option<Value>,
    pub(crate) new: Tree,
    /// The body: `new` as JSON or YAML.
    pub(crate) text: String,
    pub(crate) repeated: Vec<DuplicateKey>,
    pub(crate) is_yaml: bool,
    /// The mistakes in the body.
    pub(crate) changes: Vec<MadeChange>,
}

/// A value of the parameter `fieldValidation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Validation {
    Strict,
    Warn,
    Ignore,
    /// The parameter is absent.
    Unset,
}

impl Validation {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Strict => "Strict",
            Self::Warn => "Warn",
            Self::Ignore => "Ignore",
            Self::Unset => "",
        }
    }
}

impl Case {
    /// Returns a request for a custom resource of the schema.
    pub(crate) fn custom(schema: &Value, structs: &Structs, random: &mut Random) -> Self {
        let of = Type::Schema(schema, true);
        let op = *random.pick(&["create", "create", "update", "status"]);
        let is_yaml = random.chance(60);
        let mut generator = Generator {
            random,
            structs,
            wanted: None,
            repeats_objects: true,
        };
        let mut new = generator.tree(of);
        let old = (op != "create").then(|| new.value());
        let mut changes = Vec::new();
        for _ in 0..generator
            .random
            .weighted(&[(1, 0), (10, 1), (4, 3), (1, 8)])
        {
            changes.extend(spoil(&mut new, of, &mut generator));
        }
        Self::new(op, old, new, is_yaml, changes, random)
    }

    /// Returns a request for a CRD with a mistake in the name of `field`, the name of a struct and
    /// of a field, and rarely more mistakes. With `None`, the mistake is anywhere.
    pub(crate) fn crd(field: Option<(&str, &str)>, structs: &Structs, random: &mut Random) -> Self {
        let of = Type::Go(&structs.crd);
        let is_yaml = random.chance(60);
        let is_targeted = field.is_some();
        let own: Vec<_> = structs.own().collect();
        let field = field.unwrap_or_else(|| *random.pick(&own));
        let mut generator = Generator {
            random,
            structs,
            wanted: Some(field),
            // A server decodes both values of a repeated JSON key into the same struct, which would
            // mix their fields.
            repeats_objects: is_yaml,
        };
        let mut new = generator.tree(of);
        let mut changes = Vec::new();
        let holders = places(&new, of, structs);
        let holders: Vec<_> = holders
            .iter()
            .filter(|place| place.has(&new, field))
            .collect();
        if is_targeted && !holders.is_empty() {
            let mistake = *generator.random.pick(&Mistake::ALL);
            let change = if generator.random.chance(50) {
                Change::Renamed(mistake)
            } else {
                Change::Added(mistake)
            };
            let holder = *generator.random.pick(&holders);
            changes.extend(holder.change(&mut new, change, Some(field.1), &mut generator));
        }
        let more = if is_targeted {
            generator.random.weighted(&[(7, 0), (2, 1), (1, 5)])
        } else {
            generator.random.weighted(&[(1, 0), (10, 1)])
        };
        for _ in 0..more {
            changes.extend(spoil(&mut new, of, &mut generator));
        }
        if !is_yaml {
            // Clients send sorted keys, and a server reports keys in the order of the body.
            new.sort();
        }
        Self::new("crd", None, new, is_yaml, changes, random)
    }

    fn new(
        op: &'static str,
        old: Option<Value>,
        new: Tree,
        is_yaml: bool,
        changes: Vec<MadeChange>,
        random: &mut Random,
    ) -> Self {
        let (text, repeated) = if is_yaml {
            new.yaml(random)
        } else {
            new.json()
        };
        Self {
            op,
            old,
            new,
            text,
            repeated,
            is_yaml,
            changes,
        }
    }

    /// Returns true if a server reads a wrong kind or version. The server ignores the case of these
    /// two keys, uses the last key, and in JSON also reads the earlier keys.
    pub(crate) fn has_other_type_meta(&self) -> bool {
        let Tree::Object(entries) = &self.new else {
            return false;
        };
        let is_last = |index: usize, key: &str| {
            self.is_yaml
                && entries
                    .iter()
                    .skip(index + 1)
                    .all(|(other, _)| other != key)
        };
        entries.iter().enumerate().any(|(index, (key, value))| {
            let is_type_meta = ["apiVersion", "kind"]
                .iter()
                .any(|name| key.eq_ignore_ascii_case(name));
            let is_string = matches!(value, Tree::Scalar(Value::String(_) | Value::Null));
            // A server selects the Go type of a CRD by its version, so another key that it reads as
            // the version matters even if the value is a string.
            let is_other = self.op == "crd" && !["apiVersion", "kind"].contains(&key.as_str());
            is_type_meta && (!is_string || is_other) && (!self.is_yaml || is_last(index, key))
        })
    }

    /// Returns the errors of a server about the repeated keys of a CRD in JSON. A server does not
    /// report repeated keys in unknown fields, or in values of own types (`GoType::Own`).
    pub(crate) fn repeated_in_structs(&self, structs: &Structs) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        collect_repeated(&self.new, Type::Go(&structs.crd), structs, "", &mut found);
        found
    }

    pub(crate) const fn content_type(&self) -> &'static str {
        if self.is_yaml {
            "application/yaml"
        } else {
            "application/json"
        }
    }

    /// Returns the line for the reference.
    pub(crate) fn line(&self, validation: Validation) -> Value {
        let body = json!({
            "text": self.text,
            "type": self.content_type(),
            "field_validation": validation.name(),
        });
        let mut line = json!({"op": self.op, "body": body});
        if let Some(old) = &self.old {
            line["old"] = old.clone();
        }
        line
    }
}

/// Returns the schema of a custom resource, and the line that makes the reference use it.
pub(crate) fn schema(random: &mut Random) -> (Value, Value) {
    let schema = schemas::root(random);
    let line = json!({"use": {"schema": schema, "status_subresource": true}});
    (schema, line)
}

fn collect_repeated(
    tree: &Tree,
    of: Type<'_>,
    structs: &Structs,
    at: &str,
    found: &mut BTreeSet<String>,
) {
    match (tree, of) {
        (Tree::Object(entries), Type::Go(GoType::Struct(_) | GoType::Map(_))) => {
            for (index, (key, value)) in entries.iter().enumerate() {
                let (of, _) = of.child(key, structs);
                let dot = if at.is_empty() { "" } else { "." };
                let path = format!("{at}{dot}{key}");
                collect_repeated(value, of, structs, &path, found);
                let is_known = !matches!(of, Type::Anything);
                if is_known && entries[..index].iter().any(|(other, _)| other == key) {
                    found.insert(format!("duplicate field {}", GoQuoted(&path)));
                }
            }
        }
        (Tree::List(elements), Type::Go(GoType::List(_))) => {
            for (index, value) in elements.iter().enumerate() {
                let path = format!("{at}[{index}]");
                collect_repeated(value, of.element(structs).0, structs, &path, found);
            }
        }
        _ => {}
    }
}
