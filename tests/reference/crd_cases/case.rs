//! Cases: a schema, and requests for objects of the schema.

use serde_json::{Value, json};

use crate::object::Generator;
use crate::rules;
use crate::schema::Writer;
use union_random::Random;

/// The group, version and kind of objects if only a schema is given. The reference has the same
/// constants.
const GROUP: &str = "mygroup.example.com";
const VERSION: &str = "v1beta1";
const KIND: &str = "MyCoolCRD";

/// The definition of the resource: a schema or a CRD.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Definition {
    Schema {
        schema: Value,
        status: bool,
    },
    Crd {
        crd: Value,
        version: String,
    },
    /// A CRD that is already stored on the server. The server may reject this CRD if it is new.
    Stored {
        crd: Value,
        version: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Op {
    Create,
    Update,
    Status,
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) op: Op,
    pub(crate) old: Value,
    pub(crate) new: Value,
}

/// A schema with its cases.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub(crate) definition: Definition,
    pub(crate) cases: Vec<Case>,
    /// True if the CRD is stored and has `preserveUnknownFields`, which only the former API version
    /// v1beta1 allowed.
    pub(crate) preserves: bool,
}

impl Op {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Status => "status",
        }
    }
}

impl Definition {
    /// Returns true if the tolerated errors of an update are exactly the errors that a create
    /// reports and the update does not. This is not so with CEL rules, which are skipped after
    /// other errors, nor with a status, which a create removes.
    pub(crate) fn shows_tolerated(&self) -> bool {
        let has_rules = self.line().to_string().contains("x-kubernetes-validations");
        matches!(self, Self::Schema { status: false, .. }) && !has_rules
    }

    /// Returns the generated schema, or `None` for a CRD of the Gateway API.
    pub(crate) fn generated_schema(&mut self) -> Option<&mut Value> {
        match self {
            Self::Schema { schema, .. } => Some(schema),
            Self::Crd { crd, .. } | Self::Stored { crd, .. } if crd["spec"]["group"] == GROUP => {
                crd.pointer_mut("/spec/versions/0/schema/openAPIV3Schema")
            }
            Self::Crd { .. } | Self::Stored { .. } => None,
        }
    }

    /// Returns true if the schema has a part that no server ever accepted, so that no CRD with this
    /// part is stored: a list of type map without keys, or a schema with both `properties` and
    /// `additionalProperties`.
    pub(crate) fn is_never_accepted(&self) -> bool {
        fn is_in(value: &Value) -> bool {
            match value {
                Value::Object(object) => {
                    let is_map = object.get("x-kubernetes-list-type") == Some(&"map".into());
                    let has_fields = object.get("properties").is_some_and(Value::is_object);
                    is_map && !object.contains_key("x-kubernetes-list-map-keys")
                        || has_fields && object.contains_key("additionalProperties")
                        || object.values().any(is_in)
                }
                Value::Array(values) => values.iter().any(is_in),
                _ => false,
            }
        }
        is_in(&self.line())
    }

    /// Returns true if the CRD is stored and has `preserveUnknownFields`.
    pub(crate) fn preserves(&self) -> bool {
        matches!(self, Self::Stored { crd, .. } if crd["spec"]["preserveUnknownFields"] == true)
    }

    /// Returns the definition as a stored CRD. `preserves` is the value of `preserveUnknownFields`.
    pub(crate) fn stored(&self, preserves: bool) -> Self {
        let (mut crd, version) = match self.clone() {
            Self::Schema { schema, status } => (plain_crd_of(&schema, status), VERSION.into()),
            Self::Crd { crd, version } | Self::Stored { crd, version } => (crd, version),
        };
        crd["spec"]["preserveUnknownFields"] = preserves.into();
        Self::Stored { crd, version }
    }

    /// Returns the line by which the reference uses this definition for the next requests.
    pub(crate) fn line(&self) -> Value {
        match self {
            Self::Schema { schema, status } => {
                json!({"use": {"schema": schema, "status_subresource": status}})
            }
            Self::Crd { crd, version } => json!({"use": {"crd": crd, "version": version}}),
            Self::Stored { crd, version } => {
                json!({"use": {"crd": crd, "version": version, "stored": true}})
            }
        }
    }
}

impl Case {
    /// Returns true if the objects have `apiVersion`, `kind` and `metadata`. The reference would
    /// add missing fields.
    pub(crate) fn is_complete(&self) -> bool {
        let is_complete = |object: &Value| {
            ["apiVersion", "kind", "metadata"]
                .iter()
                .all(|name| object.get(name).is_some())
        };
        is_complete(&self.new) && (self.op == Op::Create || is_complete(&self.old))
    }

    pub(crate) fn line(&self) -> Value {
        let mut line = json!({"op": self.op.name(), "new": self.new, "field_validation": "Warn"});
        if self.op != Op::Create {
            line["old"] = self.old.clone();
        }
        line
    }
}

impl Batch {
    /// Returns a random schema with up to `count` cases. If `broken` is true, the schema is
    /// invalid.
    pub(crate) fn random(
        random: &mut Random,
        count: usize,
        broken: bool,
        with_rules: bool,
    ) -> Self {
        let status = random.chance(45);
        let with_rules = with_rules && random.chance(55);
        let mut schema = Writer { random, with_rules }.root(status);
        if broken {
            break_schema(random, &mut schema);
        }
        // Compiling a schema with costly rules takes long.
        let is_costly = schema["properties"].get("h0").is_some();
        let count = if is_costly { count.min(4) } else { count };
        // A CRD defines the kind of the objects, so a few objects get another kind below.
        let definition = if random.chance(12) {
            Definition::Crd {
                crd: crd_of(random, &schema, status),
                version: VERSION.into(),
            }
        } else {
            Definition::Schema {
                schema: schema.clone(),
                status,
            }
        };
        let has_kind = matches!(definition, Definition::Crd { .. });
        let cases = (0..count)
            .map(|_| {
                let mut case = Case::random(random, &schema, status);
                if has_kind && random.chance(2) {
                    let field = *random.pick(&["kind", "apiVersion"]);
                    case.new[field] = "other/v1".into();
                }
                case
            })
            .collect();
        Self {
            definition,
            cases,
            preserves: random.chance(4),
        }
    }
}

impl Case {
    pub(crate) fn random(random: &mut Random, schema: &Value, status: bool) -> Self {
        let op = if status {
            random.weighted(&[(3, Op::Create), (5, Op::Update), (4, Op::Status)])
        } else {
            random.weighted(&[(3, Op::Create), (7, Op::Update)])
        };
        let wrong = *random.pick(&[0, 0, 3, 8, 20]);
        let mut old = Generator::new(random, wrong).value(schema);
        if !old.is_object() {
            old = json!({});
        }
        if op == Op::Create {
            complete(&mut old);
            return Self {
                op,
                old: Value::Null,
                new: old,
            };
        }
        let mut new = old.clone();
        let wrong = *random.pick(&[0, 10, 30]);
        for _ in 0..random.weighted(&[(2, 0), (6, 1), (4, 2), (1, 5)]) {
            let mut generator = Generator::new(random, wrong);
            let part = match op {
                Op::Status => new.get_mut("status"),
                _ => None,
            };
            match part {
                Some(part) if part.is_object() => {
                    generator.mutate(&schema["properties"]["status"], part);
                }
                _ => generator.mutate(schema, &mut new),
            }
        }
        if !new.is_object() {
            new = json!({});
        }
        complete(&mut old);
        complete(&mut new);
        if random.chance(6) {
            metadata(random, &mut old, &mut new);
        }
        Self { op, old, new }
    }
}

/// Adds the fields that every object on a server has, if they are missing.
pub(crate) fn complete(object: &mut Value) {
    let constants = [
        ("apiVersion", json!(format!("{GROUP}/{VERSION}"))),
        ("kind", json!(KIND)),
        (
            "metadata",
            json!({"name": "mycrdinstance", "namespace": "default", "resourceVersion": "7", "uid": "abc", "generation": 1}),
        ),
    ];
    for (key, value) in constants {
        object[key] = value;
    }
}

/// Returns a random CRD with a schema.
fn crd_of(random: &mut Random, schema: &Value, status: bool) -> Value {
    let version = |name: &str, schema: &Value, subresources: &Value| {
        json!({
            "name": name,
            "served": true,
            "storage": name == VERSION,
            "schema": {"openAPIV3Schema": schema},
            "subresources": subresources,
        })
    };
    let mut subresources = json!({});
    if status {
        subresources["status"] = json!({});
    }
    if random.chance(25) {
        subresources["scale"] =
            json!({"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.b"});
        if random.chance(50) {
            subresources["scale"]["labelSelectorPath"] = ".status.c".into();
        }
    }
    let mut crd = plain_crd_of(schema, status);
    let mut versions = vec![version(VERSION, schema, &subresources)];
    // A server reports errors at other paths if all versions have the same schema, so some CRDs
    // have a second version with the same schema.
    if random.chance(40) {
        let other = if random.chance(50) {
            schema.clone()
        } else {
            json!({"type": "object"})
        };
        versions.push(version("v1", &other, &subresources));
    }
    crd["spec"]["versions"] = versions.into();
    crd
}

/// Returns a CRD with a schema and only the required fields.
fn plain_crd_of(schema: &Value, status: bool) -> Value {
    let mut subresources = json!({});
    if status {
        subresources["status"] = json!({});
    }
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("mycoolcrds.{GROUP}")},
        "spec": {
            "group": GROUP,
            "names": {"kind": KIND, "plural": "mycoolcrds"},
            "scope": "Namespaced",
            "versions": [{
                "name": VERSION,
                "served": true,
                "storage": true,
                "schema": {"openAPIV3Schema": schema},
                "subresources": subresources,
            }],
        },
    })
}

/// Changes a field of the metadata to a valid or an invalid value.
fn metadata(random: &mut Random, old: &mut Value, new: &mut Value) {
    match random.below(6) {
        0 => new["metadata"]["labels"] = json!({"a": "b"}),
        1 => new["metadata"]["labels"] = json!({"a": "not ok!"}),
        2 => {
            old["metadata"]["annotations"] = json!({"Bad Key": ""});
            new["metadata"]["annotations"] = json!({"Bad Key": ""});
        }
        3 => new["metadata"]["name"] = json!("other"),
        4 => new["metadata"]["finalizers"] = json!(["x"]),
        _ => new["metadata"]["zz"] = json!(1),
    }
}

/// Changes a schema so that one part is invalid.
fn break_schema(random: &mut Random, schema: &mut Value) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut)
        && !properties.is_empty()
        && random.chance(80)
    {
        let names: Vec<String> = properties.keys().cloned().collect();
        if let Some(inner) = properties.get_mut(random.pick(&names)) {
            return break_schema(random, inner);
        }
    }
    if schema.get("items").is_some_and(Value::is_object) && random.chance(60) {
        return break_schema(random, &mut schema["items"]);
    }
    let mistakes = [
        ("type", Value::Null),
        ("type", json!("text")),
        ("type", json!("array")),
        ("nullable", json!(true)),
        ("additionalProperties", json!({"type": "string"})),
        ("uniqueItems", json!(true)),
        ("pattern", json!("(")),
        ("x-kubernetes-list-type", json!("map")),
        ("x-kubernetes-list-type", json!("odd")),
        ("x-kubernetes-list-map-keys", json!(["k", "k"])),
        ("x-kubernetes-map-type", json!("odd")),
        ("x-kubernetes-int-or-string", json!(true)),
        ("x-kubernetes-preserve-unknown-fields", json!(false)),
        ("x-kubernetes-embedded-resource", json!(true)),
        ("allOf", json!([{"type": "string"}])),
        (
            "anyOf",
            json!([{"nullable": true}, {"default": 1}, {"title": "x"}]),
        ),
        (
            "oneOf",
            json!([{"properties": {"nowhere": {"minLength": 1}}}, {"required": ["nowhere"]}]),
        ),
        (
            "not",
            json!({"x-kubernetes-validations": [{"rule": "true"}]}),
        ),
        (
            "not",
            json!({"items": {"minimum": 1}, "additionalProperties": true}),
        ),
        ("default", json!({"zz": 1})),
        ("default", json!(5)),
        ("patternProperties", json!({"a": {"type": "string"}})),
        ("definitions", json!({"a": {"type": "string"}})),
        ("dependencies", json!({"a": ["b"]})),
        ("id", json!("x")),
        ("minLength", json!(-1)),
        ("x-kubernetes-validations", json!([rules::broken(random)])),
        ("x-kubernetes-validations", json!([rules::broken(random)])),
    ];
    let (keyword, value) = random.pick(&mistakes).clone();
    if let Some(schema) = schema.as_object_mut() {
        if value.is_null() {
            schema.remove(keyword);
        } else {
            schema.insert(keyword.into(), value);
        }
    }
}
