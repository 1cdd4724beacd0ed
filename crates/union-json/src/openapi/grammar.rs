//! The objects of a document, by kind: where the specifications of v2 and v3 have which object.
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
    /// An object without objects below, which may be a reference.
    Leaf,
}

/// The value of a keyword, as far as it holds objects.
#[derive(Clone, Copy)]
enum Below {
    One(Kind),
    List(Kind),
    /// A map from names.
    Names(Kind),
}

/// The keywords of a path item that are operations.
pub(super) const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

impl Kind {
    /// Returns the objects that a keyword holds, in either version, if it holds objects.
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
            // In v2, a parameter and a header have the keywords of their schemas themselves.
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
        // `items` may be a list too, and a list of one kind is seen as its elements.
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

/// Shows every object of a document with its kind. An object is shown before the objects below.
/// Objects that `visit` puts into it are shown too.
///
/// Objects wait in a list, so that a deep document costs memory and no stack.
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
