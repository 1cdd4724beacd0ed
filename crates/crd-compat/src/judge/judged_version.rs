//! A version of a CRD that answers requests.

use k8s_crd_validation::{Report, Request, ServerSettings, StructuralSchema, Violation};
use serde_json::{Map, Value, json};
use union_json::document::{Crd, CrdVersion};

use super::answer::{Answer, JudgedError, WriteAnswer};
use crate::error::CompareError;

/// The annotation that an update without other changes adds.
const UNRELATED_ANNOTATION: &str = "crd-compat/unrelated";

/// A version of a CRD that answers requests.
pub(crate) struct JudgedVersion<'v> {
    pub(crate) name: String,
    pub(crate) schema: &'v Value,
    subresources: Option<&'v Value>,
    /// The JSON pointer of the schema in the CRD.
    pub(crate) schema_pointer: String,
    server: StructuralSchema,
    settings: ServerSettings,
    api_version: String,
    kind: String,
    is_namespaced: bool,
    has_status: bool,
    /// True if the CRD keeps all fields that a schema does not describe.
    pub(crate) keeps_all_fields: bool,
}

impl<'v> JudgedVersion<'v> {
    pub(crate) fn new(crd: Crd<'v>, version: CrdVersion<'v>) -> Result<Self, CompareError> {
        let name = version.name().unwrap_or_default();
        let Some(schema) = version.schema() else {
            return Err(CompareError::NoSchema(name.to_owned()));
        };
        let compiler = StructuralSchema::compiler().stored();
        let server = compiler.crd(crd.json(), Some(name));
        let server = server.map_err(|report| CompareError::Rejected {
            version: name.to_owned(),
            messages: report.errors().iter().map(ToString::to_string).collect(),
        })?;
        Ok(Self {
            name: name.to_owned(),
            schema,
            subresources: version.json().get("subresources"),
            schema_pointer: version.schema_pointer(),
            server,
            settings: ServerSettings::default(),
            api_version: format!("{}/{name}", crd.group().unwrap_or_default()),
            kind: crd.kind().unwrap_or_default().to_owned(),
            is_namespaced: crd.is_namespaced(),
            has_status: version.has_status_subresource(),
            keeps_all_fields: crd.json().pointer("/spec/preserveUnknownFields")
                == Some(&Value::Bool(true)),
        })
    }

    /// Returns true if both versions have the same schema and the same subresources, so they give
    /// the same answers.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        self.schema == other.schema
            && self.subresources == other.subresources
            && (self.name == other.name || !reads_api_version(self.schema))
    }

    /// Returns the object with the type and the metadata that the version demands.
    fn complete(&self, object: &Value) -> Value {
        let mut fields = object.as_object().cloned().unwrap_or_default();
        fields.insert("apiVersion".to_owned(), json!(self.api_version));
        fields.insert("kind".to_owned(), json!(self.kind));
        let metadata = fields.entry("metadata").or_insert_with(|| json!({}));
        if let Some(metadata) = metadata.as_object_mut() {
            let name = metadata.entry("name");
            name.or_insert_with(|| json!("example"));
            if self.is_namespaced {
                metadata.insert("namespace".to_owned(), json!("default"));
            }
        }
        Value::Object(fields)
    }

    /// Creates an object and writes its status.
    pub(crate) fn create(&self, object: &Value) -> WriteAnswer {
        let mut request = Request::new(&self.server, &self.settings).with_origins();
        let (report, stored) = self.send_create(&mut request, object);
        answer_of(&request, &report, stored)
    }

    /// Returns the errors of the creation of an object and of the write of its status.
    pub(crate) fn create_errors(&self, object: &Value) -> Vec<Violation> {
        let mut request = Request::new(&self.server, &self.settings);
        let (report, _) = self.send_create(&mut request, object);
        report.errors().to_vec()
    }

    /// Returns the report and the object of the last write.
    fn send_create(&self, request: &mut Request<'_>, object: &Value) -> (Report, Value) {
        let complete = self.complete(object);
        let mut stored = complete.clone();
        let report = request.create(&mut stored);
        if self.has_status
            && report.is_accepted()
            && let Some(status) = complete.get("status")
        {
            let old = with_resource_version(stored);
            let mut new = with_field(&old, "status", status.clone());
            let report = request.update_status(&mut new, &old);
            return (report, new);
        }
        (report, stored)
    }

    /// Adds an annotation to a stored object.
    pub(crate) fn update_annotation(&self, stored: &Value) -> WriteAnswer {
        let old = with_resource_version(self.complete(stored));
        let mut new = old.clone();
        if let Some(metadata) = new.get_mut("metadata").and_then(Value::as_object_mut) {
            let annotations = metadata.entry("annotations");
            let annotations = annotations.or_insert_with(|| json!({}));
            if let Some(annotations) = annotations.as_object_mut() {
                annotations.insert(UNRELATED_ANNOTATION.to_owned(), json!("yes"));
            }
        }
        let mut request = Request::new(&self.server, &self.settings).with_origins();
        let report = request.update(&mut new, &old);
        answer_of(&request, &report, new)
    }

    /// Replaces a stored object by another, and writes its status.
    pub(crate) fn replace(&self, stored: &Value, object: &Value) -> WriteAnswer {
        let old = with_resource_version(self.complete(stored));
        let complete = with_resource_version(self.complete(object));
        let mut new = complete.clone();
        let mut request = Request::new(&self.server, &self.settings).with_origins();
        let mut report = request.update(&mut new, &old);
        if self.has_status
            && report.is_accepted()
            && let Some(status) = complete.get("status")
        {
            let old = new;
            new = with_field(&old, "status", status.clone());
            report = request.update_status(&mut new, &old);
        }
        answer_of(&request, &report, new)
    }
}

/// Returns true if a schema may distinguish versions by the `apiVersion` of an object.
fn reads_api_version(schema: &Value) -> bool {
    let rules = schema.get("x-kubernetes-validations");
    let api_version = schema.pointer("/properties/apiVersion");
    let mut keywords = api_version
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::keys);
    rules.is_some_and(|rules| rules.to_string().contains("apiVersion"))
        || keywords.any(|keyword| keyword != "type" && keyword != "description")
}

fn answer_of(request: &Request<'_>, report: &Report, stored: Value) -> WriteAnswer {
    let answer = Answer::new(report);
    let is_stored = !answer.is_rejected();
    let errors = if is_stored {
        report.tolerated()
    } else {
        report.errors()
    };
    let errors = errors.iter().map(|violation| JudgedError {
        violation: violation.clone(),
        origins: request.origins(violation).to_vec(),
    });
    WriteAnswer {
        answer,
        errors: errors.collect(),
        stored: is_stored.then(|| without_type(stored)),
    }
}

/// Returns the object without the fields that differ between versions.
fn without_type(mut object: Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        for name in ["apiVersion", "kind"] {
            fields.remove(name);
        }
        if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
            for name in ["namespace", "resourceVersion", "generation"] {
                metadata.remove(name);
            }
        }
    }
    object
}

fn with_field(object: &Value, name: &str, value: Value) -> Value {
    let mut fields: Map<String, Value> = object.as_object().cloned().unwrap_or_default();
    fields.insert(name.to_owned(), value);
    Value::Object(fields)
}

fn with_resource_version(mut object: Value) -> Value {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.insert("resourceVersion".to_owned(), json!("1"));
    }
    object
}
