//! The merging of several versions of a kind into one CRD.

use serde_json::{Map, Value};

use super::crd::Crd;
use super::error::CrdError;
use union_runtime::path::{FieldPath, PathStep};

/// The fields that all versions of a kind have in common.
const COMMON: [&str; 6] = [
    "/metadata/name",
    "/spec/group",
    "/spec/names",
    "/spec/scope",
    "/spec/conversion",
    "/spec/preserveUnknownFields",
];

impl Crd {
    /// Returns one CRD with several versions, in the given order. Objects are stored in the version
    /// `stored`.
    ///
    /// The fields of each version stay: `served`, `deprecated`, its columns and subresources.
    ///
    /// ```
    /// # use union_kube::Crd;
    /// mod v1 {
    /// #   use kube::CustomResource;
    /// #   use schemars::JsonSchema;
    /// #   use serde::{Deserialize, Serialize};
    ///     #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    ///     #[kube(group = "docs.example.com", version = "v1", kind = "Document", namespaced)]
    ///     pub struct DocumentSpec { pub text: String }
    /// }
    /// mod v2 {
    /// #   use kube::CustomResource;
    /// #   use schemars::JsonSchema;
    /// #   use serde::{Deserialize, Serialize};
    ///     #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    ///     #[kube(group = "docs.example.com", version = "v2", kind = "Document", namespaced)]
    ///     pub struct DocumentSpec { pub lines: Vec<String> }
    /// }
    ///
    /// let crd = Crd::merge([Crd::from_type::<v1::Document>()?, Crd::from_type::<v2::Document>()?], "v1")?;
    /// assert_eq!(crd.for_cluster()["spec"]["versions"][1]["storage"], false);
    /// # Ok::<(), union_kube::CrdError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there are no versions; if they are not versions of one kind, or have
    /// different values of one label or annotation; if a version is a duplicate, or `stored` is not
    /// one of them; or if the unions do not fit into the annotations.
    pub fn merge(versions: impl IntoIterator<Item = Self>, stored: &str) -> Result<Self, CrdError> {
        let mut crds = versions.into_iter();
        let Some(first) = crds.next() else {
            return Err(CrdError::new(
                ["spec", "versions"],
                "no versions; expected at least one",
            ));
        };
        let mut merged = first.with_extensions().clone();
        let mut all: Vec<Value> = entries(&first).collect();
        for crd in crds {
            require_common_fields(&first, &crd)?;
            for field in ["annotations", "labels"] {
                merge_strings(&mut merged, &crd, field)?;
            }
            all.extend(entries(&crd));
        }
        let mut names: Vec<String> = Vec::new();
        for version in &mut all {
            let name = version.get("name").and_then(Value::as_str);
            let name = name.unwrap_or_default().to_owned();
            if names.contains(&name) {
                let problem = format!("duplicate version {name:?}; remove one");
                return Err(CrdError::new(["spec", "versions"], problem));
            }
            if let Some(version) = version.as_object_mut() {
                version.insert("storage".to_owned(), (name == stored).into());
            }
            names.push(name);
        }
        if !names.iter().any(|name| name == stored) {
            let names = names.join(", ");
            let problem = format!("unknown storage version {stored:?}; use one of: {names}");
            return Err(CrdError::new(["spec", "versions"], problem));
        }
        if let Some(versions) = merged.pointer_mut("/spec/versions") {
            *versions = all.into();
        }
        Self::from_full(merged)
    }
}

/// Returns the entries of `spec.versions`.
fn entries(crd: &Crd) -> impl Iterator<Item = Value> {
    let versions = crd.as_document().versions();
    versions.map(|version| version.json().clone())
}

fn require_common_fields(first: &Crd, other: &Crd) -> Result<(), CrdError> {
    for pointer in COMMON {
        let (ours, theirs) = (
            first.with_extensions().pointer(pointer),
            other.with_extensions().pointer(pointer),
        );
        if ours != theirs {
            let shown =
                |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
            return Err(CrdError::new(
                pointer
                    .split('/')
                    .skip(1)
                    .map(PathStep::Field)
                    .collect::<FieldPath>(),
                format!(
                    "all versions of a kind must have the same value, but one has {} and another has {}",
                    shown(ours),
                    shown(theirs)
                ),
            ));
        }
    }
    Ok(())
}

/// Adds the annotations or labels of another version.
fn merge_strings(merged: &mut Value, crd: &Crd, field: &str) -> Result<(), CrdError> {
    let Some(Value::Object(texts)) = crd.with_extensions()["metadata"].get(field) else {
        return Ok(());
    };
    let metadata = merged.get_mut("metadata").and_then(Value::as_object_mut);
    let Some(there) = metadata.map(|metadata| metadata.entry(field).or_insert(Value::Null)) else {
        return Ok(());
    };
    if !there.is_object() {
        *there = Map::new().into();
    }
    let Some(there) = there.as_object_mut() else {
        return Ok(());
    };
    for (key, text) in texts {
        if there.get(key).is_some_and(|there| there != text) {
            return Err(CrdError::new(
                ["metadata", field],
                format!("all versions must have the same value for {key:?}"),
            ));
        }
        there.insert(key.clone(), text.clone());
    }
    Ok(())
}
