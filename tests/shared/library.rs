//! Requests that say how functions and texts of CEL come out: `cel_library.jsonl`, a line for each, with the answer that it wants.

use serde_json::Value;

use crate::process::{Failure, Unionctl};

/// Asks all, and returns how many come out otherwise.
pub(crate) fn run(lines: &str, unionctl: &mut Unionctl) -> Result<usize, Failure> {
    let (mut right, mut wrong) = (0, 0);
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line)?;
        let answer = unionctl.ask(&case["request"])?;
        let wanted = case["want"]
            .as_object()
            .ok_or("a case does not say what it wants")?;
        let differs = wanted
            .iter()
            .find(|(key, value)| answer.get(*key) != Some(*value));
        match differs {
            None => right += 1,
            Some((key, value)) => {
                wrong += 1;
                let found = answer.get(key).unwrap_or(&Value::Null);
                println!("{}: {key} is to be {value}, and is {found}", case["id"]);
            }
        }
    }
    println!("functions and texts of CEL: {right} as the file says, {wrong} not");
    Ok(wrong)
}
