//! Random schemas, each with an old and a new object, with everything that correlation depends on.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use union_random::Random;

/// Names that a reader of paths may mistake for a number, for several names, or for an empty name.
pub(crate) const NAMES: [&str; 16] = [
    "a", "b", "c", "a.b", "007", "7", "+7", "-1", "a]b", "x[0]", "", "0", "ü", "[a]", "a.b[0]", "]",
];

/// A schema, and an old and a new object of that schema.
pub(crate) struct SchemaWithObjects {
    pub(crate) schema: Value,
    pub(crate) old: Value,
    pub(crate) new: Value,
}

/// The number of generated schemas, names and edits of each kind.
#[derive(Default)]
pub(crate) struct Counts(BTreeMap<&'static str, usize>);

/// All kinds that the generator counts.
const KINDS: [&str; 42] = [
    "schema: integer",
    "schema: string",
    "schema: object",
    "schema: map",
    "schema: atomic list",
    "schema: set",
    "schema: list with one key",
    "schema: list with two keys",
    "schema: open object",
    "schema: four levels deep",
    "keyword: minimum",
    "keyword: maximum",
    "keyword: enum",
    "keyword: multipleOf",
    "keyword: allOf",
    "keyword: anyOf",
    "keyword: oneOf",
    "keyword: not",
    "keyword: minLength",
    "keyword: maxLength",
    "keyword: pattern",
    "keyword: required",
    "keyword: minProperties",
    "keyword: maxProperties",
    "keyword: minItems",
    "keyword: maxItems",
    "name: empty",
    "name: digits",
    "name: sign",
    "name: dot",
    "name: bracket",
    "name: not ASCII",
    "value: of another type",
    "value: unknown field",
    "old list: two elements of one key",
    "edit: nothing",
    "edit: value made anew",
    "edit: field left out",
    "edit: field added",
    "edit: elements in another order",
    "edit: element left out",
    "edit: element added",
];

impl Counts {
    fn add(&mut self, kind: &'static str) {
        debug_assert!(KINDS.contains(&kind), "{kind}");
        *self.0.entry(kind).or_default() += 1;
    }

    /// Fails if a kind was never generated.
    #[track_caller]
    pub(crate) fn assert_complete(&self) {
        let missing: Vec<_> = KINDS
            .iter()
            .filter(|kind| !self.0.contains_key(*kind))
            .collect();
        assert!(missing.is_empty(), "never made: {missing:?}");
    }
}

impl SchemaWithObjects {
    /// Returns a random schema with an old and a new object, which have the fields of all
    /// Kubernetes objects.
    pub(crate) fn random(random: &mut Random, counts: &mut Counts) -> Self {
        let levels = 1 + random.below(4);
        let mut generator = Generator { random, counts };
        if levels == 4 {
            generator.counts.add("schema: four levels deep");
        }
        let spec = generator.schema(levels);
        let old = generator.value(&spec, true);
        let new = generator.edited(&spec, &old);
        let full_object = |spec: Value| {
            json!({
                "apiVersion": "mygroup.example.com/v1beta1",
                "kind": "MyCoolCRD",
                "metadata": {"name": "a", "namespace": "default", "resourceVersion": "7", "uid": "abc"},
                "spec": spec,
            })
        };
        Self {
            schema: json!({"type": "object", "properties": {"spec": spec}}),
            old: full_object(old),
            new: full_object(new),
        }
    }
}

struct Generator<'r> {
    random: &'r mut Random,
    counts: &'r mut Counts,
}

impl Generator<'_> {
    fn name(&mut self) -> &'static str {
        let name = if self.random.chance(40) {
            *self.random.pick(&NAMES[..3])
        } else {
            *self.random.pick(&NAMES)
        };
        for (kind, applies) in [
            ("name: empty", name.is_empty()),
            (
                "name: digits",
                name.bytes().any(|each| each.is_ascii_digit()),
            ),
            ("name: sign", name.starts_with(['+', '-'])),
            ("name: dot", name.contains('.')),
            ("name: bracket", name.contains(['[', ']'])),
            ("name: not ASCII", !name.is_ascii()),
        ] {
            if applies {
                self.counts.add(kind);
            }
        }
        name
    }

    /// Adds one of the keywords to a schema, in half of the cases.
    fn keyword(&mut self, schema: &mut Value, from: &[(&'static str, &str, Value)]) {
        if self.random.chance(50) {
            let (kind, name, value) = self.random.pick(from).clone();
            self.counts.add(kind);
            schema[name] = value;
        }
    }

    fn schema(&mut self, levels: usize) -> Value {
        match self.random.below(if levels == 0 { 2 } else { 9 }) {
            0 => self.integer(),
            1 => self.string(),
            2 | 3 => {
                self.counts.add("schema: object");
                self.object(levels - 1, &[])
            }
            4 => {
                self.counts.add("schema: map");
                let values = self.schema(levels - 1);
                let mut schema = json!({"type": "object", "additionalProperties": values});
                self.sizes(&mut schema);
                schema
            }
            5 => {
                self.counts.add("schema: atomic list");
                let mut schema = json!({"type": "array", "items": self.schema(levels - 1)});
                if self.random.chance(30) {
                    schema["x-kubernetes-list-type"] = json!("atomic");
                }
                self.lengths(&mut schema);
                schema
            }
            6 => {
                self.counts.add("schema: set");
                let items = self.schema(0);
                let mut schema =
                    json!({"type": "array", "items": items, "x-kubernetes-list-type": "set"});
                self.lengths(&mut schema);
                schema
            }
            7 => {
                let keys = if self.random.chance(60) {
                    self.counts.add("schema: list with one key");
                    vec![self.name()]
                } else {
                    self.counts.add("schema: list with two keys");
                    let first = self.name();
                    let second = NAMES.iter().find(|name| **name != first);
                    vec![first, second.unwrap_or(&"z")]
                };
                let items = self.object(levels - 1, &keys);
                let mut schema = json!({
                    "type": "array", "items": items,
                    "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
                });
                self.lengths(&mut schema);
                schema
            }
            _ => {
                self.counts.add("schema: open object");
                let mut schema = self.object(levels - 1, &[]);
                schema["x-kubernetes-preserve-unknown-fields"] = json!(true);
                schema
            }
        }
    }

    fn integer(&mut self) -> Value {
        self.counts.add("schema: integer");
        let mut schema = json!({"type": "integer"});
        self.keyword(
            &mut schema,
            &[
                ("keyword: minimum", "minimum", json!(1)),
                ("keyword: maximum", "maximum", json!(1)),
                ("keyword: multipleOf", "multipleOf", json!(2)),
                ("keyword: enum", "enum", json!([0, 2])),
                (
                    "keyword: allOf",
                    "allOf",
                    json!([{"minimum": 1}, {"maximum": 1}]),
                ),
                ("keyword: not", "not", json!({"enum": [1]})),
            ],
        );
        schema
    }

    fn string(&mut self) -> Value {
        self.counts.add("schema: string");
        let mut schema = json!({"type": "string"});
        self.keyword(
            &mut schema,
            &[
                ("keyword: minLength", "minLength", json!(2)),
                ("keyword: maxLength", "maxLength", json!(1)),
                ("keyword: pattern", "pattern", json!("^x+$")),
                ("keyword: enum", "enum", json!(["x", "yy"])),
                (
                    "keyword: anyOf",
                    "anyOf",
                    json!([{"maxLength": 1}, {"pattern": "^y"}]),
                ),
                (
                    "keyword: oneOf",
                    "oneOf",
                    json!([{"minLength": 1}, {"pattern": "^x"}]),
                ),
            ],
        );
        schema
    }

    fn sizes(&mut self, schema: &mut Value) {
        self.keyword(
            schema,
            &[
                ("keyword: minProperties", "minProperties", json!(2)),
                ("keyword: maxProperties", "maxProperties", json!(1)),
            ],
        );
    }

    fn lengths(&mut self, schema: &mut Value) {
        self.keyword(
            schema,
            &[
                ("keyword: minItems", "minItems", json!(2)),
                ("keyword: maxItems", "maxItems", json!(1)),
            ],
        );
    }

    /// Returns an object schema with a field for each of the list's keys.
    fn object(&mut self, levels: usize, keys: &[&str]) -> Value {
        let mut properties = Map::new();
        for _ in 0..=self.random.below(3) {
            let name = self.name();
            properties.insert(name.to_owned(), self.schema(levels));
        }
        let mut required: Vec<&str> = keys.to_vec();
        for key in keys {
            // Keys have no keywords, so every key is valid.
            let of_key = *self.random.pick(&["string", "integer"]);
            properties.insert((*key).to_owned(), json!({"type": of_key}));
        }
        if self.random.chance(40) {
            let name = self.name();
            if !required.contains(&name) {
                self.counts.add("keyword: required");
                required.push(name);
                let is_new = !properties.contains_key(name);
                if is_new {
                    properties.insert(name.to_owned(), self.schema(0));
                }
            }
        }
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        if keys.is_empty() {
            self.sizes(&mut schema);
        }
        schema
    }

    /// Returns a value that is mostly valid.
    fn value(&mut self, schema: &Value, is_old: bool) -> Value {
        if self.random.chance(3) {
            self.counts.add("value: of another type");
            let others = [
                json!("x"),
                json!(7),
                json!(true),
                json!({"a": 1}),
                json!(null),
                json!(["x"]),
            ];
            // Elements of lists with keys must be objects.
            let end = if is_keyed(schema) { 5 } else { 6 };
            return self.random.pick(&others[..end]).clone();
        }
        match schema["type"].as_str() {
            Some("integer") => json!(self.random.below(3)),
            Some("string") => json!(self.random.pick(&["x", "yy", "xx", ""])),
            Some("array") => {
                let count = self.random.below(4);
                let elements = (0..count).map(|_| self.element(schema, is_old)).collect();
                let mut elements = distinct(schema, elements);
                if is_old && is_keyed(schema) && !elements.is_empty() && self.random.chance(15) {
                    self.counts.add("old list: two elements of one key");
                    let mut twin = self.element(schema, is_old);
                    for key in keys(schema) {
                        twin[key] = elements[0][key].clone();
                    }
                    let index = self.random.below(elements.len() + 1);
                    elements.insert(index, twin);
                }
                elements.into()
            }
            _ => self.fields(schema, is_old).into(),
        }
    }

    fn fields(&mut self, schema: &Value, is_old: bool) -> Map<String, Value> {
        let mut object = Map::new();
        if schema["additionalProperties"].is_object() {
            for _ in 0..self.random.below(3) {
                let name = self.name();
                object.insert(
                    name.to_owned(),
                    self.value(&schema["additionalProperties"], is_old),
                );
            }
        }
        for (name, child) in schema["properties"].as_object().into_iter().flatten() {
            if self.random.chance(75) {
                object.insert(name.clone(), self.value(child, is_old));
            }
        }
        if schema["x-kubernetes-preserve-unknown-fields"] == true && self.random.chance(40) {
            self.counts.add("value: unknown field");
            object.insert("unknown".into(), json!({"a": self.random.below(2)}));
        }
        object
    }

    /// Returns an element of a list. In a list with keys, the element is an object that has the
    /// keys.
    fn element(&mut self, schema: &Value, is_old: bool) -> Value {
        let items = &schema["items"];
        if !is_keyed(schema) {
            return self.value(items, is_old);
        }
        let mut element = self.fields(items, is_old);
        for key in keys(schema) {
            let value = match items["properties"][key]["type"].as_str() {
                Some("integer") => json!(self.random.below(4)),
                _ => json!(self.random.pick(&NAMES[..6])),
            };
            element.insert(key.to_owned(), value);
        }
        element.into()
    }

    /// Returns the old value with some changes.
    fn edited(&mut self, schema: &Value, old: &Value) -> Value {
        if self.random.chance(25) {
            self.counts.add("edit: nothing");
            return untwinned(schema, old);
        }
        if self.random.chance(10) {
            self.counts.add("edit: value made anew");
            return self.value(schema, false);
        }
        match old {
            Value::Object(object) if schema["type"] == "object" => {
                self.edited_object(schema, object).into()
            }
            Value::Array(elements) if schema["type"] == "array" => {
                self.edited_list(schema, elements).into()
            }
            _ => old.clone(),
        }
    }

    fn edited_object(&mut self, schema: &Value, old: &Map<String, Value>) -> Map<String, Value> {
        let mut object: Map<String, Value> = old
            .iter()
            .map(|(name, old)| (name.clone(), self.edited(child(schema, name), old)))
            .collect();
        match self.random.below(8) {
            0 if !object.is_empty() => {
                self.counts.add("edit: field left out");
                let index = self.random.below(object.len());
                let name = object.keys().nth(index).cloned();
                name.and_then(|name| object.remove(&name));
            }
            1 => {
                self.counts.add("edit: field added");
                object.extend(self.fields(schema, false).into_iter().take(1));
            }
            _ => {}
        }
        object
    }

    fn edited_list(&mut self, schema: &Value, old: &[Value]) -> Vec<Value> {
        let items = &schema["items"];
        let mut elements: Vec<Value> = old
            .iter()
            .map(|old| match old.as_object() {
                // The element keeps its keys.
                Some(object) if is_keyed(schema) => {
                    let mut element = self.edited_object(items, object);
                    for key in keys(schema) {
                        element.insert(key.to_owned(), old[key].clone());
                    }
                    element.into()
                }
                _ => self.edited(items, old),
            })
            .collect();
        match self.random.below(6) {
            0 => {
                self.counts.add("edit: elements in another order");
                self.random.shuffle(&mut elements);
            }
            1 if !elements.is_empty() => {
                self.counts.add("edit: element left out");
                elements.remove(self.random.below(elements.len()));
            }
            2 => {
                self.counts.add("edit: element added");
                let index = self.random.below(elements.len() + 1);
                let element = self.element(schema, false);
                elements.insert(index, element);
            }
            _ => {}
        }
        distinct(schema, elements)
    }
}

/// Returns the value without elements that repeat the keys of another element.
fn untwinned(schema: &Value, value: &Value) -> Value {
    match value {
        Value::Array(elements) => {
            let elements = elements.iter();
            let elements = elements.map(|each| untwinned(&schema["items"], each));
            distinct(schema, elements.collect()).into()
        }
        Value::Object(object) => object
            .iter()
            .map(|(name, each)| (name.clone(), untwinned(child(schema, name), each)))
            .collect(),
        scalar => scalar.clone(),
    }
}

fn child<'s>(schema: &'s Value, name: &str) -> &'s Value {
    match &schema["properties"][name] {
        Value::Null => &schema["additionalProperties"],
        child => child,
    }
}

fn is_keyed(schema: &Value) -> bool {
    schema["x-kubernetes-list-type"] == "map"
}

fn keys(schema: &Value) -> impl Iterator<Item = &str> {
    let keys = schema["x-kubernetes-list-map-keys"].as_array();
    keys.into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the elements that a server accepts: a set has no duplicates, and a list with keys has no
/// repeated keys.
fn distinct(schema: &Value, elements: Vec<Value>) -> Vec<Value> {
    let is_set = schema["x-kubernetes-list-type"] == "set";
    let mut kept: Vec<Value> = Vec::new();
    for element in elements {
        let is_twin = |other: &Value| {
            is_set && *other == element
                || is_keyed(schema) && keys(schema).all(|key| other[key] == element[key])
        };
        if !kept.iter().any(is_twin) {
            kept.push(element);
        }
    }
    kept
}
