//! The answers of the native rules, and how a policy's are held against them.

use serde_json::{Map, Value, json};
use union_json::{SchemaSource, Unions};
use union_policy::{Policies, Settings, mutating_policies, validating_policies};
use union_runtime::comparator::Comparison;
use union_runtime::{Violation, ViolationKind};

use crate::cel;

/// A CRD with one version.
pub(crate) fn crd(schema: &Value) -> Value {
    json!({
        "metadata": {"name": "samples.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"plural": "samples", "kind": "Sample"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": schema},
            }],
        },
    })
}

/// A schema, the policies for it, and its unions as the engine has them.
pub(crate) struct Compared {
    schema: Value,
    unions: Unions,
    patches: Vec<String>,
    violations: Vec<String>,
}

impl Compared {
    pub(crate) fn new(schema: &Value) -> Self {
        let crd = crd(schema);
        let settings = Settings::default();
        let expressions = |policies: &Policies, list: &str, one: &str| -> Vec<String> {
            let policy = policies.objects.first();
            let found = policy.and_then(|policy| policy.pointer(list)?.as_array());
            let found = found.into_iter().flatten();
            found
                .map(|each| {
                    each.pointer(one)
                        .expect("an expression")
                        .as_str()
                        .expect("a text")
                        .to_owned()
                })
                .collect()
        };
        let mutating = mutating_policies(&crd, &settings).expect("a CRD");
        let validating = validating_policies(&crd, &settings).expect("a CRD");
        let patches = expressions(&mutating, "/spec/mutations", "/jsonPatch/expression");
        Self {
            schema: schema.clone(),
            unions: Unions::compile(SchemaSource::Crd(&crd, None)).expect("a schema"),
            patches: patches.iter().map(|patch| without_type(patch)).collect(),
            violations: expressions(&validating, "/spec/variables", "/expression"),
        }
    }

    pub(crate) fn counts(&self) -> [usize; 2] {
        [self.patches.len(), self.violations.len()]
    }

    /// Compares the policies' answers with the native answers, for pairs of a new object and an old
    /// object.
    ///
    /// As on a server, each mutation gets the changes of the mutations before it, and the
    /// validation gets the changes of all mutations.
    pub(crate) fn compare(&self, mut pairs: Vec<(Value, Value)>) {
        let before = pairs.clone();
        for patch in &self.patches {
            let changes = cel::run(patch, &pairs);
            for ((new, _), changes) in pairs.iter_mut().zip(changes) {
                apply(new, &changes);
            }
        }
        let mut found: Vec<Vec<String>> = vec![Vec::new(); pairs.len()];
        for violations in &self.violations {
            for (found, more) in found.iter_mut().zip(cel::run(violations, &pairs)) {
                let more = more.as_array().cloned().unwrap_or_default();
                found.extend(
                    more.iter()
                        .map(|text| text.as_str().expect("a text").to_owned()),
                );
            }
        }
        for (((new, old), (changed, _)), found) in before.iter().zip(&pairs).zip(found) {
            let settings = union_runtime::Settings::default();
            let stored = (!old.is_null()).then_some(old);
            let mut wanted = new.clone();
            let _ = self.unions.normalize(&mut wanted, stored, &settings);
            assert_eq!(*changed, wanted, "of {new}, was {old}\n{:#?}", self.patches);
            let judged = match stored {
                Some(old) => self.unions.validate_update(&wanted, old, &settings),
                None => self.unions.validate(&wanted),
            };
            let is_by_policy =
                |violation: &&Violation| self.is_by_policy(violation, changed, stored);
            let wanted = judged.errors().iter().filter(is_by_policy);
            let wanted: Vec<String> = wanted.map(ToString::to_string).collect();
            let mut found = found;
            let mut wanted = wanted;
            found.sort();
            wanted.sort();
            let agree = found.len() == wanted.len()
                && found
                    .iter()
                    .zip(&wanted)
                    .all(|(found, wanted)| wanted.starts_with(&**found));
            assert!(
                agree,
                "of {changed}, was {old}: {found:#?}, and not {wanted:#?}\n{:#?}",
                self.violations
            );
        }
    }
}

impl Compared {
    /// Returns true if a policy reports the violation. The schema checks the value of a
    /// discriminator, and tolerates an unchanged one.
    fn is_by_policy(&self, violation: &Violation, new: &Value, old: Option<&Value>) -> bool {
        match violation.kind() {
            ViolationKind::Required => return false,
            ViolationKind::NotSupported | ViolationKind::TypeInvalid => {}
            _ => return true,
        }
        let Some(old) = old else {
            return false;
        };
        let (new, old) = (with_keys(new), with_keys(old));
        let comparison = Comparison::new(&self.schema, &new, &old);
        let value = comparison.find(violation.path());
        let was = value.and_then(|value| value.old());
        was.is_some() && was == violation.path().find(&new)
    }
}

/// The same value, where each element of a list has the key with a default.
fn with_keys(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(with_keys).collect(),
        Value::Object(object) => {
            let mut object: Map<String, Value> = object
                .iter()
                .map(|(name, value)| (name.clone(), with_keys(value)))
                .collect();
            if object.contains_key("k") {
                object.entry("p").or_insert_with(|| json!("TCP"));
            }
            object.into()
        }
        other => other.clone(),
    }
}

/// A patch whose operations are lists of texts: `JSONPatch` is a type of policies alone.
fn without_type(patch: &str) -> String {
    patch
        .replace(
            "JSONPatch{op: 'add', path: c[1], value: c[2]}",
            "['add', c[1], c[2]]",
        )
        .replace("JSONPatch{op: 'remove', path: c[1]}", "['remove', c[1]]")
}

/// Applies a JSON patch.
fn apply(object: &mut Value, changes: &Value) {
    for change in changes.as_array().expect("a list") {
        let (op, pointer) = (
            change[0].as_str().expect("an operation"),
            change[1].as_str().expect("a pointer"),
        );
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
        let name = name.replace("~1", "/").replace("~0", "~");
        let parent = object
            .pointer_mut(parent)
            .unwrap_or_else(|| panic!("nothing at {pointer}"));
        let parent = parent.as_object_mut().expect("an object");
        if op == "add" {
            parent.insert(name, change[2].clone());
        } else {
            assert!(parent.remove(&name).is_some(), "nothing at {pointer}");
        }
    }
}
