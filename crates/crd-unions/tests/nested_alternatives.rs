//! Findings for alternatives of a nested object that a branch of the object above names.

use crd_unions::{Confidence, Finding, FindingCode};
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};

fn findings(schema: &Value) -> Vec<Finding> {
    let findings = crd_unions::analyze_object(schema).findings.into_iter();
    findings
        .filter(|finding| finding.code == FindingCode::NestedNotExclusive)
        .collect()
}

fn is_accepted(schema: &Value, object: &Value) -> bool {
    let root = json!({"type": "object", "properties": {"spec": schema}});
    let compiled = StructuralSchema::compile(&root).expect("a schema");
    compiled
        .create(&mut json!({"spec": object}), &ServerSettings::default())
        .is_accepted()
}

fn alternatives(keyword: Value) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {
            "simple": {"type": "string"},
            "hash": {
                "type": "object",
                "properties": {
                    "cookie": {"type": "string"},
                    "header": {"type": "string"},
                    "ring": {"type": "object", "properties": {
                        "large": {"type": "string"},
                        "small": {"type": "string"},
                    }},
                },
            },
        },
    });
    schema["oneOf"] = keyword;
    schema
}

fn one_of(names: &[&str]) -> Value {
    let branches = names.iter().map(|name| json!({"required": [name]}));
    branches.collect()
}

#[test]
fn a_one_of_in_a_branch_does_not_exclude() {
    let none = |names: &[&str]| {
        let branches: Vec<Value> = names
            .iter()
            .map(|name| json!({"required": [name]}))
            .collect();
        json!({"not": {"anyOf": branches}})
    };
    let hash = json!({"oneOf": [
        none(&["header", "cookie"]),
        {"required": ["header"]},
        {"required": ["cookie"]},
    ]});
    let branch = json!({"required": ["hash"], "properties": {"hash": hash}});
    // With the branch for none, both fields can be set without another field.
    let schema = alternatives(json!([
        {"not": {"anyOf": [{"required": ["simple"]}, branch]}},
        {"required": ["simple"]},
        branch,
    ]));
    let findings_of_schema = findings(&schema);
    let [finding] = &*findings_of_schema else {
        panic!("{findings_of_schema:?}");
    };
    let object = json!({"hash": {"cookie": "x", "header": "x"}});
    assert_eq!(finding.object, Some(object.clone()));
    assert_eq!(finding.confidence, Confidence::Strong);
    assert!(finding.accepted && is_accepted(&schema, &object));
    assert!(
        finding
            .remedy
            .starts_with("move the keyword into the schema of `hash`: \"oneOf\": [")
    );

    // The remedy: the keyword is in the schema of the nested object.
    let mut repaired = alternatives(json!([
        none(&["simple", "hash"]),
        {"required": ["simple"]},
        {"required": ["hash"]},
    ]));
    repaired["properties"]["hash"]["oneOf"] = hash["oneOf"].clone();
    assert!(!is_accepted(&repaired, &object));
    assert_eq!(findings(&repaired), []);

    // Without this branch, the object needs the other alternative.
    let schema = alternatives(json!([{"required": ["simple"]}, branch]));
    let findings = findings(&schema);
    let object = json!({"simple": "x", "hash": {"cookie": "x", "header": "x"}});
    assert_eq!(findings[0].object, Some(object.clone()));
    assert!(is_accepted(&schema, &object));
}

/// Other keywords in branches, and deeper objects.
#[test]
fn other_branches_do_not_exclude() {
    let pair = json!({"not": {"required": ["header", "cookie"]}});
    let deep = json!({"properties": {"ring": {"oneOf": one_of(&["small", "large"])}}});
    for (hash, fields) in [
        (pair, ["hash.header", "hash.cookie"]),
        (deep, ["hash.ring.small", "hash.ring.large"]),
    ] {
        let schema = alternatives(json!([
            {"required": ["simple"]},
            {"required": ["hash"], "properties": {"hash": hash}},
        ]));
        let findings = findings(&schema);
        let [finding] = &*findings else {
            panic!("{schema}\n{findings:?}");
        };
        assert_eq!(finding.fields, fields);
        assert!(is_accepted(
            &schema,
            finding.object.as_ref().expect("an example")
        ));
    }
}

/// The branches exclude the alternatives, or the nested object has a rule of its own.
#[test]
fn enforced_alternatives_are_not_findings() {
    let hash = json!({"required": ["hash"], "properties": {"hash": {
        "oneOf": one_of(&["header", "cookie"]),
    }}});
    let enforced = alternatives(json!([{"not": {"required": ["hash"]}}, hash]));
    assert!(!is_accepted(
        &enforced,
        &json!({"hash": {"cookie": "x", "header": "x"}})
    ));
    assert_eq!(findings(&enforced), []);
    let keywords = [
        json!({"oneOf": one_of(&["header", "cookie"])}),
        json!({"not": {"required": ["cookie", "header"]}}),
        json!({"x-kubernetes-validations": [{"rule": "!has(self.header) || !has(self.cookie)"}]}),
        json!({"maxProperties": 1}),
    ];
    for keyword in &keywords {
        let mut schema = alternatives(json!([{"required": ["simple"]}, hash]));
        crate::findings::cases::merge(&mut schema["properties"]["hash"], keyword);
        assert_eq!(findings(&schema), [], "{schema}");
    }
}
