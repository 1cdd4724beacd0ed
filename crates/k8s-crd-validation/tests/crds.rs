//! Tests of whole CRDs: the errors of each part, and the errors that an update tolerates.

use k8s_crd_validation::{FieldValidation, KubeVersion, UnknownField, ViolationKind, crd};
use serde_json::{Value, json};

fn valid_crd() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "docs.example.com", "resourceVersion": "7"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Doc", "plural": "docs"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object",
                "properties": {"spec": {"type": "object", "properties": {"text": {"type": "string"}}}},
            }}}],
        },
    })
}

/// Returns the valid CRD with another value at a JSON pointer. The parent of the value must exist.
fn crd_with(pointer: &str, value: Value) -> Value {
    let mut crd = valid_crd();
    set(&mut crd, pointer, value);
    crd
}

fn set(crd: &mut Value, pointer: &str, value: Value) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    crd.pointer_mut(parent).unwrap()[name] = value;
}

fn create_errors(crd: &Value) -> Vec<String> {
    let report = crd::Review::new().create(crd);
    report.errors().iter().map(ToString::to_string).collect()
}

fn update_errors(new: &Value, old: &Value) -> Vec<String> {
    let report = crd::Review::new().update(new, old);
    report.errors().iter().map(ToString::to_string).collect()
}

#[test]
fn an_invalid_part_of_the_spec_is_an_error() {
    assert_eq!(create_errors(&valid_crd()), [""; 0]);
    for (pointer, value, expected_error) in [
        (
            "/spec/names/listKind",
            json!("Doc"),
            r#"spec.names.listKind: Invalid value: "Doc": kind and listKind may not be the same"#,
        ),
        ("/spec/scope", json!(""), "spec.scope: Required value"),
        (
            "/spec/conversion",
            json!({"strategy": "Best"}),
            r#"spec.conversion.strategy: Unsupported value: "Best": supported values: "None", "Webhook""#,
        ),
        (
            "/spec/conversion",
            json!({"strategy": "Webhook", "webhook": {
                "clientConfig": {"url": "https://a b"}, "conversionReviewVersions": ["v1"],
            }}),
            r#"spec.conversion.webhookClientConfig.url: Required value: url must be a valid URL: parse "https://a b": invalid character " " in host name; desired format: https://host[/path]"#,
        ),
    ] {
        assert_eq!(
            create_errors(&crd_with(pointer, value)),
            [expected_error],
            "{pointer}"
        );
    }
}

#[test]
fn an_invalid_part_of_a_version_is_an_error() {
    for (part, value, error) in [
        (
            "additionalPrinterColumns",
            json!([{"name": "a", "type": "string", "jsonPath": "]["}]),
            r#"spec.additionalPrinterColumns[0].JSONPath: Invalid value: "][": must be a simple json path starting with ."#,
        ),
        (
            "selectableFields",
            json!([{"jsonPath": ".spec.text"}, {"jsonPath": ".spec.text"}]),
            r#"spec.selectableFields[1].jsonPath: Duplicate value: ".spec.text""#,
        ),
        (
            "selectableFields",
            json!([{"jsonPath": "'spec'.text"}]),
            r#"spec.selectableFields[0].jsonPath: Invalid value: "'spec'.text": is an invalid path: expected [ or . but got: 'spec'"#,
        ),
        (
            "subresources",
            json!({"scale": {"specReplicasPath": ".spec.a", "statusReplicasPath": ".spec.b"}}),
            r#"spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.b": should be a json path under .status"#,
        ),
        (
            "deprecationWarning",
            json!("a<b"),
            r#"spec.versions[0].deprecationWarning: Invalid value: "a\u003cb": can only be set for deprecated versions"#,
        ),
    ] {
        let crd = crd_with(&format!("/spec/versions/0/{part}"), value);
        assert_eq!(create_errors(&crd), [error], "{part}");
    }
}

/// Returns the valid CRD with two versions that have the same schema.
fn crd_with_two_versions() -> Value {
    let mut crd = valid_crd();
    let mut second_version = crd["spec"]["versions"][0].clone();
    second_version["name"] = json!("v2");
    second_version["storage"] = json!(false);
    crd["spec"]["versions"] = json!([crd["spec"]["versions"][0], second_version]);
    crd
}

/// If all versions have the same schema, an error in the schema is reported once, with a path below
/// `spec.validation`. If the schemas differ, each error has the path of its version.
#[test]
fn an_error_in_a_shared_schema_is_reported_once() {
    let mut crd = crd_with_two_versions();
    for version in ["0", "1"] {
        let pointer = format!("/spec/versions/{version}/schema/openAPIV3Schema/nullable");
        set(&mut crd, &pointer, json!(true));
    }
    let nullable_error = "nullable: Forbidden: nullable cannot be true at the root";
    let shared_error = format!("spec.validation.openAPIV3Schema.{nullable_error}");
    assert_eq!(create_errors(&crd), [shared_error]);
    set(
        &mut crd,
        "/spec/versions/1/schema/openAPIV3Schema/description",
        json!("Another one."),
    );
    let version_error = |i| format!("spec.versions[{i}].schema.openAPIV3Schema.{nullable_error}");
    assert_eq!(create_errors(&crd), [version_error(0), version_error(1)]);
}

/// With a status, a server allows only some keywords at the root of the schema.
#[test]
fn the_status_of_one_version_restricts_only_the_schema_of_this_version() {
    let mut crd = crd_with_two_versions();
    for (i, subresources) in [json!({}), json!({"status": {}})].into_iter().enumerate() {
        let version = &mut crd["spec"]["versions"][i];
        version["subresources"] = subresources;
        version["schema"]["openAPIV3Schema"]["anyOf"] = json!([{ "minProperties": i }]);
    }
    let errors = create_errors(&crd);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].starts_with("spec.versions[1].schema.openAPIV3Schema: Invalid value: "),
        "{errors:?}"
    );
    assert!(
        errors[0].ends_with("at the root of the schema if the status subresource is enabled"),
        "{errors:?}"
    );
}

/// A CRD whose review versions a server does not know can be updated, but not created.
#[test]
fn unknown_review_versions_of_the_stored_crd_are_tolerated() {
    let with_review_versions = |versions: Value| {
        let conversion = json!({"strategy": "Webhook", "webhook": {
            "clientConfig": {"url": "https://example.com/convert"},
            "conversionReviewVersions": versions,
        }});
        crd_with("/spec/conversion", conversion)
    };
    let new = with_review_versions(json!(["v7"]));
    let error = r#"spec.conversion.conversionReviewVersions: Invalid value: ["v7"]: must include at least one of v1, v1beta1"#;
    assert_eq!(create_errors(&new), [error]);
    for (old, expected) in [
        (valid_crd(), vec![error]),
        (with_review_versions(json!(["v1", "v8"])), vec![error]),
        (with_review_versions(json!(["v8"])), vec![]),
    ] {
        assert_eq!(update_errors(&new, &old), expected, "{old}");
    }
}

#[test]
fn immutable_fields_and_stored_versions_cannot_change() {
    let mut old = valid_crd();
    let mut new = crd_with("/spec/scope", json!("Cluster"));
    assert_eq!(update_errors(&new, &old), [""; 0]);
    old["status"] = json!({"conditions": [{"type": "Established", "status": "True"}]});
    let scope = r#"spec.scope: Invalid value: "Cluster": field is immutable"#;
    assert_eq!(update_errors(&new, &old), [scope]);
    new = crd_with("/spec/versions/0/name", json!("v2"));
    let errors = update_errors(&new, &old);
    assert!(errors[0].starts_with(
        r#"status.storedVersions[0]: Invalid value: "v1": missing from spec.versions"#
    ));
    assert_eq!(errors.len(), 1);
}

/// A server decodes limits of sizes as 64-bit integers, and all other limits as floats.
#[test]
fn a_printed_schema_has_the_numbers_that_a_server_decodes() {
    let largest = i64::MAX;
    let mut crd = crd_with("/spec/versions/0/subresources", json!({"status": {}}));
    let schema = "/spec/versions/0/schema/openAPIV3Schema";
    set(&mut crd, &format!("{schema}/nullable"), json!(true));
    let property =
        json!({"type": "string", "maximum": largest, "multipleOf": 1e21, "maxLength": largest});
    set(
        &mut crd,
        &format!("{schema}/properties/spec/properties/text"),
        property,
    );
    let errors = create_errors(&crd);
    let error_with_schema = errors
        .iter()
        .find(|error| error.contains("Invalid value: {"));
    let error_with_schema = error_with_schema.expect("the status allows no `nullable` at the root");
    for printed_keyword in [
        r#""Maximum":9223372036854776000,"#,
        r#""MultipleOf":1e+21,"#,
        r#""MaxLength":9223372036854775807,"#,
    ] {
        assert!(
            error_with_schema.contains(printed_keyword),
            "{printed_keyword} is not in {error_with_schema}"
        );
    }
}

/// If a pattern is invalid, a server checks neither the defaults nor the expressions of rules.
/// Errors of the structure, and rules without an expression, are reported together with the
/// pattern.
#[test]
fn defaults_and_rule_expressions_are_not_checked_if_a_pattern_is_invalid() {
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/properties/broken";
    let invalid_schema = |pattern: &str| {
        json!({"type": "object", "properties": {
            "pattern": {"type": "string", "pattern": pattern},
            "text": {"type": "string", "default": 1},
            "ruled": {"type": "object", "x-kubernetes-validations": [{"rule": ""}]},
        }})
    };
    let reported_errors = |pattern: &str| -> Vec<bool> {
        let errors = create_errors(&crd_with(pointer, invalid_schema(pattern)));
        let contains = |part: &str| errors.iter().any(|error| error.contains(part));
        let messages = ["regular expression", "].default: ", "rule is not specified"];
        messages.into_iter().map(contains).collect()
    };
    assert_eq!(reported_errors("+"), [true, false, true]);
    assert_eq!(reported_errors("a"), [false, true, true]);

    let mut schema =
        json!({"type": "object", "properties": {"text": {"type": "string", "pattern": "+"}}});
    schema["properties"]["ruled"] =
        json!({"type": "object", "x-kubernetes-validations": [{"rule": "1"}]});
    assert_eq!(create_errors(&crd_with(pointer, schema.clone())).len(), 1);
    schema["properties"]["text"]["pattern"] = json!("a");
    let errors = create_errors(&crd_with(pointer, schema));
    assert!(
        errors[0].ends_with("cel expression must evaluate to a bool"),
        "{errors:?}"
    );
}

/// Returns the number of errors about branches that are not structural, for a schema with another
/// keyword.
fn count_structural_errors(mut schema: Value, keyword: &str, value: &Value) -> usize {
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/properties/port";
    schema[keyword] = value.clone();
    let errors = create_errors(&crd_with(pointer, schema));
    let is_structural_error = |error: &&String| error.ends_with("to be structural");
    errors.iter().filter(is_structural_error).count()
}

/// The two forms are `anyOf`, and `anyOf` in the first branch of `allOf`.
#[test]
fn branches_may_have_types_only_in_the_two_forms_of_integer_or_string() {
    let string_schema = json!({"type": "string"});
    let int_or_string_schema = json!({"x-kubernetes-int-or-string": true});
    let integer_or_string = json!([{"type": "integer"}, {"type": "string"}]);
    for schema in [&string_schema, &int_or_string_schema] {
        for (keyword, value, expected_count) in [
            ("anyOf", integer_or_string.clone(), 0),
            ("allOf", json!([{"anyOf": integer_or_string}]), 0),
            (
                "allOf",
                json!([{"anyOf": integer_or_string}, {"maxLength": 3}]),
                0,
            ),
            // Only `anyOf` in the first branch of `allOf` is allowed.
            (
                "allOf",
                json!([{"maxLength": 3}, {"anyOf": integer_or_string}]),
                2,
            ),
            (
                "allOf",
                json!([{"anyOf": integer_or_string}, {"anyOf": integer_or_string}]),
                2,
            ),
            (
                "allOf",
                json!([{"anyOf": integer_or_string, "title": "Either"}]),
                1,
            ),
            (
                "allOf",
                json!([{"allOf": [{"anyOf": integer_or_string}]}]),
                2,
            ),
            ("anyOf", json!([{"anyOf": integer_or_string}]), 2),
            ("oneOf", integer_or_string.clone(), 2),
            ("not", json!({"anyOf": integer_or_string}), 2),
            ("anyOf", json!([{"type": "string"}, {"type": "integer"}]), 2),
            ("anyOf", json!([{"type": "integer"}]), 1),
            (
                "anyOf",
                json!([{"type": "integer"}, {"type": "string"}, {}]),
                2,
            ),
        ] {
            let error_count = count_structural_errors(schema.clone(), keyword, &value);
            assert_eq!(error_count, expected_count, "{schema} {keyword} {value}");
        }
    }
}

/// For most keywords, a server decodes an empty value as a missing value. Such a keyword beside
/// `type` is not an error.
#[test]
fn a_type_beside_another_decoded_keyword_is_an_error_of_a_branch() {
    let string_schema = json!({"type": "string"});
    for (keyword, value, is_decoded) in [
        ("enum", json!([]), false),
        ("oneOf", json!([]), false),
        ("description", json!(""), false),
        ("nullable", json!(false), false),
        ("default", json!(null), false),
        ("additionalProperties", json!(false), false),
        ("minLength", json!(0), true),
        ("required", json!([]), true),
        ("properties", json!({}), true),
        ("externalDocs", json!({}), true),
        ("x-kubernetes-validations", json!([]), true),
        ("x-kubernetes-list-map-keys", json!([]), true),
    ] {
        let branches = json!([{"type": "integer"}, {"type": "string", keyword: value}]);
        let error_count = count_structural_errors(string_schema.clone(), "anyOf", &branches);
        assert_eq!(error_count, if is_decoded { 2 } else { 0 }, "{branches}");
    }
}

/// Most errors are tolerated if the stored CRD has them too. Patterns and the total cost of rules
/// are checked in every update.
#[test]
fn an_update_may_keep_errors_of_the_stored_crd() {
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/properties/broken";
    let expensive = json!({
        "type": "array", "items": {"type": "array", "items": {"type": "string"}},
        "x-kubernetes-validations": [{"rule": "self.all(x, self.all(y, x == y))"}],
    });
    for (invalid_property, kept_error_count) in [
        (json!({"type": "text"}), 0),
        (json!({"type": "object", "default": {"a": 1}}), 0),
        (
            json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}}),
            0,
        ),
        (
            json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string", "nullable": true}}),
            0,
        ),
        (json!({"type": "string", "pattern": "+"}), 1),
        // The total cost is checked in every update.
        (expensive, 2),
    ] {
        let crd = crd_with(pointer, invalid_property.clone());
        let error_count = create_errors(&crd).len();
        assert!(
            error_count > 0 && error_count >= kept_error_count,
            "{invalid_property}"
        );
        assert_eq!(
            update_errors(&crd, &valid_crd()).len(),
            error_count,
            "{invalid_property}"
        );
        assert_eq!(
            update_errors(&crd, &crd).len(),
            kept_error_count,
            "{invalid_property}"
        );
    }
}

#[test]
fn an_unknown_format_is_a_warning_if_the_stored_crd_does_not_have_it() {
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/properties/when";
    let crd = crd_with(pointer, json!({"type": "string", "format": "some\"time"}));
    assert_eq!(
        crd::Review::new().create(&crd).warnings(),
        [r#"unrecognized format "some\"time""#]
    );
    assert_eq!(crd::Review::new().update(&crd, &crd).warnings(), [""; 0]);
    // A rejected CRD has no warnings.
    let mut rejected_crd = crd;
    rejected_crd["spec"]["scope"] = json!("Galaxy");
    assert_eq!(crd::Review::new().create(&rejected_crd).warnings(), [""; 0]);
}

#[test]
fn the_version_decides_which_unknown_formats_are_warnings() {
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/properties/when";
    for (schema_type, first_version) in [("string", 34), ("integer", 36)] {
        let crd = crd_with(pointer, json!({"type": schema_type, "format": "odd"}));
        for version in KubeVersion::all() {
            let report = crd::Review::new().version(version).create(&crd);
            let has_warning = report.warnings() == [r#"unrecognized format "odd""#];
            let expected = version.minor() >= first_version;
            assert_eq!(has_warning, expected, "{version}: {schema_type}");
        }
    }
}

#[test]
fn a_crd_that_cannot_be_decoded_is_a_bad_request() {
    let mut deep_value = json!({});
    for _ in 0..600 {
        deep_value = json!([deep_value]);
    }
    for crd in [
        crd_with("/spec/versions/0/served", json!("yes")),
        crd_with("/spec/names/shortNames", json!("d")),
        crd_with("/spec/conversion", json!([])),
        crd_with("/kind", json!("Deployment")),
        crd_with(
            "/spec/versions/0/schema/openAPIV3Schema/example",
            deep_value,
        ),
        json!([]),
        json!(null),
    ] {
        let report = crd::Review::new().create(&crd);
        assert_eq!(report.errors().len(), 1, "{crd}");
        assert_eq!(report.errors()[0].kind(), ViolationKind::BadRequest);
    }
    let report = crd::Review::new().create(&crd_with("/spec/versions/0/served", json!("yes")));
    assert!(report.errors()[0].to_string().ends_with(
        "json: cannot unmarshal string into Go struct field CustomResourceDefinitionVersion.spec.versions.served of type bool"
    ));
}

/// Returns the schema of an object with a rule that uses an optional `oldSelf`.
fn object_with_rule(rule: &str) -> Value {
    json!({
        "type": "object",
        "required": ["k"],
        "properties": {"k": {"type": "string", "maxLength": 9}, "a": {"type": "integer"}},
        "x-kubernetes-validations": [{"rule": rule, "optionalOldSelf": true}],
    })
}

fn list_of_type(list_type: &str, items: &Value) -> Value {
    let mut schema = json!({"type": "array", "maxItems": 9, "x-kubernetes-list-type": list_type, "items": items});
    if list_type == "map" {
        schema["x-kubernetes-list-map-keys"] = json!(["k"]);
    }
    schema
}

const RULE_WITH_OLD_SELF: &str =
    "(has(self.a) ? true : self.k == 'x') || oldSelf.hasValue() && !has(oldSelf.value().a) && true";

#[test]
fn place_rules_removes_old_self_only_where_there_is_no_old_value() {
    let object = object_with_rule(RULE_WITH_OLD_SELF);
    let map = json!({"type": "object", "maxProperties": 9, "additionalProperties": object});
    let nested_object = json!({"type": "object", "properties": {"one": object, "all": list_of_type("map", &object)}});
    let mut crd = crd_with(
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec",
        json!({"type": "object", "properties": {
            "one": object,
            "by/key~": list_of_type("map", &object),
            "named": map,
            "atomic": list_of_type("atomic", &object),
            "below": list_of_type("atomic", &nested_object),
        }}),
    );
    assert_eq!(create_errors(&crd).len(), 3, "{:#?}", create_errors(&crd));
    let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    let rule = "x-kubernetes-validations/0";
    let rewritten = crd::place_rules(&mut crd);
    let expected = [
        format!("{spec}/atomic/items/{rule}"),
        format!("{spec}/below/items/properties/all/items/{rule}"),
        format!("{spec}/below/items/properties/one/{rule}"),
    ];
    assert_eq!(rewritten, expected);
    for pointer in &rewritten {
        let rule_without_old_self = json!({"rule": "has(self.a) ? true : self.k == 'x'"});
        assert_eq!(crd.pointer(pointer), Some(&rule_without_old_self));
    }
    for property in ["one", "by~1key~0/items", "named/additionalProperties"] {
        let unchanged_rule = crd.pointer(&format!("{spec}/{property}/{rule}"));
        assert_eq!(
            unchanged_rule,
            Some(&object["x-kubernetes-validations"][0]),
            "{unchanged_rule:?}"
        );
    }
    assert_eq!(create_errors(&crd), [""; 0]);
    assert_eq!(crd::place_rules(&mut crd), [""; 0]);
}

#[test]
fn place_rules_keeps_rules_of_other_forms() {
    let place_rule = |rule: &str| {
        let mut crd = crd_with(
            "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties",
            json!({"l": list_of_type("atomic", &object_with_rule(rule))}),
        );
        let rewritten = crd::place_rules(&mut crd);
        let rule = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/l/items/x-kubernetes-validations/0";
        (rewritten.len(), crd.pointer(rule).unwrap()["rule"].clone())
    };
    for rule in [
        "oldSelf.hasValue()",
        "oldSelf.hasValue() && true || has(self.a)",
        "has(self.a) || (oldSelf.hasValue() && true)",
        "has(self.a) || !oldSelf.hasValue()",
        "has(self.a) || oldSelf.hasValue() || oldSelf.hasValue() && true",
        "has(self.a) ? true : has(self.a) || oldSelf.hasValue() && true",
        "has(self.a) && oldSelf.hasValue()",
        "has(self.a) || oldSelf.hasValue() &&",
        "",
    ] {
        assert_eq!(place_rule(rule), (0, rule.into()));
    }
    // The content of a string literal is not part of the expression.
    for (rule, rule_without_old_self) in [
        (
            "self.k == ' || oldSelf.hasValue() && (' || oldSelf.hasValue() && true",
            "self.k == ' || oldSelf.hasValue() && ('",
        ),
        (
            "(self.k == 'oldSelf') || (has(self.a)) || oldSelf.hasValue()",
            "(self.k == 'oldSelf') || (has(self.a))",
        ),
        (
            "self.k == 'größe' ||oldSelf.hasValue()",
            "self.k == 'größe'",
        ),
    ] {
        assert_eq!(place_rule(rule), (1, rule_without_old_self.into()));
    }
}

/// Returns a CRD with a rule, an external document and a schema in every keyword that has schemas.
fn crd_with_all_keywords() -> Value {
    let text = || json!({"type": "string"});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "docs.example.com"},
        "spec": {
            "group": "example.com", "scope": "Cluster",
            "names": {"kind": "Doc", "plural": "docs"},
            "conversion": {"strategy": "Webhook", "webhook": {
                "conversionReviewVersions": ["v1"],
                "clientConfig": {"service": {"name": "s", "namespace": "n"}},
            }},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.r", "statusReplicasPath": ".status.r"}},
                "additionalPrinterColumns": [{"name": "n", "type": "string", "jsonPath": ".a"}],
                "selectableFields": [{"jsonPath": ".a"}],
                "schema": {"openAPIV3Schema": {
                    "type": "object", "externalDocs": {"url": "u"}, "default": {}, "example": {}, "enum": [{}],
                    "x-kubernetes-validations": [{"rule": "true"}],
                    "properties": {"a": text()}, "patternProperties": {"a": text()},
                    "definitions": {"a": text()}, "dependencies": {"a": text(), "b": ["c"]},
                    "allOf": [text()], "anyOf": [text()], "oneOf": [text()], "not": text(),
                    "items": text(), "additionalProperties": text(), "additionalItems": text(),
                }},
            }],
        },
        "status": {
            "acceptedNames": {"kind": "Doc", "plural": "docs"}, "storedVersions": ["v1"], "observedGeneration": 1,
            "conditions": [{"type": "Established", "status": "True"}],
        },
    })
}

/// The JSON pointers of the structs of a CRD. A server knows all fields of a struct.
const POINTERS_WITH_KNOWN_FIELDS: &[&str] = &[
    "",
    "/metadata",
    "/spec",
    "/spec/names",
    "/spec/conversion",
    "/spec/conversion/webhook",
    "/spec/conversion/webhook/clientConfig",
    "/spec/conversion/webhook/clientConfig/service",
    "/spec/versions/0",
    "/spec/versions/0/subresources",
    "/spec/versions/0/subresources/status",
    "/spec/versions/0/subresources/scale",
    "/spec/versions/0/additionalPrinterColumns/0",
    "/spec/versions/0/selectableFields/0",
    "/spec/versions/0/schema",
    "/status",
    "/status/acceptedNames",
    "/status/conditions/0",
];
/// The JSON pointers of the structs of a schema, from the schema.
const SCHEMA_POINTERS_WITH_KNOWN_FIELDS: &[&str] = &[
    "",
    "/externalDocs",
    "/x-kubernetes-validations/0",
    "/properties/a",
    "/patternProperties/a",
    "/definitions/a",
    "/allOf/0",
    "/anyOf/0",
    "/oneOf/0",
    "/not",
];
/// The JSON pointers in a schema below which a server does not report unknown fields.
const OPEN_SCHEMA_POINTERS: &[&str] = &[
    "/default",
    "/example",
    "/enum/0",
    "/items",
    "/additionalProperties",
    "/additionalItems",
    "/dependencies/a",
];
const SCHEMA: &str = "/spec/versions/0/schema/openAPIV3Schema";

/// Returns the path of a JSON pointer as a server prints it.
fn printed_path(pointer: &str, field: &str) -> String {
    let steps = pointer.split('/').skip(1).chain([field]);
    let printed_steps = steps.map(|step| match step.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!(".{step}"),
    });
    let path: String = printed_steps.collect();
    path.trim_start_matches('.').to_owned()
}

#[test]
fn unknown_fields_of_crds_are_reported_in_all_structs_with_known_fields() {
    let crd_without_unknown_fields = crd_with_all_keywords();
    assert_eq!(
        crd::Review::new()
            .unknown_fields(&crd_without_unknown_fields)
            .len(),
        0
    );
    let in_schema = |pointers: &[&str]| -> Vec<String> {
        let pointers = pointers.iter();
        pointers
            .map(|pointer| format!("{SCHEMA}{pointer}"))
            .collect()
    };
    let crd_pointers = POINTERS_WITH_KNOWN_FIELDS
        .iter()
        .map(|pointer| (*pointer).to_owned());
    for pointer in crd_pointers.chain(in_schema(SCHEMA_POINTERS_WITH_KNOWN_FIELDS)) {
        let mut crd = crd_without_unknown_fields.clone();
        crd.pointer_mut(&pointer).expect("an object")["zzz"] = json!(1);
        let path = printed_path(&pointer, "zzz");
        let [unknown_field] = &crd::Review::new().unknown_fields(&crd)[..] else {
            panic!("{pointer}");
        };
        assert_eq!(unknown_field.path(), &path.as_str());
        assert_eq!(
            unknown_field.to_string(),
            format!("unknown field \"{path}\"")
        );
    }
    for pointer in in_schema(OPEN_SCHEMA_POINTERS) {
        let mut crd = crd_without_unknown_fields.clone();
        crd.pointer_mut(&pointer).expect("an object")["zzz"] = json!(1);
        assert_eq!(
            crd::Review::new().unknown_fields(&crd).len(),
            0,
            "{pointer}"
        );
    }
}

fn version(minor: u16) -> KubeVersion {
    KubeVersion::from_minor(minor).expect("a known version")
}

#[test]
fn fields_of_crds_that_are_newer_than_the_server_are_unknown() {
    let mut crd = crd_with_all_keywords();
    let version_pointer = "/spec/versions/0";
    crd.pointer_mut(version_pointer).expect("a version")["selectableFields"] = json!([]);
    let schema = crd.pointer_mut(SCHEMA).expect("a schema");
    schema["x-kubernetes-validations"] = json!([{
        "rule": "true", "messageExpression": "'a'", "reason": "FieldValueInvalid",
        "fieldPath": ".a", "optionalOldSelf": false,
    }]);
    for (name, introduced) in [
        ("messageExpression", 27),
        ("reason", 28),
        ("fieldPath", 28),
        ("optionalOldSelf", 29),
        ("selectableFields", 30),
    ] {
        let is_unknown = |version| {
            let unknown = crd::Review::new().version(version).unknown_fields(&crd);
            unknown.iter().any(|field| {
                assert_eq!(field.near_name(), None);
                field.path().as_str().ends_with(&format!(".{name}"))
            })
        };
        assert!(is_unknown(version(introduced - 1)), "{name}");
        assert!(!is_unknown(version(introduced)), "{name}");
    }
}

/// An older server does not decode a newer keyword, so a wrong type of the value is not an error.
#[test]
fn a_newer_keyword_of_a_wrong_type_is_unknown_to_an_older_server() {
    for (rule, introduced) in [
        (json!({"rule": "true", "messageExpression": 5}), 27),
        (json!({"rule": "true", "fieldPath": ["a"]}), 28),
        (json!({"rule": "true", "optionalOldSelf": "yes"}), 29),
    ] {
        let mut crd = crd_with_all_keywords();
        let schema = crd.pointer_mut(SCHEMA).expect("a schema");
        schema["x-kubernetes-validations"] = json!([rule]);
        let review = |minor| crd::Review::new().version(version(minor));
        let unknown_fields = review(introduced - 1).unknown_fields(&crd);
        assert!(
            unknown_fields.iter().any(|field| field
                .path()
                .as_str()
                .contains("x-kubernetes-validations[0]")),
            "{rule}"
        );
        assert_eq!(review(introduced).unknown_fields(&crd).len(), 0, "{rule}");
    }
}

#[test]
fn ignored_unknown_fields_of_crds_are_not_listed() {
    let mut crd = crd_with_all_keywords();
    crd.pointer_mut(SCHEMA).expect("a schema")["maxLenght"] = json!(1);
    for (validation, count) in [
        (FieldValidation::Ignore, 0),
        (FieldValidation::Warn, 1),
        (FieldValidation::Strict, 1),
    ] {
        let review = crd::Review::new().field_validation(validation);
        assert_eq!(review.unknown_fields(&crd).len(), count, "{validation:?}");
    }
}

#[test]
fn unknown_fields_of_crds_are_warnings_or_an_error() {
    let mut crd = crd_with_all_keywords();
    let schema = crd.pointer_mut(SCHEMA).expect("a schema");
    schema["maxLenght"] = json!(1);
    schema["properties"]["a\"b"] = json!({"Type": "string"});
    let path = "spec.versions[0].schema.openAPIV3Schema";
    let expected_warnings = [
        format!("unknown field \"{path}.maxLenght\""),
        // A server escapes the paths of CRDs.
        format!("unknown field \"{path}.properties.a\\\"b.Type\""),
    ];
    let unknown_fields = crd::Review::new().unknown_fields(&crd);
    let near_names: Vec<_> = unknown_fields.iter().map(UnknownField::near_name).collect();
    assert_eq!(near_names, [Some("maxLength"), Some("type")]);
    let review = crd::Review::new();
    assert_eq!(review.create(&crd).warnings(), expected_warnings);
    let strict_report = review
        .field_validation(FieldValidation::Strict)
        .create(&crd);
    assert_eq!(
        strict_report.to_string(),
        format!(
            "CustomResourceDefinition in version \"v1\" cannot be handled as a CustomResourceDefinition: \
             strict decoding error: {}",
            expected_warnings.join(", ")
        )
    );
    let ignoring_report = review
        .field_validation(FieldValidation::Ignore)
        .create(&crd);
    assert_eq!(ignoring_report.warnings(), [""; 0]);
    let old = crd_with_all_keywords();
    let strict_review = review.field_validation(FieldValidation::Strict);
    assert_eq!(strict_review.update(&crd, &old), strict_report);
    // The stored CRD is not decoded strictly.
    assert_ne!(
        strict_review.update(&old, &crd).to_string(),
        strict_report.to_string()
    );
}

#[test]
fn unknown_fields_are_not_reported_if_a_keyword_has_a_wrong_type() {
    for (pointer, value) in [
        ("/maxLength", json!("five")),
        ("/items/maxLength", json!("five")),
        ("/definitions/a/enum", json!({})),
        ("/x-kubernetes-validations/0/rule", json!(1)),
    ] {
        let mut crd = crd_with_all_keywords();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let schema = crd.pointer_mut(SCHEMA).expect("a schema");
        schema["zzz"] = json!(1);
        schema.pointer_mut(parent).expect("an object")[name] = value;
        assert_eq!(
            crd::Review::new().unknown_fields(&crd).len(),
            0,
            "{pointer}"
        );
        let strict_review = crd::Review::new().field_validation(FieldValidation::Strict);
        let report = strict_review.create(&crd);
        assert!(!report.to_string().contains("zzz"), "{report}");
    }
}

#[test]
fn a_crd_reports_at_most_a_hundred_unknown_fields() {
    let mut crd = crd_with_all_keywords();
    for number in 0..120 {
        crd[format!("z{number:03}")] = json!(1);
    }
    assert_eq!(crd::Review::new().unknown_fields(&crd).len(), 100);
}

#[test]
fn an_api_version_or_kind_of_a_wrong_type_has_its_own_message() {
    for field in ["apiVersion", "kind", "Kind"] {
        let mut crd = crd_with_all_keywords();
        crd[field] = json!(5);
        let name = if field == "Kind" { "kind" } else { field };
        assert_eq!(
            crd::Review::new().create(&crd).to_string(),
            format!(
                "couldn't get version/kind; json parse error: json: cannot unmarshal number into \
                 Go struct field .{name} of type string"
            )
        );
    }
}

#[test]
fn an_update_checks_the_ca_bundle_since_1_31() {
    let conversion = json!({"strategy": "Webhook", "webhook": {
        "clientConfig": {"url": "https://example.com/convert"}, "conversionReviewVersions": ["v1"],
    }});
    let mut old = crd_with("/spec/conversion", conversion);
    set(
        &mut old,
        "/status",
        json!({
            "conditions": [{"type": "Established", "status": "True"}], "storedVersions": ["v1"],
        }),
    );
    let mut new = old.clone();
    set(
        &mut new,
        "/spec/conversion/webhook/clientConfig/caBundle",
        json!("eA=="),
    );
    for version in KubeVersion::all() {
        let report = crd::Review::new().version(version).update(&new, &old);
        assert_eq!(report.is_accepted(), version.minor() < 31, "{version}");
    }
}

/// 1.30 decodes `selectableFields`, and then drops the field, because the gate is off.
#[test]
fn selectable_fields_of_a_wrong_type_are_an_error_since_1_30() {
    let crd = crd_with("/spec/versions/0/selectableFields", json!(1));
    for version in KubeVersion::all() {
        let report = crd::Review::new().version(version).create(&crd);
        assert_eq!(report.is_accepted(), version.minor() < 30, "{version}");
    }
    let crd = crd_with(
        "/spec/versions/0/selectableFields",
        json!([{"jsonPath": ".missing"}]),
    );
    for version in KubeVersion::all() {
        let report = crd::Review::new().version(version).create(&crd);
        assert_eq!(report.is_accepted(), version.minor() < 31, "{version}");
    }
}

/// The expected values were recorded from the Go types of the server.
#[test]
fn the_stored_form_of_each_field_is_the_form_of_the_server() {
    let cases: Value = serde_json::from_str(include_str!("cases/stored_crds.json")).unwrap();
    let fields = cases["fields"].as_array().unwrap();
    assert!(fields.len() > 300, "{}", fields.len());
    for field in fields {
        let pointer = field["pointer"].as_str().unwrap();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let with_value = |value: Option<&Value>| {
            let mut crd = cases["crd"].clone();
            let parent = crd.pointer_mut(parent).unwrap().as_object_mut().unwrap();
            match value {
                Some(value) => parent.insert(name.to_owned(), value.clone()),
                None => parent.remove(name),
            };
            crd
        };
        let mut crd = with_value(field.get("value"));
        crd::to_stored_form(&mut crd);
        assert_eq!(crd, with_value(field.get("stored")), "{field}");
        // Each removed field is named.
        let mut crd = with_value(field.get("value"));
        let paths = crd::remove_unstored_fields(&mut crd);
        let is_removed = crd.pointer(pointer).is_none();
        let paths = paths
            .iter()
            .map(|path| path.find(&with_value(field.get("value"))).cloned());
        let values: Vec<Option<Value>> = paths.collect();
        assert_eq!(
            values,
            Vec::from_iter(is_removed.then(|| field.get("value").cloned())),
            "{field}"
        );
    }
    let mut crd = cases["without_defaults"].clone();
    crd::to_stored_form(&mut crd);
    assert_eq!(crd, cases["with_defaults"]);
}

#[test]
fn unstored_fields_are_removed_from_nested_schemas() {
    let removed_paths = |schema: Value| {
        let mut crd = crd_with("/spec/versions/0/schema/openAPIV3Schema", schema);
        let paths = crd::remove_unstored_fields(&mut crd);
        paths.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let schema = json!({"type": "object", "nullable": false});
    for (keyword, value, pointer) in [
        ("items", json!([schema]), "items[0].nullable"),
        ("items", json!(schema), "items.nullable"),
        ("allOf", json!([schema]), "allOf[0].nullable"),
        ("properties", json!({"a": schema}), "properties.a.nullable"),
    ] {
        let path = format!("spec.versions[0].schema.openAPIV3Schema.{pointer}");
        assert_eq!(removed_paths(json!({ keyword: value })), [path]);
    }
    // A server does not decode a value of a wrong type, so no field is removed.
    assert_eq!(removed_paths(json!({"allOf": {"a": schema}})), [""; 0]);
}

/// Returns the errors of a create of a CRD whose spec has this schema.
fn create_errors_of_spec(schema: Value) -> Vec<String> {
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
    create_errors(&crd_with(pointer, schema))
}

#[test]
fn a_default_may_have_undescribed_resource_fields_only_in_a_resource() {
    let resource = json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
        "default": {"apiVersion": "v1", "kind": "Pod"},
    });
    assert_eq!(create_errors_of_spec(resource), [""; 0]);
    let object = json!({"type": "object", "default": {"kind": "Pod"}});
    assert_eq!(
        create_errors_of_spec(object),
        [
            "spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: \
         {\"kind\":\"Pod\"}: must not have unknown fields"
        ]
    );
}

/// The default cannot be decoded, so its other errors are not reported.
#[test]
fn an_api_version_of_a_wrong_type_is_the_only_error_of_a_default() {
    let resource = json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true, "default": {"apiVersion": 1},
    });
    assert_eq!(
        create_errors_of_spec(resource),
        [
            "spec.validation.openAPIV3Schema.properties[spec].default.apiVersion: Invalid value: 1: \
         must be a string"
        ]
    );
}

#[test]
fn the_field_path_of_a_rule_ends_at_a_value_without_a_schema() {
    for (field_path, is_accepted) in [("['a']", true), ("['a']['b']", false)] {
        let rules = json!([{"rule": "true", "fieldPath": field_path}]);
        let schema = json!({
            "type": "object", "additionalProperties": true, "x-kubernetes-validations": rules,
        });
        let errors = create_errors_of_spec(schema);
        assert_eq!(errors.is_empty(), is_accepted, "{errors:?}");
    }
}

/// Returns the errors of an update on a server of 1.30 with all feature gates off. `new` and `old`
/// are the values at a pointer in the first version.
fn errors_of_1_30(pointer: &str, new: &Value, old: &Value) -> Vec<String> {
    let crd = |value: &Value| crd_with(&format!("/spec/versions/0/{pointer}"), value.clone());
    let review = crd::Review::new().version(version(30)).ratchet(Some(false));
    let report = review.update(&crd(new), &crd(old));
    report.errors().iter().map(ToString::to_string).collect()
}

/// A server drops a field whose feature gate is off, unless the stored CRD has the field.
#[test]
fn a_disabled_field_is_kept_if_the_stored_crd_has_a_value_of_the_field() {
    let missing = "spec.selectableFields[0].jsonPath: ";
    let fields = json!([{"jsonPath": ".missing"}]);
    for (stored, is_kept) in [
        (json!(null), false),
        (json!([]), false),
        (fields.clone(), true),
    ] {
        let errors = errors_of_1_30("selectableFields", &fields, &stored);
        assert_eq!(errors.len(), usize::from(is_kept), "{stored}: {errors:?}");
        assert!(
            errors.iter().all(|error| error.starts_with(missing)),
            "{errors:?}"
        );
    }
    let rule =
        |optional: Value| json!([{"rule": "oldSelf.hasValue()", "optionalOldSelf": optional}]);
    for (stored, is_kept) in [
        (json!(null), false),
        (json!(false), true),
        (json!(true), true),
    ] {
        let errors = errors_of_1_30(
            "schema/openAPIV3Schema/x-kubernetes-validations",
            &rule(json!(true)),
            &rule(stored.clone()),
        );
        assert_eq!(errors.len(), usize::from(!is_kept), "{stored}: {errors:?}");
    }
}

/// The rules call a function that was introduced in 1.30, which a server of 1.30 allows only in
/// stored rules.
#[test]
fn an_update_may_keep_rules_that_new_rules_must_not_have() {
    let pointer = "schema/openAPIV3Schema/properties/spec/x-kubernetes-validations";
    let undeclared = "undeclared reference to 'isIP' (in container '')";
    let other = json!([{"rule": "true", "messageExpression": "'a'"}]);
    for rule in [
        json!([{"rule": "!isIP('a')"}]),
        json!([{"rule": "true", "messageExpression": "isIP('a') ? 'b' : 'c'"}]),
    ] {
        assert_eq!(errors_of_1_30(pointer, &rule, &rule), [""; 0], "{rule}");
        let errors = errors_of_1_30(pointer, &rule, &other);
        assert_eq!(errors.len(), 1, "{rule}: {errors:?}");
        assert!(errors[0].contains(undeclared), "{rule}: {errors:?}");
    }
}

/// A server compares the decoded schemas of two versions.
#[test]
fn versions_share_a_schema_if_its_decoded_form_is_equal() {
    let titled = |title: &str| json!({"a": {"type": "string", "title": title}, "b": ["c"]});
    for (keyword, first, second, is_shared) in [
        ("dependencies", json!({}), json!(null), true),
        (
            "dependencies",
            titled(""),
            json!({"a": {"type": "string"}, "b": ["c"]}),
            true,
        ),
        ("dependencies", titled(""), titled("a"), false),
        ("maxLength", json!(1), json!(1), true),
        ("maxLength", json!(1), json!(2), false),
        ("maxLength", json!(0), json!(null), false),
    ] {
        let mut crd = valid_crd();
        let mut other_version = crd["spec"]["versions"][0].clone();
        other_version["name"] = json!("v2");
        other_version["storage"] = json!(false);
        crd["spec"]["versions"] = json!([crd["spec"]["versions"][0], other_version]);
        for (index, value) in [&first, &second].into_iter().enumerate() {
            let schema = format!("/spec/versions/{index}/schema/openAPIV3Schema");
            set(&mut crd, &format!("{schema}/{keyword}"), value.clone());
            set(&mut crd, &format!("{schema}/nullable"), json!(true));
        }
        let errors = create_errors(&crd);
        let shared_path = "spec.validation.openAPIV3Schema.";
        assert_eq!(
            errors.iter().all(|error| error.starts_with(shared_path)),
            is_shared,
            "{keyword} {first} {second}: {errors:?}"
        );
    }
}

/// Returns the errors of a CRD whose objects have a property `p` with a schema.
fn property_errors(schema: Value) -> Vec<String> {
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/properties/p";
    create_errors(&crd_with(pointer, schema))
}

const PROPERTY: &str = "spec.validation.openAPIV3Schema.properties[p]";

/// An error of a keyword prevents the compilation of the rules of the same schema. If a server
/// cannot decode the schema, no other error is reported.
#[test]
fn an_invalid_keyword_or_rule_of_a_schema_is_an_error() {
    let unique = "uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime \
                  complexity becomes quadratic";
    for (schema, expected) in [
        (
            json!({"type": "object", "x-kubernetes-validations": [{"rule": 1}]}),
            vec![format!(
                "{PROPERTY}.x-kubernetes-validations[0].rule: Invalid value: must be a string"
            )],
        ),
        (
            json!({"type": "object", "uniqueItems": true, "x-kubernetes-validations": [{"rule": 1}]}),
            vec![format!(
                "{PROPERTY}.x-kubernetes-validations[0].rule: Invalid value: must be a string"
            )],
        ),
        (
            json!({"type": "object", "uniqueItems": true, "x-kubernetes-validations": ["rule"]}),
            vec![format!(
                "{PROPERTY}.x-kubernetes-validations[0]: Invalid value: must be an object"
            )],
        ),
        // The expression is not compiled, because the schema has another error.
        (
            json!({"type": "object", "uniqueItems": true, "x-kubernetes-validations": [{"rule": "1"}]}),
            vec![format!("{PROPERTY}.{unique}")],
        ),
        (
            json!({
                "type": "array", "x-kubernetes-list-type": "set",
                "items": {
                    "type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"},
                },
            }),
            vec![format!(
                "{PROPERTY}.items.x-kubernetes-list-type: Invalid value: \"set\": must be atomic as item of a list with x-kubernetes-list-type=set"
            )],
        ),
        (
            json!({
                "type": "object", "x-kubernetes-embedded-resource": true,
                "x-kubernetes-preserve-unknown-fields": true,
                "properties": {"apiVersion": {"type": "integer"}},
            }),
            vec![format!(
                "{PROPERTY}.properties[apiVersion].type: Invalid value: \"integer\": must be string"
            )],
        ),
    ] {
        assert_eq!(property_errors(schema.clone()), expected, "{schema}");
    }
}

/// Only rules with at least 1% of the limit are reported if the total cost is too high.
#[test]
fn a_cheap_rule_does_not_contribute_to_a_total_that_is_too_high() {
    let errors = property_errors(json!({
        "type": "array", "items": {"type": "array", "items": {"type": "string"}},
        "x-kubernetes-validations": [
            {"rule": "self.all(x, self.all(y, x == y))"}, {"rule": "self.size() > 0"},
        ],
    }));
    let contributions = errors
        .iter()
        .filter(|error| error.contains("contributed to"));
    let contributions: Vec<_> = contributions.collect();
    assert_eq!(contributions.len(), 1, "{errors:?}");
    assert!(contributions[0].starts_with(&format!("{PROPERTY}.x-kubernetes-validations[0].rule")));
}

#[test]
fn a_list_of_schemas_is_printed_in_the_error_of_a_list_with_keys() {
    let list = |items: Value| {
        property_errors(json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
            "items": items,
        }))
    };
    let errors = list(json!([{"type": "object"}]));
    let detail = "must only have a single schema if x-kubernetes-list-type is map";
    let error = errors
        .iter()
        .find(|error| error.ends_with(detail))
        .expect("the error");
    let start = format!(
        "{PROPERTY}.items: Invalid value: {{\"Schema\":null,\"JSONSchemas\":[{{\"ID\":\"\","
    );
    assert!(error.starts_with(&start), "{error}");
    assert!(error.contains(r#""Type":"object","#), "{error}");
}

#[test]
fn keywords_of_a_right_type_do_not_hide_unknown_fields() {
    for (keyword, value, expected_count) in [
        ("maxLength", json!(5), 1),
        ("maxLength", json!(5.5), 0),
        ("items", json!([{"maxLength": 5}]), 1),
        ("items", json!([{"maxLength": "five"}]), 0),
    ] {
        let mut crd = crd_with_all_keywords();
        let schema = crd.pointer_mut(SCHEMA).expect("a schema");
        schema["zzz"] = json!(1);
        schema[keyword] = value.clone();
        let count = crd::Review::new().unknown_fields(&crd).len();
        assert_eq!(count, expected_count, "{keyword} {value}");
    }
}
