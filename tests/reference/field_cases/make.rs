//! Generates documents of a type, without mistakes.

use serde_json::{Value, json};
use union_random::Random;

use super::names::ODD;
use super::tree::Tree;
use super::types::{GoType, Structs, Type, is_schema};

/// The maximum number of nested schemas in the schema of a CRD.
const DEPTH: usize = 3;

pub(crate) struct Generator<'m> {
    pub(crate) random: &'m mut Random,
    pub(crate) structs: &'m Structs,
    /// A struct and one of its fields. The document must contain such a struct with this field.
    pub(crate) wanted: Option<(&'m str, &'m str)>,
    /// True if an object or a list may be the value of a repeated key.
    pub(crate) repeats_objects: bool,
}

impl Generator<'_> {
    pub(crate) fn tree(&mut self, of: Type<'_>) -> Tree {
        match of {
            Type::Schema(schema, is_root) => self.by_schema(schema, is_root),
            Type::Go(of) => self.go("", of, DEPTH),
            Type::Nothing | Type::Anything => self.anything(2),
        }
    }

    /// Returns any value, with up to `depth` levels of lists and objects.
    pub(crate) fn anything(&mut self, depth: usize) -> Tree {
        match self.random.below(if depth == 0 { 4 } else { 6 }) {
            0 => scalar("x"),
            1 => scalar(self.random.below(9)),
            2 => scalar(self.random.chance(50)),
            3 => scalar(Value::Null),
            4 => {
                let count = self.random.below(3);
                Tree::List((0..count).map(|_| self.anything(depth - 1)).collect())
            }
            _ => self.object_of_anything(depth - 1),
        }
    }

    pub(crate) fn object_of_anything(&mut self, depth: usize) -> Tree {
        let names = ["width", "deep", "metadata", "kind", "a.b"];
        let some = self.random.subset(&names, 40);
        let entries = some.into_iter();
        let entries = entries.map(|name| ((*name).to_owned(), self.anything(depth)));
        Tree::Object(entries.collect())
    }

    fn by_schema(&mut self, schema: &Value, is_root: bool) -> Tree {
        let is_embedded = schema.get("x-kubernetes-embedded-resource").is_some();
        let preserves = schema.get("x-kubernetes-preserve-unknown-fields").is_some();
        if !is_root && schema.get("nullable").is_some() && self.random.chance(20) {
            return scalar(Value::Null);
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("object") => {}
            Some("array") => {
                let count = 1 + self.random.below(2);
                let items = schema.get("items").unwrap_or(&Value::Null);
                return Tree::List((0..count).map(|_| self.by_schema(items, false)).collect());
            }
            Some("integer") => return scalar(self.random.below(9)),
            Some("number") => return scalar(1.5),
            Some("boolean") => return scalar(true),
            None if preserves => return self.anything(3),
            _ => return scalar("x"),
        }
        let mut entries = Vec::new();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if (is_root || is_embedded) && ["apiVersion", "kind", "metadata"].contains(&&**name) {
                continue;
            }
            if self.random.chance(85) {
                entries.push((name.clone(), self.by_schema(property, false)));
            }
        }
        if let Some(values) = schema.get("additionalProperties") {
            for _ in 0..=self.random.below(2) {
                let value = match values {
                    Value::Object(_) => self.by_schema(values, false),
                    _ => self.anything(3),
                };
                add(&mut entries, self.key(), value);
            }
        } else if preserves && self.random.chance(60) {
            add(&mut entries, self.key(), self.anything(3));
        }
        if is_root || is_embedded {
            self.add_type_meta(&mut entries, is_root);
        }
        Tree::Object(entries)
    }

    fn key(&mut self) -> String {
        if self.random.chance(60) {
            (*self.random.pick(&ODD)).to_owned()
        } else {
            (*self.random.pick(&["north", "south", "kind", "k8s.io/x"])).to_owned()
        }
    }

    fn add_type_meta(&mut self, entries: &mut Vec<(String, Tree)>, is_root: bool) {
        let of = GoType::Struct("ObjectMeta".to_owned());
        let mut metadata = self.go("metadata", &of, 0);
        let (group, kind) = if is_root {
            (API_VERSION, KIND)
        } else {
            ("v1", "Pod")
        };
        if let Some(fields) = metadata.entries_mut() {
            fields.retain(|(name, _)| name != "name" && name != "namespace");
            fields.push(("name".to_owned(), scalar(NAME)));
            fields.push(("namespace".to_owned(), scalar("default")));
        }
        entries.push(("apiVersion".to_owned(), scalar(group)));
        entries.push(("kind".to_owned(), scalar(kind)));
        entries.push(("metadata".to_owned(), metadata));
    }

    /// Returns the value of a field of a struct.
    fn go(&mut self, name: &str, of: &GoType, depth: usize) -> Tree {
        match of {
            GoType::String => scalar(string(name)),
            GoType::Boolean => scalar(self.random.chance(50)),
            GoType::Integer => scalar(self.random.below(9)),
            GoType::Number => scalar(1.5),
            GoType::Bytes => scalar("eA=="),
            GoType::List(of) => {
                // All references would have the same owner, and a server warns of such references.
                let most = if name == "ownerReferences" { 1 } else { 2 };
                let count = 1 + self.random.below(most);
                Tree::List((0..count).map(|_| self.go(name, of, depth)).collect())
            }
            GoType::Map(of) => {
                let mut entries = Vec::new();
                for _ in 0..=self.random.below(2) {
                    let key = if matches!(**of, GoType::String) {
                        (*self.random.pick(&["a", "b.c/d"])).to_owned()
                    } else {
                        self.key()
                    };
                    add(&mut entries, key, self.go(name, of, depth));
                }
                Tree::Object(entries)
            }
            GoType::Struct(of) => self.go_struct(of, depth),
            GoType::Own(own) => self.own(own, depth),
        }
    }

    fn go_struct(&mut self, name: &str, depth: usize) -> Tree {
        let structs = self.structs;
        let is_schema = is_schema(name);
        let mut entries = Vec::new();
        for (field, of) in structs.fields(name) {
            let is_wanted = self.wanted.is_some_and(|(holder, wanted)| {
                let is_it = (name, field.as_str()) == (holder, wanted);
                // Every schema can contain schemas. Only the outermost schema must contain more
                // schemas for the sake of the wanted field.
                is_it
                    || name != holder
                        && structs.can_contain(of, holder)
                        && !(is_schema && depth < DEPTH)
            });
            let has_schemas = is_schema && structs.can_contain(of, name);
            // Metadata and schemas have many fields, so each is less likely.
            let chance = match name {
                _ if is_schema => 9,
                "ObjectMeta" => 25,
                _ => 70,
            };
            if has_schemas && depth == 0 {
                continue;
            }
            if is_wanted || self.random.chance(chance) {
                let depth = if has_schemas {
                    depth.saturating_sub(1)
                } else {
                    depth
                };
                let value = match (name, field.as_str()) {
                    ("CustomResourceDefinition", "apiVersion") => scalar("apiextensions.k8s.io/v1"),
                    ("CustomResourceDefinition", "kind") => scalar(name),
                    _ => self.go(field, of, depth),
                };
                entries.push((field.clone(), value));
            }
        }
        self.random.shuffle(&mut entries);
        Tree::Object(entries)
    }

    fn own(&mut self, name: &str, depth: usize) -> Tree {
        let structs = self.structs;
        match name {
            "JSONSchemaPropsOrArray" if self.random.chance(30) => {
                self.go("", &structs.schemas, depth)
            }
            "JSONSchemaPropsOrBool" if self.random.chance(30) => scalar(self.random.chance(50)),
            "JSONSchemaPropsOrStringArray" if self.random.chance(50) => {
                Tree::List(vec![scalar("x")])
            }
            "JSON" => self.anything(2),
            "Time" => scalar("2024-01-02T03:04:05Z"),
            "FieldsV1" => Tree::Object(vec![("f:spec".to_owned(), Tree::Object(Vec::new()))]),
            _ => self.go("", &structs.schema, depth),
        }
    }
}

pub(crate) const API_VERSION: &str = "mygroup.example.com/v1beta1";
pub(crate) const KIND: &str = "MyCoolCRD";
pub(crate) const NAME: &str = "mycrdinstance";

fn scalar(value: impl Into<Value>) -> Tree {
    Tree::Scalar(value.into())
}

fn add(entries: &mut Vec<(String, Tree)>, key: String, value: Tree) {
    if entries.iter().all(|(other, _)| *other != key) {
        entries.push((key, value));
    }
}

/// Returns a valid value for a field of the metadata.
fn string(field: &str) -> Value {
    json!(match field {
        "apiVersion" => "v1",
        "operation" => "Update",
        "fieldsType" => "FieldsV1",
        "finalizers" => "example.com/x",
        "resourceVersion" => "7",
        "selfLink" | "subresource" => "",
        _ => "x",
    })
}
