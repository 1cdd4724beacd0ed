//! The kinds of objects in a document, and the keywords that contain objects according to the
//! specifications of v2 and v3.
//!
//! All other parts of a document are data of its author, or names that the author chose. The
//! conversions do not change them.

use serde_json::{Map, Value};

/// The kind of an object in a document.
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

/// The form in which the value of a keyword contains objects.
#[derive(Clone, Copy)]
enum Children {
    One(ObjectType),
    List(ObjectType),
    /// A map from names to objects.
    Names(ObjectType),
}

/// The keywords of a path item whose values are operations.
pub(super) const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

impl ObjectType {
    /// Returns the form and the kind of the objects that a keyword contains, in v2 or v3. Returns
    /// `None` if the keyword does not contain objects.
    fn children(self, keyword: &str) -> Option<Children> {
        use Children::{List, Names, One};
        Some(match (self, keyword) {
            (Self::Root, "paths" | "webhooks") | (Self::Components, "pathItems") => {
                Names(Self::PathItem)
            }
            (Self::Root, "components" | "x-components") => One(Self::Components),
            (Self::Root | Self::Components, "parameters") => Names(Self::Parameter),
            (Self::Root | Self::Components | Self::Operation, "responses")
            | (Self::Components, "requestBodies") => Names(Self::Body),
            (Self::Root, "securityDefinitions")
            | (Self::Components, "securitySchemes" | "examples")
            | (Self::Components | Self::Body, "links") => Names(Self::Leaf),
            (Self::Components, "schemas") => Names(Self::Schema),
            (Self::Components | Self::Body | Self::Encoding, "headers") => Names(Self::Header),
            (Self::Components | Self::Operation, "callbacks") => Names(Self::Callback),
            (Self::PathItem, method) if METHODS.contains(&method) => One(Self::Operation),
            (Self::PathItem | Self::Operation, "parameters") => List(Self::Parameter),
            (Self::Operation, "requestBody" | "x-requestBody") => One(Self::Body),
            (Self::Callback, expression) if !expression.starts_with("x-") => One(Self::PathItem),
            (Self::Parameter | Self::Header, "schema" | "x-schema")
            | (Self::Body | Self::MediaType, "schema") => One(Self::Schema),
            (Self::Parameter | Self::Header | Self::Body, "content" | "x-content") => {
                Names(Self::MediaType)
            }
            (Self::MediaType, "encoding") => Names(Self::Encoding),
            // A v2 parameter and a v2 header directly contain the keywords of their schemas.
            (Self::Root | Self::Parameter | Self::Header | Self::Schema, keyword) => {
                return schema_children(keyword);
            }
            _ => return None,
        })
    }
}

fn schema_children(keyword: &str) -> Option<Children> {
    use Children::{List, Names, One};
    Some(match keyword {
        "properties" | "patternProperties" | "definitions" | "$defs" | "dependentSchemas"
        | "dependencies" => Names(ObjectType::Schema),
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

/// Calls `visit` for every object of a document, with the kind of the object. An object is visited
/// before the objects that it contains. Objects that `visit` adds are visited too.
///
/// The objects to visit are kept in a list instead of on the stack, so that a deep document does
/// not cause a stack overflow.
pub(super) fn visit(root: &mut Value, visit: &mut dyn FnMut(ObjectType, &mut Map<String, Value>)) {
    let mut waiting: Vec<(&mut Value, ObjectType)> = vec![(root, ObjectType::Root)];
    while let Some((value, kind)) = waiting.pop() {
        let object = match value {
            Value::Object(object) => object,
            Value::Array(values) => {
                waiting.extend(values.iter_mut().map(|value| (value, kind)));
                continue;
            }
            _ => continue,
        };
        visit(kind, object);
        for (keyword, value) in object {
            match (kind.children(keyword), value) {
                (Some(Children::Names(kind)), Value::Object(named)) => {
                    waiting.extend(named.values_mut().map(|value| (value, kind)));
                }
                (Some(Children::One(kind)), value @ (Value::Object(_) | Value::Array(_)))
                | (Some(Children::List(kind)), value @ Value::Array(_)) => {
                    waiting.push((value, kind));
                }
                _ => {}
            }
        }
    }
}
