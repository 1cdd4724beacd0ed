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
    let mut wrong = 0;
    let linted = check(tool, &crds, None)?;
    for error in list(&linted["errors"]) {
        println!("{}: {}", crds.display(), error["text"]);
        wrong += 1;
    }
    println!("gateway, CRDs: {wrong} errors");
    for (name, is_valid) in [("valid", true), ("invalid", false)] {
        let answer = check(tool, &crds, Some(&folder.join(name)))?;
        let objects = list(&answer["objects"]);
        let is_otherwise = |object: &&Value| list(&object["errors"]).is_empty() != is_valid;
        let otherwise: Vec<&Value> = objects.iter().filter(is_otherwise).collect();
        for object in &otherwise {
            println!(
                "{} {}: {}",
                object["file"], object["name"], object["errors"]
            );
        }
        if objects.is_empty() {
            println!("gateway, {name}: there are no objects");
            wrong += 1;
        }
        let (all, otherwise) = (objects.len(), otherwise.len());
        println!(
            "gateway, {name}: {} as they are called, {otherwise} not",
            all - otherwise
        );
        wrong += otherwise;
    }
    Ok(wrong)
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
        return Err(format!("it ended with {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
