//! Scenarios of several requests, from `ratcheting_scenarios.json`.

use serde_json::{Value, json};

use crate::list;
use crate::process::{Failure, Unionctl};

/// The resource that the requests of a scenario are sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TargetResource {
    /// The main resource: the object is created, then updated as a whole.
    Main,
    /// The status subresource of an existing object.
    Status,
}

/// Runs all scenarios, those with a status on both resources, and returns the number of wrong
/// results.
pub(crate) fn run(scenarios: &[Value], unionctl: &mut Unionctl) -> Result<usize, Failure> {
    let mut all_wrong = 0;
    for through in [TargetResource::Main, TargetResource::Status] {
        let (mut right, mut wrong) = (0, 0);
        for scenario in scenarios {
            let is_of_status = list(&scenario["steps"])
                .iter()
                .any(|step| step["subresource"] == "status");
            if through == TargetResource::Main || is_of_status {
                let [agreed, differed] = run_one(scenario, through, unionctl)?;
                right += agreed;
                wrong += differed;
            }
        }
        println!("scenarios through {through:?}: {right} steps as the file says, {wrong} not");
        all_wrong += wrong;
    }
    Ok(all_wrong)
}

/// Returns the numbers of right and of wrong results.
fn run_one(
    scenario: &Value,
    through: TargetResource,
    unionctl: &mut Unionctl,
) -> Result<[usize; 2], Failure> {
    let mut counts = [0, 0];
    let mut schema = Value::Null;
    // True if the tool has the current schema.
    let mut is_used = false;
    let mut stored = match through {
        TargetResource::Main => None,
        // The object is created without a status.
        TargetResource::Status => Some(json!({})),
    };
    for (number, step) in list(&scenario["steps"]).iter().enumerate() {
        let say = |what: &str| println!("{} step {number}: {what}", scenario["name"]);
        match step["op"].as_str() {
            Some("schema") => {
                schema = step["schema"].clone();
                is_used = false;
            }
            Some("patch_schema") => {
                merge(&mut schema, &step["patch"]);
                is_used = false;
            }
            Some("apply") => {
                let (new, has_status) = (&step["object"], through == TargetResource::Status);
                let line = match (&stored, through) {
                    (None, _) => json!({"op": "create", "new": new}),
                    (Some(old), TargetResource::Main) => {
                        json!({"op": "update", "old": old, "new": new})
                    }
                    (Some(old), TargetResource::Status) => {
                        json!({"op": "status", "old": old, "new": new})
                    }
                };
                if !is_used {
                    let used = json!({"use": {"schema": schema, "status_subresource": has_status}});
                    let linted = unionctl.ask(&used)?;
                    if linted != json!({}) {
                        say(&format!("the schema is refused: {linted}"));
                        counts[1] += 1;
                    }
                    is_used = true;
                }
                let answer = unionctl.ask(&line)?;
                let is_accepted = answer["errors"] == json!([]);
                if is_accepted == (step["expect"] == "ok") {
                    counts[0] += 1;
                } else {
                    say(&format!("to be {}, and is {answer}", step["expect"]));
                    counts[1] += 1;
                }
                if is_accepted {
                    stored = Some(answer["object"].clone());
                }
            }
            op => {
                say(&format!("op {op:?} is not known"));
                counts[1] += 1;
            }
        }
    }
    Ok(counts)
}

/// Applies a merge patch.
fn merge(target: &mut Value, patch: &Value) {
    match (target, patch) {
        (Value::Object(target), Value::Object(patch)) => {
            for (key, value) in patch {
                if value.is_null() {
                    target.remove(key);
                } else {
                    merge(target.entry(key.clone()).or_insert(Value::Null), value);
                }
            }
        }
        (target, patch) => *target = patch.clone(),
    }
}
