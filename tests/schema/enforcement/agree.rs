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

/// Compares the errors of a server with native validation for all types with an enforcement.
#[derive(Default)]
struct ServerComparison {
    enforce: &'static str,
    state_count: usize,
    rejected_count: usize,
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
        let (rejected_before, states_before) = (self.rejected_count, self.state_count);
        for object in objects(&specs) {
            let object = Value::from(object);
            let native_errors = native_errors::<T>(&object);
            let is_null = object.get("kind") == Some(&Value::Null);
            if native_errors.is_err() && is_null && has_default(&spec) {
                continue;
            }
            let mut request = json!({ "spec": object });
            let server = schema.create(&mut request, &ServerSettings::default());
            let server_errors: Vec<String> =
                server.errors().iter().map(ToString::to_string).collect();
            let is_valid = native_errors.as_ref().is_ok_and(Vec::is_empty);
            assert_eq!(
                server.is_accepted(),
                is_valid,
                "{name} {enforce} {object}\nvalidation: {native_errors:?}\nserver: {server_errors:#?}\n{spec:#}"
            );
            if let (Ok(native_errors), "cel" | "same_reason") = (&native_errors, enforce) {
                assert_same_messages(&object, native_errors, server.errors());
            }
            self.state_count += 1;
            self.rejected_count += usize::from(!is_valid);
        }
        let rejected = self.rejected_count - rejected_before;
        let states = self.state_count - states_before;
        assert!(
            rejected > 0 && rejected < states,
            "{name}: {rejected} of {states}"
        );
        self.types.push(name.to_owned());
    }
}

/// Returns the errors of native validation, or the error of serde if the object does not
/// deserialize.
fn native_errors<T: UnionType + DeserializeOwned>(
    object: &Value,
) -> Result<Vec<Violation>, String> {
    let object: T = serde_json::from_value(object.clone()).map_err(|error| error.to_string())?;
    Ok(object.validate_unions().errors().to_vec())
}

/// Checks that a server reports the same fields, and that its messages are the beginnings of our
/// messages. Objects with other errors than errors of members are skipped.
fn assert_same_messages(object: &Value, native_errors: &[Violation], server_errors: &[Violation]) {
    let is_not_of_member = |violation: &Violation| violation.kind().reason() != "FieldValueInvalid";
    if native_errors.iter().any(is_not_of_member) {
        return;
    }
    let native_details: Vec<(String, &str)> = native_errors
        .iter()
        .map(|violation| {
            let path = match violation.path().as_str() {
                "" => "spec".to_owned(),
                path => format!("spec.{path}"),
            };
            (path, violation.detail())
        })
        .collect();
    assert_eq!(
        native_details.len(),
        server_errors.len(),
        "{object}: {native_details:#?} {server_errors:#?}"
    );
    for violation in server_errors {
        assert_eq!(violation.kind().reason(), "FieldValueInvalid");
        let (path, message) = (violation.path().as_str(), violation.detail());
        let is_same_error = |(native_path, detail): &(String, &str)| {
            native_path == path && detail.starts_with(&format!("{message}: "))
        };
        assert!(
            native_details.iter().any(is_same_error),
            "{object}: {path} {message}: {native_details:#?}"
        );
    }
}

fn compare(enforce: &'static str) -> ServerComparison {
    let mut comparison = ServerComparison {
        enforce,
        ..ServerComparison::default()
    };
    types::visit_all(&mut comparison);
    enums::visit_all(&mut comparison);
    comparison
}

#[test]
fn a_server_with_cel_rules_agrees_with_native_validation() {
    let comparison = compare("cel");
    assert_eq!(comparison.types.len(), 31);
    assert!(
        comparison.state_count > 10_000,
        "{}",
        comparison.state_count
    );
}

#[test]
fn a_server_with_a_ratchet_agrees_with_native_validation_on_creates() {
    let comparison = compare("same_reason");
    assert_eq!(comparison.types.len(), 31);
    assert!(
        comparison.state_count > 10_000,
        "{}",
        comparison.state_count
    );
}

#[test]
fn a_schema_with_one_of_gives_the_same_results_as_validation_in_rust() {
    let comparison = compare("one_of");
    assert_eq!(comparison.types.len(), 31);
    assert!(
        comparison.rejected_count > 1_000,
        "{}",
        comparison.rejected_count
    );
}
