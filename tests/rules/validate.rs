//! Tests of creates: every selection with every set of members, for every real type, as a Rust type
//! and as JSON.

mod enum_fields;
mod messages;
mod model_messages;
mod unknown_values;

use serde_json::{Value, json};
use union_runtime::{Report, Settings};

use crate::unions::real_types::gateway::{HTTPPathModifier, HTTPRouteFilter};
use crate::unions::real_types::kep::{Absent, Lenient, Strict, Union2};
use crate::unions::real_types::metrics::{MetricSpec, MetricStatus};
use crate::unions::real_types::model::{Object, Verdict};
use crate::unions::real_types::view::{Engine, View};
use crate::unions::real_types::workloads::{DeploymentStrategy, LimitResponse, SeccompProfile};
use crate::unions::real_types::world::{
    Sample, as_json, findings_of, json, objects, readable, value, verdict,
};

/// Checks the violations of an object on a create, with each function that validates.
fn check<T: Sample, V: View>(object: &Object, view: &V) {
    let expected = V::in_report_order::<T>(T::MODEL.judge(object));
    let report = view.validate();
    let findings = findings_of(&T::MODEL, report.errors());
    assert_eq!(findings, expected, "{object:?}");

    let mut admitted = view.clone();
    let report = admitted.admit(None, &Settings::default());
    assert!(
        report.changes().is_empty(),
        "a create changes nothing: {object:?}"
    );
    let expected = Verdict {
        errors: expected,
        ratcheted: Vec::new(),
    };
    assert_eq!(verdict(&T::MODEL, &report), expected, "{object:?}");
    assert!(admitted.normalize(None, &Settings::default()).is_empty());
    assert_eq!(
        admitted.json(),
        view.json(),
        "a create changes nothing: {object:?}"
    );

    let off = Settings::default().unions(false);
    assert_eq!(admitted.admit(None, &off), Report::default());
}

/// Checks every state, and returns the number of states, of readable states, and of valid states.
fn every_state<T: Sample>() -> [usize; 3] {
    let objects = objects(&T::MODEL);
    let engine = Engine::compile::<T>();
    for object in &objects {
        let json = json::<T>(object);
        let read: Result<T, _> = serde_json::from_value(json.clone());
        assert_eq!(read.is_ok(), T::MODEL.is_readable(object), "{object:?}");
        if let Ok(read) = read {
            let object = T::MODEL.read(object);
            assert_eq!(
                as_json(&read),
                crate::unions::real_types::world::json::<T>(&object),
                "what is read is written"
            );
            check::<T, _>(&object, &read);
        }
        check::<T, _>(object, &engine.view_of(json));
    }
    let readable = readable(&T::MODEL).len();
    let valid = objects
        .iter()
        .filter(|object| T::MODEL.judge(object).is_empty());
    [objects.len(), readable, valid.count()]
}

/// Checks that a null is equal to an absent field, in every field of the union.
fn null_is_absence<T: Sample>() {
    let engine = Engine::compile::<T>();
    for object in readable(&T::MODEL) {
        let mut with_nulls = json::<T>(&object);
        for member in T::MODEL.members {
            if !object.set.contains(member.field) {
                with_nulls[member.field] = Value::Null;
            }
        }
        let read: T = serde_json::from_value(with_nulls.clone()).expect("null is absence");
        assert_eq!(as_json(&read), json::<T>(&object));
        assert_eq!(
            read.validate_unions(),
            value::<T>(&object).validate_unions()
        );
        if object.selected.is_none() {
            with_nulls[T::MODEL.discriminator] = Value::Null;
        }
        let [without, with_nulls] =
            [json::<T>(&object), with_nulls].map(|json| engine.view_of(json).validate());
        assert_eq!(with_nulls, without);
    }
}

macro_rules! creates {
    ($($name:ident: $ty:ty => $counts:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(every_state::<$ty>(), $counts, "states, readable, valid");
            null_is_absence::<$ty>();
        }
    )*};
}

creates! {
    kep_union_is_judged_as_the_text_says: Strict => [32, 20, 6];
    kep_union_with_an_optional_member_is_judged_as_the_text_says: Lenient => [32, 20, 7];
    kep_union_with_an_absent_discriminator_is_judged_as_the_text_says: Absent => [32, 24, 7];
    kep_union2_is_judged_as_the_text_says: Union2 => [24, 8, 3];
    deployment_strategy_is_judged_as_the_text_says: DeploymentStrategy => [12, 12, 5];
    seccomp_profile_is_judged_as_the_text_says: SeccompProfile => [14, 12, 3];
    limit_response_is_judged_as_the_text_says: LimitResponse => [12, 4, 2];
    metric_spec_is_judged_as_the_text_says: MetricSpec => [288, 256, 5];
    metric_status_is_judged_as_the_text_says: MetricStatus => [288, 256, 5];
    http_path_modifier_is_judged_as_the_text_says: HTTPPathModifier => [24, 8, 2];
    http_route_filter_is_judged_as_the_text_says: HTTPRouteFilter => [1408, 1280, 7];
}

#[test]
fn an_unknown_value_is_written_back_as_it_came() {
    let json = json!({"type": "Canary", "rollingUpdate": {"maxSurge": 1}});
    let read: DeploymentStrategy = serde_json::from_value(json.clone()).expect("it is kept");
    assert_eq!(as_json(&read), json);
}
