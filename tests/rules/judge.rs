//! Tests of the errors that an update may keep: for each ratchet, updates that are tolerated and
//! updates that are rejected.

mod nested;

use serde_json::{Value, json};
use union_runtime::{Ratchet, Settings, Union, Violation, needed_when, only_when};

use crate::unions::real_types::answer::read;
use crate::unions::real_types::kep::{Absent, Union2};
use crate::unions::real_types::metrics::MetricSpec;
use crate::unions::real_types::states::{Sample, settings};
use crate::unions::real_types::view::{Engine, View};
use crate::unions::real_types::workloads::{DeploymentStrategy, SeccompProfile};

/// Returns the field paths of the errors and the field paths of the tolerated violations.
fn error_and_tolerated_paths<T: Sample>(
    new: &Value,
    old: &Value,
    ratchet: Ratchet,
) -> (Vec<String>, Vec<String>) {
    let engine = Engine::compile::<T>();
    let [new, old] = [new, old].map(|json| engine.view_of(json.clone()));
    let paths = |violations: &[Violation]| {
        let paths = violations
            .iter()
            .map(|violation| violation.path().to_string());
        paths.collect::<Vec<_>>()
    };
    let report = new.validate_update(&old, &settings(ratchet));
    (paths(report.errors()), paths(report.tolerated()))
}

/// Asserts that the update has no errors, and that the violations at `fields` are tolerated.
#[track_caller]
pub(crate) fn assert_tolerated<T: Sample>(
    new: &Value,
    old: &Value,
    ratchet: Ratchet,
    fields: &[&str],
) {
    let fields = fields.iter().map(ToString::to_string).collect();
    assert_eq!(
        error_and_tolerated_paths::<T>(new, old, ratchet),
        (Vec::new(), fields)
    );
}

/// Asserts that the update has errors at `fields`, and that no violation is tolerated.
#[track_caller]
pub(crate) fn assert_rejected<T: Sample>(
    new: &Value,
    old: &Value,
    ratchet: Ratchet,
    fields: &[&str],
) {
    let fields = fields.iter().map(ToString::to_string).collect();
    assert_eq!(
        error_and_tolerated_paths::<T>(new, old, ratchet),
        (fields, Vec::new())
    );
}

#[test]
fn same_reason_tolerates_a_value_that_was_unsupported_before() {
    let old = json!({"type": "Strict", "localhostProfile": "then.json"});
    let new = json!({"type": "Strict", "localhostProfile": "now.json"});
    assert_tolerated::<SeccompProfile>(&new, &old, Ratchet::SameReason, &["type"]);
    let without_member = json!({"type": "Strict"});
    assert_tolerated::<SeccompProfile>(&without_member, &old, Ratchet::SameReason, &["type"]);
    // A member was added without the discriminator that selects it, which is a new error.
    assert_rejected::<SeccompProfile>(&new, &without_member, Ratchet::SameReason, &["type"]);
    let other_value = json!({"type": "Stricter"});
    assert_rejected::<SeccompProfile>(&other_value, &old, Ratchet::SameReason, &["type"]);
}

#[test]
fn same_reason_tolerates_a_discriminator_that_was_missing_before() {
    let (without_member, with_member) = (json!({}), json!({"alpha": 1}));
    assert_rejected::<Union2>(
        &with_member,
        &without_member,
        Ratchet::SameReason,
        &["type"],
    );
    let edited = json!({"alpha": 2});
    assert_tolerated::<Union2>(&edited, &with_member, Ratchet::SameReason, &["type"]);
    assert_rejected::<Union2>(
        &with_member,
        &json!({"type": "ALPHA", "alpha": 1}),
        Ratchet::SameReason,
        &["type"],
    );
    // A null discriminator is equal to an absent discriminator.
    assert_tolerated::<Union2>(
        &json!({"type": null}),
        &without_member,
        Ratchet::SameReason,
        &["type"],
    );
}

#[test]
fn same_reason_tolerates_a_member_that_was_not_selected_before() {
    let old = json!({"type": "ALPHA", "alpha": 1, "beta": 2});
    let edited = json!({"type": "ALPHA", "alpha": 3, "beta": 4, "note": "edited"});
    assert_tolerated::<Union2>(&edited, &old, Ratchet::SameReason, &["beta"]);
    let old_without_beta = json!({"type": "ALPHA", "alpha": 1});
    assert_rejected::<Union2>(&edited, &old_without_beta, Ratchet::SameReason, &["beta"]);
}

#[test]
fn same_reason_tolerates_a_selected_member_that_was_unset_before() {
    let old = json!({"type": "ALPHA"});
    let new = json!({"type": "ALPHA", "note": "edited"});
    assert_tolerated::<Union2>(&new, &old, Ratchet::SameReason, &["alpha"]);
    let old_with_alpha = json!({"type": "ALPHA", "alpha": 1});
    assert_rejected::<Union2>(&new, &old_with_alpha, Ratchet::SameReason, &["alpha"]);
    let old_with_type_beta = json!({"type": "BETA"});
    assert_rejected::<Union2>(&new, &old_with_type_beta, Ratchet::SameReason, &["alpha"]);
}

#[test]
fn same_reason_needs_the_same_discriminator() {
    // `resource` was invalid before, but beside another discriminator value, so the reason is
    // different.
    let old = json!({"type": "Pods", "pods": {}, "resource": {}});
    let new = json!({"type": "External", "external": {}, "resource": {}});
    assert_rejected::<MetricSpec>(&new, &old, Ratchet::SameReason, &["resource"]);
}

#[test]
fn same_reason_compares_each_member() {
    let old = json!({"type": "Pods", "resource": {}});
    let new = json!({"type": "Pods", "resource": {}, "external": {}});
    let fields = |fields: &[&str]| fields.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        error_and_tolerated_paths::<MetricSpec>(&new, &old, Ratchet::SameReason),
        (fields(&["external"]), fields(&["pods", "resource"])),
    );
}

#[test]
fn an_absent_discriminator_equals_the_empty_value_of_the_enum() {
    let (without_discriminator, with_empty_discriminator) =
        (json!({"fieldA": 1}), json!({"union1": "", "fieldA": 1}));
    assert_tolerated::<Absent>(
        &without_discriminator,
        &with_empty_discriminator,
        Ratchet::SameReason,
        &["fieldA"],
    );
    assert_tolerated::<Absent>(
        &with_empty_discriminator,
        &without_discriminator,
        Ratchet::SameReason,
        &["fieldA"],
    );
    // An absent discriminator and an empty discriminator are different values of the struct.
    assert_rejected::<Absent>(
        &without_discriminator,
        &with_empty_discriminator,
        Ratchet::Unchanged,
        &["fieldA"],
    );
}

#[test]
fn an_absent_discriminator_is_the_same_as_its_default() {
    let (without_discriminator, with_default) = (json!({}), json!({"type": "RollingUpdate"}));
    let [without_discriminator, mut with_default] =
        [without_discriminator, with_default].map(read::<DeploymentStrategy>);
    let changes = with_default.normalize_unions(Some(&without_discriminator), &Settings::default());
    assert!(
        changes.is_empty()
            && with_default
                .validate_unions_update(&without_discriminator, &Settings::default())
                .is_accepted()
    );
}

#[test]
fn unchanged_tolerates_everything_in_a_struct_that_did_not_change() {
    let invalid_objects = [
        json!({"type": "ALPHA", "beta": 2}),
        json!({"type": "ALPHA"}),
        json!({"type": "GAMMA"}),
        json!({}),
    ];
    let fields = [&["alpha", "beta"][..], &["alpha"], &["type"], &["type"]];
    for (object, fields) in invalid_objects.iter().zip(fields) {
        assert_tolerated::<Union2>(object, object, Ratchet::Unchanged, fields);
        let mut edited = object.clone();
        edited["note"] = json!("edited");
        assert_rejected::<Union2>(&edited, object, Ratchet::Unchanged, fields);
        assert_tolerated::<Union2>(&edited, object, Ratchet::SameReason, fields);
    }
}

#[test]
fn unchanged_includes_the_contents_of_members() {
    let old: Union2 = read(json!({"type": "ALPHA", "alpha": 1, "beta": 2}));
    let new: Union2 = read(json!({"type": "ALPHA", "alpha": 1, "beta": 3}));
    let unchanged = settings(Ratchet::Unchanged);
    let report = new.validate_unions_update(&old, &unchanged);
    assert_eq!(
        (report.errors().len(), report.tolerated().len()),
        (1, 0),
        "beta changed"
    );
    let report = old.validate_unions_update(&old, &unchanged);
    assert_eq!(
        (report.errors().len(), report.tolerated().len()),
        (0, 1),
        "no change"
    );
}

#[test]
fn tolerated_errors_are_reported_beside_errors() {
    let old: Union2 = read(json!({"type": "ALPHA"}));
    let mut new: Union2 = read(json!({"type": "ALPHA", "beta": 2}));
    let report = new.admit_unions(Some(&old), &Settings::default());
    assert!(!report.is_accepted(), "beta is new");
    let report = report.under(["spec"]);
    let [only_wording, needed_wording] = [only_when("type", "BETA"), needed_when("type", "ALPHA")];
    for (violations, path, wording) in [
        (report.errors(), "spec.beta", only_wording),
        (report.tolerated(), "spec.alpha", needed_wording),
    ] {
        let [violation] = violations else {
            panic!("{violations:?}");
        };
        let line_start = format!("{path}: Invalid value: \"\": {wording}: ");
        assert!(
            violation.to_string().starts_with(&line_start),
            "{violation}"
        );
    }
    assert_eq!(
        report.causes().as_array().map(Vec::len),
        Some(1),
        "tolerated is not a cause"
    );
}

#[test]
fn changes_have_the_cleared_members_and_their_paths() {
    let old: Union2 = read(json!({"type": "ALPHA", "alpha": 1}));
    let mut new: Union2 = read(json!({"type": "BETA", "alpha": 1, "beta": 2}));
    let changes = new
        .normalize_unions(Some(&old), &Settings::default())
        .under(["spec"]);
    assert_eq!(changes.to_string(), "spec.alpha: cleared");
    assert_eq!(changes.cleared().collect::<Vec<_>>(), ["spec.alpha"]);
    assert!(
        new.normalize_unions(Some(&old), &Settings::default())
            .is_empty(),
        "normalization is done"
    );
}
