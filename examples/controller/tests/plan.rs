//! Tests of the condition that the controller sets for each kind of target.

use serde_json::{Value, json};
use union_controller::backup::Backup;
use union_controller::reconcile::condition;

/// Returns the reason and the message of the condition of a backup with this target.
fn reason_and_message(target: &Value) -> (String, String) {
    let backup: Backup = serde_json::from_value(json!({
        "apiVersion": "backup.example.com/v1",
        "kind": "Backup",
        "metadata": {"name": "nightly"},
        "spec": {"target": target},
    }))
    .expect("every target is readable");
    let condition = condition(&backup);
    (condition.reason, condition.message)
}

#[test]
fn a_known_target_is_planned() {
    let (reason, message) = reason_and_message(&json!({"type": "S3", "s3": {"bucket": "b"}}));
    assert_eq!((&*reason, &*message), ("Planned", "writes to the bucket b"));
}

#[test]
fn a_target_of_a_newer_version_is_unsupported_and_not_invalid() {
    let (reason, message) = reason_and_message(&json!({"type": "Tape", "tape": {"drive": 1}}));
    assert_eq!(reason, "UnsupportedValue");
    assert!(message.contains("Tape"), "{message}");
}

#[test]
fn an_invalid_target_is_reported_with_its_path() {
    for (target, path) in [
        (json!({"type": "S3"}), "spec.target.s3: "),
        (
            json!({"type": "S3", "s3": {"bucket": "b"}, "volume": {"claim": "c"}}),
            "spec.target.volume: ",
        ),
        (
            json!({"type": "S3", "s3": {"bucket": 1}}),
            "spec.target.s3: ",
        ),
        (json!({"type": 1}), "spec.target.type"),
        (json!({}), "spec.target.type: "),
    ] {
        let (reason, message) = reason_and_message(&target);
        assert_eq!(reason, "InvalidUnion", "{target}");
        assert!(message.starts_with(path), "{target}: {message}");
    }
}
