//! The objects of a document, by kind: the keywords that contain objects in the specifications of
//! v2 and v3.
//!
//! Everything else in a document is data of its author, or a name that the author chose, and stays
//! as it is.

use serde_json::{Map, Value};

/// The kind of an object in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The document itself, or a schema alone.
    Root,
    Components,
    PathItem,
    Operation,
    /// The path items of a callback, by their expressions.
    Callback,
    Parameter,
    Header,
    /// A response or a request body.
    Body,
    MediaType,
    Encoding,
    Schema,
    /// An object that contains no other objects; it may be a reference.
    Leaf,
}

/// The objects in the value of a keyword.
#[derive(Clone, Copy)]
enum Below {
    One(Kind),
    List(Kind),
    /// A map from names to objects.
    Names(Kind),
}

/// The keywords of a path item that are operations.
pub(super) const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

impl Kind {
    /// Returns the objects that a keyword contains, in either version, if it contains objects.
    fn below(self, keyword: &str) -> Option<Below> {
        use Below::{List, Names, One};
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
            // In v2, a parameter and a header contain the keywords of their schemas themselves.
            (Self::Root | Self::Parameter | Self::Header | Self::Schema, keyword) => {
                return below_schema(keyword);
            }
            _ => return None,
        })
    }
}

fn below_schema(keyword: &str) -> Option<Below> {
    use Below::{List, Names, One};
    Some(match keyword {
        "properties" | "patternProperties" | "definitions" | "$defs" | "dependentSchemas"
        | "dependencies" => Names(Kind::Schema),
        "allOf" | "anyOf" | "oneOf" | "x-anyOf" | "x-oneOf" | "prefixItems" => List(Kind::Schema),
        // `items` may be a list too; `visit` visits the elements of a list.
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
        | "contentSchema" => One(Kind::Schema),
        _ => return None,
    })
}

/// Calls `visit` for every object of a document, with its kind: for an object before the objects
/// below, and also for objects that `visit` adds.
///
/// Objects wait in a list, so that a deep document takes memory and not stack.
pub(super) fn visit(root: &mut Value, visit: &mut dyn FnMut(Kind, &mut Map<String, Value>)) {
    let mut waiting: Vec<(&mut Value, Kind)> = vec![(root, Kind::Root)];
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
            match (kind.below(keyword), value) {
                (Some(Below::Names(kind)), Value::Object(named)) => {
                    waiting.extend(named.values_mut().map(|value| (value, kind)));
                }
                (Some(Below::One(kind)), value @ (Value::Object(_) | Value::Array(_)))
                | (Some(Below::List(kind)), value @ Value::Array(_)) => waiting.push((value, kind)),
                _ => {}
            }
        }
    }
}
