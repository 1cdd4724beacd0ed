//! The CRD of a type, in its two forms.

use kube_core::CustomResourceExt;
use kube_core::schema::{OptionalEnum, OptionalIntOrString, StructuralSchemaRewriter};
use schemars::generate::SchemaSettings;
use schemars::transform::{AddNullable, Transform as _};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use super::recursion::recursion_error;
use crate::error::CrdError;
use crate::extensions::{add_extensions, remove_extensions};
use crate::print::with_sorted_keys;
use union_json::{ANNOTATION, annotation, document};
use union_runtime::Report;
use union_runtime::path::Path;
use union_runtime::schema::FinishSchema;

/// The maximum size of all annotations of an object, as an API server limits it.
const MAX_ANNOTATION_BYTES: usize = 256 * 1024;

/// The CRD of a kube-rs type, or of several types that are versions of one kind, in two forms: for
/// the cluster and for tools.
#[derive(Clone, Debug, PartialEq)]
pub struct Crd {
    /// The form for the cluster.
    cluster: Value,
    /// The form for tools, with the extension keys.
    full: Value,
}

impl Crd {
    /// Returns the CRD of a type with `#[derive(CustomResource)]`.
    ///
    /// The result is kube's CRD, with the parts that kube's type or schemars' flatten drops: the
    /// docs of enum values, and the rules of flattened unions. The full form also contains the
    /// extension keys. At some positions an API server has no old object. A rule that needs the old
    /// object is replaced by a plain rule there
    /// ([`place_rules`](k8s_crd_validation::crd::place_rules)). The [front page](crate) has an
    /// example.
    ///
    /// # Errors
    ///
    /// Returns an error if kube's schema does not match the schema of the type, if a type contains
    /// itself, or if the annotations with the unions exceed 256 KiB.
    ///
    /// # Panics
    ///
    /// Panics if [`add_enum`](union_runtime::add_enum) panics, and if kube's own transforms panic,
    /// for example for an enum with data.
    pub fn from_type<K: CustomResourceExt + JsonSchema>() -> Result<Self, CrdError> {
        let name = K::crd_name();
        let full = serde_json::to_value(K::crd());
        let mut full = full.map_err(|error| CrdError::not_json(name, error))?;
        let generated_schema = generate_schema::<K>().to_value();
        let versions = full.pointer_mut("/spec/versions");
        for version in versions.and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") else {
                continue;
            };
            add_extensions(schema, &generated_schema, &Path::ROOT)
                .map_err(|error| error.with_crd(name))?;
            *schema = finish_schema(schema.take());
            if let Some(error) = recursion_error(schema) {
                return Err(error.with_crd(name));
            }
        }
        Self::from_full(full)
    }

    /// Creates a CRD from its full form, which may be unsorted.
    pub(crate) fn from_full(full: Value) -> Result<Self, CrdError> {
        let mut full = with_sorted_keys(full);
        remove_annotation(&mut full);
        // The rules depend on the position in the CRD, which the derive of a type does not know.
        k8s_crd_validation::crd::place_rules(&mut full);
        // Tools report fields that a server does not store as differences.
        k8s_crd_validation::crd::remove_unstored_fields(&mut full);
        let mut cluster = full.clone();
        remove_extensions(&mut cluster);
        // The value of the annotation is JSON, so its keys are sorted too.
        let unions = annotation(&full).and_then(|unions| serde_json::from_str(&unions).ok());
        if let Some(unions) = unions.map(with_sorted_keys) {
            set_annotation(&mut cluster, unions.to_string())?;
        }
        Ok(Self { cluster, full })
    }

    /// Returns the CRD for the cluster. An API server knows all of its keys, so strict field
    /// validation accepts them. [`lint`](Self::lint) reports other errors, such as rules that cost
    /// too much.
    #[must_use]
    pub const fn for_cluster(&self) -> &Value {
        &self.cluster
    }

    /// Returns the CRD with the extension keys, for tools, documents and [`union_json`]. This form
    /// does not have the annotation.
    #[must_use]
    pub const fn with_extensions(&self) -> &Value {
        &self.full
    }

    /// Returns the name of the CRD: `documents.docs.example.com`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.as_document().name().unwrap_or_default()
    }

    /// Returns a view of the full form that reads the fields of a CRD.
    pub(crate) const fn as_document(&self) -> document::Crd<'_> {
        document::Crd::new(&self.full)
    }

    /// Returns the errors and warnings of an API server that creates the CRD. The server checks
    /// names, versions, schemas, columns and the costs of rules, among others.
    ///
    /// ```
    /// # use kube::CustomResource;
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use union_kube::Crd;
    /// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    /// #[kube(group = "docs.example.com", version = "v1", kind = "Document", namespaced)]
    /// struct DocumentSpec {
    ///     #[schemars(extend("x-kubernetes-validations" = [{"rule": "size(self) < "}]))]
    ///     text: String,
    /// }
    ///
    /// let report = Crd::from_type::<Document>()?.lint();
    /// assert!(report.to_string().contains("compilation failed"));
    /// # Ok::<(), union_kube::CrdError>(())
    /// ```
    #[must_use]
    pub fn lint(&self) -> Report {
        k8s_crd_validation::crd::Review::new().create(&self.cluster)
    }

    /// Returns the warnings of an API server that creates the CRD, sorted and without duplicates.
    /// The server warns about unknown formats, such as `uint32`, which schemars writes for a `u32`.
    ///
    /// ```
    /// # use kube::CustomResource;
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use union_kube::Crd;
    /// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    /// #[kube(group = "docs.example.com", version = "v1", kind = "Document", namespaced)]
    /// struct DocumentSpec {
    ///     #[schemars(extend("format" = "prose"))]
    ///     text: String,
    /// }
    ///
    /// assert_eq!(Crd::from_type::<Document>()?.warnings(), [r#"unrecognized format "prose""#]);
    /// # Ok::<(), union_kube::CrdError>(())
    /// ```
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.lint().warnings().to_vec();
        warnings.sort_unstable();
        warnings.dedup();
        warnings
    }
}

/// Returns the schema that `CustomResource` generates for a type, before kube converts the schema
/// into its own type and drops the extension keys.
fn generate_schema<K: JsonSchema>() -> Schema {
    SchemaSettings::openapi3()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .with_transform(AddNullable::default())
        .with_transform(StructuralSchemaRewriter)
        .with_transform(OptionalEnum)
        .with_transform(OptionalIntOrString)
        .into_generator()
        .into_root_schema_for::<K>()
}

fn finish_schema(schema: Value) -> Value {
    match Schema::try_from(schema) {
        Ok(mut schema) => {
            FinishSchema.transform(&mut schema);
            schema.to_value()
        }
        // The lint reports a schema that is not an object.
        Err(_) => Value::Null,
    }
}

fn set_annotation(crd: &mut Value, unions: String) -> Result<(), CrdError> {
    let metadata = crd.get_mut("metadata").and_then(Value::as_object_mut);
    let metadata = metadata
        .ok_or_else(|| CrdError::new(["metadata"], "must be an object with at least a name"))?;
    let annotations = metadata
        .entry("annotations")
        .or_insert_with(|| Map::new().into());
    if annotations.is_null() {
        *annotations = Map::new().into();
    }
    if let Some(annotations) = annotations.as_object_mut() {
        annotations.insert(ANNOTATION.into(), unions.into());
        let entry_length =
            |(key, value): (&String, &Value)| key.len() + value.as_str().map_or(0, str::len);
        let total_bytes: usize = annotations.iter().map(entry_length).sum();
        if total_bytes > MAX_ANNOTATION_BYTES {
            return Err(CrdError::new(
                ["metadata", "annotations"],
                format!(
                    "{total_bytes} bytes of annotations exceed the limit of {MAX_ANNOTATION_BYTES}; reduce the number of unions or versions in this CRD"
                ),
            ));
        }
    }
    Ok(())
}

fn remove_annotation(crd: &mut Value) {
    let Some(Value::Object(metadata)) = crd.get_mut("metadata") else {
        return;
    };
    if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
        annotations.remove(ANNOTATION);
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
}
