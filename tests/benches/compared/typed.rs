//! The objects of the bench `typed`, as workloads for the corresponding Go functions. The bench
//! `typed` itself measures our time.

use serde_json::{Value, json};
use union_benches::{Check, CheckType, Update, objects};
use union_runtime::{Settings, Union as _};

use crate::engine::check_schema;

/// The name of the part of the report that compares our types with Go. The part `typed` compares
/// our types with handwritten code.
pub(crate) const REPORT_PART: &str = "typed, Go";

/// Returns the workloads for `tests/reference/unions -bench`.
pub(crate) fn workloads() -> impl Iterator<Item = Value> {
    let create_cases = |objects: Vec<Check>| objects.into_iter().map(|new| (new, None)).collect();
    let update_cases = |updates: Vec<Update>| {
        updates
            .into_iter()
            .map(|Update { new, old }| (new, Some(old)))
            .collect()
    };
    let validate_rows = [
        ("validate_mixed", create_cases(objects::mixed())),
        ("validate_invalid", create_cases(objects::invalid())),
        ("update_echo", update_cases(objects::echoes())),
        ("update_switch", update_cases(objects::switches())),
    ];
    let normalize_rows = [
        ("normalize_echo", update_cases(objects::echoes())),
        ("normalize_switch", update_cases(objects::switches())),
        ("normalize_stale", update_cases(objects::stale())),
    ];
    let validate_workloads =
        validate_rows.map(|(row, cases)| workload(row, "validate", cases, validate_case));
    let normalize_workloads =
        normalize_rows.map(|(row, cases)| workload(row, "normalize", cases, normalize_case));
    validate_workloads.into_iter().chain(normalize_workloads)
}

/// The new object, and the old object of an update.
type Case = (Check, Option<Check>);

/// Returns a workload of the cases that both sides can validate.
fn workload(row: &str, op: &str, cases: Vec<Case>, to_json: fn(Case) -> Value) -> Value {
    let cases = cases.into_iter();
    // Kubernetes' validation does not support optional members, such as `grpc`.
    let cases = cases
        .filter(|(new, _)| op != "validate" || new.r#type != CheckType::Grpc || new.grpc.is_some());
    let cases: Vec<Value> = cases.map(to_json).collect();
    json!({"what": REPORT_PART, "row": row, "op": op, "schema": check_schema(), "cases": cases})
}

fn validate_case((new, old): Case) -> Value {
    let errors = new.validate_unions().errors().len();
    json!({"old": old, "new": new, "errors": errors})
}

fn normalize_case((new, old): Case) -> Value {
    let mut expected = new.clone();
    drop(expected.normalize_unions(old.as_ref(), &Settings::default()));
    json!({"old": old, "new": new, "want": expected})
}
