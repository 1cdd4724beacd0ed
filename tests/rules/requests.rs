//! Tests of updates: every pair of an old and a new object, as Rust types and as JSON, under every
//! ratchet.

mod apply;

use serde_json::Value;
use union_runtime::{Ratchet, Report, Settings};

use crate::unions::real_types::gateway::HTTPPathModifier;
use crate::unions::real_types::kep::{Absent, Lenient, Strict, Union2};
use crate::unions::real_types::metrics::MetricSpec;
use crate::unions::real_types::model::Object;
use crate::unions::real_types::states::{
    Sample, TOLERANCES, cleared, json, objects, readable, settings, value, verdict,
};
use crate::unions::real_types::view::{Engine, View};
use crate::unions::real_types::workloads::{DeploymentStrategy, LimitResponse, SeccompProfile};

/// An object of the oracle, the same object in a view, and its JSON.
struct State<V> {
    object: Object,
    view: V,
    json: Value,
}

impl<V: View> State<V> {
    fn new(object: Object, view: V) -> Self {
        let json = view.json();
        Self { object, view, json }
    }
}

/// Compares the results of an update with the oracle, under every ratchet.
fn check_pair<T: Sample, V: View>(new: &State<V>, old: &State<V>) {
    let model = &T::MODEL;
    let describe = || format!("old {:?}, new {:?}", old.object, new.object);

    let (expected, expected_cleared) = model.normalize(&new.object, &old.object);
    let mut normalized = new.view.clone();
    let changes = normalized.normalize(Some(&old.view), &Settings::default());
    assert_eq!(cleared(&changes), expected_cleared, "{}", describe());
    let mut expected_json = new.json.clone();
    for field in expected_cleared {
        expected_json
            .as_object_mut()
            .expect("an object")
            .remove(&field);
    }
    assert_eq!(normalized.json(), expected_json, "{}", describe());

    for (tolerance, ratchet) in TOLERANCES {
        let settings = settings(ratchet);
        let report = new.view.validate_update(&old.view, &settings);
        let expected_verdict = model.validate_update(&new.object, &old.object, tolerance);
        assert_eq!(
            verdict(model, &report),
            expected_verdict,
            "{tolerance:?}: {}",
            describe()
        );

        let mut admitted = new.view.clone();
        let report = admitted.admit(Some(&old.view), &settings);
        assert_eq!(*report.changes(), changes, "{tolerance:?}: {}", describe());
        let expected_verdict = model.validate_update(&expected, &old.object, tolerance);
        assert_eq!(
            verdict(model, &report),
            expected_verdict,
            "{tolerance:?}: {}",
            describe()
        );
        if ratchet == Ratchet::Off {
            assert_eq!(
                admitted.json(),
                expected_json,
                "refused, yet normalized: {}",
                describe()
            );
        }
    }
    assert_unchanged_with_unions_off(new, old);
}

/// Asserts that an update is neither normalized nor validated if unions are off.
fn assert_unchanged_with_unions_off<V: View>(new: &State<V>, old: &State<V>) {
    let off = Settings::default().unions(false);
    let mut admitted = new.view.clone();
    let empty_report = Report::default();
    assert_eq!(admitted.admit(Some(&old.view), &off), empty_report);
    assert!(admitted.normalize(Some(&old.view), &off).is_empty());
    assert_eq!(admitted.validate_update(&old.view, &off), empty_report);
    if old.object.set_fields.is_empty() {
        assert_eq!(admitted.json(), new.json);
    }
}

/// Checks every pair of states, and returns the number of pairs.
fn check_pairs<T: Sample, V: View>(states: &[State<V>]) -> usize {
    for new in states {
        for old in states {
            check_pair::<T, V>(new, old);
        }
    }
    states.len() * states.len()
}

/// Checks every pair of objects that the real type can read, and returns the number of pairs.
fn check_typed_pairs<T: Sample>() -> usize {
    let states = readable(&T::MODEL).into_iter().map(|object| {
        let view = value::<T>(&object);
        State::new(object, view)
    });
    check_pairs::<T, T>(&states.collect::<Vec<_>>())
}

/// Checks every pair of objects as JSON, including objects that the real type cannot read, and
/// returns the number of pairs.
fn check_json_pairs<T: Sample>() -> usize {
    let engine = Engine::compile::<T>();
    let states = objects(&T::MODEL).into_iter().map(|object| {
        let view = engine.view_of(json::<T>(&object));
        State::new(object, view)
    });
    check_pairs::<T, _>(&states.collect::<Vec<_>>())
}

macro_rules! updates {
    ($($name:ident: $ty:ty => $counts:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!([check_typed_pairs::<$ty>(), check_json_pairs::<$ty>()], $counts, "pairs, typed and as JSON");
        }
    )*};
}

updates! {
    updates_of_kep_union_match_the_oracle: Strict => [400, 1024];
    updates_of_kep_union_with_an_optional_member_match_the_oracle: Lenient => [400, 1024];
    updates_of_kep_union_with_an_optional_discriminator_match_the_oracle: Absent => [576, 1024];
    updates_of_kep_union2_match_the_oracle: Union2 => [64, 576];
    updates_of_deployment_strategy_match_the_oracle: DeploymentStrategy => [144, 144];
    updates_of_seccomp_profile_match_the_oracle: SeccompProfile => [144, 196];
    updates_of_limit_response_match_the_oracle: LimitResponse => [16, 144];
    updates_of_http_path_modifier_match_the_oracle: HTTPPathModifier => [64, 576];
}

#[test]
fn updates_of_metric_spec_match_the_oracle() {
    assert_eq!(check_typed_pairs::<MetricSpec>(), 65_536, "pairs");
}
