//! Replays of recorded questions: each line of a file has a question, and the answer of Kubernetes'
//! own code. `tests/reference/recorded/run` records them.

use std::collections::BTreeSet;

use serde_json::Value;

/// Replays the lines of a file, and returns their number, and the number of distinct names. Lines
/// that are written by hand have names. `answer` returns our answer to a question about a
/// definition. A line without a definition has the definition of the line before.
pub(crate) fn replay_all(
    lines: &str,
    mut answer: impl FnMut(&Value, &Value) -> Value,
) -> (usize, usize) {
    let (mut names, mut differences) = (BTreeSet::new(), Vec::new());
    let mut definition = Value::Null;
    for line in lines.lines() {
        let mut case: Value = serde_json::from_str(line).expect("a case");
        if let Some(next) = case.get_mut("use") {
            definition = next.take();
        }
        names.extend(case["name"].as_str().map(str::to_owned));
        let ours = answer(&definition, &case["question"]);
        if ours != case["answer"] {
            differences.push(format!("{line}\nour answer: {ours}"));
        }
    }
    let count = differences.len();
    let differences = differences.join("\n");
    assert!(differences.is_empty(), "{count} differ:\n{differences}");
    (lines.lines().count(), names.len())
}
