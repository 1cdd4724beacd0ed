//! Tests of the complete messages for invalid unions of the 2022 model.

use serde_json::{Value, json};
use union_runtime::path::FieldPath;
use union_runtime::{ObjectRef, Ratchet, Report, Settings, Union, ViolationKind};

use crate::unions::real_types::answer::{lines, read};
use crate::unions::real_types::gateway::HTTPRouteFilter;
use crate::unions::real_types::kep::{Absent, Strict, Union2};
use crate::unions::real_types::metrics::MetricSpec;
use crate::unions::real_types::states::Sample;
use crate::unions::real_types::view::{Engine, View};
use crate::unions::real_types::workloads::{DeploymentStrategy, SeccompProfile};

fn rejected_report<T: Union>(value: &T) -> Report {
    let report = value.validate_unions();
    assert!(!report.is_accepted(), "the object is accepted");
    report
}

/// Returns the violations of a JSON object, which the type may not be able to read.
fn rejected_object<T: Sample>(object: Value) -> Report {
    let engine = Engine::compile::<T>();
    let report = engine.view_of(object).validate();
    assert!(!report.is_accepted(), "the object is accepted");
    report
}

const BETA_NOT_SELECTED: &str = r#"beta: Invalid value: "": may only be specified when `type` is "BETA": `type` is "ALPHA"; remove `beta`, or set `type` to "BETA""#;
const ALPHA_UNSET: &str = r#"alpha: Invalid value: "": must be specified when `type` is "ALPHA": add `alpha`, or change `type`"#;

#[test]
fn an_unselected_member_has_the_value_that_selects_it() {
    let object: Union2 = read(json!({"type": "ALPHA", "alpha": 1, "beta": 2}));
    assert_eq!(lines(&rejected_report(&object)), [BETA_NOT_SELECTED]);
}

#[test]
fn a_selected_unset_member_is_required() {
    let object: Union2 = read(json!({"type": "ALPHA"}));
    assert_eq!(lines(&rejected_report(&object)), [ALPHA_UNSET]);
    assert_eq!(
        lines(&rejected_report(&read::<SeccompProfile>(
            json!({"type": "Localhost"})
        ))),
        [
            r#"localhostProfile: Invalid value: "": must be specified when `type` is "Localhost": add `localhostProfile`, or change `type`"#
        ],
    );
}

#[test]
fn optional_and_empty_members_are_not_required() {
    assert_eq!(
        read::<Union2>(json!({"type": "BETA"})).validate_unions(),
        Report::default()
    );
    let recreate: DeploymentStrategy = read(json!({"type": "Recreate"}));
    assert_eq!(recreate.validate_unions(), Report::default());
}

#[test]
fn all_errors_are_in_source_order() {
    let object: Union2 = read(json!({"type": "ALPHA", "beta": 2}));
    let report = rejected_report(&object);
    assert_eq!(lines(&report), [ALPHA_UNSET, BETA_NOT_SELECTED]);
    assert_eq!(
        report.to_string(),
        format!("{ALPHA_UNSET}\n{BETA_NOT_SELECTED}")
    );
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    assert_eq!((report.errors().len(), paths), (2, vec!["alpha", "beta"]));
}

#[test]
fn an_unknown_value_is_the_only_error_and_lists_the_known_values() {
    let object: SeccompProfile = read(json!({"type": "Strict", "localhostProfile": "p.json"}));
    let report = rejected_report(&object);
    assert_eq!(
        lines(&report),
        [
            r#"type: Unsupported value: "Strict": supported values: "Unconfined", "RuntimeDefault", "Localhost""#
        ],
    );
    let violation = &report.errors()[0];
    assert_eq!(violation.kind(), ViolationKind::NotSupported);
    assert_eq!(violation.value(), Some("Strict"));
    assert_eq!(
        violation.detail(),
        r#"supported values: "Unconfined", "RuntimeDefault", "Localhost""#
    );
}

#[test]
fn a_value_in_the_wrong_case_is_unknown() {
    let object: SeccompProfile = read(json!({"type": "unconfined"}));
    assert_eq!(
        lines(&rejected_report(&object)),
        [
            r#"type: Unsupported value: "unconfined": supported values: "Unconfined", "RuntimeDefault", "Localhost""#
        ],
    );
}

#[test]
fn an_empty_string_is_unknown_unless_the_enum_has_the_empty_value() {
    assert_eq!(
        lines(&rejected_object::<Union2>(json!({"type": "", "alpha": 1}))),
        [r#"type: Unsupported value: "": supported values: "ALPHA", "BETA""#],
    );
}

#[test]
fn a_missing_discriminator_is_required_and_the_only_error() {
    let report = rejected_object::<Union2>(json!({"alpha": 1, "beta": 2}));
    assert_eq!(
        lines(&report),
        [r#"type: Required value: set it to one of: "ALPHA", "BETA""#]
    );
    let violation = &report.errors()[0];
    assert_eq!(
        (violation.kind(), violation.value()),
        (ViolationKind::Required, None)
    );
}

#[test]
fn errors_of_members_name_the_selected_empty_value() {
    let line = r#"fieldA: Invalid value: "": may only be specified when `unionType` is "FieldA": `unionType` is ""; remove `fieldA`, or set `unionType` to "FieldA""#;
    let object: Strict = read(json!({"unionType": "", "fieldA": 1}));
    assert_eq!(lines(&rejected_report(&object)), [line]);
    // An absent discriminator means `""` here.
    let object: Absent = read(json!({"fieldA": 1}));
    assert_eq!(
        lines(&rejected_report(&object)),
        [line.replace("unionType", "union1")]
    );
}

#[test]
fn if_members_changed_the_error_asks_to_change_the_discriminator() {
    let old: Union2 = read(json!({"type": "ALPHA", "alpha": 1}));
    let new: Union2 = read(json!({"type": "ALPHA", "alpha": 1, "beta": 2}));
    let line = r#"beta: Invalid value: "": may only be specified when `type` is "BETA": several members are set and `type` is still "ALPHA"; a client that changes members must change `type` too: set it to "BETA", or remove `beta`"#;
    let report = new.validate_unions_update(&old, &Settings::default());
    assert_eq!(lines(&report), [line]);

    // A single member is not "several", and a discriminator that changed is not "still" the old
    // value.
    let with_only_beta: Union2 = read(json!({"type": "ALPHA", "beta": 2}));
    let report = with_only_beta.validate_unions_update(&old, &Settings::default());
    assert_eq!(lines(&report), [ALPHA_UNSET, BETA_NOT_SELECTED]);
    let old_with_type_beta: Union2 = read(json!({"type": "BETA"}));
    let report = new.validate_unions_update(&old_with_type_beta, &Settings::default());
    assert_eq!(lines(&report), [BETA_NOT_SELECTED]);
}

#[test]
fn each_of_several_members_has_an_error() {
    let old: MetricSpec = read(json!({"type": "Nothing"}));
    let resource = json!({"name": "cpu", "target": {"type": "Utilization"}});
    let pods = json!({"metric": {"name": "m"}, "target": {"type": "Value"}});
    let new: MetricSpec =
        read(json!({"type": "External", "resource": resource, "pods": pods, "external": pods}));
    let report = new.validate_unions_update(&old, &Settings::default());
    assert_eq!(
        lines(&report),
        [
            r#"pods: Invalid value: "": may only be specified when `type` is "Pods": `type` is "External"; remove `pods`, or set `type` to "Pods""#,
            r#"resource: Invalid value: "": may only be specified when `type` is "Resource": `type` is "External"; remove `resource`, or set `type` to "Resource""#,
        ],
    );
    let off = Settings::default().ratchet(Ratchet::Off);
    let report = new.validate_unions_update(&new, &off);
    let names_several_members =
        |line: &String| line.contains("several members are set and `type` is still \"External\"");
    assert!(!report.is_accepted(), "no error is tolerated");
    assert!(lines(&report).iter().all(names_several_members), "{report}");
}

#[test]
fn paths_start_at_the_path_of_the_caller() {
    let object: Union2 = read(json!({"type": "ALPHA"}));
    let report = rejected_report(&object).under(["spec"]);
    assert_eq!(lines(&report), [format!("spec.{ALPHA_UNSET}")]);
    let report = report
        .under(FieldPath::from(["items"]).index(3))
        .under(FieldPath::root());
    assert_eq!(lines(&report), [format!("items[3].spec.{ALPHA_UNSET}")]);
}

#[test]
fn violations_are_causes_of_a_status() {
    let object: Union2 = read(json!({"type": "ALPHA", "beta": 2}));
    let (alpha_message, beta_message) = (
        &ALPHA_UNSET["alpha: ".len()..],
        &BETA_NOT_SELECTED["beta: ".len()..],
    );
    let causes = json!([
        {"reason": "FieldValueInvalid", "message": alpha_message, "field": "spec.alpha"},
        {"reason": "FieldValueInvalid", "message": beta_message, "field": "spec.beta"},
    ]);
    let report = rejected_report(&object).under(["spec"]);
    assert_eq!(report.causes(), causes);
    let thing = ObjectRef {
        group: "example.com",
        kind: "Thing",
        name: "mine",
    };
    assert_eq!(
        report.status(&thing).expect("an error"),
        json!({
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": format!(r#"Thing.example.com "mine" is invalid: [spec.{ALPHA_UNSET}, spec.{BETA_NOT_SELECTED}]"#),
            "reason": "Invalid",
            "details": {"name": "mine", "group": "example.com", "kind": "Thing", "causes": causes},
            "code": 422,
        }),
    );
    assert_eq!(Report::default().status(&thing), None);
}

#[test]
fn a_status_with_one_violation_has_no_brackets() {
    let unknown: HTTPRouteFilter = read(json!({"type": "Teapot"}));
    let pod = ObjectRef {
        group: "",
        kind: "Pod",
        name: "p",
    };
    let status = rejected_report(&unknown).status(&pod).expect("an error");
    let values = r#""RequestHeaderModifier", "ResponseHeaderModifier", "RequestMirror", "RequestRedirect", "URLRewrite", "ExtensionRef", "CORS""#;
    let message = format!(r#"Unsupported value: "Teapot": supported values: {values}"#);
    assert_eq!(
        status["message"],
        format!(r#"Pod "p" is invalid: type: {message}"#)
    );
    assert_eq!(
        status["details"]["causes"],
        json!([{"reason": "FieldValueNotSupported", "message": message, "field": "type"}]),
    );
    let missing = rejected_object::<Union2>(json!({})).causes();
    assert_eq!(missing[0]["reason"], "FieldValueRequired");
}

#[test]
fn special_characters_are_quoted_as_in_go() {
    let cases = [
        ("two\nlines", r#""two\nlines""#),
        (r#"say "no""#, r#""say \"no\"""#),
        (r"C:\temp", r#""C:\\temp""#),
        ("\u{7}\u{8}\u{c}\r\t\u{b}", r#""\a\b\f\r\t\v""#),
        ("\u{0}\u{1b}\u{7f}", r#""\x00\x1b\x7f""#),
        ("zero\u{200b}width", r#""zero\u200bwidth""#),
        ("\u{feff}", r#""\ufeff""#),
        ("\u{a0}\u{3000}", r#""\u00a0\u3000""#),
        ("\u{85}", r#""\u0085""#),
        ("\u{e000}", r#""\ue000""#),
        ("\u{10ffff}", r#""\U0010ffff""#),
        ("Grün 緑 🦀", r#""Grün 緑 🦀""#),
        ("e\u{301}", "\"e\u{301}\""),
        ("\u{301}", "\"\u{301}\""),
        ("it's {} %s", r#""it's {} %s""#),
    ];
    for (value, quoted) in cases {
        let object: SeccompProfile = read(json!({"type": value}));
        let line = format!(
            r#"type: Unsupported value: {quoted}: supported values: "Unconfined", "RuntimeDefault", "Localhost""#
        );
        assert_eq!(lines(&rejected_report(&object)), [line]);
    }
}
