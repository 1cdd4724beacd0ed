//! Tests of finding the declared unions in every part of a schema.

use std::fmt::Write as _;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use union_json::openapi::{to_openapi_v2, to_openapi_v3};
use union_json::{SchemaError, SchemaSource, Unions};
use union_runtime::spec::{UnionModel, UnionSpec, UnionType};
use union_runtime::{Settings, Violation, schema_for};

use crate::models::{
    AtMostOne, BothShapes, ClosedDeduced, Defaulted, EmptyValue, MemberTypes,
    OptionalDiscriminator, OptionalMember, OptionalText, Required, Several,
};

/// Returns a union as one line: the discriminator with its values, and the members with theirs.
pub(crate) fn describe_union(union: &UnionSpec<'_>) -> String {
    let mut line = String::new();
    if let Some(discriminator) = union.discriminator() {
        let values: Vec<&str> = discriminator.values().iter().collect();
        let required = if discriminator.is_required() {
            "!"
        } else {
            "?"
        };
        write!(line, "{}{required}{values:?} ", discriminator.name()).expect("a string");
    }
    let mut members: Vec<String> = union
        .members()
        .map(|member| {
            // In the 2019 model all members are optional.
            let is_optional = member.is_optional() || union.model() != UnionModel::Discriminated;
            let optional = if is_optional { "?" } else { "" };
            format!("{}{optional}={}", member.name(), member.value())
        })
        .collect();
    members.sort();
    line + &members.join(" ")
}

/// Returns the unions as lines, sorted.
pub(crate) fn lines(unions: &Unions) -> Vec<String> {
    let mut lines: Vec<String> = unions.iter().map(|union| describe_union(&union)).collect();
    lines.sort();
    lines
}

fn union_lines(schema: &Value) -> Vec<String> {
    lines(
        &Unions::compile(SchemaSource::Schema(schema))
            .unwrap_or_else(|error| panic!("{error}: {schema:#}")),
    )
}

/// Returns the schema of an object with a union.
pub(crate) fn choice() -> Value {
    json!({
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {
                "type": "string",
                "enum": ["A", "B"],
                "x-kubernetes-unions": {"fieldMembers": {"A": {"name": "a", "optional": false}, "B": null}},
            },
            "a": {"type": "integer"},
        },
    })
}

pub(crate) const CHOICE: &str = r#"type!["A", "B"] a=A"#;

/// Returns the schema of an object whose union has no discriminator.
fn pair() -> Value {
    json!({
        "type": "object",
        "properties": {"left": {}, "right": {}},
        "x-kubernetes-unions": [{"fields-to-discriminateBy": {"left": "Left", "right": "Right"}}],
    })
}

const PAIR: &str = "left?=Left right?=Right";

/// Returns the schema of a type as a document with references.
fn document<T: JsonSchema>() -> Value {
    SchemaSettings::openapi3()
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

#[test]
fn the_unions_of_the_schema_equal_the_unions_of_the_type() {
    fn check<T: UnionType + JsonSchema>() {
        let mut expected = Vec::new();
        T::visit_unions(&mut |union| expected.push(describe_union(union)));
        expected.sort();
        for schema in [schema_for::<T>().to_value(), document::<T>()] {
            assert_eq!(union_lines(&schema), expected);
        }
        let v2 = to_openapi_v2(schema_for::<T>().to_value());
        assert_eq!(union_lines(&v2), expected);
        assert_eq!(union_lines(&to_openapi_v3(v2)), expected);
    }
    check::<Required>();
    check::<OptionalMember>();
    check::<OptionalDiscriminator>();
    check::<Defaulted>();
    check::<EmptyValue>();
    check::<ClosedDeduced>();
    check::<OptionalText>();
    check::<BothShapes>();
    check::<MemberTypes>();
    check::<AtMostOne>();
    check::<Several>();
}

#[test]
fn unions_are_found_in_all_subschemas() {
    for schema in [
        choice(),
        json!({"properties": {"spec": {"properties": {"source": choice()}}}}),
        json!({"items": choice()}),
        json!({"additionalProperties": choice()}),
        json!({"properties": {"a/b~c": {"items": {"additionalProperties": {"items": choice()}}}}}),
        json!({"properties": {"known": {}}, "additionalProperties": choice()}),
        json!({"allOf": [{"description": "no more than that"}, choice()]}),
        json!({"allOf": [{"allOf": [{"allOf": [choice()]}]}]}),
        json!({"anyOf": [choice(), {"type": "null"}]}),
        json!({"oneOf": [{"type": ["null"]}, choice()]}),
        json!({"anyOf": [{"enum": [null]}, {"const": null}, choice()]}),
        json!({"anyOf": [choice()]}),
        to_openapi_v2(json!({"properties": {"x": {"anyOf": [choice(), {"type": "null"}]}}})),
        json!({"nullable": true, "allOf": [choice()]}),
        json!({"$ref": "#/$defs/choice", "$defs": {"choice": choice()}}),
        json!({"$ref": "#/definitions/a~1b~0c", "definitions": {"a/b~c": choice()}}),
        json!({"$ref": "#/$defs/a%20b%7E1%C3%BC", "$defs": {"a b/ü": choice()}}),
        json!({"$ref": "#/$defs/50%", "$defs": {"50%": choice()}}),
        json!({"allOf": [{"$ref": "#/$defs/1"}], "$defs": {"1": {"$ref": "#/$defs/2"}, "2": choice()}}),
        json!({"items": {"anyOf": [{"$ref": "#/$defs/choice"}, {"type": "null"}]}, "$defs": {"choice": choice()}}),
    ] {
        assert_eq!(union_lines(&schema), [CHOICE], "{schema}");
    }
}

#[test]
fn schemas_without_unions_have_none() {
    for schema in [
        json!({}),
        json!(true),
        json!(false),
        json!({"properties": {"a": true, "b": {"items": false}, "c": {"additionalProperties": true}}}),
        json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "not": {"type": "null"}}),
        json!({"$defs": {"choice": choice()}, "definitions": {"choice": choice()}}),
        json!({"x-kubernetes-unions": []}),
        json!({"default": choice(), "example": choice(), "enum": [choice()]}),
    ] {
        assert_eq!(union_lines(&schema), [""; 0], "{schema}");
        let unions = Unions::compile(SchemaSource::Schema(&schema))
            .expect("a well-formed schema or document");
        assert_eq!(
            unions.is_empty(),
            schema.get("x-kubernetes-unions").is_none()
        );
        let mut object = json!({"type": "A", "b": [1], "spec": {"type": "B", "a": 1}});
        let original = object.clone();
        let report = unions.admit(&mut object, Some(&json!(5)), &Settings::default());
        assert!(report.is_accepted() && report.changes().is_empty());
        assert_eq!(object, original);
    }
}

#[test]
fn combined_subschemas_are_read_as_one_schema() {
    let discriminator = |more: Value| {
        let mut property = choice()["properties"]["type"].clone();
        property.as_object_mut().expect("an object").remove("enum");
        json!({"allOf": [property, {"type": "string", "enum": ["B", "A"]}, more]})
    };
    // The extension, the enum, the default and `required` are each in another schema.
    let schema = json!({
        "required": ["other"],
        "allOf": [
            {"properties": {"type": discriminator(json!({"default": "B"}))}},
            {"properties": {"a": {}, "other": {}}},
            {"required": ["a", "type"]},
        ],
    });
    assert_eq!(union_lines(&schema), [r#"type!["B", "A"] a=A"#]);
    let unions =
        Unions::compile(SchemaSource::Schema(&schema)).expect("a well-formed schema or document");
    // Absent is B.
    let report = unions.validate(&json!({"a": 1}));
    let paths: Vec<_> = report.errors().iter().map(Violation::path).collect();
    assert_eq!(paths, ["a"]);
    // The object gets a union of each kind, from two schemas.
    assert_eq!(
        union_lines(&json!({"allOf": [choice(), pair()]})),
        [PAIR, CHOICE]
    );
    assert_eq!(
        union_lines(
            &json!({"allOf": [choice(), {"items": pair()}], "additionalProperties": choice()})
        ),
        [PAIR, CHOICE, CHOICE]
    );
}

#[test]
fn unions_are_found_through_every_reference() {
    let schema = json!({
        "properties": {"one": {"$ref": "#/$defs/C"}, "two": {"allOf": [{"$ref": "#/$defs/C"}]}},
        "allOf": [{"properties": {"one": {"description": "the same field"}}}, {"$ref": "#/$defs/rest"}],
        "$defs": {"C": choice(), "rest": {"additionalProperties": {"$ref": "#/$defs/C"}}},
    });
    let unions =
        Unions::compile(SchemaSource::Schema(&schema)).expect("a well-formed schema or document");
    let invalid_object = json!({"type": "B", "a": 1});
    let object = json!({"one": invalid_object, "two": invalid_object, "three": invalid_object});
    let report = unions.validate(&object);
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    assert_eq!(paths, ["one.a", "two.a", "[three].a"]);
}

#[test]
fn two_spellings_of_a_reference_are_the_same_schema() {
    let schema = json!({
        "allOf": [{"$ref": "#/$defs/a%20b"}, {"$ref": "#/$defs/a b"}],
        "$defs": {"a b": choice()},
    });
    assert_eq!(union_lines(&schema), [CHOICE]);
}

#[test]
fn the_values_of_a_pruned_enum_are_read_from_the_members() {
    let mut schema = choice();
    schema["properties"]["type"]
        .as_object_mut()
        .expect("an object")
        .remove("enum");
    assert_eq!(union_lines(&schema), [CHOICE]);
    schema["properties"]["type"]["enum"] = json!(["A", null, "B", "A"]);
    assert_eq!(
        union_lines(&schema),
        [CHOICE],
        "null is not a value, and the same value is one"
    );
}

#[test]
fn schemas_of_a_document_are_found_by_name() {
    let components = json!({"components": {"schemas": {
        "a.b.Choice": choice(),
        "List": {"items": {"$ref": "#/components/schemas/a.b.Choice"}},
        "odd/na~me": {"$ref": "#/components/schemas/a.b.Choice"},
    }}});
    let definitions = json!({"definitions": {
        "a.b.Choice": choice(),
        "List": {"items": {"$ref": "#/definitions/a.b.Choice"}},
        "odd/na~me": {"$ref": "#/definitions/a.b.Choice"},
    }});
    for document in [&components, &definitions] {
        for name in ["a.b.Choice", "List", "odd/na~me"] {
            let unions = Unions::compile(SchemaSource::OpenApi(document, name))
                .unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(lines(&unions), [CHOICE], "{name}");
        }
    }
}

#[test]
fn errors_in_a_document_have_the_pointer_in_the_document() {
    let compile_error = |document: &Value, name: &str| -> SchemaError {
        let error = Unions::compile(SchemaSource::OpenApi(document, name)).expect_err("an error");
        assert!(
            document.pointer(error.pointer()).is_some(),
            "{error} leads nowhere"
        );
        error
    };
    let no_name = "unknown schema \"Other\": neither `components/schemas` nor `definitions` contains it; use the name of a schema in the OpenAPI document";
    for (document, pointer) in [
        (
            json!({"components": {"schemas": {}}}),
            "/components/schemas",
        ),
        (json!({"components": {}}), "/components"),
        (json!({"definitions": {}}), "/definitions"),
        (json!({"Other": choice()}), ""),
        (json!(5), ""),
    ] {
        let error = compile_error(&document, "Other");
        assert_eq!((error.pointer(), error.message()), (pointer, no_name));
    }
    let document = json!({"components": {"schemas": {
        "A": {"properties": {"x": {"$ref": "#/components/schemas/B%20b"}}},
        "B b": {"properties": {"type": {"x-kubernetes-unions": 5}, "y/z": {"$ref": "#/components/schemas/C"}}},
        "D": {"properties": {"x": {"items": 5}}},
    }}});
    assert_eq!(
        compile_error(&document, "A").pointer(),
        "/components/schemas/B b/properties/y~1z/$ref"
    );
    assert_eq!(
        compile_error(&document, "D").pointer(),
        "/components/schemas/D/properties/x/items"
    );
    let document = json!({"definitions": {
        "A": {"properties": {"x": {"$ref": "#/definitions/B"}}},
        "B": {"properties": {"type": {"x-kubernetes-unions": 5}}},
    }});
    assert_eq!(
        compile_error(&document, "A").pointer(),
        "/definitions/B/properties/type"
    );
}

#[test]
fn a_member_is_required_unless_its_entry_is_optional() {
    let mut schema = choice();
    schema["properties"]["type"]["x-kubernetes-unions"]["fieldMembers"]["A"] = json!({"name": "a"});
    assert_eq!(union_lines(&schema), [CHOICE]);
    let unions =
        Unions::compile(SchemaSource::Schema(&schema)).expect("a well-formed schema or document");
    let report = unions.validate(&json!({"type": "A"}));
    assert_eq!(report.errors().len(), 1, "`a` is unset");
}
