//! The two forms of a CRD.

use kube_core::CustomResourceExt;
use kube_core::schema::{OptionalEnum, OptionalIntOrString, StructuralSchemaRewriter};
use schemars::generate::SchemaSettings;
use schemars::transform::{AddNullable, Transform as _};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use super::error::CrdError;
use super::extensions::{add_extensions, remove_extensions};
use super::print::with_sorted_keys;
use union_json::{ANNOTATION, annotation, document};
use union_runtime::Report;
use union_runtime::path::Path;
use union_runtime::schema::FinishSchema;

/// The maximum number of bytes of all annotations of an object.
const MAX_ANNOTATION_BYTES: usize = 256 * 1024;

/// The CRD of a kube-rs type, or of several types that are versions of one kind, in two forms: for
/// the cluster and for tools.
#[derive(Clone, Debug, PartialEq)]
pub struct Crd {
    cluster: Value,
    full: Value,
}

impl Crd {
    /// Returns the CRD of a type with `#[derive(CustomResource)]`.
    ///
    /// The result is kube's CRD, with the parts that kube's type or schemars' flatten drops: the
    /// docs of enum values, and the rules of flattened unions. The full form also has our keys. A
    /// rule that needs the old object becomes a plain rule where an API server does not have an old
    /// object ([`place_rules`](k8s_crd_validation::crd::place_rules)). The [front page](crate) has
    /// an example.
    ///
    /// # Errors
    ///
    /// Returns an error if kube's schema does not match the schema of the type, or if the unions do
    /// not fit into the annotations, which may have 256 KiB.
    ///
    /// # Panics
    ///
    /// Panics in the cases of [`add_enum`](union_runtime::add_enum), and where kube's own
    /// transforms panic, such as for enums with data.
    pub fn from_type<K: CustomResourceExt + JsonSchema>() -> Result<Self, CrdError> {
        let name = K::crd_name();
        let full = serde_json::to_value(K::crd());
        let mut full = full.map_err(|error| CrdError::not_json(name, error))?;
        let generated = generated::<K>().to_value();
        let versions = full.pointer_mut("/spec/versions");
        for version in versions.and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") else {
                continue;
            };
            let grafted = add_extensions(schema, &generated, &Path::ROOT);
            grafted.map_err(|error| error.with_crd(name))?;
            *schema = finish_schema(schema.take());
        }
        Self::from_full(full)
    }

    /// Returns the CRD with a full form.
    pub(super) fn from_full(full: Value) -> Result<Self, CrdError> {
        let mut full = with_sorted_keys(full);
        remove_annotation(&mut full);
        // A type cannot know its position in the CRD, on which its rules depend.
        k8s_crd_validation::crd::place_rules(&mut full);
        let mut cluster = full.clone();
        remove_extensions(&mut cluster);
        // The annotation is JSON too, so its keys are sorted.
        let unions = annotation(&full).and_then(|unions| serde_json::from_str(&unions).ok());
        if let Some(unions) = unions.map(with_sorted_keys) {
            set_annotation(&mut cluster, unions.to_string())?;
        }
        Ok(Self { cluster, full })
    }

    /// Returns the CRD for the cluster. An API server knows all of its keys, so strict field
    /// validation accepts it. [`lint`](Self::lint) reports other errors, such as rules that cost
    /// too much.
    #[must_use]
    pub const fn for_cluster(&self) -> &Value {
        &self.cluster
    }

    /// Returns the CRD with our keys, for tools, documents and [`union_json`]. It does not have our
    /// annotation.
    #[must_use]
    pub const fn with_extensions(&self) -> &Value {
        &self.full
    }

    /// Returns the name of the CRD: `documents.docs.example.com`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.as_document().name().unwrap_or_default()
    }

    /// Returns the fields that the full form declares.
    pub(super) const fn as_document(&self) -> document::Crd<'_> {
        document::Crd::new(&self.full)
    }

    /// Checks that an API server would accept the CRD: names, versions, schemas, columns and the
    /// rest, including the costs of its rules.
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
    /// let refused = Crd::from_type::<Document>()?.lint();
    /// assert!(refused.to_string().contains("compilation failed"));
    /// # Ok::<(), union_kube::CrdError>(())
    /// ```
    #[must_use]
    pub fn lint(&self) -> Report {
        k8s_crd_validation::crd::Review::new().create(&self.cluster)
    }

    /// Returns the warnings of an API server when the CRD is created, without duplicates. It warns
    /// about formats that it does not know, such as `uint32`, which schemars writes for a `u32`.
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

/// Returns the schema that `CustomResource` generates, before the conversion into kube's type.
fn generated<K: JsonSchema>() -> Schema {
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
        // The schema of a CRD is an object. The lint reports any other value.
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
        let length =
            |(key, value): (&String, &Value)| key.len() + value.as_str().map_or(0, str::len);
        let total: usize = annotations.iter().map(length).sum();
        if total > MAX_ANNOTATION_BYTES {
            return Err(CrdError::new(
                ["metadata", "annotations"],
                format!(
                    "{total} bytes of annotations exceed the limit of {MAX_ANNOTATION_BYTES}; reduce the number of unions or versions in this CRD"
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
