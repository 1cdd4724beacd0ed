//! Tests of updates: every pair of an old and a new object, as Rust types and as JSON, under every
//! ratchet.

mod apply;

use serde_json::Value;
use union_runtime::{Ratchet, Report, Settings};

use crate::unions::real_types::gateway::HTTPPathModifier;
use crate::unions::real_types::kep::{Absent, Lenient, Strict, Union2};
use crate::unions::real_types::metrics::MetricSpec;
use crate::unions::real_types::model::Object;
use crate::unions::real_types::view::{Engine, View};
use crate::unions::real_types::workloads::{DeploymentStrategy, LimitResponse, SeccompProfile};
use crate::unions::real_types::world::{
    Sample, TOLERANCES, cleared, json, objects, readable, settings, value, verdict,
};

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
        let expected_verdict = model.judge_update(&new.object, &old.object, tolerance);
        assert_eq!(
            verdict(model, &report),
            expected_verdict,
            "{tolerance:?}: {}",
            describe()
        );

        let mut admitted = new.view.clone();
        let report = admitted.admit(Some(&old.view), &settings);
        assert_eq!(*report.changes(), changes, "{tolerance:?}: {}", describe());
        let expected_verdict = model.judge_update(&expected, &old.object, tolerance);
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
    check_off(new, old);
}

/// Checks that an update is neither changed nor validated if the feature gate is off.
fn check_off<V: View>(new: &State<V>, old: &State<V>) {
    let off = Settings::default().unions(false);
    let mut admitted = new.view.clone();
    let nothing = Report::default();
    assert_eq!(admitted.admit(Some(&old.view), &off), nothing);
    assert!(admitted.normalize(Some(&old.view), &off).is_empty());
    assert_eq!(admitted.validate_update(&old.view, &off), nothing);
    if old.object.set.is_empty() {
        assert_eq!(admitted.json(), new.json);
    }
}

fn every_pair<T: Sample, V: View>(states: &[State<V>]) -> usize {
    for new in states {
        for old in states {
            check_pair::<T, V>(new, old);
        }
    }
    states.len() * states.len()
}

/// Checks every pair of objects that the real type can read, and returns the number of pairs.
fn typed<T: Sample>() -> usize {
    let states = readable(&T::MODEL).into_iter().map(|object| {
        let view = value::<T>(&object);
        State::new(object, view)
    });
    every_pair::<T, T>(&states.collect::<Vec<_>>())
}

/// Checks every pair of objects as JSON, including objects that the real type cannot read, and
/// returns the number of pairs.
fn as_objects<T: Sample>() -> usize {
    let engine = Engine::compile::<T>();
    let states = objects(&T::MODEL).into_iter().map(|object| {
        let view = engine.view_of(json::<T>(&object));
        State::new(object, view)
    });
    every_pair::<T, _>(&states.collect::<Vec<_>>())
}

macro_rules! updates {
    ($($name:ident: $ty:ty => $counts:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!([typed::<$ty>(), as_objects::<$ty>()], $counts, "pairs, typed and as JSON");
        }
    )*};
}

updates! {
    kep_union_is_updated_as_the_text_says: Strict => [400, 1024];
    kep_union_with_an_optional_member_is_updated_as_the_text_says: Lenient => [400, 1024];
    kep_union_with_an_absent_discriminator_is_updated_as_the_text_says: Absent => [576, 1024];
    kep_union2_is_updated_as_the_text_says: Union2 => [64, 576];
    deployment_strategy_is_updated_as_the_text_says: DeploymentStrategy => [144, 144];
    seccomp_profile_is_updated_as_the_text_says: SeccompProfile => [144, 196];
    limit_response_is_updated_as_the_text_says: LimitResponse => [16, 144];
    http_path_modifier_is_updated_as_the_text_says: HTTPPathModifier => [64, 576];
}

#[test]
fn metric_spec_is_updated_as_the_kep_requires() {
    assert_eq!(typed::<MetricSpec>(), 65_536, "pairs");
}
