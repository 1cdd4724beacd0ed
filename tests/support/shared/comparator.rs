//! The cases of the ratcheting comparator over plain schemas. Each case tests if the comparator
//! tolerates an error at one path.

use serde_json::Value;
use union_runtime::Ratchet;
use union_runtime::comparator::Comparison;
use union_runtime::path::FieldPath;

use crate::process::Failure;

/// Runs all cases of a file, and returns the number of wrong results.
pub(crate) fn run(name: &str, lines: &str) -> Result<usize, Failure> {
    let (mut right_count, mut wrong_count) = (0, 0);
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line)?;
        let result = compare(&case)?;
        if case["want"] == result {
            right_count += 1;
        } else {
            wrong_count += 1;
            println!("{}: {}: got {result}", case["id"], case["note"]);
        }
    }
    println!("{name}: {right_count} right, {wrong_count} wrong");
    Ok(wrong_count)
}

/// Returns the decision of the comparator about the error of a case.
fn compare(case: &Value) -> Result<&'static str, Failure> {
    let comparison = Comparison::new(&case["schema"], &case["new"], &case["old"]);
    let new_paths = [parse_path(&case["path"])?];
    let path_and_message = |path: &FieldPath| (path.clone(), "rule");
    let split = if case["ratchet"] == "same_reason" {
        let old_path_text = case["old_text"]
            .as_str()
            .ok_or("the case has no old text")?;
        let old_path = FieldPath::resolve_or_absent(old_path_text, &case["old"]);
        let old_paths = [old_path.ok_or("the old text has two possible paths")?];
        comparison.split(new_paths, &old_paths, Ratchet::SameReason, path_and_message)
    } else {
        comparison.split(new_paths, &[], Ratchet::Unchanged, path_and_message)
    };
    Ok(if split.tolerated.is_empty() {
        "new"
    } else {
        "tolerated"
    })
}

/// Reads a path: a string is a field, a list of one string is a key, and a number is an index.
fn parse_path(steps: &Value) -> Result<FieldPath, Failure> {
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
