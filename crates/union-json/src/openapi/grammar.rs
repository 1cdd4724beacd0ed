//! The types of objects in a document, and the keywords whose values contain objects, according to
//! the specifications of v2 and v3.
//!
//! All other parts of a document are data, or names that the author chose. The conversions do not
//! change these parts.

use serde_json::{Map, Value};

/// The type of an object in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectType {
    /// The document itself, or a single schema that is converted.
    Root,
    Components,
    PathItem,
    Operation,
    /// A callback, which contains a path item for each expression.
    Callback,
    Parameter,
    Header,
    /// A response or a request body, which both have `content`.
    Body,
    MediaType,
    Encoding,
    Schema,
    /// An object that does not contain other objects, but may be a reference.
    Leaf,
}

/// The form in which a keyword contains objects.
#[derive(Clone, Copy)]
enum Children {
    One(ObjectType),
    List(ObjectType),
    /// A map from names to objects.
    Map(ObjectType),
}

/// The keywords of a path item whose values are operations.
pub(super) const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

impl ObjectType {
    /// Returns the form and the type of the objects that a keyword contains, in v2 or v3. Returns
    /// `None` if the keyword contains no objects.
    fn children(self, keyword: &str) -> Option<Children> {
        use Children::{List, Map, One};
        Some(match (self, keyword) {
            (Self::Root, "paths" | "webhooks") | (Self::Components, "pathItems") => {
                Map(Self::PathItem)
            }
            (Self::Root, "components" | "x-components") => One(Self::Components),
            (Self::Root | Self::Components, "parameters") => Map(Self::Parameter),
            (Self::Root | Self::Components | Self::Operation, "responses")
            | (Self::Components, "requestBodies") => Map(Self::Body),
            (Self::Root, "securityDefinitions")
            | (Self::Components, "securitySchemes" | "examples")
            | (Self::Components | Self::Body, "links") => Map(Self::Leaf),
            (Self::Components, "schemas") => Map(Self::Schema),
            (Self::Components | Self::Body | Self::Encoding, "headers") => Map(Self::Header),
            (Self::Components | Self::Operation, "callbacks") => Map(Self::Callback),
            (Self::PathItem, method) if METHODS.contains(&method) => One(Self::Operation),
            (Self::PathItem | Self::Operation, "parameters") => List(Self::Parameter),
            (Self::Operation, "requestBody" | "x-requestBody") => One(Self::Body),
            (Self::Callback, expression) if !expression.starts_with("x-") => One(Self::PathItem),
            (Self::Parameter | Self::Header, "schema" | "x-schema")
            | (Self::Body | Self::MediaType, "schema") => One(Self::Schema),
            (Self::Parameter | Self::Header | Self::Body, "content" | "x-content") => {
                Map(Self::MediaType)
            }
            (Self::MediaType, "encoding") => Map(Self::Encoding),
            // In v2, a parameter and a header contain the keywords of their schemas directly.
            (Self::Root | Self::Parameter | Self::Header | Self::Schema, keyword) => {
                return schema_children(keyword);
            }
            _ => return None,
        })
    }
}

/// Returns the form of the schemas that a keyword of a schema contains.
fn schema_children(keyword: &str) -> Option<Children> {
    use Children::{List, Map, One};
    Some(match keyword {
        "properties" | "patternProperties" | "definitions" | "$defs" | "dependentSchemas"
        | "dependencies" => Map(ObjectType::Schema),
        "allOf" | "anyOf" | "oneOf" | "x-anyOf" | "x-oneOf" | "prefixItems" => {
            List(ObjectType::Schema)
        }
        // The value of `items` may also be a list; `visit` visits the elements of a list.
        "items"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "not"
        | "x-not"
        | "if"
        | "then"
        | "else"
        | "contentSchema" => One(ObjectType::Schema),
        _ => return None,
    })
}

/// Calls `visit` for every object of a document, with the type of the object. An object is visited
/// before the objects that it contains. Objects that `visit` adds are visited too.
///
/// A loop replaces recursion, because a deep document must not overflow the stack.
pub(super) fn visit(root: &mut Value, visit: &mut dyn FnMut(ObjectType, &mut Map<String, Value>)) {
    let mut pending: Vec<(&mut Value, ObjectType)> = vec![(root, ObjectType::Root)];
    while let Some((value, object_type)) = pending.pop() {
        let object = match value {
            Value::Object(object) => object,
            Value::Array(values) => {
                pending.extend(values.iter_mut().map(|value| (value, object_type)));
                continue;
            }
            _ => continue,
        };
        visit(object_type, object);
        for (keyword, value) in object {
            match (object_type.children(keyword), value) {
                (Some(Children::Map(object_type)), Value::Object(map)) => {
                    pending.extend(map.values_mut().map(|value| (value, object_type)));
                }
                (
                    Some(Children::One(object_type)),
                    value @ (Value::Object(_) | Value::Array(_)),
                )
                | (Some(Children::List(object_type)), value @ Value::Array(_)) => {
                    pending.push((value, object_type));
                }
                _ => {}
            }
        }
    }
}
