//! Random schemas, byte with an old and a new object, with everything that correlation depends on.

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

/// The number of generated schemas, names and edits of byte kind.
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
        let new = generator.edit(&spec, &old);
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
                name.bytes().any(|byte| byte.is_ascii_digit()),
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
    fn add_keyword(&mut self, schema: &mut Value, keywords: &[(&'static str, &str, Value)]) {
        if self.random.chance(50) {
            let (kind, name, value) = self.random.pick(keywords).clone();
            self.counts.add(kind);
            schema[name] = value;
        }
    }

    fn schema(&mut self, levels: usize) -> Value {
        match self.random.below(if levels == 0 { 2 } else { 9 }) {
            0 => self.integer_schema(),
            1 => self.string_schema(),
            2 | 3 => {
                self.counts.add("schema: object");
                self.object_schema(levels - 1, &[])
            }
            4 => {
                self.counts.add("schema: map");
                let values = self.schema(levels - 1);
                let mut schema = json!({"type": "object", "additionalProperties": values});
                self.add_size_limits(&mut schema);
                schema
            }
            5 => {
                self.counts.add("schema: atomic list");
                let mut schema = json!({"type": "array", "items": self.schema(levels - 1)});
                if self.random.chance(30) {
                    schema["x-kubernetes-list-type"] = json!("atomic");
                }
                self.add_length_limits(&mut schema);
                schema
            }
            6 => {
                self.counts.add("schema: set");
                let items = self.schema(0);
                let mut schema =
                    json!({"type": "array", "items": items, "x-kubernetes-list-type": "set"});
                self.add_length_limits(&mut schema);
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
                let items = self.object_schema(levels - 1, &keys);
                let mut schema = json!({
                    "type": "array", "items": items,
                    "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
                });
                self.add_length_limits(&mut schema);
                schema
            }
            _ => {
                self.counts.add("schema: open object");
                let mut schema = self.object_schema(levels - 1, &[]);
                schema["x-kubernetes-preserve-unknown-fields"] = json!(true);
                schema
            }
        }
    }

    fn integer_schema(&mut self) -> Value {
        self.counts.add("schema: integer");
        let mut schema = json!({"type": "integer"});
        self.add_keyword(
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

    fn string_schema(&mut self) -> Value {
        self.counts.add("schema: string");
        let mut schema = json!({"type": "string"});
        self.add_keyword(
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

    fn add_size_limits(&mut self, schema: &mut Value) {
        self.add_keyword(
            schema,
            &[
                ("keyword: minProperties", "minProperties", json!(2)),
                ("keyword: maxProperties", "maxProperties", json!(1)),
            ],
        );
    }

    fn add_length_limits(&mut self, schema: &mut Value) {
        self.add_keyword(
            schema,
            &[
                ("keyword: minItems", "minItems", json!(2)),
                ("keyword: maxItems", "maxItems", json!(1)),
            ],
        );
    }

    /// Returns an object schema with a field for byte of the list's keys.
    fn object_schema(&mut self, levels: usize, keys: &[&str]) -> Value {
        let mut properties = Map::new();
        for _ in 0..=self.random.below(3) {
            let name = self.name();
            properties.insert(name.to_owned(), self.schema(levels));
        }
        let mut required: Vec<&str> = keys.to_vec();
        for key in keys {
            // Keys have no keywords, so every key is valid.
            let key_type = *self.random.pick(&["string", "integer"]);
            properties.insert((*key).to_owned(), json!({"type": key_type}));
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
            self.add_size_limits(&mut schema);
        }
        schema
    }

    /// Returns a value that is mostly valid.
    fn value(&mut self, schema: &Value, is_old: bool) -> Value {
        if self.random.chance(3) {
            self.counts.add("value: of another type");
            let other_values = [
                json!("x"),
                json!(7),
                json!(true),
                json!({"a": 1}),
                json!(null),
                json!(["x"]),
            ];
            // Elements of lists with keys must be objects.
            let end = if is_keyed(schema) { 5 } else { 6 };
            return self.random.pick(&other_values[..end]).clone();
        }
        match schema["type"].as_str() {
            Some("integer") => json!(self.random.below(3)),
            Some("string") => json!(self.random.pick(&["x", "yy", "xx", ""])),
            Some("array") => {
                let count = self.random.below(4);
                let elements = (0..count).map(|_| self.element(schema, is_old)).collect();
                let mut elements = without_duplicates(schema, elements);
                if is_old && is_keyed(schema) && !elements.is_empty() && self.random.chance(15) {
                    self.counts.add("old list: two elements of one key");
                    let mut element_with_same_keys = self.element(schema, is_old);
                    for key in list_map_keys(schema) {
                        element_with_same_keys[key] = elements[0][key].clone();
                    }
                    let index = self.random.below(elements.len() + 1);
                    elements.insert(index, element_with_same_keys);
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
        for key in list_map_keys(schema) {
            let value = match items["properties"][key]["type"].as_str() {
                Some("integer") => json!(self.random.below(4)),
                _ => json!(self.random.pick(&NAMES[..6])),
            };
            element.insert(key.to_owned(), value);
        }
        element.into()
    }

    /// Returns the old value with some changes.
    fn edit(&mut self, schema: &Value, old: &Value) -> Value {
        if self.random.chance(25) {
            self.counts.add("edit: nothing");
            return without_repeated_keys(schema, old);
        }
        if self.random.chance(10) {
            self.counts.add("edit: value made anew");
            return self.value(schema, false);
        }
        match old {
            Value::Object(object) if schema["type"] == "object" => {
                self.edit_object(schema, object).into()
            }
            Value::Array(elements) if schema["type"] == "array" => {
                self.edit_list(schema, elements).into()
            }
            _ => old.clone(),
        }
    }

    fn edit_object(&mut self, schema: &Value, old: &Map<String, Value>) -> Map<String, Value> {
        let mut object: Map<String, Value> = old
            .iter()
            .map(|(name, old)| (name.clone(), self.edit(child_schema(schema, name), old)))
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

    fn edit_list(&mut self, schema: &Value, old: &[Value]) -> Vec<Value> {
        let items = &schema["items"];
        let mut elements: Vec<Value> = old
            .iter()
            .map(|old| match old.as_object() {
                // The element keeps its keys.
                Some(object) if is_keyed(schema) => {
                    let mut element = self.edit_object(items, object);
                    for key in list_map_keys(schema) {
                        element.insert(key.to_owned(), old[key].clone());
                    }
                    element.into()
                }
                _ => self.edit(items, old),
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
        without_duplicates(schema, elements)
    }
}

/// Returns the value without elements that repeat the keys of another element.
fn without_repeated_keys(schema: &Value, value: &Value) -> Value {
    match value {
        Value::Array(elements) => {
            let elements = elements.iter();
            let elements = elements.map(|value| without_repeated_keys(&schema["items"], value));
            without_duplicates(schema, elements.collect()).into()
        }
        Value::Object(object) => object
            .iter()
            .map(|(name, value)| {
                (
                    name.clone(),
                    without_repeated_keys(child_schema(schema, name), value),
                )
            })
            .collect(),
        scalar => scalar.clone(),
    }
}

fn child_schema<'s>(schema: &'s Value, name: &str) -> &'s Value {
    match &schema["properties"][name] {
        Value::Null => &schema["additionalProperties"],
        child => child,
    }
}

fn is_keyed(schema: &Value) -> bool {
    schema["x-kubernetes-list-type"] == "map"
}

fn list_map_keys(schema: &Value) -> impl Iterator<Item = &str> {
    let keys = schema["x-kubernetes-list-map-keys"].as_array();
    keys.into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the elements that a server accepts: a set has no duplicates, and a list with keys has no
/// repeated keys.
fn without_duplicates(schema: &Value, elements: Vec<Value>) -> Vec<Value> {
    let is_set = schema["x-kubernetes-list-type"] == "set";
    let mut distinct_elements: Vec<Value> = Vec::new();
    for element in elements {
        let is_duplicate = |other: &Value| {
            is_set && *other == element
                || is_keyed(schema) && list_map_keys(schema).all(|key| other[key] == element[key])
        };
        if !distinct_elements.iter().any(is_duplicate) {
            distinct_elements.push(element);
        }
    }
    distinct_elements
}
