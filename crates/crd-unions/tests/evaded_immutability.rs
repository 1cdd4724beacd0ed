//! Findings for immutable values that updates remove and set anew: a table of rules and places,
//! compared with the validation of an API server.

use crd_unions::{Confidence, Finding, FindingCode};
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};

/// Returns the findings of all objects of a schema, each with the path of its object.
fn findings(schema: &Value) -> Vec<(String, Finding)> {
    let mut findings = Vec::new();
    for object in crd_unions::analyze_schema(schema) {
        for finding in object.analysis.findings {
            if finding.code == FindingCode::ImmutabilityEvaded {
                findings.push((object.path.clone(), finding));
            }
        }
    }
    findings
}

fn rules(rules: &[&str]) -> Value {
    let rules = rules.iter().map(|rule| json!({"rule": rule}));
    rules.collect()
}

/// Returns an object schema with these properties and rules.
fn object(properties: Value, required: &[&str], expressions: &[&str]) -> Value {
    let mut schema = json!({"type": "object", "required": required});
    schema["properties"] = properties;
    if !expressions.is_empty() {
        schema["x-kubernetes-validations"] = rules(expressions);
    }
    schema
}

/// Returns a schema with a rule that keeps the value unchanged.
fn immutable(mut schema: Value) -> Value {
    schema["x-kubernetes-validations"] = rules(&["self == oldSelf"]);
    schema
}

fn string() -> Value {
    json!({"type": "string"})
}

/// Returns true if a server accepts the update of an object to another.
fn accepts_update(schema: &Value, old: &Value, new: &Value) -> bool {
    let root = json!({"type": "object", "properties": {"spec": schema}});
    // The costs of rules do not matter here.
    let compiled = StructuralSchema::compiler().stored().schema(&root);
    let compiled = compiled.unwrap_or_else(|errors| panic!("{errors}\n{schema}"));
    let [old, mut new] = [old, new].map(|spec| {
        json!({
            "apiVersion": "example.com/v1",
            "kind": "Example",
            "metadata": {"name": "example", "resourceVersion": "1"},
            "spec": spec,
        })
    });
    compiled
        .update(&mut new, &old, &ServerSettings::default())
        .is_accepted()
}

/// Asserts that the server accepts the two updates of a finding about the root object, and rejects
/// the direct update. With the remedy at `remedy_place`, the server rejects one of the two.
#[track_caller]
fn assert_evaded(schema: &Value, finding: &Finding, remedy_place: &str) {
    let [first, between, second] = &*finding.updates else {
        panic!("{}", json!(finding));
    };
    assert!(accepts_update(schema, first, between), "{}", json!(finding));
    assert!(
        accepts_update(schema, between, second),
        "{}",
        json!(finding)
    );
    assert!(!accepts_update(schema, first, second), "{}", json!(finding));

    let mut repaired = schema.clone();
    let place = repaired.pointer_mut(remedy_place).expect("a schema");
    let mut expressions = place["x-kubernetes-validations"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    expressions.push(json!({"rule": finding.remedy}));
    place["x-kubernetes-validations"] = expressions.into();
    let accepts_both =
        accepts_update(&repaired, first, between) && accepts_update(&repaired, between, second);
    assert!(!accepts_both, "{}", json!(finding));
    let remaining = self::findings(&repaired);
    let is_same = |(_, other): &&(String, Finding)| other.fields == finding.fields;
    assert_eq!(remaining.iter().find(is_same), None, "{repaired}");
}

/// The schemas of optional fields that a rule keeps unchanged.
fn immutable_fields() -> Vec<Value> {
    let items = object(json!({"n": string(), "v": string()}), &["n", "v"], &[]);
    vec![
        immutable(string()),
        immutable(json!({"type": "string", "enum": ["A", "B"]})),
        immutable(json!({"type": "string", "format": "date-time"})),
        immutable(json!({"type": "integer"})),
        immutable(json!({"type": "integer", "maximum": 1})),
        immutable(json!({"type": "number"})),
        immutable(json!({"type": "boolean"})),
        immutable(json!({"x-kubernetes-int-or-string": true})),
        immutable(json!({"type": "array", "maxItems": 4, "items": string()})),
        immutable(json!({"type": "array", "maxItems": 4, "items": items})),
        immutable(json!({"type": "object", "additionalProperties": string()})),
        immutable(object(json!({"x": string(), "y": string()}), &[], &[])),
        // The rule has another form.
        json!({"type": "string", "x-kubernetes-validations": rules(&["oldSelf == self"])}),
        json!({"type": "string", "x-kubernetes-validations": rules(&["!(self != oldSelf)"])}),
        json!({
            "type": "string",
            "x-kubernetes-validations": rules(&["oldSelf == '' || self == oldSelf"]),
        }),
        json!({
            "type": "string",
            "x-kubernetes-validations": [{
                "rule": "oldSelf.hasValue() ? self == oldSelf.value() : true",
                "optionalOldSelf": true,
            }],
        }),
        // The rule about a part of the field.
        object(json!({"x": string()}), &["x"], &["self.x == oldSelf.x"]),
        object(json!({"x": immutable(string())}), &["x"], &[]),
    ]
}

#[test]
fn an_optional_field_evades_its_rule() {
    for field in immutable_fields() {
        let schema = object(json!({"a": field, "other": string()}), &["other"], &[]);
        let findings = findings(&schema);
        let [(path, finding)] = &*findings else {
            panic!("{schema}\n{findings:?}");
        };
        assert_eq!(
            (&**path, finding.confidence),
            ("", Confidence::Strong),
            "{schema}"
        );
        assert_eq!(finding.fields[0], "a");
        assert_eq!(finding.remedy, "!has(oldSelf.a) || has(self.a)");
        assert_evaded(&schema, finding, "");
    }
}

/// The field cannot be removed, or a rule forbids the removal.
#[test]
fn other_fields_do_not_evade_their_rule() {
    let optional = json!({"a": immutable(string()), "b": string()});
    let with_default = json!({"a": immutable(json!({"type": "string", "default": "x"}))});
    let with_one_value = json!({"a": immutable(json!({"type": "string", "enum": ["A"]}))});
    let plain = json!({"a": string(), "b": string()});
    let growing = json!({"a": {
        "type": "integer",
        "x-kubernetes-validations": rules(&["self >= oldSelf"]),
    }});
    let mut required_by_keyword = object(optional.clone(), &[], &[]);
    required_by_keyword["anyOf"] = json!([{"required": ["a"]}]);
    let schemas = [
        object(optional.clone(), &["a"], &[]),
        object(with_default, &[], &[]),
        object(with_one_value, &[], &[]),
        object(growing, &[], &[]),
        object(optional.clone(), &[], &["!has(oldSelf.a) || has(self.a)"]),
        object(optional.clone(), &[], &["has(self.a) == has(oldSelf.a)"]),
        object(optional.clone(), &[], &["self == oldSelf"]),
        object(optional, &[], &["has(self.a)"]),
        required_by_keyword,
        object(plain.clone(), &[], &["self.a == oldSelf.a"]),
        object(
            plain.clone(),
            &[],
            &["!has(oldSelf.a) || self.a == oldSelf.a"],
        ),
        object(
            plain.clone(),
            &[],
            &["!has(oldSelf.a) || has(self.a) && self.a == oldSelf.a"],
        ),
        object(plain, &[], &["self.?a == oldSelf.?a"]),
    ];
    for schema in schemas {
        assert_eq!(findings(&schema), [], "{schema}");
    }
}

/// A rule that permits the removal explicitly may be meant so.
#[test]
fn a_rule_may_permit_the_removal() {
    for rule in [
        "!has(oldSelf.a) || !has(self.a) || self.a == oldSelf.a",
        "has(self.a) && has(oldSelf.a) ? self.a == oldSelf.a : true",
    ] {
        let schema = object(json!({"a": string()}), &[], &[rule]);
        let findings = findings(&schema);
        let [(_, finding)] = &*findings else {
            panic!("{schema}\n{findings:?}");
        };
        assert_eq!(finding.confidence, Confidence::Weak);
        assert_evaded(&schema, finding, "");
    }
}

#[test]
fn an_optional_parent_evades_the_rule() {
    let parent = object(json!({"a": immutable(string())}), &["a"], &[]);
    let schema = object(json!({"p": parent}), &[], &[]);
    let findings_of_parent = findings(&schema);
    let [(_, finding)] = &*findings_of_parent else {
        panic!("{findings_of_parent:?}");
    };
    assert_eq!(finding.fields, ["p", "p.a"]);
    assert_eq!(finding.confidence, Confidence::Strong);
    assert_evaded(&schema, finding, "");

    // The removal of the field is smaller than the removal of the parent.
    let parent = object(json!({"a": immutable(string())}), &[], &[]);
    let schema = object(json!({"p": parent}), &[], &[]);
    let confidences: Vec<(String, Confidence)> = findings(&schema)
        .into_iter()
        .map(|(path, finding)| (path, finding.confidence))
        .collect();
    assert_eq!(
        confidences,
        [
            (String::new(), Confidence::Weak),
            ("p".to_owned(), Confidence::Strong)
        ]
    );
}

/// The spec and the status of an object are optional in many CRDs, and no client removes them.
#[test]
fn the_whole_spec_is_a_weak_finding() {
    let spec = object(json!({"a": immutable(string())}), &["a"], &[]);
    let schema = object(json!({"spec": spec}), &[], &[]);
    let findings = findings(&schema);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].1.confidence, Confidence::Weak);
}

#[test]
fn entries_of_lists_and_maps_evade_the_rule() {
    let map = |expressions: &[&str]| {
        let mut map = json!({"type": "object", "additionalProperties": immutable(string())});
        map["x-kubernetes-validations"] = rules(expressions);
        map
    };
    let item = object(
        json!({"n": string(), "v": immutable(string())}),
        &["n", "v"],
        &[],
    );
    let list = json!({
        "type": "array", "maxItems": 4, "items": item,
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"],
    });
    let atomic = json!({
        "type": "array", "maxItems": 4,
        "items": object(json!({"n": string(), "v": string()}), &["n", "v"], &[]),
        "x-kubernetes-validations":
            rules(&["self.all(x, oldSelf.filter(y, y.n == x.n).all(y, y.v == x.v))"]),
    });
    for (field, remedy) in [
        (map(&[]), "oldSelf.all(key, key in self)"),
        (
            list.clone(),
            "oldSelf.all(old, self.exists(new, new.n == old.n))",
        ),
        (atomic, "oldSelf.all(old, old in self)"),
    ] {
        let schema = object(json!({"a": field}), &["a"], &[]);
        let findings = findings(&schema);
        let [(_, finding)] = &*findings else {
            panic!("{schema}\n{findings:?}");
        };
        assert_eq!(finding.confidence, Confidence::Weak);
        assert_eq!(finding.remedy, remedy);
        assert_evaded(&schema, finding, "/properties/a");
    }
    // The entries stay.
    let kept_map = map(&["oldSelf.all(key, key in self)"]);
    let mut kept_list = list;
    kept_list["x-kubernetes-validations"] =
        rules(&["oldSelf.all(old, self.exists(new, new.n == old.n))"]);
    let appended = json!({
        "type": "array", "maxItems": 4, "items": string(),
        "x-kubernetes-validations": rules(&["oldSelf.all(old, old in self)"]),
    });
    for field in [kept_map, kept_list, appended] {
        let schema = object(json!({"a": field}), &["a"], &[]);
        assert_eq!(findings(&schema), [], "{schema}");
    }
}

/// An update may remove a member of a union by selecting another member.
#[test]
fn a_switch_of_a_union_evades_the_rule() {
    let by_type = json!({"type": {"type": "string", "enum": ["A", "B"]}, "a": immutable(string())});
    let rule = "self.type == 'A' ? has(self.a) : !has(self.a)";
    let schemas = [
        object(by_type.clone(), &["type"], &[rule]),
        object(
            json!({"a": immutable(string()), "b": string()}),
            &[],
            &["has(self.a) != has(self.b)"],
        ),
    ];
    for schema in schemas {
        let findings = findings(&schema);
        let [(_, finding)] = &*findings else {
            panic!("{schema}\n{findings:?}");
        };
        assert_eq!(finding.confidence, Confidence::Weak);
        assert_evaded(&schema, finding, "");
    }
    // The discriminator is immutable too.
    let mut properties = by_type;
    properties["type"] = immutable(properties["type"].take());
    let schema = object(properties, &["type"], &[rule]);
    assert_eq!(findings(&schema), []);
}

/// A null is an absent value for rules.
#[test]
fn a_null_evades_the_rule() {
    let field = immutable(json!({"type": "string", "nullable": true}));
    let schema = object(json!({"a": field}), &["a"], &[]);
    let findings = findings(&schema);
    assert_eq!(findings.len(), 1);
    assert_evaded(&schema, &findings[0].1, "");
}

/// The number of rules and the sizes of their types are bounded.
#[test]
fn large_schemas_are_examined_within_bounds() {
    let fields = (0..800).map(|index| (format!("field{index}"), immutable(string())));
    let properties: serde_json::Map<String, Value> = fields.collect();
    let names: Vec<String> = properties.keys().cloned().collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let expressions: Vec<String> = names
        .iter()
        .map(|name| format!("self.{name} == oldSelf.{name}"))
        .collect();
    let expressions: Vec<&str> = expressions.iter().map(String::as_str).collect();
    let schema = object(properties.into(), &names, &expressions);
    let nested = object(json!({"inner": schema}), &[], &[]);
    assert!(findings(&nested).len() <= 1);
}
