//! Reads and writes the annotation that contains the unions of a CRD. The annotation is needed
//! because an API server removes the extension from schemas.

use serde_json::{Map, Value};

use crate::document::crd::Crd;
use crate::error::SchemaError;
use crate::pointer::escape;
use k8s_json_internals::deep::is_deeper;
use union_runtime::schema_keys::UNIONS;

/// The key of the annotation that contains the `x-kubernetes-unions` extensions of a CRD.
///
/// The value of the annotation is a JSON object that maps each version to another object. This
/// object maps JSON pointers, relative to `openAPIV3Schema`, to extensions:
///
/// `{"v1": {"/properties/spec/properties/type": {"fieldMembers": {...}}}}`
pub const ANNOTATION: &str = "union-runtime.dev/unions";

/// The former key of the annotation, which has no DNS prefix. An annotation with this key is still
/// read.
pub const OLD_ANNOTATION: &str = "union-runtime/unions";

/// The annotation that contains the unions of a CRD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnionsAnnotation<'v> {
    /// The key of the annotation: [`ANNOTATION`] or [`OLD_ANNOTATION`].
    pub key: &'static str,
    /// The value of the annotation, which is a string in a valid CRD.
    pub value: &'v Value,
}

/// Returns the annotation that contains the unions of a CRD. If both keys are present, the
/// annotation has the key [`ANNOTATION`].
///
/// ```
/// use serde_json::json;
/// use union_json::{OLD_ANNOTATION, find_annotation};
///
/// let crd = json!({"metadata": {"annotations": {OLD_ANNOTATION: "{}"}}});
/// let annotation = find_annotation(&crd).unwrap();
/// assert_eq!((annotation.key, annotation.value), (OLD_ANNOTATION, &json!("{}")));
/// ```
#[must_use]
pub fn find_annotation(crd: &Value) -> Option<UnionsAnnotation<'_>> {
    let annotations = crd.pointer("/metadata/annotations")?;
    let mut keys = [ANNOTATION, OLD_ANNOTATION].into_iter();
    keys.find_map(|key| {
        let value = annotations.get(key)?;
        Some(UnionsAnnotation { key, value })
    })
}

/// Returns the value of [`ANNOTATION`] for a CRD whose schemas contain the extension. Returns
/// `None` if no schema contains the extension.
///
/// Add this annotation to the CRD that you apply to a cluster. Without the annotation, the unions
/// are lost: an API server does not know the extension, and strict clients reject the extension.
/// The crate `union-kube` adds the annotation.
///
/// ```
/// use serde_json::json;
///
/// let crd = json!({"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": {
///     "x-kubernetes-unions": [{"fields-to-discriminateBy": {"git": "Git"}}],
/// }}}]}});
/// assert_eq!(
///     union_json::annotation(&crd).unwrap(),
///     r#"{"v1":{"":[{"fields-to-discriminateBy":{"git":"Git"}}]}}"#,
/// );
/// ```
#[must_use]
pub fn annotation(crd: &Value) -> Option<String> {
    let mut extensions_by_version = Map::new();
    for version in Crd::new(crd).versions() {
        let (Some(name), Some(schema)) = (version.name(), version.schema()) else {
            continue;
        };
        let extensions = collect_extensions(schema);
        if !extensions.is_empty() {
            extensions_by_version.insert(name.to_owned(), extensions.into());
        }
    }
    (!extensions_by_version.is_empty()).then(|| Value::from(extensions_by_version).to_string())
}

/// Returns the extensions in a schema, by the JSON pointers to the schemas that contain them.
fn collect_extensions(schema: &Value) -> Map<String, Value> {
    let mut extensions = Map::new();
    let mut schemas = vec![VisitedSchema {
        parent: 0,
        step: String::new(),
        schema,
    }];
    let mut index = 0;
    while let Some(VisitedSchema { schema, .. }) = schemas.get(index) {
        let schema = *schema;
        // A valid extension has fewer than 64 levels. Invalid extensions are rejected when the
        // schema is compiled, and a deep extension must not overflow the stack of `clone`.
        let extension = schema.get(UNIONS);
        if let Some(extension) = extension.filter(|extension| !is_deeper(extension, 64)) {
            extensions.insert(pointer_to(&schemas, index), extension.clone());
        }
        let mut add_schema = |step: String, schema| {
            let parent = index;
            schemas.push(VisitedSchema {
                parent,
                step,
                schema,
            });
        };
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for (name, schema) in properties {
                let name = escape(name);
                add_schema(format!("/properties/{name}"), schema);
            }
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(schema) = schema.get(keyword) {
                add_schema(format!("/{keyword}"), schema);
            }
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = schema.get(keyword) {
                for (i, branch) in branches.iter().enumerate() {
                    add_schema(format!("/{keyword}/{i}"), branch);
                }
            }
        }
        index += 1;
    }
    extensions
}

/// A schema that [`collect_extensions`] visits. The entry contains a step instead of the JSON
/// pointer, so that a pointer is built only for a schema with an extension.
struct VisitedSchema<'v> {
    /// The index of the outer schema. The first schema has no outer schema.
    parent: usize,
    /// The part of the JSON pointer that follows the pointer to the outer schema.
    step: String,
    schema: &'v Value,
}

/// Returns the JSON pointer to the schema at an index.
fn pointer_to(schemas: &[VisitedSchema<'_>], mut index: usize) -> String {
    let mut steps = Vec::new();
    while let Some(VisitedSchema { parent, step, .. }) = schemas.get(index).filter(|_| index > 0) {
        steps.push(step.as_str());
        index = *parent;
    }
    steps.reverse();
    steps.concat()
}

/// Returns the JSON pointer to the annotation with this key in a CRD.
pub(crate) fn annotation_pointer(key: &str) -> String {
    format!("/metadata/annotations/{}", escape(key))
}

/// The extensions that an annotation contains for a version, and the key of the annotation.
pub(crate) struct AnnotatedExtensions {
    pub(crate) key: &'static str,
    pub(crate) extensions: Map<String, Value>,
}

impl Default for AnnotatedExtensions {
    fn default() -> Self {
        Self {
            key: ANNOTATION,
            extensions: Map::new(),
        }
    }
}

/// Reads the extensions for a version from the annotation of a CRD. The result is empty if there is
/// no annotation, or if the annotation does not contain the version.
pub(crate) fn read_annotation(
    crd: &Value,
    version: &str,
) -> Result<AnnotatedExtensions, SchemaError> {
    let Some(UnionsAnnotation { key, value }) = find_annotation(crd) else {
        return Ok(AnnotatedExtensions::default());
    };
    let error = |problem: String| Err(SchemaError::new(annotation_pointer(key), problem));
    let old_value = crd.pointer(&annotation_pointer(OLD_ANNOTATION));
    if old_value.is_some_and(|old_value| old_value != value) {
        return error(format!(
            "annotation {OLD_ANNOTATION:?} contradicts {ANNOTATION:?}; remove the former, which is the old name"
        ));
    }
    let Some(json) = value.as_str() else {
        return error("the annotation must be a string that contains JSON".to_owned());
    };
    let parsed_value: Value = match serde_json::from_str(json) {
        Ok(parsed_value) => parsed_value,
        Err(cause) => {
            let problem = format!(
                "invalid JSON: {cause}; expected {{\"v1\": {{\"/properties/spec\": ...}}}}"
            );
            return Err(SchemaError::new(annotation_pointer(key), problem).with_source(cause));
        }
    };
    let Value::Object(mut versions) = parsed_value else {
        return error(
            "expected an object that maps versions to JSON pointers to extensions".to_owned(),
        );
    };
    match versions.remove(version) {
        None => Ok(AnnotatedExtensions::default()),
        Some(Value::Object(extensions)) => Ok(AnnotatedExtensions { key, extensions }),
        Some(_) => error(format!(
            "version {version:?} must be an object that maps JSON pointers to extensions"
        )),
    }
}
