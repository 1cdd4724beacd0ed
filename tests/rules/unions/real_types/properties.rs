//! Tests of properties that every object has, on random objects of the larger types.

use proptest::prelude::*;
use union_runtime::{Ratchet, Settings, Union, Violation};

use crate::unions::real_types::gateway::HTTPRouteFilter;
use crate::unions::real_types::kep::{Absent, Union2};
use crate::unions::real_types::metrics::{MetricSpec, MetricStatus};
use crate::unions::real_types::model::Object;
use crate::unions::real_types::states::{Sample, as_json, object, selections, settings, value};
use crate::unions::real_types::workloads::DeploymentStrategy;

/// Generates objects that can be read, with any selection and any set of members.
fn readable<T: Sample>() -> impl Strategy<Value = Object> {
    let model = T::MODEL;
    let mut selections = selections(&model);
    let members = 1_u32 << model.members.len();
    selections.retain(|selected| model.is_readable(&object(&model, *selected, 0)));
    (proptest::sample::select(selections), 0..members)
        .prop_map(move |(selected, mask)| model.read(&object(&model, selected, mask)))
}

fn ratchets() -> impl Strategy<Value = Ratchet> {
    proptest::sample::select(vec![Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off])
}

/// Returns the written fields of a value: the set members and the discriminator.
fn fields<T: Sample>(value: &T) -> serde_json::Map<String, serde_json::Value> {
    let json = as_json(value);
    json.as_object().expect("an object").clone()
}

/// Asserts the properties of normalization for an update.
fn assert_laws_hold<T: Sample>(new: &Object, old: &Object, ratchet: Ratchet) {
    let (new, old): (T, T) = (value(new), value(old));
    let mut normalized = new.clone();
    let changes = normalized.normalize_unions(Some(&old), &Settings::default());

    let mut normalized_twice = normalized.clone();
    assert!(
        normalized_twice
            .normalize_unions(Some(&old), &Settings::default())
            .is_empty(),
        "normalizing is idempotent"
    );
    assert_eq!(
        as_json(&normalized_twice),
        as_json(&normalized),
        "normalizing is idempotent"
    );

    let (fields_before, fields_after) = (fields(&new), fields(&normalized));
    for (field, value) in &fields_after {
        assert_eq!(
            fields_before.get(field),
            Some(value),
            "normalizing takes away, and does nothing else"
        );
    }
    assert_eq!(
        fields_before.len() - fields_after.len(),
        changes.len(),
        "what is lost is said"
    );
    for cleared in changes.cleared() {
        assert!(
            fields_before.contains_key(cleared.as_str())
                && !fields_after.contains_key(cleared.as_str()),
            "{cleared}"
        );
    }
    let discriminator = T::MODEL.discriminator;
    assert_eq!(
        fields_before.get(discriminator),
        fields_after.get(discriminator)
    );
    if fields_before.get(discriminator) == fields(&old).get(discriminator) {
        assert!(changes.is_empty(), "the discriminator did not change");
    }
    if new.validate_unions().is_accepted() {
        assert!(changes.is_empty(), "a valid object is left alone");
    }
    assert_admitted(&normalized, &new, &old, ratchet);
}

/// Asserts that admission normalizes the object and reports each violation once.
fn assert_admitted<T: Sample>(normalized: &T, new: &T, old: &T, ratchet: Ratchet) {
    let mut admitted = new.clone();
    let report = admitted.admit_unions(Some(old), &settings(ratchet));
    assert_eq!(as_json(&admitted), as_json(normalized), "admit normalizes");
    let (errors, tolerated) = (report.errors(), report.tolerated());
    assert_paths_are_fields::<T>(errors);
    assert_paths_are_fields::<T>(tolerated);
    if ratchet == Ratchet::Off {
        assert_eq!(tolerated, [], "no error is tolerated");
    }
    let full_report = admitted.validate_unions();
    let violation_count = errors.len() + tolerated.len();
    assert_eq!(
        full_report.errors().len(),
        violation_count,
        "all that is wrong is said once"
    );
    if violation_count == 0 {
        let report_of_create = admitted.clone().admit_unions(None, &Settings::default());
        assert!(
            report_of_create.is_accepted(),
            "what is valid could have been created"
        );
    }
}

/// Asserts that every path names a field of the type's schema.
fn assert_paths_are_fields<'a, T: Sample>(violations: impl IntoIterator<Item = &'a Violation>) {
    let schema = union_runtime::schema_for::<T>();
    for violation in violations {
        let field = schema.as_value()["properties"].get(violation.path().as_str());
        assert!(field.is_some(), "no such field: {violation}");
    }
}

macro_rules! properties {
    ($($name:ident: $ty:ty;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]
            $(
                #[test]
                fn $name(new in readable::<$ty>(), old in readable::<$ty>(), ratchet in ratchets()) {
                    assert_laws_hold::<$ty>(&new, &old, ratchet);
                }
            )*
        }
    };
}

properties! {
    the_laws_hold_for_http_route_filter: HTTPRouteFilter;
    the_laws_hold_for_metric_spec: MetricSpec;
    the_laws_hold_for_metric_status: MetricStatus;
    the_laws_hold_for_deployment_strategy: DeploymentStrategy;
    the_laws_hold_for_kep_union2: Union2;
    the_laws_hold_for_an_optional_discriminator: Absent;
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]
    #[test]
    fn any_string_is_read_kept_and_reported_unchanged(text in any::<String>()) {
        let json = serde_json::json!({"type": text});
        let metric: MetricSpec = crate::unions::real_types::answer::read(json.clone());
        prop_assert_eq!(as_json(&metric), json);
        let report = metric.validate_unions();
        prop_assert!(!report.is_accepted(), "no source is set, or the text is not a value");
        let violation = &report.errors()[0];
        if !MetricSpec::MODEL.has_value(&text) {
            prop_assert_eq!(violation.value(), Some(text.as_str()));
            prop_assert!(violation.to_string().chars().all(|c| !c.is_control()), "{}", violation);
        }
    }
}
