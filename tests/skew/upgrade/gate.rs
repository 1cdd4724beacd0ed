//! Tests of the disabled feature gate: objects are neither normalized nor validated, but schemas
//! keep their markers (KEP-1027, "Upgrade / Downgrade Strategy").

use serde_json::{Value, json};
use union_runtime::{Ratchet, Report, Settings, schema_for};

use crate::upgrade::gated::{
    Alone, Deduced, Grouped, Kindred, Listed, Ruled, for_all_kinds, read, states, write,
};

/// Returns settings with the gate off, one for each ratchet.
fn off() -> [Settings; 3] {
    let off = Settings::default().unions(false);
    [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off].map(|ratchet| off.ratchet(ratchet))
}

fn objects<T: Kindred>() -> Vec<(Value, T)> {
    let objects = states::<T::Sort>().into_iter().map(T::with);
    objects.map(|json| (json.clone(), read(&json))).collect()
}

#[test]
fn with_the_gate_off_a_create_is_stored_as_it_came() {
    fn check<T: Kindred>() -> usize {
        let objects = objects::<T>();
        for (json, object) in &objects {
            for settings in off() {
                let mut new = object.clone();
                assert!(new.normalize_unions(None, &settings).is_empty(), "{json}");
                let report = new.admit_unions(None, &settings);
                assert_eq!(report, Report::default(), "{json}");
                assert_eq!(write(&new), *json);
            }
        }
        objects.len()
    }
    assert_eq!(for_all_kinds!(check), [12, 16, 4, 12, 16, 4]);
}

#[test]
fn with_the_gate_off_every_update_is_stored_unchanged() {
    fn check<T: Kindred>() -> usize {
        let objects = objects::<T>();
        for (old_json, old) in &objects {
            for (json, object) in &objects {
                for settings in off() {
                    let mut new = object.clone();
                    let changes = new.normalize_unions(Some(old), &settings);
                    assert!(changes.is_empty(), "{json} over {old_json}");
                    let report = new.validate_unions_update(old, &settings);
                    assert_eq!(report, Report::default(), "{json} over {old_json}");
                    let report = new.admit_unions(Some(old), &settings);
                    assert_eq!(report, Report::default(), "{json} over {old_json}");
                    assert_eq!(write(&new), *json, "over {old_json}");
                }
            }
        }
        objects.len().pow(2)
    }
    assert_eq!(for_all_kinds!(check), [144, 256, 16, 144, 256, 16]);
}

#[test]
fn with_the_gate_off_an_apply_merges_and_no_more_even_where_it_contradicts_itself() {
    fn check<T: Kindred>() -> usize {
        let objects = objects::<T>();
        for (applied_json, applied) in &objects {
            for (live_json, live) in &objects {
                // The applied object can serve as the merged object, because it contains everything
                // that was applied.
                for live in [None, Some(live)] {
                    let mut merged = applied.clone();
                    let report = merged.normalize_unions_apply(applied, live, &off()[0]);
                    assert_eq!(report, Report::default(), "{applied_json} on {live_json}");
                    assert_eq!(write(&merged), *applied_json, "on {live_json}");
                }
            }
        }
        objects.len().pow(2)
    }
    assert_eq!(for_all_kinds!(check), [144, 256, 16, 144, 256, 16]);
}

/// Checks that the tests above are not vacuous: with the gate on, most of the same requests are
/// changed or rejected.
#[test]
fn with_the_gate_on_the_same_requests_are_changed_or_rejected() {
    fn check<T: Kindred>() -> (usize, usize, usize) {
        let objects = objects::<T>();
        let (mut untouched, mut changed, mut rejected) = (0, 0, 0);
        for (_, old) in &objects {
            for (json, object) in &objects {
                let mut new = object.clone();
                let settings = Settings::default().ratchet(Ratchet::Off);
                let report = new.admit_unions(Some(old), &settings);
                if !report.is_accepted() {
                    rejected += 1;
                } else if report.changes().is_empty() {
                    untouched += 1;
                } else {
                    assert_ne!(write(&new), *json, "the changes are real");
                    changed += 1;
                }
            }
        }
        (untouched, changed, rejected)
    }
    // There are 144, 256 and 16 pairs. Two states of `Ruled`, five of `Deduced` and three of
    // `Grouped` are valid.
    let alone = [(2 * 12, 16, 104), (5 * 16, 100, 76), (3 * 4, 2, 2)];
    let all = for_all_kinds!(check);
    assert_eq!(all[..3], alone);
    assert_eq!(all[3..], alone, "in a list it is the same");
}

#[test]
fn the_schema_has_its_markers_with_every_gate() {
    // A schema is generated without settings, so the gate cannot affect it.
    let ruled = schema_for::<Ruled>().to_value();
    let members = json!({
        "Alpha": {"name": "alpha", "optional": false},
        "Beta": {"name": "beta", "optional": false},
    });
    assert_eq!(
        ruled["properties"]["kind"]["x-kubernetes-unions"]["fieldMembers"],
        members
    );
    assert_eq!(
        ruled["properties"]["kind"]["enum"],
        json!(["Alpha", "Beta"])
    );
    let fields = json!({"alpha": "Alpha", "beta": "Beta"});
    let deduced = schema_for::<Deduced>().to_value();
    let marker = json!([{"discriminator": "kind", "fields-to-discriminateBy": fields}]);
    assert_eq!(deduced["x-kubernetes-unions"], marker);
    let grouped = schema_for::<Grouped>().to_value();
    let marker = json!([{"fields-to-discriminateBy": fields}]);
    assert_eq!(grouped["x-kubernetes-unions"], marker);
}

#[test]
fn the_schema_of_a_parent_has_the_markers_too() {
    fn check<T: Kindred>() -> (usize, bool) {
        let schema = schema_for::<T>().to_value();
        let marks = schema.to_string().matches("x-kubernetes-unions").count();
        let list = schema["properties"]["items"]["x-kubernetes-list-map-keys"] == json!(["name"]);
        (marks, list)
    }
    let (alone, listed) = ((1, false), (1, true));
    assert_eq!(
        for_all_kinds!(check),
        [alone, alone, alone, listed, listed, listed]
    );
}
