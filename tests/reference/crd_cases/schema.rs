//! Random structural schemas, most of which pass the server's lint.

use serde_json::{Map, Value, json};

use crate::object::Generator;
use crate::rules;
use union_random::Random;

pub(crate) type Object = Map<String, Value>;

/// The names of properties. A server treats some in a special way, and CEL cannot express some.
const NAMES: [&str; 13] = [
    "a",
    "b",
    "c",
    "d",
    "e",
    "kind",
    "apiVersion",
    "x.y",
    "a-b",
    "in",
    "metadata",
    "$x",
    "größe",
];
const COMMON: usize = 5;

pub(crate) const FORMATS: [&str; 33] = [
    "byte",
    "date",
    "date-time",
    "datetime",
    "dateTime",
    "duration",
    "ipv4",
    "ip-v4",
    "IPv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "hostname",
    "uri",
    "email",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "bsonobjectid",
    "password",
    "k8s-short-name",
    "k8s-long-name",
    "int32",
    "unknown",
    "float",
];

/// Regular expressions, each with a matching string.
pub(crate) const PATTERNS: [(&str, &str); 12] = [
    ("^[a-z]+$", "abc"),
    ("b$", "ab"),
    ("^a", "a1"),
    (r"\d", "x1"),
    ("^$", ""),
    ("[[:alpha:]]", "q"),
    ("(?i)ABC", "xabcx"),
    ("^.{2,3}$", "日本"),
    (r"\bfoo\b", "a foo b"),
    (r"\p{L}", "é"),
    (r"^\w+(\.\w+)*$", "a.b"),
    (r"^[^\s]*$", "a"),
];

/// A position in a schema.
#[derive(Clone, Copy)]
struct Place {
    /// The number of levels that the schema at this position may have.
    depth: usize,
    /// True if values at the position can have an old value.
    correlates: bool,
}

pub(crate) struct Writer<'r> {
    pub(crate) random: &'r mut Random,
    /// True if schemas have CEL rules.
    pub(crate) with_rules: bool,
}

impl Writer<'_> {
    /// Returns the schema of a custom resource.
    pub(crate) fn root(&mut self, status_subresource: bool) -> Value {
        let mut properties = Object::new();
        let place = Place {
            depth: 3,
            correlates: true,
        };
        properties.insert("spec".into(), self.object(place).into());
        if status_subresource || self.random.chance(30) {
            let status = if self.random.chance(85) {
                self.object(place).into()
            } else {
                self.any(place)
            };
            properties.insert("status".into(), status);
        }
        if self.random.chance(30) {
            properties.insert("z".into(), self.any(place));
        }
        if self.with_rules && self.random.below(1000) < 3 {
            for number in 0..*self.random.pick(&[1, 1, 12]) {
                properties.insert(format!("h{number}"), rules::costly(self.random));
            }
        }
        if self.random.chance(20) {
            properties.insert("apiVersion".into(), json!({"type": "string"}));
            properties.insert("kind".into(), json!({"type": "string"}));
            properties.insert("metadata".into(), json!({"type": "object"}));
        } else if self.random.chance(5) {
            let name = json!({"type": "string", "maxLength": 5});
            properties.insert(
                "metadata".into(),
                json!({"type": "object", "properties": {"name": name}}),
            );
        }
        let mut root = Object::from_iter([
            ("type".into(), "object".into()),
            ("properties".into(), properties.into()),
        ]);
        if self.random.chance(15) {
            self.require(&mut root);
        }
        if !status_subresource && self.random.chance(12) {
            self.combine(&mut root, 2);
        }
        if !status_subresource && self.random.chance(5) {
            root.insert("maxProperties".into(), self.random.below(7).into());
        }
        if self.random.chance(4) {
            root.insert("x-kubernetes-preserve-unknown-fields".into(), true.into());
        }
        if self.with_rules && self.random.chance(20) {
            rules::add(self.random, &mut root, true);
        }
        root.into()
    }

    /// Returns a schema of any type.
    fn any(&mut self, place: Place) -> Value {
        type Make<'r> = fn(&mut Writer<'r>, Place) -> Object;
        let scalars: [(usize, Make<'_>); 6] = [
            (9, |writer, _| writer.scalar("string")),
            (6, |writer, _| writer.scalar("integer")),
            (4, |writer, _| writer.scalar("number")),
            (2, |writer, _| writer.scalar("boolean")),
            (2, |writer, _| writer.int_or_string()),
            (1, |writer, _| writer.preserving()),
        ];
        let deep: [(usize, Make<'_>); 4] = [
            (7, Self::object),
            (4, Self::map),
            (8, Self::array),
            (2, Self::embedded),
        ];
        let make = if place.depth > 0 && self.random.chance(50) {
            self.random.weighted(&deep)
        } else {
            self.random.weighted(&scalars)
        };
        let mut schema = make(self, place);
        if self.random.chance(10) {
            schema.insert("nullable".into(), true.into());
        }
        self.finish(&mut schema, place);
        schema.into()
    }

    /// Adds combinators, rules and a default.
    fn finish(&mut self, schema: &mut Object, place: Place) {
        if self.random.chance(14) {
            self.combine(schema, 2);
        }
        if self.with_rules && self.random.chance(22) {
            rules::add(self.random, schema, place.correlates);
        }
        if self.random.chance(3) {
            let value = Generator::new(self.random, 5).value(&schema.clone().into());
            schema.insert("enum".into(), json!([value, "A", 1]));
        }
        if self.random.chance(12) {
            self.default(schema);
        }
        if self.random.chance(2) {
            schema.insert("description".into(), "a description".into());
        }
    }

    fn default(&mut self, schema: &mut Object) {
        // A random default would often violate these keywords.
        let hard = [
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "x-kubernetes-validations",
            "x-kubernetes-embedded-resource",
        ];
        if hard.iter().any(|keyword| schema.contains_key(*keyword)) && self.random.chance(90) {
            return;
        }
        let mut value = Generator::new(self.random, 0).value(&schema.clone().into());
        if value.is_null() {
            return;
        }
        let empty = ["required", "minProperties", "minItems", "enum"];
        if !empty.iter().any(|keyword| schema.contains_key(*keyword)) && self.random.chance(60) {
            match &mut value {
                Value::Object(object) => object.clear(),
                Value::Array(items) => items.clear(),
                _ => {}
            }
        }
        schema.insert("default".into(), value);
    }

    fn scalar(&mut self, kind: &str) -> Object {
        let mut schema = Object::from_iter([("type".into(), kind.into())]);
        if self.random.chance(75) {
            self.limit(&mut schema, kind);
        }
        if kind == "string" && self.bounded(70) && !schema.contains_key("maxLength") {
            schema.insert("maxLength".into(), (3 + self.random.below(20)).into());
        }
        schema
    }

    /// Returns true if a length gets a limit. Without a limit, most rules exceed the server's cost
    /// limit.
    fn bounded(&mut self, percent: usize) -> bool {
        let percent = if self.with_rules { 98 } else { percent };
        self.random.chance(percent)
    }

    /// Adds one to two keywords that limit values of a type.
    fn limit(&mut self, schema: &mut Object, kind: &str) {
        for _ in 0..=self.random.below(2) {
            let (keyword, value) = self.keyword(kind);
            schema.insert(keyword.into(), value);
        }
        // An exclusive bound is invalid without the bound.
        for (bound, exclusive) in [
            ("minimum", "exclusiveMinimum"),
            ("maximum", "exclusiveMaximum"),
        ] {
            if schema.contains_key(bound) && self.random.chance(25) {
                schema.insert(exclusive.into(), true.into());
            }
        }
    }

    fn keyword(&mut self, kind: &str) -> (&'static str, Value) {
        let small = self.random.below(5);
        match kind {
            "string" => match self.random.below(7) {
                0 => ("minLength", small.into()),
                1 => ("maxLength", (1 + small).into()),
                2 | 3 => ("pattern", self.random.pick(&PATTERNS).0.into()),
                4 | 5 => ("format", (*self.random.pick(&FORMATS)).into()),
                _ => ("enum", self.values(&["A", "B", "abc", "1", ""])),
            },
            "integer" => match self.random.below(6) {
                0 => ("minimum", small.into()),
                1 => ("maximum", (2 + small).into()),
                2 => ("multipleOf", (1 + small).into()),
                3 => (
                    "format",
                    (*self.random.pick(&["int32", "int64", "int32", "date"])).into(),
                ),
                4 => ("enum", self.values(&[1, 2, 3, 5, -1])),
                _ => (
                    *self.random.pick(&["minimum", "maximum", "multipleOf"]),
                    self.bound(),
                ),
            },
            "number" => match self.random.below(6) {
                0 | 1 => ("minimum", self.bound()),
                2 | 3 => ("maximum", self.bound()),
                4 => (
                    "multipleOf",
                    self.random
                        .pick(&[json!(0.5), json!(0.1), json!(2), json!(1.5), json!(0.01)])
                        .clone(),
                ),
                _ => match self.random.below(2) {
                    0 => (
                        "format",
                        (*self.random.pick(&["float", "double", "int32"])).into(),
                    ),
                    _ => (
                        "enum",
                        self.values(&[json!(1), json!(1.5), json!(2.0), json!(-3)]),
                    ),
                },
            },
            "boolean" => ("enum", self.values(&[true, false])),
            "array" => match self.random.below(4) {
                0 => ("minItems", small.into()),
                _ => ("maxItems", (1 + small).into()),
            },
            _ => match self.random.below(3) {
                0 => ("minProperties", small.into()),
                _ => ("maxProperties", small.into()),
            },
        }
    }

    fn bound(&mut self) -> Value {
        let bounds = [
            json!(0),
            json!(1.5),
            json!(2.5),
            json!(-1),
            json!(3),
            json!(2.0),
            json!(1e6),
            json!(1_234_567.5),
            json!(1e21),
            json!(i64::MAX),
            json!(1e-7),
        ];
        self.random.pick(&bounds).clone()
    }

    fn values<T: Clone + Into<Value>>(&mut self, from: &[T]) -> Value {
        let mut values: Vec<Value> = self
            .random
            .subset(from, 50)
            .into_iter()
            .cloned()
            .map(Into::into)
            .collect();
        if values.is_empty() {
            values.push(from[0].clone().into());
        }
        values.into()
    }

    fn int_or_string(&mut self) -> Object {
        let mut schema = Object::from_iter([("x-kubernetes-int-or-string".into(), true.into())]);
        if self.with_rules {
            schema.insert("maxLength".into(), 20.into());
        }
        let either = json!([{"type": "integer"}, {"type": "string"}]);
        match self.random.below(4) {
            0 => drop(schema.insert("anyOf".into(), either)),
            1 => drop(schema.insert("allOf".into(), json!([{"anyOf": either}]))),
            _ => {}
        }
        if self.random.chance(40) {
            let kind = *self.random.pick(&["integer", "string"]);
            self.limit(&mut schema, kind);
        }
        schema
    }

    fn preserving(&mut self) -> Object {
        let mut schema =
            Object::from_iter([("x-kubernetes-preserve-unknown-fields".into(), true.into())]);
        if self.random.chance(60) {
            schema.insert("type".into(), "object".into());
        }
        schema
    }

    fn name(&mut self) -> &'static str {
        if self.random.chance(88) {
            NAMES[self.random.below(COMMON)]
        } else {
            NAMES[COMMON + self.random.below(NAMES.len() - COMMON)]
        }
    }

    fn object(&mut self, place: Place) -> Object {
        let mut schema = Object::from_iter([("type".into(), "object".into())]);
        let below = Place {
            depth: place.depth.saturating_sub(1),
            ..place
        };
        let mut properties = Object::new();
        for _ in 0..=self.random.below(4) {
            properties.insert(self.name().into(), self.any(below));
        }
        schema.insert("properties".into(), properties.into());
        if self.random.chance(45) {
            self.require(&mut schema);
        }
        if self.random.chance(10) {
            self.limit(&mut schema, "object");
        }
        if self.random.chance(8) {
            schema.insert("x-kubernetes-preserve-unknown-fields".into(), true.into());
        }
        if self.random.chance(8) {
            let kind = *self.random.pick(&["atomic", "granular"]);
            schema.insert("x-kubernetes-map-type".into(), kind.into());
        }
        if self.random.chance(2) {
            schema.insert("additionalProperties".into(), true.into());
        }
        // `any` adds combinators and rules to other schemas, but the schemas of spec and status (at
        // depth 3) are not generated by `any`.
        if place.depth == 3 {
            self.finish(&mut schema, place);
        }
        schema
    }

    fn require(&mut self, schema: &mut Object) {
        let mut required: Vec<Value> = names(schema)
            .into_iter()
            .filter(|_| self.random.chance(40))
            .map(Value::from)
            .collect();
        if required.is_empty() || self.random.chance(3) {
            required.push(self.name().into());
        }
        schema.insert("required".into(), required.into());
    }

    fn map(&mut self, place: Place) -> Object {
        let values = match self.random.below(12) {
            0 => true.into(),
            1 => false.into(),
            _ => self.any(Place {
                depth: place.depth - 1,
                ..place
            }),
        };
        let mut schema = Object::from_iter([
            ("type".into(), "object".into()),
            ("additionalProperties".into(), values),
        ]);
        if self.bounded(60) {
            schema.insert("maxProperties".into(), (1 + self.random.below(5)).into());
        }
        if self.random.chance(10) {
            schema.insert("minProperties".into(), self.random.below(3).into());
        }
        if self.random.chance(8) {
            schema.insert(
                "x-kubernetes-map-type".into(),
                (*self.random.pick(&["atomic", "granular"])).into(),
            );
        }
        schema
    }

    fn array(&mut self, place: Place) -> Object {
        let list_type = self
            .random
            .weighted(&[(3, ""), (2, "atomic"), (4, "set"), (7, "map")]);
        let below = Place {
            depth: place.depth - 1,
            correlates: place.correlates && list_type == "map",
        };
        let items = match list_type {
            "set" => self.set_item(below),
            "map" => {
                let (items, keys) = self.map_item(below);
                let mut schema = self.list(items, list_type);
                schema.insert("x-kubernetes-list-map-keys".into(), keys);
                return schema;
            }
            _ => self.any(below),
        };
        self.list(items, list_type)
    }

    fn list(&mut self, items: Value, list_type: &str) -> Object {
        let mut schema =
            Object::from_iter([("type".into(), "array".into()), ("items".into(), items)]);
        if !list_type.is_empty() {
            schema.insert("x-kubernetes-list-type".into(), list_type.into());
        }
        if self.bounded(65) {
            schema.insert("maxItems".into(), (1 + self.random.below(5)).into());
        }
        if self.random.chance(12) {
            schema.insert("minItems".into(), self.random.below(3).into());
        }
        schema
    }

    fn set_item(&mut self, place: Place) -> Value {
        let mut items = if self.random.chance(75) || place.depth == 0 {
            let kind = *self.random.pick(&["string", "string", "integer", "number"]);
            self.scalar(kind)
        } else if self.random.chance(70) {
            let mut items = self.object(place);
            items.insert("x-kubernetes-map-type".into(), "atomic".into());
            items
        } else {
            let items = self.any(Place { depth: 0, ..place });
            self.list(items, "atomic")
        };
        if self.with_rules && self.random.chance(15) {
            rules::add(self.random, &mut items, false);
        }
        items.into()
    }

    /// Returns the item schema of a list of type map, and the keys of the list.
    fn map_item(&mut self, place: Place) -> (Value, Value) {
        let mut items = self.object(Place {
            depth: place.depth.max(1),
            ..place
        });
        items.remove("required");
        let mut required = Vec::new();
        let mut keys = vec!["k"];
        if self.random.chance(30) {
            keys.push("p");
        }
        for (i, key) in keys.iter().enumerate() {
            let kind = if i == 0 {
                *self.random.pick(&["string", "string", "integer", "number"])
            } else {
                *self.random.pick(&["integer", "string", "boolean"])
            };
            let mut schema = Object::from_iter([("type".into(), kind.into())]);
            if kind == "string" {
                schema.insert("maxLength".into(), 10.into());
            }
            if self.random.chance(30) {
                let default = match kind {
                    "string" => json!("x"),
                    "boolean" => json!(true),
                    _ => json!(1),
                };
                schema.insert("default".into(), default);
            } else {
                required.push(Value::from(*key));
            }
            if let Some(Value::Object(properties)) = items.get_mut("properties") {
                properties.insert((*key).into(), schema.into());
            }
        }
        for name in names(&items) {
            if !keys.contains(&name.as_str()) && self.random.chance(25) {
                required.push(name.into());
            }
        }
        if !required.is_empty() {
            items.insert("required".into(), required.into());
        }
        if self.random.chance(15) {
            self.combine(&mut items, 1);
        }
        if self.with_rules && self.random.chance(30) {
            rules::add(self.random, &mut items, place.correlates);
        }
        (items.into(), keys.into())
    }

    fn embedded(&mut self, place: Place) -> Object {
        let mut schema = self.object(Place {
            depth: place.depth - 1,
            ..place
        });
        schema.insert("x-kubernetes-embedded-resource".into(), true.into());
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            // A server has special requirements for these fields of an embedded resource.
            for name in ["apiVersion", "kind", "metadata"] {
                properties.remove(name);
            }
            if self.random.chance(20) {
                properties.insert("kind".into(), json!({"type": "string", "maxLength": 3}));
            }
            if self.random.chance(20) {
                properties.insert("metadata".into(), json!({"type": "object"}));
            }
        }
        if self.random.chance(40) {
            schema.insert("x-kubernetes-preserve-unknown-fields".into(), true.into());
        }
        schema
    }

    /// Adds one or two combinators to a schema.
    fn combine(&mut self, schema: &mut Object, depth: usize) {
        if self.random.chance(12) {
            self.add_int_or_string_combinators(schema);
            return;
        }
        let about = schema.clone();
        for _ in 0..=usize::from(self.random.chance(20)) {
            let keyword = *self
                .random
                .pick(&["allOf", "anyOf", "oneOf", "not", "anyOf", "oneOf"]);
            if schema.contains_key(keyword) {
                continue;
            }
            let value = if keyword == "not" {
                self.branch(&about, depth)
            } else {
                (0..=self.random.below(3))
                    .map(|_| self.branch(&about, depth))
                    .collect()
            };
            schema.insert(keyword.into(), value);
        }
    }

    /// Adds combinators that are similar to the two combinators of `x-kubernetes-int-or-string`.
    /// Only in these two, a branch may have a type.
    fn add_int_or_string_combinators(&mut self, schema: &mut Object) {
        let mut branches = vec![json!({"type": "integer"}), json!({"type": "string"})];
        match self.random.below(6) {
            0 => branches.reverse(),
            1 => branches.push(json!({"type": "boolean"})),
            2 | 3 => {
                let (keyword, value) = self.random.pick(&ADDED_TO_TYPE);
                let value = serde_json::from_str(value).expect("JSON");
                branches[self.random.below(2)][keyword] = value;
            }
            _ => {}
        }
        let either = Value::from(branches);
        let (keyword, value) = match self.random.below(8) {
            0..=2 => ("anyOf", either),
            3 => ("allOf", json!([{"anyOf": either}])),
            4 => ("allOf", json!([{"anyOf": either}, {"anyOf": either}])),
            5 => ("allOf", json!([{"anyOf": either, "title": "Either"}])),
            6 => ("allOf", json!([{"allOf": [{"anyOf": either}]}])),
            _ => ("oneOf", either),
        };
        schema.entry(keyword).or_insert(value);
    }

    /// Returns a branch of a combinator, with keywords that fit the values of the schema `about`.
    fn branch(&mut self, about: &Object, depth: usize) -> Value {
        let mut branch = Object::new();
        for _ in 0..=usize::from(self.random.chance(30)) {
            self.assert(&mut branch, about, depth);
        }
        branch.into()
    }

    /// Adds a keyword to a branch, or a combinator inside the branch.
    fn assert(&mut self, branch: &mut Object, about: &Object, depth: usize) {
        if depth > 0 && self.random.chance(15) {
            self.combine_in(branch, about, depth - 1);
            return;
        }
        let kind = about
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or("string");
        let names = names(about);
        match kind {
            "object" if !names.is_empty() && self.random.chance(80) => {
                let name = self.random.pick(&names).clone();
                if self.random.chance(55) {
                    branch.insert("required".into(), json!([name]));
                    return;
                }
                let about = about["properties"][&name]
                    .as_object()
                    .cloned()
                    .unwrap_or_default();
                let inner = self.branch(&about, depth.saturating_sub(1));
                branch.insert("properties".into(), json!({ name: inner }));
            }
            "array" if self.random.chance(50) => {
                let about = about
                    .get("items")
                    .and_then(Value::as_object)
                    .cloned()
                    .unwrap_or_default();
                let inner = self.branch(&about, depth.saturating_sub(1));
                branch.insert("items".into(), inner);
            }
            "object" if about.contains_key("additionalProperties") && self.random.chance(40) => {
                branch.insert(
                    "required".into(),
                    json!([*self.random.pick(&crate::object::KEYS)]),
                );
            }
            _ if self.random.chance(6) => {
                let other = *self
                    .random
                    .pick(&["string", "integer", "number", "array", "object"]);
                self.limit(branch, other);
            }
            _ => self.limit(branch, kind),
        }
    }

    /// Adds a combinator to a branch.
    fn combine_in(&mut self, branch: &mut Object, about: &Object, depth: usize) {
        let keyword = *self.random.pick(&["allOf", "anyOf", "oneOf", "not"]);
        let value = if keyword == "not" {
            self.branch(about, depth)
        } else {
            (0..=self.random.below(2))
                .map(|_| self.branch(about, depth))
                .collect()
        };
        branch.insert(keyword.into(), value);
    }
}

/// Keywords and their values, which are added to a branch that has only a type. A server drops some
/// of these values before validation.
const ADDED_TO_TYPE: [(&str, &str); 28] = [
    ("$ref", r#""""#),
    ("$schema", r#""""#),
    ("additionalProperties", "false"),
    ("allOf", "[]"),
    ("anyOf", "[]"),
    ("default", "null"),
    ("definitions", "{}"),
    ("dependencies", "{}"),
    ("description", r#""""#),
    ("enum", "[]"),
    ("exclusiveMaximum", "false"),
    ("externalDocs", "{}"),
    ("format", r#""""#),
    ("items", "null"),
    ("maximum", "0"),
    ("minLength", "0"),
    ("not", "{}"),
    ("nullable", "false"),
    ("oneOf", "[]"),
    ("patternProperties", "{}"),
    ("properties", "{}"),
    ("required", "[]"),
    ("title", r#""""#),
    ("x-kubernetes-int-or-string", "false"),
    ("x-kubernetes-list-map-keys", "[]"),
    ("x-kubernetes-list-type", r#""""#),
    ("x-kubernetes-map-type", r#""""#),
    ("x-kubernetes-validations", "[]"),
];

/// Returns the names of a schema's properties.
pub(crate) fn names(schema: &Object) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}
