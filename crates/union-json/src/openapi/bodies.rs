//! The conversion of request bodies, which are parameters in v2. An operation has its own request
//! body, or refers to a request body that operations share.

use std::collections::{BTreeMap, HashSet};

use k8s_json_internals::deep;
use serde_json::{Map, Value, json};

use super::content::{content_media_types, content_to_v2, content_to_v3};
use crate::pointer::{escape, unescape};

pub(super) fn is_body(parameter: &Value) -> bool {
    parameter.get("in") == Some(&json!("body"))
}

/// Returns the v2 parameter for a request body whose media types have been removed.
pub(super) fn body_to_parameter(mut body: Map<String, Value>) -> Value {
    body.insert("name".into(), "body".into());
    body.insert("in".into(), "body".into());
    body.into()
}

/// Returns the request body for a v2 parameter, with these media types: the inverse of
/// [`body_to_parameter`].
pub(super) fn parameter_to_body(
    mut parameter: Map<String, Value>,
    types: &[Value],
) -> Map<String, Value> {
    deep::remove(&mut parameter, "in");
    deep::remove(&mut parameter, "name");
    content_to_v3(&mut parameter, types);
    parameter
}

/// The prefix of a reference to a shared request body in v3.
pub(super) const REQUEST_BODIES: &str = "#/components/requestBodies/";
pub(super) const PARAMETERS: &str = "#/parameters/";

/// The extension that keeps the v3 name of a shared body, if the body has another name in v2.
const NAME_IN_V3: &str = "x-request-body";

pub(super) fn reference(to: &str, name: &str) -> Value {
    let name = escape(name);
    json!({ "$ref": format!("{to}{name}") })
}

/// The request bodies that operations share. The keys are their names in the document that is
/// converted.
pub(super) struct SharedBodies(BTreeMap<String, SharedBody>);

pub(super) struct SharedBody {
    /// The name in the version to which the document is converted.
    pub(super) other_name: String,
    /// The media types of the body. Only v3 has them.
    pub(super) types: Vec<Value>,
}

impl SharedBodies {
    pub(super) fn from_v3(document: &Value) -> Self {
        let components = |name: &str| {
            document
                .pointer(&format!("/components/{name}"))?
                .as_object()
        };
        let has = |of: Option<&Map<String, Value>>, name: &str| {
            of.is_some_and(|components| components.contains_key(name))
        };
        let (parameters, bodies) = (components("parameters"), components("requestBodies"));
        // The new names of bodies whose names belong to parameters.
        let mut given = HashSet::new();
        let mut made = BTreeMap::new();
        let whole = bodies.into_iter().flatten();
        // A body that is only a `$ref` to another body cannot be a parameter.
        let whole = whole.filter(|(_, body)| body.is_object() && body.get("$ref").is_none());
        for (name, body) in whole {
            let mut other_name = name.clone();
            if has(parameters, name) {
                while has(parameters, &other_name)
                    || has(bodies, &other_name)
                    || given.contains(&other_name)
                {
                    other_name += "-body";
                }
                given.insert(other_name.clone());
            }
            let types = content_media_types(body);
            made.insert(name.clone(), SharedBody { other_name, types });
        }
        Self(made)
    }

    pub(super) fn from_v2(document: &Value) -> Self {
        let parameters = document.get("parameters").and_then(Value::as_object);
        let bodies = parameters
            .into_iter()
            .flatten()
            .filter(|(_, parameter)| is_body(parameter));
        let bodies = bodies.map(|(name, parameter)| {
            let was = parameter.get(NAME_IN_V3).and_then(Value::as_str);
            let other_name = was.unwrap_or(name).to_owned();
            let types = Vec::new();
            (name.clone(), SharedBody { other_name, types })
        });
        Self(bodies.collect())
    }

    /// Returns the shared body to which an object refers. `place` is the prefix of references to
    /// shared bodies. Returns `None` if there is no such body.
    pub(super) fn referenced(
        &self,
        object: &Map<String, Value>,
        place: &str,
    ) -> Option<&SharedBody> {
        let name = object.get("$ref")?.as_str()?.strip_prefix(place)?;
        self.0.get(&*unescape(name))
    }

    /// Moves the shared bodies to the parameters, and returns true if there are shared bodies. A
    /// shared parameter does not have a list of media types in v2, so the media types are kept in
    /// `x-content`.
    pub(super) fn move_to_parameters(&self, components: &mut Map<String, Value>) -> bool {
        let has_place = components.get("parameters").is_none_or(Value::is_object);
        if self.0.is_empty() || !has_place {
            return false;
        }
        let Some(Value::Object(bodies)) = components.remove("requestBodies") else {
            return false;
        };
        let (moved, stay): (Map<_, _>, Map<_, _>) = bodies
            .into_iter()
            .partition(|(name, _)| self.0.contains_key(name));
        if !stay.is_empty() {
            components.insert("requestBodies".into(), stay.into());
        }
        let parameters = components.entry("parameters").or_insert_with(|| json!({}));
        let Value::Object(parameters) = parameters else {
            return false;
        };
        for (name, body) in moved {
            if let (Some(shared), Value::Object(mut body)) = (self.0.get(&name), body) {
                content_to_v2(&mut body, &[]);
                if shared.other_name != name {
                    body.insert(NAME_IN_V3.into(), name.into());
                }
                deep::insert(parameters, &shared.other_name, body_to_parameter(body));
            }
        }
        true
    }

    /// Moves the shared bodies from the parameters to `x-components`, where the components are that
    /// only v3 has: the inverse of [`move_to_parameters`](Self::move_to_parameters).
    pub(super) fn move_from_parameters(&self, document: &mut Value, types: &[Value]) {
        if self.0.is_empty() || document.get("swagger").is_none() {
            return;
        }
        let Some(Value::Object(parameters)) = document.get_mut("parameters") else {
            return;
        };
        let mut bodies = Map::new();
        for (name, shared) in &self.0 {
            if let Some(Value::Object(mut parameter)) = parameters.remove(name) {
                deep::remove(&mut parameter, NAME_IN_V3);
                deep::insert(
                    &mut bodies,
                    &shared.other_name,
                    parameter_to_body(parameter, types).into(),
                );
            }
        }
        let is_empty = parameters.is_empty();
        if let Value::Object(top) = document {
            if is_empty {
                top.remove("parameters");
            }
            let components = top.entry("x-components").or_insert_with(|| json!({}));
            if let Value::Object(components) = components {
                match components.get_mut("requestBodies") {
                    Some(Value::Object(others)) => others.append(&mut bodies),
                    _ => deep::insert(components, "requestBodies", bodies.into()),
                }
            }
        }
    }
}
