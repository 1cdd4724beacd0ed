//! Tests of stored schemas that a server would reject today. A server continues to serve them.

use k8s_crd_validation::{ServerSettings, StatusHandling, StructuralSchema};
use serde_json::{Value, json};

fn schema_with_field(property: Value) -> StructuralSchema {
    let schema = json!({"type": "object", "properties": {"f": property}});
    StructuralSchema::compiler()
        .stored()
        .schema(&schema)
        .unwrap_or_else(|errors| panic!("{schema}: {errors}"))
}

/// Returns the errors of a create, and the created object.
fn create_errors_and_object(schema: &StructuralSchema, mut new: Value) -> (Vec<String>, Value) {
    let report = schema.create(&mut new, &ServerSettings::default());
    (crate::errors(&report), new)
}

#[test]
fn an_invalid_pattern_is_an_error_of_each_string() {
    for (pattern, problem) in [
        ("+", "missing argument to repetition operator: `+`"),
        ("(", "missing closing ): `(`"),
        ("(?=x)", "invalid or unsupported Perl syntax: `(?=`"),
        ("[b-a]", "invalid character class range: `b-a`"),
    ] {
        let schema =
            schema_with_field(json!({"type": "string", "pattern": pattern, "maxLength": 3}));
        let expected = format!(
            "f: Invalid value: \"foo\": f in body should match '{pattern}, but pattern is invalid: \
             error parsing regexp: {problem}'"
        );
        assert_eq!(
            create_errors_and_object(&schema, json!({"f": "foo"})).0,
            [expected]
        );
        let errors_of_long_string = create_errors_and_object(&schema, json!({"f": "long"})).0;
        assert_eq!(
            errors_of_long_string,
            ["f: Too long: may not be more than 3 bytes"]
        );
        let report = schema.update(
            &mut json!({"f": "foo"}),
            &json!({"f": "foo"}),
            &ServerSettings::default(),
        );
        assert!(report.is_accepted());
    }
    let integer_schema = schema_with_field(json!({"type": "integer", "pattern": "+"}));
    assert!(
        create_errors_and_object(&integer_schema, json!({"f": 1}))
            .0
            .is_empty()
    );
}

#[test]
fn an_unknown_type_is_an_evaluation_error_of_rules() {
    let rule = json!([{"rule": "oldSelf.all(x, x in self)"}]);
    let items = json!({"type": "object", "properties": {"k": {"type": "text"}}});
    let schema = schema_with_field(
        json!({"type": "array", "items": items, "x-kubernetes-validations": rule}),
    );
    let old = json!({"f": [{"k": "x"}]});
    let report = schema.update(&mut old.clone(), &old, &ServerSettings::default());
    let error = "f: Invalid value: \"array\": invalid type, expected object, array, number, integer, boolean or string, \
        or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got text evaluating \
        rule: oldSelf.all(x, x in self)";
    assert_eq!(crate::errors(&report), [error]);
}

/// A server rejects an empty `$ref` and empty `dependencies` in a new schema, and accepts them in a
/// stored schema.
#[test]
fn empty_values_of_unsupported_keywords_are_accepted_in_stored_schemas() {
    for (keyword, empty) in [("$ref", json!("")), ("dependencies", json!({}))] {
        let branch = json!([{keyword: empty}]);
        let property = json!({"type": "string", "anyOf": branch});
        let schema = json!({"type": "object", "properties": {"f": property}});
        let errors = StructuralSchema::compile(&schema).unwrap_err();
        let expected = format!("{keyword} is not supported");
        assert!(errors.to_string().contains(&expected), "{errors}");
        assert!(
            create_errors_and_object(&schema_with_field(property), json!({"f": "x"}))
                .0
                .is_empty()
        );
    }
}

#[test]
fn the_type_null_accepts_only_null() {
    let branch = json!([{"properties": {"a": {"type": "null"}}}]);
    let schema =
        schema_with_field(json!({"x-kubernetes-preserve-unknown-fields": true, "allOf": branch}));
    let object_with_null = json!({"f": {"a": null}});
    assert_eq!(
        create_errors_and_object(&schema, object_with_null.clone()),
        (Vec::new(), object_with_null)
    );
    let type_error =
        "f.a: Invalid value: \"integer\": f.a in body must be of type null: \"integer\"";
    assert_eq!(
        create_errors_and_object(&schema, json!({"f": {"a": 1}})).0[0],
        type_error
    );
}

/// Returns the schema of an embedded resource with other keywords.
fn embedded_resource_schema(other_keywords: Value) -> Value {
    let mut schema = json!({
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
    });
    let fields = schema.as_object_mut().unwrap();
    fields.extend(other_keywords.as_object().unwrap().clone());
    schema
}

/// Returns the schema of an embedded resource with a schema for its metadata.
fn schema_with_metadata(metadata: Value) -> Value {
    embedded_resource_schema(json!({"properties": {"metadata": metadata}}))
}

fn pod(metadata: Value) -> Value {
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata})
}

/// Each row has the schema of `f` with a default, the value of `f` that is sent (null if `f` is
/// missing), and the value that is stored.
#[test]
fn defaults_are_pruned_in_metadata_too() {
    let resource = json!({"apiVersion": "v1", "kind": "Pod"});
    let metadata = json!({"name": "n", "unknown": 1});
    let resource_with_metadata = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata});
    let pruned_resource = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}});
    let labels = |labels: Value| {
        schema_with_metadata(
            json!({"type": "object", "properties": {"labels": {"type": "object", "default": labels}}}),
        )
    };
    let rows = [
        (
            schema_with_metadata(json!({"type": "object", "default": metadata})),
            resource.clone(),
            pruned_resource.clone(),
        ),
        (
            embedded_resource_schema(json!({"default": resource_with_metadata})),
            json!(null),
            pruned_resource.clone(),
        ),
        (
            json!({"type": "object", "default": {"a": resource_with_metadata}, "additionalProperties": embedded_resource_schema(json!({}))}),
            json!(null),
            json!({"a": pruned_resource}),
        ),
        (
            json!({"type": "array", "default": [resource_with_metadata], "items": embedded_resource_schema(json!({}))}),
            json!(null),
            json!([pruned_resource]),
        ),
        (
            json!({"type": "object", "additionalProperties": schema_with_metadata(json!({"type": "object", "default": metadata}))}),
            json!({"a": resource}),
            json!({"a": pruned_resource}),
        ),
        // A default in metadata is applied only if its type is valid there.
        (
            labels(json!({"a": "b"})),
            pod(json!({})),
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a": "b"}}}),
        ),
        (labels(json!({"a": 5})), pod(json!({})), pod(json!({}))),
        (
            json!({"type": "object", "default": {"a": 1}}),
            json!(null),
            json!({}),
        ),
    ];
    for (schema, sent, stored) in rows {
        let new = if sent.is_null() {
            json!({})
        } else {
            json!({"f": sent})
        };
        let (errors, object) = create_errors_and_object(&schema_with_field(schema.clone()), new);
        assert_eq!(
            (errors, object),
            (Vec::new(), json!({"f": stored})),
            "{schema}"
        );
    }
}

fn crd(schema: Value, preserves: bool) -> Value {
    json!({"spec": {
        "group": "g.example.com", "names": {"kind": "K"}, "scope": "Cluster", "preserveUnknownFields": preserves,
        "versions": [{"name": "v1", "storage": true, "schema": {"openAPIV3Schema": schema}}],
    }})
}

fn resource(spec: Value) -> Value {
    json!({"apiVersion": "g.example.com/v1", "kind": "K", "metadata": {"name": "n", "resourceVersion": "1"}, "spec": spec})
}

#[test]
fn a_crd_that_preserves_unknown_fields_prunes_nothing() {
    let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "a": {"type": "string"}, "b": {"type": "string", "default": "x"},
    }}}});
    let sent = resource(json!({"a": null, "unknown": {"c": null}}));
    let null = "spec.a: Invalid value: \"null\": spec.a in body must be of type string: \"null\"";
    for (preserves, errors, spec) in [
        (false, vec![], json!({"b": "x"})),
        (
            true,
            vec![null],
            json!({"a": null, "unknown": {"c": null}, "b": "x"}),
        ),
    ] {
        let schema = StructuralSchema::compiler()
            .stored()
            .crd(&crd(schema.clone(), preserves), None);
        let schema = schema.expect("a schema");
        assert_eq!(
            create_errors_and_object(&schema, sent.clone()),
            (
                errors.into_iter().map(str::to_owned).collect(),
                resource(spec.clone())
            )
        );
        let mut new = sent.clone();
        let report = schema.update(&mut new, &sent, &ServerSettings::default());
        assert!(report.is_accepted());
        assert_eq!(new, resource(spec));
    }
}

#[test]
fn stored_schemas_that_a_server_cannot_serve_are_rejected() {
    for (keyword, value) in [
        ("id", json!("x")),
        (
            "definitions",
            json!({"a": {"patternProperties": {"^a": {"pattern": "+"}}, "items": [{}]}}),
        ),
        ("x-kubernetes-preserve-unknown-fields", json!(false)),
    ] {
        let schema = json!({"type": "object", "properties": {"f": {"type": "object", keyword: value, "pattern": "+"}}});
        let rejection = StructuralSchema::compiler()
            .stored()
            .schema(&schema)
            .unwrap_err();
        let rejection = rejection.to_string();
        assert!(
            rejection.contains(&format!("properties[f].{keyword}: ")),
            "{rejection}"
        );
        assert!(!rejection.contains("pattern"), "{rejection}");
        // A server that does not prune the objects needs no structural schema.
        StructuralSchema::compiler()
            .stored()
            .crd(&crd(schema, true), None)
            .expect("a server serves the schema");
    }
}

#[test]
fn the_namespace_of_a_cluster_scoped_object_is_removed() {
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd(json!({"type": "object"}), false), None)
        .unwrap();
    let with_namespace = |mut object: Value| {
        object["metadata"]["namespace"] = json!("a");
        object
    };
    let mut without_namespace = resource(json!(1));
    without_namespace.as_object_mut().unwrap().remove("spec");
    let (errors, stored) =
        create_errors_and_object(&schema, with_namespace(without_namespace.clone()));
    assert_eq!((errors, stored), (Vec::new(), without_namespace.clone()));
    let settings = ServerSettings::default();
    for (new, old) in [
        (
            with_namespace(without_namespace.clone()),
            without_namespace.clone(),
        ),
        (
            without_namespace.clone(),
            with_namespace(without_namespace.clone()),
        ),
    ] {
        let mut sent = new.clone();
        let report = schema.update(&mut sent, &old, &settings);
        assert!(report.is_accepted(), "{:?}", report.errors());
        assert_eq!(sent, without_namespace);
        let mut sent = new;
        assert!(
            schema
                .update_status(&mut sent, &old, &settings)
                .is_accepted()
        );
        assert_eq!(sent, without_namespace);
    }
}

#[test]
fn an_invalid_union_does_not_affect_other_checks() {
    let union_declaration = |members: Value| json!([{"fields-to-discriminateBy": members}]);
    let fields = json!({"a": {"type": "string", "maxLength": 1}, "b": {"type": "string"}});
    let schema = json!({"type": "object", "properties": {
        "bad": {"type": "object", "properties": fields, "x-kubernetes-unions": union_declaration(json!({"c": "C", "a": "A"}))},
        "good": {"type": "object", "properties": fields, "x-kubernetes-unions": union_declaration(json!({"a": "A", "b": "B"}))},
    }});
    let schema = StructuralSchema::compile(&schema).expect("a server ignores unions");
    let [problem] = schema.union_problems() else {
        panic!("{:?}", schema.union_problems());
    };
    assert_eq!(problem.pointer(), "/properties/bad/x-kubernetes-unions/0");
    let value = json!({"a": "xx", "b": "x"});
    let mut new = json!({"bad": value, "good": value});
    let report = schema.create(&mut new.clone(), &ServerSettings::default());
    assert_eq!((report.errors().len(), report.warnings().len()), (2, 0));
    let settings = ServerSettings::default().unions(union_runtime::Settings::default());
    let report = schema.create(&mut new, &settings);
    let errors = crate::errors(&report);
    assert!(
        errors.iter().any(|error| error.starts_with("good: ")),
        "{errors:?}"
    );
    assert!(
        !errors.iter().any(|error| error.starts_with("bad: ")),
        "{errors:?}"
    );
    assert_eq!(
        report.warnings(),
        [format!("unions are not validated: {problem}")]
    );
}

/// If a schema is not structural, a server does not use its defaults, list types, embedded
/// resources and rules, and does not compare with the old object.
#[test]
fn a_schema_that_is_not_structural_has_no_defaults_list_types_and_rules() {
    let mut schema = json!({"type": "object", "properties": {
        "text": {"type": "string", "default": "x", "maxLength": 1,
            "x-kubernetes-validations": [{"rule": "self == 'y'"}]},
        "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
        "pod": embedded_resource_schema(json!({})),
    }});
    let compile_preserving = |schema: &Value| {
        let schema = json!({"type": "object", "properties": {"spec": schema}});
        StructuralSchema::compiler()
            .stored()
            .crd(&crd(schema, true), None)
            .unwrap()
    };
    let invalid_object = resource(json!({"text": "a", "set": ["a", "a"], "pod": {"unknown": 1}}));
    let structural = compile_preserving(&schema);
    assert_eq!(
        create_errors_and_object(&structural, invalid_object.clone())
            .0
            .len(),
        4
    );
    assert_eq!(
        create_errors_and_object(&structural, resource(json!({}))).1["spec"]["text"],
        "x"
    );

    schema["definitions"] = json!({"a": {"type": "string"}});
    let schema = compile_preserving(&schema);
    assert_eq!(create_errors_and_object(&schema, invalid_object).0, [""; 0]);
    assert_eq!(
        create_errors_and_object(&schema, resource(json!({}))).1["spec"],
        json!({})
    );
    let long_object = resource(json!({"text": "long"}));
    let report = schema.update(
        &mut long_object.clone(),
        &long_object,
        &ServerSettings::default(),
    );
    let expected = "spec.text: Too long: may not be more than 1 byte";
    assert!(
        crate::errors(&report).contains(&expected.to_owned()),
        "{report:?}"
    );
}

/// Servers validate with these keywords if they do not prune. This crate does not support the
/// keywords, and rejects a schema that has them.
#[test]
fn unsupported_keywords_are_rejected() {
    for (keyword, value) in [
        ("patternProperties", json!({"^a": {"type": "string"}})),
        ("dependencies", json!({"a": ["b"]})),
        ("items", json!([{"type": "string"}])),
        ("additionalItems", json!(false)),
        ("$ref", json!("#/definitions/a")),
    ] {
        let schema = json!({"type": "object", "properties": {"f": {keyword: value}}});
        for preserves in [false, true] {
            let crd = crd(schema.clone(), preserves);
            let rejection = StructuralSchema::compiler()
                .stored()
                .crd(&crd, None)
                .unwrap_err();
            let expected = format!("properties[f].{keyword}: ");
            assert!(rejection.to_string().contains(&expected), "{rejection}");
        }
    }
}

#[test]
fn a_default_of_the_root_must_be_an_object() {
    let compile_with_default = |default: Value| {
        let schema = json!({"type": "object", "default": default});
        StructuralSchema::compiler()
            .stored()
            .schema(&schema)
            .map(|_| ())
    };
    assert!(compile_with_default(json!({})).is_ok());
    let rejection = compile_with_default(json!(5)).unwrap_err().to_string();
    assert!(
        rejection.ends_with("the default of the root must be an object"),
        "{rejection}"
    );
}

/// Rules see neither a list with `x-kubernetes-embedded-resource` nor its elements.
#[test]
fn rules_of_a_list_that_is_an_embedded_resource_are_not_evaluated() {
    let with_rule = |mut schema: Value| {
        schema["x-kubernetes-validations"] = json!([{"rule": "self.size() < 1"}]);
        schema
    };
    let list = json!({"type": "array", "items": with_rule(json!({"type": "string"}))});
    let object = json!({"f": ["a"]});
    assert_eq!(
        create_errors_and_object(&schema_with_field(with_rule(list.clone())), object.clone())
            .0
            .len(),
        2
    );
    let mut resource_schema = with_rule(list);
    resource_schema["x-kubernetes-embedded-resource"] = json!(true);
    assert_eq!(
        create_errors_and_object(&schema_with_field(resource_schema), object).0,
        [""; 0]
    );
}

/// If the message expression of a rule does not compile, a server ignores the field path.
#[test]
fn an_invalid_message_expression_disables_the_field_path() {
    let schema_with_message = |message: &str| {
        schema_with_field(
            json!({"type": "object", "properties": {"c": {}}, "x-kubernetes-validations": [
                {"rule": "false", "fieldPath": ".c", "messageExpression": message},
            ]}),
        )
    };
    let object = json!({"f": {}});
    assert_eq!(
        create_errors_and_object(&schema_with_message("'m'"), object.clone()).0,
        ["f.c: Invalid value: m"]
    );
    assert_eq!(
        create_errors_and_object(&schema_with_message("self.c"), object).0,
        ["f: Invalid value: failed rule: false"]
    );
}

/// A server sets the generation before validation.
#[test]
fn schemas_of_the_generation_check_the_generation_that_a_server_sets() {
    for metadata in [
        json!({"additionalProperties": {"type": "string"}}),
        json!({"properties": {"generation": {"type": "string"}}}),
        json!({"allOf": [{"properties": {"generation": {"type": "string"}}}]}),
    ] {
        let schema = json!({"type": "object", "properties": {"metadata": metadata}});
        let schema = StructuralSchema::compiler()
            .stored()
            .schema(&schema)
            .unwrap();
        let errors = create_errors_and_object(&schema, json!({"metadata": {"name": "n"}})).0;
        assert!(errors[0].starts_with("metadata.generation: "), "{errors:?}");
    }
}

/// A server sets the generation before validation, so a required generation is not missing. `==`
/// compares fields that the schema does not describe, such as the generation.
#[test]
fn a_required_generation_and_rules_see_the_generation_that_a_server_sets() {
    let compile = |metadata: Value| {
        let schema = json!({"type": "object", "properties": {
            "metadata": metadata, "f": {"type": "integer"},
        }});
        let compiler = StructuralSchema::compiler().stored();
        compiler.schema(&schema).expect("the schema is served")
    };
    let schema = compile(json!({"type": "object", "required": ["generation"]}));
    let errors = create_errors_and_object(&schema, json!({"metadata": {"name": "n"}})).0;
    assert_eq!(errors, [""; 0]);
    let rule = json!([{"rule": "self == oldSelf"}]);
    let schema = compile(json!({"type": "object", "x-kubernetes-validations": rule}));
    let object =
        |f: u8| json!({"metadata": {"name": "n", "resourceVersion": "1", "generation": 1}, "f": f});
    for f in [1, 2] {
        let report = schema.update(&mut object(f), &object(1), &ServerSettings::default());
        assert_eq!(report.is_accepted(), f == 1, "{report}");
    }
}

/// A server requires `items` of an array, but serves a stored schema without them.
#[test]
fn a_set_without_a_schema_of_its_items_has_no_duplicates() {
    let schema = schema_with_field(json!({"type": "array", "x-kubernetes-list-type": "set"}));
    let errors = create_errors_and_object(&schema, json!({"f": [1, 2, 1]})).0;
    assert_eq!(errors, ["f[2]: Duplicate value: 1"]);
}

#[test]
fn rules_in_a_map_of_an_unknown_map_type_have_no_old_value() {
    let rules =
        json!([{"rule": "oldSelf.hasValue()", "optionalOldSelf": true}, {"rule": "self > 5"}]);
    for (map_type, expected) in [
        (
            "odd",
            &[
                "f.m.a: Invalid value: 1: failed rule: oldSelf.hasValue()",
                "f.m.l[0]: Invalid value: 1: failed rule: oldSelf.hasValue()",
            ][..],
        ),
        (
            "granular",
            &["f.m.l[0]: Invalid value: 1: failed rule: oldSelf.hasValue()"],
        ),
    ] {
        let number = json!({"type": "integer", "x-kubernetes-validations": rules});
        let schema = schema_with_field(
            json!({"type": "object", "x-kubernetes-map-type": map_type, "properties": {"m": {
                "type": "object",
                "properties": {"a": number, "l": {"type": "array", "items": number}},
            }}}),
        );
        // Errors of unchanged values are tolerated with each map type.
        let old = json!({"f": {"m": {"a": 1, "l": [1]}}});
        let report = schema.update(&mut old.clone(), &old, &ServerSettings::default());
        assert_eq!(crate::errors(&report), expected, "{map_type}");
    }
}

#[test]
fn the_error_of_rules_that_cannot_run_contains_the_unknown_type() {
    let schema = json!({"type": "text", "x-kubernetes-validations": [{"rule": "true"}]});
    let schema = StructuralSchema::compiler()
        .stored()
        .status(StatusHandling::Subresource)
        .schema(&schema)
        .expect("a server serves the schema");
    let object = json!({"metadata": {"name": "n", "resourceVersion": "1"}});
    let report = schema.update_status(&mut object.clone(), &object, &ServerSettings::default());
    let expected = "<nil>: Invalid value: \"text\": rule compiler initialization error: failed to convert to declType for CEL \
                  validation rules";
    assert_eq!(crate::errors(&report), [expected]);
}

/// Rules see such a resource as a map, as the code of the API server shows. If the values have
/// no type, the rules are not evaluated.
#[test]
fn rules_see_an_embedded_resource_with_values_as_a_map() {
    let is_update_accepted = |values: &Value, rule: &str| {
        let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {"embedded": {
            "type": "object",
            "x-kubernetes-embedded-resource": true,
            "additionalProperties": values,
            "x-kubernetes-validations": [{"rule": rule}],
        }}}}});
        let schema = StructuralSchema::compiler()
            .stored()
            .status(StatusHandling::Subresource)
            .schema(&schema)
            .expect("a server serves the schema");
        let old = json!({"spec": {"embedded": {}}});
        let report = schema.update_status(&mut json!({}), &old, &ServerSettings::default());
        report.is_accepted()
    };
    for rule in ["self.nope == 'K'", "self.kind == 1", "'x' in self"] {
        assert!(is_update_accepted(&json!({}), rule), "{rule}");
        assert!(
            is_update_accepted(&json!({"x-kubernetes-preserve-unknown-fields": true}), rule),
            "{rule}"
        );
        assert_eq!(
            is_update_accepted(&json!({"type": "string"}), rule),
            rule == "'x' in self",
            "{rule}"
        );
    }
}

#[test]
fn a_field_that_a_stored_schema_forbids_is_an_error() {
    let schema = schema_with_field(json!({"type": "object", "additionalProperties": false}));
    let (errors, object) = create_errors_and_object(&schema, json!({"f": {"a": 1}}));
    assert_eq!(
        errors,
        [r#"f: Invalid value: "a": f.a in body is a forbidden property"#]
    );
    assert_eq!(object, json!({"f": {"a": 1}}));
}

#[test]
fn both_zeros_are_duplicates_in_a_long_list_of_unique_items() {
    let any = json!({"x-kubernetes-preserve-unknown-fields": true});
    let schema = schema_with_field(json!({"type": "array", "uniqueItems": true, "items": any}));
    let list = json!(["a", "b", "c", "d", "e", "f", "g", 0.0, -0.0]);
    let (errors, _) = create_errors_and_object(&schema, json!({ "f": list }));
    let error = r#"f: Invalid value: "": f in body shouldn't contain duplicates"#;
    assert_eq!(errors, [error]);
}

/// A server rejects a new CRD that is nullable at the root.
#[test]
fn an_error_of_an_unchanged_nullable_root_is_tolerated() {
    let string = || json!({"type": "string"});
    let schema = json!({
        "type": "object", "nullable": true, "required": ["b"],
        "properties": {"a": string(), "b": string()},
    });
    let schema = StructuralSchema::compiler()
        .stored()
        .schema(&schema)
        .unwrap();
    let old = json!({"a": "x"});
    let report = schema.update(&mut old.clone(), &old, &ServerSettings::default());
    assert!(report.is_accepted(), "{report}");
    assert_eq!(report.tolerated().len(), 1);
}

/// CEL does not know the type of the elements.
#[test]
fn rules_of_elements_of_an_integer_or_string_are_an_error() {
    let rules = json!([{"rule": "self > 0"}]);
    let schema = schema_with_field(json!({
        "type": "array", "x-kubernetes-int-or-string": true,
        "items": {"type": "integer", "x-kubernetes-validations": rules},
    }));
    // An update tolerates that the list is neither an integer nor a string.
    let old = json!({"f": [1]});
    let report = schema.update(&mut old.clone(), &old, &ServerSettings::default());
    let error = "f[0]: Invalid value: \"integer\": rule compiler initialization error: failed to \
                 convert to declType for CEL validation rules";
    assert_eq!(crate::errors(&report), [error]);
}
