//! Tests of pruning, of nulls and of defaults.

use k8s_crd_validation::{ServerSettings, StatusHandling, StructuralSchema};
use serde_json::{Value, json};

/// Returns `spec` as a create stores it.
fn created_spec(spec_schema: Value, spec: Value) -> Value {
    let schema = crate::schema(spec_schema);
    let mut object = json!({"spec": spec});
    let _ = schema.create(&mut object, &ServerSettings::default());
    object["spec"].take()
}

#[test]
fn fields_without_a_schema_are_pruned() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "object", "properties": {"x": {"type": "string"}}}}});
    assert_eq!(
        created_spec(schema, json!({"a": {"x": "1", "y": 2}, "b": 3})),
        json!({"a": {"x": "1"}})
    );
}

#[test]
fn preserve_unknown_fields_applies_to_the_object_but_not_to_its_properties() {
    let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
        "a": {"type": "object", "properties": {"x": {"type": "string"}}},
    }});
    let spec = created_spec(
        schema,
        json!({"a": {"x": "1", "y": 2}, "b": {"c": {"d": 3}}}),
    );
    assert_eq!(spec, json!({"a": {"x": "1"}, "b": {"c": {"d": 3}}}));
}

#[test]
fn fields_of_values_below_additional_properties_true_are_pruned() {
    let schema = json!({"type": "object", "properties": {"m": {"type": "object", "additionalProperties": true}}});
    let spec = created_spec(
        schema,
        json!({"m": {"a": {"b": 1}, "c": [{"d": 2}, 3], "e": "f"}}),
    );
    assert_eq!(spec, json!({"m": {"a": {}, "c": [{}, 3], "e": "f"}}));
}

#[test]
fn nulls_are_dropped_or_defaulted_if_the_schema_is_not_nullable() {
    let schema = json!({"type": "object", "properties": {
        "plain": {"type": "string"},
        "nullable": {"type": "string", "nullable": true},
        "default": {"type": "string", "default": "d"},
        "both": {"type": "string", "nullable": true, "default": "d"},
        "list": {"type": "array", "items": {"type": "string", "nullable": true}},
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
    }});
    let nulls = json!({"plain": null, "nullable": null, "default": null, "both": null, "list": [null], "map": {"k": null}});
    let spec = created_spec(schema, nulls);
    assert_eq!(
        spec,
        json!({"nullable": null, "default": "d", "both": null, "list": [null], "map": {}})
    );
}

#[test]
fn defaults_are_applied_in_existing_objects() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "object", "properties": {"x": {"type": "integer", "default": 1}}},
        "b": {"type": "object", "default": {}, "properties": {"x": {"type": "integer", "default": 1}}},
        "l": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "integer", "default": 1}}}},
    }});
    assert_eq!(
        created_spec(schema.clone(), json!({})),
        json!({"b": {"x": 1}})
    );
    assert_eq!(
        created_spec(schema, json!({"a": {}, "l": [{}]})),
        json!({"a": {"x": 1}, "b": {"x": 1}, "l": [{"x": 1}]})
    );
}

#[test]
fn the_stored_object_is_decoded_with_the_current_schema() {
    let old = json!({"spec": {"a": "x", "gone": 1}});
    let schema = crate::schema(json!({"type": "object", "required": ["b"], "properties": {
        "a": {"type": "string"}, "b": {"type": "string"}, "new": {"type": "string", "default": "d"},
    }}));
    // A field whose schema was removed, and a new default, are not changes of the object.
    let report = schema.update(
        &mut json!({"spec": {"a": "x"}, "other": "1"}),
        &old,
        &ServerSettings::default(),
    );
    assert_eq!(crate::errors(&report), Vec::<String>::new());
    assert_eq!(report.tolerated().len(), 1);
}

#[test]
fn with_a_status_subresource_only_status_updates_change_the_status() {
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}},
        "status": {"type": "object", "properties": {"b": {"type": "string", "minLength": 2}}},
    }});
    let schema = StructuralSchema::compiler()
        .status(StatusHandling::Subresource)
        .schema(&schema)
        .unwrap();
    let settings = ServerSettings::default();
    let old = json!({"spec": {"a": "x"}, "status": {"b": "yy"}});

    let mut created = json!({"spec": {"a": "xx"}, "status": {"b": "y"}});
    assert!(schema.create(&mut created, &settings).is_accepted());
    assert_eq!(created, json!({"spec": {"a": "xx"}}));

    let mut updated = json!({"spec": {"a": "xx"}, "status": {"b": "y"}});
    assert!(schema.update(&mut updated, &old, &settings).is_accepted());
    assert_eq!(updated, json!({"spec": {"a": "xx"}, "status": {"b": "yy"}}));

    let mut status = json!({"spec": {"a": "changed"}, "status": {"b": "y"}});
    let report = schema.update_status(&mut status, &old, &settings);
    assert_eq!(
        crate::errors(&report),
        ["status.b: Invalid value: \"y\": b in body should be at least 2 chars long"]
    );
    assert_eq!(status["spec"], json!({"a": "x"}));
}

#[test]
fn defaults_of_a_stored_crd_are_pruned() {
    // A server rejects such a new CRD today, and prunes the defaults of a stored CRD.
    let schema = json!({"type": "object", "properties": {"spec": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "default": {"a": "x", "b": null, "c": 1},
    }}});
    let crd = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "schema": {"openAPIV3Schema": schema}},
    ]}});
    let stored = StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .unwrap();
    let mut object =
        json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n", "namespace": "n"}});
    assert!(
        stored
            .create(&mut object, &ServerSettings::default())
            .is_accepted()
    );
    assert_eq!(object["spec"], json!({"a": "x"}));
}

/// Nulls are dropped before defaults are filled in, so a null in a default is stored, and dropped
/// by the next request.
#[test]
fn a_null_in_a_default_is_stored_until_the_next_request() {
    let schema = json!({"type": "object", "properties": {"m": {
        "type": "object",
        "additionalProperties": {"x-kubernetes-preserve-unknown-fields": true},
        "default": {"k": null},
    }}});
    let stored_spec = created_spec(schema.clone(), json!({}));
    assert_eq!(stored_spec, json!({"m": {"k": null}}));
    assert_eq!(created_spec(schema, stored_spec), json!({"m": {}}));
}

/// Only a resource has a kind, an API version and metadata that no schema describes.
#[test]
fn undescribed_fields_with_the_names_of_resource_fields_are_pruned() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    for field in ["apiVersion", "kind", "metadata"] {
        let spec = created_spec(schema.clone(), json!({"a": "x", field: "y"}));
        assert_eq!(spec, json!({"a": "x"}), "{field}");
    }
}

#[test]
fn the_elements_of_a_list_at_the_root_are_pruned() {
    let mut list = json!([{"a": 1}, "b", [{}]]);
    let schema = crate::schema(json!({"type": "object"}));
    let _ = schema.create(&mut list, &ServerSettings::default());
    assert_eq!(list, json!([{}, "b", [{}]]));
}

/// The walk over the decoded object ends at the null, because the next request drops the null.
#[test]
fn a_value_after_a_null_of_a_default_is_validated() {
    let schema = crate::schema(json!({"type": "object", "properties": {
        "a": {
            "type": "object",
            "additionalProperties": {"x-kubernetes-preserve-unknown-fields": true},
            "default": {"k": null},
        },
        "b": {"type": "integer", "maximum": 5},
    }}));
    let report = schema.create(&mut json!({"spec": {"b": 7}}), &ServerSettings::default());
    let error = "spec.b: Invalid value: 7: spec.b in body should be less than or equal to 5";
    assert_eq!(crate::errors(&report), [error]);
}

#[test]
fn rules_compare_a_value_with_the_default_of_the_stored_object() {
    let rules = json!([{"rule": "self == oldSelf"}]);
    let string = json!({"type": "string", "default": "x", "x-kubernetes-validations": rules});
    let object = json!({"type": "object", "properties": {"a": string}});
    for (schema, old, [unchanged, changed]) in [
        (string, json!({}), [json!("x"), json!("y")]),
        (
            object,
            json!({"spec": {}}),
            [json!({"a": "x"}), json!({"a": "y"})],
        ),
    ] {
        let schema = crate::schema(schema);
        for (spec, is_accepted) in [(unchanged, true), (changed, false)] {
            let mut new = json!({"spec": spec});
            let report = schema.update(&mut new, &old, &ServerSettings::default());
            assert_eq!(report.is_accepted(), is_accepted, "{report}");
        }
    }
}

/// Returns a schema with these properties and a status subresource.
fn with_status_subresource(properties: Value) -> StructuralSchema {
    let schema = json!({"type": "object", "properties": properties});
    StructuralSchema::compiler()
        .status(StatusHandling::Subresource)
        .schema(&schema)
        .unwrap()
}

#[test]
fn a_default_is_applied_beside_a_sent_status() {
    let with_default = || json!({"type": "object", "default": {}});
    let schema = with_status_subresource(json!({"spec": with_default(), "status": with_default()}));
    let mut new = json!({"status": {}});
    assert!(
        schema
            .create(&mut new, &ServerSettings::default())
            .is_accepted()
    );
    assert_eq!(new, json!({"spec": {}}));
}

#[test]
fn an_undescribed_status_of_the_stored_object_is_pruned() {
    let schema = with_status_subresource(json!({"spec": {"type": "object"}}));
    let old = json!({"spec": {}, "status": {"a": 1}});
    let mut new = json!({"spec": {}});
    assert!(
        schema
            .update(&mut new, &old, &ServerSettings::default())
            .is_accepted()
    );
    assert_eq!(new, json!({"spec": {}}));
}

/// The error belongs to the status itself, not to a field of the status.
#[test]
fn an_error_of_an_unchanged_status_is_tolerated() {
    let status = json!({
        "type": "object", "required": ["b"],
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
    });
    let schema = with_status_subresource(json!({"status": status}));
    let object = |a: &str| json!({"status": {"a": a}});
    for (value, is_accepted) in [("x", true), ("y", false)] {
        let report =
            schema.update_status(&mut object(value), &object("x"), &ServerSettings::default());
        assert_eq!(report.is_accepted(), is_accepted, "{report}");
        let tolerated = report.tolerated().len();
        assert_eq!(tolerated, usize::from(is_accepted), "{report}");
    }
}
