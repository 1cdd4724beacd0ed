//! The kinds of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use k8s_crd_validation::StructuralSchema;
use serde_json::{Value, json};

/// A version of a kind.
pub(crate) struct KindCase {
    /// A name for modules and files.
    pub(crate) module: String,
    /// The CRD, with this version only.
    pub(crate) crd: Value,
    pub(crate) version: String,
}

impl KindCase {
    /// Returns the kind of a CRD, or `None` if the CRD has no version. If there are several
    /// versions, the kind has the stored version.
    pub(crate) fn from_crd(mut crd: Value) -> Option<Self> {
        let versions = crd["spec"]["versions"].as_array()?;
        let stored_version = versions.iter().find(|version| version["storage"] == true);
        let mut version = stored_version.or(versions.first())?.clone();
        version["served"] = true.into();
        let name = version["name"].as_str()?.to_owned();
        crd["spec"]["versions"] = json!([version]);
        // Webhooks convert between versions, and the status describes a cluster.
        crd["spec"].as_object_mut()?.remove("conversion");
        crd.as_object_mut()?.remove("status");
        let label = format!(
            "{}_{}_{name}",
            crd["spec"]["group"].as_str()?,
            crd["spec"]["names"]["kind"].as_str()?
        );
        let module = label.to_lowercase();
        let module = module.replace(|character: char| !character.is_ascii_alphanumeric(), "_");
        Some(Self {
            module: format!("m_{module}"),
            crd,
            version: name,
        })
    }

    /// Returns the kinds of all CRDs in a folder and its subfolders, each kind once. A file is YAML
    /// or JSON; other files are ignored.
    pub(crate) fn read_folder(folder: &Path) -> Vec<Self> {
        let mut files = Vec::new();
        let mut pending_folders = vec![folder.to_owned()];
        while let Some(folder) = pending_folders.pop() {
            let entries = fs::read_dir(&folder)
                .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            for entry in entries {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    pending_folders.push(path);
                } else {
                    files.push(path);
                }
            }
        }
        files.sort();
        let mut modules = BTreeSet::new();
        let kinds = files.iter().flat_map(read_crds);
        let kinds = kinds.filter_map(Self::from_crd);
        kinds
            .filter(|kind| modules.insert(kind.module.clone()))
            .collect()
    }

    /// Returns the schema of the version.
    pub(crate) fn schema(&self) -> &Value {
        &self.crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    }

    /// Returns the schema for validation, or `None` if an API server rejects the schema.
    pub(crate) fn compile(&self) -> Option<StructuralSchema> {
        let compile = |compiler: k8s_crd_validation::Compiler| {
            compiler.crd(&self.crd, Some(&self.version)).ok()
        };
        compile(StructuralSchema::compiler())
            .or_else(|| compile(StructuralSchema::compiler().stored()))
    }
}

/// Returns the CRDs of a file, also in lists.
fn read_crds(file: &PathBuf) -> Vec<Value> {
    let Ok(text) = fs::read_to_string(file) else {
        return Vec::new();
    };
    let documents: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap_or_default();
    let items = documents
        .into_iter()
        .flat_map(|mut document| match document["items"].take() {
            Value::Array(items) => items,
            _ => vec![document],
        });
    items
        .filter(|item| item["kind"] == "CustomResourceDefinition")
        .collect()
}
