//! Tests of unions whose rules require other fields for some values and members: a change of such
//! a value or member is found, too.

use serde_json::{Value, json};
use union_compat::{
    ChangeCode, CompatReport, RequestOutcome, Severity, compare_crds, compare_versions,
    compare_whole_crds,
};

use crate::oracle::{crd, create, is_rejected};

/// The properties and rules of an object with a union.
#[derive(Clone)]
struct UnionSchema {
    properties: Value,
    required: Value,
    rules: Vec<String>,
}

impl UnionSchema {
    fn schema(&self) -> Value {
        let rules: Vec<Value> = self.rules.iter().map(|it| json!({"rule": it})).collect();
        json!({
            "type": "object",
            "required": self.required,
            "properties": self.properties,
            "x-kubernetes-validations": rules,
        })
    }

    /// Returns the schema with the fields and rules that a state of the union requires.
    fn with(&self, required_field: &RequiredField, state: &str) -> Self {
        let mut schema = self.clone();
        for (name, property) in required_field.properties().as_object().unwrap() {
            schema.properties[name] = property.clone();
        }
        let rule = required_field.rule;
        schema.rules.push(format!("!({state}) || ({rule})"));
        schema
    }
}

/// Another field that a state of a union requires.
struct RequiredField {
    rule: &'static str,
    schemas: &'static str,
}

impl RequiredField {
    fn properties(&self) -> Value {
        serde_json::from_str(self.schemas).unwrap()
    }
}

const REQUIRED_FIELDS: [RequiredField; 6] = [
    RequiredField {
        rule: "has(self.name)",
        schemas: r#"{"name": {"type": "string"}}"#,
    },
    RequiredField {
        rule: "has(self.name) && self.name.startsWith('x-')",
        schemas: r#"{"name": {"type": "string", "maxLength": 9}}"#,
    },
    RequiredField {
        rule: "has(self.names) && self.names.size() > 1",
        schemas: r#"{"names": {"type": "array", "maxItems": 5, "items": {"type": "string"}}}"#,
    },
    RequiredField {
        rule: "has(self.ref) && has(self.ref.name)",
        schemas: r#"{"ref": {"type": "object", "properties": {"name": {"type": "string"}}}}"#,
    },
    RequiredField {
        rule: "has(self.name) && has(self.port) && self.port > 1023",
        schemas: r#"{"name": {"type": "string"}, "port": {"type": "integer"}}"#,
    },
    RequiredField {
        rule: "!has(self.name) || self.name != 'example'",
        schemas: r#"{"name": {"type": "string", "default": "example"}}"#,
    },
];

/// Returns a union in which a discriminator selects members.
fn by_type(values: &[&str], members: &[(&str, &str)]) -> UnionSchema {
    let mut properties = json!({"type": {"type": "string", "enum": values}});
    let mut rules = Vec::new();
    for (value, member) in members {
        properties[*member] = json!({"type": "object"});
        rules.push(format!(
            "self.type == '{value}' ? has(self.{member}) : !has(self.{member})"
        ));
    }
    UnionSchema {
        properties,
        required: json!(["type"]),
        rules,
    }
}

/// Returns a union without a discriminator.
fn without_type(members: &[&str], rule: &str) -> UnionSchema {
    let members = members.iter();
    let members = members.map(|name| ((*name).to_owned(), json!({"type": "object"})));
    UnionSchema {
        properties: members.collect(),
        required: json!([]),
        rules: vec![rule.to_owned()],
    }
}

/// A change of a union, and the state that requires another field.
struct UnionChange {
    old: UnionSchema,
    new: UnionSchema,
    /// The state in the old and in the new version, as CEL.
    states: [&'static str; 2],
}

impl UnionChange {
    fn reversed(&self) -> Self {
        let [old_state, new_state] = self.states;
        Self {
            old: self.new.clone(),
            new: self.old.clone(),
            states: [new_state, old_state],
        }
    }
}

/// Returns changes of unions: of values, of members, of the number of set members, and of names.
fn changes() -> Vec<UnionChange> {
    let [is_b, is_c, has_b] = ["self.type == 'B'", "self.type == 'C'", "has(self.b)"];
    let has_both = "has(self.a) && has(self.b)";
    let has_none = "!has(self.a) && !has(self.b)";
    let a = by_type(&["A"], &[("A", "a")]);
    let a_and_empty_b = by_type(&["A", "B"], &[("A", "a")]);
    let a_and_b = by_type(&["A", "B"], &[("A", "a"), ("B", "b")]);
    let a_and_c = by_type(&["A", "C"], &[("A", "a"), ("C", "b")]);
    let b_of_b = by_type(&["A", "B", "C"], &[("A", "a"), ("B", "b")]);
    let b_of_c = by_type(&["A", "B", "C"], &[("A", "a"), ("C", "b")]);
    let mut optional_b = a_and_b.clone();
    optional_b.rules.pop();
    let rule = "self.type == 'B' || !has(self.b)";
    optional_b.rules.push(rule.to_owned());
    let any = without_type(&["a", "b"], "true");
    let at_most_one = without_type(&["a", "b"], "!(has(self.a) && has(self.b))");
    let exactly_one = without_type(&["a", "b"], "has(self.a) != has(self.b)");
    let only_a_or_c = without_type(&["a", "c"], "!(has(self.a) && has(self.c))");
    let one_of_three = without_type(
        &["a", "b", "c"],
        "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) <= 1",
    );
    let changes = [
        (&a_and_empty_b, &a, [is_b, is_b]),
        (&a_and_b, &a, [is_b, is_b]),
        (&a_and_b, &a, [has_b, "false"]),
        (&a_and_b, &a_and_empty_b, [is_b, is_b]),
        (&a_and_b, &a_and_c, [is_b, is_c]),
        (&a_and_b, &a_and_c, [has_b, has_b]),
        (&b_of_b, &b_of_c, [has_b, has_b]),
        (&optional_b, &a_and_b, [is_b, is_b]),
        (&at_most_one, &any, [has_both, has_both]),
        (&at_most_one, &exactly_one, [has_none, has_none]),
        (&one_of_three, &only_a_or_c, [has_b, "false"]),
    ];
    let changes = changes.map(|(old, new, states)| UnionChange {
        old: old.clone(),
        new: new.clone(),
        states,
    });
    let both_directions = |change: UnionChange| [change.reversed(), change];
    changes.into_iter().flat_map(both_directions).collect()
}

/// A place of a union: its path, and functions that put a schema and an object at the place.
type Place = (&'static str, fn(Value) -> Value, fn(&Value) -> Value);

const PLACES: [Place; 4] = [
    ("spec", |schema| schema, Value::clone),
    (
        "spec.u",
        |schema| json!({"type": "object", "properties": {"u": schema}}),
        |object| json!({"u": object}),
    ),
    (
        "spec.u[*]",
        |schema| {
            let list = json!({"type": "array", "maxItems": 5, "items": schema});
            json!({"type": "object", "properties": {"u": list}})
        },
        |object| json!({"u": [object]}),
    ),
    (
        "spec.u[*]",
        |schema| {
            let map = json!({"type": "object", "maxProperties": 5, "additionalProperties": schema});
            json!({"type": "object", "properties": {"u": map}})
        },
        |object| json!({"u": {"key": object}}),
    ),
];

/// Returns the code, the severity and the subjects of each finding.
fn summaries(report: &CompatReport) -> Vec<(ChangeCode, Severity, &[String])> {
    let findings = report.findings.iter();
    findings
        .map(|finding| (finding.code, finding.severity, &*finding.subjects))
        .collect()
}

fn only_report(old: &Value, new: &Value) -> CompatReport {
    let mut reports = compare_crds(old, new).unwrap();
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

/// A change has the same findings as without the other field, and the objects have the field.
#[test]
fn a_state_that_requires_another_field_has_the_same_findings() {
    let changes = changes();
    assert_eq!(changes.len(), 22);
    let first_field = REQUIRED_FIELDS.iter().take(1);
    let at_other_places =
        first_field.flat_map(|field| PLACES[1..].iter().map(move |it| (field, it)));
    let at_first_place = REQUIRED_FIELDS.iter().map(|field| (field, &PLACES[0]));
    let cases: Vec<_> = at_first_place.chain(at_other_places).collect();
    assert_eq!(cases.len(), 9);
    for change in &changes {
        for (required_field, place) in &cases {
            check_change(change, required_field, place);
        }
    }
}

/// Compares a change with and without the required field, and checks the findings with a server.
fn check_change(
    change: &UnionChange,
    required_field: &RequiredField,
    (path, schema_at, object_at): &Place,
) {
    let unions = [&change.old, &change.new];
    let crds = |schemas: [Value; 2]| schemas.map(|spec| crd(&[("v1", schema_at(spec))]));
    let [old, new] = crds(unions.map(UnionSchema::schema));
    let expected = only_report(&old, &new);
    assert!(!expected.findings.is_empty());
    let [old, new] = crds([0, 1].map(|side| {
        let union = unions[side].with(required_field, change.states[side]);
        union.schema()
    }));
    let report = only_report(&old, &new);
    let context = format!("{expected}{}: {report}", required_field.rule);
    assert_eq!(summaries(&report), summaries(&expected), "{context}");
    assert_eq!(report.notes, [] as [&str; 0], "{context}");
    for finding in &report.findings {
        assert_eq!(finding.path, *path, "{context}");
        let spec = object_at(&finding.object);
        for (crd, decisions) in [(&old, &finding.before), (&new, &finding.after)] {
            let is_created = create(crd, "v1", &spec).is_ok();
            assert_eq!(is_created, !is_rejected(&decisions.server), "{context}");
        }
    }
}

/// Returns a CRD with a union at `spec.filters[*]` and rules of the objects around the union.
fn crd_with_filters(values: &[&str], [rule_of_root, rule_of_spec]: [&str; 2]) -> Value {
    let mut filter = by_type(values, &[("RequestMirror", "requestMirror")]);
    // The reference is required with its own value, and allowed with others.
    filter.properties["extensionRef"] = json!({"type": "object", "properties": {
        "name": {"type": "string", "minLength": 1},
    }});
    let rule = "self.type != 'ExtensionRef' || has(self.extensionRef)";
    filter.rules.push(rule.to_owned());
    filter
        .rules
        .push("!has(self.extensionRef) || has(self.extensionRef.name)".to_owned());
    let spec = json!({
        "type": "object",
        "properties": {
            "filters": {"type": "array", "maxItems": 4, "items": filter.schema()},
            "gateway": {"type": "string", "pattern": "^gw-[0-9]+$"},
        },
        "x-kubernetes-validations": [{"rule": rule_of_spec}],
    });
    let mut crd = crd(&[("v1", spec)]);
    let schema = crd.pointer_mut("/spec/versions/0/schema/openAPIV3Schema");
    schema.unwrap()["x-kubernetes-validations"] = json!([{"rule": rule_of_root}]);
    crd
}

/// The field that a value requires is inside of another field, and outside of the union.
#[test]
fn a_removed_value_is_found_in_whole_crds() {
    let all = ["RequestMirror", "ExtensionRef"];
    let has_gateway =
        "!has(self.filters) || self.filters.all(f, f.type != 'ExtensionRef') || has(self.gateway)";
    let has_gateway_at_root = "!has(self.spec) || !has(self.spec.filters) || \
        self.spec.filters.all(f, f.type != 'ExtensionRef') || has(self.spec.gateway)";
    for (rules, requires_gateway) in [
        (["true", "true"], false),
        (["true", has_gateway], true),
        ([has_gateway_at_root, "true"], true),
    ] {
        let [old, new] = [&all[..], &all[..1]].map(|values| crd_with_filters(values, rules));
        for (old, new, code) in [
            (&old, &new, ChangeCode::ValueRemoved),
            (&new, &old, ChangeCode::ValueAdded),
        ] {
            let comparison = compare_whole_crds(old, new).unwrap();
            let [report] = &*comparison.unions else {
                panic!("{comparison}")
            };
            let [finding] = &*report.findings else {
                panic!("{comparison}")
            };
            assert_eq!(finding.code, code, "{comparison}");
            assert_eq!(finding.subjects, ["ExtensionRef"], "{comparison}");
            assert_eq!(finding.path, "spec.filters[*]");
            assert_eq!(
                finding.object,
                json!({"extensionRef": {"name": "example"}, "type": "ExtensionRef"})
            );
            assert_eq!(comparison.changes.all_findings().count(), 0, "{comparison}");
            assert_eq!(comparison.changes.versions[0].unproven, [], "{comparison}");
            assert_eq!(report.notes, [] as [&str; 0], "{comparison}");
            // The stored object has the gateway, so only the removed value is an error.
            let is_tolerated = matches!(finding.stored_objects, RequestOutcome::Tolerated(_));
            assert_eq!(
                is_tolerated,
                code == ChangeCode::ValueRemoved,
                "{comparison}"
            );
            let with_value = if code == ChangeCode::ValueRemoved {
                old
            } else {
                new
            };
            let mut spec = json!({"filters": [finding.object]});
            assert_eq!(create(with_value, "v1", &spec).is_err(), requires_gateway);
            spec["gateway"] = json!("gw-0");
            assert!(create(with_value, "v1", &spec).is_ok());
        }
    }
}

/// A difference between served versions is known if the old CRD has it, also if its object needs
/// another field, inside or outside of the union.
#[test]
fn differences_of_served_versions_are_known_with_required_fields() {
    let with_inner_name = |values: &[&str]| {
        let union = by_type(values, &[("A", "a")]);
        union.with(&REQUIRED_FIELDS[0], "self.type != 'A'").schema()
    };
    let with_outer_name = |values: &[&str]| {
        let union = by_type(values, &[("A", "a")]).schema();
        json!({
            "type": "object",
            "properties": {"u": union, "name": {"type": "string"}},
            "x-kubernetes-validations": [
                {"rule": "!has(self.u) || self.u.type == 'A' || has(self.name)"},
            ],
        })
    };
    let codes = |findings: &[union_compat::Finding]| -> Vec<(ChangeCode, String)> {
        let findings = findings.iter();
        findings
            .map(|finding| (finding.code, finding.subjects.join(" ")))
            .collect()
    };
    let added = |value: &str| (ChangeCode::ValueAdded, value.to_owned());
    let removed = (ChangeCode::ValueRemoved, "B".to_owned());
    for is_inner in [true, false] {
        let schema = |values: &[&str]| {
            if is_inner {
                with_inner_name(values)
            } else {
                with_outer_name(values)
            }
        };
        let versions =
            |values: &[&str]| crd(&[("v1", schema(&["A", "B"])), ("v2", schema(values))]);
        let [old, new] = [&["A", "C"][..], &["A", "C", "D"]].map(versions);
        let reports = compare_versions(&old).unwrap();
        assert_eq!(codes(&reports[0].findings), [removed.clone(), added("C")]);
        let reports = compare_crds(&old, &new).unwrap();
        let report = reports.last().unwrap();
        assert_eq!(codes(&report.findings), [added("D")], "{report}");
        assert_eq!(codes(&report.known_findings), [removed.clone(), added("C")]);
    }
}

/// Both versions have the value, and only the old version accepts an object with it.
#[test]
fn a_rule_that_makes_a_value_unusable_is_found() {
    let old = by_type(&["A", "B"], &[("A", "a")]).with(&REQUIRED_FIELDS[0], "self.type == 'B'");
    let mut new = old.clone();
    new.properties["n"] = json!({"type": "integer"});
    let rule = "self.type != 'B' || has(self.n) && self.n * self.n == 5041";
    new.rules.push(rule.to_owned());
    let [old, new] = [old, new].map(|union| crd(&[("v1", union.schema())]));
    let report = only_report(&old, &new);
    let [finding] = &*report.findings else {
        panic!("{report}")
    };
    assert_eq!(finding.code, ChangeCode::RuleAdded);
    assert_eq!(finding.object, json!({"name": "example", "type": "B"}));
}

/// The field that a value requires is a member of another union, which only a webhook checks.
#[test]
fn a_required_field_satisfies_the_other_unions_of_the_object() {
    let schema = |values: &[&str]| {
        let mut union = by_type(values, &[("A", "a")]);
        union.properties["kind"] = json!({"type": "string", "enum": ["First", "Second"]});
        for member in ["first", "second"] {
            union.properties[member] = json!({"type": "object"});
        }
        union
            .rules
            .push("self.type != 'B' || has(self.second)".to_owned());
        union.required = json!(["type", "kind"]);
        let mut schema = union.schema();
        schema["x-kubernetes-unions"] = json!([
            {"discriminator": "type", "fields-to-discriminateBy": {"a": "A"}},
            {
                "discriminator": "kind",
                "fields-to-discriminateBy": {"first": "First", "second": "Second"},
            },
        ]);
        schema
    };
    let [old, new] = [&["A", "B"][..], &["A"]].map(|values| crd(&[("v1", schema(values))]));
    let report = only_report(&old, &new);
    let [finding] = &*report.findings else {
        panic!("{report}")
    };
    assert_eq!(finding.code, ChangeCode::ValueRemoved);
    assert!(!finding.before.is_rejected(), "{report}");
    assert_eq!(
        finding.object,
        json!({"kind": "Second", "second": {}, "type": "B"})
    );
}

/// The search does not find the other field, so the report does not say that nothing changed.
#[test]
fn a_value_without_a_valid_object_is_not_decided() {
    let rare = RequiredField {
        rule: "has(self.n) && self.n * self.n == 5041",
        schemas: r#"{"n": {"type": "integer"}}"#,
    };
    for (values, members, note) in [
        (&["A", "B"][..], &[("A", "a")][..], "`type` \"B\""),
        (&["A", "B"], &[("A", "a"), ("B", "b")], "`type` \"B\""),
    ] {
        let old = by_type(values, members).with(&rare, "self.type == 'B'");
        let new = by_type(&["A"], &[("A", "a")]).with(&rare, "self.type == 'B'");
        let [old, new] = [old, new].map(|union| crd(&[("v1", union.schema())]));
        for (old, new, version) in [(&old, &new, "old"), (&new, &old, "new")] {
            let comparison = compare_whole_crds(old, new).unwrap();
            assert_eq!(comparison.unions[0].findings, [], "{comparison}");
            let expected = format!(
                "spec: not compared for {note}, because no object with it was found that the {version} version accepts"
            );
            let notes = &comparison.unions[0].notes;
            assert!(notes.contains(&expected), "{comparison}");
            let unproven = &comparison.changes.versions[0].unproven;
            let of_type = unproven.iter().find(|it| it.path == "spec.type");
            assert_eq!(of_type.unwrap().reason.as_str(), "rejected-by-both");
        }
    }
}

/// The searches for other fields end, and the report names the limit.
#[test]
fn the_number_of_validated_objects_is_limited() {
    let values: Vec<String> = (0..60).map(|number| format!("V{number}")).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let rule = "self.type == 'V0' || has(self.n) && self.n * self.n == 5041";
    let [old, new] = [&values[..], &values[..59]].map(|values| {
        let mut union = by_type(values, &[("V0", "a")]);
        union.properties["n"] = json!({"type": "integer"});
        union.rules.push(rule.to_owned());
        crd(&[("v1", union.schema())])
    });
    let report = only_report(&old, &new);
    let is_limited = |note: &String| note.contains("because the limit of 9000 validated objects");
    assert!(report.notes.iter().any(is_limited), "{report}");
    let is_undecided = |note: &String| note.contains("not compared for `type` \"V59\"");
    assert!(report.notes.iter().any(is_undecided), "{report}");
}
