//! Object schemas of real CRDs with the expected readings, if the folder with known cases exists.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Returns the cases, if the folder exists.
pub(crate) fn cases() -> Option<Vec<Value>> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases");
    let folder = std::env::var_os("SHARED_CASES").map_or_else(beside, PathBuf::from);
    let text = fs::read_to_string(folder.join("foreign_unions.json")).ok()?;
    let mut file: Value = serde_json::from_str(&text).expect("the file is JSON");
    let Value::Array(cases) = file["cases"].take() else {
        panic!("the file has a list `cases`");
    };
    Some(cases)
}

/// Sorts lists whose order does not matter: empty members, findings and reasons. Keys of objects
/// are sorted too.
fn sorted(mut list: Value) -> Value {
    list.sort_all_objects();
    if let Some(list) = list.as_array_mut() {
        list.sort_by_key(Value::to_string);
    }
    list
}

/// Returns a reading in a form that can be compared.
fn comparable(reading: &Value) -> Value {
    let union = |union: &Value| {
        let mut union = union.clone();
        if union.get("empty_members").is_some() {
            union["empty_members"] = sorted(union["empty_members"].take());
        }
        union
    };
    let unions = reading["unions"].as_array().expect("a list");
    let findings = reading["findings"].as_array().expect("a list").iter();
    let findings = findings.map(|finding| {
        let mut finding = finding.clone();
        if let Some(finding) = finding.as_object_mut() {
            finding.remove("object");
            finding.remove("remedy");
        }
        finding
    });
    json!({
        "unions": sorted(unions.iter().map(union).collect()),
        "findings": sorted(findings.collect()),
        "none": sorted(reading["none"].clone()),
        "beside": sorted(reading["beside"].clone()),
        "empty_counts_as_unset": reading["empty_counts_as_unset"],
        "convention": reading["convention"],
    })
}

#[test]
fn unions_of_real_crds_are_read() {
    let Some(cases) = cases() else {
        println!("shared cases: not there, nothing to compare");
        return;
    };
    let mut wrong = 0;
    for case in &cases {
        let at = case["at"].as_str().expect("a pointer");
        let reading = crd_unions::analyze_at(&case["schema"], at).expect("a place");
        let reading = json!(reading);
        let (wanted, got) = (comparable(&case["expect"]), comparable(&reading));
        if wanted != got {
            wrong += 1;
            println!("### {}", case["id"]);
            for key in [
                "unions",
                "findings",
                "none",
                "beside",
                "empty_counts_as_unset",
                "convention",
            ] {
                if wanted[key] != got[key] {
                    println!(
                        "  {key}\n    wanted {}\n    got    {}",
                        wanted[key], got[key]
                    );
                }
            }
        }
    }
    assert_eq!(wrong, 0, "of {} cases", cases.len());
}
