//! `ratchet = "same_reason"`: in every small world of old and new, a server forgives what `Ratchet::SameReason` forgives.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use union_runtime::engine::Unions;
use union_runtime::{Arity, Settings, Union, UnionSpec, schema_for};

use crate::enums;
use crate::types::{self, Visit};
use crate::world::{Object, objects, specs};

/// A world of more objects than this has null in no place, so that its pairs stay few enough.
const MOST_OBJECTS: usize = 120;

/// Of a world of more pairs than this, every so many-eth is judged: those of several unions beside each other.
const MOST_PAIRS: usize = 40_000;

#[derive(Default)]
struct Pairs {
    worlds: usize,
    pairs: usize,
    /// New objects that are wrong, and taken as they are.
    forgiven: usize,
    refused: usize,
    /// What a server says of a required discriminator that old does not have either.
    required: usize,
    /// What a server says of `""`, where a discriminator follows.
    empty: usize,
}

impl Visit for Pairs {
    fn visit<T: Union + JsonSchema + DeserializeOwned>(&mut self, name: &str, enforce: &str) {
        if enforce != "same_reason" {
            return;
        }
        let schema = schema_for::<T>().to_value();
        let specs = specs::<T>();
        let native = Native::new(&schema, &specs);
        let server = Server::new(name, &schema);
        let mut objects = objects(&specs);
        if objects.len() > MOST_OBJECTS {
            objects.retain(|object| !object.values().any(Value::is_null));
        }
        let one_of = (objects.len() * objects.len()).div_ceil(MOST_PAIRS);
        for (i, old) in objects.iter().enumerate() {
            for (k, new) in objects.iter().enumerate() {
                if (i * 7919 + k * 104_729).is_multiple_of(one_of) {
                    self.pair(name, &native, &server, old, new);
                }
            }
        }
        self.worlds += 1;
    }
}

impl Pairs {
    fn pair(&mut self, name: &str, native: &Native, server: &Server, old: &Object, new: &Object) {
        let ours = native.takes(old, new);
        let theirs = server.answer(old, new);
        self.pairs += 1;
        self.refused += usize::from(!ours);
        self.forgiven += usize::from(ours && !native.is_valid(new));
        if ours == theirs.is_empty() {
            return;
        }
        // `required` is a server's own: it forgives it with an unchanged struct alone.
        let is_missing = |object: &Object| native.lacks_a_required_discriminator(object);
        let is_required = is_missing(old) && is_missing(new);
        // A discriminator that follows says nothing by "", and an enum takes it only where it is a value.
        let is_empty = native.follows && new.values().any(|value| value == "");
        let wanted = if is_required {
            ": Required value"
        } else if is_empty {
            ": Unsupported value: \"\""
        } else {
            "nothing else"
        };
        assert!(
            ours && theirs[0].contains(wanted),
            "{name}\nold {}\nnew {}\nvalidation takes it: {ours}\nserver: {theirs:#?}\n{:#}",
            json!(old),
            json!(new),
            server.rules,
        );
        self.required += usize::from(is_required);
        self.empty += usize::from(is_empty);
    }
}

/// What the rules of unions say of JSON.
struct Native {
    unions: Unions,
    required: Vec<String>,
    /// The discriminator follows the members.
    follows: bool,
}

impl Native {
    fn new(schema: &Value, specs: &[&'static UnionSpec<'static>]) -> Self {
        // As declared: the extension does not say that exactly one is wanted.
        let mut bare = schema.clone();
        remove_extensions(&mut bare);
        let compiler = specs.iter().fold(Unions::compiler(), |compiler, spec| {
            compiler.union_at("", **spec)
        });
        let unions = compiler
            .schema(&bare)
            .unwrap_or_else(|error| panic!("{error}\n{schema:#}"));
        let required = schema["required"].as_array().into_iter().flatten();
        let required = required.filter_map(Value::as_str).map(str::to_owned);
        Self {
            unions,
            required: required.collect(),
            follows: specs.iter().any(|spec| spec.arity() != Arity::Selected),
        }
    }

    fn takes(&self, old: &Object, new: &Object) -> bool {
        let (old, new) = (old.clone().into(), new.clone().into());
        let settings = Settings::default();
        self.unions.validate_update(&new, &old, &settings).is_ok()
    }

    fn is_valid(&self, object: &Object) -> bool {
        let settings = Settings::default();
        self.unions
            .validate(&object.clone().into(), &settings)
            .is_ok()
    }

    fn lacks_a_required_discriminator(&self, object: &Object) -> bool {
        let is_missing = |name: &String| object.get(name).is_none_or(Value::is_null);
        self.required.iter().any(is_missing)
    }
}

/// A server whose CRD has the schema.
struct Server {
    schema: StructuralSchema,
    rules: Value,
}

impl Server {
    fn new(name: &str, schema: &Value) -> Self {
        let mut spec = schema.clone();
        // So that no struct is unchanged: a server forgives those by itself.
        spec["properties"]["elsewhere"] = json!({"type": "integer"});
        let rules = schema["x-kubernetes-validations"].clone();
        let whole = json!({"type": "object", "properties": {"spec": spec}});
        match StructuralSchema::compile(&whole) {
            Ok(schema) => Self { schema, rules },
            Err(errors) => panic!("{name}: {errors}\n{whole:#}"),
        }
    }

    /// What it says to an update that changes something else too.
    fn answer(&self, old: &Object, new: &Object) -> Vec<String> {
        let request = |object: &Object, elsewhere: i32| {
            let mut object = object.clone();
            object.insert("elsewhere".to_owned(), elsewhere.into());
            json!({ "spec": object })
        };
        let (old, mut new) = (request(old, 1), request(new, 2));
        let server = ServerSettings::default();
        let outcome = self.schema.update(&mut new, &old, &server);
        outcome.errors.iter().map(ToString::to_string).collect()
    }
}

fn remove_extensions(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    object.remove("x-kubernetes-unions");
    let properties = object.get_mut("properties").and_then(Value::as_object_mut);
    properties
        .into_iter()
        .flat_map(Map::values_mut)
        .for_each(remove_extensions);
}

#[test]
fn a_server_forgives_what_same_reason_forgives() {
    let mut pairs = Pairs::default();
    types::each(&mut pairs);
    enums::each(&mut pairs);
    println!(
        "{} worlds, {} pairs: {} forgiven, {} refused, {} of a required discriminator, {} of an empty one",
        pairs.worlds, pairs.pairs, pairs.forgiven, pairs.refused, pairs.required, pairs.empty
    );
    assert_eq!(pairs.worlds, 31);
    assert!(pairs.forgiven > 10_000 && pairs.refused > 100_000);
}
