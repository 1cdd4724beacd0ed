//! Tests of the complete messages for invalid unions of the 2019 model, and of the errors that an
//! update may keep.

use serde_json::{Value, json};
use union_runtime::path::FieldPath;
use union_runtime::{
    ObjectRef, Ratchet, Report, Settings, Union, Violation, ViolationKind, only_when,
};

use crate::unions::whole_model::samples::{
    All, AtMostOne1, AtMostOne2, AtMostOne4, ExactlyOne1, ExactlyOne3, OptionalText, Required, Text,
};
use crate::unions::whole_model::states::{Sample, read};

fn lines(report: &Report) -> Vec<String> {
    report.errors().iter().map(ToString::to_string).collect()
}

fn rejected_report<T: Sample>(json: Value) -> Report {
    let report = read::<T>(json).validate_unions();
    assert!(!report.is_accepted(), "the object is accepted");
    report
}

/// Returns the errors and the tolerated violations of an update, each as its path and its value.
fn update<T: Sample>(new: Value, old: Value, ratchet: Ratchet) -> [Vec<String>; 2] {
    let (new, old): (T, T) = (read(new), read(old));
    let path_and_value = |violation: &Violation| {
        format!(
            "{} {}",
            violation.path(),
            violation.value().unwrap_or_default()
        )
    };
    let report = new.validate_unions_update(&old, &Settings::default().ratchet(ratchet));
    [report.errors(), report.tolerated()]
        .map(|violations| violations.iter().map(path_and_value).collect())
}

/// Returns the result of an update with one tolerated violation and no errors.
fn tolerated(violation: &str) -> [Vec<String>; 2] {
    [Vec::new(), vec![violation.to_owned()]]
}

/// Returns the result of an update with one error and no tolerated violations.
fn only_error(violation: &str) -> [Vec<String>; 2] {
    [vec![violation.to_owned()], Vec::new()]
}

const SEVERAL: &str = "must specify at most one of: `a`, `b`, `c`, `d`: remove all but one";

#[test]
fn several_members_where_at_most_one_may_be_set_are_listed() {
    let report = rejected_report::<AtMostOne4>(json!({"b": 1, "d": 1}));
    assert_eq!(
        lines(&report),
        [format!(r#"<nil>: Invalid value: "{{b, d}}": {SEVERAL}"#)]
    );
    let report = rejected_report::<AtMostOne2>(json!({"a": 1, "b": 1}));
    let line = r#"<nil>: Invalid value: "{a, b}": must specify at most one of: `a`, `b`: remove all but one"#;
    assert_eq!(report.to_string(), line);
}

#[test]
fn several_members_where_exactly_one_has_to_be_set_are_listed() {
    let report = rejected_report::<ExactlyOne3>(json!({"a": 1, "b": 1, "c": 1}));
    let line = r#"<nil>: Invalid value: "{a, b, c}": must specify exactly one of: `a`, `b`, `c`: remove all but one"#;
    assert_eq!(lines(&report), [line]);
}

#[test]
fn the_error_for_a_missing_member_lists_all_members() {
    let line = r#"<nil>: Invalid value: "": must specify one of: `a`, `b`, `c`: add one of them"#;
    assert_eq!(lines(&rejected_report::<ExactlyOne3>(json!({}))), [line]);
    let line = r#"<nil>: Invalid value: "": must specify one of: `a`: add one of them"#;
    assert_eq!(lines(&rejected_report::<ExactlyOne1>(json!({}))), [line]);
}

#[test]
fn an_object_without_a_member_is_valid_if_at_most_one_may_be_set() {
    assert_eq!(
        read::<AtMostOne1>(json!({})).validate_unions(),
        Report::default()
    );
    assert_eq!(
        read::<AtMostOne4>(json!({})).validate_unions(),
        Report::default()
    );
    assert_eq!(
        read::<OptionalText>(json!({})).validate_unions(),
        Report::default()
    );
}

#[test]
fn the_path_of_the_struct_is_the_path_of_the_caller() {
    let report = rejected_report::<AtMostOne4>(json!({"b": 1, "d": 1})).under(["spec"]);
    assert_eq!(
        lines(&report),
        [format!(r#"spec: Invalid value: "{{b, d}}": {SEVERAL}"#)]
    );
    let report = report.under(FieldPath::from(["items"]).index(2));
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    assert_eq!(paths, ["items[2].spec"]);
    let report_without_member = rejected_report::<ExactlyOne1>(json!({})).under(["spec", "source"]);
    assert!(
        report_without_member
            .to_string()
            .starts_with("spec.source: Invalid value: "),
        "{report_without_member}"
    );
}

#[test]
fn the_struct_is_a_cause_of_a_status() {
    let report = rejected_report::<AtMostOne4>(json!({"b": 1, "d": 1}));
    let message = format!(r#"Invalid value: "{{b, d}}": {SEVERAL}"#);
    let cause = json!({"reason": "FieldValueInvalid", "message": message, "field": "<nil>"});
    assert_eq!(report.causes(), json!([cause]));
    let source = ObjectRef {
        group: "example.com",
        kind: "Source",
        name: "s",
    };
    let status = report.status(&source).expect("an error");
    assert_eq!(
        status["message"],
        format!(r#"Source.example.com "s" is invalid: <nil>: {message}"#)
    );
    let violation = &report.errors()[0];
    assert_eq!(
        (
            violation.kind(),
            violation.path().as_str(),
            violation.value()
        ),
        (ViolationKind::Invalid, "", Some("{b, d}"),)
    );
}

#[test]
fn several_members_with_an_empty_deduced_discriminator_are_an_error_of_the_struct() {
    let line = r#"<nil>: Invalid value: "{a, c}": must specify at most one of: `a`, `b`, `c`: remove all but one, or set `kind` to the one that is meant"#;
    assert_eq!(
        lines(&rejected_report::<OptionalText>(json!({"a": 1, "c": 1}))),
        [line]
    );
    assert_eq!(
        lines(&rejected_report::<OptionalText>(
            json!({"kind": "", "a": 1, "c": 1})
        )),
        [line]
    );
}

#[test]
fn a_deduced_discriminator_of_another_member_is_an_error_of_the_member() {
    for (report, path, value) in [
        (
            rejected_report::<Text>(json!({"kind": "A", "b": 1})),
            "b",
            "B",
        ),
        (
            rejected_report::<Required>(json!({"kind": "A", "a": 1, "b": 1})),
            "b",
            "B",
        ),
        (
            rejected_report::<All>(json!({"kind": "Nothing", "a": 1})),
            "a",
            "A",
        ),
        (
            rejected_report::<Text>(json!({"kind": "Nothing", "a": 1})),
            "a",
            "A",
        ),
    ] {
        let wording = only_when("kind", value);
        let line_start = format!("{path}: Invalid value: \"\": {wording}: ");
        let lines = lines(&report);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with(&line_start), "{lines:?}");
    }
}

#[test]
fn the_error_of_an_unknown_value_lists_the_values_of_a_deduced_enum() {
    let line = r#"kind: Unsupported value: "Unheard": supported values: "D", "Nothing", "C", "", "B", "A""#;
    assert_eq!(
        lines(&rejected_report::<All>(
            json!({"kind": "Unheard", "a": 1, "b": 1})
        )),
        [line]
    );
    assert_eq!(
        lines(&rejected_report::<All>(json!({"kind": "Unheard"}))),
        [line]
    );
    assert_eq!(
        read::<Text>(json!({"kind": "Unheard"})).validate_unions(),
        Report::default()
    );
}

#[test]
fn several_members_are_tolerated_if_they_were_set_before() {
    let old = || json!({"a": 1, "b": 1, "c": 1});
    let update = update::<AtMostOne4>;
    let same_reason = Ratchet::SameReason;
    assert_eq!(update(old(), old(), same_reason), tolerated(" {a, b, c}"));
    let edited = json!({"a": 2, "b": 2, "c": 2});
    assert_eq!(
        update(edited.clone(), old(), same_reason),
        tolerated(" {a, b, c}")
    );
    assert_eq!(
        update(json!({"a": 1, "c": 1}), old(), same_reason),
        tolerated(" {a, c}")
    );
    assert_eq!(
        update(json!({"c": 1}), old(), same_reason),
        [const { Vec::<String>::new() }; 2]
    );
    let with_all_members = json!({"a": 1, "b": 1, "c": 1, "d": 1});
    assert_eq!(
        update(with_all_members, old(), same_reason),
        only_error(" {a, b, c, d}")
    );
    assert_eq!(
        update(json!({"a": 1, "d": 1}), old(), same_reason),
        only_error(" {a, d}")
    );
    assert_eq!(
        update(old(), json!({"a": 1}), same_reason),
        only_error(" {a, b, c}")
    );
    assert_eq!(
        update(old(), old(), Ratchet::Unchanged),
        tolerated(" {a, b, c}")
    );
    assert_eq!(
        update(edited, old(), Ratchet::Unchanged),
        only_error(" {a, b, c}")
    );
    assert_eq!(update(old(), old(), Ratchet::Off), only_error(" {a, b, c}"));
}

#[test]
fn with_exactly_one_no_member_and_several_members_are_different_reasons() {
    let update = update::<ExactlyOne3>;
    let same_reason = Ratchet::SameReason;
    let (without_member, with_two_members) = (json!({}), json!({"a": 1, "b": 1}));
    assert_eq!(
        update(without_member.clone(), without_member.clone(), same_reason),
        tolerated(" ")
    );
    assert_eq!(
        update(
            with_two_members.clone(),
            with_two_members.clone(),
            same_reason
        ),
        tolerated(" {a, b}")
    );
    assert_eq!(
        update(
            without_member.clone(),
            with_two_members.clone(),
            same_reason
        ),
        only_error(" ")
    );
    assert_eq!(
        update(with_two_members, without_member.clone(), same_reason),
        only_error(" {a, b}")
    );
    assert_eq!(
        update(without_member.clone(), json!({"a": 1}), same_reason),
        only_error(" ")
    );
    assert_eq!(
        update(without_member.clone(), without_member, Ratchet::Off),
        only_error(" ")
    );
}

#[test]
fn an_absent_and_an_empty_discriminator_are_the_same_reason() {
    let update = update::<OptionalText>;
    let (without_discriminator, with_empty_discriminator) =
        (json!({"a": 1, "b": 1}), json!({"kind": "", "a": 1, "b": 1}));
    for (new, old) in [
        (&without_discriminator, &with_empty_discriminator),
        (&with_empty_discriminator, &without_discriminator),
    ] {
        let result = update(new.clone(), old.clone(), Ratchet::SameReason);
        assert_eq!(result, tolerated(" {a, b}"));
        let result = update(new.clone(), old.clone(), Ratchet::Unchanged);
        assert_eq!(
            result,
            only_error(" {a, b}"),
            "a different object has no old errors"
        );
    }
    let with_discriminator = json!({"kind": "A", "a": 1, "b": 1});
    assert_eq!(
        update(
            without_discriminator.clone(),
            with_discriminator.clone(),
            Ratchet::SameReason
        ),
        only_error(" {a, b}")
    );
    assert_eq!(
        update(
            with_discriminator,
            without_discriminator,
            Ratchet::SameReason
        ),
        only_error("b ")
    );
}

#[test]
fn changes_have_the_path_of_the_caller() {
    let old: OptionalText = read(json!({"kind": "A", "a": 1}));
    let mut new: OptionalText = read(json!({"kind": "A", "a": 1, "b": 1}));
    let changes = new
        .normalize_unions(Some(&old), &Settings::default())
        .under(["spec", "source"]);
    assert_eq!(
        changes.to_string(),
        "spec.source.a: cleared\nspec.source.kind: set"
    );
    assert_eq!(
        changes.discriminators_set().collect::<Vec<_>>(),
        ["spec.source.kind"]
    );
    assert_eq!(changes.cleared().collect::<Vec<_>>(), ["spec.source.a"]);
}
