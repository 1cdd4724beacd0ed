//! Tests of behavior of an API server that a validator of CRDs easily misses.

use k8s_crd_validation::{KubeVersion, ServerSettings, StructuralSchema};
use serde_json::json;

use crate::{compile_errors, create, error_messages, schema, update, with_rule};

#[test]
fn a_null_is_absent_for_rules() {
    let properties = json!({"alpha": {"type": "string", "nullable": true}});
    let schema = with_rule(&properties, "!has(self.alpha)");
    assert!(create(&schema, &json!({"alpha": null})).is_accepted());
    assert!(!create(&schema, &json!({"alpha": "x"})).is_accepted());
    let schema = with_rule(&properties, "self.alpha == 'x'");
    let report = create(&schema, &json!({"alpha": null}));
    assert_eq!(
        error_messages(&report),
        ["spec: Invalid value: \"object\": no such key: alpha evaluating rule: self.alpha == 'x'"]
    );
}

#[test]
fn names_of_properties_are_escaped_as_in_kubernetes() {
    let integer = json!({"type": "integer"});
    let properties = json!({
        "my_field": integer, "a__b": integer, "x.y": integer, "c-d": integer, "e/f": integer, "namespace": integer,
    });
    let rule = "self.my_field + self.a__underscores__b + self.x__dot__y + self.c__dash__d + self.e__slash__f + \
                self.__namespace__ == 21";
    let schema = with_rule(&properties, rule);
    let spec = json!({"my_field": 1, "a__b": 2, "x.y": 3, "c-d": 4, "e/f": 5, "namespace": 6});
    assert_eq!(error_messages(&create(&schema, &spec)), [""; 0]);
}

#[test]
fn elements_are_correlated_by_their_keys() {
    let properties = json!({"l": {"type": "array", "maxItems": 9, "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "required": ["k"],
            "properties": {"k": {"type": "string"}, "n": {"type": "integer"}},
            "x-kubernetes-validations": [{"rule": "self.n >= oldSelf.n", "message": "shrinks"}]}}});
    let schema = schema(&properties, &json!([]));
    let old = json!({"l": [{"k": "a", "n": 1}, {"k": "b", "n": 2}]});
    let reordered = json!({"l": [{"k": "b", "n": 2}, {"k": "new", "n": 0}, {"k": "a", "n": 1}]});
    assert!(update(&schema, &old, &reordered).is_accepted());
    let with_smaller_number = json!({"l": [{"k": "b", "n": 1}, {"k": "a", "n": 1}]});
    let report = update(&schema, &old, &with_smaller_number);
    assert_eq!(
        error_messages(&report),
        ["spec.l[0]: Invalid value: shrinks"]
    );
}

#[test]
fn lists_without_keys_have_no_old_elements() {
    let list = json!({"l": {"type": "array", "maxItems": 9, "items": {"type": "string", "maxLength": 9,
        "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}}});
    assert_eq!(
        compile_errors(&list, &json!([])),
        [
            "spec.validation.openAPIV3Schema.properties[spec].properties[l].items.x-kubernetes-validations[0].rule: \
          Invalid value: \"self == oldSelf\": oldSelf cannot be used on the uncorrelatable portion of the schema within \
          spec.validation.openAPIV3Schema.properties[spec].properties[l]"
        ]
    );
}

#[test]
fn a_rule_with_optional_old_self_is_evaluated_without_an_old_value() {
    let rule = "!oldSelf.hasValue() || oldSelf.?a.orValue('') == self.a";
    let rules = json!([{"rule": rule, "optionalOldSelf": true, "message": "fixed"}]);
    let schema = schema(&json!({"a": {"type": "string", "maxLength": 9}}), &rules);
    assert!(create(&schema, &json!({"a": "x"})).is_accepted());
    assert!(update(&schema, &json!({"a": "x"}), &json!({"a": "x"})).is_accepted());
    let report = update(&schema, &json!({"a": "x"}), &json!({"a": "y"}));
    assert_eq!(error_messages(&report), ["spec: Invalid value: fixed"]);
}

#[test]
fn an_older_server_does_not_know_an_optional_old_value() {
    let rule = json!({"rule": "!oldSelf.hasValue() || oldSelf.value().a == self.a", "optionalOldSelf": true});
    let schema = json!({"type": "object", "properties": {"spec": {
        "type": "object",
        "properties": {"a": {"type": "string", "maxLength": 9}},
        "x-kubernetes-validations": [rule],
    }}});
    let compiler =
        |minor| StructuralSchema::compiler().version(KubeVersion::from_minor(minor).unwrap());
    for version in KubeVersion::all() {
        for gate in [None, Some(true), Some(false)] {
            let compiler = compiler(version.minor()).ratchet(gate);
            // The keyword exists since 1.29. The gate is off by default in 1.29, on by default
            // since 1.30, and always on since 1.33. If the gate is off, 1.29.15 drops the keyword,
            // and 1.29.0 keeps the keyword.
            let is_on = match version.minor() {
                ..=28 => false,
                29 => gate == Some(true),
                30..33 => gate != Some(false),
                _ => true,
            };
            let result = compiler.schema(&schema);
            assert_eq!(result.is_ok(), is_on, "{version} {gate:?}");
            if let Err(report) = result {
                let message = report.to_string();
                assert!(message.contains("compilation failed"), "{message}");
            }
        }
    }
    // A stored rule keeps the keyword, even if the gate is off.
    let is_create_accepted = |minor| {
        let schema = compiler(minor)
            .ratchet(Some(false))
            .stored()
            .schema(&schema)
            .unwrap();
        let mut new = json!({"spec": {"a": "x"}});
        let report = schema.create(&mut new, &ServerSettings::default());
        report.is_accepted()
    };
    assert!(is_create_accepted(30) && is_create_accepted(29) && !is_create_accepted(28));
}

#[test]
fn expressions_are_checked_against_the_schema() {
    let properties = json!({"n": {"type": "integer"}});
    let cases = [
        ("self.nope", "undefined field 'nope'"),
        (
            "self.n + 'a' == 'a'",
            "found no matching overload for '_+_' applied to '(int, string)'",
        ),
        ("self.n", "cel expression must evaluate to a bool"),
        ("other == 1", "undeclared reference to 'other'"),
        ("self.n ==", "Syntax error"),
    ];
    for (rule, expected_message) in cases {
        let errors = compile_errors(&properties, &json!([{"rule": rule}])).join("\n");
        assert!(errors.contains(expected_message), "{rule}: {errors}");
    }
}

#[test]
fn sets_and_maps_are_equal_in_any_order() {
    let string_schema = json!({"type": "string", "maxLength": 9});
    let properties = json!({
        "set": {"type": "array", "maxItems": 9, "x-kubernetes-list-type": "set", "items": string_schema},
        "map": {"type": "array", "maxItems": 9, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
            "items": {"type": "object", "required": ["k"], "properties": {"k": string_schema}}},
        "list": {"type": "array", "maxItems": 9, "items": string_schema},
    });
    let rules = json!([
        {"rule": "self.set == oldSelf.set", "message": "set"},
        {"rule": "self.map == oldSelf.map", "message": "map"},
        {"rule": "self.list == oldSelf.list", "message": "list"},
    ]);
    let schema = schema(&properties, &rules);
    let old = json!({"set": ["a", "b"], "map": [{"k": "a"}, {"k": "b"}], "list": ["a", "b"]});
    let new = json!({"set": ["b", "a"], "map": [{"k": "b"}, {"k": "a"}], "list": ["b", "a"]});
    assert_eq!(
        error_messages(&update(&schema, &old, &new)),
        ["spec: Invalid value: list"]
    );
}
