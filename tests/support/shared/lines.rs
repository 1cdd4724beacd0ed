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
    let (mut right, mut wrong) = (0, 0);
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line)?;
        let answer = if let Some(line) = case["line"].as_str() {
            check.ask_line(line)?
        } else {
            let request = &case["request"];
            let tool = if request.get("op").is_some() {
                &mut *check
            } else {
                &mut *unions
            };
            tool.ask(request)?
        };
        let wanted = case["want"].as_object();
        match wanted
            .ok_or("a case does not say what it wants")
            .map(|wanted| differing_key(wanted, &answer))?
        {
            None => right += 1,
            Some(key) => {
                wrong += 1;
                println!(
                    "{}: {}: {key} is to be {}, and is {}",
                    case["id"], case["note"], case["want"][key], answer[key]
                );
            }
        }
    }
    println!("{name}: {right} as the file says, {wrong} not");
    Ok(wrong)
}

/// Returns the first key of the result that differs from the expected result. The order of errors
/// does not matter.
fn differing_key<'w>(wanted: &'w Map<String, Value>, answer: &Value) -> Option<&'w str> {
    let mut differing = wanted.iter().filter(|(key, wanted)| {
        let sorted = |value: &Value| {
            let mut list: Vec<String> = crate::list(value).iter().map(Value::to_string).collect();
            list.sort_unstable();
            list
        };
        match (wanted, answer.get(key.as_str())) {
            (Value::Array(_), Some(found)) => sorted(wanted) != sorted(found),
            (wanted, found) => Some(*wanted) != found,
        }
    });
    differing.next().map(|(key, _)| key.as_str())
}
