//! Merges several versions of a kind into one CRD.

use serde_json::{Map, Value};

use super::crd::Crd;
use super::error::CrdError;
use union_runtime::path::{FieldPath, PathStep};

/// JSON pointers to the fields that must be equal in all versions of a kind.
const COMMON_FIELDS: [&str; 6] = [
    "/metadata/name",
    "/spec/group",
    "/spec/names",
    "/spec/scope",
    "/spec/conversion",
    "/spec/preserveUnknownFields",
];

impl Crd {
    /// Merges several versions of a kind into one CRD, in the given order. `stored` is the name of
    /// the version in which objects are stored.
    ///
    /// Each version keeps its own fields, such as `served`, `deprecated`, its columns and
    /// subresources.
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
    /// let versions = [Crd::from_type::<v1::Document>()?, Crd::from_type::<v2::Document>()?];
    /// let crd = Crd::merge(versions, "v1")?;
    /// assert_eq!(crd.for_cluster()["spec"]["versions"][1]["storage"], false);
    /// # Ok::<(), union_kube::CrdError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if:
    ///
    /// - there are no versions;
    /// - the versions are not of the same kind, or have different values of the same label or
    ///   annotation;
    /// - a version is a duplicate, or `stored` is not one of the versions;
    /// - the annotations with the unions exceed 256 KiB.
    pub fn merge(versions: impl IntoIterator<Item = Self>, stored: &str) -> Result<Self, CrdError> {
        let mut crds = versions.into_iter();
        let Some(first) = crds.next() else {
            return Err(CrdError::new(
                ["spec", "versions"],
                "no versions; expected at least one",
            ));
        };
        let mut merged = first.with_extensions().clone();
        let mut versions: Vec<Value> = version_entries(&first).collect();
        for crd in crds {
            require_common_fields(&first, &crd)?;
            for field in ["annotations", "labels"] {
                merge_strings(&mut merged, &crd, field)?;
            }
            versions.extend(version_entries(&crd));
        }
        let mut names: Vec<String> = Vec::new();
        for version in &mut versions {
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
        if let Some(target) = merged.pointer_mut("/spec/versions") {
            *target = versions.into();
        }
        Self::from_full(merged)
    }
}

/// Returns the entries of `spec.versions` of a CRD.
fn version_entries(crd: &Crd) -> impl Iterator<Item = Value> {
    let versions = crd.as_document().versions();
    versions.map(|version| version.json().clone())
}

/// Returns an error if two versions differ in a field that must be equal.
fn require_common_fields(first: &Crd, other: &Crd) -> Result<(), CrdError> {
    for pointer in COMMON_FIELDS {
        let (first_value, other_value) = (
            first.with_extensions().pointer(pointer),
            other.with_extensions().pointer(pointer),
        );
        if first_value != other_value {
            let print_value =
                |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
            return Err(CrdError::new(
                pointer
                    .split('/')
                    .skip(1)
                    .map(PathStep::Field)
                    .collect::<FieldPath>(),
                format!(
                    "all versions of a kind must have the same value, but one has {} and another has {}",
                    print_value(first_value),
                    print_value(other_value)
                ),
            ));
        }
    }
    Ok(())
}

/// Adds the annotations or the labels of another version. Returns an error if a key has two values.
fn merge_strings(merged: &mut Value, crd: &Crd, field: &str) -> Result<(), CrdError> {
    let Some(Value::Object(added_strings)) = crd.with_extensions()["metadata"].get(field) else {
        return Ok(());
    };
    let metadata = merged.get_mut("metadata").and_then(Value::as_object_mut);
    let Some(merged_strings) =
        metadata.map(|metadata| metadata.entry(field).or_insert(Value::Null))
    else {
        return Ok(());
    };
    if !merged_strings.is_object() {
        *merged_strings = Map::new().into();
    }
    let Some(merged_strings) = merged_strings.as_object_mut() else {
        return Ok(());
    };
    for (key, value) in added_strings {
        if merged_strings
            .get(key)
            .is_some_and(|merged_value| merged_value != value)
        {
            return Err(CrdError::new(
                ["metadata", field],
                format!("all versions must have the same value for {key:?}"),
            ));
        }
        merged_strings.insert(key.clone(), value.clone());
    }
    Ok(())
}
