//! The objects of the bench `typed`, as workloads for the corresponding Go functions, and the
//! allocations of our rows. The bench `typed` itself measures our time.

use serde_json::{Value, json};
use union_benches::{
    Check, CheckType, Update, by_hand, derived, each, each_update, each_update_mut, objects,
};
use union_runtime::{Settings, Union as _};

use crate::engine::check_schema;

/// The name of the part of the report.
const WHAT: &str = "typed, Go";

/// Returns the workloads for `tests/reference/unions -bench`.
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
    let errors = new.validate_unions().errors().len();
    json!({"old": old, "new": new, "errors": errors})
}

fn normalized_case((new, old): Case) -> Value {
    let mut want = new.clone();
    drop(want.normalize_unions(old.as_ref(), &Settings::default()));
    json!({"old": old, "new": new, "want": want})
}

/// Counts the allocations of each row, by the derive and by hand, and returns them as lines for the
/// report.
pub(crate) fn allocations() -> impl Iterator<Item = Value> {
    let mut lines = Vec::new();
    let mut row = |name: &str, derived: &mut dyn FnMut(), by_hand: &mut dyn FnMut()| {
        let count = |work: &mut dyn FnMut()| {
            let counted = allocation_counter::measure(work).count_total;
            f64::from(u32::try_from(counted).unwrap_or(u32::MAX)) / PER_ROW
        };
        let [derived, by_hand] = [count(derived), count(by_hand)];
        for (what, side, allocs) in [
            ("typed", "ours", derived),
            ("typed", "reference", by_hand),
            (WHAT, "ours", derived),
        ] {
            let is_theirs = what != WHAT || GO.contains(&name);
            lines.extend(
                is_theirs
                    .then(|| json!({"side": side, "what": what, "row": name, "allocs": allocs})),
            );
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
                each(&objects, derived::validate);
            },
            &mut || {
                each(&objects, by_hand::validate);
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
                each_update(&updates, derived::validate_update);
            },
            &mut || {
                each_update(&updates, by_hand::validate_update);
            },
        );
    }
    for (name, updates) in [
        ("normalize_echo", objects::echoes()),
        ("normalize_switch", objects::switches()),
        ("normalize_stale", objects::stale()),
    ] {
        let [mut by_derive, mut by_author] = [updates.clone(), updates];
        row(
            name,
            &mut || {
                each_update_mut(&mut by_derive, derived::normalize);
            },
            &mut || {
                each_update_mut(&mut by_author, by_hand::normalize);
            },
        );
    }
    lines.into_iter()
}

/// The rows that also exist as Go functions.
const GO: [&str; 7] = [
    "validate_mixed",
    "validate_invalid",
    "update_echo",
    "update_switch",
    "normalize_echo",
    "normalize_switch",
    "normalize_stale",
];

/// The number of objects in a row.
const PER_ROW: f64 = 1024.0;
