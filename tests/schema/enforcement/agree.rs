//! Tests of the agreement of a server with native validation: in every small state of every kind of
//! union, a server with our CEL rules, or with our `oneOf`, accepts the same objects.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use union_runtime::spec::UnionType;
use union_runtime::{Union as _, Violation, schema_for};

use crate::enforcement::enums;
use crate::enforcement::types::{self, Visit};
use crate::enforcement::world::{objects, specs};

#[derive(Default)]
struct ServerComparison {
    enforce: &'static str,
    states: usize,
    rejected: usize,
    /// The names of the types. Each type has rejected and accepted objects.
    types: Vec<String>,
}

impl Visit for ServerComparison {
    fn visit<T: UnionType + JsonSchema + DeserializeOwned>(&mut self, name: &str, enforce: &str) {
        if enforce != self.enforce {
            return;
        }
        let spec = schema_for::<T>().to_value();
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        let schema = match StructuralSchema::compile(&schema) {
            Ok(schema) => schema,
            Err(errors) => panic!("{name}: {errors}\n{schema:#}"),
        };
        let specs = specs::<T>();
        // If the discriminator has a default, a server accepts null and sets the default, but serde
        // rejects null for a struct (DIFFERENCES.md).
        let has_default = |spec: &Value| {
            let properties = spec["properties"].as_object().into_iter().flatten();
            let mut properties = properties.map(|(_, property)| property.get("default"));
            properties.any(|default| default.is_some())
        };
        let before = (self.rejected, self.states);
        for object in objects(&specs) {
            let object = Value::from(object);
            let native = native::<T>(&object);
            let is_null = object.get("kind") == Some(&Value::Null);
            if native.is_err() && is_null && has_default(&spec) {
                continue;
            }
            let mut request = json!({ "spec": object });
            let server = schema.create(&mut request, &ServerSettings::default());
            let texts: Vec<String> = server.errors().iter().map(ToString::to_string).collect();
            let is_valid = native.as_ref().is_ok_and(Vec::is_empty);
            assert_eq!(
                server.is_accepted(),
                is_valid,
                "{name} {enforce} {object}\nvalidation: {native:?}\nserver: {texts:#?}\n{spec:#}"
            );
            if let (Ok(native), "cel" | "same_reason") = (&native, enforce) {
                assert_same_messages(&object, native, server.errors());
            }
            self.states += 1;
            self.rejected += usize::from(!is_valid);
        }
        let (rejected, states) = (self.rejected - before.0, self.states - before.1);
        assert!(
            rejected > 0 && rejected < states,
            "{name}: {rejected} of {states}"
        );
        self.types.push(name.to_owned());
    }
}

/// Returns the errors of native validation, or the message of serde if serde cannot read the
/// object.
fn native<T: UnionType + DeserializeOwned>(object: &Value) -> Result<Vec<Violation>, String> {
    let object: T = serde_json::from_value(object.clone()).map_err(|error| error.to_string())?;
    Ok(object.validate_unions().errors().to_vec())
}

/// Checks that a server reports the same fields, and that its messages are the beginnings of our
/// messages. Objects with other errors than errors of members are skipped.
fn assert_same_messages(object: &Value, native: &[Violation], server: &[Violation]) {
    let is_whole = |violation: &Violation| violation.kind().reason() != "FieldValueInvalid";
    if native.iter().any(is_whole) {
        return;
    }
    let ours: Vec<(String, &str)> = native
        .iter()
        .map(|violation| {
            let path = match violation.path().as_str() {
                "" => "spec".to_owned(),
                path => format!("spec.{path}"),
            };
            (path, violation.detail())
        })
        .collect();
    assert_eq!(ours.len(), server.len(), "{object}: {ours:#?} {server:#?}");
    for violation in server {
        assert_eq!(violation.kind().reason(), "FieldValueInvalid");
        let (path, message) = (violation.path().as_str(), violation.detail());
        let is_same = |(ours, detail): &(String, &str)| {
            ours == path && detail.starts_with(&format!("{message}: "))
        };
        assert!(
            ours.iter().any(is_same),
            "{object}: {path} {message}: {ours:#?}"
        );
    }
}

fn compare(enforce: &'static str) -> ServerComparison {
    let mut comparison = ServerComparison {
        enforce,
        ..ServerComparison::default()
    };
    types::each(&mut comparison);
    enums::each(&mut comparison);
    comparison
}

#[test]
fn cel_agrees_with_validation() {
    let comparison = compare("cel");
    assert_eq!(comparison.types.len(), 31);
    assert!(comparison.states > 10_000, "{}", comparison.states);
}

#[test]
fn cel_with_a_ratchet_agrees_with_validation_on_creates() {
    let comparison = compare("same_reason");
    assert_eq!(comparison.types.len(), 31);
    assert!(comparison.states > 10_000, "{}", comparison.states);
}

#[test]
fn one_of_agrees_with_validation() {
    let comparison = compare("one_of");
    assert_eq!(comparison.types.len(), 31);
    assert!(comparison.rejected > 1_000, "{}", comparison.rejected);
}
