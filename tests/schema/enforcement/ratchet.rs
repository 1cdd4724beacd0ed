//! Tests of `ratchet = "same_reason"`: for every pair of old and new objects in the small worlds, a
//! server tolerates the same errors as `Ratchet::SameReason`.

use k8s_crd_validation::{KubeVersion, ServerSettings, StructuralSchema};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use union_runtime::schema_for;
use union_runtime::spec::UnionType;

use crate::enforcement::enums;
use crate::enforcement::native::{
    KnownDifference, Native, with_another_change, with_another_field,
};
use crate::enforcement::types::{self, Visit};
use crate::enforcement::world::Object;

/// The maximum number of pairs that are checked in a world. Larger worlds, of several unions in one
/// struct, are sampled.
const MAX_PAIRS: usize = 16_000;

/// Compares the results of a server with native validation for pairs of old and new objects, and
/// counts the pairs.
#[derive(Default)]
struct UpdateComparison {
    worlds: usize,
    pairs: usize,
    /// The number of updates to an invalid object that are accepted, because its errors are
    /// tolerated.
    tolerated_pairs: usize,
    rejected_pairs: usize,
    missing_required_pairs: usize,
    empty_deduced_pairs: usize,
}

impl Visit for UpdateComparison {
    fn visit<T: UnionType + JsonSchema + DeserializeOwned>(&mut self, name: &str, enforce: &str) {
        if enforce != "same_reason" {
            return;
        }
        let schema = schema_for::<T>().to_value();
        let native = Native::new::<T>(&schema);
        // `oldSelf` has JSON names on servers before 1.37, and names of CEL from 1.37 on.
        for minor in [36, 37] {
            let server = Server::new(name, &schema, minor);
            for (old, new) in native.pairs(MAX_PAIRS) {
                self.check_pair(name, &native, &server, old, new);
            }
        }
        self.worlds += 1;
    }
}

impl UpdateComparison {
    fn check_pair(
        &mut self,
        name: &str,
        native: &Native,
        server: &Server,
        old: &Object,
        new: &Object,
    ) {
        let is_accepted = native.accepts(old, new);
        let server_errors = server.update_errors(old, new);
        self.pairs += 1;
        self.rejected_pairs += usize::from(!is_accepted);
        self.tolerated_pairs += usize::from(is_accepted && !native.accepts(&Object::new(), new));
        if is_accepted == server_errors.is_empty() {
            return;
        }
        let expected_error = match native.known_difference(old, new) {
            Some(KnownDifference::MissingRequired) => {
                self.missing_required_pairs += 1;
                ": Required value"
            }
            Some(KnownDifference::EmptyDeduced) => {
                self.empty_deduced_pairs += 1;
                ": Unsupported value: \"\""
            }
            None => "nothing else",
        };
        assert!(
            is_accepted && server_errors[0].contains(expected_error),
            "{name}\nold {}\nnew {}\nvalidation takes it: {is_accepted}\nserver: {server_errors:#?}\n{:#}",
            json!(old),
            json!(new),
            server.rules,
        );
    }
}

/// A server with a CRD that has the schema.
struct Server {
    version: KubeVersion,
    schema: StructuralSchema,
    rules: Value,
}

impl Server {
    fn new(name: &str, schema: &Value, minor: u16) -> Self {
        let version = KubeVersion::from_minor(minor).unwrap();
        let rules = schema["x-kubernetes-validations"].clone();
        let spec = with_another_field(schema);
        let object_schema = json!({"type": "object", "properties": {"spec": spec}});
        let compiler = StructuralSchema::compiler().version(version);
        match compiler.schema(&object_schema) {
            Ok(schema) => Self {
                version,
                schema,
                rules,
            },
            Err(errors) => panic!("{name}: {errors}\n{object_schema:#}"),
        }
    }

    /// Returns the errors of the server for an update that also changes another field.
    fn update_errors(&self, old: &Object, new: &Object) -> Vec<String> {
        let (old, new) = with_another_change(old, new);
        let (old, mut new) = (json!({ "spec": old }), json!({ "spec": new }));
        let server = ServerSettings::default().version(self.version);
        let report = self.schema.update(&mut new, &old, &server);
        report.errors().iter().map(ToString::to_string).collect()
    }
}

#[test]
fn a_server_tolerates_what_same_reason_tolerates() {
    let mut comparison = UpdateComparison::default();
    types::visit_all(&mut comparison);
    enums::visit_all(&mut comparison);
    println!(
        "{} worlds, {} pairs: {} forgiven, {} refused, {} of a required discriminator, {} of an empty one",
        comparison.worlds,
        comparison.pairs,
        comparison.tolerated_pairs,
        comparison.rejected_pairs,
        comparison.missing_required_pairs,
        comparison.empty_deduced_pairs
    );
    assert_eq!(comparison.worlds, 31);
    assert!(comparison.tolerated_pairs > 5_000 && comparison.rejected_pairs > 50_000);
    assert!(comparison.missing_required_pairs > 0 && comparison.empty_deduced_pairs > 0);
}
