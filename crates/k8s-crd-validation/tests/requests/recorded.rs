//! Replays of recorded questions: each line of a file has a question, and the answer of the API
//! server's own code. `tests/reference/recorded/run` records them.

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
    assert!(
        differences.is_empty(),
        "{count} differ:\n{}",
        differences.join("\n")
    );
    cases.lines().count()
}

#[test]
fn requests_have_the_recorded_answers() {
    assert!(replay_all(include_str!("../cases/recorded_requests.jsonl")) > 100);
}

#[test]
fn crds_have_the_recorded_answers() {
    assert!(replay_all(include_str!("../cases/recorded_crds.jsonl")) > 100);
}

/// Each line has a name, because the lines are written by hand.
#[test]
fn edges_of_requests_have_the_answers_of_a_server() {
    let cases = include_str!("../cases/edges.jsonl");
    assert!(replay_all(cases) > 40);
    let names = cases.lines().map(|line| {
        let case: Value = serde_json::from_str(line).expect("a case");
        case["name"].as_str().expect("a name").to_owned()
    });
    let distinct: std::collections::BTreeSet<String> = names.collect();
    assert_eq!(distinct.len(), cases.lines().count());
}
