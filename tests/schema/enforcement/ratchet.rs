//! Tests of `ratchet = "same_reason"`: for every pair of old and new objects in the small worlds, a
//! server tolerates the same errors as `Ratchet::SameReason`.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use union_runtime::schema_for;
use union_runtime::spec::UnionType;

use crate::enforcement::enums;
use crate::enforcement::native::{Native, Otherwise, changed_elsewhere, with_another_field};
use crate::enforcement::types::{self, Visit};
use crate::enforcement::world::Object;

/// The maximum number of pairs that are checked in a world. Larger worlds, of several unions in one
/// struct, are sampled.
const MOST_PAIRS: usize = 16_000;

#[derive(Default)]
struct Pairs {
    worlds: usize,
    asked: usize,
    /// The number of new objects that are invalid and accepted, because their errors are tolerated.
    forgiven: usize,
    refused: usize,
    required: usize,
    empty: usize,
}

impl Visit for Pairs {
    fn visit<T: UnionType + JsonSchema + DeserializeOwned>(&mut self, name: &str, enforce: &str) {
        if enforce != "same_reason" {
            return;
        }
        let schema = schema_for::<T>().to_value();
        let native = Native::new::<T>(&schema);
        let server = Server::new(name, &schema);
        for (old, new) in native.pairs(MOST_PAIRS) {
            self.pair(name, &native, &server, old, new);
        }
        self.worlds += 1;
    }
}

impl Pairs {
    fn pair(&mut self, name: &str, native: &Native, server: &Server, old: &Object, new: &Object) {
        let ours = native.takes(old, new);
        let theirs = server.answer(old, new);
        self.asked += 1;
        self.refused += usize::from(!ours);
        self.forgiven += usize::from(ours && !native.takes(&Object::new(), new));
        if ours == theirs.is_empty() {
            return;
        }
        let wanted = match native.otherwise(old, new) {
            Some(Otherwise::Required) => {
                self.required += 1;
                ": Required value"
            }
            Some(Otherwise::Empty) => {
                self.empty += 1;
                ": Unsupported value: \"\""
            }
            None => "nothing else",
        };
        assert!(
            ours && theirs[0].contains(wanted),
            "{name}\nold {}\nnew {}\nvalidation takes it: {ours}\nserver: {theirs:#?}\n{:#}",
            json!(old),
            json!(new),
            server.rules,
        );
    }
}

/// A server with a CRD that has the schema.
struct Server {
    schema: StructuralSchema,
    rules: Value,
}

impl Server {
    fn new(name: &str, schema: &Value) -> Self {
        let rules = schema["x-kubernetes-validations"].clone();
        let spec = with_another_field(schema);
        let whole = json!({"type": "object", "properties": {"spec": spec}});
        match StructuralSchema::compile(&whole) {
            Ok(schema) => Self { schema, rules },
            Err(errors) => panic!("{name}: {errors}\n{whole:#}"),
        }
    }

    /// Returns the errors of the server for an update that also changes another field.
    fn answer(&self, old: &Object, new: &Object) -> Vec<String> {
        let (old, new) = changed_elsewhere(old, new);
        let (old, mut new) = (json!({ "spec": old }), json!({ "spec": new }));
        let server = ServerSettings::default();
        let report = self.schema.update(&mut new, &old, &server);
        report.errors().iter().map(ToString::to_string).collect()
    }
}

#[test]
fn a_server_tolerates_what_same_reason_tolerates() {
    let mut pairs = Pairs::default();
    types::each(&mut pairs);
    enums::each(&mut pairs);
    println!(
        "{} worlds, {} pairs: {} forgiven, {} refused, {} of a required discriminator, {} of an empty one",
        pairs.worlds, pairs.asked, pairs.forgiven, pairs.refused, pairs.required, pairs.empty
    );
    assert_eq!(pairs.worlds, 31);
    assert!(pairs.forgiven > 5_000 && pairs.refused > 50_000);
    assert!(pairs.required > 0 && pairs.empty > 0);
}
