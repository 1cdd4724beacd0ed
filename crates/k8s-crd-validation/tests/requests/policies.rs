//! Tests that compare the two policies.

use k8s_crd_validation::{
    KubeVersion, RatchetingPolicy, Report, ServerSettings, StatusHandling, StructuralSchema,
};
use serde_json::{Value, json};

/// Returns the number of errors of an update of `spec` with the policy of API servers, and with the
/// policy of KEP-4008.
fn error_counts(spec_schema: Value, old: Value, new: Value) -> [usize; 2] {
    let schema = crate::schema(spec_schema);
    [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008].map(|policy| {
        let old = json!({"spec": old, "other": "1"});
        let new = json!({"spec": new, "other": "2"});
        let settings = ServerSettings::default().policy(policy);
        let report = schema.update(
            &mut crate::resource(&new),
            &crate::resource(&old),
            &settings,
        );
        report.errors().len()
    })
}

#[test]
fn unchanged_values_are_tolerated_by_both_policies() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 3}, "b": {"type": "string"}}});
    assert_eq!(
        error_counts(
            schema.clone(),
            json!({"a": "x"}),
            json!({"a": "x", "b": "1"})
        ),
        [0, 0]
    );
    assert_eq!(
        error_counts(schema, json!({"a": "x"}), json!({"a": "y"})),
        [1, 1]
    );
}

#[test]
fn errors_of_combinators_are_tolerated_only_by_api_servers() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string", "anyOf": [{"minLength": 3}, {"pattern": "^y"}]},
    }});
    // The errors of the best branch, and the summary.
    assert_eq!(
        error_counts(schema, json!({"a": "x"}), json!({"a": "x"})),
        [0, 2]
    );
}

#[test]
fn an_object_with_an_undescribed_field_is_never_unchanged_for_api_servers() {
    let schema = json!({"type": "object", "required": ["b"], "x-kubernetes-preserve-unknown-fields": true, "properties": {
        "b": {"type": "string"},
    }});
    assert_eq!(
        error_counts(schema, json!({"zz": 1}), json!({"zz": 1})),
        [1, 0]
    );
}

#[test]
fn the_order_of_a_map_list_counts_only_for_the_kep() {
    let schema = json!({"type": "object", "properties": {"l": {
        "type": "array", "maxItems": 1, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "integer"}}},
    }}});
    assert_eq!(
        error_counts(
            schema,
            json!({"l": [{"k": 1}, {"k": 2}]}),
            json!({"l": [{"k": 2}, {"k": 1}]})
        ),
        [0, 1]
    );
}

#[test]
fn duplicates_are_tolerated_in_all_lists_or_in_unchanged_lists() {
    let set =
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}});
    let schema = json!({"type": "object", "properties": {"x": set, "y": set}});
    let old = json!({"x": ["a", "a"], "y": ["b"]});
    // If the old object has a duplicate in any list, a server tolerates duplicates in all lists.
    assert_eq!(
        error_counts(
            schema.clone(),
            old.clone(),
            json!({"x": ["a"], "y": ["b", "b"]})
        ),
        [0, 1]
    );
    assert_eq!(
        error_counts(schema.clone(), old, json!({"x": ["a", "a"], "y": []})),
        [0, 0]
    );
    assert_eq!(
        error_counts(schema, json!({"x": ["a"]}), json!({"x": ["a", "a"]})),
        [1, 1]
    );
}

/// Updates an object without metadata as KEP-4008 prescribes.
fn update_by_kep(schema: &Value, old: &Value, new: &Value) -> Report {
    let schema = StructuralSchema::compile(schema).unwrap_or_else(|errors| panic!("{errors}"));
    let settings = ServerSettings::default().policy(RatchetingPolicy::Kep4008);
    let report = schema.update(&mut new.clone(), old, &settings);
    let report_without_ratcheting = schema.update(&mut new.clone(), old, &settings.ratchet(false));
    assert!(
        report_without_ratcheting.tolerated().is_empty(),
        "{report_without_ratcheting:?}"
    );
    assert_eq!(
        report_without_ratcheting.errors().len(),
        report.errors().len() + report.tolerated().len() + report.parts().warned.len(),
        "nothing is lost: {report_without_ratcheting:?} {report:?}"
    );
    report
}

fn printed_paths(violations: &[union_runtime::Violation]) -> Vec<&str> {
    violations
        .iter()
        .map(|violation| violation.path().as_str())
        .collect()
}

/// Returns the positions of an embedded resource. Each position has a schema that contains the
/// schema of the resource, a value with `null` in place of the resource, and true if the resource
/// is correlated even if a sibling of the resource changes.
fn resource_positions(resource: &Value) -> Vec<(Value, Value, bool)> {
    let list = |map_key: Option<&str>| {
        let mut items =
            json!({"type": "object", "properties": {"k": {"type": "string"}, "r": resource}});
        let mut list = json!({"type": "array"});
        if let Some(key) = map_key {
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
fn fill_position(value_shape: &Value, resource: &Value) -> Value {
    match value_shape {
        Value::Null => resource.clone(),
        Value::Array(elements) => elements
            .iter()
            .map(|element| fill_position(element, resource))
            .collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), fill_position(value, resource)))
            .collect(),
        scalar => scalar.clone(),
    }
}

/// Returns the invalid field of each invalid embedded resource, and the resource.
fn invalid_resources() -> [(&'static str, Value); 5] {
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
fn an_error_in_an_embedded_resource_is_tolerated_if_its_field_is_unchanged() {
    let described_metadata =
        json!({"metadata": {"type": "object", "properties": {"name": {"type": "string"}}}});
    for properties in [json!({}), described_metadata] {
        let resource = json!({
            "type": "object", "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true, "properties": properties,
        });
        for (position_schema, value_shape, is_correlated) in resource_positions(&resource) {
            let schema = json!({"type": "object", "properties": {"h": position_schema, "n": {"type": "integer"}}});
            for (field, resource) in &invalid_resources() {
                let object_with = |resource: &Value, n| json!({"h": fill_position(&value_shape, resource), "n": n});
                let old = object_with(resource, 1);

                let report = update_by_kep(&schema, &old, &object_with(resource, 2));
                assert_eq!(
                    printed_paths(report.errors()),
                    [""; 0],
                    "the resource is unchanged: {old}"
                );
                assert_eq!(report.tolerated().len(), 1);

                let mut changed_sibling = resource.clone();
                changed_sibling["data"] = json!("new");
                let report = update_by_kep(&schema, &old, &object_with(&changed_sibling, 1));
                assert_eq!(
                    report.errors().is_empty(),
                    is_correlated,
                    "a sibling of the invalid field changed: {old}"
                );

                let mut changed = resource.clone();
                if *field == "metadata" {
                    changed["metadata"]["namespace"] = json!("n");
                } else {
                    changed[*field] = json!("other/than/it was");
                }
                let report = update_by_kep(&schema, &old, &object_with(&changed, 1));
                assert_eq!(report.errors().len(), 1, "the invalid field changed: {old}");
            }
        }
    }
}

#[test]
fn an_evaluation_error_is_tolerated_if_the_value_is_unchanged() {
    let rule =
        |rule: &str| json!({"type": "integer", "x-kubernetes-validations": [{"rule": rule}]});
    let division_by_zero = rule("10 / self > 1");
    for (position_schema, value_shape, is_correlated) in resource_positions(&division_by_zero) {
        let schema = json!({"type": "object", "properties": {"h": position_schema, "n": {"type": "integer"}}});
        let object_with =
            |value: i64, n: i64| json!({"h": fill_position(&value_shape, &json!(value)), "n": n});
        let report = update_by_kep(&schema, &object_with(0, 1), &object_with(0, 2));
        assert_eq!(printed_paths(report.errors()), [""; 0], "{schema}");
        assert_eq!(report.tolerated().len(), 1);
        assert_eq!(
            report.warnings(),
            [""; 0],
            "a server never sends it as a warning"
        );
        let report = update_by_kep(&schema, &object_with(5, 1), &object_with(0, 1));
        assert_eq!(report.errors().len(), 1, "{schema}");
        // A new first element changes the list, whose elements are correlated by keys or not at
        // all.
        let mut longer = object_with(0, 1);
        if let Some(list) = longer["h"].as_array_mut() {
            list.insert(0, json!({"k": "new"}));
            let report = update_by_kep(&schema, &object_with(0, 1), &longer);
            assert_eq!(report.errors().is_empty(), is_correlated, "{schema}");
        }
    }
    // Rules with `oldSelf` never ratchet.
    let schema = json!({"type": "object", "properties": {"h": rule("oldSelf / (self - self) > 1"), "n": {"type": "integer"}}});
    let report = update_by_kep(&schema, &json!({"h": 1, "n": 1}), &json!({"h": 1, "n": 2}));
    assert_eq!(printed_paths(report.errors()), ["h"]);
}

#[test]
fn duplicates_are_tolerated_if_the_nearest_correlated_value_is_unchanged() {
    let set =
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}});
    for (position_schema, value_shape, is_correlated) in resource_positions(&set) {
        for name in ["h", "a.b", "", "7", "x[0]", "a]b"] {
            let schema = json!({"type": "object", "properties": {name: position_schema, "n": {"type": "integer"}}});
            let object_with =
                |set: Value, n: i64| json!({name: fill_position(&value_shape, &set), "n": n});
            let duplicates = json!(["a", "a"]);
            let report = update_by_kep(
                &schema,
                &object_with(duplicates.clone(), 1),
                &object_with(duplicates.clone(), 2),
            );
            assert_eq!(printed_paths(report.errors()), [""; 0], "{name:?} {schema}");
            let report = update_by_kep(
                &schema,
                &object_with(json!(["a"]), 1),
                &object_with(duplicates.clone(), 1),
            );
            assert_eq!(report.errors().len(), 1, "{name:?} {schema}");
            let mut longer = object_with(duplicates.clone(), 1);
            if let Some(list) = longer[name]
                .as_array_mut()
                .filter(|_| value_shape.is_array())
            {
                list.push(json!({"k": "new"}));
                let report = update_by_kep(&schema, &object_with(duplicates, 1), &longer);
                assert_eq!(
                    report.errors().is_empty(),
                    is_correlated,
                    "{name:?} {schema}"
                );
            }
        }
    }
}

/// Returns a schema of `v` and an invalid `v` for each kind of error that an update may tolerate.
fn invalid_values() -> Vec<(Value, Value)> {
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
fn the_policy_the_version_and_the_setting_decide_if_updates_are_ratcheted() {
    let mut rejected_count = 0;
    for (value_schema, value) in invalid_values() {
        let fields =
            json!({"type": "object", "properties": {"v": value_schema, "n": {"type": "integer"}}});
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
                let object_with =
                    |part: &str, n: i64| crate::resource(&json!({part: {"v": value, "n": n}}));
                let follows_kep = policy == RatchetingPolicy::Kep4008;
                let is_on = gate.unwrap_or(follows_kep || minor >= 30);

                let report = schema.update(
                    &mut object_with("spec", 2),
                    &object_with("spec", 1),
                    &settings,
                );
                assert_eq!(
                    report.is_accepted(),
                    is_on,
                    "{version} {gate:?} {policy:?} {value_schema}"
                );
                let report = schema.update_status(
                    &mut object_with("status", 2),
                    &object_with("status", 1),
                    &settings,
                );
                let is_on = is_on && (follows_kep || minor >= 33);
                assert_eq!(
                    report.is_accepted(),
                    is_on,
                    "status, {version} {gate:?} {policy:?} {value_schema}"
                );
                rejected_count += usize::from(!is_on);
            }
        }
    }
    assert!(rejected_count > 100, "{rejected_count}");
}

#[test]
fn unchanged_duplicates_are_tolerated_in_all_versions() {
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
            let object_with =
                |part: &str, n: i64| crate::resource(&json!({part: {"v": ["a", "a"], "n": n}}));
            let report = schema.update(
                &mut object_with("spec", 2),
                &object_with("spec", 1),
                &settings,
            );
            assert!(report.is_accepted(), "{version} {gate}");
            let report = schema.update_status(
                &mut object_with("status", 2),
                &object_with("status", 1),
                &settings,
            );
            assert!(report.is_accepted(), "status, {version} {gate}");
        }
    }
}

/// Tests `not`, `oneOf`, `anyOf` and `allOf` of the value itself, and of the object around the
/// value.
#[test]
fn errors_below_combinators_are_never_tolerated_by_the_kep() {
    let combinators_of_value = [
        json!({"not": {"maxLength": 2}}),
        json!({"oneOf": [{"minLength": 3}, {"pattern": "^y"}]}),
        json!({"anyOf": [{"minLength": 3}, {"pattern": "^y"}]}),
        json!({"allOf": [{"minLength": 3}, {"maxLength": 9}]}),
    ];
    let a = |rule: Value| json!({"properties": {"a": rule}});
    let combinators_of_object = [
        json!({"not": a(json!({"maxLength": 2}))}),
        json!({"oneOf": [a(json!({"minLength": 3})), a(json!({"pattern": "^y"}))]}),
        json!({"anyOf": [a(json!({"minLength": 3})), a(json!({"pattern": "^y"}))]}),
        json!({"allOf": [a(json!({"minLength": 3})), a(json!({"maxLength": 9}))]}),
    ];
    let schema_with = |mut schema: Value, combinator: &Value| {
        for (keyword, value) in combinator.as_object().unwrap() {
            schema[keyword] = value.clone();
        }
        schema
    };
    let string_schema = || json!({"type": "string"});
    for (value_combinator, object_combinator) in
        combinators_of_value.iter().zip(&combinators_of_object)
    {
        let schema_with_value_combinator = json!({"type": "object", "properties": {"a": schema_with(string_schema(), value_combinator)}});
        let object_schema = json!({"type": "object", "properties": {"a": string_schema()}});
        for position_schema in [
            schema_with_value_combinator,
            schema_with(object_schema, object_combinator),
        ] {
            let schema = json!({"type": "object", "properties": {"h": position_schema, "n": {"type": "integer"}}});
            let object_with = |n: i64| json!({"h": {"a": "x"}, "n": n});
            let report = update_by_kep(&schema, &object_with(1), &object_with(2));
            assert!(!report.errors().is_empty(), "{schema}");
            assert_eq!(report.tolerated(), [], "{schema}");
        }
    }
}

/// An update that changes a part of the value, and keeps the size, has a new error.
#[test]
fn size_and_required_errors_are_tolerated_by_the_kep_only_if_the_whole_value_is_unchanged() {
    let string_schema = || json!({"type": "string"});
    for (position_schema, old, new) in [
        (
            json!({"type": "array", "maxItems": 1, "items": string_schema()}),
            json!(["a", "b"]),
            json!(["a", "c"]),
        ),
        (
            json!({"type": "object", "maxProperties": 1, "additionalProperties": string_schema()}),
            json!({"a": "x", "b": "x"}),
            json!({"a": "x", "b": "y"}),
        ),
        (
            json!({"type": "object", "required": ["b"], "properties": {"a": string_schema(), "b": string_schema()}}),
            json!({"a": "x"}),
            json!({"a": "y"}),
        ),
    ] {
        let schema = json!({"type": "object", "properties": {"h": position_schema, "n": {"type": "integer"}}});
        let object_with = |value: &Value, n: i64| json!({"h": value, "n": n});
        let report = update_by_kep(&schema, &object_with(&old, 1), &object_with(&old, 2));
        assert_eq!(printed_paths(report.errors()), [""; 0], "{schema}");
        assert_eq!(report.tolerated().len(), 1);
        let report = update_by_kep(&schema, &object_with(&old, 1), &object_with(&new, 1));
        assert_eq!(report.errors().len(), 1, "{schema}");
    }
}

/// An error is tolerated if the value with the rule is unchanged. The field at the path of the
/// error does not matter.
#[test]
fn the_field_path_of_a_rule_does_not_affect_ratcheting() {
    let schema = json!({"type": "object", "properties": {
        "h": {
            "type": "object",
            "properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "integer"}},
            "x-kubernetes-validations": [{"rule": "self.a.size() > 3", "fieldPath": ".a"}],
        },
        "n": {"type": "integer"},
    }});
    let object_with = |b: i64, n: i64| json!({"h": {"a": "x", "b": b}, "n": n});
    let report = update_by_kep(&schema, &object_with(1, 1), &object_with(1, 2));
    assert_eq!(printed_paths(report.errors()), [""; 0]);
    assert_eq!(report.tolerated().len() + report.parts().warned.len(), 1);
    let report = update_by_kep(&schema, &object_with(1, 1), &object_with(2, 1));
    assert_eq!(
        printed_paths(report.errors()),
        ["h.a"],
        "`h` changed, but `h.a` did not"
    );
}

/// Correlation pairs the elements of a list of type map by their keys, and deep equality compares
/// them by position. An element with a repeated key therefore counts as changed although the list
/// is unchanged.
#[test]
fn a_list_may_be_unchanged_although_an_element_is_changed() {
    let list_schema = json!({
        "type": "array", "maxItems": 1,
        "items": {
            "type": "object", "required": ["k"],
            "properties": {"k": {"type": "string"}, "v": {"type": "integer", "maximum": 1}},
        },
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
    });
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {"l": list_schema}}, "other": {"type": "string"},
    }});
    let list = json!([{"k": "a", "v": 2}, {"k": "a", "v": 3}]);
    let object = |other: &str| json!({"spec": {"l": list}, "other": other});
    let report = update_by_kep(&schema, &object("x"), &object("y"));
    assert!(report.is_accepted(), "{report}");
    let paths: Vec<&str> = printed_paths(report.tolerated());
    for path in ["spec.l", "spec.l[0].v", "spec.l[1].v"] {
        assert!(paths.contains(&path), "{paths:?}");
    }
}

/// A violated rule is tolerated like other errors: one equal value around its value is enough.
#[test]
fn a_violated_rule_is_tolerated_if_a_list_around_its_value_is_unchanged() {
    let rules = json!([{"rule": "self < 2"}]);
    let list_schema = json!({
        "type": "array", "maxItems": 3,
        "items": {
            "type": "object", "required": ["k"],
            "properties": {
                "k": {"type": "string"},
                "v": {"type": "integer", "x-kubernetes-validations": rules},
            },
        },
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
    });
    let schema = json!({"type": "object", "properties": {
        "l": list_schema, "other": {"type": "string"},
    }});
    let list = json!([{"k": "a", "v": 2}, {"k": "a", "v": 3}]);
    let object = |other: &str| json!({"l": list, "other": other});
    let report = update_by_kep(&schema, &object("x"), &object("y"));
    assert_eq!(printed_paths(report.errors()), [""; 0]);
    let warned = printed_paths(&report.parts().warned);
    assert_eq!(warned, ["l[0].v", "l[1].v"]);
}

/// The error belongs to the inner resource, so a change of another field of the inner resource is
/// not a change of the invalid field.
#[test]
fn an_error_in_a_nested_embedded_resource_belongs_to_the_inner_resource() {
    let resource = |properties: Value| {
        json!({
            "type": "object", "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true, "properties": properties,
        })
    };
    let schema = json!({"type": "object", "properties": {
        "h": resource(json!({"r": resource(json!({}))})),
    }});
    let object_with = |data: &str| {
        json!({"h": {"apiVersion": "v1", "kind": "Pod", "r": {
            "apiVersion": "v1", "kind": "Bad Kind", "data": data,
        }}})
    };
    let report = update_by_kep(&schema, &object_with("old"), &object_with("new"));
    assert_eq!(printed_paths(report.errors()), [""; 0]);
    assert_eq!(printed_paths(report.tolerated()), ["h.r.kind"]);
}

/// The schema and `x-kubernetes-embedded-resource` report the same error.
#[test]
fn a_missing_kind_of_an_embedded_resource_may_be_reported_twice() {
    let schema = json!({"type": "object", "properties": {"h": {
        "type": "object", "x-kubernetes-embedded-resource": true,
        "properties": {"kind": {"type": "string"}}, "required": ["kind"],
    }}});
    let schema = StructuralSchema::compile(&schema).unwrap();
    let old = json!({"h": {"apiVersion": "v1", "kind": "Pod"}});
    let mut new = json!({"h": {"apiVersion": "v1"}});
    let report = schema.update(&mut new, &old, &ServerSettings::default());
    assert_eq!(crate::errors(&report), ["h.kind: Required value"; 2]);
}
