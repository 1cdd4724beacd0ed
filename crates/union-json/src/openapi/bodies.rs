//! Converts request bodies, which are parameters in v2. An operation has its own request body, or
//! refers to a shared request body.

use std::collections::{BTreeMap, HashSet};

use k8s_json_internals::deep;
use serde_json::{Map, Value, json};

use super::content::{content_media_types, content_to_v2, content_to_v3};
use crate::pointer::{escape, unescape};

/// Returns true if a v2 parameter is a request body.
pub(super) fn is_body(parameter: &Value) -> bool {
    parameter.get("in") == Some(&json!("body"))
}

/// Converts a request body to a v2 parameter. The media types must have been removed from the body.
pub(super) fn body_to_parameter(mut body: Map<String, Value>) -> Value {
    body.insert("name".into(), "body".into());
    body.insert("in".into(), "body".into());
    body.into()
}

/// Converts a v2 parameter to a request body with these media types: the inverse of
/// [`body_to_parameter`].
pub(super) fn parameter_to_body(
    mut parameter: Map<String, Value>,
    media_types: &[Value],
) -> Map<String, Value> {
    deep::remove(&mut parameter, "in");
    deep::remove(&mut parameter, "name");
    content_to_v3(&mut parameter, media_types);
    parameter
}

/// The prefix of a reference to a shared request body in v3.
pub(super) const REQUEST_BODIES: &str = "#/components/requestBodies/";
/// The prefix of a reference to a shared parameter in v2.
pub(super) const PARAMETERS: &str = "#/parameters/";

/// The extension that keeps the v3 name of a shared body, if the body has another name in v2.
const NAME_IN_V3: &str = "x-request-body";

/// Returns a `$ref` with this prefix to the component with this name.
pub(super) fn reference(prefix: &str, name: &str) -> Value {
    let name = escape(name);
    json!({ "$ref": format!("{prefix}{name}") })
}

/// The shared request bodies, by their names in the source document.
pub(super) struct SharedBodies(BTreeMap<String, SharedBody>);

/// A request body in the components of a document, to which operations refer.
pub(super) struct SharedBody {
    /// The name in the converted document.
    pub(super) converted_name: String,
    /// The media types of the body. The list is empty for a v2 document.
    pub(super) media_types: Vec<Value>,
}

impl SharedBodies {
    /// Finds the shared bodies of a v3 document.
    pub(super) fn from_v3(document: &Value) -> Self {
        let components = |name: &str| {
            document
                .pointer(&format!("/components/{name}"))?
                .as_object()
        };
        let contains = |components: Option<&Map<String, Value>>, name: &str| {
            components.is_some_and(|components| components.contains_key(name))
        };
        let (parameters, bodies) = (components("parameters"), components("requestBodies"));
        // The new names of bodies whose old names are the names of parameters.
        let mut new_names = HashSet::new();
        let mut shared_bodies = BTreeMap::new();
        // A body that is only a `$ref` to another body cannot be a parameter.
        let convertible_bodies = bodies
            .into_iter()
            .flatten()
            .filter(|(_, body)| body.is_object() && body.get("$ref").is_none());
        for (name, body) in convertible_bodies {
            let mut converted_name = name.clone();
            if contains(parameters, name) {
                while contains(parameters, &converted_name)
                    || contains(bodies, &converted_name)
                    || new_names.contains(&converted_name)
                {
                    converted_name += "-body";
                }
                new_names.insert(converted_name.clone());
            }
            let media_types = content_media_types(body);
            shared_bodies.insert(
                name.clone(),
                SharedBody {
                    converted_name,
                    media_types,
                },
            );
        }
        Self(shared_bodies)
    }

    /// Finds the shared bodies of a v2 document.
    pub(super) fn from_v2(document: &Value) -> Self {
        let parameters = document.get("parameters").and_then(Value::as_object);
        let bodies = parameters
            .into_iter()
            .flatten()
            .filter(|(_, parameter)| is_body(parameter));
        let bodies = bodies.map(|(name, parameter)| {
            let name_in_v3 = parameter.get(NAME_IN_V3).and_then(Value::as_str);
            let converted_name = name_in_v3.unwrap_or(name).to_owned();
            let media_types = Vec::new();
            (
                name.clone(),
                SharedBody {
                    converted_name,
                    media_types,
                },
            )
        });
        Self(bodies.collect())
    }

    /// Returns the shared body to which an object refers, if there is such a body. `prefix` is the
    /// prefix of references to shared bodies.
    pub(super) fn find_referenced(
        &self,
        object: &Map<String, Value>,
        prefix: &str,
    ) -> Option<&SharedBody> {
        let name = object.get("$ref")?.as_str()?.strip_prefix(prefix)?;
        self.0.get(&*unescape(name))
    }

    /// Moves the shared bodies to the parameters, and returns true if a body was moved. A shared
    /// parameter of v2 has no list of media types, so `x-content` keeps the media types.
    pub(super) fn move_to_parameters(&self, components: &mut Map<String, Value>) -> bool {
        let can_have_parameters = components.get("parameters").is_none_or(Value::is_object);
        if self.0.is_empty() || !can_have_parameters {
            return false;
        }
        let Some(Value::Object(bodies)) = components.remove("requestBodies") else {
            return false;
        };
        let (shared_bodies, other_bodies): (Map<_, _>, Map<_, _>) = bodies
            .into_iter()
            .partition(|(name, _)| self.0.contains_key(name));
        if !other_bodies.is_empty() {
            components.insert("requestBodies".into(), other_bodies.into());
        }
        let parameters = components.entry("parameters").or_insert_with(|| json!({}));
        let Value::Object(parameters) = parameters else {
            return false;
        };
        for (name, body) in shared_bodies {
            if let (Some(shared), Value::Object(mut body)) = (self.0.get(&name), body) {
                content_to_v2(&mut body, &[]);
                if shared.converted_name != name {
                    body.insert(NAME_IN_V3.into(), name.into());
                }
                deep::insert(parameters, &shared.converted_name, body_to_parameter(body));
            }
        }
        true
    }

    /// Moves the shared bodies from the parameters to `x-components`, which contains the components
    /// that only v3 has: the inverse of [`move_to_parameters`](Self::move_to_parameters).
    pub(super) fn move_from_parameters(&self, document: &mut Value, media_types: &[Value]) {
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
                    &shared.converted_name,
                    parameter_to_body(parameter, media_types).into(),
                );
            }
        }
        let is_empty = parameters.is_empty();
        if let Value::Object(root) = document {
            if is_empty {
                root.remove("parameters");
            }
            let components = root.entry("x-components").or_insert_with(|| json!({}));
            if let Value::Object(components) = components {
                match components.get_mut("requestBodies") {
                    Some(Value::Object(other_bodies)) => other_bodies.append(&mut bodies),
                    _ => deep::insert(components, "requestBodies", bodies.into()),
                }
            }
        }
    }
}
