//! Schemas that a server has stored, and would refuse today: it serves them all the same.

use k8s_crd_validation::{ServerSettings, StatusHandling, StructuralSchema};
use serde_json::{Value, json};

fn with(property: Value) -> StructuralSchema {
    let schema = json!({"type": "object", "properties": {"f": property}});
    StructuralSchema::compiler()
        .stored()
        .schema(&schema)
        .unwrap_or_else(|errors| panic!("{schema}: {errors}"))
}

/// The errors of a create, and the object.
fn created(schema: &StructuralSchema, mut new: Value) -> (Vec<String>, Value) {
    let outcome = schema.create(&mut new, &ServerSettings::default());
    (crate::errors(&outcome), new)
}

#[test]
fn a_pattern_that_does_not_compile_is_an_error_of_the_text() {
    for (pattern, problem) in [
        ("+", "missing argument to repetition operator: `+`"),
        ("(", "missing closing ): `(`"),
        ("(?=x)", "invalid or unsupported Perl syntax: `(?=`"),
        ("[b-a]", "invalid character class range: `b-a`"),
    ] {
        let schema = with(json!({"type": "string", "pattern": pattern, "maxLength": 3}));
        let wanted = format!(
            "f: Invalid value: \"foo\": f in body should match '{pattern}, but pattern is invalid: \
             error parsing regexp: {problem}'"
        );
        assert_eq!(created(&schema, json!({"f": "foo"})).0, [wanted]);
        let long = created(&schema, json!({"f": "long"})).0;
        assert_eq!(long, ["f: Too long: may not be more than 3 bytes"]);
        let outcome = schema.update(
            &mut json!({"f": "foo"}),
            &json!({"f": "foo"}),
            &ServerSettings::default(),
        );
        assert!(outcome.is_accepted());
    }
    let of_number = with(json!({"type": "integer", "pattern": "+"}));
    assert!(created(&of_number, json!({"f": 1})).0.is_empty());
}

#[test]
fn a_rule_names_a_type_that_does_not_exist() {
    let rule = json!([{"rule": "oldSelf.all(x, x in self)"}]);
    let items = json!({"type": "object", "properties": {"k": {"type": "text"}}});
    let schema = with(json!({"type": "array", "items": items, "x-kubernetes-validations": rule}));
    let old = json!({"f": [{"k": "x"}]});
    let outcome = schema.update(&mut old.clone(), &old, &ServerSettings::default());
    let error = "f: Invalid value: \"array\": invalid type, expected object, array, number, integer, boolean or string, \
        or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got text evaluating \
        rule: oldSelf.all(x, x in self)";
    assert_eq!(crate::errors(&outcome), [error]);
}

/// An empty `$ref` and empty `dependencies` are refused in a new schema, and do not keep a server
/// from a stored one.
#[test]
fn empty_values_of_unsupported_keywords_are_served() {
    for (keyword, empty) in [("$ref", json!("")), ("dependencies", json!({}))] {
        let branch = json!([{keyword: empty}]);
        let property = json!({"type": "string", "anyOf": branch});
        let schema = json!({"type": "object", "properties": {"f": property}});
        let errors = StructuralSchema::compile(&schema).unwrap_err();
        let wanted = format!("{keyword} is not supported");
        assert!(errors.to_string().contains(&wanted), "{errors}");
        assert!(created(&with(property), json!({"f": "x"})).0.is_empty());
    }
}

#[test]
fn the_type_null_takes_null() {
    let branch = json!([{"properties": {"a": {"type": "null"}}}]);
    let schema = with(json!({"x-kubernetes-preserve-unknown-fields": true, "allOf": branch}));
    let null = json!({"f": {"a": null}});
    assert_eq!(created(&schema, null.clone()), (Vec::new(), null));
    let text = "f.a: Invalid value: \"integer\": f.a in body must be of type null: \"integer\"";
    assert_eq!(created(&schema, json!({"f": {"a": 1}})).0[0], text);
}

/// An embedded resource, of which more is said.
fn embedded(more: Value) -> Value {
    let mut schema = json!({
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
    });
    let fields = schema.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    schema
}

/// Returns the schema of an embedded resource with a schema for its metadata.
fn in_metadata(metadata: Value) -> Value {
    embedded(json!({"properties": {"metadata": metadata}}))
}

fn pod(metadata: Value) -> Value {
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata})
}

/// Each row has the schema of `f` with a default, the value of `f` that is sent (null if `f` is
/// missing), and the value that is stored.
#[test]
fn defaults_are_pruned_in_metadata_too() {
    let resource = json!({"apiVersion": "v1", "kind": "Pod"});
    let named = json!({"name": "n", "unknown": 1});
    let whole = json!({"apiVersion": "v1", "kind": "Pod", "metadata": named});
    let pruned = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}});
    let labels = |labels: Value| {
        in_metadata(
            json!({"type": "object", "properties": {"labels": {"type": "object", "default": labels}}}),
        )
    };
    let rows = [
        (
            in_metadata(json!({"type": "object", "default": named})),
            resource.clone(),
            pruned.clone(),
        ),
        (
            embedded(json!({"default": whole})),
            json!(null),
            pruned.clone(),
        ),
        (
            json!({"type": "object", "default": {"a": whole}, "additionalProperties": embedded(json!({}))}),
            json!(null),
            json!({"a": pruned}),
        ),
        (
            json!({"type": "array", "default": [whole], "items": embedded(json!({}))}),
            json!(null),
            json!([pruned]),
        ),
        (
            json!({"type": "object", "additionalProperties": in_metadata(json!({"type": "object", "default": named}))}),
            json!({"a": resource}),
            json!({"a": pruned}),
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
        let (errors, object) = created(&with(schema.clone()), new);
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
fn what_is_said_to_be_preserved_is_not_pruned() {
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
            created(&schema, sent.clone()),
            (
                errors.into_iter().map(str::to_owned).collect(),
                resource(spec.clone())
            )
        );
        let mut new = sent.clone();
        let outcome = schema.update(&mut new, &sent, &ServerSettings::default());
        assert!(outcome.is_accepted());
        assert_eq!(new, resource(spec));
    }
}

#[test]
fn schemas_that_no_server_can_serve_are_rejected() {
    for (keyword, value) in [
        ("id", json!("x")),
        ("definitions", json!({"a": {}})),
        ("x-kubernetes-preserve-unknown-fields", json!(false)),
    ] {
        let schema = json!({"type": "object", "properties": {"f": {"type": "object", keyword: value, "pattern": "+"}}});
        let refused = StructuralSchema::compiler()
            .stored()
            .schema(&schema)
            .unwrap_err();
        let refused = refused.to_string();
        assert!(
            refused.contains(&format!("properties[f].{keyword}: ")),
            "{refused}"
        );
        assert!(!refused.contains("pattern: "), "{refused}");
        // A server that does not prune the objects needs no structural schema.
        StructuralSchema::compiler()
            .stored()
            .crd(&crd(schema, true), None)
            .expect("it is served");
    }
}

#[test]
fn a_namespace_of_what_lives_in_none_is_taken_off() {
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd(json!({"type": "object"}), false), None)
        .unwrap();
    let with_namespace = |object: Value| {
        let mut object = object;
        object["metadata"]["namespace"] = json!("a");
        object
    };
    let plain = resource(json!(1));
    let mut plain = plain;
    plain.as_object_mut().unwrap().remove("spec");
    let (errors, made) = created(&schema, with_namespace(plain.clone()));
    assert_eq!((errors, made), (Vec::new(), plain.clone()));
    let settings = ServerSettings::default();
    for (new, old) in [
        (with_namespace(plain.clone()), plain.clone()),
        (plain.clone(), with_namespace(plain.clone())),
    ] {
        let mut sent = new.clone();
        let outcome = schema.update(&mut sent, &old, &settings);
        assert!(outcome.is_accepted(), "{:?}", outcome.errors());
        assert_eq!(sent, plain);
        let mut sent = new;
        assert!(
            schema
                .update_status(&mut sent, &old, &settings)
                .is_accepted()
        );
        assert_eq!(sent, plain);
    }
}

#[test]
fn unions_that_cannot_be_read_keep_nothing_else_from_being_judged() {
    let list = |members: Value| json!([{"fields-to-discriminateBy": members}]);
    let fields = json!({"a": {"type": "string", "maxLength": 1}, "b": {"type": "string"}});
    let schema = json!({"type": "object", "properties": {
        "bad": {"type": "object", "properties": fields, "x-kubernetes-unions": list(json!({"c": "C", "a": "A"}))},
        "good": {"type": "object", "properties": fields, "x-kubernetes-unions": list(json!({"a": "A", "b": "B"}))},
    }});
    let schema = StructuralSchema::compile(&schema).expect("a server does not look at unions");
    let [problem] = schema.union_problems() else {
        panic!("{:?}", schema.union_problems());
    };
    assert_eq!(problem.pointer(), "/properties/bad/x-kubernetes-unions/0");
    let both = json!({"a": "xx", "b": "x"});
    let mut new = json!({"bad": both, "good": both});
    let outcome = schema.create(&mut new.clone(), &ServerSettings::default());
    assert_eq!((outcome.errors().len(), outcome.warnings().len()), (2, 0));
    let settings = ServerSettings::default().unions(union_runtime::Settings::default());
    let outcome = schema.create(&mut new, &settings);
    let errors = crate::errors(&outcome);
    assert!(
        errors.iter().any(|error| error.starts_with("good: ")),
        "{errors:?}"
    );
    assert!(
        !errors.iter().any(|error| error.starts_with("bad: ")),
        "{errors:?}"
    );
    assert_eq!(
        outcome.warnings(),
        [format!("unions are not validated: {problem}")]
    );
}

/// If a schema is not structural, a server does not use its defaults, list types, embedded
/// resources and rules, and does not compare with the old object.
#[test]
fn a_schema_that_is_not_structural_judges_by_its_keywords_alone() {
    let mut schema = json!({"type": "object", "properties": {
        "text": {"type": "string", "default": "x", "maxLength": 1,
            "x-kubernetes-validations": [{"rule": "self == 'y'"}]},
        "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
        "pod": embedded(json!({})),
    }});
    let preserving = |schema: &Value| {
        let schema = json!({"type": "object", "properties": {"spec": schema}});
        StructuralSchema::compiler()
            .stored()
            .crd(&crd(schema, true), None)
            .unwrap()
    };
    let wrong = resource(json!({"text": "a", "set": ["a", "a"], "pod": {"unknown": 1}}));
    let structural = preserving(&schema);
    assert_eq!(created(&structural, wrong.clone()).0.len(), 4);
    assert_eq!(
        created(&structural, resource(json!({}))).1["spec"]["text"],
        "x"
    );

    schema["definitions"] = json!({"a": {"type": "string"}});
    let schema = preserving(&schema);
    assert_eq!(created(&schema, wrong).0, [""; 0]);
    assert_eq!(created(&schema, resource(json!({}))).1["spec"], json!({}));
    let long = resource(json!({"text": "long"}));
    let outcome = schema.update(&mut long.clone(), &long, &ServerSettings::default());
    let wanted = "spec.text: Too long: may not be more than 1 byte";
    assert!(
        crate::errors(&outcome).contains(&wanted.to_owned()),
        "{outcome:?}"
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
            let refused = StructuralSchema::compiler()
                .stored()
                .crd(&crd, None)
                .unwrap_err();
            let wanted = format!("properties[f].{keyword}: ");
            assert!(refused.to_string().contains(&wanted), "{refused}");
        }
    }
}

#[test]
fn the_default_of_the_root_is_an_object() {
    let of = |default: Value| {
        let schema = json!({"type": "object", "default": default});
        StructuralSchema::compiler()
            .stored()
            .schema(&schema)
            .map(|_| ())
    };
    assert!(of(json!({})).is_ok());
    let refused = of(json!(5)).unwrap_err().to_string();
    assert!(
        refused.ends_with("the default of the root must be an object"),
        "{refused}"
    );
}

/// Rules see neither a list with `x-kubernetes-embedded-resource` nor its elements.
#[test]
fn a_list_that_is_a_resource_has_no_rules() {
    let rules = |of: Value| {
        let mut of = of;
        of["x-kubernetes-validations"] = json!([{"rule": "self.size() < 1"}]);
        of
    };
    let list = json!({"type": "array", "items": rules(json!({"type": "string"}))});
    let both = json!({"f": ["a"]});
    assert_eq!(created(&with(rules(list.clone())), both.clone()).0.len(), 2);
    let mut resource = rules(list);
    resource["x-kubernetes-embedded-resource"] = json!(true);
    assert_eq!(created(&with(resource), both).0, [""; 0]);
}

/// A rule whose message does not compile points at no field.
#[test]
fn a_rule_points_at_a_field_if_its_message_compiles() {
    let ruled = |message: &str| {
        with(
            json!({"type": "object", "properties": {"c": {}}, "x-kubernetes-validations": [
                {"rule": "false", "fieldPath": ".c", "messageExpression": message},
            ]}),
        )
    };
    let object = json!({"f": {}});
    assert_eq!(
        created(&ruled("'m'"), object.clone()).0,
        ["f.c: Invalid value: m"]
    );
    assert_eq!(
        created(&ruled("self.c"), object).0,
        ["f: Invalid value: failed rule: false"]
    );
}

/// A server sets the generation before it looks.
#[test]
fn what_is_said_of_generations_counts() {
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
        let errors = created(&schema, json!({"metadata": {"name": "n"}})).0;
        assert!(errors[0].starts_with("metadata.generation: "), "{errors:?}");
    }
}

#[test]
fn rules_in_a_map_of_an_odd_type_know_no_old_value() {
    let rules =
        json!([{"rule": "oldSelf.hasValue()", "optionalOldSelf": true}, {"rule": "self > 5"}]);
    for (map_type, wanted) in [
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
        let schema = with(
            json!({"type": "object", "x-kubernetes-map-type": map_type, "properties": {"m": {
                "type": "object",
                "properties": {"a": number, "l": {"type": "array", "items": number}},
            }}}),
        );
        // Errors of unchanged values are tolerated with each map type.
        let old = json!({"f": {"m": {"a": 1, "l": [1]}}});
        let outcome = schema.update(&mut old.clone(), &old, &ServerSettings::default());
        assert_eq!(crate::errors(&outcome), wanted, "{map_type}");
    }
}

#[test]
fn a_type_that_there_is_not_is_named_where_its_rules_cannot_run() {
    let schema = json!({"type": "text", "x-kubernetes-validations": [{"rule": "true"}]});
    let schema = StructuralSchema::compiler()
        .stored()
        .status(StatusHandling::Subresource)
        .schema(&schema)
        .expect("it is served");
    let object = json!({"metadata": {"name": "n", "resourceVersion": "1"}});
    let outcome = schema.update_status(&mut object.clone(), &object, &ServerSettings::default());
    let wanted = "<nil>: Invalid value: \"text\": rule compiler initialization error: failed to convert to declType for CEL \
                  validation rules";
    assert_eq!(crate::errors(&outcome), [wanted]);
}

/// Seen on the API server's code: rules see such a resource as a map. If the values have no type,
/// the rules are not run.
#[test]
fn rules_see_an_embedded_resource_with_values_as_a_map() {
    let of = |values: &Value, rule: &str| {
        let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {"embedded": {
            "type": "object",
            "x-kubernetes-embedded-resource": true,
            "additionalProperties": values,
            "x-kubernetes-validations": [{"rule": rule}],
        }}}}});
        let stored = StructuralSchema::compiler()
            .stored()
            .status(StatusHandling::Subresource)
            .schema(&schema)
            .expect("it is served");
        let old = json!({"spec": {"embedded": {}}});
        let outcome = stored.update_status(&mut json!({}), &old, &ServerSettings::default());
        outcome.is_accepted()
    };
    for rule in ["self.nope == 'K'", "self.kind == 1", "'x' in self"] {
        assert!(of(&json!({}), rule), "{rule}");
        assert!(
            of(&json!({"x-kubernetes-preserve-unknown-fields": true}), rule),
            "{rule}"
        );
        assert_eq!(
            of(&json!({"type": "string"}), rule),
            rule == "'x' in self",
            "{rule}"
        );
    }
}
