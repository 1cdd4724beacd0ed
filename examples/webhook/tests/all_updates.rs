//! Tests of all small updates: the patches and decisions of the two webhooks match the results of
//! union-runtime.

use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::{RestoreUnaware, Settings};
use union_webhook::files;
use union_webhook::review::{ReviewSettings, Webhook, answer_review};

use crate::decisions::{apply_patch, decode_patch};
use crate::support::{crd, crd_path, sample_review};

/// Returns all targets: each discriminator value with each combination of members.
fn targets() -> Vec<Value> {
    let mut targets = Vec::new();
    for r#type in [None, Some("None"), Some("S3"), Some("Volume"), Some("Tape")] {
        for member_states in 0..9 {
            let mut target = json!({});
            if let Some(r#type) = r#type {
                target["type"] = r#type.into();
            }
            let states = [(member_states % 3, "s3"), (member_states / 3, "volume")];
            for (state, name) in states {
                match state {
                    0 => {}
                    1 => target[name] = Value::Null,
                    _ => target[name] = json!({"a/b~c": [1.5, {}]}),
                }
            }
            targets.push(target);
        }
    }
    targets
}

#[test]
fn patches_and_decisions_match_the_runtime() {
    let schemas =
        files::read_schemas(&[crd_path()], union_webhook::schemas::CheckScope::Unions).unwrap();
    let unions = Unions::compile(SchemaSource::Crd(&crd(), None)).unwrap();
    let (mut unchanged_count, mut patched_count) = (0, 0);
    let (mut accepted_count, mut rejected_count) = (0, 0);
    for restore in [RestoreUnaware::Off, RestoreUnaware::Required] {
        let settings = Settings::default().restore_unaware(restore);
        let review_settings = ReviewSettings {
            unions: settings,
            ..ReviewSettings::default()
        };
        let send = |webhook, review: &Value| -> Value {
            let reply = answer_review(
                webhook,
                review.to_string().as_bytes(),
                &schemas,
                &review_settings,
            )
            .unwrap();
            let review: Value = serde_json::from_slice(&reply.body).unwrap();
            review["response"].clone()
        };
        let old_objects: Vec<Option<Value>> =
            targets().into_iter().map(Some).chain([None]).collect();
        for (new, old) in targets()
            .iter()
            .flat_map(|new| old_objects.iter().map(move |old| (new, old)))
        {
            let mut review = sample_review(if old.is_some() {
                "switch.json"
            } else {
                "create.json"
            });
            let request = &mut review["request"];
            request["object"]["spec"]["target"] = new.clone();
            let original_object = request["object"].clone();
            let old = old.as_ref().map(|old| {
                request["oldObject"]["spec"]["target"] = old.clone();
                request["oldObject"].clone()
            });
            let mut expected = original_object.clone();
            let changes = unions.normalize(&mut expected, old.as_ref(), &settings);

            let response = send(Webhook::Mutate, &review);
            assert_eq!(response["allowed"], true);
            if changes.is_empty() {
                assert_eq!(response.get("patch"), None);
                unchanged_count += 1;
            } else {
                // The patch has exactly one operation for each change.
                assert_eq!(decode_patch(&response).len(), changes.len());
                assert_eq!(apply_patch(&original_object, &response), expected);
                patched_count += 1;
            }
            review["request"]["object"] = expected.clone();
            let response = send(Webhook::Validate, &review);
            let report = unions.admit(&mut expected, old.as_ref(), &settings);
            assert_eq!(response["allowed"], report.is_accepted());
            if report.is_accepted() {
                let warnings = response["warnings"].as_array().map_or(0, Vec::len);
                assert_eq!(warnings, report.tolerated().len());
                accepted_count += 1;
            } else {
                let causes = &response["status"]["details"]["causes"];
                assert_eq!(*causes, report.causes());
                rejected_count += 1;
            }
        }
    }
    let counts = [
        unchanged_count,
        patched_count,
        accepted_count,
        rejected_count,
    ];
    assert_eq!(counts.iter().sum::<usize>(), 2 * 2 * 45 * 46);
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}
