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

/// Runs all scenarios, and returns the number of wrong results. Scenarios with a step on the status
/// run with both target resources.
pub(crate) fn run(scenarios: &[Value], unionctl: &mut Unionctl) -> Result<usize, Failure> {
    let mut total_wrong_count = 0;
    for target in [TargetResource::Main, TargetResource::Status] {
        let (mut right_count, mut wrong_count) = (0, 0);
        for scenario in scenarios {
            let is_of_status = list(&scenario["steps"])
                .iter()
                .any(|step| step["subresource"] == "status");
            if target == TargetResource::Main || is_of_status {
                let [right_steps, wrong_steps] = run_scenario(scenario, target, unionctl)?;
                right_count += right_steps;
                wrong_count += wrong_steps;
            }
        }
        println!("scenarios through {target:?}: {right_count} steps right, {wrong_count} wrong");
        total_wrong_count += wrong_count;
    }
    Ok(total_wrong_count)
}

/// Returns the numbers of right and of wrong results.
fn run_scenario(
    scenario: &Value,
    target: TargetResource,
    unionctl: &mut Unionctl,
) -> Result<[usize; 2], Failure> {
    let (mut right_count, mut wrong_count) = (0, 0);
    let mut schema = Value::Null;
    // True if the tool has the current schema.
    let mut is_schema_sent = false;
    let mut stored = match target {
        TargetResource::Main => None,
        // The object is created without a status.
        TargetResource::Status => Some(json!({})),
    };
    for (step_index, step) in list(&scenario["steps"]).iter().enumerate() {
        let report_difference =
            |difference: &str| println!("{} step {step_index}: {difference}", scenario["name"]);
        match step["op"].as_str() {
            Some("schema") => {
                schema = step["schema"].clone();
                is_schema_sent = false;
            }
            Some("patch_schema") => {
                apply_merge_patch(&mut schema, &step["patch"]);
                is_schema_sent = false;
            }
            Some("apply") => {
                let (new, has_status) = (&step["object"], target == TargetResource::Status);
                let line = match (&stored, target) {
                    (None, _) => json!({"op": "create", "new": new}),
                    (Some(old), TargetResource::Main) => {
                        json!({"op": "update", "old": old, "new": new})
                    }
                    (Some(old), TargetResource::Status) => {
                        json!({"op": "status", "old": old, "new": new})
                    }
                };
                if !is_schema_sent {
                    let use_line =
                        json!({"use": {"schema": schema, "status_subresource": has_status}});
                    let lint_reply = unionctl.send(&use_line)?;
                    if lint_reply != json!({}) {
                        report_difference(&format!("the schema is rejected: {lint_reply}"));
                        wrong_count += 1;
                    }
                    is_schema_sent = true;
                }
                let reply = unionctl.send(&line)?;
                let is_accepted = reply["errors"] == json!([]);
                if is_accepted == (step["expect"] == "ok") {
                    right_count += 1;
                } else {
                    report_difference(&format!("to be {}, and is {reply}", step["expect"]));
                    wrong_count += 1;
                }
                if is_accepted {
                    stored = Some(reply["object"].clone());
                }
            }
            op => {
                report_difference(&format!("op {op:?} is not known"));
                wrong_count += 1;
            }
        }
    }
    Ok([right_count, wrong_count])
}

/// Applies a merge patch.
fn apply_merge_patch(target: &mut Value, patch: &Value) {
    match (target, patch) {
        (Value::Object(target), Value::Object(patch)) => {
            for (key, value) in patch {
                if value.is_null() {
                    target.remove(key);
                } else {
                    apply_merge_patch(target.entry(key.clone()).or_insert(Value::Null), value);
                }
            }
        }
        (target, patch) => *target = patch.clone(),
    }
}
