//! Tests of rules in requests: ratcheting, messages, reasons, costs, and the limits of a schema.

use k8s_crd_validation::{KubeVersion, ServerSettings, StructuralSchema};
use serde_json::{Value, json};

use crate::{compile_errors, create, error_messages, schema, update, with_rule};

fn string_schema() -> Value {
    json!({"type": "string", "maxLength": 100})
}

#[test]
fn a_rule_that_an_unchanged_value_violates_is_a_warning() {
    let schema = with_rule(&json!({"a": string_schema()}), "self.a.size() > 3");
    let report = update(&schema, &json!({"a": "x"}), &json!({"a": "x"}));
    assert!(report.is_accepted());
    assert_eq!(
        report.warnings(),
        ["spec: Invalid value: failed rule: self.a.size() > 3"]
    );
    assert!(!update(&schema, &json!({"a": "x"}), &json!({"a": "y"})).is_accepted());
    assert!(!create(&schema, &json!({"a": "x"})).is_accepted());
}

#[test]
fn transition_rules_are_never_tolerated() {
    let rules = json!([{"rule": "self.a.size() > 3"}, {"rule": "self.a != oldSelf.a"}]);
    let schema = schema(&json!({"a": string_schema()}), &rules);
    let report = update(&schema, &json!({"a": "x"}), &json!({"a": "x"}));
    assert_eq!(
        error_messages(&report),
        ["spec: Invalid value: failed rule: self.a != oldSelf.a"]
    );
    assert_eq!(
        report.warnings(),
        ["spec: Invalid value: failed rule: self.a.size() > 3"]
    );
    // Transition rules are not evaluated without an old value.
    assert_eq!(
        error_messages(&create(&schema, &json!({"a": "long enough"}))),
        [""; 0]
    );
}

#[test]
fn the_error_of_a_rule_has_its_message_reason_and_field_path() {
    let errors_of_failed_rule = |rule: Value| {
        let mut rule = rule;
        rule["rule"] = json!("self.a == 'never'");
        error_messages(&create(
            &schema(&json!({"a": string_schema()}), &json!([rule])),
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
    for (rule, expected) in cases {
        if expected.is_empty() {
            let mut rule = rule;
            rule["rule"] = json!("true");
            let errors = compile_errors(&json!({"a": string_schema()}), &json!([rule]));
            assert!(
                errors[0].contains("messageExpression compilation failed"),
                "{errors:?}"
            );
            continue;
        }
        assert_eq!(errors_of_failed_rule(rule), [expected]);
    }
}

#[test]
fn errors_of_rules_contain_scalars_since_1_35() {
    let properties = json!({"a": {"type": "string", "maxLength": 9, "x-kubernetes-validations": [{"rule": "self == 'x'"}]}});
    let schema = schema(&properties, &json!([]));
    let create_errors = |settings: &ServerSettings| {
        error_messages(&schema.create(&mut json!({"spec": {"a": "y"}}), settings))
    };
    let settings = ServerSettings::default();
    assert_eq!(
        create_errors(&settings),
        ["spec.a: Invalid value: \"y\": failed rule: self == 'x'"]
    );
    let settings = settings.version(KubeVersion::from_minor(34).unwrap());
    assert_eq!(
        create_errors(&settings),
        ["spec.a: Invalid value: \"string\": failed rule: self == 'x'"]
    );
}

#[test]
fn an_evaluation_error_is_not_tolerated_in_an_unchanged_value() {
    let schema = with_rule(&json!({"n": {"type": "integer"}}), "1 / self.n > 3");
    let report = update(&schema, &json!({"n": 0}), &json!({"n": 0}));
    assert_eq!(
        error_messages(&report),
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
    let report = schema.create(&mut object, &ServerSettings::default());
    assert_eq!(
        error_messages(&report),
        [
            "spec: Invalid value: \"object\": 'operation cancelled: actual cost limit exceeded': no further validation rules \
          will be run due to call cost exceeds limit for rule: \
          self.l.all(x, self.l.all(y, self.l.all(z, x + y + z >= 0)))"
        ]
    );
}

#[test]
fn a_schema_whose_rules_cost_too_much_is_rejected() {
    let list_with_bound = |max_items: i32| {
        json!({"a": {"type": "array", "items": string_schema(), "maxItems": max_items,
        "x-kubernetes-validations": [{"rule": "self.all(x, self.exists_one(y, x == y))"}]}})
    };
    assert_eq!(compile_errors(&list_with_bound(100), &json!([])), [""; 0]);
    let errors = compile_errors(&list_with_bound(2000), &json!([]));
    assert!(
        errors[0].contains("estimated rule cost exceeds budget by factor of"),
        "{errors:?}"
    );
}

#[test]
fn a_default_that_violates_a_rule_is_rejected() {
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
fn a_panic_of_a_server_is_one_internal_error() {
    for (rule, panic_message) in [
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
        // A server does not limit the cost of a stored rule.
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
        let errors = error_messages(&schema.create(&mut object, &ServerSettings::default()));
        let expected_end = format!("internal error: {panic_message} evaluating rule: {rule}");
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(
            errors
                .iter()
                .all(|error| error.ends_with(&expected_end)
                    && error.matches("internal").count() == 1),
            "{errors:?}"
        );
    }
}

/// Beyond the limit, a rule with a default is an error of the default.
#[test]
fn the_patterns_in_the_rules_of_all_fields_share_a_size_limit() {
    let property = |number: usize| {
        let rule = format!("!self.matches('[^a]{{1000}}{number}')");
        let schema = json!({
            "type": "string", "maxLength": 10, "default": "x",
            "x-kubernetes-validations": [{ "rule": rule }],
        });
        (format!("p{number}"), schema)
    };
    let errors_of = |count: usize| {
        let properties: Value = (0..count).map(property).collect();
        compile_errors(&properties, &json!([]))
    };
    assert_eq!(errors_of(2), [""; 0]);
    let errors = errors_of(40);
    let is_expected = |error: &String| {
        error.contains("].default: ") && error.contains("invalid matches argument")
    };
    assert!(errors.iter().any(is_expected), "{errors:?}");
}
