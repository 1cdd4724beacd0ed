//! The cases of strategic merge patches, from `strategic_merge_patch.json`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::list;
use crate::process::{Failure, Unionctl};

/// Runs all cases, and returns the number of wrong results.
pub(crate) fn run(table: &Value, unionctl: &mut Unionctl) -> Result<usize, Failure> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for case in list(&table["cases"]) {
        let kind = case["kind"].as_str().unwrap_or_default();
        let count = counts.entry(kind).or_default();
        let mut schema = case["schema"].clone();
        schema["definitions"] = table["definitions"].clone();
        unionctl.send(&json!({"use": {"schema": schema}}))?;
        let result = PatchCase { case, unionctl }.check(kind)?;
        match result {
            Ok(()) => count[0] += 1,
            Err(difference) => {
                count[1] += 1;
                println!("{kind} {}: {difference}", case["name"]);
            }
        }
    }
    for (kind, [right_count, wrong_count]) in &counts {
        println!("patches, {kind}: {right_count} right, {wrong_count} wrong");
    }
    Ok(counts.values().map(|[_, wrong_count]| wrong_count).sum())
}

/// The result of a case: the inner error is the difference from the expected result, the outer
/// error ends the run.
type CaseResult = Result<Result<(), String>, Failure>;

/// A case, and the process that handles its requests.
struct PatchCase<'c> {
    case: &'c Value,
    unionctl: &'c mut Unionctl,
}

impl PatchCase<'_> {
    fn check(mut self, kind: &str) -> CaseResult {
        let document = |key: &str| self.case.get(key).cloned().unwrap_or_default();
        let (original, modified) = (document("original"), document("modified"));
        let current = document("current");
        match kind {
            "two_way" => {
                let diff = json!({"op": "diff", "original": original, "modified": modified});
                let patch = match self.expect_output(&diff, "two_way")? {
                    Ok(patch) => patch,
                    Err(difference) => return Ok(difference.map_or(Ok(()), Err)),
                };
                self.expect_result(&json!({"op": "apply", "original": original, "patch": patch}))
            }
            "apply" => {
                let patch = document("two_way");
                self.expect_result(&json!({"op": "apply", "original": original, "patch": patch}))
            }
            "three_way" => {
                let mut line = json!({
                    "op": "three_way", "original": original, "modified": modified, "current": current,
                    "overwrite": false,
                });
                if self.case["conflict"] == true {
                    let reply = self.unionctl.send(&line)?;
                    if reply["error"]["kind"] != "Conflict" {
                        return Ok(Err(format!("expected a conflict, found {reply}")));
                    }
                } else if let Err(difference) = self.expect_output(&line, "three_way")? {
                    return Ok(difference.map_or(Ok(()), Err));
                }
                line["overwrite"] = json!(true);
                let patch = match self.expect_output(&line, "three_way")? {
                    Ok(patch) => patch,
                    Err(difference) => return Ok(difference.map_or(Ok(()), Err)),
                };
                self.expect_result(&json!({"op": "apply", "original": current, "patch": patch}))
            }
            "sort_merge_lists" => self.expect_result(&json!({"op": "sort", "original": original})),
            "merge_patches" => {
                let line = json!({"op": "compose", "patches": document("patches")});
                let result = self.expect_output(&line, "result")?;
                Ok(result
                    .map(drop)
                    .or_else(|difference| difference.map_or(Ok(()), Err)))
            }
            _ => Ok(Err("no such kind".to_owned())),
        }
    }

    fn expect_result(&mut self, line: &Value) -> CaseResult {
        let result = self.expect_output(line, "result")?;
        Ok(result
            .map(drop)
            .or_else(|difference| difference.map_or(Ok(()), Err)))
    }

    /// Sends a request, and compares the patch or the result with the value at a key of the case.
    /// Returns the patch or the result if it is the expected value, `Err(None)` for an expected
    /// error, and otherwise a description of the difference.
    fn expect_output(
        &mut self,
        line: &Value,
        key: &str,
    ) -> Result<Result<Value, Option<String>>, Failure> {
        let reply = self.unionctl.send(line)?;
        let case = self.case;
        // Our crate returns an error where the reference panics.
        let is_error = case["error"] == true || case["go_panics"] == true;
        if let Some(error) = reply.get("error") {
            let expected = case["error_contains"].as_str().unwrap_or_default();
            let message = error["message"].as_str();
            let is_expected_error =
                is_error && message.is_some_and(|message| message.contains(expected));
            let difference = format!("{}: rejected: {error}", line["op"]);
            return Ok(Err((!is_expected_error).then_some(difference)));
        }
        if is_error && case["error_or_result"] != true {
            return Ok(Err(Some(format!("expected a rejection, got {reply}"))));
        }
        let result = reply
            .get("patch")
            .or_else(|| reply.get("result"))
            .cloned()
            .unwrap_or_default();
        let expected = expected_value(case, key);
        Ok(if result == expected {
            Ok(result)
        } else {
            let op = &line["op"];
            Err(Some(format!("{op}: got {result}, expected {expected}")))
        })
    }
}

/// Returns the expected value at a key of a case, without the mistakes of the reference.
///
/// If the case has only the result of the reference, the directives that the reference leaves in a
/// result are removed, because servers never store them.
fn expected_value(case: &Value, key: &str) -> Value {
    let suffixes = ["_fixed_aliasing_and_leaks", "_fixed_aliasing"];
    let fixed_value = suffixes
        .iter()
        .find_map(|suffix| case.get(format!("{key}{suffix}")));
    let mut expected = fixed_value.or(case.get(key)).cloned().unwrap_or_default();
    if fixed_value.is_none() && key == "result" && case["kind"] != "merge_patches" {
        remove_directives(&mut expected);
    }
    expected
}

fn remove_directives(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|key, _| key != "$retainKeys");
            object.values_mut().for_each(remove_directives);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_directives),
        _ => {}
    }
}
