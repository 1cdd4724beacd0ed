//! (a) Tests that the server accepts the CRDs of our examples and tests with strict field
//! validation.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;
use serde_json::Value;

use crate::cluster::{CRDS, Cluster, Fallible};
use crate::tally::Tally;
use crate::unknown_members::Backup;

/// Sends each CRD in these files and folders to the server, in dry runs.
pub(crate) async fn run(cluster: &Cluster, paths: &[String]) -> Fallible<bool> {
    let mut tally = Tally::default();
    let (mut files, mut files_and_crds) = (Vec::new(), Vec::new());
    for path in paths {
        collect_files(Path::new(path), &mut files)?;
    }
    for file in files {
        let crds_of_file = parse_crds(&fs::read_to_string(&file)?)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        if crds_of_file.is_empty() {
            return Err(format!("{} contains no CRD", file.display()).into());
        }
        let file = file.file_name().unwrap_or_default().display().to_string();
        files_and_crds.extend(crds_of_file.into_iter().map(|crd| (file.clone(), crd)));
    }
    files_and_crds.push((
        "unknown_members.rs".into(),
        serde_json::to_value(Backup::crd())?,
    ));
    let mut sent_crds = HashSet::new();
    for (file, crd) in files_and_crds {
        // Several tests have the same CRD.
        if !sent_crds.insert(crd.to_string()) {
            continue;
        }
        let path = format!("{CRDS}?dryRun=All&fieldValidation=Strict");
        let response = cluster.post(&path, &crd).await?;
        let name = format!("{file}: {}", crd["metadata"]["name"]);
        for warning in &response.warnings {
            println!("warning about {name}: {warning}");
        }
        if response.is_accepted() {
            tally.count_agreement();
        } else {
            tally.add_difference(format!("{name}: {:?}", response.causes()));
        }
    }
    check_strict_validation(cluster, &mut tally).await?;
    Ok(tally.finish("CRDs, strict field validation", 40))
}

/// Checks that the server rejects a CRD with an unknown keyword in its schema. Otherwise strict
/// field validation is off, and the other responses prove nothing.
async fn check_strict_validation(cluster: &Cluster, tally: &mut Tally) -> Fallible {
    let mut crd: Value = serde_json::from_str(include_str!(
        "../../../crates/union-kube/tests/application_crd.json"
    ))?;
    let schema = "/spec/versions/0/schema/openAPIV3Schema";
    let schema = crd.pointer_mut(schema).ok_or("no schema")?;
    schema["x-kubernetes-unions"] = serde_json::json!([]);
    let path = format!("{CRDS}?dryRun=All&fieldValidation=Strict");
    let response = cluster.post(&path, &crd).await?;
    let is_strict =
        response.code == 400 && response.body.to_string().contains("x-kubernetes-unions");
    tally.count_event("rejected with our keys", is_strict);
    Ok(())
}

/// Adds the file, or all files in the folder and its subfolders.
fn collect_files(path: &Path, files: &mut Vec<PathBuf>) -> Fallible {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> = fs::read_dir(path)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Fallible<_>>()?;
    entries.sort();
    for entry in entries {
        collect_files(&entry, files)?;
    }
    Ok(())
}

/// Returns the CRDs of a file of JSON, JSON lines, or YAML. A CRD under a key `crd` is a test case
/// of untyped JSON, so it is converted by the CRD type of k8s-openapi.
fn parse_crds(text: &str) -> Fallible<Vec<Value>> {
    let documents: Vec<Value> = match serde_json::from_str(text) {
        Ok(document) => vec![document],
        Err(_) if text.starts_with('{') => text
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?,
        Err(_) => serde_saphyr::from_multiple(text)?,
    };
    let mut crds = Vec::new();
    for mut document in documents {
        let document = match document.get_mut("crd") {
            Some(crd) => {
                let typed: CustomResourceDefinition = serde_json::from_value(crd.take())?;
                serde_json::to_value(typed)?
            }
            None => document,
        };
        if document["kind"] == "CustomResourceDefinition" {
            crds.push(document);
        }
    }
    Ok(crds)
}
