//! Replays of recorded questions: each line of a file has an operation, and the answer of
//! Kubernetes' own code. `tests/reference/recorded/run` records them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::replay;

/// Replays the cases of a file, and returns their number. A line without a definition has the
/// definition of the line before.
fn replay_all(cases: &str) -> usize {
    let mut differences = Vec::new();
    let mut definition = Value::Null;
    for line in cases.lines() {
        let mut case: Value = serde_json::from_str(line).expect("a case");
        if let Some(next) = case.get_mut("use") {
            definition = next.take();
        }
        let ours = replay::answer(&definition, &case["question"]);
        if ours != case["answer"] {
            differences.push(format!("{line}\nour answer: {ours}"));
        }
    }
    let count = differences.len();
    let differences = differences.join("\n");
    assert!(differences.is_empty(), "{count} differ:\n{differences}");
    cases.lines().count()
}

#[test]
fn operations_have_the_recorded_answers() {
    assert!(replay_all(include_str!("cases/recorded.jsonl")) > 50);
}

/// The lines have names, because they are written by hand.
#[test]
fn edges_have_the_answers_of_kubernetes() {
    let cases = include_str!("cases/edges.jsonl");
    assert!(replay_all(cases) > 100);
    let names = cases.lines().map(|line| {
        let case: Value = serde_json::from_str(line).expect("a case");
        case["name"].as_str().expect("a name").to_owned()
    });
    let distinct_names: BTreeSet<String> = names.collect();
    assert_eq!(distinct_names.len(), cases.lines().count());
}
