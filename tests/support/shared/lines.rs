//! Requests to `unionctl`, one per line, with the expected results.

use serde_json::{Map, Value};

use crate::process::{Failure, Unionctl};

/// Runs all requests, and returns the number of wrong results. Requests with an `op` are for
/// `check`, and the others for `unions`.
pub(crate) fn run(
    name: &str,
    lines: &str,
    check: &mut Unionctl,
    unions: &mut Unionctl,
) -> Result<usize, Failure> {
    let (mut right_count, mut wrong_count) = (0, 0);
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line)?;
        let reply = if let Some(line) = case["line"].as_str() {
            check.send_line(line)?
        } else {
            let request = &case["request"];
            let tool = if request.get("op").is_some() {
                &mut *check
            } else {
                &mut *unions
            };
            tool.send(request)?
        };
        let expected = case["want"].as_object();
        match expected
            .ok_or("a case has no expected result")
            .map(|expected| differing_key(expected, &reply))?
        {
            None => right_count += 1,
            Some(key) => {
                wrong_count += 1;
                println!(
                    "{}: {}: {key} is to be {}, and is {}",
                    case["id"], case["note"], case["want"][key], reply[key]
                );
            }
        }
    }
    println!("{name}: {right_count} right, {wrong_count} wrong");
    Ok(wrong_count)
}

/// Returns the first key of the result that differs from the expected result. The order of errors
/// does not matter.
fn differing_key<'w>(expected: &'w Map<String, Value>, reply: &Value) -> Option<&'w str> {
    let mut differing_entries = expected.iter().filter(|(key, expected)| {
        let sorted_elements = |value: &Value| {
            let mut list: Vec<String> = crate::list(value).iter().map(Value::to_string).collect();
            list.sort_unstable();
            list
        };
        match (expected, reply.get(key.as_str())) {
            (Value::Array(_), Some(actual)) => sorted_elements(expected) != sorted_elements(actual),
            (expected, actual) => Some(*expected) != actual,
        }
    });
    differing_entries.next().map(|(key, _)| key.as_str())
}
