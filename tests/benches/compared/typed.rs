//! The objects of the bench `typed`, for the Go functions that do the same; ours are measured there.

use serde_json::{Value, json};
use union_benches::objects;
use union_benches::{Check, CheckType, Update};
use union_runtime::Union as _;

use crate::engine::check_schema;

/// The part of the report.
const WHAT: &str = "typed, Go";

/// For `tests/reference/unions -bench`.
pub(crate) fn workloads() -> impl Iterator<Item = Value> {
    let creates = |objects: Vec<Check>| objects.into_iter().map(|new| (new, None)).collect();
    let updates = |updates: Vec<Update>| {
        let updates = updates.into_iter();
        updates
            .map(|Update { new, old }| (new, Some(old)))
            .collect()
    };
    let validated = [
        ("validate_mixed", creates(objects::mixed())),
        ("validate_invalid", creates(objects::invalid())),
        ("update_echo", updates(objects::echoes())),
        ("update_switch", updates(objects::switches())),
    ];
    let normalized = [
        ("normalize_echo", updates(objects::echoes())),
        ("normalize_switch", updates(objects::switches())),
        ("normalize_stale", updates(objects::stale())),
    ];
    let validated = validated.map(|(row, cases)| line(row, "validate", cases, validated_case));
    let normalized = normalized.map(|(row, cases)| line(row, "normalize", cases, normalized_case));
    validated.into_iter().chain(normalized)
}

type Case = (Check, Option<Check>);

fn line(row: &str, op: &str, cases: Vec<Case>, case: fn(Case) -> Value) -> Value {
    let cases = cases.into_iter();
    // Kubernetes' validation has no optional members.
    let cases = cases
        .filter(|(new, _)| op != "validate" || new.r#type != CheckType::Grpc || new.grpc.is_some());
    let cases: Vec<Value> = cases.map(case).collect();
    json!({"what": WHAT, "row": row, "op": op, "schema": check_schema(), "cases": cases})
}

fn validated_case((new, old): Case) -> Value {
    let errors = new.validate_unions().err();
    let errors = errors.map_or(0, |violations| violations.iter().count());
    json!({"old": old, "new": new, "errors": errors})
}

fn normalized_case((new, old): Case) -> Value {
    let mut want = new.clone();
    let _ = want.normalize_unions(old.as_ref());
    json!({"old": old, "new": new, "want": want})
}
