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
        unionctl.ask(&json!({"use": {"schema": schema}}))?;
        let found = PatchCase { case, unionctl }.check(kind)?;
        match found {
            Ok(()) => count[0] += 1,
            Err(why) => {
                count[1] += 1;
                println!("{kind} {}: {why}", case["name"]);
            }
        }
    }
    for (kind, [right, wrong]) in &counts {
        println!("patches, {kind}: {right} as the file says, {wrong} not");
    }
    Ok(counts.values().map(|[_, wrong]| wrong).sum())
}

/// The result of a case: an error with the difference from the expected result, if there is one.
type CaseResult = Result<Result<(), String>, Failure>;

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
                    Err(why) => return Ok(why.map_or(Ok(()), Err)),
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
                    let answer = self.unionctl.ask(&line)?;
                    if answer["error"]["kind"] != "Conflict" {
                        return Ok(Err(format!("it is to be a conflict, and is {answer}")));
                    }
                } else if let Err(why) = self.expect_output(&line, "three_way")? {
                    return Ok(why.map_or(Ok(()), Err));
                }
                line["overwrite"] = json!(true);
                let patch = match self.expect_output(&line, "three_way")? {
                    Ok(patch) => patch,
                    Err(why) => return Ok(why.map_or(Ok(()), Err)),
                };
                self.expect_result(&json!({"op": "apply", "original": current, "patch": patch}))
            }
            "sort_merge_lists" => self.expect_result(&json!({"op": "sort", "original": original})),
            "merge_patches" => {
                let line = json!({"op": "compose", "patches": document("patches")});
                let found = self.expect_output(&line, "result")?;
                Ok(found.map(drop).or_else(|why| why.map_or(Ok(()), Err)))
            }
            _ => Ok(Err("there is no such kind".to_owned())),
        }
    }

    fn expect_result(&mut self, line: &Value) -> CaseResult {
        let found = self.expect_output(line, "result")?;
        Ok(found.map(drop).or_else(|why| why.map_or(Ok(()), Err)))
    }

    /// Returns the patch or the result, if it is the expected value at a key of the case.
    /// `Err(None)` is an error that the case expects.
    fn expect_output(
        &mut self,
        line: &Value,
        key: &str,
    ) -> Result<Result<Value, Option<String>>, Failure> {
        let answer = self.unionctl.ask(line)?;
        let case = self.case;
        // A case in which the reference panics is an error here.
        let is_error = case["error"] == true || case["go_panics"] == true;
        if let Some(error) = answer.get("error") {
            let wanted = case["error_contains"].as_str().unwrap_or_default();
            let message = error["message"].as_str();
            let is_it = is_error && message.is_some_and(|message| message.contains(wanted));
            let why = format!("{}: it is refused: {error}", line["op"]);
            return Ok(Err((!is_it).then_some(why)));
        }
        if is_error && case["error_or_result"] != true {
            return Ok(Err(Some(format!("it is to be refused, and is {answer}"))));
        }
        let found = answer
            .get("patch")
            .or_else(|| answer.get("result"))
            .cloned()
            .unwrap_or_default();
        let wanted = fixed(case, key);
        Ok(if found == wanted {
            Ok(found)
        } else {
            let op = &line["op"];
            Err(Some(format!("{op}: it is {found}, and not {wanted}")))
        })
    }
}

/// Returns the expected value at a key of a case, without the mistakes of the reference.
///
/// If the case has only the result of the reference, the directives that the reference leaves in a
/// result are removed, because servers never store them.
fn fixed(case: &Value, key: &str) -> Value {
    let names = ["_fixed_aliasing_and_leaks", "_fixed_aliasing"];
    let fixed = names
        .iter()
        .find_map(|suffix| case.get(format!("{key}{suffix}")));
    let mut wanted = fixed.or(case.get(key)).cloned().unwrap_or_default();
    if fixed.is_none() && key == "result" && case["kind"] != "merge_patches" {
        without_directives(&mut wanted);
    }
    wanted
}

fn without_directives(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|key, _| key != "$retainKeys");
            object.values_mut().for_each(without_directives);
        }
        Value::Array(values) => values.iter_mut().for_each(without_directives),
        _ => {}
    }
}
