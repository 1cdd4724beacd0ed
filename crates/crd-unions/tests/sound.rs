//! Soundness: a union accepts every object that a server accepts. The objects are random, and the
//! server is the validator of this workspace.

use std::collections::BTreeMap;

use crate::evaluator::Evaluator;
use crate::judged::objects::{at, random};
use crate::judged::{accepts, judge, judge_findings};

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
    let (mut compared, mut accepted) = (0, 0);
    for (number, case) in cases.iter().enumerate() {
        let pointer = case["at"].as_str().unwrap();
        let analysis = crd_unions::analyze_at(&case["schema"], pointer).unwrap();
        let schema = &case["schema"];
        let random = random(schema, object_count(2_000) / cases.len(), number as u64);
        let judged = judge(&mut Evaluator, schema, pointer, &analysis, &random).unwrap();
        compared += judged.objects;
        accepted += judged.accepted;
        if let Some(first) = judged.wrong().next() {
            unsound.insert(case["id"].to_string(), first.clone());
        }
    }
    println!(
        "{compared} objects, {accepted} accepted, {} unsound or not exact",
        unsound.len()
    );
    assert_eq!(unsound, BTreeMap::new());
    assert!(
        accepted * 20 > compared,
        "{accepted} of {compared} accepted"
    );
}

#[test]
fn unions_accept_the_accepted_objects_of_real_crds() {
    for case in crate::shared::cases().into_iter().flatten() {
        let pointer = case["at"].as_str().unwrap();
        let analysis = crd_unions::analyze_at(&case["schema"], pointer).unwrap();
        for accepted in case["accepted"].as_array().unwrap() {
            for value in at(accepted, pointer) {
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
    let mut objects = 0;
    for case in crate::shared::cases().into_iter().flatten() {
        let pointer = case["at"].as_str().unwrap();
        let analysis = crd_unions::analyze_at(&case["schema"], pointer).unwrap();
        let schema = case["schema"].pointer(pointer).unwrap();
        let judged = judge_findings(&mut Evaluator, schema, &analysis).unwrap();
        objects += judged.objects;
        assert_eq!(judged.mistaken, [""; 0], "{}", case["id"]);
    }
    println!("{objects} objects of findings");
}
