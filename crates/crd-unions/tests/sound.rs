//! A union accepts every object that a server accepts: random objects, validated by the evaluator
//! of whole custom resources.

use std::collections::BTreeMap;

use crate::evaluator::Evaluator;
use crate::judged::objects::{at, random};
use crate::judged::{accepts, judge, judge_findings};

/// Returns the number of objects to validate: `UNIONS_OBJECTS`, or `few`.
pub(crate) fn objects(few: usize) -> usize {
    let asked = std::env::var("UNIONS_OBJECTS").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(few)
}

#[test]
fn no_union_of_a_real_crd_refuses_what_its_rules_accept() {
    let Some(cases) = crate::shared::cases() else {
        println!("shared cases: not there, nothing to judge");
        return;
    };
    let mut unsound = BTreeMap::new();
    let (mut objects_judged, mut accepted) = (0, 0);
    for (number, case) in cases.iter().enumerate() {
        let pointer = case["at"].as_str().unwrap();
        let reading = crd_unions::analyze_at(&case["schema"], pointer).unwrap();
        let schema = &case["schema"];
        let random = random(schema, objects(2_000) / cases.len(), number as u64);
        let judged = judge(&mut Evaluator, schema, pointer, &reading, &random).unwrap();
        objects_judged += judged.objects;
        accepted += judged.accepted;
        if let Some(first) = judged.wrong().next() {
            unsound.insert(case["id"].to_string(), first.clone());
        }
    }
    println!(
        "{objects_judged} objects, {accepted} accepted, {} unsound or not exact",
        unsound.len()
    );
    assert_eq!(unsound, BTreeMap::new());
    assert!(
        accepted * 20 > objects_judged,
        "{accepted} of {objects_judged} accepted"
    );
}

#[test]
fn objects_that_real_rules_accept_are_accepted_by_unions() {
    for case in crate::shared::cases().into_iter().flatten() {
        let pointer = case["at"].as_str().unwrap();
        let reading = crd_unions::analyze_at(&case["schema"], pointer).unwrap();
        for accepted in case["accepted"].as_array().unwrap() {
            for place in at(accepted, pointer) {
                for union in reading.unions.iter().filter(|union| union.is_sound()) {
                    assert!(
                        accepts(union, place.as_object().unwrap()),
                        "{}: {} refuses {place}",
                        case["id"],
                        serde_json::json!(union)
                    );
                }
            }
        }
    }
}

#[test]
fn a_server_says_to_the_object_of_a_finding_what_the_finding_says() {
    let mut objects = 0;
    for case in crate::shared::cases().into_iter().flatten() {
        let pointer = case["at"].as_str().unwrap();
        let reading = crd_unions::analyze_at(&case["schema"], pointer).unwrap();
        let schema = case["schema"].pointer(pointer).unwrap();
        let judged = judge_findings(&mut Evaluator, schema, &reading).unwrap();
        objects += judged.objects;
        assert_eq!(judged.mistaken, [""; 0], "{}", case["id"]);
    }
    println!("{objects} objects of findings");
}
