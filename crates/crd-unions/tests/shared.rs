//! Object schemas of real CRDs with the expected analyses, if the folder of shared cases exists.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Returns the cases, if the folder exists.
pub(crate) fn cases() -> Option<Vec<Value>> {
    let default_folder = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases");
    let folder = std::env::var_os("SHARED_CASES").map_or_else(default_folder, PathBuf::from);
    let json = fs::read_to_string(folder.join("foreign_unions.json")).ok()?;
    let mut file: Value = serde_json::from_str(&json).expect("the file is JSON");
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

/// Returns the parts of an analysis that the cases specify, with sorted lists.
fn comparable_parts(analysis: &Value) -> Value {
    let union = |union: &Value| {
        let mut union = union.clone();
        if union.get("empty_members").is_some() {
            union["empty_members"] = sorted(union["empty_members"].take());
        }
        union
    };
    let unions = analysis["unions"].as_array().expect("a list");
    let findings = analysis["findings"].as_array().expect("a list").iter();
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
        "none": sorted(analysis["none"].clone()),
        "beside": sorted(analysis["beside"].clone()),
        "empty_counts_as_unset": analysis["empty_counts_as_unset"],
        "convention": analysis["convention"],
    })
}

#[test]
fn real_crds_have_the_expected_analyses() {
    let Some(cases) = cases() else {
        println!("the folder of shared cases is missing; nothing to compare");
        return;
    };
    let mut different_count = 0;
    for case in &cases {
        let pointer = case["at"].as_str().expect("a pointer");
        let analysis = crd_unions::analyze_at(&case["schema"], pointer)
            .expect("a pointer to an object schema");
        let analysis = json!(analysis);
        let (expected, actual) = (
            comparable_parts(&case["expect"]),
            comparable_parts(&analysis),
        );
        if expected != actual {
            different_count += 1;
            println!("### {}", case["id"]);
            for key in [
                "unions",
                "findings",
                "none",
                "beside",
                "empty_counts_as_unset",
                "convention",
            ] {
                if expected[key] != actual[key] {
                    println!(
                        "  {key}\n    wanted {}\n    got    {}",
                        expected[key], actual[key]
                    );
                }
            }
        }
    }
    assert_eq!(different_count, 0, "of {} cases", cases.len());
}
