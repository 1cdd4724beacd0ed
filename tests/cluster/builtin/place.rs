//! Places of types in objects of kinds.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use k8s_builtin_unions::{BuiltinUnion, unions};
use serde_json::{Value, json};

use crate::made_value;
use crate::types::{Form, Kind, Types};

/// A step from an object to a value in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Field(String),
    /// The first element of a list.
    Element,
    /// The value of the key `a` of a map.
    MapValue,
}

/// A place of a type in an object of a kind.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) kind: Kind,
    pub(crate) definition: String,
    /// The name of the type, or of the field that contains the type if rows hold only there.
    pub(crate) name: String,
    pub(crate) steps: Vec<Step>,
}

/// The fields that a server writes itself.
const SKIPPED: [&str; 3] = ["status", "managedFields", "ownerReferences"];

/// Returns a place of each type, and of each field to which a row is restricted: the place with the
/// fewest steps; of equal places, the place in the first kind.
pub(crate) fn of_all_types(types: &Types) -> Vec<Place> {
    let places_of_rows: BTreeSet<&str> = unions().filter_map(BuiltinUnion::place).collect();
    let mut found: BTreeMap<String, Place> = BTreeMap::new();
    let mut queue = VecDeque::new();
    for kind in &types.kinds {
        let place = Place {
            kind: kind.clone(),
            definition: kind.definition.clone(),
            name: kind.definition.clone(),
            steps: Vec::new(),
        };
        queue.push_back(place);
    }
    while let Some(place) = queue.pop_front() {
        if found.contains_key(&place.name) {
            continue;
        }
        for field in types.fields(&place.definition) {
            if place.steps.is_empty() && SKIPPED.contains(&field.name.as_str()) {
                continue;
            }
            let field_name = format!("{}.{}", place.definition, field.name);
            let is_place_of_row = places_of_rows.contains(field_name.as_str());
            let mut steps = place.steps.clone();
            steps.push(Step::Field(field.name));
            let mut form = field.form;
            loop {
                form = match form {
                    Form::List(element) => {
                        steps.push(Step::Element);
                        *element
                    }
                    Form::Map(element) => {
                        steps.push(Step::MapValue);
                        *element
                    }
                    Form::Object(definition) => {
                        let name = if is_place_of_row {
                            field_name
                        } else {
                            definition.clone()
                        };
                        queue.push_back(Place {
                            kind: place.kind.clone(),
                            definition,
                            name,
                            steps,
                        });
                        break;
                    }
                    Form::Scalar(_) => break,
                };
            }
        }
        found.insert(place.name.clone(), place);
    }
    found.into_values().collect()
}

/// Values of other fields, without which the server does not get to the validation of a type: the
/// end of the name of the place, the path of the field, and the JSON of the value.
const CONTEXTS: [(&str, &str, &str); 17] = [
    ("APIServiceSpec", "metadata.name", r#""v1.a.example.com""#),
    ("APIServiceSpec", "spec.group", r#""a.example.com""#),
    ("APIServiceSpec", "spec.version", r#""v1""#),
    (
        "APIServiceSpec",
        "spec.service",
        r#"{"name": "a", "namespace": "a"}"#,
    ),
    (
        "ContainerResourceMetricSource.target",
        "spec.metrics",
        r#"[{"type": "ContainerResource"}]"#,
    ),
    (
        "ExternalMetricSource.target",
        "spec.metrics",
        r#"[{"type": "External"}]"#,
    ),
    (
        "ResourceMetricSource.target",
        "spec.metrics",
        r#"[{"type": "Resource"}]"#,
    ),
    ("MetricTarget", "spec.metrics", r#"[{"type": "Object"}]"#),
    ("Device", "spec.perDeviceNodeSelection", "true"),
    ("Device", "spec.devices", "[{}]"),
    ("BasicDevice", "spec.perDeviceNodeSelection", "true"),
    ("BasicDevice", "spec.devices", "[{}]"),
    (
        "CapacityRequestPolicy",
        "spec.devices",
        r#"[{"name": "a", "allowMultipleAllocations": true, "basic": {"allowMultipleAllocations": true}}]"#,
    ),
    (
        "WebhookClientConfig",
        "spec.conversion.strategy",
        r#""Webhook""#,
    ),
    (
        "WebhookClientConfig",
        "spec.conversion.webhook.conversionReviewVersions",
        r#"["v1"]"#,
    ),
    ("LimitResponse", "spec.type", r#""Limited""#),
    (
        "LimitResponse",
        "spec.limited.limitResponse.type",
        r#""Queue""#,
    ),
];

/// Sets the value at a path of fields.
fn set_path(object: &mut Value, path: &str, json: &str) {
    let field = path.split('.').fold(object, |value, name| &mut value[name]);
    *field = serde_json::from_str(json).unwrap_or_default();
}

impl Place {
    /// Returns the path as the server's errors print it, such as `spec.containers[0].env[0]`.
    pub(crate) fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.steps {
            match step {
                Step::Field(name) if path.is_empty() => path.push_str(name),
                Step::Field(name) => {
                    path.push('.');
                    path.push_str(name);
                }
                Step::Element => path.push_str("[0]"),
                Step::MapValue => path.push_str("[a]"),
            }
        }
        path
    }

    /// Returns an object of the kind with the smallest value of the type at the place.
    pub(crate) fn object(&self, types: &Types) -> Value {
        let mut object = made_value::object(types, &self.kind.definition);
        object["apiVersion"] = self.kind.api_version.clone().into();
        object["kind"] = self.kind.name.clone().into();
        object["metadata"]["name"] = "a".into();
        for (definition, path, value) in CONTEXTS {
            let rest = self.name.strip_suffix(definition);
            if rest.is_some_and(|rest| rest.ends_with('.')) {
                set_path(&mut object, path, value);
            }
        }
        let mut definition = self.kind.definition.clone();
        let mut value = &mut object;
        let mut steps = self.steps.iter();
        while let Some(step) = steps.next() {
            let Step::Field(name) = step else { break };
            let fields = types.fields(&definition);
            let Some(field) = fields.into_iter().find(|field| field.name == *name) else {
                break;
            };
            if value[name].is_null() {
                value[name] = made_value::value(types, name, &field.form);
            }
            value = &mut value[name];
            let mut form = field.form;
            loop {
                form = match form {
                    Form::List(element) => {
                        steps.next();
                        value = &mut value[0];
                        *element
                    }
                    Form::Map(element) => {
                        steps.next();
                        value = &mut value["a"];
                        *element
                    }
                    Form::Object(name) => {
                        definition = name;
                        break;
                    }
                    Form::Scalar(_) => break,
                };
            }
        }
        object
    }

    /// Returns the value at the place of an object.
    pub(crate) fn value_in<'o>(&self, object: &'o mut Value) -> &'o mut Value {
        let mut value = object;
        for step in &self.steps {
            value = match step {
                Step::Field(name) => &mut value[name],
                Step::Element => {
                    if !value.is_array() {
                        *value = json!([{}]);
                    }
                    &mut value[0]
                }
                Step::MapValue => &mut value["a"],
            };
        }
        value
    }
}
