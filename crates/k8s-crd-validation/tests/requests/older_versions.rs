//! Tests of requests whose errors changed with a version of Kubernetes. The server's code of each
//! version returned the expected errors.

use k8s_crd_validation::{KubeVersion, ServerSettings, StructuralSchema};
use serde_json::{Value, json};

/// Returns a CRD whose `spec` has fields and rules.
fn crd(fields: Value, rules: Value) -> Value {
    let spec = json!({"type": "object", "properties": fields, "x-kubernetes-validations": rules});
    let schema = json!({"type": "object", "properties": {"spec": spec}});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "tests.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": "Test", "plural": "tests"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": schema},
            }],
        },
    })
}

/// Returns the path and the detail of each error of a create and of an update of an object.
fn errors(crd: &Value, api_version: &str, spec: &Value, version: KubeVersion) -> [Vec<String>; 2] {
    let compiler = StructuralSchema::compiler().version(version).stored();
    let schema = compiler.crd(crd, Some("v1")).expect("the CRD is valid");
    let settings = ServerSettings::default().version(version);
    let object = json!({
        "apiVersion": api_version, "kind": "Test",
        "metadata": {"name": "a", "namespace": "b", "uid": "u", "resourceVersion": "1"},
        "spec": spec,
    });
    let mut old = object.clone();
    old["apiVersion"] = json!("example.com/v1");
    old["spec"] = json!({"a": "old"});
    let mut created = object.clone();
    if let Some(metadata) = created["metadata"].as_object_mut() {
        metadata.remove("resourceVersion");
    }
    let reports = [
        schema.create(&mut created, &settings),
        schema.update(&mut object.clone(), &old, &settings),
    ];
    reports.map(|report| {
        let errors = report.errors().iter();
        errors
            .map(|error| format!("{}: {}", error.path(), error.detail()))
            .collect()
    })
}

/// Checks that the errors of a create and of an update are the errors of the last row whose version
/// is not newer.
#[track_caller]
fn assert_errors(crd: &Value, api_version: &str, spec: Value, rows: &[(u16, &[&str])]) {
    for version in KubeVersion::all().filter(|version| version.minor() >= 28) {
        let row = rows.iter().rfind(|(since, _)| *since <= version.minor());
        let (_, expected) = row.expect("the first row is of 1.28");
        for errors in errors(crd, api_version, &spec, version) {
            assert_eq!(errors, *expected, "{version}: {api_version} {spec}");
        }
    }
}

const OBJECT_WITHOUT_FIELDS: &str = "invalid object type, expected either Properties or AdditionalProperties with Allows=true and \
     non-empty Schema evaluating rule: ";

#[test]
fn an_error_of_a_rule_has_the_field_paths_of_earlier_rules_before_1_30() {
    let crd = crd(
        json!({"a": {"type": "string"}, "b": {"type": "string"}, "n": {"type": "integer"}}),
        json!([
            {"rule": "self.a != 'bad'", "message": "one"},
            {"rule": "self.a != 'good'", "fieldPath": ".n", "message": "holds"},
            {"rule": "self.a != 'bad'", "fieldPath": ".a", "message": "two"},
            {"rule": "1 / self.n == 1", "message": "three"},
            {"rule": "self.a != 'bad'", "fieldPath": ".b", "messageExpression": "'fo' + 'ur'"},
            {"rule": "self.a != 'bad'", "message": "five"},
        ]),
    );
    assert_errors(
        &crd,
        "example.com/v1",
        json!({"a": "bad", "n": 0}),
        &[
            (
                28,
                &[
                    "spec: one",
                    "spec.a: two",
                    "spec.a: division by zero evaluating rule: three",
                    "spec.a.b: four",
                    "spec.a.b: five",
                ],
            ),
            (
                30,
                &[
                    "spec: one",
                    "spec.a: two",
                    "spec: division by zero evaluating rule: three",
                    "spec.b: four",
                    "spec: five",
                ],
            ),
        ],
    );
}

#[test]
fn the_path_of_one_value_does_not_change_the_path_of_the_next() {
    let rules = json!([
        {"rule": "self.x", "fieldPath": ".x", "message": "one"},
        {"rule": "self.x", "message": "two"},
    ]);
    let item = json!({
        "type": "object", "properties": {"x": {"type": "boolean"}},
        "x-kubernetes-validations": rules,
    });
    let crd = crd(
        json!({"a": {"type": "string"}, "list": {"type": "array", "items": item}}),
        json!([]),
    );
    assert_errors(
        &crd,
        "example.com/v1",
        json!({"list": [{"x": false}, {"x": true}, {"x": false}]}),
        &[
            (
                28,
                &[
                    "spec.list[0].x: one",
                    "spec.list[0].x: two",
                    "spec.list[2].x: one",
                    "spec.list[2].x: two",
                ],
            ),
            (
                30,
                &[
                    "spec.list[0].x: one",
                    "spec.list[0]: two",
                    "spec.list[2].x: one",
                    "spec.list[2]: two",
                ],
            ),
        ],
    );
}

#[test]
fn a_value_outside_its_enum_prevents_rules_since_1_29() {
    let crd = crd(
        json!({"a": {"type": "string"}, "e": {"type": "string", "enum": ["x"]}}),
        json!([{"rule": "self.a != 'bad'", "message": "one"}]),
    );
    assert_errors(
        &crd,
        "example.com/v1",
        json!({"a": "bad", "e": "y"}),
        &[
            (28, &["spec.e: supported values: \"x\"", "spec: one"]),
            (
                29,
                &[
                    "spec.e: supported values: \"x\"",
                    ": some validation rules were not checked because the object was invalid; \
                     correct the existing errors to complete validation",
                ],
            ),
        ],
    );
}

#[test]
fn a_rule_reads_an_object_without_fields_since_1_29() {
    let empty = json!({"type": "object"});
    let crd = crd(
        json!({
            "a": {"type": "string"},
            "o": empty,
            "list": {"type": "array", "items": empty},
            "map": {"type": "object", "additionalProperties": empty},
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "resource": {"type": "object", "x-kubernetes-embedded-resource": true},
            "fields": {"type": "object", "properties": {"o": empty}},
        }),
        json!([
            {"rule": "!has(self.o) || self.o == self.o", "message": "o"},
            {"rule": "!has(self.list) || self.list.all(x, x == x)", "message": "list"},
            {"rule": "!has(self.map) || self.map['k'] == self.map['k']", "message": "map"},
            {"rule": "!has(self.free) || self.free == self.free", "message": "free"},
            {"rule": "!has(self.resource) || self.resource == self.resource", "message": "resource"},
            {"rule": "!has(self.fields) || self.fields.o == self.fields.o", "message": "fields"},
            {"rule": "!has(self.list) || self.list.size() == 1", "message": "size"},
        ]),
    );
    let error = |name: &str| format!("spec: {OBJECT_WITHOUT_FIELDS}{name}");
    let resource = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}});
    for (spec, name) in [
        (json!({"o": {}}), Some("o")),
        (json!({"list": [{}]}), Some("list")),
        (json!({"map": {"k": {}}}), Some("map")),
        (json!({"fields": {"o": {}}}), Some("fields")),
        (json!({"free": {"x": 1}}), None),
        (json!({"resource": resource}), None),
        (json!({}), None),
    ] {
        let old_errors: Vec<String> = name.map(error).into_iter().collect();
        let old_errors: Vec<&str> = old_errors.iter().map(String::as_str).collect();
        assert_errors(
            &crd,
            "example.com/v1",
            spec,
            &[(28, &old_errors), (29, &[])],
        );
    }
}

#[test]
fn an_object_of_another_version_is_checked_by_rules_since_1_29() {
    let crd = crd(
        json!({"a": {"type": "string"}}),
        json!([{"rule": "self.a != 'bad'", "message": "one"}]),
    );
    for (api_version, before_1_29) in [
        ("example.com/v2", None),
        ("other/v2", None),
        ("v2", None),
        ("other/v1", Some("spec: one")),
        ("v1", Some("spec: one")),
    ] {
        let identity = "apiVersion: must be example.com/v1";
        let old_errors: Vec<&str> = [identity].into_iter().chain(before_1_29).collect();
        assert_errors(
            &crd,
            api_version,
            json!({"a": "bad"}),
            &[(28, &old_errors), (29, &[identity, "spec: one"])],
        );
    }
}

#[test]
fn join_fails_for_integers_or_strings_before_1_29() {
    let crd = crd(
        json!({
            "a": {"type": "string"},
            "list": {"type": "array", "items": {"x-kubernetes-int-or-string": true}},
            "dates": {"type": "array", "items": {"type": "string", "format": "date"}},
        }),
        json!([
            {"rule": "!has(self.list) || self.list.join(',') == 'x,y'", "message": "list"},
            {"rule": "!has(self.list) || (self.list + self.list).size() == 4", "message": "size"},
            {"rule": "!has(self.dates) || dyn(self.dates).join(',') == ''", "message": "dates"},
        ]),
    );
    assert_errors(
        &crd,
        "example.com/v1",
        json!({"list": ["x", "y"], "dates": []}),
        &[
            (
                28,
                &[
                    "spec: internal error: interface conversion: interface {} is []interface {}, \
                     not []string evaluating rule: list",
                ],
            ),
            (29, &[]),
        ],
    );
}

#[test]
fn null_equals_null_of_an_optional_old_object_before_1_34() {
    let rule = "!oldSelf.hasValue() || self == oldSelf.value()";
    let crd = crd(
        json!({"e": {"type": "string", "nullable": true}}),
        json!([{"rule": rule, "optionalOldSelf": true, "message": "one"}]),
    );
    let object = json!({
        "apiVersion": "example.com/v1", "kind": "Test",
        "metadata": {"name": "a", "namespace": "b", "uid": "u", "resourceVersion": "1"},
        "spec": {"e": null},
    });
    for version in KubeVersion::all().filter(|version| version.minor() >= 29) {
        let compiler = StructuralSchema::compiler().version(version).stored();
        let schema = compiler.crd(&crd, Some("v1")).expect("the CRD is valid");
        let settings = ServerSettings::default().version(version);
        let report = schema.update(&mut object.clone(), &object, &settings);
        let is_equal = !(34..37).contains(&version.minor());
        assert_eq!(report.is_accepted(), is_equal, "{version}: {report}");
    }
}
