//! The two policies side by side.

use k8s_crd_validation::{
    KubeVersion, RatchetingPolicy, Report, ServerSettings, StatusHandling, StructuralSchema,
};
use serde_json::{Value, json};

/// Returns the number of errors of an update of `spec` with each policy: the one of API servers and
/// the one of KEP-4008.
fn both(spec_schema: Value, old: Value, new: Value) -> [usize; 2] {
    let schema = crate::schema(spec_schema);
    [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008].map(|policy| {
        let (old, new) = (
            json!({"spec": old, "other": "1"}),
            json!({"spec": new, "other": "2"}),
        );
        let settings = ServerSettings::default().policy(policy);
        let outcome = schema.update(
            &mut crate::resource(&new),
            &crate::resource(&old),
            &settings,
        );
        outcome.errors().len()
    })
}

#[test]
fn unchanged_values_are_tolerated_by_both() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 3}, "b": {"type": "string"}}});
    assert_eq!(
        both(
            schema.clone(),
            json!({"a": "x"}),
            json!({"a": "x", "b": "1"})
        ),
        [0, 0]
    );
    assert_eq!(both(schema, json!({"a": "x"}), json!({"a": "y"})), [1, 1]);
}

#[test]
fn combinators_are_tolerated_by_servers_alone() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string", "anyOf": [{"minLength": 3}, {"pattern": "^y"}]},
    }});
    // The errors of the best branch, and the summary.
    assert_eq!(both(schema, json!({"a": "x"}), json!({"a": "x"})), [0, 2]);
}

#[test]
fn undescribed_fields_make_a_difference_to_servers_alone() {
    let schema = json!({"type": "object", "required": ["b"], "x-kubernetes-preserve-unknown-fields": true, "properties": {
        "b": {"type": "string"},
    }});
    assert_eq!(both(schema, json!({"zz": 1}), json!({"zz": 1})), [1, 0]);
}

#[test]
fn the_order_of_a_map_list_makes_a_difference_to_the_text_alone() {
    let schema = json!({"type": "object", "properties": {"l": {
        "type": "array", "maxItems": 1, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "integer"}}},
    }}});
    assert_eq!(
        both(
            schema,
            json!({"l": [{"k": 1}, {"k": 2}]}),
            json!({"l": [{"k": 2}, {"k": 1}]})
        ),
        [0, 1]
    );
}

#[test]
fn duplicates_are_tolerated_everywhere_or_with_their_list() {
    let set =
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}});
    let schema = json!({"type": "object", "properties": {"x": set, "y": set}});
    let old = json!({"x": ["a", "a"], "y": ["b"]});
    // A server looks at the whole object: one old duplicate anywhere, and new ones may be anywhere.
    assert_eq!(
        both(
            schema.clone(),
            old.clone(),
            json!({"x": ["a"], "y": ["b", "b"]})
        ),
        [0, 1]
    );
    assert_eq!(
        both(schema.clone(), old, json!({"x": ["a", "a"], "y": []})),
        [0, 0]
    );
    assert_eq!(
        both(schema, json!({"x": ["a"]}), json!({"x": ["a", "a"]})),
        [1, 1]
    );
}

/// Updates an object without metadata as KEP-4008 prescribes.
fn by_the_text(schema: &Value, old: &Value, new: &Value) -> Report {
    let schema = StructuralSchema::compile(schema).unwrap_or_else(|errors| panic!("{errors}"));
    let settings = ServerSettings::default().policy(RatchetingPolicy::Kep4008);
    let outcome = schema.update(&mut new.clone(), old, &settings);
    let strict = schema.update(&mut new.clone(), old, &settings.ratchet(false));
    assert!(strict.tolerated().is_empty(), "{strict:?}");
    assert_eq!(
        strict.errors().len(),
        outcome.errors().len() + outcome.tolerated().len() + outcome.parts().warned.len(),
        "nothing is lost: {strict:?} {outcome:?}"
    );
    outcome
}

fn paths(violations: &[union_runtime::Violation]) -> Vec<&str> {
    violations
        .iter()
        .map(|violation| violation.path().as_str())
        .collect()
}

/// Returns the positions of an embedded resource. Each has a schema that contains the schema of the
/// resource, a value with `null` at the position of the resource, and true if the resource is
/// correlated although a value beside the resource changes.
fn homes(resource: &Value) -> Vec<(Value, Value, bool)> {
    let list = |keys: Option<&str>| {
        let mut items =
            json!({"type": "object", "properties": {"k": {"type": "string"}, "r": resource}});
        let mut list = json!({"type": "array"});
        if let Some(key) = keys {
            items["required"] = json!([key]);
            list["x-kubernetes-list-type"] = json!("map");
            list["x-kubernetes-list-map-keys"] = json!([key]);
        }
        list["items"] = items;
        list
    };
    vec![
        (resource.clone(), json!(null), true),
        (
            json!({"type": "object", "properties": {"r": resource}}),
            json!({"r": null}),
            true,
        ),
        (
            json!({"type": "object", "additionalProperties": resource}),
            json!({"a.b": null}),
            true,
        ),
        (list(Some("k")), json!([{"k": "x", "r": null}]), true),
        (list(None), json!([{"k": "x", "r": null}]), false),
    ]
}

/// Returns the value with each `null` replaced by the resource.
fn filled(home: &Value, resource: &Value) -> Value {
    match home {
        Value::Null => resource.clone(),
        Value::Array(elements) => elements.iter().map(|home| filled(home, resource)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, home)| (name.clone(), filled(home, resource)))
            .collect(),
        scalar => scalar.clone(),
    }
}

/// Returns invalid embedded resources, and the invalid part of each.
fn wrong_resources() -> [(&'static str, Value); 5] {
    [
        (
            "kind",
            json!({"apiVersion": "v1", "kind": "Bad Kind", "metadata": {"name": "x"}}),
        ),
        (
            "apiVersion",
            json!({"apiVersion": "a/b/c", "kind": "Pod", "metadata": {"name": "x"}}),
        ),
        (
            "metadata",
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x/y"}}),
        ),
        (
            "metadata",
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a b": "c"}}}),
        ),
        (
            "metadata",
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"annotations": {"a b": "c"}}}),
        ),
    ]
}

#[test]
fn what_is_wrong_with_an_embedded_resource_is_tolerated_with_its_part() {
    let described =
        json!({"metadata": {"type": "object", "properties": {"name": {"type": "string"}}}});
    for properties in [json!({}), described] {
        let resource = json!({
            "type": "object", "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true, "properties": properties,
        });
        for (home, shape, is_correlated) in homes(&resource) {
            let schema =
                json!({"type": "object", "properties": {"h": home, "n": {"type": "integer"}}});
            for (part, resource) in &wrong_resources() {
                let of = |resource: &Value, n| json!({"h": filled(&shape, resource), "n": n});
                let old = of(resource, 1);

                let outcome = by_the_text(&schema, &old, &of(resource, 2));
                assert_eq!(
                    paths(outcome.errors()),
                    [""; 0],
                    "nothing in it changed: {old}"
                );
                assert_eq!(outcome.tolerated().len(), 1);

                let mut beside = resource.clone();
                beside["data"] = json!("new");
                let outcome = by_the_text(&schema, &old, &of(&beside, 1));
                assert_eq!(
                    outcome.errors().is_empty(),
                    is_correlated,
                    "something beside the part changed: {old}"
                );

                let mut changed = resource.clone();
                if *part == "metadata" {
                    changed["metadata"]["namespace"] = json!("n");
                } else {
                    changed[*part] = json!("other/than/it was");
                }
                let outcome = by_the_text(&schema, &old, &of(&changed, 1));
                assert_eq!(outcome.errors().len(), 1, "the part changed: {old}");
            }
        }
    }
}

#[test]
fn a_rule_that_cannot_be_evaluated_is_tolerated_with_its_value() {
    let rule =
        |rule: &str| json!({"type": "integer", "x-kubernetes-validations": [{"rule": rule}]});
    let by_zero = rule("10 / self > 1");
    for (home, shape, is_correlated) in homes(&by_zero) {
        let schema = json!({"type": "object", "properties": {"h": home, "n": {"type": "integer"}}});
        let of = |value: i64, n: i64| json!({"h": filled(&shape, &json!(value)), "n": n});
        let outcome = by_the_text(&schema, &of(0, 1), &of(0, 2));
        assert_eq!(paths(outcome.errors()), [""; 0], "{schema}");
        assert_eq!(outcome.tolerated().len(), 1);
        assert_eq!(
            outcome.warnings(),
            [""; 0],
            "a server never sends it as a warning"
        );
        let outcome = by_the_text(&schema, &of(5, 1), &of(0, 1));
        assert_eq!(outcome.errors().len(), 1, "{schema}");
        // A new first element changes the list, whose elements are correlated by keys or not at
        // all.
        let mut longer = of(0, 1);
        if let Some(list) = longer["h"].as_array_mut() {
            list.insert(0, json!({"k": "new"}));
            let outcome = by_the_text(&schema, &of(0, 1), &longer);
            assert_eq!(outcome.errors().is_empty(), is_correlated, "{schema}");
        }
    }
    // Rules with `oldSelf` never ratchet.
    let schema = json!({"type": "object", "properties": {"h": rule("oldSelf / (self - self) > 1"), "n": {"type": "integer"}}});
    let outcome = by_the_text(&schema, &json!({"h": 1, "n": 1}), &json!({"h": 1, "n": 2}));
    assert_eq!(paths(outcome.errors()), ["h"]);
}

#[test]
fn duplicates_are_tolerated_with_the_nearest_value_that_is_correlated() {
    let set =
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}});
    for (home, shape, is_correlated) in homes(&set) {
        for name in ["h", "a.b", "", "7", "x[0]", "a]b"] {
            let schema =
                json!({"type": "object", "properties": {name: home, "n": {"type": "integer"}}});
            let of = |set: Value, n: i64| json!({name: filled(&shape, &set), "n": n});
            let twice = json!(["a", "a"]);
            let outcome = by_the_text(&schema, &of(twice.clone(), 1), &of(twice.clone(), 2));
            assert_eq!(paths(outcome.errors()), [""; 0], "{name:?} {schema}");
            let outcome = by_the_text(&schema, &of(json!(["a"]), 1), &of(twice.clone(), 1));
            assert_eq!(outcome.errors().len(), 1, "{name:?} {schema}");
            let mut longer = of(twice.clone(), 1);
            if let Some(list) = longer[name].as_array_mut().filter(|_| shape.is_array()) {
                list.push(json!({"k": "new"}));
                let outcome = by_the_text(&schema, &of(twice, 1), &longer);
                assert_eq!(
                    outcome.errors().is_empty(),
                    is_correlated,
                    "{name:?} {schema}"
                );
            }
        }
    }
}

/// Returns all kinds of errors that an update may tolerate: a schema of `v`, and an invalid `v`.
fn tolerable() -> Vec<(Value, Value)> {
    vec![
        (json!({"type": "string", "minLength": 3}), json!("x")),
        (json!({"type": "string", "enum": ["a"]}), json!("x")),
        (json!({"type": "string", "pattern": "^a$"}), json!("x")),
        (json!({"type": "string", "format": "ipv4"}), json!("x")),
        (json!({"type": "integer", "minimum": 3}), json!(1)),
        (json!({"type": "integer"}), json!("x")),
        (
            json!({"type": "array", "items": {"type": "integer"}, "maxItems": 0}),
            json!([1]),
        ),
        (
            json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}),
            json!({}),
        ),
    ]
}

#[test]
fn updates_are_ratcheted_where_the_version_or_the_setting_says_so() {
    let mut refused = 0;
    for (of_value, value) in tolerable() {
        let fields =
            json!({"type": "object", "properties": {"v": of_value, "n": {"type": "integer"}}});
        let whole = json!({"type": "object", "properties": {"spec": fields, "status": fields}});
        let schema = StructuralSchema::compiler()
            .status(StatusHandling::Subresource)
            .schema(&whole)
            .unwrap();
        for version in KubeVersion::all() {
            let minor = version.minor();
            for (gate, policy) in [None, Some(true), Some(false)]
                .into_iter()
                .flat_map(|gate| {
                    [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008]
                        .map(|policy| (gate, policy))
                })
            {
                let settings = ServerSettings::default().policy(policy).version(version);
                let settings = gate.map_or(settings.clone(), |on| settings.ratchet(on));
                let of = |part: &str, n: i64| crate::resource(&json!({part: {"v": value, "n": n}}));
                let of_text = policy == RatchetingPolicy::Kep4008;
                let is_on = gate.unwrap_or(of_text || minor >= 30);

                let outcome = schema.update(&mut of("spec", 2), &of("spec", 1), &settings);
                assert_eq!(
                    outcome.is_accepted(),
                    is_on,
                    "{version} {gate:?} {policy:?} {of_value}"
                );
                let outcome =
                    schema.update_status(&mut of("status", 2), &of("status", 1), &settings);
                let is_on = is_on && (of_text || minor >= 33);
                assert_eq!(
                    outcome.is_accepted(),
                    is_on,
                    "status, {version} {gate:?} {policy:?} {of_value}"
                );
                refused += usize::from(!is_on);
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn duplicates_stay_allowed_in_all_versions() {
    let set =
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}});
    let fields = json!({"type": "object", "properties": {"v": set, "n": {"type": "integer"}}});
    let whole = json!({"type": "object", "properties": {"spec": fields, "status": fields}});
    let schema = StructuralSchema::compiler()
        .status(StatusHandling::Subresource)
        .schema(&whole)
        .unwrap();
    for version in KubeVersion::all() {
        for gate in [true, false] {
            let settings = ServerSettings::default().version(version).ratchet(gate);
            let of =
                |part: &str, n: i64| crate::resource(&json!({part: {"v": ["a", "a"], "n": n}}));
            let outcome = schema.update(&mut of("spec", 2), &of("spec", 1), &settings);
            assert!(outcome.is_accepted(), "{version} {gate}");
            let outcome = schema.update_status(&mut of("status", 2), &of("status", 1), &settings);
            assert!(outcome.is_accepted(), "status, {version} {gate}");
        }
    }
}

/// Tries `not`, `oneOf`, `anyOf` and `allOf` on the value itself, and on the object around it.
#[test]
fn nothing_below_a_combinator_is_tolerated_by_the_text() {
    let on_value = [
        json!({"not": {"maxLength": 2}}),
        json!({"oneOf": [{"minLength": 3}, {"pattern": "^y"}]}),
        json!({"anyOf": [{"minLength": 3}, {"pattern": "^y"}]}),
        json!({"allOf": [{"minLength": 3}, {"maxLength": 9}]}),
    ];
    let a = |rule: Value| json!({"properties": {"a": rule}});
    let around_it = [
        json!({"not": a(json!({"maxLength": 2}))}),
        json!({"oneOf": [a(json!({"minLength": 3})), a(json!({"pattern": "^y"}))]}),
        json!({"anyOf": [a(json!({"minLength": 3})), a(json!({"pattern": "^y"}))]}),
        json!({"allOf": [a(json!({"minLength": 3})), a(json!({"maxLength": 9}))]}),
    ];
    let with = |mut schema: Value, combinator: &Value| {
        for (key, value) in combinator.as_object().unwrap() {
            schema[key] = value.clone();
        }
        schema
    };
    let text = || json!({"type": "string"});
    for (value, around) in on_value.iter().zip(&around_it) {
        let beside_it = json!({"type": "object", "properties": {"a": with(text(), value)}});
        let of_object = json!({"type": "object", "properties": {"a": text()}});
        for home in [beside_it, with(of_object, around)] {
            let schema =
                json!({"type": "object", "properties": {"h": home, "n": {"type": "integer"}}});
            let of = |n: i64| json!({"h": {"a": "x"}, "n": n});
            let outcome = by_the_text(&schema, &of(1), &of(2));
            assert!(!outcome.errors().is_empty(), "{schema}");
            assert_eq!(outcome.tolerated(), [], "{schema}");
        }
    }
}

/// Changes a part of the value and keeps its size: the error is new.
#[test]
fn sizes_and_missing_fields_are_judged_with_the_whole_value_by_the_text() {
    let text = || json!({"type": "string"});
    for (home, old, new) in [
        (
            json!({"type": "array", "maxItems": 1, "items": text()}),
            json!(["a", "b"]),
            json!(["a", "c"]),
        ),
        (
            json!({"type": "object", "maxProperties": 1, "additionalProperties": text()}),
            json!({"a": "x", "b": "x"}),
            json!({"a": "x", "b": "y"}),
        ),
        (
            json!({"type": "object", "required": ["b"], "properties": {"a": text(), "b": text()}}),
            json!({"a": "x"}),
            json!({"a": "y"}),
        ),
    ] {
        let schema = json!({"type": "object", "properties": {"h": home, "n": {"type": "integer"}}});
        let of = |value: &Value, n: i64| json!({"h": value, "n": n});
        let outcome = by_the_text(&schema, &of(&old, 1), &of(&old, 2));
        assert_eq!(paths(outcome.errors()), [""; 0], "{schema}");
        assert_eq!(outcome.tolerated().len(), 1);
        let outcome = by_the_text(&schema, &of(&old, 1), &of(&new, 1));
        assert_eq!(outcome.errors().len(), 1, "{schema}");
    }
}

/// The value that has the rule counts, and not the field that the error names.
#[test]
fn a_rule_is_tolerated_with_the_value_that_has_it_whatever_field_its_error_names() {
    let schema = json!({"type": "object", "properties": {
        "h": {
            "type": "object",
            "properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "integer"}},
            "x-kubernetes-validations": [{"rule": "self.a.size() > 3", "fieldPath": ".a"}],
        },
        "n": {"type": "integer"},
    }});
    let of = |b: i64, n: i64| json!({"h": {"a": "x", "b": b}, "n": n});
    let outcome = by_the_text(&schema, &of(1, 1), &of(1, 2));
    assert_eq!(paths(outcome.errors()), [""; 0]);
    assert_eq!(outcome.tolerated().len() + outcome.parts().warned.len(), 1);
    let outcome = by_the_text(&schema, &of(1, 1), &of(2, 1));
    assert_eq!(
        paths(outcome.errors()),
        ["h.a"],
        "`h` changed, and not `h.a`"
    );
}
