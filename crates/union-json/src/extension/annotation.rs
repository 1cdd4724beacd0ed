//! The annotation that contains the unions of a CRD. The annotation is needed because an API server
//! does not keep the extension in a schema.

use serde_json::{Map, Value};

use crate::document::crd::Crd;
use crate::error::SchemaError;
use crate::pointer::escape;
use k8s_json_internals::deep::is_deeper;
use union_runtime::schema_keys::UNIONS;

/// The key of the annotation that contains the `x-kubernetes-unions` extensions of the schemas of a
/// CRD. The value is a JSON object that maps each version to an object, which maps JSON pointers
/// below `openAPIV3Schema` to extensions:
///
/// `{"v1": {"/properties/spec/properties/type": {"fieldMembers": {...}}}}`
pub const ANNOTATION: &str = "union-runtime.dev/unions";

/// The former key of [`ANNOTATION`], which does not have a DNS prefix. The annotation with this key
/// is still read.
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

/// Returns the annotation that contains the unions of a CRD: the annotation [`ANNOTATION`], or
/// [`OLD_ANNOTATION`] if the CRD has only the old key.
///
/// ```
/// use serde_json::json;
/// use union_json::{OLD_ANNOTATION, find_annotation};
///
/// let crd = json!({"metadata": {"annotations": {OLD_ANNOTATION: "{}"}}});
/// let found = find_annotation(&crd).unwrap();
/// assert_eq!((found.key, found.value), (OLD_ANNOTATION, &json!("{}")));
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

/// Returns the value of [`ANNOTATION`] for a CRD whose schemas have the extension. Returns `None`
/// if no schema has the extension.
///
/// Add this annotation to the CRD that you apply to a cluster, because an API server does not know
/// the extension as a keyword of a schema, and strict clients reject such a schema. The crate
/// `union-kube` adds the annotation.
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
    let mut of_versions = Map::new();
    for version in Crd::new(crd).versions() {
        let (Some(name), Some(schema)) = (version.name(), version.schema()) else {
            continue;
        };
        let extensions = collect_extensions(schema);
        if !extensions.is_empty() {
            of_versions.insert(name.to_owned(), extensions.into());
        }
    }
    (!of_versions.is_empty()).then(|| Value::from(of_versions).to_string())
}

/// Returns the extensions in a schema. The keys are the JSON pointers to the schemas that have the
/// extensions.
fn collect_extensions(schema: &Value) -> Map<String, Value> {
    let mut extensions = Map::new();
    // An entry consists of the index of the outer schema, the step from the outer schema, and the
    // schema. So the JSON pointer is built only for a schema with an extension.
    let mut schemas = vec![(0, String::new(), schema)];
    let mut next = 0;
    while let Some((_, _, schema)) = schemas.get(next) {
        let schema = *schema;
        // An extension that is deeper is invalid, and readers of the schema reject it.
        let extension = schema.get(UNIONS);
        if let Some(extension) = extension.filter(|extension| !is_deeper(extension, 64)) {
            extensions.insert(pointer_to(&schemas, next), extension.clone());
        }
        let mut add = |step: String, schema| schemas.push((next, step, schema));
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for (name, schema) in properties {
                let name = escape(name);
                add(format!("/properties/{name}"), schema);
            }
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(schema) = schema.get(keyword) {
                add(format!("/{keyword}"), schema);
            }
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = schema.get(keyword) {
                for (i, branch) in branches.iter().enumerate() {
                    add(format!("/{keyword}/{i}"), branch);
                }
            }
        }
        next += 1;
    }
    extensions
}

fn pointer_to(schemas: &[(usize, String, &Value)], mut number: usize) -> String {
    let mut steps = Vec::new();
    while let Some((before, step, _)) = schemas.get(number).filter(|_| number > 0) {
        steps.push(step.as_str());
        number = *before;
    }
    steps.reverse();
    steps.concat()
}

/// Returns the JSON pointer to the annotation with this key in a CRD.
pub(crate) fn annotation_pointer(key: &str) -> String {
    format!("/metadata/annotations/{}", escape(key))
}

/// The extensions for a version in the annotation of a CRD, and the key of the annotation.
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

/// Reads the extensions for a version from the annotation of a CRD.
pub(crate) fn read_annotation(
    crd: &Value,
    version: &str,
) -> Result<AnnotatedExtensions, SchemaError> {
    let Some(UnionsAnnotation { key, value: text }) = find_annotation(crd) else {
        return Ok(AnnotatedExtensions::default());
    };
    let wrong = |problem: String| Err(SchemaError::new(annotation_pointer(key), problem));
    let old = crd.pointer(&annotation_pointer(OLD_ANNOTATION));
    if old.is_some_and(|old| old != text) {
        return wrong(format!(
            "annotation {OLD_ANNOTATION:?} contradicts {ANNOTATION:?}; remove the former, which is the old name"
        ));
    }
    let Some(text) = text.as_str() else {
        return wrong("the annotation must be a string that contains JSON".to_owned());
    };
    let parsed: Value = match serde_json::from_str(text) {
        Ok(parsed) => parsed,
        Err(error) => {
            let problem = format!(
                "invalid JSON: {error}; expected {{\"v1\": {{\"/properties/spec\": ...}}}}"
            );
            return Err(SchemaError::new(annotation_pointer(key), problem).with_source(error));
        }
    };
    let Value::Object(mut versions) = parsed else {
        return wrong(
            "expected an object that maps versions to JSON pointers to extensions".to_owned(),
        );
    };
    match versions.remove(version) {
        None => Ok(AnnotatedExtensions::default()),
        Some(Value::Object(extensions)) => Ok(AnnotatedExtensions { key, extensions }),
        Some(_) => wrong(format!(
            "version {version:?} must be an object that maps JSON pointers to extensions"
        )),
    }
}
