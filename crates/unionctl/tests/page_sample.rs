//! Tests of the sample objects of the playground: an API server accepts each object.

use serde_json::{Value, json};
use unionctl::page::Session;

fn crd(spec_schema: &Value) -> String {
    crd_of(&json!({"type": "object", "required": ["spec"], "properties": {"spec": spec_schema}}))
}

fn crd_of(schema: &Value) -> String {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Thing", "plural": "things"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
    .to_string()
}

fn call(method: fn(&mut Session, &str) -> String, request: &Value) -> Value {
    let reply = method(&mut Session::default(), &request.to_string());
    serde_json::from_str(&reply).unwrap()
}

/// Returns the object that is created for a CRD, and checks that the CRD and the object are
/// accepted.
fn accepted_sample(crd: &str) -> String {
    let reply = call(Session::sample, &json!({ "crd": crd }));
    let object = reply["object"]
        .as_str()
        .unwrap_or_else(|| panic!("{reply}"));
    assert_eq!(reply["problem"], Value::Null, "{crd}\n{reply}");
    let check = call(Session::check, &json!({ "crd": crd, "new": object }));
    assert_eq!(check["crd"]["errors"], json!([]), "{crd}");
    assert_eq!(check["object"]["errors"], json!([]), "{crd}\n{object}");
    assert_eq!(check["object"]["warnings"], json!([]), "{crd}\n{object}");
    object.to_owned()
}

fn rule(rule: &str) -> Value {
    json!([{ "rule": rule }])
}

/// A schema of the spec, with lines that the object must contain.
type Shape = (&'static str, Value, Vec<&'static str>);

/// Returns shapes of schemas with keywords alone.
fn shapes_without_rules() -> Vec<Shape> {
    let string = json!({"type": "string"});
    let integer = json!({"type": "integer"});
    let members = json!({"a": {"type": "object", "required": ["x"], "properties": {"x": integer}}, "b": string});
    vec![
        (
            "required fields, with defaults, enums and bounds",
            json!({"type": "object", "required": ["a", "b", "c", "d"], "properties": {
                "a": {"type": "integer", "minimum": 5}, "b": {"type": "string", "enum": ["X", "Y"]},
                "c": {"type": "string", "default": "z"}, "d": {"type": "array", "minItems": 2, "maxItems": 3, "x-kubernetes-list-type": "set", "items": string},
            }}),
            vec!["  a: 5", "  b: X", "  c: z"],
        ),
        (
            "patterns, lengths and formats",
            json!({"type": "object", "required": ["a", "b", "c"], "properties": {
                "a": {"type": "string", "pattern": "^[0-9]+(ms|s)$", "minLength": 4},
                "b": {"type": "string", "format": "ipv4"}, "c": {"type": "string", "maxLength": 2, "minLength": 2},
            }}),
            vec!["  b: \"10.0.0.1\"", "  c: ex"],
        ),
        (
            "exactly one member by oneOf",
            json!({"type": "object", "properties": members, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}),
            vec![],
        ),
        (
            "allOf, anyOf and not",
            json!({"type": "object", "properties": {"a": integer, "b": string, "c": string},
                "allOf": [{"required": ["a"]}, {"properties": {"a": {"minimum": 7}}}],
                "anyOf": [{"required": ["b"]}, {"required": ["c"]}], "not": {"required": ["b"]}}),
            vec!["  c:"],
        ),
        (
            "lists by keys, maps and minProperties",
            json!({"type": "object", "required": ["list", "map"], "properties": {
                "list": {"type": "array", "minItems": 2, "maxItems": 9, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
                    "items": {"type": "object", "required": ["name"], "properties": {"name": string}}},
                "map": {"type": "object", "minProperties": 2, "additionalProperties": integer},
            }}),
            vec!["  - name: example", "  - name: example-2", "    example: 1"],
        ),
        (
            "free values, embedded objects and numbers or strings",
            json!({"type": "object", "required": ["a", "b", "c"], "properties": {
                "a": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                "b": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
                "c": {"x-kubernetes-int-or-string": true},
            }}),
            vec!["    kind: ConfigMap", "  c: 1"],
        ),
        (
            "only optional fields",
            json!({"type": "object", "properties": {"a": string, "b": integer}}),
            vec!["  a: example", "  b: 1"],
        ),
    ]
}

/// Returns shapes of schemas with CEL rules.
fn shapes_with_rules() -> Vec<Shape> {
    let string = json!({"type": "string"});
    let integer = json!({"type": "integer"});
    let members = json!({"a": {"type": "object", "required": ["x"], "properties": {"x": integer}}, "b": string});
    vec![
        (
            "a discriminated union by a rule",
            json!({"type": "object", "required": ["type"], "properties": {
                "type": {"type": "string", "enum": ["None", "A", "B"]}, "a": members["a"], "b": members["b"],
            }, "x-kubernetes-validations": [
                {"rule": "(self.type == 'A') == has(self.a)"}, {"rule": "(self.type == 'B') == has(self.b)"},
            ]}),
            vec!["  type: A", "    x: 1"],
        ),
        (
            "exactly one member by a rule",
            json!({"type": "object", "properties": members, "x-kubernetes-validations": rule("[has(self.a), has(self.b)].exists_one(x, x)")}),
            vec![],
        ),
        (
            "literals and functions of rules",
            json!({"type": "object", "required": ["a", "b", "c", "d"], "properties": {
                "a": {"type": "string", "maxLength": 50, "x-kubernetes-validations": rule("self.startsWith('s3://')")},
                "b": {"type": "string", "maxLength": 50, "x-kubernetes-validations": rule("quantity(self).isGreaterThan(quantity('1'))")},
                "c": {"type": "integer", "x-kubernetes-validations": rule("self > 41 && self < 43")},
                "d": {"type": "string", "maxLength": 50, "x-kubernetes-validations": rule("isURL(self)")},
            }}),
            vec!["  a: s3://", "  c: 42"],
        ),
        (
            "a rule of two fields, with its error at one of them",
            json!({"type": "object", "required": ["min", "max"], "properties": {"min": {"type": "integer", "minimum": 3}, "max": integer},
                "x-kubernetes-validations": [{"rule": "self.min < self.max", "fieldPath": ".max"}]}),
            vec!["  min: 3"],
        ),
        (
            "a key that a rule demands",
            json!({"type": "object", "required": ["map"], "properties": {"map": {"type": "object", "maxProperties": 9, "additionalProperties": {"type": "string", "maxLength": 9}}},
                "x-kubernetes-validations": rule("'app' in self.map")}),
            vec!["    app: example"],
        ),
        (
            "an item that a rule demands",
            json!({"type": "object", "required": ["list"], "properties": {"list": {"type": "array", "maxItems": 9, "items": {"type": "string", "maxLength": 9}}},
                "x-kubernetes-validations": rule("self.list.exists(x, x == 'on')")}),
            vec!["  - \"on\""],
        ),
    ]
}

#[test]
fn objects_of_all_shapes_are_accepted() {
    let shapes = shapes_without_rules()
        .into_iter()
        .chain(shapes_with_rules());
    for (shape, schema, lines) in shapes {
        let object = accepted_sample(&crd(&schema));
        for line in lines {
            assert!(
                object.lines().any(|found| found.starts_with(line)),
                "{shape}: no line {line:?} in\n{object}"
            );
        }
    }
}

#[test]
fn a_rule_about_the_name_decides_the_name() {
    let object = accepted_sample(&crd_of(&json!({
        "type": "object", "x-kubernetes-validations": rule("self.metadata.name == 'cluster'"),
    })));
    assert!(object.contains("name: cluster"), "{object}");
}

#[test]
fn an_object_that_cannot_be_valid_is_reported() {
    let schema = json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}, "x-kubernetes-validations": rule("false")});
    let reply = call(Session::sample, &json!({ "crd": crd(&schema) }));
    assert!(
        reply["object"].as_str().unwrap().contains("a: example"),
        "{reply}"
    );
    assert_eq!(reply["errors"].as_array().map(Vec::len), Some(1));
    let problem = reply["problem"].as_str().unwrap();
    assert!(
        problem.starts_with("no valid object was found"),
        "{problem}"
    );
    for (crd, problem) in [
        ("", "the CRD is empty or invalid"),
        ("a: [", "the CRD is empty or invalid"),
    ] {
        let reply = call(Session::sample, &json!({ "crd": crd }));
        assert_eq!(
            (&reply["object"], &reply["problem"]),
            (&Value::Null, &json!(problem))
        );
    }
}

#[test]
fn served_versions_can_be_chosen() {
    let mut document: Value = serde_json::from_str(&crd(&json!({"type": "object"}))).unwrap();
    let version = |name: &str, is_served: bool, is_stored: bool| json!({"name": name, "served": is_served, "storage": is_stored, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object"}}}}});
    document["spec"]["versions"] = json!([
        version("v1alpha1", true, false),
        version("v1beta1", false, false),
        version("v1", true, true),
    ]);
    let crd = document.to_string();
    let check = call(Session::check, &json!({ "crd": crd }));
    assert_eq!(
        check["crd"]["samples"],
        json!(["Thing v1", "Thing v1alpha1"])
    );
    for (index, api_version) in [(0, "example.com/v1\n"), (1, "example.com/v1alpha1\n")] {
        let reply = call(Session::sample, &json!({ "crd": crd, "sample": index }));
        let object = reply["object"].as_str().unwrap();
        assert!(object.contains(api_version), "{object}");
    }
    let reply = call(Session::sample, &json!({ "crd": crd, "sample": 2 }));
    assert_eq!(reply["problem"], "the CRD has no served version");
    // A version that is not served is reported at its line.
    let object = "kind: Thing\nmetadata: {name: a}\napiVersion: example.com/v1beta1\n";
    let check = call(Session::check, &json!({ "crd": crd, "new": object }));
    let problem = &check["problems"][0];
    assert_eq!(
        (&problem["editor"], &problem["line"]),
        (&json!("new"), &json!(3))
    );
    assert_eq!(
        problem["text"],
        "the version \"v1beta1\" of Thing is not served; use `example.com/v1alpha1` or `example.com/v1`"
    );
    assert_eq!(check["crd"]["accepted"], true);
}

#[test]
fn several_crds_are_named_in_a_message() {
    let one = crd(&json!({"type": "object"}));
    let others: Vec<String> = ["A", "B", "C", "D"]
        .iter()
        .map(|kind| one.replace("Thing", kind))
        .collect();
    for (count, expected) in [
        (1, "the CRD defines A of example.com"),
        (2, "the CRDs define A of example.com, B of example.com"),
        (
            4,
            "the CRDs define A of example.com, B of example.com, C of example.com and 1 other",
        ),
    ] {
        let crds = others[..count].join("\n---\n");
        let object = "apiVersion: v1\nkind: Pod\n";
        let reply = call(Session::check, &json!({ "crd": crds, "new": object }));
        let text = format!("the object is a Pod of the core group, but {expected}");
        assert_eq!(reply["problems"][0]["text"], json!(text));
    }
    let reply = call(
        Session::check,
        &json!({ "crd": others.join("\n---\n"), "new": "spec: {}" }),
    );
    assert_eq!(
        reply["problems"][0]["text"],
        "the object needs `apiVersion` and `kind`, because there are several CRDs"
    );
}
