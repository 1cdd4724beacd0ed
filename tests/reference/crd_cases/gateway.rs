//! Random changes of real objects of the Gateway API.

use serde_json::{Value, json};

use crate::case::{Batch, Case, Definition, Op};
use crate::object::Generator;
use union_random::Random;

/// Real CRDs, each with its objects.
pub(crate) struct Gateway {
    kinds: Vec<Kind>,
}

struct Kind {
    definition: Definition,
    schema: Value,
    objects: Vec<Value>,
}

impl Gateway {
    /// Reads JSON lines with CRDs and objects, in any order.
    pub(crate) fn read(documents: &str, with_rules: bool) -> Result<Self, serde_json::Error> {
        let mut documents: Vec<Value> = documents
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?;
        if !with_rules {
            documents.iter_mut().for_each(strip_rules);
        }
        let mut kinds = Vec::new();
        for crd in documents
            .iter()
            .filter(|document| document["kind"] == "CustomResourceDefinition")
        {
            let spec = &crd["spec"];
            for version in spec["versions"].as_array().into_iter().flatten() {
                let (Some(group), Some(name)) = (spec["group"].as_str(), version["name"].as_str())
                else {
                    continue;
                };
                let api_version = format!("{group}/{name}");
                let of_kind = |object: &&Value| {
                    object["kind"] == spec["names"]["kind"] && object["apiVersion"] == api_version
                };
                let objects: Vec<Value> = documents
                    .iter()
                    .filter(of_kind)
                    .map(|object| complete(object, spec))
                    .collect();
                if !objects.is_empty() {
                    let definition = Definition::Crd {
                        crd: crd.clone(),
                        version: name.into(),
                    };
                    let schema = version["schema"]["openAPIV3Schema"].clone();
                    kinds.push(Kind {
                        definition,
                        schema,
                        objects,
                    });
                }
            }
        }
        Ok(Self { kinds })
    }

    /// Returns a batch for each kind, with `count` cases in all. The number of cases of a kind is
    /// proportional to the number of its objects.
    pub(crate) fn batches(&self, random: &mut Random, count: usize) -> Vec<Batch> {
        let objects: usize = self.kinds.iter().map(|kind| kind.objects.len()).sum();
        let batch = |kind: &Kind| {
            let count = count * kind.objects.len() / objects;
            let cases = (0..count).map(|_| kind.case(random)).collect();
            Batch {
                definition: kind.definition.clone(),
                cases,
                preserves: false,
            }
        };
        self.kinds.iter().map(batch).collect()
    }
}

/// Removes the CEL rules from a CRD.
fn strip_rules(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.remove("x-kubernetes-validations");
            object.values_mut().for_each(strip_rules);
        }
        Value::Array(items) => items.iter_mut().for_each(strip_rules),
        _ => {}
    }
}

/// Returns the object with the fields that a client or a server adds to every object.
fn complete(object: &Value, spec: &Value) -> Value {
    let mut object = object.clone();
    let metadata = &mut object["metadata"];
    if spec["scope"] == "Namespaced" {
        metadata["namespace"] = "default".into();
    }
    for (name, value) in [
        ("resourceVersion", json!("7")),
        ("uid", json!("abc")),
        ("generation", json!(1)),
    ] {
        metadata[name] = value;
    }
    object
}

impl Kind {
    fn case(&self, random: &mut Random) -> Case {
        let op = random.weighted(&[(3, Op::Create), (6, Op::Update), (2, Op::Status)]);
        let mut old = random.pick(&self.objects).clone();
        let status = &self.schema["properties"]["status"];
        if random.chance(50) && status.is_object() {
            old["status"] = Generator::new(random, 3).value(status);
        }
        // The old object may become invalid, so that the update tolerates errors.
        for _ in 0..random.weighted(&[(3, 0), (4, 1), (2, 3)]) {
            self.mutate(random, "spec", &mut old);
        }
        if op == Op::Create {
            return Case {
                op,
                old: Value::Null,
                new: old,
            };
        }
        let mut new = old.clone();
        let part = if op == Op::Status { "status" } else { "spec" };
        for _ in 0..random.weighted(&[(2, 0), (5, 1), (3, 2), (1, 4)]) {
            self.mutate(random, part, &mut new);
        }
        if random.chance(20) {
            new["metadata"]["labels"] = json!({"changed": "yes"});
        }
        Case { op, old, new }
    }

    fn mutate(&self, random: &mut Random, part: &str, object: &mut Value) {
        let wrong = *random.pick(&[0, 10, 30]);
        let mut generator = Generator::new(random, wrong);
        let schema = &self.schema["properties"][part];
        match object.get_mut(part) {
            Some(value) => generator.mutate(schema, value),
            None if schema.is_object() => object[part] = generator.value(schema),
            None => {}
        }
    }
}
