//! The CRDs and the sample objects of the Gateway API: a folder of valid objects, and a folder of
//! invalid objects.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::list;
use crate::process::Failure;

/// Checks all CRDs and objects, and returns the number of wrong verdicts.
pub(crate) fn run(folder: &Path, tool: &str) -> Result<usize, Failure> {
    let crds = folder.join("crds/standard-install.yaml");
    let mut wrong_count = 0;
    let crd_report = check(tool, &crds, None)?;
    for error in list(&crd_report["errors"]) {
        println!("{}: {}", crds.display(), error["text"]);
        wrong_count += 1;
    }
    println!("gateway, CRDs: {wrong_count} errors");
    for (name, is_valid) in [("valid", true), ("invalid", false)] {
        let report = check(tool, &crds, Some(&folder.join(name)))?;
        let objects = list(&report["objects"]);
        let is_wrong = |object: &&Value| list(&object["errors"]).is_empty() != is_valid;
        let wrong_objects: Vec<&Value> = objects.iter().filter(is_wrong).collect();
        for object in &wrong_objects {
            println!(
                "{} {}: {}",
                object["file"], object["name"], object["errors"]
            );
        }
        if objects.is_empty() {
            println!("gateway, {name}: there are no objects");
            wrong_count += 1;
        }
        let (object_count, wrong_object_count) = (objects.len(), wrong_objects.len());
        println!(
            "gateway, {name}: {} as they are called, {wrong_object_count} not",
            object_count - wrong_object_count
        );
        wrong_count += wrong_object_count;
    }
    Ok(wrong_count)
}

/// Returns the report of the tool about CRDs, or about objects.
fn check(tool: &str, crds: &Path, objects: Option<&Path>) -> Result<Value, Failure> {
    let mut command = Command::new(tool);
    command.args(["check", "-o", "json", "--crd"]).arg(crds);
    if let Some(objects) = objects {
        command.arg("--new").arg(objects);
    }
    let output = command.stderr(Stdio::inherit()).output()?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(format!("unionctl ended with {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
