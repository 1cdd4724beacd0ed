//! Tests of the errors of schemas and of CRDs that do not compile.

use k8s_cel::{Feature, FeatureKind};
use k8s_crd_validation::{KubeVersion, ServerSettings, StructuralSchema, crd};
use serde_json::{Value, json};

use crate::hostile::drop_iteratively;

fn version(minor: u16) -> KubeVersion {
    KubeVersion::from_minor(minor).expect("a known version")
}

/// Returns the errors of a schema whose `spec` has another schema.
fn schema_errors(spec: Value) -> String {
    let schema = json!({"type": "object", "properties": {"spec": spec}});
    let result = StructuralSchema::compile(&schema);
    result.expect_err("the schema is invalid").to_string()
}

#[test]
fn a_version_without_a_schema_is_an_error() {
    let crd = |versions: Value| json!({"spec": {"group": "example.com", "versions": versions}});
    for (versions, name, expected) in [
        (
            json!([{"name": "v1", "storage": true}]),
            "v2",
            "spec.versions: Invalid value: unknown version \"v2\"; use one of: \"v1\"",
        ),
        (
            json!([{"name": "v1", "storage": true}]),
            "v1",
            "spec.validation.openAPIV3Schema: Required value: schemas are required",
        ),
    ] {
        let result = StructuralSchema::compiler().crd(&crd(versions), Some(name));
        let report = result.expect_err("the version has no schema");
        assert_eq!(report.to_string(), expected);
    }
}

/// Returns a value of a wrong type for each keyword.
fn wrong_values() -> Vec<(&'static str, Value)> {
    let strings = [
        "$ref",
        "$schema",
        "description",
        "format",
        "id",
        "pattern",
        "title",
        "type",
        "x-kubernetes-list-type",
        "x-kubernetes-map-type",
    ];
    let numbers = [
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
    ];
    let booleans = [
        "exclusiveMaximum",
        "exclusiveMinimum",
        "nullable",
        "uniqueItems",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-int-or-string",
        "x-kubernetes-preserve-unknown-fields",
    ];
    let lists = [
        "allOf",
        "anyOf",
        "enum",
        "oneOf",
        "required",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-validations",
    ];
    let objects = [
        "definitions",
        "dependencies",
        "patternProperties",
        "properties",
    ];
    let of_type = |keywords: &[&'static str], value: Value| -> Vec<_> {
        let keywords = keywords.iter();
        keywords.map(|keyword| (*keyword, value.clone())).collect()
    };
    [
        of_type(&strings, json!(5)),
        of_type(&numbers, json!("5")),
        of_type(&booleans, json!(1)),
        of_type(&lists, json!({"a": 1})),
        of_type(&objects, json!([1])),
    ]
    .concat()
}

/// Returns schemas that have another error and contain a schema, with the path of that schema.
fn schemas_around(inner: &Value) -> Vec<(&'static str, Value)> {
    let with = |keyword: &str, value: Value| json!({"type": "object", "id": "x", keyword: value});
    let mut direct = json!({"type": "object", "uniqueItems": true});
    direct
        .as_object_mut()
        .expect("an object")
        .extend(inner.as_object().cloned().expect("an object"));
    vec![
        ("", direct),
        (".properties[a]", with("properties", json!({"a": inner}))),
        (".items", with("items", inner.clone())),
        (".items[1]", with("items", json!([{}, inner]))),
        (
            ".additionalProperties",
            with("additionalProperties", inner.clone()),
        ),
        (".allOf[0]", with("allOf", json!([inner]))),
        (".anyOf[0]", with("anyOf", json!([inner]))),
        (".oneOf[0]", with("oneOf", json!([inner]))),
        (".not", with("not", inner.clone())),
        (".definitions[a]", with("definitions", json!({"a": inner}))),
        (
            ".dependencies[a]",
            with("dependencies", json!({"a": inner})),
        ),
    ]
}

/// A server cannot decode such a schema, so that other errors are not reported.
#[test]
fn a_keyword_of_a_wrong_type_is_the_only_error() {
    for (keyword, value) in wrong_values() {
        for (place, schema) in schemas_around(&json!({ keyword: value })) {
            let schema = json!({"type": "object", "properties": {"spec": schema}});
            let crd = json!({
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": {"name": "docs.example.com"},
                "spec": {
                    "group": "example.com", "scope": "Cluster",
                    "names": {"kind": "Doc", "plural": "docs"},
                    "versions": [{
                        "name": "v1", "served": true, "storage": true,
                        "schema": {"openAPIV3Schema": schema},
                    }],
                },
            });
            let start = format!(
                "spec.validation.openAPIV3Schema.properties[spec]{place}.{keyword}: Invalid value: must be "
            );
            let compiled = StructuralSchema::compile(&schema);
            for report in [
                compiled.expect_err("the schema is invalid"),
                crd::Review::new().create(&crd),
            ] {
                assert_eq!(report.errors().len(), 1, "{place} {keyword}: {report}");
                assert!(
                    report.to_string().starts_with(&start),
                    "{place} {keyword}: {report}"
                );
            }
        }
    }
}

/// A server cannot decode such a schema, so that other errors are not reported.
#[test]
fn a_rule_of_a_wrong_type_is_the_only_error() {
    let rules = json!([{"rule": 1}]);
    let path = "spec.validation.openAPIV3Schema.properties[spec]";
    for schema in [
        json!({"type": "object", "x-kubernetes-validations": rules}),
        json!({"type": "object", "uniqueItems": true, "x-kubernetes-validations": rules}),
        json!({"type": "object", "id": "x", "x-kubernetes-validations": rules}),
    ] {
        assert_eq!(
            schema_errors(schema.clone()),
            format!("{path}.x-kubernetes-validations[0].rule: Invalid value: must be a string"),
            "{schema}"
        );
    }
}

/// A server of 1.29 checks a new rule with the functions of 1.28, and evaluates the rule with the
/// functions of 1.29. In 1.28, `join` fails for integers or strings.
#[test]
fn a_new_rule_is_evaluated_with_the_functions_for_stored_rules() {
    let list = json!({
        "type": "array", "maxItems": 5,
        "items": {"x-kubernetes-int-or-string": true, "maxLength": 5},
        "x-kubernetes-validations": [{"rule": "self.join(',') == 'x,y'", "message": "no list"}],
    });
    let schema = json!({"type": "object", "properties": {"list": list}});
    // Only the CEL libraries of this version differ from the libraries for new rules.
    let features = Feature::ALL.iter().copied();
    let old_features = features.filter(|feature| {
        feature.kind() != FeatureKind::Library && *feature != Feature::CompatibilityVersion
    });
    let mixed = version(29).with_features_of(version(27), old_features);
    for version in [version(28), version(29), version(30), mixed] {
        let compiler = StructuralSchema::compiler().version(version);
        let schema = compiler.schema(&schema).expect("the rule compiles");
        let mut new = json!({"metadata": {"name": "a"}, "list": ["x", "y"]});
        let report = schema.create(&mut new, &ServerSettings::default().version(version));
        assert_eq!(
            report.is_accepted(),
            version.minor() >= 29,
            "{version}: {report}"
        );
    }
}

/// A server of 1.25 drops the newer keywords of rules from a copy of the schema.
#[test]
fn a_deep_schema_is_an_error_if_keywords_are_dropped() {
    let object_of = |name: &str, value| Value::from_iter([(name.to_owned(), value)]);
    let schema = (0..100_000).fold(json!({}), |inner, _| object_of("not", inner));
    let compiler = StructuralSchema::compiler().version(version(25));
    let report = compiler.schema(&schema).expect_err("the schema is deep");
    assert!(
        report.to_string().contains("more than 200 levels"),
        "{report}"
    );
    let crd = object_of("spec", schema);
    let report = crd::Review::new().version(version(25)).create(&crd);
    assert_eq!(
        report.to_string(),
        "the CRD has more than 500 levels; make it flatter"
    );
    drop_iteratively(crd);
}
