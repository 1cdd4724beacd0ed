//! Tests of the comparison of whole CRDs: each change is reported once, by the findings about
//! unions and enums or by the findings about everything else.

use serde_json::{Map, Value, json};
use union_compat::{ChangeCode, CrdComparison, compare_whole_crds, compare_whole_versions};

/// Returns a CRD that serves versions with these schemas of `spec`.
fn crd(specs: &[&Value]) -> Value {
    let versions = specs.iter().enumerate().map(|(index, spec)| {
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        json!({
            "name": format!("v{}", index + 1),
            "served": true,
            "storage": index == 0,
            "schema": {"openAPIV3Schema": schema},
        })
    });
    let versions: Vec<Value> = versions.collect();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "samples.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Sample", "plural": "samples"},
            "scope": "Namespaced",
            "versions": versions,
        },
    })
}

/// Returns the findings as `path code subjects` for unions and enums, and then as `+ path code`.
fn headings(comparison: &CrdComparison) -> Vec<String> {
    let unions = comparison.unions.iter().flat_map(|report| &report.findings);
    let unions = unions.map(|finding| {
        // The search decides which other value is an example.
        let is_about_any_value = matches!(
            finding.code,
            ChangeCode::ValuesOpened | ChangeCode::ValuesClosed
        );
        let subjects = if is_about_any_value {
            String::new()
        } else {
            finding.subjects.join(" ")
        };
        let heading = format!("{} {} {subjects}", finding.path, finding.code.as_str());
        heading.trim().to_owned()
    });
    let changes = comparison.changes.all_findings();
    let changes = changes.map(|change| format!("+ {} {}", change.path, change.code));
    unions.chain(changes).collect()
}

/// A name, an old schema of `spec`, a new schema, and the findings.
type Case = (&'static str, Value, Value, &'static [&'static str]);

#[track_caller]
fn assert_cases(cases: impl IntoIterator<Item = Case>) {
    for (name, old, new, expected) in cases {
        let [old, new] = [old, new].map(|spec| crd(&[&spec]));
        let comparison = compare_whole_crds(&old, &new).unwrap();
        assert_eq!(headings(&comparison), expected, "{name}: {comparison}");
    }
}

/// Returns the schema of an object with fields that are objects, an integer `n`, and rules.
fn object_with(fields: &[&str], rules: &[&str]) -> Value {
    let fields = fields.iter();
    let fields = fields.map(|name| ((*name).to_owned(), json!({"type": "object"})));
    let mut properties: Map<String, Value> = fields.collect();
    properties.insert("n".to_owned(), json!({"type": "integer"}));
    let mut schema = json!({"type": "object", "properties": properties});
    let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
    if !rules.is_empty() {
        schema["x-kubernetes-validations"] = json!(rules);
    }
    schema
}

fn with_mode(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"mode": schema}})
}

fn mode_enum(values: &[&str]) -> Value {
    with_mode(&json!({"type": "string", "enum": values}))
}

fn mode_pattern(pattern: &str) -> Value {
    with_mode(&json!({"type": "string", "pattern": pattern}))
}

#[test]
fn each_change_of_an_enum_is_reported_once() {
    assert_cases([
        (
            "narrowed",
            mode_enum(&["A", "B"]),
            mode_enum(&["A"]),
            &["spec.mode value-removed B"][..],
        ),
        (
            "widened",
            mode_enum(&["A"]),
            mode_enum(&["A", "B"]),
            &["spec.mode value-added B"],
        ),
        (
            "replaced by a pattern that accepts more",
            mode_enum(&["A", "B"]),
            mode_pattern("^[A-Z]+$"),
            &["spec.mode values-opened"],
        ),
        (
            "replaced by a pattern that also rejects a value",
            mode_enum(&["A", "b"]),
            mode_pattern("^[A-Z]+$"),
            &["spec.mode value-removed b", "spec.mode values-opened"],
        ),
        (
            "replaced by a pattern that accepts the same values",
            mode_enum(&["A", "B"]),
            mode_pattern("^(A|B)$"),
            &[],
        ),
    ]);
}

#[test]
fn each_keyword_that_rejects_a_value_of_an_enum_is_reported_once() {
    let mut mode_with_rule_above = with_mode(&json!({"type": "string"}));
    mode_with_rule_above["x-kubernetes-validations"] =
        json!([{"rule": "!has(self.mode) || self.mode == 'A'"}]);
    assert_cases([
        (
            "replaces a pattern",
            mode_pattern("^[A-Z]+$"),
            mode_enum(&["A", "b"]),
            &["spec.mode values-closed", "spec.mode value-added b"][..],
        ),
        (
            "a length that excludes a value",
            mode_enum(&["A", "Bbb"]),
            with_mode(&json!({"type": "string", "enum": ["A", "Bbb"], "maxLength": 2})),
            &["spec.mode value-removed Bbb"],
        ),
        (
            "another type",
            mode_enum(&["A"]),
            with_mode(&json!({"type": "integer", "enum": [1]})),
            &["spec.mode value-removed A", "spec.mode value-added 1"],
        ),
        (
            "replaced by a rule of the value",
            mode_enum(&["A", "B"]),
            with_mode(
                &json!({"type": "string", "x-kubernetes-validations": [{"rule": "self == 'A'"}]}),
            ),
            &["spec.mode value-removed B"],
        ),
        (
            "replaced by a rule of the object",
            mode_enum(&["A", "B"]),
            mode_with_rule_above,
            &["+ spec rule-added"],
        ),
    ]);
}

const AT_MOST_ONE: &str = "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1";
const EXACTLY_ONE: &str = "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1";
const AT_MOST_ONE_OF_THREE: &str =
    "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) <= 1";

/// Returns an object of which exactly one member must be set.
fn one_of() -> Value {
    let mut schema = object_with(&["a", "b"], &[]);
    schema["oneOf"] = json!([{"required": ["a"]}, {"required": ["b"]}]);
    schema
}

#[test]
fn each_change_of_the_rules_of_a_union_is_reported_once() {
    let pair = |rules: &[&str]| object_with(&["a", "b"], rules);
    assert_cases([
        (
            "rule added",
            pair(&[]),
            pair(&[AT_MOST_ONE]),
            &["spec exclusivity-added"][..],
        ),
        (
            "rule removed",
            pair(&[AT_MOST_ONE]),
            pair(&[]),
            &["spec exclusivity-given-up"],
        ),
        (
            "rule tightened",
            pair(&[AT_MOST_ONE]),
            pair(&[EXACTLY_ONE]),
            &["spec one-required"],
        ),
        (
            "rule loosened",
            pair(&[EXACTLY_ONE]),
            pair(&[AT_MOST_ONE]),
            &["spec none-allowed"],
        ),
        (
            "oneOf replaced by a rule",
            one_of(),
            pair(&[EXACTLY_ONE]),
            &[],
        ),
        (
            "oneOf replaced by a weaker rule",
            one_of(),
            pair(&[AT_MOST_ONE]),
            &["spec none-allowed"],
        ),
        (
            "oneOf added",
            pair(&[]),
            one_of(),
            &["spec one-required", "spec exclusivity-added"],
        ),
        (
            "oneOf removed",
            one_of(),
            pair(&[]),
            &["spec none-allowed", "spec exclusivity-given-up"],
        ),
    ]);
}

#[test]
fn each_changed_member_of_a_union_is_reported_once() {
    let pair = |rules: &[&str]| object_with(&["a", "b"], rules);
    let three = object_with(&["a", "b", "c"], &[AT_MOST_ONE_OF_THREE]);
    let mut with_other_field = three.clone();
    with_other_field["properties"]["url"] = json!({"type": "string"});
    with_other_field["required"] = json!(["url"]);
    assert_cases([
        (
            "member added",
            pair(&[AT_MOST_ONE]),
            three.clone(),
            &["spec member-added c"][..],
        ),
        (
            "member added with the rule",
            pair(&[]),
            three.clone(),
            &["spec exclusivity-added", "spec member-added c"],
        ),
        (
            "member removed",
            three,
            pair(&[AT_MOST_ONE]),
            &["spec member-removed c"],
        ),
        (
            "member and another field added",
            pair(&[AT_MOST_ONE]),
            with_other_field,
            &[
                "spec member-added c",
                "+ spec required-added",
                "+ spec.url field-added",
            ],
        ),
    ]);
}

/// A finding about a union does not hide another rule of the same object, and a rule that is not
/// about the union is reported with its text.
#[test]
fn rules_that_are_not_about_the_union_are_reported_once() {
    let pair = |rules: &[&str]| object_with(&["a", "b"], rules);
    assert_cases([
        (
            "a rule of the union, and another rule",
            pair(&[]),
            pair(&[AT_MOST_ONE, "!has(self.n) || self.n < 5"]),
            &["spec exclusivity-added", "+ spec rule-added"][..],
        ),
        (
            "a rule about a member and another field",
            pair(&[AT_MOST_ONE]),
            pair(&[AT_MOST_ONE, "!has(self.a) || has(self.n)"]),
            &["+ spec rule-added"],
        ),
        (
            "a rule of the union, and a rule about a member",
            pair(&[]),
            pair(&[AT_MOST_ONE, "!has(self.a) || has(self.n)"]),
            &["spec exclusivity-added", "+ spec rule-added"],
        ),
        (
            "a rule of the union, and a required field",
            pair(&[]),
            pair(&[AT_MOST_ONE, "has(self.n)"]),
            &["spec exclusivity-added", "+ spec rule-added"],
        ),
        (
            "a weaker rule of the union, and a rule about the old object",
            pair(&[EXACTLY_ONE]),
            pair(&[AT_MOST_ONE, "!has(oldSelf.a) || has(self.a)"]),
            &["spec none-allowed", "+ spec rule-added"],
        ),
        (
            "a rule for each pair of members",
            object_with(&["a", "b", "c"], &[]),
            object_with(
                &["a", "b", "c"],
                &[
                    "!has(self.a) || !has(self.b)",
                    "!has(self.a) || !has(self.c)",
                    "!has(self.b) || !has(self.c)",
                ],
            ),
            &["spec exclusivity-added"],
        ),
    ]);
}

/// Returns an object with a union of two members, and with rules of the outer object.
fn around(rules: &Value) -> Value {
    let mut spec = object_with(&[], &[]);
    spec["properties"]["u"] = object_with(&["a", "b"], &[AT_MOST_ONE]);
    spec["x-kubernetes-validations"] = rules.clone();
    spec
}

#[test]
fn rules_of_the_object_around_a_union_are_reported_once() {
    let pair = |rules: &[&str]| object_with(&["a", "b"], rules);
    let outer_rule = json!([{"rule": "!has(self.u) || !has(self.u.a) || has(self.n)"}]);
    let holder = json!({"type": "object", "properties": {"u": pair(&[AT_MOST_ONE])}});
    assert_cases([
        (
            "a rule of the object around the union",
            around(&json!([])),
            around(&outer_rule),
            &["+ spec rule-added"][..],
        ),
        (
            "a rule of the union in the object around it",
            around(&json!([])),
            around(&json!([{"rule": "!has(self.u) || has(self.u.a) || has(self.u.b)"}])),
            &["spec.u one-required"],
        ),
        (
            "a discriminator, and a rule of the object around the union",
            around(&json!([])),
            {
                let mut spec = around(&json!([
                    {"rule": "!has(self.u) || has(self.u.a) || has(self.u.b) || has(self.n) && self.n * self.n == 5041"},
                ]));
                let mut union = pair(&[
                    "has(self.type) && self.type == 'A' ? true : !has(self.a)",
                    "has(self.type) && self.type == 'B' ? true : !has(self.b)",
                ]);
                union["properties"]["type"] = json!({"type": "string", "enum": ["A", "B"]});
                spec["properties"]["u"] = union;
                spec
            },
            &["spec.u discriminator-added type", "+ spec rule-added"],
        ),
        (
            "an object with a union removed",
            json!({"type": "object", "properties": {"h": holder, "n": {"type": "integer"}}}),
            json!({"type": "object", "properties": {"n": {"type": "integer"}}}),
            &["+ spec.h field-removed"],
        ),
    ]);
}

#[test]
fn each_difference_of_served_versions_is_reported_once() {
    let pair = |rules: &[&str]| object_with(&["a", "b"], rules);
    let cases: [Case; 6] = [
        (
            "values",
            mode_enum(&["A", "B"]),
            mode_enum(&["A"]),
            &["spec.mode value-removed B"],
        ),
        (
            "a pattern",
            mode_enum(&["A", "b"]),
            mode_pattern("^[A-Z]$"),
            &["spec.mode value-removed b", "spec.mode values-opened"],
        ),
        (
            "the rule of a union",
            pair(&[]),
            pair(&[AT_MOST_ONE]),
            &["spec rule-missing v1 v2"],
        ),
        (
            "another rule",
            pair(&[AT_MOST_ONE]),
            pair(&[AT_MOST_ONE, "!has(self.n) || self.n < 5"]),
            &["+ spec rule-added"],
        ),
        (
            "the rule of a union, and a rule about a member",
            pair(&[]),
            pair(&[AT_MOST_ONE, "!has(self.a) || has(self.n)"]),
            &["spec rule-missing v1 v2", "+ spec rule-added"],
        ),
        (
            "a member",
            pair(&[AT_MOST_ONE]),
            object_with(&["a", "b", "c"], &[AT_MOST_ONE_OF_THREE]),
            &["spec member-added c"],
        ),
    ];
    for (name, old, new, expected) in cases {
        let comparison = compare_whole_versions(&crd(&[&old, &new])).unwrap();
        assert_eq!(headings(&comparison), expected, "{name}: {comparison}");
    }
}
