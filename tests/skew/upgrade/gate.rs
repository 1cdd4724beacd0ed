//! Tests of the disabled feature gate: objects are neither normalized nor validated, but schemas
//! keep their markers (KEP-1027, "Upgrade / Downgrade Strategy").

use serde_json::{Value, json};
use union_runtime::{Ratchet, Report, Settings, schema_for};

use crate::upgrade::gated::{
    Deduced, Discriminated, Grouped, ObjectKind, WithList, WithUnion, deserialize, for_all_kinds,
    serialize, states,
};

/// Returns settings with the gate off, one for each ratchet.
fn disabled_settings() -> [Settings; 3] {
    let settings = Settings::default().unions(false);
    [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off].map(|ratchet| settings.ratchet(ratchet))
}

fn objects<T: ObjectKind>() -> Vec<(Value, T)> {
    let objects = states::<T::UnionKind>().into_iter().map(T::with_union);
    objects
        .map(|json| (json.clone(), deserialize(&json)))
        .collect()
}

#[test]
fn with_the_gate_off_a_create_is_stored_unchanged() {
    fn check<T: ObjectKind>() -> usize {
        let objects = objects::<T>();
        for (json, object) in &objects {
            for settings in disabled_settings() {
                let mut new = object.clone();
                assert!(new.normalize_unions(None, &settings).is_empty(), "{json}");
                let report = new.admit_unions(None, &settings);
                assert_eq!(report, Report::default(), "{json}");
                assert_eq!(serialize(&new), *json);
            }
        }
        objects.len()
    }
    assert_eq!(for_all_kinds!(check), [12, 16, 4, 12, 16, 4]);
}

#[test]
fn with_the_gate_off_every_update_is_stored_unchanged() {
    fn check<T: ObjectKind>() -> usize {
        let objects = objects::<T>();
        for (old_json, old) in &objects {
            for (json, object) in &objects {
                for settings in disabled_settings() {
                    let mut new = object.clone();
                    let changes = new.normalize_unions(Some(old), &settings);
                    assert!(changes.is_empty(), "{json} over {old_json}");
                    let report = new.validate_unions_update(old, &settings);
                    assert_eq!(report, Report::default(), "{json} over {old_json}");
                    let report = new.admit_unions(Some(old), &settings);
                    assert_eq!(report, Report::default(), "{json} over {old_json}");
                    assert_eq!(serialize(&new), *json, "over {old_json}");
                }
            }
        }
        objects.len().pow(2)
    }
    assert_eq!(for_all_kinds!(check), [144, 256, 16, 144, 256, 16]);
}

#[test]
fn with_the_gate_off_every_apply_is_stored_unchanged() {
    fn check<T: ObjectKind>() -> usize {
        let objects = objects::<T>();
        for (applied_json, applied) in &objects {
            for (live_json, live) in &objects {
                // The applied object can serve as the merged object, because it contains everything
                // that was applied.
                for live in [None, Some(live)] {
                    let mut merged = applied.clone();
                    let report =
                        merged.normalize_unions_apply(applied, live, &disabled_settings()[0]);
                    assert_eq!(report, Report::default(), "{applied_json} on {live_json}");
                    assert_eq!(serialize(&merged), *applied_json, "on {live_json}");
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
    fn check<T: ObjectKind>() -> (usize, usize, usize) {
        let objects = objects::<T>();
        let (mut unchanged_count, mut changed_count, mut rejected_count) = (0, 0, 0);
        for (_, old) in &objects {
            for (json, object) in &objects {
                let mut new = object.clone();
                let settings = Settings::default().ratchet(Ratchet::Off);
                let report = new.admit_unions(Some(old), &settings);
                if !report.is_accepted() {
                    rejected_count += 1;
                } else if report.changes().is_empty() {
                    unchanged_count += 1;
                } else {
                    assert_ne!(serialize(&new), *json, "the changes are real");
                    changed_count += 1;
                }
            }
        }
        (unchanged_count, changed_count, rejected_count)
    }
    // There are 144, 256 and 16 pairs. Two states of `Ruled`, five of `Deduced` and three of
    // `Grouped` are valid.
    let counts = [(2 * 12, 16, 104), (5 * 16, 100, 76), (3 * 4, 2, 2)];
    let results = for_all_kinds!(check);
    assert_eq!(results[..3], counts);
    assert_eq!(results[3..], counts, "a list has the same results");
}

#[test]
fn the_schema_has_its_markers_with_the_gate_on_or_off() {
    // A schema is generated without settings, so the gate cannot affect it.
    let discriminated_schema = schema_for::<Discriminated>().to_value();
    let members = json!({
        "Alpha": {"name": "alpha", "optional": false},
        "Beta": {"name": "beta", "optional": false},
    });
    assert_eq!(
        discriminated_schema["properties"]["kind"]["x-kubernetes-unions"]["fieldMembers"],
        members
    );
    assert_eq!(
        discriminated_schema["properties"]["kind"]["enum"],
        json!(["Alpha", "Beta"])
    );
    let fields = json!({"alpha": "Alpha", "beta": "Beta"});
    let deduced_schema = schema_for::<Deduced>().to_value();
    let marker = json!([{"discriminator": "kind", "fields-to-discriminateBy": fields}]);
    assert_eq!(deduced_schema["x-kubernetes-unions"], marker);
    let grouped_schema = schema_for::<Grouped>().to_value();
    let marker = json!([{"fields-to-discriminateBy": fields}]);
    assert_eq!(grouped_schema["x-kubernetes-unions"], marker);
}

#[test]
fn the_schema_of_a_parent_has_the_markers_of_its_unions() {
    fn check<T: ObjectKind>() -> (usize, bool) {
        let schema = schema_for::<T>().to_value();
        let marker_count = schema.to_string().matches("x-kubernetes-unions").count();
        let has_list_keys =
            schema["properties"]["items"]["x-kubernetes-list-map-keys"] == json!(["name"]);
        (marker_count, has_list_keys)
    }
    let (in_object, in_list) = ((1, false), (1, true));
    assert_eq!(
        for_all_kinds!(check),
        [in_object, in_object, in_object, in_list, in_list, in_list]
    );
}
