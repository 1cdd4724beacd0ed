//! Tests of creates: every selection with every set of members, for every real type, as a Rust type
//! and as JSON.

mod enum_fields;
mod known_unions;
mod messages;
mod model_messages;
mod unknown_values;

use serde_json::{Value, json};
use union_runtime::{Report, Settings};

use crate::unions::real_types::gateway::{HTTPPathModifier, HTTPRouteFilter};
use crate::unions::real_types::kep::{Absent, Lenient, Strict, Union2};
use crate::unions::real_types::metrics::{MetricSpec, MetricStatus};
use crate::unions::real_types::model::{Object, Verdict};
use crate::unions::real_types::states::{
    Sample, as_json, findings_of, json, objects, readable, value, verdict,
};
use crate::unions::real_types::view::{Engine, View};
use crate::unions::real_types::workloads::{DeploymentStrategy, LimitResponse, SeccompProfile};

/// Checks the violations of an object on a create, with each function that validates.
fn assert_matches_oracle<T: Sample, V: View>(object: &Object, view: &V) {
    let expected = V::in_report_order::<T>(T::MODEL.validate(object));
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
fn check_every_state<T: Sample>() -> [usize; 3] {
    let objects = objects(&T::MODEL);
    let engine = Engine::compile::<T>();
    for object in &objects {
        let json = json::<T>(object);
        let typed_result: Result<T, _> = serde_json::from_value(json.clone());
        assert_eq!(
            typed_result.is_ok(),
            T::MODEL.is_readable(object),
            "{object:?}"
        );
        if let Ok(typed) = typed_result {
            let object = T::MODEL.read(object);
            assert_eq!(
                as_json(&typed),
                crate::unions::real_types::states::json::<T>(&object),
                "what is read is written"
            );
            assert_matches_oracle::<T, _>(&object, &typed);
        }
        assert_matches_oracle::<T, _>(object, &engine.view_of(json));
    }
    let readable = readable(&T::MODEL).len();
    let valid = objects
        .iter()
        .filter(|object| T::MODEL.validate(object).is_empty());
    [objects.len(), readable, valid.count()]
}

/// Asserts that a null is equal to an absent field, for every field of the union.
fn assert_null_is_absence<T: Sample>() {
    let engine = Engine::compile::<T>();
    for object in readable(&T::MODEL) {
        let mut object_with_nulls = json::<T>(&object);
        for member in T::MODEL.members {
            if !object.set_fields.contains(member.field) {
                object_with_nulls[member.field] = Value::Null;
            }
        }
        let typed: T = serde_json::from_value(object_with_nulls.clone()).expect("null is absence");
        assert_eq!(as_json(&typed), json::<T>(&object));
        assert_eq!(
            typed.validate_unions(),
            value::<T>(&object).validate_unions()
        );
        if object.selected.is_none() {
            object_with_nulls[T::MODEL.discriminator] = Value::Null;
        }
        let [absent_report, object_with_nulls] =
            [json::<T>(&object), object_with_nulls].map(|json| engine.view_of(json).validate());
        assert_eq!(object_with_nulls, absent_report);
    }
}

macro_rules! creates {
    ($($name:ident: $ty:ty => $counts:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(check_every_state::<$ty>(), $counts, "states, readable, valid");
            assert_null_is_absence::<$ty>();
        }
    )*};
}

creates! {
    creates_of_kep_union_match_the_oracle: Strict => [32, 20, 6];
    creates_of_kep_union_with_an_optional_member_match_the_oracle: Lenient => [32, 20, 7];
    creates_of_kep_union_with_an_optional_discriminator_match_the_oracle: Absent => [32, 24, 7];
    creates_of_kep_union2_match_the_oracle: Union2 => [24, 8, 3];
    creates_of_deployment_strategy_match_the_oracle: DeploymentStrategy => [12, 12, 5];
    creates_of_seccomp_profile_match_the_oracle: SeccompProfile => [14, 12, 3];
    creates_of_limit_response_match_the_oracle: LimitResponse => [12, 4, 2];
    creates_of_metric_spec_match_the_oracle: MetricSpec => [288, 256, 5];
    creates_of_metric_status_match_the_oracle: MetricStatus => [288, 256, 5];
    creates_of_http_path_modifier_match_the_oracle: HTTPPathModifier => [24, 8, 2];
    creates_of_http_route_filter_match_the_oracle: HTTPRouteFilter => [1408, 1280, 7];
}

#[test]
fn an_unknown_value_is_written_unchanged() {
    let json = json!({"type": "Canary", "rollingUpdate": {"maxSurge": 1}});
    let strategy: DeploymentStrategy =
        serde_json::from_value(json.clone()).expect("the object is kept");
    assert_eq!(as_json(&strategy), json);
}
