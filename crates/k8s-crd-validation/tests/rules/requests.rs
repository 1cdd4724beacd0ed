//! Rules in the flow of requests: ratcheting, messages, reasons, costs, the limits of a schema.

use k8s_crd_validation::{KubeVersion, ServerSettings, StructuralSchema};
use serde_json::{Value, json};

use crate::{compile_errors, create, error_messages, schema, update, with_rule};

fn text() -> Value {
    json!({"type": "string", "maxLength": 100})
}

#[test]
fn a_rule_that_an_unchanged_value_breaks_is_a_warning() {
    let schema = with_rule(&json!({"a": text()}), "self.a.size() > 3");
    let outcome = update(&schema, &json!({"a": "x"}), &json!({"a": "x"}));
    assert!(outcome.is_accepted());
    assert_eq!(
        outcome.warnings(),
        ["spec: Invalid value: failed rule: self.a.size() > 3"]
    );
    assert!(!update(&schema, &json!({"a": "x"}), &json!({"a": "y"})).is_accepted());
    assert!(!create(&schema, &json!({"a": "x"})).is_accepted());
}

#[test]
fn transition_rules_are_never_tolerated() {
    let rules = json!([{"rule": "self.a.size() > 3"}, {"rule": "self.a != oldSelf.a"}]);
    let schema = schema(&json!({"a": text()}), &rules);
    let outcome = update(&schema, &json!({"a": "x"}), &json!({"a": "x"}));
    assert_eq!(
        error_messages(&outcome),
        ["spec: Invalid value: failed rule: self.a != oldSelf.a"]
    );
    assert_eq!(
        outcome.warnings(),
        ["spec: Invalid value: failed rule: self.a.size() > 3"]
    );
    // Without an old value they do not run.
    assert_eq!(
        error_messages(&create(&schema, &json!({"a": "long enough"}))),
        [""; 0]
    );
}

#[test]
fn what_is_said_of_a_rule_comes_from_its_texts() {
    let failing = |rule: Value| {
        let mut rule = rule;
        rule["rule"] = json!("self.a == 'never'");
        error_messages(&create(
            &schema(&json!({"a": text()}), &json!([rule])),
            &json!({"a": "x"}),
        ))
    };
    let cases = [
        (json!({"message": " no "}), "spec: Invalid value: no"),
        (
            json!({"messageExpression": "'not ' + self.a", "message": "no"}),
            "spec: Invalid value: not x",
        ),
        (
            json!({"messageExpression": "' '", "message": "no"}),
            "spec: Invalid value: no",
        ),
        (json!({"messageExpression": "self.a[?0].orValue('z')"}), ""),
        (
            json!({"message": "no", "reason": "FieldValueRequired"}),
            "spec: Required value: no",
        ),
        (
            json!({"message": "no", "reason": "FieldValueForbidden"}),
            "spec: Forbidden: no",
        ),
        (
            json!({"message": "no", "reason": "FieldValueDuplicate"}),
            "spec: Duplicate value",
        ),
        (
            json!({"message": "no", "fieldPath": ".a"}),
            "spec.a: Invalid value: no",
        ),
    ];
    for (rule, wanted) in cases {
        if wanted.is_empty() {
            let mut rule = rule;
            rule["rule"] = json!("true");
            let found = compile_errors(&json!({"a": text()}), &json!([rule]));
            assert!(
                found[0].contains("messageExpression compilation failed"),
                "{found:?}"
            );
            continue;
        }
        assert_eq!(failing(rule), [wanted]);
    }
}

#[test]
fn scalars_are_shown_from_0_35_on() {
    let properties = json!({"a": {"type": "string", "maxLength": 9, "x-kubernetes-validations": [{"rule": "self == 'x'"}]}});
    let schema = schema(&properties, &json!([]));
    let judged = |settings: &ServerSettings| {
        error_messages(&schema.create(&mut json!({"spec": {"a": "y"}}), settings))
    };
    let settings = ServerSettings::default();
    assert_eq!(
        judged(&settings),
        ["spec.a: Invalid value: \"y\": failed rule: self == 'x'"]
    );
    let settings = settings.version(KubeVersion::from_minor(34).unwrap());
    assert_eq!(
        judged(&settings),
        ["spec.a: Invalid value: \"string\": failed rule: self == 'x'"]
    );
}

#[test]
fn an_error_of_a_rule_is_an_error_even_where_nothing_changed() {
    let schema = with_rule(&json!({"n": {"type": "integer"}}), "1 / self.n > 3");
    let outcome = update(&schema, &json!({"n": 0}), &json!({"n": 0}));
    assert_eq!(
        error_messages(&outcome),
        ["spec: Invalid value: \"object\": division by zero evaluating rule: 1 / self.n > 3"]
    );
}

#[test]
fn an_expensive_rule_stops_all_rules() {
    let properties = json!({"l": {"type": "array", "items": {"type": "integer"}}});
    let rules = json!([
        {"rule": "self.l.all(x, self.l.all(y, self.l.all(z, x + y + z >= 0)))"},
        {"rule": "false"},
    ]);
    // A server continues to use a stored schema, even if its rules are too expensive.
    let crd = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [{"name": "v1", "schema": {"openAPIV3Schema":
        {"type": "object", "properties": {"spec": {"type": "object", "properties": properties, "x-kubernetes-validations": rules}}},
    }}]}});
    let schema = k8s_crd_validation::StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .expect("a schema");
    let mut object = json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n", "namespace": "n"},
        "spec": {"l": (0..300).collect::<Vec<i32>>()}});
    let outcome = schema.create(&mut object, &ServerSettings::default());
    assert_eq!(
        error_messages(&outcome),
        [
            "spec: Invalid value: \"object\": 'operation cancelled: actual cost limit exceeded': no further validation rules \
          will be run due to call cost exceeds limit for rule: \
          self.l.all(x, self.l.all(y, self.l.all(z, x + y + z >= 0)))"
        ]
    );
}

#[test]
fn a_schema_may_not_cost_too_much() {
    let list = |count: i32| {
        json!({"a": {"type": "array", "items": text(), "maxItems": count,
        "x-kubernetes-validations": [{"rule": "self.all(x, self.exists_one(y, x == y))"}]}})
    };
    assert_eq!(compile_errors(&list(100), &json!([])), [""; 0]);
    let found = compile_errors(&list(2000), &json!([]));
    assert!(
        found[0].contains("estimated rule cost exceeds budget by factor of"),
        "{found:?}"
    );
}

#[test]
fn defaults_meet_the_rules() {
    let rules = json!([{"rule": "self.size() > 3", "message": "short"}]);
    let with_default = |default: &str| {
        let property = json!({"type": "string", "maxLength": 9, "default": default, "x-kubernetes-validations": rules});
        compile_errors(&json!({"a": property}), &json!([]))
    };
    assert_eq!(with_default("long"), [""; 0]);
    assert_eq!(
        with_default("x"),
        [
            "spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: \"x\": short"
        ]
    );
}

#[test]
fn where_a_server_breaks_down_it_says_so_once() {
    for (rule, said) in [
        (
            "self.l.all(x, dyn([1]).flatten(dyn('a')) == [])",
            "interface conversion: ref.Val is types.String, not types.Int",
        ),
        (
            "self.l.all(x, dyn(x).distinct() == [])",
            "interface conversion: types.Int is not traits.Lister: missing method Contains",
        ),
    ] {
        let schema = json!({"type": "object", "properties": {"spec": {
            "type": "object",
            "properties": {"l": {"type": "array", "items": {"type": "integer"}}},
            "x-kubernetes-validations": [{"rule": rule}],
        }}});
        // One that is stored may cost anything.
        let crd = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [
            {"name": "v1", "schema": {"openAPIV3Schema": schema}},
        ]}});
        let schema = StructuralSchema::compiler()
            .stored()
            .crd(&crd, Some("v1"))
            .expect("a schema");
        let mut object = json!({
            "apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n", "namespace": "n"},
            "spec": {"l": [1]},
        });
        let found = error_messages(&schema.create(&mut object, &ServerSettings::default()));
        let end = format!("internal error: {said} evaluating rule: {rule}");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found
                .iter()
                .all(|found| found.ends_with(&end) && found.matches("internal").count() == 1),
            "{found:?}"
        );
    }
}
