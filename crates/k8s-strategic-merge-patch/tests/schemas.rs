//! Tests of the parts of schemas that the crate reads, and of errors in schemas.

use k8s_strategic_merge_patch::{PatchErrorKind, PatchSchema, UnknownFieldPolicy};
use serde_json::{Value, json};
use union_json::{Limits, SchemaSource, Unions};

use crate::deep;

/// Returns true if a difference has `$retainKeys` for the field `union`, which requires the
/// strategy `retainKeys`.
fn has_retain_keys(schema: &PatchSchema) -> bool {
    let patch = schema.diff(&json!({"union": {"a": 1}}), &json!({"union": {"b": 1}}));
    patch
        .expect("the field is known")
        .to_string()
        .contains("$retainKeys")
}

fn union_schema(keywords: Value) -> Value {
    let mut property = json!({"x-kubernetes-patch-strategy": "retainKeys"});
    for (key, value) in keywords.as_object().expect("keywords") {
        property[key] = value.clone();
    }
    json!({"properties": {"union": property}})
}

#[test]
fn keywords_of_a_property_apply_beside_references() {
    let target =
        json!({"properties": {"a": {}, "b": {}}, "x-kubernetes-patch-strategy": "replace"});
    for keywords in [
        json!({"$ref": "#/definitions/Target"}),
        json!({"allOf": [{"$ref": "#/definitions/Target"}]}),
        json!({"allOf": [{"allOf": [{"$ref": "#/definitions/Alias"}]}]}),
        json!({"anyOf": [{"$ref": "#/definitions/Target"}, {"type": "null"}]}),
        json!({"oneOf": [{"enum": [null]}, {"$ref": "#/definitions/Target"}]}),
        target.clone(),
    ] {
        let mut schema = union_schema(keywords);
        if schema["properties"]["union"]["x-kubernetes-patch-strategy"] == "replace" {
            schema["properties"]["union"]["x-kubernetes-patch-strategy"] = "retainKeys".into();
        }
        schema["definitions"] =
            json!({"Target": target, "Alias": {"$ref": "#/definitions/Target"}});
        let compiled = PatchSchema::compile(&schema).unwrap();
        assert!(has_retain_keys(&compiled), "{schema}");
        // The target defines the fields, but not the strategy of the property that refers to the
        // target.
        let [original, modified] = [1, 2].map(|y| json!({"union": {"a": {"x": {"y": y}}}}));
        let error = compiled.diff(&original, &modified).unwrap_err();
        assert_eq!(error.path(), "union.a.x", "{schema}");
    }
}

#[test]
fn openapi_documents_and_crds_are_read() {
    let referring_schema = union_schema(json!({"$ref": "#/components/schemas/Union"}));
    let openapi_v3 = json!({"components": {"schemas": {"a/b": referring_schema, "Union": {"properties": {"a": {}, "b": {}}}}}});
    let compiler = PatchSchema::compiler();
    assert!(has_retain_keys(
        &compiler.openapi(&openapi_v3, "a/b").unwrap()
    ));
    assert!(has_retain_keys(
        &compiler
            .pointer(&openapi_v3, "/components/schemas/a~1b")
            .unwrap()
    ));
    let openapi_v2 =
        json!({"definitions": {"Holder": union_schema(json!({"properties": {"a": {}}}))}});
    assert!(has_retain_keys(
        &compiler.openapi(&openapi_v2, "Holder").unwrap()
    ));
    let crd = json!({"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": union_schema(json!({"properties": {}}))}}]}});
    assert!(has_retain_keys(&compiler.crd(&crd, Some("v1")).unwrap()));
    assert!(has_retain_keys(&compiler.crd(&crd, None).unwrap()));
}

#[test]
fn a_crd_has_the_metadata_of_all_objects() {
    for metadata in [
        json!(null),
        json!({"type": "object"}),
        json!({"properties": {"name": {}}}),
    ] {
        let mut properties = json!({"spec": {"type": "object", "properties": {}}});
        if !metadata.is_null() {
            properties["metadata"] = metadata;
        }
        let schema = json!({"type": "object", "properties": properties});
        let crd =
            json!({"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": schema}}]}});
        let schema = PatchSchema::compiler().crd(&crd, None).unwrap();
        let owner = |uid: &str, name: &str| json!({"uid": uid, "name": name});
        let live = json!({"apiVersion": "a/v1", "kind": "A", "metadata": {
            "name": "a", "labels": {"x": "1", "y": "1"}, "finalizers": ["a", "b"],
            "ownerReferences": [owner("1", "a")], "generation": 1,
        }});
        let patch = json!({"metadata": {
            "labels": {"x": null, "z": "2"}, "annotations": {"n": "v"},
            "$deleteFromPrimitiveList/finalizers": ["a"],
            "ownerReferences": [owner("2", "b"), owner("1", "c")],
        }});
        let patched = schema.apply(live.clone(), &patch).unwrap();
        assert_eq!(
            patched,
            json!({"apiVersion": "a/v1", "kind": "A", "metadata": {
                "name": "a", "labels": {"y": "1", "z": "2"}, "annotations": {"n": "v"},
                "finalizers": ["b"], "generation": 1,
                "ownerReferences": [owner("2", "b"), owner("1", "c")],
            }})
        );
        let patch = schema.diff(&live, &patched).unwrap();
        assert_eq!(schema.apply(live, &patch.into_parts().0).unwrap(), patched);
    }
}

#[test]
fn schema_errors_have_a_pointer() {
    let pointer = |schema: Value| {
        PatchSchema::compile(&schema)
            .unwrap_err()
            .pointer()
            .to_owned()
    };
    let nested =
        |schema: Value| json!({"properties": {"a/b": {"items": {"properties": {"x": schema}}}}});
    let x_pointer = "/properties/a~1b/items/properties/x";
    assert_eq!(pointer(nested(json!(1))), x_pointer);
    assert_eq!(pointer(nested(json!({"$ref": 1}))), x_pointer);
    assert_eq!(pointer(nested(json!({"$ref": "#/nowhere"}))), x_pointer);
    assert_eq!(
        pointer(nested(json!({"$ref": "https://elsewhere/x"}))),
        x_pointer
    );
    assert_eq!(pointer(nested(json!({"properties": []}))), x_pointer);
    let circle = json!({
        "properties": {"x": {"$ref": "#/definitions/A"}},
        "definitions": {"A": {"$ref": "#/definitions/B"}, "B": {"$ref": "#/definitions/A"}},
    });
    assert!(pointer(circle).starts_with("/definitions/"));
    let compiler = PatchSchema::compiler();
    assert_eq!(
        compiler
            .openapi(&json!({"definitions": {}}), "X")
            .unwrap_err()
            .pointer(),
        "/definitions"
    );
    assert_eq!(
        compiler.pointer(&json!({}), "/x").unwrap_err().pointer(),
        ""
    );
    assert!(compiler.crd(&json!({}), None).is_err());
    let compiler_with_low_limit = compiler.with_limits(Limits::default().max_schemas(4));
    assert!(
        compiler_with_low_limit
            .schema(&nested(
                json!({"properties": {"y": {"properties": {"z": {"properties": {}}}}}})
            ))
            .is_err()
    );
}

/// A reader of the unions of the schema gets the same message.
#[test]
fn schema_errors_equal_the_errors_of_union_json() {
    for invalid_schema in [
        json!(1),
        json!({"$ref": 1}),
        json!({"$ref": "#/nowhere"}),
        json!({"$ref": "https://elsewhere/x"}),
        json!({"properties": []}),
    ] {
        let schema = json!({"properties": {"x": invalid_schema}});
        let patch_error = PatchSchema::compile(&schema).unwrap_err();
        let union_error = Unions::compile(SchemaSource::Schema(&schema)).unwrap_err();
        assert_eq!(patch_error.message(), union_error.message());
        assert_eq!(patch_error.pointer(), "/properties/x");
    }
}

#[test]
fn the_number_of_schemas_is_limited() {
    // Three schemas have fields. The other one does not describe a value, and does not count.
    let schema = json!({"properties": {
        "a": {"properties": {"b": {"type": "string"}}},
        "c": {"properties": {}},
    }});
    let compiler_with_limit =
        |limit: usize| PatchSchema::compiler().with_limits(Limits::default().max_schemas(limit));
    assert!(compiler_with_limit(3).schema(&schema).is_ok());
    let error = compiler_with_limit(2).schema(&schema).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the schema: more than 2 schemas; make the document smaller, or raise `Limits::max_schemas`"
    );
}

#[test]
fn chains_of_references_are_limited() {
    let schema = json!({
        "properties": {"x": {"$ref": "#/definitions/A"}},
        "definitions": {"A": {"$ref": "#/definitions/B"}, "B": {"allOf": [{"properties": {}}]}},
    });
    let compiler_with_limit =
        |limit: usize| PatchSchema::compiler().with_limits(Limits::default().max_combined(limit));
    assert!(compiler_with_limit(3).schema(&schema).is_ok());
    assert_eq!(
        compiler_with_limit(2)
            .schema(&schema)
            .unwrap_err()
            .to_string(),
        "/definitions/B: `$ref` and `allOf` form a chain of more than 2 schemas; break the cycle, or raise `Limits::max_combined`"
    );
}

#[test]
fn a_deep_schema_does_not_overflow_the_stack() {
    let mut schema = deep::Deep::new(20_000, json!({"properties": {}}), |inner| {
        deep::object([("properties", deep::object([("x", inner)]))])
    });
    assert!(PatchSchema::compile(&schema).is_ok());
    schema = schema.within(|inner| deep::object([("items", inner)]));
    assert!(PatchSchema::compile(&schema).is_ok());
}

/// Kubernetes reads a strategy when a patch uses it, so an invalid strategy is not an error before.
#[test]
fn strategies_are_checked_when_a_patch_uses_them() {
    let schema = json!({"properties": {
        "bad": {"properties": {}, "x-kubernetes-patch-strategy": "merge, retainKeys"},
        "odd": {"properties": {}, "x-kubernetes-patch-merge-key": 1},
        "new": {"properties": {}, "x-kubernetes-patch-strategy": "none of them"},
    }});
    let schema = PatchSchema::compile(&schema).unwrap();
    let apply = |name: &str| {
        schema
            .apply(json!({name: {}}), &json!({name: {}}))
            .map_err(|error| error.kind())
    };
    assert_eq!(apply("bad"), Err(PatchErrorKind::BadStrategy));
    assert_eq!(apply("odd"), Err(PatchErrorKind::BadArgType));
    // An unknown word does not count as a strategy.
    assert_eq!(apply("new"), Ok(json!({"new": {}})));
    // In differences, equal values do not need a merge key, but they need a valid strategy.
    let diff = |name: &str| {
        schema
            .diff(&json!({name: {}}), &json!({name: {}}))
            .map(Value::from)
            .map_err(|error| error.kind())
    };
    assert_eq!(diff("bad"), Err(PatchErrorKind::BadStrategy));
    assert_eq!(diff("odd"), Ok(json!({})));
}

#[test]
fn the_policy_decides_about_unknown_fields() {
    let schema = json!({"properties": {"any": {}, "typed": {"type": "object"}}});
    let strict_schema = PatchSchema::compile(&schema).unwrap();
    let schemaless_schema = PatchSchema::compiler()
        .with_policy(UnknownFieldPolicy::Schemaless)
        .schema(&schema)
        .unwrap();
    let live = json!({"any": {"x": {"l": [1], "y": 1}}});
    let patch = json!({"any": {"x": {"l": [2], "z": 1}}});
    let error = strict_schema.apply(live.clone(), &patch).unwrap_err();
    assert_eq!(
        (error.kind(), error.path().as_str()),
        (PatchErrorKind::FieldNotFound, "any.x")
    );
    assert_eq!(
        schemaless_schema.apply(live, &patch).unwrap(),
        json!({"any": {"x": {"l": [2], "y": 1, "z": 1}}})
    );
    // A schema with only a type is not empty, so the policy does not apply.
    let error = schemaless_schema
        .apply(json!({"typed": {"x": {}}}), &json!({"typed": {"x": {}}}))
        .unwrap_err();
    assert_eq!(error.path(), "typed.x");
}

#[test]
fn merged_lists_can_be_sorted() {
    let schema = crate::item_schema::compile_item_schema();
    let sort = |document: Value| schema.sort_merge_lists(document).unwrap();
    assert_eq!(
        sort(json!({
            "merged": [{"name": "b", "set": [10, 9, 10]}, {"name": "a"}],
            "atomic": [{"name": "b"}, {"name": "a"}],
            "$retainKeys": ["b", "a"],
        })),
        json!({
            "merged": [{"name": "a"}, {"name": "b", "set": [10, 9]}],
            "atomic": [{"name": "b"}, {"name": "a"}],
            "$retainKeys": ["a", "b"],
        })
    );
    let patch = json!({
        "$setElementOrder/merged": [{"name": "b"}, {"name": "a"}],
        "$deleteFromPrimitiveList/set": [1, 2],
        "inner": {"$patch": "replace"},
    });
    assert_eq!(sort(patch.clone()), patch);
    let error = schema
        .sort_merge_lists(json!({"inner": {"$retainKeys": 1}}))
        .unwrap_err();
    assert_eq!(error.path(), "inner.$retainKeys");
}
