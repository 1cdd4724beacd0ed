//! The allocations of the rows of the bench `typed`, by the derive and by hand.

use allocation_counter::measure;
use serde_json::{Value, json};
use union_benches::{
    by_hand, derived, for_each_object, for_each_update, for_each_update_mut, objects,
};

use crate::measure::to_f64;
use crate::typed::REPORT_PART;

/// Counts the allocations of each row, by the derive and by hand, and returns them as lines for the
/// report.
pub(super) fn lines() -> impl Iterator<Item = Value> {
    let mut lines = Vec::new();
    let mut row = |name: &str, derived: &mut dyn FnMut(), by_hand: &mut dyn FnMut()| {
        let allocations_per_object =
            |work: &mut dyn FnMut()| to_f64(measure(work).count_total) / OBJECTS_PER_ROW;
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
