//! The types of the API, as the server publishes them in its `OpenAPI` document.

use std::collections::BTreeMap;

use serde_json::Value;

/// The types of an `OpenAPI` v2 document, and the kinds that a client can create.
pub(crate) struct Types {
    definitions: Value,
    pub(crate) kinds: Vec<Kind>,
}

/// A kind that a client can create.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    /// The URL path to create an object. Namespaced objects are in the namespace `default`.
    pub(crate) path: String,
    pub(crate) api_version: String,
    pub(crate) name: String,
    /// The name of the definition of the kind.
    pub(crate) definition: String,
}

/// The form of a field's value.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Object(String),
    List(Box<Form>),
    Map(Box<Form>),
    /// A string, a number or a boolean. The value is the schema.
    Scalar(Value),
}

/// A field of a type.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) is_required: bool,
    pub(crate) form: Form,
}

impl Types {
    pub(crate) fn new(mut document: Value) -> Self {
        let definitions = document["definitions"].take();
        let mut kinds = BTreeMap::new();
        let paths = document["paths"].as_object().into_iter().flatten();
        for (path, operations) in paths {
            // Subresources have a parameter for the name of their object.
            if path.contains("{name}") {
                continue;
            }
            let operation = &operations["post"];
            let group = &operation["x-kubernetes-group-version-kind"];
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let reference = parameters
                .filter(|parameter| parameter["in"] == "body")
                .find_map(|parameter| reference(&parameter["schema"]));
            let (Some(kind), Some(definition)) = (group["kind"].as_str(), reference) else {
                continue;
            };
            let [group, version] = ["group", "version"].map(|key| cluster_text(&group[key]));
            let api_version = if group.is_empty() {
                version
            } else {
                format!("{group}/{version}")
            };
            let path = path.replace("{namespace}", "default");
            let kind = Kind {
                path,
                api_version,
                name: kind.to_owned(),
                definition: definition.to_owned(),
            };
            kinds.insert((kind.api_version.clone(), kind.name.clone()), kind);
        }
        Self {
            definitions,
            kinds: kinds.into_values().collect(),
        }
    }

    /// Returns the fields of a type. A type without fields, such as `Quantity`, has none.
    pub(crate) fn fields(&self, definition: &str) -> Vec<Field> {
        let schema = &self.definitions[definition];
        let required = schema["required"].as_array().into_iter().flatten();
        let required: Vec<&str> = required.filter_map(Value::as_str).collect();
        let properties = schema["properties"].as_object().into_iter().flatten();
        let field = |(name, property): (&String, &Value)| Field {
            name: name.clone(),
            is_required: required.contains(&name.as_str()),
            form: self.form(property),
        };
        properties.map(field).collect()
    }

    fn form(&self, schema: &Value) -> Form {
        if let Some(name) = reference(schema) {
            let definition = &self.definitions[name];
            return if definition["properties"].is_object() || definition["type"] == "object" {
                Form::Object(name.to_owned())
            } else {
                Form::Scalar(named_scalar(name, definition))
            };
        }
        match schema["type"].as_str() {
            Some("array") => Form::List(Box::new(self.form(&schema["items"]))),
            Some("object") if schema["additionalProperties"].is_object() => {
                Form::Map(Box::new(self.form(&schema["additionalProperties"])))
            }
            _ => Form::Scalar(schema.clone()),
        }
    }
}

/// Returns the schema of a scalar, with the name of its definition as the format if it has none.
fn named_scalar(name: &str, definition: &Value) -> Value {
    let mut schema = definition.clone();
    if schema["format"].is_null() {
        schema["format"] = name.rsplit('.').next().into();
    }
    schema
}

fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/definitions/")
}

fn cluster_text(value: &Value) -> String {
    crate::cluster::text(value)
}
