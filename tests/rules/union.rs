//! Tests of the operations on a union enum: validation, normalization, restoring, server-side apply
//! and switch patches, for variants and for objects that no variant fits.

mod settled;

use k8s_strategic_merge_patch::switch;
use serde_json::{Value, json};
use union_runtime::spec::UnionType as _;
use union_runtime::{
    RawUnionReason, Report, RestoreUnaware, Settings, Union, UnionEnum, needed_when, only_when,
};

use crate::unions::enum_form::target::{
    S3, Source, Strict, Target, bucket, raw, read, to_json, unknown_object,
};

fn s3() -> Value {
    json!({"type": "S3", "s3": {"bucket": "b"}})
}

/// Returns an object whose selected member `s3` is unset and whose unselected member `volume` is
/// set.
fn invalid_object() -> Value {
    json!({"type": "S3", "volume": "v"})
}

fn unreadable_object() -> Value {
    json!({"type": "S3", "s3": {"bucket": true}})
}

/// Returns the errors of a create.
fn create(object: &Value) -> Vec<String> {
    lines(&read::<Target>(object).validate_unions())
}

/// Returns the errors and the tolerated violations of an update.
fn update(new: &Value, old: &Value) -> Vec<String> {
    lines(&read::<Target>(new).validate_unions_update(&read(old), &Settings::default()))
}

/// Returns a line for each error, and a line in parentheses for each tolerated violation.
fn lines(report: &Report) -> Vec<String> {
    let errors = report.errors().iter().map(ToString::to_string);
    let tolerated = report.tolerated().iter();
    errors
        .chain(tolerated.map(|violation| format!("({violation})")))
        .collect()
}

const UNSUPPORTED: &str =
    r#"type: Unsupported value: "Tape": supported values: "None", "S3", "Volume", "CORS""#;

const UNREADABLE: &str =
    r#"s3: Invalid value: "": cannot be read: invalid type: boolean `true`, expected a string"#;

#[test]
fn validate_rejects_objects_that_fit_no_variant() {
    assert!(create(&s3()).is_empty());
    assert_eq!(create(&unknown_object()), [UNSUPPORTED]);
    assert_eq!(create(&unreadable_object()), [UNREADABLE]);
    let [first, second] = &create(&invalid_object())[..] else {
        panic!("each finding is an error");
    };
    let wording = needed_when("type", "S3");
    let line_start = format!("s3: Invalid value: \"\": {wording}: ");
    assert!(first.starts_with(&line_start), "{first}");
    let wording = only_when("type", "Volume");
    let line_start = format!("volume: Invalid value: \"\": {wording}: ");
    assert!(second.starts_with(&line_start), "{second}");
}

#[test]
fn validate_update_tolerates_old_errors() {
    assert_eq!(
        update(&unknown_object(), &unknown_object()),
        [format!("({UNSUPPORTED})")]
    );
    assert_eq!(
        update(&unknown_object(), &json!({"type": "Disk"})),
        [UNSUPPORTED]
    );
    assert_eq!(
        update(&unreadable_object(), &unreadable_object()),
        [format!("({UNREADABLE})")]
    );
    let other_unreadable = json!({"type": "S3", "s3": {}});
    assert_eq!(
        update(&unreadable_object(), &other_unreadable),
        [UNREADABLE]
    );
    assert_eq!(update(&unreadable_object(), &s3()), [UNREADABLE]);
    let lines = update(&invalid_object(), &invalid_object());
    assert!(lines.len() == 2 && lines.iter().all(|line| line.starts_with('(')));
    assert!(update(&s3(), &unreadable_object()).is_empty());
}

#[test]
fn normalizing_a_create_changes_nothing() {
    for object in [
        s3(),
        unknown_object(),
        invalid_object(),
        unreadable_object(),
    ] {
        let mut target: Target = read(&object);
        assert!(
            target
                .normalize_unions(None, &Settings::default())
                .is_empty()
        );
        assert_eq!(to_json(&target), object);
    }
}

/// Normalizes an update, and returns the normalized value and the changes.
fn normalized(new: &Value, old: &Value) -> (Target, String) {
    let mut target: Target = read(new);
    let changes = target.normalize_unions(Some(&read(old)), &Settings::default());
    (target, changes.to_string())
}

#[test]
fn a_changed_discriminator_clears_members_and_the_object_becomes_a_variant() {
    let new = json!({"type": "S3", "s3": {"bucket": "b"}, "volume": "v", "tape": 1});
    let old = json!({"type": "Volume", "volume": "v"});
    let expected = (Target::S3(bucket("b")), "volume: cleared".to_owned());
    assert_eq!(normalized(&new, &old), expected);
    // The old value is unknown, so normalization also clears `tape` and reports the change.
    let (target, changes) = normalized(&new, &unknown_object());
    assert_eq!(target, expected.0);
    assert_eq!(changes, "volume: cleared\ntape: cleared");
    // Without `volume` the object fits `S3`, so reading it already dropped `tape`.
    let new = json!({"type": "S3", "s3": {"bucket": "b"}, "tape": 1});
    assert_eq!(
        normalized(&new, &unknown_object()),
        (expected.0, String::new())
    );
}

/// Checks that a member of a known value is not mistaken for the member of an unknown value, even
/// if the two names differ only in case.
#[test]
fn a_known_member_is_not_the_member_of_an_unknown_value() {
    let new = json!({"type": "S3", "s3": {"bucket": "b"}, "volume": "v"});
    let (target, changes) = normalized(&new, &json!({"type": "s3"}));
    assert_eq!(changes, "volume: cleared");
    assert_eq!(target, Target::S3(bucket("b")));
}

#[test]
fn a_normalized_object_may_still_fit_no_variant() {
    let new = json!({"type": "S3", "s3": {}, "volume": "v"});
    let (target, changes) = normalized(&new, &json!({"type": "Volume", "volume": "v"}));
    assert_eq!(changes, "volume: cleared");
    assert_eq!(
        raw(&target).reason(),
        RawUnionReason::Unreadable("missing field `bucket`")
    );
    assert_eq!(to_json(&target), json!({"type": "S3", "s3": {}}));
    let new = json!({"type": "S3", "volume": "v", "tape": 1});
    let (target, changes) = normalized(&new, &json!({"type": "Volume"}));
    assert_eq!(changes, "volume: cleared");
    assert_eq!(raw(&target).reason(), RawUnionReason::Invalid);
    assert_eq!(to_json(&target), json!({"type": "S3", "tape": 1}));
}

#[test]
fn an_unchanged_or_unknown_discriminator_clears_nothing() {
    for (new, old) in [
        (
            json!({"type": "S3", "s3": {"bucket": "b"}, "volume": "v"}),
            s3(),
        ),
        (json!({"type": "Tape", "s3": {}, "volume": "v"}), s3()),
        (json!({"s3": {}, "volume": "v"}), s3()),
        (
            unreadable_object(),
            json!({"type": "Volume", "volume": "v"}),
        ),
    ] {
        let (target, changes) = normalized(&new, &old);
        assert_eq!(changes, "");
        assert_eq!(to_json(&target), new);
    }
}

#[test]
fn an_added_member_wins_without_a_discriminator() {
    let mut source: Source = read(&json!({"secret": {"bucket": "b"}, "hostPath": "/"}));
    let changes =
        source.normalize_unions(Some(&Source::HostPath("/".into())), &Settings::default());
    assert_eq!(changes.to_string(), "hostPath: cleared");
    assert_eq!(source, Source::Secret(bucket("b")));
}

#[test]
fn a_member_that_a_client_dropped_is_restored() {
    let restore_with = |new: Value, old: Value, restore| {
        let mut target: Target = read(&new);
        let settings = Settings::default().restore_unaware(restore);
        let changes = target.normalize_unions(Some(&read(&old)), &settings);
        (target, changes.to_string())
    };
    let volume = || json!({"type": "Volume", "volume": "v"});
    let unchanged = (Target::Volume(None), String::new());
    let with_restored_member = (
        Target::Volume(Some("v".into())),
        "volume: restored".to_owned(),
    );
    let without_member = || json!({"type": "Volume"});
    assert_eq!(
        restore_with(without_member(), volume(), RestoreUnaware::Required),
        unchanged
    );
    assert_eq!(
        restore_with(without_member(), volume(), RestoreUnaware::All),
        with_restored_member
    );

    let with_restored_member = (Target::S3(bucket("b")), "s3: restored".to_owned());
    let without_member = || json!({"type": "S3"});
    for restore in [RestoreUnaware::Required, RestoreUnaware::All] {
        assert_eq!(
            restore_with(without_member(), s3(), restore),
            with_restored_member
        );
    }
    assert_eq!(
        restore_with(without_member(), s3(), RestoreUnaware::Off).1,
        ""
    );

    // The restored value is the stored value, even if the enum cannot read it.
    let old = json!({"type": "Volume", "volume": 5});
    let (target, changes) =
        restore_with(json!({"type": "Volume"}), old.clone(), RestoreUnaware::All);
    assert_eq!(changes, "volume: restored");
    assert_eq!(to_json(&target), old);
    assert!(matches!(
        raw(&target).reason(),
        RawUnionReason::Unreadable(_)
    ));
}

#[test]
fn admission_normalizes_and_validates() {
    let mut target: Target = read(&json!({"type": "S3", "s3": {"bucket": "b"}, "volume": "v"}));
    let old = Target::Volume(Some("v".into()));
    let report = target.admit_unions(Some(&old), &Settings::default());
    assert!(report.is_accepted(), "the member is cleared");
    assert_eq!(report.changes().to_string(), "volume: cleared");
    assert_eq!(target, Target::S3(bucket("b")));

    let mut target: Target = read(&unknown_object());
    assert!(
        !target
            .admit_unions(None, &Settings::default())
            .is_accepted()
    );
    let report = target.admit_unions(Some(&read(&unknown_object())), &Settings::default());
    assert!(report.is_accepted(), "the error is not new");
    assert_eq!(report.tolerated().len(), 1);
    assert!(
        target
            .admit_unions(None, &Settings::default().unions(false))
            .is_accepted()
    );
    assert_eq!(to_json(&target), unknown_object());
}

#[test]
fn an_apply_keeps_the_applied_member() {
    let live: Target = Target::Volume(Some("v".into()));
    let applied: Target = Target::S3(bucket("b"));
    let mut merged: Target = read(&json!({"type": "S3", "s3": {"bucket": "b"}, "volume": "v"}));
    let report = merged.normalize_unions_apply(&applied, Some(&live), &Settings::default());
    assert!(
        report.is_accepted(),
        "the members agree with the discriminator"
    );
    assert_eq!(report.changes().to_string(), "volume: cleared");
    assert_eq!(merged, applied);

    // Without a discriminator, two applied members contradict each other. A single applied member
    // wins, even if the enum cannot read its value.
    let contradictory: Source = read(&json!({"secret": {"bucket": "b"}, "hostPath": "/"}));
    let live = Source::HostPath("/".into());
    let mut merged = contradictory.clone();
    assert!(
        !merged
            .normalize_unions_apply(&contradictory, Some(&live), &Settings::default())
            .is_accepted()
    );
    let applied: Source = read(&json!({"secret": {}}));
    let mut merged: Source = read(&json!({"secret": {}, "hostPath": "/"}));
    let report = merged.normalize_unions_apply(&applied, Some(&live), &Settings::default());
    assert!(report.is_accepted(), "the intent is clear");
    assert_eq!(report.changes().to_string(), "hostPath: cleared");
    assert_eq!(to_json(&merged), json!({"secret": {}}));
}

/// Checks an apply whose merged object lacks the applied member. A caller that merges the objects
/// correctly never sends such a request.
#[test]
fn an_apply_may_clear_the_member_of_a_variant() {
    let applied = Source::Secret(bucket("b"));
    let mut merged = Source::HostPath("/".into());
    let report = merged.normalize_unions_apply(&applied, None, &Settings::default());
    assert!(
        report.is_accepted(),
        "the members agree with the discriminator"
    );
    assert_eq!(report.changes().to_string(), "hostPath: cleared");
    assert_eq!(to_json(&merged), json!({}));
    assert_eq!(raw(&merged).reason(), RawUnionReason::Invalid);
}

#[test]
fn a_switch_from_an_unknown_value_unsets_its_field() {
    let patch = |old: &Value, new: &Value| {
        let switch = switch::<Target>(&read(old), &read(new)).expect("both values are objects");
        switch.merge_patch().clone()
    };
    assert_eq!(
        patch(&unknown_object(), &s3()),
        json!({"type": "S3", "s3": {"bucket": "b"}, "tape": null, "volume": null, "cors": null})
    );
    assert_eq!(
        patch(&unreadable_object(), &json!({"type": "None"})),
        json!({"type": "None", "s3": null, "volume": null, "cors": null})
    );
    assert_eq!(
        patch(&s3(), &invalid_object()),
        json!({"s3": null, "volume": "v", "cors": null})
    );
}

/// Checks that the accessors accept a union number or a member number that does not exist.
#[test]
fn methods_ignore_indexes_out_of_range() {
    let mut target = Target::S3(bucket("b"));
    assert!(target.union_state(1).is_none());
    assert!(!target.reset_member(None, 1, 0));
    assert!(!target.reset_member(None, 0, 9));
    assert_eq!(target, Target::S3(S3 { bucket: "b".into() }));
    assert!(target.reset_member(None, 0, 0));
    assert_eq!(raw(&target).reason(), RawUnionReason::Invalid);
    assert!(target.reset_member(Some(&Target::S3(bucket("c"))), 0, 0));
    assert!(
        target
            .normalize_unions(None, &Settings::default())
            .is_empty()
    );
    assert_eq!(to_json(&target)["s3"]["bucket"], "c");
}

/// Checks that an object which fits no variant of one enum is validated by another enum after a
/// conversion.
#[test]
fn objects_that_fit_no_variant_may_be_converted() {
    let strict = read::<Strict>(&s3());
    assert!(strict.raw().is_none());
    let cors = json!({"type": "CORS", "cors": {"bucket": "b"}});
    let object = cors.as_object().expect("an object").clone();
    let raw = Strict::from_object(object).expect_err("the enum has no `CORS`");
    let target = Target::Other(raw);
    assert!(target.validate_unions().is_accepted());
    assert_eq!(read::<Target>(&to_json(&target)), read(&cors));
}
