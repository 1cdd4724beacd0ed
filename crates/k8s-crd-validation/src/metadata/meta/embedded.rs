//! Embedded resources: objects with a type and metadata inside of other objects.

use serde_json::{Map, Value};

use super::errors::MetadataErrors;
use super::rules::{NameValidation, Scope, validate_object_meta};
use super::{coerce, coerce_stored, is_coerced, names};
use crate::schema::print::bad_value;
use crate::schema::unknown_fields::UnknownFields;
use crate::schema::{NodeId, StructuralSchema};
use k8s_json_internals::deep;
use union_runtime::path::{Path, PathStep};
use union_runtime::{BadValue, Violation, ViolationKind};

/// Decodes the types and the metadata of all embedded resources, and removes unknown fields of the
/// metadata, which are added to `unknown`. The root is not an embedded resource.
///
/// # Errors
///
/// Returns an error if an embedded resource cannot be decoded. The request is then a bad request
/// (400).
pub(crate) fn coerce_embedded(
    schema: &StructuralSchema,
    object: &mut Value,
    unknown: &mut UnknownFields<'_>,
) -> Result<(), Violation> {
    let start = unknown.len();
    let mut coercer = EmbeddedCoercion {
        schema,
        kind: ViolationKind::BadRequest,
        drops: false,
        unknown,
    };
    coercer.walk(StructuralSchema::ROOT, object, &Path::ROOT)?;
    unknown.sort_by_printed_path(start);
    Ok(())
}

/// Decodes the embedded resources in a value of a schema, such as a default. Paths begin at the
/// value. A value for the root is a resource.
///
/// # Errors
///
/// Returns an error if an embedded resource cannot be decoded.
pub(crate) fn coerce_default(
    schema: &StructuralSchema,
    id: NodeId,
    value: &mut Value,
) -> Result<(), Violation> {
    let mut coercer = EmbeddedCoercion {
        schema,
        kind: ViolationKind::Invalid,
        drops: false,
        unknown: &mut UnknownFields::off(),
    };
    if let (StructuralSchema::ROOT, Value::Object(object)) = (id, &mut *value) {
        coercer.coerce_resource(object, &Path::ROOT)?;
    }
    coercer.walk(id, value, &Path::ROOT)
}

/// Decodes the embedded resources of a stored object: fields that cannot be decoded are removed.
pub(crate) fn coerce_embedded_stored(schema: &StructuralSchema, object: &mut Value) {
    let mut coercer = EmbeddedCoercion {
        schema,
        kind: ViolationKind::BadRequest,
        drops: true,
        unknown: &mut UnknownFields::off(),
    };
    // With `drops`, the walk removes invalid fields and returns no error.
    let _ = coercer.walk(StructuralSchema::ROOT, object, &Path::ROOT);
}

/// Decodes the embedded resources of an object that contains only a default. Its root is a resource
/// too.
pub(crate) fn coerce_object_around_default(schema: &StructuralSchema, object: &mut Value) {
    let mut coercer = EmbeddedCoercion {
        schema,
        kind: ViolationKind::Invalid,
        drops: true,
        unknown: &mut UnknownFields::off(),
    };
    let at = Path::ROOT;
    if let Value::Object(object) = &mut *object {
        let _ = coercer.coerce_resource(object, &at);
    }
    let _ = coercer.walk(StructuralSchema::ROOT, object, &at);
}

struct EmbeddedCoercion<'s, 'u> {
    schema: &'s StructuralSchema,
    kind: ViolationKind,
    drops: bool,
    /// The unknown fields of the metadata.
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
                if !self.drops {
                    return Err(self.coercion_error(at, field, value, "must be a string"));
                }
                deep::remove(object, field);
            }
        }
        if let Some(metadata) = object.get_mut("metadata") {
            if self.drops {
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
    sink: &mut Vec<Violation>,
) {
    validate(schema, StructuralSchema::ROOT, object, &Path::ROOT, sink);
}

/// Validates the embedded resources in a value that [`coerce_default`] has decoded.
pub(crate) fn validate_default(
    schema: &StructuralSchema,
    id: NodeId,
    value: &Value,
    sink: &mut Vec<Violation>,
) {
    let at = Path::ROOT;
    if let (StructuralSchema::ROOT, Value::Object(object)) = (id, value)
        && !schema.node(id).embedded
    {
        let sink = &mut *sink;
        check_resource(
            object,
            &mut MetadataErrors {
                path: &at,
                errors: sink,
            },
        );
    }
    validate(schema, id, value, &at, sink);
}

fn validate(
    schema: &StructuralSchema,
    id: NodeId,
    value: &Value,
    at: &Path<'_>,
    sink: &mut Vec<Violation>,
) {
    let node = schema.node(id);
    if !node.subtree.has_embedded {
        return;
    }
    match value {
        Value::Object(object) => {
            if node.embedded {
                check_resource(
                    object,
                    &mut MetadataErrors {
                        path: at,
                        errors: &mut *sink,
                    },
                );
            }
            for (key, value) in object {
                if let Some((id, step)) = node.child_and_step(key) {
                    validate(schema, id, value, &at.step(step), sink);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if let Some(id) = node.items {
                    validate(schema, id, item, &at.step(PathStep::Index(index)), sink);
                }
            }
        }
        _ => {}
    }
}

/// Checks one embedded resource. `apiVersion` and `kind` are required, and the name is optional.
fn check_resource(object: &Map<String, Value>, rules: &mut MetadataErrors<'_>) {
    for (field, check) in [
        (
            "apiVersion",
            check_api_version as fn(&mut MetadataErrors<'_>, &str),
        ),
        ("kind", check_kind),
    ] {
        match object.get(field) {
            None => rules.report(ViolationKind::Required, field, BadValue::Omitted, ""),
            Some(Value::String(text)) if text.is_empty() => {
                rules.invalid(field, BadValue::Quoted(String::new()), "must not be empty");
            }
            Some(Value::String(text)) => check(rules, text),
            Some(value) => rules.invalid(field, bad_value(value), "must be a string"),
        }
    }
    let Some(metadata) = object.get("metadata") else {
        return;
    };
    if is_coerced(metadata) {
        return check_metadata(rules, metadata);
    }
    // This schema does not decode the metadata in an object of another kind.
    let mut own = deep::DeepValue::copy(metadata);
    match coerce(&mut own, &Path::ROOT, &mut UnknownFields::off()) {
        Ok(()) => check_metadata(rules, &own),
        Err(problem) => rules.invalid("metadata", bad_value(metadata), &problem),
    }
}

fn check_api_version(rules: &mut MetadataErrors<'_>, text: &str) {
    if text.split('/').count() > 2 {
        let detail = format!("unexpected GroupVersion string: {text}");
        rules.invalid("apiVersion", BadValue::Quoted(text.to_owned()), &detail);
    }
}

fn check_kind(rules: &mut MetadataErrors<'_>, text: &str) {
    let wrong = names::check_dns1035_label(&names::lowercase(text));
    if !wrong.is_empty() {
        let detail = format!(
            "may have mixed case, but should otherwise match: {}",
            wrong.join(",")
        );
        rules.invalid("kind", BadValue::Quoted(text.to_owned()), &detail);
    }
}

fn check_metadata(rules: &mut MetadataErrors<'_>, metadata: &Value) {
    let namespace = metadata.get("namespace").and_then(Value::as_str);
    let scope = match namespace {
        None | Some("") => Scope::Cluster,
        Some(_) => Scope::Namespaced,
    };
    let at = rules.path.field("metadata");
    let names = match metadata.get("name").and_then(Value::as_str) {
        None | Some("") => NameValidation::NamelessPathSegment,
        Some(_) => NameValidation::PathSegment,
    };
    validate_object_meta(Some(metadata), names, scope, &at, &mut *rules.errors);
}
