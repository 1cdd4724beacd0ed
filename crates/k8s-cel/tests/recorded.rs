//! Replays of recorded expressions: each line of the file has an expression, and the answer of the
//! API server's own environment. `tests/reference/recorded/run` records them.

#[path = "../../../tests/reference/expression_cases/declared.rs"]
mod declared;
#[path = "support/replay.rs"]
mod replay;

use serde_json::Value;

use replay::Replay;

/// A line without a definition has the definition of the line before.
#[test]
fn expressions_have_the_recorded_answers() {
    let cases = include_str!("cases/recorded.jsonl");
    let mut replay = Replay::default();
    let mut differences = Vec::new();
    let mut definition = Value::Null;
    for line in cases.lines() {
        let mut case: Value = serde_json::from_str(line).expect("a case");
        if let Some(next) = case.get_mut("use") {
            definition = next.take();
        }
        let ours = replay.answer(&definition, &case["question"]);
        if ours != case["answer"] {
            differences.push(format!("{line}\nour answer: {ours}"));
        }
    }
    let count = differences.len();
    let differences = differences.join("\n");
    assert!(differences.is_empty(), "{count} differ:\n{differences}");
    assert!(cases.lines().count() > 400);
}
