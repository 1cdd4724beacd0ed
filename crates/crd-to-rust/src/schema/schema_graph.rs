//! A schema as a graph: equal schemas share a node, which becomes one type. Keywords of a single
//! use, such as the description, are not part of the node.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};
use union_runtime::path::{FieldPath, Path, PathStep};

use crate::error::GenerateError;

/// The maximum depth of a schema, which is the depth that API servers allow for JSON.
const MAX_SCHEMA_DEPTH: usize = 64;

/// The maximum depth of JSON anywhere in a schema, including `allOf` and defaults. The limit bounds
/// the depth of recursive functions.
const MAX_JSON_DEPTH: usize = 200;

/// The index of a node.
pub(crate) type NodeId = usize;

/// The keywords that may differ between schemas with the same node, because they are not part of
/// the Rust type.
const NON_TYPE_KEYWORDS: [&str; 6] = [
    "default",
    "description",
    "example",
    "externalDocs",
    "nullable",
    "title",
];

/// A schema in the CRD, with its node. Several schemas may have the same node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchemaUse<'a> {
    pub(crate) node: NodeId,
    /// The complete schema, including its own description and default.
    pub(crate) schema: &'a Value,
}

/// The part of a schema that determines its Rust type: all keywords except `NON_TYPE_KEYWORDS`.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) kind: NodeKind<'a>,
}

/// The kind of values that a schema describes.
#[derive(Debug)]
pub(crate) enum NodeKind<'a> {
    /// An object with known fields.
    Object {
        properties: Vec<(&'a str, SchemaUse<'a>)>,
        /// True if an API server also keeps unknown fields.
        keeps_unknown_fields: bool,
    },
    /// An object with arbitrary keys, and with values of one schema.
    Map(SchemaUse<'a>),
    List(SchemaUse<'a>),
    /// Any JSON value, or an object without a schema.
    Any,
    /// A value without fields and elements.
    Scalar,
}

/// All nodes of a schema. The nodes of subschemas precede the nodes that use them.
#[derive(Debug, Default)]
pub(crate) struct SchemaGraph<'a> {
    nodes: Vec<Node<'a>>,
    /// The nodes by their [`node_key`].
    node_by_key: HashMap<String, NodeId>,
}

impl<'a> SchemaGraph<'a> {
    pub(crate) fn node(&self, id: NodeId) -> Option<&Node<'a>> {
        self.nodes.get(id)
    }

    /// Adds a schema to the graph. The paths of errors are relative to the schema.
    pub(crate) fn add_schema(&mut self, schema: &'a Value) -> Result<SchemaUse<'a>, GenerateError> {
        if is_deeper(schema, MAX_JSON_DEPTH) {
            let problem =
                format!("nesting of the JSON exceeds the limit of {MAX_JSON_DEPTH} levels");
            return Err(GenerateError::new(FieldPath::root(), problem));
        }
        self.add_schema_at(schema, &Path::ROOT, 0)
    }

    /// Adds the schema at a path, and its subschemas. `depth` is the number of schemas around it.
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
            let problem = "`$ref` is not supported in a CRD; replace it with the referenced schema";
            return Err(GenerateError::new(path.to_field_path(), problem));
        }
        let kind = self.node_kind(keywords, path, depth)?;
        let key = node_key(keywords, &kind);
        let existing_node = self.node_by_key.get(&key).copied();
        let node = existing_node.unwrap_or_else(|| {
            self.nodes.push(Node { kind });
            self.node_by_key.insert(key, self.nodes.len() - 1);
            self.nodes.len() - 1
        });
        Ok(SchemaUse { node, schema })
    }

    fn node_kind(
        &mut self,
        keywords: &'a Map<String, Value>,
        path: &Path<'_>,
        depth: usize,
    ) -> Result<NodeKind<'a>, GenerateError> {
        if is_true(keywords, "x-kubernetes-int-or-string") {
            return Ok(NodeKind::Scalar);
        }
        let preserves_unknown_fields = is_true(keywords, "x-kubernetes-preserve-unknown-fields");
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
            Some(unknown_type) => {
                let problem = format!(
                    "unknown type {unknown_type:?}; use one of array, boolean, integer, number, object, string"
                );
                return Err(GenerateError::new(
                    path.field("type").to_field_path(),
                    problem,
                ));
            }
            None if preserves_unknown_fields && !keywords.contains_key("properties") => {
                return Ok(NodeKind::Any);
            }
            None if keywords.contains_key("properties") => {}
            None => {
                let problem =
                    "missing `type`; add it, or `x-kubernetes-preserve-unknown-fields: true`";
                return Err(GenerateError::new(path.to_field_path(), problem));
            }
        }
        self.object_kind(keywords, path, depth)
    }

    /// Returns the kind of a schema with the type `object` or with `properties`.
    fn object_kind(
        &mut self,
        keywords: &'a Map<String, Value>,
        path: &Path<'_>,
        depth: usize,
    ) -> Result<NodeKind<'a>, GenerateError> {
        let preserves_unknown_fields = is_true(keywords, "x-kubernetes-preserve-unknown-fields");
        let properties = keywords.get("properties").and_then(Value::as_object);
        let properties = properties.filter(|properties| !properties.is_empty());
        match (properties, keywords.get("additionalProperties")) {
            (None, Some(value_schema @ Value::Object(_))) => {
                let value_path = path.field("additionalProperties");
                let schema_use = self.add_schema_at(value_schema, &value_path, depth + 1)?;
                Ok(NodeKind::Map(schema_use))
            }
            (None, Some(Value::Bool(true))) => Ok(NodeKind::Any),
            (None, _) if preserves_unknown_fields => Ok(NodeKind::Any),
            (properties, additional_properties) => {
                let keeps_unknown_fields = preserves_unknown_fields
                    || matches!(
                        additional_properties,
                        Some(Value::Object(_) | Value::Bool(true))
                    );
                let properties = properties.into_iter().flatten().map(|(name, schema)| {
                    let properties_path = path.field("properties");
                    let path = properties_path.step(PathStep::Key(name));
                    Ok((&**name, self.add_schema_at(schema, &path, depth + 1)?))
                });
                let properties = properties.collect::<Result<_, GenerateError>>()?;
                Ok(NodeKind::Object {
                    properties,
                    keeps_unknown_fields,
                })
            }
        }
    }
}

fn is_true(keywords: &Map<String, Value>, name: &str) -> bool {
    keywords.get(name) == Some(&Value::Bool(true))
}

/// Returns a key that is equal for equal types: the keywords, with the nodes of subschemas instead
/// of their schemas.
fn node_key(keywords: &Map<String, Value>, kind: &NodeKind<'_>) -> String {
    let mut key = String::new();
    for (name, value) in keywords {
        let is_subschema = matches!(&**name, "properties" | "items")
            || name == "additionalProperties" && value.is_object();
        if !is_subschema && !NON_TYPE_KEYWORDS.contains(&&**name) {
            // Writing to a `String` cannot fail.
            let _ = write!(key, "{name:?}:{value},");
        }
    }
    match kind {
        NodeKind::Object { properties, .. } => {
            for (name, schema_use) in properties {
                push_subschema_key(name, schema_use, &mut key);
            }
        }
        NodeKind::Map(schema_use) => push_subschema_key("{}", schema_use, &mut key),
        NodeKind::List(schema_use) => push_subschema_key("[]", schema_use, &mut key),
        NodeKind::Any | NodeKind::Scalar => {}
    }
    key
}

fn push_subschema_key(name: &str, schema_use: &SchemaUse<'_>, key: &mut String) {
    let _ = write!(key, "{name:?}={}", schema_use.node);
    for keyword in NON_TYPE_KEYWORDS {
        if let Some(value) = schema_use.schema.get(keyword) {
            let _ = write!(key, " {keyword} {value}");
        }
    }
    key.push(';');
}

/// Returns true if a value has more than `max_depth` levels. The function is not recursive, so a
/// value of any depth is safe.
fn is_deeper(value: &Value, max_depth: usize) -> bool {
    let mut pending = vec![(value, 0)];
    while let Some((value, depth)) = pending.pop() {
        if depth > max_depth {
            return true;
        }
        match value {
            Value::Array(values) => pending.extend(values.iter().map(|value| (value, depth + 1))),
            Value::Object(object) => {
                pending.extend(object.values().map(|value| (value, depth + 1)));
            }
            _ => {}
        }
    }
    false
}

/// Returns the JSON of a value for error messages, with at most 40 characters.
fn shorten(value: &Value) -> String {
    let json = value.to_string();
    match json.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", json.get(..end).unwrap_or_default()),
        None => json,
    }
}
