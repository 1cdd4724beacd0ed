//! The cases of the ratcheting comparator over plain schemas. Each case tests if the comparator
//! tolerates an error at one path.

use serde_json::Value;
use union_runtime::Ratchet;
use union_runtime::comparator::Comparison;
use union_runtime::path::FieldPath;

use crate::process::Failure;

/// Runs all cases of a file, and returns the number of wrong results.
pub(crate) fn run(name: &str, lines: &str) -> Result<usize, Failure> {
    let (mut right, mut wrong) = (0, 0);
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line)?;
        let answer = answer(&case)?;
        if case["want"] == answer {
            right += 1;
        } else {
            wrong += 1;
            println!("{}: {}: it is {answer}", case["id"], case["note"]);
        }
    }
    println!("{name}: {right} as the file says, {wrong} not");
    Ok(wrong)
}

fn answer(case: &Value) -> Result<&'static str, Failure> {
    let comparison = Comparison::new(&case["schema"], &case["new"], &case["old"]);
    let of_new = [path(&case["path"])?];
    let tell = |path: &FieldPath| (path.clone(), "rule");
    let split = if case["ratchet"] == "same_reason" {
        let text = case["old_text"].as_str().ok_or("there is no old text")?;
        let of_old = FieldPath::resolve_or_absent(text, &case["old"]);
        let of_old = [of_old.ok_or("the old text leads to two places")?];
        comparison.split(of_new, &of_old, Ratchet::SameReason, tell)
    } else {
        comparison.split(of_new, &[], Ratchet::Unchanged, tell)
    };
    Ok(if split.tolerated.is_empty() {
        "new"
    } else {
        "tolerated"
    })
}

/// Reads a path: a string is a field, a list of one string is a key, and a number is an index.
fn path(steps: &Value) -> Result<FieldPath, Failure> {
    let mut path = FieldPath::root();
    for step in crate::list(steps) {
        path = match step {
            Value::String(name) => path.field(name),
            Value::Array(key) => path.key(key.first().and_then(Value::as_str).unwrap_or_default()),
            step => path.index(usize::try_from(
                step.as_u64().ok_or("a step is of no sort")?,
            )?),
        };
    }
    Ok(path)
}
