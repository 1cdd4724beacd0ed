//! Tests of changed enums of fields, list items and map values.

use serde_json::{Value, json};
use union_compat::{
    ApiVersion, ChangeCode, CompatReport, Decision, Finding, RequestOutcome, Severity, compare,
    compare_crds, compare_versions,
};

/// Returns a CRD with these schemas of `spec`.
fn crd(specs: &[(&str, Value)]) -> Value {
    let versions = specs.iter().enumerate().map(|(index, (name, spec))| {
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        json!({"name": name, "served": true, "storage": index == 0, "schema": {"openAPIV3Schema": schema}})
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "samples.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Sample", "plural": "samples"},
            "scope": "Namespaced",
            "versions": versions.collect::<Vec<_>>(),
        },
    })
}

#[track_caller]
fn compare_specs(old: &Value, new: &Value) -> CompatReport {
    let [old, new] = [old, new].map(|spec| crd(&[("v1", spec.clone())]));
    let mut reports = compare_crds(&old, &new).unwrap();
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

/// Returns the findings as `path code value`.
fn summaries(report: &CompatReport) -> Vec<String> {
    let findings = report.findings.iter();
    findings
        .map(|finding| {
            format!(
                "{} {} {}",
                finding.path,
                finding.code.as_str(),
                finding.object
            )
        })
        .collect()
}

fn object(properties: &Value) -> Value {
    json!({"type": "object", "properties": properties})
}

fn strings(values: &[&str]) -> Value {
    json!({"type": "string", "enum": values})
}

/// Compares `old` and `new` at several places of a schema, and asserts the codes and values of the
/// findings. The path of a place is that of `spec`.
#[track_caller]
fn assert_findings_at_all_places(old: &Value, new: &Value, expected: &[&str]) {
    type Place = (&'static str, fn(&Value) -> Value);
    let places: [Place; 6] = [
        ("spec.f", |schema| object(&json!({"f": schema}))),
        ("spec.a.f", |schema| {
            let inner = json!({"type": "object", "required": ["f", "g"], "properties": {
                "f": schema, "g": {"type": "integer", "minimum": 3},
            }});
            object(&json!({"a": inner}))
        }),
        ("spec.f[*]", |schema| {
            object(&json!({"f": {"type": "array", "items": schema}}))
        }),
        ("spec.f[*]", |schema| {
            object(&json!({"f": {"type": "object", "additionalProperties": schema}}))
        }),
        ("spec.f[*][*]", |schema| {
            let inner = json!({"type": "array", "items": schema});
            object(&json!({"f": {"type": "object", "additionalProperties": inner}}))
        }),
        ("spec.a.f", |schema| {
            // The member of a union that the rules require.
            let mut spec = object(&json!({
                "type": {"type": "string", "enum": ["A", "B"]},
                "a": object(&json!({"f": schema})),
                "b": object(&json!({})),
            }));
            spec["required"] = json!(["type"]);
            spec["x-kubernetes-validations"] = json!([
                {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
                {"rule": "self.type == 'B' ? has(self.b) : !has(self.b)"},
            ]);
            spec
        }),
    ];
    for (path, place) in places {
        let report = compare_specs(&place(old), &place(new));
        let expected: Vec<String> = expected
            .iter()
            .map(|finding| format!("{path} {finding}"))
            .collect();
        assert_eq!(summaries(&report), expected, "{report}");
        assert_eq!(report.notes, [] as [&str; 0], "{report}");
        assert!(report.enums >= 1, "{report}");
    }
}

/// An old schema, a new schema, and the codes and values of the findings.
type EnumCase = (Value, Value, &'static [&'static str]);

#[track_caller]
fn assert_cases(cases: impl IntoIterator<Item = EnumCase>) {
    for (old, new, expected) in cases {
        assert_findings_at_all_places(&old, &new, expected);
    }
}

#[test]
fn changed_enums_of_strings_are_found_at_all_places() {
    let text = || json!({"type": "string"});
    assert_cases([
        (
            strings(&["A", "B", "C"]),
            strings(&["A", "B"]),
            &["value-removed \"C\""][..],
        ),
        (
            strings(&["A", "B"]),
            strings(&["A", "B", "C"]),
            &["value-added \"C\""],
        ),
        (strings(&["A", "B", "C"]), strings(&["C", "B", "A"]), &[]),
        (
            strings(&["A", "B"]),
            strings(&["A", "D"]),
            &["value-removed \"B\"", "value-added \"D\""],
        ),
        (
            strings(&["A", "B"]),
            strings(&["D"]),
            &[
                "value-removed \"A\"",
                "value-removed \"B\"",
                "value-added \"D\"",
            ],
        ),
        (text(), strings(&["A", "B"]), &["values-closed \"a\""]),
        (strings(&["A", "B"]), text(), &["values-opened \"a\""]),
        (
            json!({"type": "string", "maxLength": 1}),
            strings(&["A", "B"]),
            &["values-closed \"a\""],
        ),
        // No other value was accepted before.
        (
            json!({"type": "string", "pattern": "^[AB]$"}),
            strings(&["A", "B"]),
            &[],
        ),
    ]);
}

/// An API server rejects null where the schema has an enum, even if the enum has null.
#[test]
fn changed_enums_of_nullable_values_are_found_at_all_places() {
    let nullable = |values: &Value| json!({"type": "string", "nullable": true, "enum": values});
    let text = || json!({"type": "string", "nullable": true});
    assert_cases([
        (
            nullable(&json!(["A", "B", null])),
            nullable(&json!(["A", null])),
            &["value-removed \"B\""][..],
        ),
        (nullable(&json!(["A", null])), nullable(&json!(["A"])), &[]),
        (nullable(&json!(["A", null])), strings(&["A"]), &[]),
        (strings(&["A"]), nullable(&json!(["A", null])), &[]),
        (
            text(),
            nullable(&json!(["A", null])),
            &["values-closed null", "values-closed \"a\""],
        ),
        (
            nullable(&json!(["A"])),
            text(),
            &["values-opened null", "values-opened \"a\""],
        ),
    ]);
}

#[test]
fn changed_enums_of_other_types_are_found_at_all_places() {
    let with_type = |name: &str, values: &Value| json!({"type": name, "enum": values});
    let int_or_string =
        |values: &Value| json!({"x-kubernetes-int-or-string": true, "enum": values});
    let objects = |values: &Value| json!({"type": "object", "properties": {"x": {"type": "integer"}}, "enum": values});
    let integers = |values: &Value| with_type("integer", values);
    assert_cases([
        (
            integers(&json!([1, 2, 3])),
            integers(&json!([1, 3])),
            &["value-removed 2"][..],
        ),
        (
            integers(&json!([1])),
            integers(&json!([1, 2])),
            &["value-added 2"],
        ),
        (
            json!({"type": "integer"}),
            integers(&json!([1, 2])),
            &["values-closed 3"],
        ),
        (
            with_type("number", &json!([0.5, 1])),
            with_type("number", &json!([1])),
            &["value-removed 0.5"],
        ),
        (
            with_type("boolean", &json!([true, false])),
            with_type("boolean", &json!([true])),
            &["value-removed false"],
        ),
        (
            int_or_string(&json!([80, "http"])),
            int_or_string(&json!([80])),
            &["value-removed \"http\""],
        ),
        (
            int_or_string(&json!(["http"])),
            int_or_string(&json!([80, "http"])),
            &["value-added 80"],
        ),
        (
            json!({"x-kubernetes-int-or-string": true}),
            int_or_string(&json!([80])),
            &["values-closed \"a\""],
        ),
        (
            objects(&json!([{"x": 1}, {"x": 2}])),
            objects(&json!([{"x": 1}])),
            &["value-removed {\"x\":2}"],
        ),
    ]);
}

#[test]
fn changed_enums_in_junctors_are_found_at_all_places() {
    let all_of = |values: &Value| json!({"type": "string", "enum": ["A", "B", "C"], "allOf": [{"enum": values}]});
    let any_of = |junctor: &Value| json!({"type": "string", "anyOf": junctor});
    let not = |values: &Value| json!({"type": "string", "not": {"enum": values}});
    assert_cases([
        (
            all_of(&json!(["A", "B", "C"])),
            all_of(&json!(["A", "B"])),
            &["value-removed \"C\""][..],
        ),
        (
            any_of(&json!([{"enum": ["A"]}, {"enum": ["C"]}])),
            any_of(&json!([{"enum": ["A"]}])),
            &["value-removed \"C\""],
        ),
        (
            any_of(&json!([{"enum": ["A"]}, {"pattern": "^x[0-9]$"}])),
            any_of(&json!([{"enum": ["A"]}])),
            &["values-closed \"x1\""],
        ),
        (
            not(&json!(["A"])),
            not(&json!(["A", "B"])),
            &["values-closed \"B\""],
        ),
    ]);
}

fn only_finding(report: &CompatReport) -> &Finding {
    let [finding] = report.findings.as_slice() else {
        panic!("{report}")
    };
    finding
}

#[test]
fn the_effects_on_stored_objects_and_clients_are_found() {
    let [ab, abc] =
        [&["A", "B"][..], &["A", "B", "C"]].map(|values| object(&json!({"mode": strings(values)})));
    let error = "spec.mode: Unsupported value: \"C\": supported values: \"A\", \"B\"";
    let report = compare_specs(&abc, &ab);
    let finding = only_finding(&report);
    assert_eq!(finding.severity, Severity::Breaking);
    assert_eq!(finding.before.server, Decision::Accepted);
    assert_eq!(
        finding.after.server,
        Decision::Rejected(vec![error.to_owned()])
    );
    assert_eq!(
        finding.stored_objects,
        RequestOutcome::Tolerated(error.to_owned())
    );
    assert_eq!(
        finding.old_clients,
        RequestOutcome::Rejected(error.to_owned())
    );
    assert_eq!(finding.pointer, "/properties/spec/properties/mode");
    assert_eq!(
        finding.lines()[..2],
        [
            "breaking: spec.mode: the value \"C\" was removed (value-removed)",
            "value: \"C\"",
        ]
    );
    let report = compare_specs(&ab, &abc);
    let finding = only_finding(&report);
    assert_eq!(finding.severity, Severity::Notice);
    assert_eq!(finding.stored_objects, RequestOutcome::Impossible);
    assert_eq!(finding.old_clients, RequestOutcome::Accepted);
    assert_eq!(
        finding.new_clients,
        RequestOutcome::Rejected(error.to_owned())
    );
    // An element of a list without keys is tolerated only while the list does not change.
    let list =
        |values: &[&str]| object(&json!({"modes": {"type": "array", "items": strings(values)}}));
    let report = compare_specs(&list(&["A", "C"]), &list(&["A"]));
    assert!(matches!(
        only_finding(&report).stored_objects,
        RequestOutcome::Tolerated(_)
    ));
}

#[test]
fn changed_and_invalid_defaults_are_found() {
    let spec = |schema: &Value| json!({"type": "object", "properties": {"mode": schema}});
    let with_default = |values: &[&str], default: &str| json!({"type": "string", "enum": values, "default": default});
    let ab = || with_default(&["A", "B"], "B");
    let without_default = strings(&["A", "B"]);
    let stored_as = |finding: &Finding| finding.stored_as.clone();
    // The default is outside of the new enum.
    let report = compare_specs(&spec(&ab()), &spec(&with_default(&["A"], "B")));
    assert_eq!(
        summaries(&report),
        ["spec.mode value-removed \"B\"", "spec default-invalid {}"]
    );
    let finding = &report.findings[1];
    assert_eq!(finding.severity, Severity::Breaking);
    assert!(
        finding
            .description
            .contains("gets the default \"B\", which is not a value of the enum"),
        "{report}"
    );
    for (old, new, severity, stored) in [
        (
            ab(),
            with_default(&["A", "B"], "A"),
            Severity::Breaking,
            [json!({"mode": "B"}), json!({"mode": "A"})],
        ),
        (
            without_default.clone(),
            ab(),
            Severity::Notice,
            [json!({}), json!({"mode": "B"})],
        ),
        (
            ab(),
            without_default,
            Severity::Notice,
            [json!({"mode": "B"}), json!({})],
        ),
    ] {
        let report = compare_specs(&spec(&old), &spec(&new));
        let finding = only_finding(&report);
        assert_eq!(
            (finding.code, finding.severity),
            (ChangeCode::DefaultChanged, severity),
            "{report}"
        );
        assert_eq!(stored_as(finding), Some(stored), "{report}");
    }
    // The same default of an enum with another value is no change.
    let report = compare_specs(&spec(&ab()), &spec(&with_default(&["A", "B", "C"], "B")));
    assert_eq!(summaries(&report), ["spec.mode value-added \"C\""]);
}

#[test]
fn discriminators_are_compared_once() {
    let spec = |values: &[&str]| {
        let mut spec = object(&json!({"type": strings(values), "a": object(&json!({}))}));
        spec["required"] = json!(["type"]);
        spec["x-kubernetes-validations"] =
            json!([{"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"}]);
        spec
    };
    let report = compare_specs(&spec(&["A", "B", "C"]), &spec(&["A", "B"]));
    assert_eq!(report.findings.len(), 1, "{report}");
    assert_eq!((report.union_objects, report.enums), (1, 0));
}

#[test]
fn removed_fields_and_unchanged_enums_are_not_findings() {
    let report = compare_specs(
        &object(&json!({"mode": strings(&["A"])})),
        &object(&json!({})),
    );
    assert_eq!((report.findings.len(), report.enums), (0, 0));
    let with_descriptions = |description: &str| {
        object(&json!({"mode": {"type": "string", "description": description, "enum": ["A"]}}))
    };
    let report = compare_specs(&with_descriptions("a"), &with_descriptions("b"));
    assert_eq!(
        (report.findings.len(), report.enums, report.objects),
        (0, 1, 0)
    );
}

#[test]
fn versions_that_are_served_together_are_compared() {
    let specs = |new: &[&str]| {
        [
            ("v1", object(&json!({"mode": strings(&["A", "B"])}))),
            ("v2", object(&json!({"mode": strings(new)}))),
        ]
    };
    let reports = compare_versions(&crd(&specs(&["A", "C"]))).unwrap();
    let [report] = reports.as_slice() else {
        panic!("{reports:?}")
    };
    assert_eq!(
        summaries(report),
        [
            "spec.mode value-removed \"B\"",
            "spec.mode value-added \"C\""
        ]
    );
    assert!(
        report
            .findings
            .iter()
            .all(|finding| finding.severity == Severity::Breaking)
    );
    // The old CRD has the first difference, too.
    let reports = compare_crds(&crd(&specs(&["A"])), &crd(&specs(&["A", "C"]))).unwrap();
    let report = reports.last().unwrap();
    assert_eq!(summaries(report), ["spec.mode value-added \"C\""]);
    assert_eq!(report.known_findings.len(), 1, "{report}");
}

/// Returns the schema of an address, such as an IP address or a host name.
fn address(kind: &Value, keywords: &Value) -> Value {
    let mut address = json!({
        "type": "object",
        "required": ["value"],
        "properties": {"kind": kind, "value": {"type": "string", "minLength": 1}},
    });
    for (keyword, value) in keywords.as_object().unwrap() {
        address[keyword] = value.clone();
    }
    object(&json!({"addresses": {"type": "array", "items": address}}))
}

/// Compares two schemas of addresses, and asserts the codes and values of the findings.
#[track_caller]
fn assert_address_cases(
    cases: impl IntoIterator<Item = (&'static str, Value, Value, Vec<&'static str>)>,
) {
    for (name, old, new, expected) in cases {
        let report = compare_specs(&old, &new);
        let expected: Vec<String> = expected
            .iter()
            .map(|finding| format!("spec.addresses[*].kind {finding}"))
            .collect();
        assert_eq!(summaries(&report), expected, "{name}: {report}");
        assert_eq!(report.notes, [] as [&str; 0], "{name}: {report}");
    }
}

fn kinds() -> Value {
    strings(&["Host", "Ip"])
}

/// Returns the pattern that accepts the same values as [`kinds`].
fn kinds_pattern() -> Value {
    json!({"type": "string", "pattern": "^(Host|Ip)$"})
}

/// Returns the keywords of an address whose value has other keywords if its kind is `Ip`.
fn ip_is(value: &Value) -> Value {
    json!({"oneOf": [
        {"properties": {"kind": {"enum": ["Ip"]}, "value": value}},
        {"properties": {"kind": {"not": {"enum": ["Ip"]}}}},
    ]})
}

fn rule(rule: &str) -> Value {
    json!({"x-kubernetes-validations": [{"rule": rule}]})
}

const IP_IS_RARE: &str = "!has(self.kind) || self.kind != 'Ip' || self.value == '::1'";
const NO_IP: &str = "!has(self.kind) || self.kind != 'Ip'";

/// Another value of the object may be the reason why a version rejects an object.
#[test]
fn a_value_that_is_valid_in_another_object_is_not_removed() {
    let none = json!({});
    assert_address_cases([
        (
            "the enum became a pattern, and the address has a format",
            address(&kinds(), &none),
            address(&kinds_pattern(), &ip_is(&json!({"format": "ipv4"}))),
            vec![],
        ),
        (
            "the address has a rare value",
            address(&kinds(), &none),
            address(&kinds_pattern(), &ip_is(&json!({"enum": ["10.9.8.7"]}))),
            vec![],
        ),
        (
            "a rule of the object demands another address",
            address(&kinds(), &none),
            address(&kinds_pattern(), &rule(IP_IS_RARE)),
            vec![],
        ),
        (
            "a rule of the object forbids the value",
            address(&kinds(), &none),
            address(&kinds_pattern(), &rule(NO_IP)),
            vec![],
        ),
        (
            "both versions accept the value only with a rare address",
            address(&kinds(), &ip_is(&json!({"enum": ["::1"]}))),
            address(&kinds_pattern(), &ip_is(&json!({"enum": ["::1", "::2"]}))),
            vec![],
        ),
    ]);
}

#[test]
fn a_value_that_the_new_version_rejects_itself_is_removed() {
    let none = json!({});
    let host_in_branch = json!({"allOf": [{"properties": {"kind": {"enum": ["Host"]}}}]});
    let removed = "value-removed \"Ip\"";
    assert_address_cases([
        (
            "the pattern does not accept the value",
            address(&kinds(), &none),
            address(
                &json!({"type": "string", "pattern": "^(Host|Name)$"}),
                &none,
            ),
            vec![removed, "values-opened \"Name\""],
        ),
        (
            "a branch does not accept the value",
            address(&kinds(), &none),
            address(&kinds_pattern(), &host_in_branch),
            vec![removed],
        ),
        (
            "the old version accepts the value only with a rare address",
            address(&kinds(), &rule(IP_IS_RARE)),
            address(&strings(&["Host"]), &none),
            vec![removed],
        ),
        (
            "a branch does not accept the value, and the old version only with a rare address",
            address(&kinds(), &rule(IP_IS_RARE)),
            address(&kinds_pattern(), &host_in_branch),
            vec![removed],
        ),
    ]);
}

/// A pattern that rejects a value does not close the set of values.
#[test]
fn a_pattern_beside_an_enum_is_not_a_change_of_the_enum() {
    let mode = |keywords: Value| {
        let mut mode = json!({"type": "string", "anyOf": [{"enum": ["A"]}, {"maxLength": 3}]});
        for (keyword, value) in keywords.as_object().unwrap() {
            mode[keyword] = value.clone();
        }
        object(&json!({"mode": mode}))
    };
    let report = compare_specs(&mode(json!({})), &mode(json!({"pattern": "^[a-zA-Z]+$"})));
    assert_eq!(summaries(&report), [] as [&str; 0], "{report}");
}

/// A default that another rule rejects is a value of the enum.
#[test]
fn a_default_is_judged_by_its_own_errors() {
    let spec = |default: &str| {
        let mut spec = object(&json!({
            "mode": {"type": "string", "enum": ["A", "B"], "default": default},
            "n": {"type": "integer"},
        }));
        spec["x-kubernetes-validations"] = json!([{"rule": "self.mode != 'B' || has(self.n)"}]);
        spec
    };
    let report = compare_specs(&spec("A"), &spec("B"));
    let codes: Vec<_> = report.findings.iter().map(|it| it.code).collect();
    assert!(!codes.contains(&ChangeCode::DefaultInvalid), "{report}");
}

/// The parents have a rule that generated objects do not satisfy.
#[test]
fn an_enum_is_compared_alone_if_no_whole_object_is_found() {
    let spec = |values: &[&str]| {
        let mut spec = object(&json!({"mode": strings(values), "a": {"type": "integer"}}));
        spec["x-kubernetes-validations"] =
            json!([{"rule": "has(self.a) && self.a * self.a == 1681"}]);
        spec
    };
    let report = compare_specs(&spec(&["A", "B"]), &spec(&["A"]));
    assert_eq!(summaries(&report), ["spec.mode value-removed \"B\""]);
    let error = "spec.mode: Unsupported value: \"B\": supported values: \"A\"";
    assert_eq!(
        report.findings[0].after.server,
        Decision::Rejected(vec![error.to_owned()])
    );
    assert_eq!(
        report.notes,
        [
            "spec.mode: compared by its own schema only, because no whole object was found that both versions accept"
        ]
    );
}

/// A type whose enum does not have a variant for other values cannot read a new value.
#[test]
fn clients_are_simulated_with_their_types() {
    mod v1 {
        #[derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
        pub(super) enum Mode {
            A,
        }
        #[derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
        pub(super) struct Spec {
            pub(super) mode: Mode,
        }
    }
    mod v2 {
        #[derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
        pub(super) enum Mode {
            A,
            B,
        }
        #[derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
        pub(super) struct Spec {
            pub(super) mode: Mode,
        }
    }
    let old = ApiVersion::from_type::<v1::Spec>().unwrap();
    let new = ApiVersion::from_type::<v2::Spec>().unwrap();
    let report = compare(&old, &new);
    let finding = only_finding(&report);
    assert_eq!(
        (finding.code, finding.severity),
        (ChangeCode::ValueAdded, Severity::Breaking)
    );
    assert!(
        matches!(finding.old_clients, RequestOutcome::Unreadable(_)),
        "{report}"
    );
}

/// The other rejected values also break the other new keyword of the field.
#[test]
fn a_closed_enum_has_a_value_that_only_the_enum_rejects() {
    for (keyword, bound) in [("minimum", 5), ("maximum", 6)] {
        let old = object(&json!({"f": {"type": "integer"}}));
        let new = object(&json!({"f": {"type": "integer", "enum": [5, 6], (keyword): bound}}));
        let report = compare_specs(&old, &new);
        assert_eq!(report.findings[0].code, ChangeCode::ValuesClosed);
        let Decision::Rejected(messages) = &report.findings[0].after.server else {
            panic!("{report}");
        };
        assert!(messages[0].contains("Unsupported value"), "{messages:?}");
        assert_eq!(messages.len(), 1, "{messages:?}");
    }
}

/// Not all values of a long enum are compared, but those that only one version lists are.
#[test]
fn a_change_of_a_long_enum_is_found() {
    for count in [90, 100, 126, 127, 128, 129, 200, 3_000] {
        let names: Vec<String> = (0..count).map(|n| format!("v{n:04}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let without_last = strings(&names[..count - 1]);
        let all = strings(&names);
        let open = json!({"type": "string"});
        let last = format!("spec value-added {:?}", names[count - 1]);
        let removed = format!("spec value-removed {:?}", names[count - 1]);
        for (old, new, expected) in [
            (&all, &without_last, &*removed),
            (&without_last, &all, &*last),
            (&open, &all, "spec values-closed \"a\""),
            (&all, &open, "spec values-opened \"a\""),
        ] {
            let report = compare_specs(old, new);
            assert_eq!(
                summaries(&report),
                [expected],
                "{count} values: {:?}",
                report.notes
            );
            let has_note = report
                .notes
                .iter()
                .any(|note| note.contains("values of the enums were not compared"));
            let is_long = count > 128;
            assert!(has_note || !is_long, "{count} values: {:?}", report.notes);
        }
    }
}
