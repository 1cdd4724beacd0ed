//! Decoding and validation of embedded resources: objects inside other objects that have an API
//! version, a kind and metadata (`x-kubernetes-embedded-resource`).

use serde_json::{Map, Value};

use super::validate::errors::MetadataErrors;
use super::validate::rules::{NameValidation, Scope, validate_object_meta};
use super::{coerce, coerce_stored, is_coerced, names};
use crate::schema::print::bad_value;
use crate::schema::unknown::unknown_fields::UnknownFields;
use crate::schema::{NodeId, StructuralSchema};
use k8s_cel::KubeVersion;
use k8s_json_internals::deep;
use union_runtime::path::{Path, PathStep};
use union_runtime::{BadValue, Violation, ViolationKind};

/// Decodes `apiVersion`, `kind` and the metadata of all embedded resources of an object. Removes
/// unknown fields of the metadata, and adds them to `unknown`. The root is not an embedded
/// resource.
///
/// # Errors
///
/// Returns an error of kind `BadRequest` (400) if an embedded resource cannot be decoded.
pub(crate) fn coerce_embedded(
    schema: &StructuralSchema,
    object: &mut Value,
    unknown: &mut UnknownFields<'_>,
) -> Result<(), Violation> {
    let start = unknown.len();
    let mut coercer = EmbeddedCoercion {
        schema,
        kind: ViolationKind::BadRequest,
        removes_invalid: false,
        unknown,
    };
    coercer.walk(StructuralSchema::ROOT, object, &Path::ROOT)?;
    unknown.sort_by_printed_path(start);
    Ok(())
}

/// Decodes the embedded resources in a value of the schema `id`, such as a default. Paths begin at
/// the value. A value of the root schema is itself decoded as a resource.
///
/// # Errors
///
/// Returns an error of kind `Invalid` if an embedded resource cannot be decoded.
pub(crate) fn coerce_default(
    schema: &StructuralSchema,
    id: NodeId,
    value: &mut Value,
) -> Result<(), Violation> {
    let mut coercer = EmbeddedCoercion {
        schema,
        kind: ViolationKind::Invalid,
        removes_invalid: false,
        unknown: &mut UnknownFields::off(),
    };
    if let (StructuralSchema::ROOT, Value::Object(object)) = (id, &mut *value) {
        coercer.coerce_resource(object, &Path::ROOT)?;
    }
    coercer.walk(id, value, &Path::ROOT)
}

/// Decodes the embedded resources of a stored object. Removes fields that cannot be decoded.
pub(crate) fn coerce_embedded_stored(schema: &StructuralSchema, object: &mut Value) {
    let mut coercer = EmbeddedCoercion {
        schema,
        kind: ViolationKind::BadRequest,
        removes_invalid: true,
        unknown: &mut UnknownFields::off(),
    };
    // The result is always `Ok`, because `removes_invalid` is true.
    let _ = coercer.walk(StructuralSchema::ROOT, object, &Path::ROOT);
}

/// Decodes the embedded resources of an object that contains only a default. The root is decoded as
/// a resource too. Removes fields that cannot be decoded.
pub(crate) fn coerce_object_around_default(schema: &StructuralSchema, object: &mut Value) {
    let mut coercer = EmbeddedCoercion {
        schema,
        kind: ViolationKind::Invalid,
        removes_invalid: true,
        unknown: &mut UnknownFields::off(),
    };
    let at = Path::ROOT;
    if let Value::Object(object) = &mut *object {
        let _ = coercer.coerce_resource(object, &at);
    }
    let _ = coercer.walk(StructuralSchema::ROOT, object, &at);
}

/// A walk that decodes embedded resources.
struct EmbeddedCoercion<'s, 'u> {
    schema: &'s StructuralSchema,
    /// The kind of the error if a resource cannot be decoded.
    kind: ViolationKind,
    /// True if fields that cannot be decoded are removed, without an error.
    removes_invalid: bool,
    /// The unknown fields of the metadata that were removed.
    unknown: &'s mut UnknownFields<'u>,
}

impl EmbeddedCoercion<'_, '_> {
    fn walk(&mut self, id: NodeId, value: &mut Value, at: &Path<'_>) -> Result<(), Violation> {
        let node = self.schema.node(id);
        if !node.subtree.has_embedded {
            return Ok(());
        }
        match value {
            Value::Object(object) => {
                if node.embedded {
                    self.coerce_resource(object, at)?;
                }
                for (key, value) in object {
                    if let Some((id, step)) = node.child_and_step(key) {
                        self.walk(id, value, &at.step(step))?;
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(id) = node.items {
                        self.walk(id, item, &at.step(PathStep::Index(index)))?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn coerce_resource(
        &mut self,
        object: &mut Map<String, Value>,
        at: &Path<'_>,
    ) -> Result<(), Violation> {
        for field in ["apiVersion", "kind"] {
            if let Some(value) = object.get(field).filter(|value| !value.is_string()) {
                if !self.removes_invalid {
                    return Err(self.coercion_error(at, field, value, "must be a string"));
                }
                deep::remove(object, field);
            }
        }
        if let Some(metadata) = object.get_mut("metadata") {
            if self.removes_invalid {
                coerce_stored(metadata);
            } else if let Err(error) = coerce(metadata, &at.field("metadata"), self.unknown) {
                return Err(self.coercion_error(at, "metadata", metadata, &error));
            }
        }
        Ok(())
    }

    fn coercion_error(&self, at: &Path<'_>, field: &str, value: &Value, detail: &str) -> Violation {
        let path = at.field(field).to_field_path();
        Violation::from_parts(self.kind, path, bad_value(value), detail.to_owned())
    }
}

/// Validates all embedded resources of a decoded object.
pub(crate) fn validate_embedded(
    schema: &StructuralSchema,
    object: &Value,
    version: KubeVersion,
    errors: &mut Vec<Violation>,
) {
    let errors = &mut MetadataErrors {
        path: &Path::ROOT,
        version,
        errors,
    };
    validate(schema, StructuralSchema::ROOT, object, errors);
}

/// Validates the embedded resources in a value that [`coerce_default`] has decoded.
pub(crate) fn validate_default(
    schema: &StructuralSchema,
    id: NodeId,
    value: &Value,
    version: KubeVersion,
    errors: &mut Vec<Violation>,
) {
    let errors = &mut MetadataErrors {
        path: &Path::ROOT,
        version,
        errors,
    };
    if let (StructuralSchema::ROOT, Value::Object(object)) = (id, value)
        && !schema.node(id).embedded
    {
        check_resource(object, errors);
    }
    validate(schema, id, value, errors);
}

/// Validates the embedded resources in a value. The path of `errors` is the path of the value.
fn validate(schema: &StructuralSchema, id: NodeId, value: &Value, errors: &mut MetadataErrors<'_>) {
    let node = schema.node(id);
    if !node.subtree.has_embedded {
        return;
    }
    match value {
        Value::Object(object) => {
            if node.embedded {
                check_resource(object, errors);
            }
            for (key, value) in object {
                if let Some((id, step)) = node.child_and_step(key) {
                    let child_path = errors.path.step(step);
                    validate(schema, id, value, &mut errors.at(&child_path));
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if let Some(id) = node.items {
                    let item_path = errors.path.step(PathStep::Index(index));
                    validate(schema, id, item, &mut errors.at(&item_path));
                }
            }
        }
        _ => {}
    }
}

/// Checks one embedded resource. `apiVersion` and `kind` are required; the name is optional.
fn check_resource(object: &Map<String, Value>, errors: &mut MetadataErrors<'_>) {
    for (field, check) in [
        (
            "apiVersion",
            check_api_version as fn(&mut MetadataErrors<'_>, &str),
        ),
        ("kind", check_kind),
    ] {
        match object.get(field) {
            None => errors.report(ViolationKind::Required, field, BadValue::Omitted, ""),
            Some(Value::String(string)) if string.is_empty() => {
                errors.invalid(field, BadValue::Quoted(String::new()), "must not be empty");
            }
            Some(Value::String(string)) => check(errors, string),
            Some(value) => errors.invalid(field, bad_value(value), "must be a string"),
        }
    }
    let Some(metadata) = object.get("metadata") else {
        return;
    };
    if is_coerced(metadata) {
        return check_metadata(errors, metadata);
    }
    // The caller passed an object whose metadata this schema has not decoded.
    let mut decoded = deep::DeepValue::copy(metadata);
    match coerce(&mut decoded, &Path::ROOT, &mut UnknownFields::off()) {
        Ok(()) => check_metadata(errors, &decoded),
        Err(message) => errors.invalid("metadata", bad_value(metadata), &message),
    }
}

fn check_api_version(errors: &mut MetadataErrors<'_>, string: &str) {
    if string.split('/').count() > 2 {
        let detail = format!("unexpected GroupVersion string: {string}");
        errors.invalid("apiVersion", BadValue::Quoted(string.to_owned()), &detail);
    }
}

fn check_kind(errors: &mut MetadataErrors<'_>, string: &str) {
    let messages = names::check_dns1035_label(&names::lowercase(string));
    if !messages.is_empty() {
        let detail = format!(
            "may have mixed case, but should otherwise match: {}",
            messages.join(",")
        );
        errors.invalid("kind", BadValue::Quoted(string.to_owned()), &detail);
    }
}

/// Checks the metadata of an embedded resource. A namespace is allowed, because the scope of the
/// resource is unknown.
fn check_metadata(errors: &mut MetadataErrors<'_>, metadata: &Value) {
    let namespace = metadata.get("namespace").and_then(Value::as_str);
    let scope = match namespace {
        None | Some("") => Scope::Cluster,
        Some(_) => Scope::Namespaced,
    };
    let at = errors.path.field("metadata");
    let version = errors.version;
    let names = match metadata.get("name").and_then(Value::as_str) {
        None | Some("") => NameValidation::NamelessPathSegment,
        Some(_) => NameValidation::PathSegment,
    };
    validate_object_meta(
        Some(metadata),
        names,
        scope,
        version,
        &at,
        &mut *errors.errors,
    );
}
