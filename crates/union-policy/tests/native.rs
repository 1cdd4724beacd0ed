//! Comparisons of the results of policies with the results of the native rules.

use serde_json::{Map, Value, json};
use union_json::{SchemaSource, Unions};
use union_policy::{Policies, Settings, mutating_policies, validating_policies};
use union_runtime::comparator::Comparison;
use union_runtime::{Violation, ViolationKind};

use crate::cel;

/// Returns a CRD with one version.
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

/// A schema, the expressions of the policies for it, and its unions as the engine compiles them.
pub(crate) struct PolicyComparison {
    schema: Value,
    unions: Unions,
    patches: Vec<String>,
    violations: Vec<String>,
}

impl PolicyComparison {
    pub(crate) fn new(schema: &Value) -> Self {
        let crd = crd(schema);
        let settings = Settings::default();
        let mutating = mutating_policies(&crd, &settings).expect("a CRD");
        let validating = validating_policies(&crd, &settings).expect("a CRD");
        Self {
            schema: schema.clone(),
            unions: Unions::compile(SchemaSource::Crd(&crd, None)).expect("a schema"),
            patches: patch_expressions(&mutating),
            violations: violation_expressions(&validating),
        }
    }

    pub(crate) fn expression_counts(&self) -> [usize; 2] {
        [self.patches.len(), self.violations.len()]
    }

    /// Compares the results of the policies with the results of the native rules, for pairs of a
    /// new object and an old object.
    ///
    /// As on a server, each mutation gets the changes of the mutations before it, and the
    /// validation gets the changes of all mutations.
    pub(crate) fn compare(&self, mut pairs: Vec<(Value, Value)>) {
        let original_pairs = pairs.clone();
        apply_patches(&self.patches, &mut pairs);
        let reported_messages = reported_messages(&self.violations, &pairs);
        for (((new, old), (normalized, _)), reported_messages) in
            original_pairs.iter().zip(&pairs).zip(reported_messages)
        {
            let settings = union_runtime::Settings::default();
            let stored_object = (!old.is_null()).then_some(old);
            let mut expected_object = new.clone();
            let _ = self
                .unions
                .normalize(&mut expected_object, stored_object, &settings);
            assert_eq!(
                *normalized, expected_object,
                "of {new}, was {old}\n{:#?}",
                self.patches
            );
            let validation = match stored_object {
                Some(old) => self
                    .unions
                    .validate_update(&expected_object, old, &settings),
                None => self.unions.validate(&expected_object),
            };
            let is_reported_by_policy = |violation: &&Violation| {
                self.is_reported_by_policy(violation, normalized, stored_object)
            };
            let expected_errors = validation.errors().iter().filter(is_reported_by_policy);
            let mut expected_messages: Vec<String> =
                expected_errors.map(ToString::to_string).collect();
            let mut reported_messages = reported_messages;
            reported_messages.sort();
            expected_messages.sort();
            let is_equal = all_start_with(&expected_messages, &reported_messages);
            assert!(
                is_equal,
                "of {normalized}, was {old}: {reported_messages:#?}, and not {expected_messages:#?}\n{:#?}",
                self.violations
            );
        }
    }
}

impl PolicyComparison {
    /// Returns true if a policy reports the violation. The schema checks the value of a
    /// discriminator, and tolerates an unchanged value.
    fn is_reported_by_policy(
        &self,
        violation: &Violation,
        new: &Value,
        old: Option<&Value>,
    ) -> bool {
        match violation.kind() {
            ViolationKind::Required => return false,
            ViolationKind::NotSupported | ViolationKind::TypeInvalid => {}
            _ => return true,
        }
        let Some(old) = old else {
            return false;
        };
        let (new, old) = (with_default_keys(new), with_default_keys(old));
        let comparison = Comparison::new(&self.schema, &new, &old);
        let value = comparison.find(violation.path());
        let old_value = value.and_then(|value| value.old());
        old_value.is_some() && old_value == violation.path().find(&new)
    }
}

/// Returns the expressions of the mutations of a policy, with lists instead of `JSONPatch` objects.
pub(crate) fn patch_expressions(policies: &Policies) -> Vec<String> {
    let patches = policy_expressions(policies, "/spec/mutations", "/jsonPatch/expression");
    let patches = patches.iter().map(|patch| with_lists_as_operations(patch));
    patches.collect()
}

/// Returns the expressions of the violations of a policy.
pub(crate) fn violation_expressions(policies: &Policies) -> Vec<String> {
    policy_expressions(policies, "/spec/variables", "/expression")
}

fn policy_expressions(policies: &Policies, list: &str, pointer: &str) -> Vec<String> {
    let policy = policies.objects.first();
    let entries = policy.and_then(|policy| policy.pointer(list)?.as_array());
    let expressions = entries.into_iter().flatten().map(|entry| {
        let expression = entry.pointer(pointer).expect("an expression");
        expression.as_str().expect("a text").to_owned()
    });
    expressions.collect()
}

/// Changes the new objects of pairs by the patches. As on a server, each patch gets the changes of
/// the patches before it.
pub(crate) fn apply_patches(patches: &[String], pairs: &mut [(Value, Value)]) {
    for patch in patches {
        let changes = cel::run(patch, pairs);
        for ((new, _), changes) in pairs.iter_mut().zip(changes) {
            apply_patch(new, &changes);
        }
    }
}

/// Returns the messages of all violations of each pair.
pub(crate) fn reported_messages(
    violations: &[String],
    pairs: &[(Value, Value)],
) -> Vec<Vec<String>> {
    let mut reported_messages: Vec<Vec<String>> = vec![Vec::new(); pairs.len()];
    for violations in violations {
        let results = cel::run(violations, pairs);
        for (messages_of_pair, messages) in reported_messages.iter_mut().zip(results) {
            let messages = messages.as_array().cloned().unwrap_or_default();
            let messages = messages.iter().map(|message| message.as_str());
            messages_of_pair.extend(messages.map(|message| message.expect("a text").to_owned()));
        }
    }
    reported_messages
}

/// Returns true if each message starts with the prefix at the same position.
fn all_start_with(messages: &[String], prefixes: &[String]) -> bool {
    let mut pairs = messages.iter().zip(prefixes);
    messages.len() == prefixes.len() && pairs.all(|(message, prefix)| message.starts_with(prefix))
}

/// Returns the value with the default of the key `p` in each element of a list.
fn with_default_keys(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(with_default_keys).collect(),
        Value::Object(object) => {
            let mut object: Map<String, Value> = object
                .iter()
                .map(|(name, value)| (name.clone(), with_default_keys(value)))
                .collect();
            if object.contains_key("k") {
                object.entry("p").or_insert_with(|| json!("TCP"));
            }
            object.into()
        }
        other => other.clone(),
    }
}

/// Returns the patch with lists instead of `JSONPatch` objects, because only policies have this
/// type.
fn with_lists_as_operations(patch: &str) -> String {
    patch
        .replace(
            "JSONPatch{op: 'add', path: c[1], value: c[2]}",
            "['add', c[1], c[2]]",
        )
        .replace("JSONPatch{op: 'remove', path: c[1]}", "['remove', c[1]]")
}

/// Applies a JSON patch.
fn apply_patch(object: &mut Value, operations: &Value) {
    for operation in operations.as_array().expect("a list") {
        let (op, pointer) = (
            operation[0].as_str().expect("an operation"),
            operation[1].as_str().expect("a pointer"),
        );
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
        let name = name.replace("~1", "/").replace("~0", "~");
        let parent = object
            .pointer_mut(parent)
            .unwrap_or_else(|| panic!("nothing at {pointer}"));
        let parent = parent.as_object_mut().expect("an object");
        if op == "add" {
            parent.insert(name, operation[2].clone());
        } else {
            assert!(parent.remove(&name).is_some(), "nothing at {pointer}");
        }
    }
}
