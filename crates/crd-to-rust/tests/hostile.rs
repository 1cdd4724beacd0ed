//! Tests with invalid and random CRDs: the crate generates code or returns an error, without a
//! panic and in linear time.

use crd_to_rust::{Settings, generate};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{crd_with_properties, crd_with_spec, generate_code, generate_error};

#[test]
fn values_that_are_not_crds_are_rejected() {
    assert_eq!(
        generate_error(&json!({})).to_string(),
        "spec.names.kind: missing; expected a CustomResourceDefinition"
    );
    let mut crd = crd_with_properties(&json!({}));
    crd["spec"]["versions"][0]["served"] = false.into();
    assert_eq!(
        generate_error(&crd).to_string(),
        "spec.versions: no version is served; select a version"
    );
    let mut crd_without_versions = crd.clone();
    crd_without_versions["spec"]["versions"].take();
    assert_eq!(
        generate_error(&crd_without_versions).to_string(),
        "spec.versions: no versions; expected a CRD of apiextensions.k8s.io/v1"
    );
    crd["spec"]["versions"][0] = json!({"name": "v1", "served": true});
    assert_eq!(
        generate_error(&crd).path().unwrap().as_str(),
        "spec.versions[0].schema.openAPIV3Schema"
    );
    let no_crds_error = generate(&[], &Settings::default()).unwrap_err();
    assert_eq!(
        (no_crds_error.path(), no_crds_error.setting_name()),
        (None, Some("crds"))
    );
}

#[test]
fn invalid_schemas_are_rejected() {
    let path = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[x]";
    let error_of =
        |schema: Value| generate_error(&crd_with_properties(&json!({ "x": schema }))).to_string();
    assert_eq!(
        error_of(json!(true)),
        format!("{path}: a schema must be an object, not true")
    );
    assert_eq!(
        error_of(json!({"$ref": "#/a"})),
        format!("{path}: `$ref` is not supported in a CRD; replace it with the referenced schema")
    );
    assert_eq!(
        error_of(json!({"type": "array"})),
        format!("{path}: missing `items`, which an array must have")
    );
    assert!(error_of(json!({})).contains("missing `type`"));
    assert!(error_of(json!({"type": "null"})).contains("unknown type \"null\""));
}

#[test]
fn schemas_and_json_deeper_than_the_limits_are_rejected() {
    let nested_objects = |levels: usize| {
        (0..levels).fold(
            json!({"type": "string"}),
            |inner_schema, _| json!({"type": "object", "properties": {"a": inner_schema}}),
        )
    };
    assert!(generate_code(&crd_with_spec(&nested_objects(40))).contains("ShopAAAA"));
    assert!(
        generate_error(&crd_with_spec(&nested_objects(80)))
            .to_string()
            .contains("nesting of the schema exceeds the limit of 64 levels")
    );
    let nested_not = (0..200).fold(json!({}), |inner_schema, _| json!({"not": inner_schema}));
    let error = generate_error(&crd_with_properties(
        &json!({"x": {"type": "string", "not": nested_not}}),
    ));
    assert!(
        error
            .to_string()
            .contains("nesting of the JSON exceeds the limit of 200 levels"),
        "{error}"
    );
}

#[test]
fn the_work_is_linear_in_the_number_of_properties() {
    // The allocations are the same on every machine, and measure the work.
    let allocations = |count: usize| {
        let union_schema = |index: usize| {
            json!({
                "type": "object", "required": ["type"],
                "properties": {
                    "type": {"type": "string", "enum": ["A", "B"]},
                    "a": {"type": "string", "maxLength": index},
                    "b": {"type": "object", "properties": {"c": {"type": "integer", "enum": [index]}}},
                },
                "x-kubernetes-validations": [
                    {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
                    {"rule": "self.type == 'B' ? has(self.b) : !has(self.b)"},
                ],
            })
        };
        let properties = (0..count).map(|index| {
            let object_schema =
                json!({"type": "object", "properties": {"b": {"type": "string", "maxLength": index}}});
            let property = if index % 10 == 0 { union_schema(index) } else { object_schema };
            (format!("a{index}"), property)
        });
        let crd = crd_with_properties(&Value::Object(properties.collect()));
        allocation_counter::measure(|| {
            let generated = generate(&[crd], &Settings::default()).unwrap();
            assert!(generated.to_source().unwrap().len() > count * 100);
        })
    };
    let (small_run, large_run) = (allocations(1_000), allocations(10_000));
    assert!(
        large_run.count_total < small_run.count_total * 11,
        "{small_run:?}, {large_run:?}"
    );
    assert!(
        large_run.bytes_total < small_run.bytes_total * 11,
        "{small_run:?}, {large_run:?}"
    );
}

#[test]
fn ten_thousand_fields_with_equal_rust_names_are_generated() {
    let names = (0..10_000).map(|index| {
        (
            "-".repeat(index % 200 + 1) + &"_".repeat(index / 200 + 1),
            json!({"type": "string"}),
        )
    });
    let crd = crd_with_properties(&Value::Object(names.collect()));
    assert!(generate(&[crd], &Settings::default()).is_ok());
}

/// Returns names that the generator handles in special ways.
fn special_name() -> impl Strategy<Value = &'static str> + Clone {
    prop_oneof![
        Just("type"),
        Just("self"),
        Just("a"),
        Just("A"),
        Just("1"),
        Just(""),
        Just("größe"),
        Just("\u{202e}x"),
        Just("*/"),
        Just("rest"),
        Just("\u{1}"),
        Just("Self"),
        Just("_"),
        Just("a\"b"),
        Just("fooValidated"),
    ]
}

fn any_string() -> impl Strategy<Value = String> + Clone {
    prop_oneof![
        special_name().prop_map(str::to_owned),
        any::<String>(),
        Just("```\n    x\r\n#![y]".to_owned()),
        Just("self.type == 'A' ? has(self.a) : !has(self.a)".to_owned()),
    ]
}

/// Returns schemas without fields and elements.
fn scalar_schema() -> impl Strategy<Value = Value> {
    let string = any_string();
    let parts = (
        prop_oneof![
            Just("string"),
            Just("integer"),
            Just("number"),
            Just("boolean"),
            Just("object"),
            Just("nothing")
        ],
        string.clone(),
        proptest::collection::vec(string.clone(), 0..4),
        any::<(bool, bool, i64, f64)>(),
    );
    parts.prop_map(|(ty, string, values, (nullable, keeps_unknown, integer, float))| {
        let mut schema = json!({"type": ty, "description": string, "nullable": nullable, "maximum": integer, "multipleOf": float});
        if !values.is_empty() {
            schema["enum"] = json!(values);
            schema["default"] = json!({"a": values, "b": float, "c": integer});
        }
        if keeps_unknown {
            schema["x-kubernetes-preserve-unknown-fields"] = true.into();
        }
        schema["x-kubernetes-validations"] = json!([{"rule": string, "message": string, "reason": "FieldValueInvalid"}]);
        schema
    })
}

/// Returns schemas of any shape.
fn any_schema() -> impl Strategy<Value = Value> {
    let scalar = scalar_schema();
    scalar.prop_recursive(5, 40, 6, |inner_schemas| {
        let properties = proptest::collection::vec((special_name(), inner_schemas.clone()), 0..6);
        let object = (properties, any_string()).prop_map(|(properties, rule)| {
            let required: Vec<&str> = properties.iter().map(|(name, _)| *name).take(2).collect();
            let branches: Vec<Value> = required.iter().map(|name| json!({"required": [name]})).collect();
            let mut schema = json!({"type": "object", "required": required, "x-kubernetes-validations": [{"rule": rule}]});
            if !branches.is_empty() {
                schema["oneOf"] = branches.into();
            }
            let properties = properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone()));
            schema["properties"] = Value::Object(properties.collect::<Map<_, _>>());
            schema
        });
        prop_oneof![
            object,
            inner_schemas.clone().prop_map(|schema| json!({"type": "array", "items": schema, "maxItems": 3})),
            inner_schemas.prop_map(|schema| json!({"type": "object", "additionalProperties": schema})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_code_is_rust(schema in any_schema(), kind in "[A-Za-z0-9-]{1,8}", is_schema_disabled in any::<bool>()) {
        let mut crd = crd_with_spec(&schema);
        crd["spec"]["names"]["kind"] = kind.into();
        let mut settings = Settings::default();
        if is_schema_disabled {
            settings.schema = crd_to_rust::SchemaOutput::Disabled;
        }
        match generate(&[crd], &settings) {
            Ok(generated) => {
                let code = generated.to_source().unwrap();
                prop_assert!(syn::parse_file(&code).is_ok(), "{}", code);
                for file in generated.files().unwrap() {
                    prop_assert!(syn::parse_file(&file.content).is_ok());
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
