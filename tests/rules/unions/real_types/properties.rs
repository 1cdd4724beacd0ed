//! Tests of properties that every object has, on random objects of the larger types.

use proptest::prelude::*;
use union_runtime::{Ratchet, Settings, Union, Violation};

use crate::unions::real_types::gateway::HTTPRouteFilter;
use crate::unions::real_types::kep::{Absent, Union2};
use crate::unions::real_types::metrics::{MetricSpec, MetricStatus};
use crate::unions::real_types::model::Object;
use crate::unions::real_types::workloads::DeploymentStrategy;
use crate::unions::real_types::world::{Sample, as_json, object, selections, settings, value};

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
fn fields<T: Sample>(view: &T) -> serde_json::Map<String, serde_json::Value> {
    let json = as_json(view);
    json.as_object().expect("an object").clone()
}

fn check<T: Sample>(new: &Object, old: &Object, ratchet: Ratchet) {
    let (new, old): (T, T) = (value(new), value(old));
    let mut normalized = new.clone();
    let changes = normalized.normalize_unions(Some(&old), &Settings::default());

    let mut twice = normalized.clone();
    assert!(
        twice
            .normalize_unions(Some(&old), &Settings::default())
            .is_empty(),
        "normalizing is idempotent"
    );
    assert_eq!(
        as_json(&twice),
        as_json(&normalized),
        "normalizing is idempotent"
    );

    let (before, after) = (fields(&new), fields(&normalized));
    for (field, value) in &after {
        assert_eq!(
            before.get(field),
            Some(value),
            "normalizing takes away, and does nothing else"
        );
    }
    assert_eq!(
        before.len() - after.len(),
        changes.len(),
        "what is lost is said"
    );
    for cleared in changes.cleared() {
        assert!(
            before.contains_key(cleared.as_str()) && !after.contains_key(cleared.as_str()),
            "{cleared}"
        );
    }
    let discriminator = T::MODEL.discriminator;
    assert_eq!(before.get(discriminator), after.get(discriminator));
    if before.get(discriminator) == fields(&old).get(discriminator) {
        assert!(changes.is_empty(), "the discriminator did not change");
    }
    if new.validate_unions().is_accepted() {
        assert!(changes.is_empty(), "a valid object is left alone");
    }
    check_admitted(&normalized, &new, &old, ratchet);
}

fn check_admitted<T: Sample>(normalized: &T, new: &T, old: &T, ratchet: Ratchet) {
    let mut admitted = new.clone();
    let report = admitted.admit_unions(Some(old), &settings(ratchet));
    assert_eq!(as_json(&admitted), as_json(normalized), "admit normalizes");
    let (errors, tolerated) = (report.errors(), report.tolerated());
    check_paths::<T>(errors);
    check_paths::<T>(tolerated);
    if ratchet == Ratchet::Off {
        assert_eq!(tolerated, [], "nothing is tolerated");
    }
    let alone = admitted.validate_unions();
    let all = errors.len() + tolerated.len();
    assert_eq!(alone.errors().len(), all, "all that is wrong is said once");
    if all == 0 {
        let created = admitted.clone().admit_unions(None, &Settings::default());
        assert!(
            created.is_accepted(),
            "what is valid could have been created"
        );
    }
}

/// Checks that every path names a field of the type's schema.
fn check_paths<'a, T: Sample>(violations: impl IntoIterator<Item = &'a Violation>) {
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
                    check::<$ty>(&new, &old, ratchet);
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
        let read: MetricSpec = crate::unions::real_types::answer::read(json.clone());
        prop_assert_eq!(as_json(&read), json);
        let report = read.validate_unions();
        prop_assert!(!report.is_accepted(), "no source is set, or the text is not a value");
        let violation = &report.errors()[0];
        if !MetricSpec::MODEL.knows(&text) {
            prop_assert_eq!(violation.value(), Some(text.as_str()));
            prop_assert!(violation.to_string().chars().all(|c| !c.is_control()), "{}", violation);
        }
    }
}
