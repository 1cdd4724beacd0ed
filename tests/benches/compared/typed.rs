//! The objects of the bench `typed`, as workloads for the corresponding Go functions, and the
//! allocations of our rows. The bench `typed` itself measures our time.

use serde_json::{Value, json};
use union_benches::{
    Check, CheckType, Update, by_hand, derived, for_each_object, for_each_update,
    for_each_update_mut, objects,
};
use union_runtime::{Settings, Union as _};

use crate::engine::check_schema;

/// The name of the part of the report that compares our types with Go. The part `typed` compares
/// our types with handwritten code.
const REPORT_PART: &str = "typed, Go";

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

/// Counts the allocations of each row, by the derive and by hand, and returns them as lines for the
/// report.
pub(crate) fn allocations() -> impl Iterator<Item = Value> {
    let mut lines = Vec::new();
    let mut row = |name: &str, derived: &mut dyn FnMut(), by_hand: &mut dyn FnMut()| {
        let allocations_per_object = |work: &mut dyn FnMut()| {
            let counted = allocation_counter::measure(work).count_total;
            f64::from(u32::try_from(counted).unwrap_or(u32::MAX)) / OBJECTS_PER_ROW
        };
        let [derived, by_hand] = [
            allocations_per_object(derived),
            allocations_per_object(by_hand),
        ];
        for (report_part, side, allocs) in [
            ("typed", "ours", derived),
            ("typed", "reference", by_hand),
            (REPORT_PART, "ours", derived),
        ] {
            let is_printed = report_part != REPORT_PART || GO_ROWS.contains(&name);
            lines.extend(is_printed.then(
                || json!({"side": side, "what": report_part, "row": name, "allocs": allocs}),
            ));
        }
    };
    for (name, objects) in [
        ("validate_mixed", objects::mixed()),
        ("validate_one_type", objects::one_type()),
        ("validate_invalid", objects::invalid()),
    ] {
        row(
            name,
            &mut || {
                for_each_object(&objects, derived::validate);
            },
            &mut || {
                for_each_object(&objects, by_hand::validate);
            },
        );
    }
    for (name, updates) in [
        ("update_echo", objects::echoes()),
        ("update_switch", objects::switches()),
        ("update_ratcheted", objects::ratcheted()),
    ] {
        row(
            name,
            &mut || {
                for_each_update(&updates, derived::validate_update);
            },
            &mut || {
                for_each_update(&updates, by_hand::validate_update);
            },
        );
    }
    for (name, updates) in [
        ("normalize_echo", objects::echoes()),
        ("normalize_switch", objects::switches()),
        ("normalize_stale", objects::stale()),
    ] {
        let [mut updates_by_derive, mut updates_by_hand] = [updates.clone(), updates];
        row(
            name,
            &mut || {
                for_each_update_mut(&mut updates_by_derive, derived::normalize);
            },
            &mut || {
                for_each_update_mut(&mut updates_by_hand, by_hand::normalize);
            },
        );
    }
    lines.into_iter()
}

/// The rows that also exist as Go functions.
const GO_ROWS: [&str; 7] = [
    "validate_mixed",
    "validate_invalid",
    "update_echo",
    "update_switch",
    "normalize_echo",
    "normalize_switch",
    "normalize_stale",
];

/// The number of objects in a row.
const OBJECTS_PER_ROW: f64 = 1024.0;
