//! Soundness: a union accepts every object that a server accepts. The objects are random, and the
//! server is the validator of this workspace.

use std::collections::BTreeMap;

use crate::evaluator::Evaluator;
use crate::server_comparison::objects::{random_objects, values_at};
use crate::server_comparison::{accepts, compare_findings_with_server, compare_with_server};

/// Returns the number of objects to validate: `UNIONS_OBJECTS`, or `default`.
pub(crate) fn object_count(default: usize) -> usize {
    let variable = std::env::var("UNIONS_OBJECTS").ok();
    variable
        .and_then(|variable| variable.parse().ok())
        .unwrap_or(default)
}

#[test]
fn unions_of_real_crds_are_sound() {
    let Some(cases) = crate::shared::cases() else {
        println!("the folder of shared cases is missing; nothing to compare");
        return;
    };
    let mut unsound = BTreeMap::new();
    let (mut compared_count, mut accepted_count) = (0, 0);
    for (case_index, case) in cases.iter().enumerate() {
        let pointer = case["at"].as_str().unwrap();
        let analysis = crd_unions::analyze_at(&case["schema"], pointer).unwrap();
        let schema = &case["schema"];
        let objects = random_objects(schema, object_count(2_000) / cases.len(), case_index as u64);
        let comparison =
            compare_with_server(&mut Evaluator, schema, pointer, &analysis, &objects).unwrap();
        compared_count += comparison.object_count;
        accepted_count += comparison.accepted_count;
        if let Some(difference) = comparison.differences().next() {
            unsound.insert(case["id"].to_string(), difference.clone());
        }
    }
    println!(
        "{compared_count} objects, {accepted_count} accepted, {} unsound or not exact",
        unsound.len()
    );
    assert_eq!(unsound, BTreeMap::new());
    assert!(
        accepted_count * 20 > compared_count,
        "{accepted_count} of {compared_count} accepted"
    );
}

#[test]
fn unions_accept_the_accepted_objects_of_real_crds() {
    for case in crate::shared::cases().into_iter().flatten() {
        let pointer = case["at"].as_str().unwrap();
        let analysis = crd_unions::analyze_at(&case["schema"], pointer).unwrap();
        for accepted in case["accepted"].as_array().unwrap() {
            for value in values_at(accepted, pointer) {
                for union in analysis.unions.iter().filter(|union| union.is_sound()) {
                    assert!(
                        accepts(union, value.as_object().unwrap()),
                        "{}: {} rejects {value}",
                        case["id"],
                        serde_json::json!(union)
                    );
                }
            }
        }
    }
}

#[test]
fn a_server_confirms_the_object_of_each_finding() {
    let mut object_count = 0;
    for case in crate::shared::cases().into_iter().flatten() {
        let pointer = case["at"].as_str().unwrap();
        let analysis = crd_unions::analyze_at(&case["schema"], pointer).unwrap();
        let schema = case["schema"].pointer(pointer).unwrap();
        let comparison = compare_findings_with_server(&mut Evaluator, schema, &analysis).unwrap();
        object_count += comparison.object_count;
        assert_eq!(comparison.wrong_findings, [""; 0], "{}", case["id"]);
    }
    println!("{object_count} objects of findings");
}
