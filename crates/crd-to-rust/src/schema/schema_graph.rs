//! A schema as a graph: equal schemas share a node, and become one type. Keywords of a place, such
//! as its description, are not part of the node.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};
use union_runtime::path::{FieldPath, Path, PathStep};

use crate::error::GenerateError;

/// The maximum depth of a schema, which is also the maximum depth of JSON for API servers.
const MAX_SCHEMA_DEPTH: usize = 64;

/// The maximum depth of JSON anywhere in a schema, also in `allOf` and defaults, so that recursive
/// functions end.
const MAX_JSON_DEPTH: usize = 200;

/// The index of a node.
pub(crate) type NodeId = usize;

/// Keywords of a place that are not part of the type.
const NON_TYPE_KEYWORDS: [&str; 6] = [
    "default",
    "description",
    "example",
    "externalDocs",
    "nullable",
    "title",
];

/// A use of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchemaUse<'a> {
    pub(crate) node: NodeId,
    /// The whole schema of the place.
    pub(crate) schema: &'a Value,
}

/// A schema without the keywords of its place.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) kind: NodeKind<'a>,
}

/// The kind of the values of a schema.
#[derive(Debug)]
pub(crate) enum NodeKind<'a> {
    /// An object with known fields; `rest` is true if an API server also keeps unknown fields.
    Object {
        properties: Vec<(&'a str, SchemaUse<'a>)>,
        rest: bool,
    },
    /// An object with arbitrary names and values of one type.
    Map(SchemaUse<'a>),
    List(SchemaUse<'a>),
    /// Any JSON value, or any object.
    Any,
    /// A value without fields or elements.
    Scalar,
}

/// All nodes of a schema; children precede the nodes that use them.
#[derive(Debug, Default)]
pub(crate) struct SchemaGraph<'a> {
    nodes: Vec<Node<'a>>,
    known: HashMap<String, NodeId>,
}

impl<'a> SchemaGraph<'a> {
    pub(crate) fn node(&self, id: NodeId) -> Option<&Node<'a>> {
        self.nodes.get(id)
    }

    /// Reads a schema. Errors have paths below the schema.
    pub(crate) fn add_schema(&mut self, schema: &'a Value) -> Result<SchemaUse<'a>, GenerateError> {
        if is_deeper(schema, MAX_JSON_DEPTH) {
            let problem =
                format!("nesting of the JSON exceeds the limit of {MAX_JSON_DEPTH} levels");
            return Err(GenerateError::new(FieldPath::root(), problem));
        }
        self.add_schema_at(schema, &Path::ROOT, 0)
    }

    fn add_schema_at(
        &mut self,
        schema: &'a Value,
        path: &Path<'_>,
        depth: usize,
    ) -> Result<SchemaUse<'a>, GenerateError> {
        let Some(keywords) = schema.as_object() else {
            let problem = format!("a schema must be an object, not {}", shorten(schema));
            return Err(GenerateError::new(path.to_field_path(), problem));
        };
        if depth > MAX_SCHEMA_DEPTH {
            let problem =
                format!("nesting of the schema exceeds the limit of {MAX_SCHEMA_DEPTH} levels");
            return Err(GenerateError::new(path.to_field_path(), problem));
        }
        if keywords.contains_key("$ref") {
            let problem = "`$ref` is not supported in a CRD; replace it by the referenced schema";
            return Err(GenerateError::new(path.to_field_path(), problem));
        }
        let kind = self.kind(keywords, path, depth)?;
        let key = key(keywords, &kind);
        let known = self.known.get(&key).copied();
        let node = known.unwrap_or_else(|| {
            self.nodes.push(Node { kind });
            self.known.insert(key, self.nodes.len() - 1);
            self.nodes.len() - 1
        });
        Ok(SchemaUse { node, schema })
    }

    fn kind(
        &mut self,
        keywords: &'a Map<String, Value>,
        path: &Path<'_>,
        depth: usize,
    ) -> Result<NodeKind<'a>, GenerateError> {
        let is_set = |name: &str| keywords.get(name) == Some(&Value::Bool(true));
        let preserves = is_set("x-kubernetes-preserve-unknown-fields");
        if is_set("x-kubernetes-int-or-string") {
            return Ok(NodeKind::Scalar);
        }
        match keywords.get("type").and_then(Value::as_str) {
            Some("object") => {}
            Some("array") => {
                let Some(items) = keywords.get("items") else {
                    return Err(GenerateError::new(
                        path.to_field_path(),
                        "missing `items`, which an array must have",
                    ));
                };
                let items = self.add_schema_at(items, &path.field("items"), depth + 1)?;
                return Ok(NodeKind::List(items));
            }
            Some("string" | "integer" | "number" | "boolean") => return Ok(NodeKind::Scalar),
            Some(other) => {
                let problem = format!(
                    "unknown type {other:?}; use one of array, boolean, integer, number, object, string"
                );
                return Err(GenerateError::new(
                    path.field("type").to_field_path(),
                    problem,
                ));
            }
            None if preserves && !keywords.contains_key("properties") => return Ok(NodeKind::Any),
            None if keywords.contains_key("properties") => {}
            None => {
                let problem =
                    "missing `type`; add it, or `x-kubernetes-preserve-unknown-fields: true`";
                return Err(GenerateError::new(path.to_field_path(), problem));
            }
        }
        let properties = keywords.get("properties").and_then(Value::as_object);
        let properties = properties.filter(|properties| !properties.is_empty());
        match (properties, keywords.get("additionalProperties")) {
            (None, Some(values @ Value::Object(_))) => {
                let values =
                    self.add_schema_at(values, &path.field("additionalProperties"), depth + 1)?;
                Ok(NodeKind::Map(values))
            }
            (None, Some(Value::Bool(true))) => Ok(NodeKind::Any),
            (None, _) if preserves => Ok(NodeKind::Any),
            (properties, additional) => {
                let rest =
                    preserves || matches!(additional, Some(Value::Object(_) | Value::Bool(true)));
                let properties = properties.into_iter().flatten().map(|(name, schema)| {
                    let all = path.field("properties");
                    let path = all.step(PathStep::Key(name));
                    Ok((&**name, self.add_schema_at(schema, &path, depth + 1)?))
                });
                let properties = properties.collect::<Result<_, GenerateError>>()?;
                Ok(NodeKind::Object { properties, rest })
            }
        }
    }
}

/// Returns a key that is equal for equal types: the keywords, and the indices of the children
/// instead of their schemas.
fn key(keywords: &Map<String, Value>, kind: &NodeKind<'_>) -> String {
    let mut key = String::new();
    for (name, value) in keywords {
        let is_child = matches!(&**name, "properties" | "items")
            || name == "additionalProperties" && value.is_object();
        if !is_child && !NON_TYPE_KEYWORDS.contains(&&**name) {
            // Writing to a String cannot fail.
            let _ = write!(key, "{name:?}:{value},");
        }
    }
    match kind {
        NodeKind::Object { properties, .. } => {
            for (name, used) in properties {
                add_child(name, used, &mut key);
            }
        }
        NodeKind::Map(used) => add_child("{}", used, &mut key),
        NodeKind::List(used) => add_child("[]", used, &mut key),
        NodeKind::Any | NodeKind::Scalar => {}
    }
    key
}

fn add_child(name: &str, used: &SchemaUse<'_>, key: &mut String) {
    let _ = write!(key, "{name:?}={}", used.node);
    for of_the_place in NON_TYPE_KEYWORDS {
        if let Some(value) = used.schema.get(of_the_place) {
            let _ = write!(key, " {of_the_place} {value}");
        }
    }
    key.push(';');
}

/// Returns true if a value, which may be of any depth, has more than `most` levels.
fn is_deeper(value: &Value, most: usize) -> bool {
    let mut waiting = vec![(value, 0)];
    while let Some((value, depth)) = waiting.pop() {
        if depth > most {
            return true;
        }
        match value {
            Value::Array(values) => waiting.extend(values.iter().map(|value| (value, depth + 1))),
            Value::Object(object) => {
                waiting.extend(object.values().map(|value| (value, depth + 1)));
            }
            _ => {}
        }
    }
    false
}

/// Returns a value as error messages print it.
fn shorten(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
