//! Random schemas, and a separate implementation of their patch strategies for the predicates.

use serde_json::{Map, Value, json};

use union_random::Random;

/// The prefixes of references to schemas in `OpenAPI` v3 and v2.
const V3: &str = "#/components/schemas/";
const V2: &str = "#/definitions/";

/// The source in which the reference looks up the patch strategies of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    V2,
    V3,
    /// A lookup by a Go type, which the document describes.
    Type(&'static str),
}

/// Schemas by their names, as in an `OpenAPI` v3 document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Schema {
    pub(crate) lookup: Lookup,
    pub(crate) root: &'static str,
    pub(crate) schemas: Value,
}

/// The patch strategy of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'s> {
    /// The schema of the object, or of the elements of the list.
    pub(crate) below: &'s Value,
    pub(crate) merge_key: Option<&'s str>,
    /// True if the field is a list that is merged.
    pub(crate) is_merged: bool,
    /// True if the field is an object that is replaced as a whole.
    pub(crate) is_replaced: bool,
}

impl Schema {
    /// Returns a random schema. With `with_pipes`, some strategies are joined by `|`, as in the
    /// design proposal of strategic merge patch.
    pub(crate) fn random(random: &mut Random, lookup: Lookup, with_pipes: bool) -> Self {
        let names = ["Root", "Item", "Part"];
        let mut schemas = Map::new();
        for name in names {
            let mut schema = object(random, 1, with_pipes);
            schema["properties"]["name"] = json!({"type": "string"});
            schema["properties"]["id"] = json!({"type": "integer"});
            schemas.insert(name.to_owned(), schema);
        }
        Self {
            lookup,
            root: "Root",
            schemas: schemas.into(),
        }
    }

    /// Returns the schema as a document that both sides read.
    pub(crate) fn document(&self) -> Value {
        if self.lookup == Lookup::V2 {
            let text = self.schemas.to_string().replace(V3, V2);
            let definitions: Value = serde_json::from_str(&text).expect("valid JSON");
            return json!({
                "swagger": "2.0",
                "info": {"title": "random", "version": "1"},
                "paths": {},
                "definitions": definitions,
            });
        }
        json!({"openapi": "3.0.0", "components": {"schemas": self.schemas}})
    }

    /// Returns the line by which the reference uses this schema for the next cases.
    pub(crate) fn line(&self) -> Value {
        match self.lookup {
            Lookup::V2 => json!({"use": {"v2": self.document()}}),
            Lookup::V3 => json!({"use": {"v3": self.document()}}),
            Lookup::Type(name) => json!({"use": {"type": name}}),
        }
    }

    /// Returns the schema with all strategies changed.
    pub(crate) fn with_strategies(&self, change: &dyn Fn(&str) -> String) -> Self {
        let mut schemas = self.schemas.clone();
        change_strategies(&mut schemas, change);
        Self {
            schemas,
            ..self.clone()
        }
    }

    pub(crate) fn root(&self) -> &Value {
        &self.schemas[self.root]
    }

    pub(crate) fn field<'s>(&'s self, object: &'s Value, name: &str) -> Option<Field<'s>> {
        let property = object.get("properties")?.get(name)?;
        let text = |key: &str| property.get(key).and_then(Value::as_str);
        let strategy = text("x-kubernetes-patch-strategy").unwrap_or_default();
        let words: Vec<&str> = strategy.split(',').collect();
        let has_strategy = |word: &str| {
            matches!(words.as_slice(), [only] if *only == word)
                || (words.len() == 2 && words.contains(&word) && words.contains(&"retainKeys"))
        };
        Some(Field {
            below: self.resolve(property.get("items").unwrap_or(property)),
            merge_key: text("x-kubernetes-patch-merge-key"),
            is_merged: has_strategy("merge"),
            is_replaced: has_strategy("replace"),
        })
    }

    pub(crate) fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let schema = schema.pointer("/allOf/0").unwrap_or(schema);
        let reference = schema.get("$ref").and_then(Value::as_str);
        let name = reference.and_then(|reference| reference.strip_prefix(V3));
        name.map_or(schema, |name| &self.schemas[name])
    }
}

fn change_strategies(value: &mut Value, change: &dyn Fn(&str) -> String) {
    if let Value::Object(object) = value {
        for (key, value) in object {
            match value {
                Value::String(text) if key == "x-kubernetes-patch-strategy" => {
                    *text = change(text);
                }
                value => change_strategies(value, change),
            }
        }
    }
}

fn object(random: &mut Random, depth: usize, with_pipes: bool) -> Value {
    let names = [
        "value", "other", "list", "map", "items", "set", "parts", "union", "$odd",
    ];
    let mut properties = Map::new();
    for name in random.subset(&names, 65) {
        properties.insert((*name).to_owned(), property(random, depth, with_pipes));
    }
    json!({"type": "object", "properties": properties})
}

#[derive(Clone, Copy)]
enum Kind {
    Scalar,
    Scalars,
    Objects,
    Object,
    Map,
    Nothing,
}

fn property(random: &mut Random, depth: usize, with_pipes: bool) -> Value {
    let kind = random.weighted(&[
        (3, Kind::Scalar),
        (4, Kind::Scalars),
        (6, Kind::Objects),
        (5, Kind::Object),
        (1, Kind::Map),
        (1, Kind::Nothing),
    ]);
    let scalar = |random: &mut Random| json!({"type": *random.pick(&["string", "integer"])});
    let mut property = match kind {
        Kind::Scalar => scalar(random),
        Kind::Scalars => json!({"type": "array", "items": scalar(random)}),
        Kind::Objects => json!({"type": "array", "items": below(random, depth, with_pipes)}),
        Kind::Object => below(random, depth, with_pipes),
        Kind::Map => json!({"type": "object", "additionalProperties": scalar(random)}),
        Kind::Nothing => json!({}),
    };
    let strategies: &[(usize, &str)] = match kind {
        Kind::Scalars => &[
            (8, "merge"),
            (4, ""),
            (1, "retainKeys"),
            (1, "merge,retainKeys"),
            (1, "x"),
        ],
        Kind::Objects => &[
            (8, "merge"),
            (5, "merge,retainKeys"),
            (2, "retainKeys,merge"),
            (2, ""),
            (1, "replace"),
            (1, "retainKeys"),
            (1, "x"),
        ],
        Kind::Object => &[
            (6, ""),
            (7, "retainKeys"),
            (2, "replace"),
            (1, "merge"),
            (1, "merge,retainKeys"),
            (1, "replace,retainKeys"),
            (1, "retainKeys,retainKeys"),
        ],
        Kind::Map => &[(4, ""), (1, "retainKeys"), (1, "replace")],
        Kind::Scalar | Kind::Nothing => &[(1, "")],
    };
    let bad = ["merge, retainKeys", "merge,replace", "a,b,c"];
    let mut strategy = random.weighted(strategies).to_owned();
    if random.below(200) == 0 {
        (*random.pick(&bad)).clone_into(&mut strategy);
    }
    if with_pipes && random.chance(60) {
        strategy = strategy.replace(',', "|");
    }
    if !strategy.is_empty() {
        property["x-kubernetes-patch-strategy"] = strategy.into();
    }
    // A merged list of scalars with a merge key is an error, so such lists are rare.
    let has_key = match kind {
        Kind::Objects => random.chance(99),
        Kind::Scalars => random.chance(2),
        _ => false,
    };
    if has_key {
        property["x-kubernetes-patch-merge-key"] = (*random.pick(&["name", "name", "id"])).into();
    }
    property
}

/// Returns the schema of an object in a property or in a list: an inline schema, or a reference to
/// a named schema.
fn below(random: &mut Random, depth: usize, with_pipes: bool) -> Value {
    let name = *random.pick(&["Root", "Item", "Part"]);
    match random.below(3) {
        0 if depth < 3 => {
            let mut schema = object(random, depth + 1, with_pipes);
            schema["properties"]["name"] = json!({"type": "string"});
            schema["properties"]["id"] = json!({"type": "integer"});
            schema
        }
        _ => json!({"$ref": format!("{V3}{name}")}),
    }
}
