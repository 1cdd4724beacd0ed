//! Tests of the generated policies and bindings, and of the limitations that the crate reports.

use serde_json::{Value, json};
use union_policy::{KubeVersion, Settings, mutating_policies, validating_policies};

use crate::native::crd;

/// Returns a union by `type` without rules. Only the names of the values and fields show the union.
fn schema_without_union() -> Value {
    json!({"type": "object", "properties": {
        "type": {"type": "string", "enum": ["Git", "S3", "None"]},
        "git": {"type": "object"},
        "s3": {"type": "object"},
    }})
}

fn schema_with_union() -> Value {
    let mut schema = schema_without_union();
    schema["properties"]["type"]["x-kubernetes-unions"] =
        json!({"fieldMembers": {"Git": {"name": "git"}, "S3": {"name": "s3"}, "None": null}});
    schema
}

fn settings_for(version: u16) -> Settings {
    Settings::default().version(KubeVersion::from_minor(version).expect("a known version"))
}

#[test]
fn a_policy_matches_one_version_and_its_status() {
    let mut crd = crd(
        &json!({"type": "object", "properties": {"spec": schema_with_union(), "status": schema_with_union()}}),
    );
    let versions = crd["spec"]["versions"].as_array_mut().expect("versions");
    let mut second_version = versions[0].clone();
    second_version["name"] = "v2".into();
    second_version["subresources"] = json!({});
    let mut unserved_version = versions[0].clone();
    unserved_version["name"] = "v3".into();
    unserved_version["served"] = false.into();
    versions.extend([second_version, unserved_version]);
    let policies = mutating_policies(&crd, &Settings::default())
        .expect("policies")
        .objects;
    let kinds: Vec<&Value> = policies.iter().map(|object| &object["kind"]).collect();
    let kinds_of_version = ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"];
    assert_eq!(kinds, [kinds_of_version, kinds_of_version].concat());
    let rules: Vec<&Value> = policies
        .iter()
        .step_by(2)
        .map(|policy| &policy["spec"]["matchConstraints"]["resourceRules"][0])
        .collect();
    let rule = |version: &str, resources: &[&str]| json!({"apiGroups": ["example.com"], "apiVersions": [version], "operations": ["UPDATE"], "resources": resources});
    assert_eq!(*rules[0], rule("v1", &["samples", "samples/status"]));
    assert_eq!(*rules[1], rule("v2", &["samples"]));
    let validating_objects = validating_policies(&crd, &Settings::default())
        .expect("policies")
        .objects;
    assert_eq!(
        validating_objects[0]["spec"]["matchConstraints"]["resourceRules"][0]["operations"],
        json!(["CREATE", "UPDATE"])
    );
    assert_eq!(
        validating_objects[1]["spec"]["validationActions"],
        json!(["Deny"])
    );
}

#[test]
fn versions_without_the_policy_types_are_rejected() {
    let crd = crd(&schema_with_union());
    for (version, expected) in [
        (36, "admissionregistration.k8s.io/v1"),
        (34, "admissionregistration.k8s.io/v1beta1"),
    ] {
        let policies = mutating_policies(&crd, &settings_for(version)).expect("policies");
        assert_eq!(policies.objects[0]["apiVersion"], expected);
        assert_eq!(policies.objects[1]["apiVersion"], expected);
    }
    let error = mutating_policies(&crd, &settings_for(33))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("Kubernetes 1.33 does not support MutatingAdmissionPolicy"),
        "{error}"
    );
    assert!(validating_policies(&crd, &settings_for(30)).is_ok());
    let error = validating_policies(&crd, &settings_for(29))
        .unwrap_err()
        .to_string();
    assert!(error.contains("choose 1.30 or later"), "{error}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of limitations")]
fn unsupported_and_too_costly_unions_are_limitations() {
    let crd_with_list = crd(
        &json!({"type": "object", "properties": {"targets": {"type": "array", "items": schema_with_union()}}}),
    );
    let policies = mutating_policies(&crd_with_list, &Settings::default()).expect("policies");
    assert!(policies.objects.is_empty());
    let limitations: Vec<String> = policies
        .limitations
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        limitations,
        [
            "targets[*]: the union by \"type\" is inside a list without keys, whose elements cannot be compared with the old object, so a switch to another member is not detected; use a list of type map"
        ]
    );
    let policies = validating_policies(&crd_with_list, &settings_for(34)).expect("policies");
    assert!(policies.objects.is_empty());
    assert_eq!(policies.limitations[0].path, "targets[*]");
    assert!(
        policies.limitations[0]
            .message
            .contains("choose 1.35 or later"),
        "{}",
        policies.limitations[0]
    );
    let policies = validating_policies(&crd_with_list, &settings_for(35)).expect("policies");
    let limitations: Vec<String> = policies
        .limitations
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(limitations.len(), 1, "{limitations:?}");
    assert!(
        limitations[0].starts_with("targets[*]: the CEL cost limit is enough for "),
        "{limitations:?}"
    );
    let mut crd_with_bounded_list = crd_with_list.clone();
    crd_with_bounded_list["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["targets"]
        ["maxItems"] = 100.into();
    let policies =
        validating_policies(&crd_with_bounded_list, &settings_for(35)).expect("policies");
    assert!(
        policies.limitations.is_empty(),
        "{:?}",
        policies.limitations
    );

    let mut large_schema = schema_with_union();
    for number in 0..60 {
        let (value, name) = (
            format!("V{number}"),
            format!("{}{number}", "n".repeat(2000)),
        );
        large_schema["properties"]["type"]["enum"]
            .as_array_mut()
            .expect("values")
            .push(json!(value));
        large_schema["properties"]["type"]["x-kubernetes-unions"]["fieldMembers"][value] =
            json!({"name": name});
        large_schema["properties"][&name] = json!({"type": "object"});
    }
    let policies = mutating_policies(&crd(&large_schema), &Settings::default()).expect("policies");
    assert!(policies.objects.is_empty());
    assert!(
        policies.limitations[0]
            .message
            .contains("and API servers accept at most 100000"),
        "{}",
        policies.limitations[0]
    );
}

/// A test on a real server checks the limit for a list of the same form: `long_list` of
/// `tests/cluster`.
#[test]
fn a_limitation_states_the_number_of_elements_within_the_cost_limit() {
    let element = json!({"type": "object", "required": ["name", "type"], "properties": {
        "name": {"type": "string"},
        "type": {"type": "string", "enum": ["A", "B"], "x-kubernetes-unions": {"fieldMembers": {"A": {"name": "a"}, "B": {"name": "b"}}}},
        "a": {"type": "integer"},
        "b": {"type": "integer"},
    }});
    let limitations = |bound: u64| {
        let spec = json!({"type": "object", "properties": {"items": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "maxItems": bound, "items": element,
        }}});
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        let policies = mutating_policies(&crd(&schema), &Settings::default()).expect("policies");
        policies
            .limitations
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        limitations(257),
        [
            "spec.items[*]: the CEL cost limit is enough for 4672 elements that all switch, or for 256 in another order; requests with more are rejected. Set `maxItems` or `maxProperties`, or use a webhook"
        ]
    );
    assert!(limitations(256).is_empty());
}

#[test]
fn undeclared_unions_are_inferred_from_rules_and_by_convention_from_names() {
    let schema_with_rule = json!({"type": "object", "properties": {"source": {
        "type": "object",
        "properties": {"git": {"type": "string"}, "bucket": {"type": "string"}},
        "x-kubernetes-validations": [{"rule": "!(has(self.git) && has(self.bucket))"}],
    }}});
    let policies =
        mutating_policies(&crd(&schema_with_rule), &Settings::default()).expect("policies");
    let patch = policies.objects[0]["spec"]["mutations"][0]["jsonPatch"]["expression"]
        .as_str()
        .expect("a text");
    assert!(
        patch.contains("['git', 'bucket']") || patch.contains("['bucket', 'git']"),
        "{patch}"
    );

    let crd_without_rule = crd(&schema_without_union());
    assert!(
        mutating_policies(&crd_without_rule, &Settings::default())
            .expect("policies")
            .objects
            .is_empty()
    );
    let settings = Settings::default().by_convention(true);
    assert_eq!(
        mutating_policies(&crd_without_rule, &settings)
            .expect("policies")
            .objects
            .len(),
        2
    );
    assert_eq!(
        validating_policies(&crd_without_rule, &settings)
            .expect("policies")
            .objects
            .len(),
        2
    );
}

#[test]
fn a_name_that_is_too_long_is_an_error() {
    let mut crd_with_long_group = crd(&schema_with_union());
    crd_with_long_group["spec"]["group"] = "g".repeat(240).into();
    for result in [
        mutating_policies(&crd_with_long_group, &Settings::default()),
        validating_policies(&crd_with_long_group, &Settings::default()),
    ] {
        let error = result.unwrap_err().to_string();
        assert!(error.contains("is longer than 253 characters"), "{error}");
    }
}

#[test]
fn values_that_are_not_crds_are_errors() {
    for (crd, expected) in [
        (json!({}), "does not have a string at /spec/group"),
        (
            json!({"spec": {"group": "example.com"}}),
            "does not have a string at /spec/names/plural",
        ),
        (
            json!({"spec": {
                "group": "example.com", "names": {"plural": "things"},
                "versions": [{"served": false}, {"served": true}],
            }}),
            "does not have a string at /spec/versions/1/name",
        ),
        (
            crd(&json!({"properties": {"type": {"x-kubernetes-unions": 5}}})),
            "/spec/versions/0/schema",
        ),
    ] {
        let error = mutating_policies(&crd, &Settings::default())
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    }
}
