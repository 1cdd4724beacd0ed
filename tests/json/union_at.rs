//! Tests of unions that are added by JSON pointers, for third-party types.

use serde_json::{Value, json};
use union_json::union_spec;
use union_json::{Compiler, Limits, SchemaError, SchemaSource, Unions};
use union_runtime::Settings;
use union_runtime::spec::UnionSpec;

use crate::documents::crd_of;
use crate::read::{choice, lines};

const CHOICE: UnionSpec<'static> = union_spec! {
    discriminator = "type",
    "A" => "a",
    "B" => (),
};

const PAIR: UnionSpec<'static> = union_spec! {
    at_most_one,
    "Left" => "left",
    "Right" => "right",
};

/// Returns a schema that does not declare its unions.
fn schema_without_unions() -> Value {
    json!({
        "type": "object",
        "properties": {
            "type": {"type": "string"},
            "a": {},
            "list": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
                "items": {"properties": {"name": {}, "type": {}, "a": {}, "left": {}, "right": {}}},
            },
            "map": {"additionalProperties": {"$ref": "#/$defs/pair"}},
        },
        "$defs": {"pair": {"properties": {"left": {}, "right": {}}}},
    })
}

fn compiler_at(pointer: &str) -> Compiler {
    Unions::compiler().union_at(pointer, CHOICE)
}

fn paths(unions: &Unions, object: &Value) -> Vec<String> {
    let report = unions.validate(object);
    report
        .errors()
        .iter()
        .map(|violation| violation.path().to_string())
        .collect()
}

#[track_caller]
fn assert_error(schema: &Value, error: &SchemaError, pointer: &str, message: &str) {
    assert_eq!((error.pointer(), error.message()), (pointer, message));
    assert!(schema.pointer(pointer).is_some(), "{pointer} leads nowhere");
}

#[test]
fn union_at_adds_a_union_at_its_pointer() {
    let invalid_object = json!({"name": "x", "type": "B", "a": 1, "left": 1, "right": 2});
    let object =
        json!({"type": "B", "a": 1, "list": [{}, invalid_object], "map": {"m": invalid_object}});
    let schema = schema_without_unions();
    let rows = [
        (compiler_at(""), vec!["a"]),
        (
            compiler_at("/properties/list/items"),
            vec!["list[0].type", "list[1].a"],
        ),
        (
            compiler_at("")
                .union_at("/properties/list/items", PAIR)
                .union_at("#/$defs/pair", PAIR),
            vec!["a", "list[1]", "map[m]"],
        ),
        (
            compiler_at("/properties/list/items").union_at("/properties/list/items", PAIR),
            vec!["list[0].type", "list[1].a", "list[1]"],
        ),
        (
            Unions::compiler().union_at("/$defs/pair", PAIR),
            vec!["map[m]"],
        ),
    ];
    for (compiler, error_paths) in rows {
        let unions = compiler
            .compile(SchemaSource::Schema(&schema))
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(paths(&unions, &object), error_paths);
        // The same pointers lead through the schema of a CRD's version.
        let unions = compiler
            .compile(SchemaSource::Crd(&crd_of(&schema), None))
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(paths(&unions, &object), error_paths);
    }
}

#[test]
fn elements_are_correlated_only_with_a_schema() {
    let compiler = compiler_at("/properties/list/items");
    let old = json!({"list": [{"name": "x", "type": "A", "a": 1}]});
    let new = json!({"list": [{"name": "x", "type": "B", "a": 1}]});
    let normalize = |unions: &Unions| {
        let mut new = new.clone();
        unions
            .normalize(&mut new, Some(&old), &Settings::default())
            .to_string()
    };
    let unions = compiler
        .compile(SchemaSource::Schema(&schema_without_unions()))
        .expect("a well-formed schema or document");
    assert_eq!(normalize(&unions), "list[0].a: cleared");
    let unions = compiler
        .compile(SchemaSource::WithoutSchema)
        .expect("a pointer to a schema");
    assert_eq!(normalize(&unions), "");
    assert_eq!(paths(&unions, &new), ["list[0].a"]);
}

#[test]
fn a_pointer_into_a_document_applies_to_all_its_schemas() {
    let document = json!({"components": {"schemas": {
        "Choice": {"properties": {"type": {}, "a": {}}},
        "One": {"properties": {"x": {"$ref": "#/components/schemas/Choice"}}},
        "Other": {"properties": {"y": {"type": "object"}}},
    }}});
    let compiler = compiler_at("#/components/schemas/Choice");
    let unions_of_one = compiler
        .compile(SchemaSource::OpenApi(&document, "One"))
        .expect("a well-formed schema or document");
    assert_eq!(paths(&unions_of_one, &json!({"x": {}})), ["x.type"]);
    let unions_of_other = compiler
        .compile(SchemaSource::OpenApi(&document, "Other"))
        .expect("the schema has no such union");
    assert!(unions_of_other.is_empty());
    let one_by_path = compiler_at("/properties/x")
        .compile(SchemaSource::OpenApi(&document, "One"))
        .expect("a well-formed schema or document");
    assert_eq!(lines(&one_by_path), lines(&unions_of_one));
}

#[test]
fn unions_can_be_added_without_a_schema() {
    let unions = compiler_at("")
        .union_at("/properties/a~1b~0c/items/additionalProperties", PAIR)
        .union_at("/properties/a~1b~0c/items/properties/known", CHOICE)
        .union_at("/additionalProperties/items/items", PAIR)
        .compile(SchemaSource::WithoutSchema)
        .expect("pointers to schemas");
    let pair = json!({"left": 1, "right": 2});
    let object = json!({
        "type": "B", "a": 1,
        "a/b~c": [{"known": {"left": 1, "right": 2}, "other": pair}],
        "rest": [[pair, {}], 5],
        "more": [pair],
    });
    assert_eq!(
        paths(&unions, &object),
        [
            "a",
            "a/b~c[0].known.type",
            "a/b~c[0][other]",
            "[rest][0][0]"
        ]
    );
    assert!(
        Unions::compiler()
            .compile(SchemaSource::WithoutSchema)
            .expect("the schema has no such unions")
            .is_empty()
    );
}

#[test]
fn a_pointer_to_no_schema_is_rejected() {
    let schema = schema_without_unions();
    let rows = [
        ("/properties/nothing", "/properties"),
        ("/properties", "/properties"),
        ("/properties/list/properties/x", "/properties/list"),
        (
            "/properties/list/x-kubernetes-list-map-keys",
            "/properties/list/x-kubernetes-list-map-keys",
        ),
        ("/properties/type/type", "/properties/type/type"),
        ("properties/list", ""),
        ("nothing", ""),
        ("#/$defs/nothing", "/$defs"),
        ("#nothing", ""),
    ];
    for (pointer, error_pointer) in rows {
        let error = compiler_at(pointer)
            .compile(SchemaSource::Schema(&schema))
            .expect_err(pointer);
        assert_error(
            &schema,
            &error,
            error_pointer,
            &format!(
                "`union_at` has a union for {pointer:?}, which is not a path through the schema; use a JSON pointer of `properties`, `items` and `additionalProperties`, such as \"/properties/spec/properties/strategy\""
            ),
        );
    }
    let crd = crd_of(&schema);
    for pointer in ["/properties/nothing", "#/properties/nothing"] {
        let error = compiler_at(pointer)
            .compile(SchemaSource::Crd(&crd, None))
            .expect_err(pointer);
        assert_eq!(
            error.pointer(),
            "/spec/versions/0/schema/openAPIV3Schema/properties"
        );
    }
    let unused = json!({"$defs": {"x": {"properties": {"type": {}, "a": {}}}}});
    assert_eq!(
        compiler_at("/$defs/x")
            .compile(SchemaSource::Schema(&unused))
            .expect_err("the union is not used")
            .pointer(),
        "/$defs/x"
    );
}

#[test]
fn without_a_schema_a_pointer_must_name_schema_keywords() {
    for pointer in [
        "#",
        "#/properties/a",
        "properties/a",
        "/",
        "/properties",
        "/properties/",
        "/items/0",
        "/allOf/0",
        "/$defs/a",
        "/additionalProperties/",
    ] {
        let error = compiler_at(pointer)
            .compile(SchemaSource::WithoutSchema)
            .expect_err(pointer);
        assert_eq!(error.pointer(), "");
        assert_eq!(
            error.message(),
            format!(
                "`union_at` has a union for {pointer:?}, which is not a path through a schema; use a JSON pointer of `properties` and a name, `items` and `additionalProperties`, such as \"/properties/rules/items\""
            )
        );
    }
    let deep_pointer = "/items".repeat(100_000);
    let error = compiler_at(&deep_pointer)
        .compile(SchemaSource::WithoutSchema)
        .expect_err("an error of the depth");
    assert_eq!(
        error.message(),
        "the JSON pointer of `union_at` has more than 256 steps, which exceeds the maximum depth of objects; shorten the pointer, or raise `Limits::max_depth`"
    );
    let deep_pointer = "/items".repeat(300);
    assert!(
        compiler_at(&deep_pointer)
            .compile(SchemaSource::WithoutSchema)
            .is_err()
    );
    assert!(
        compiler_at(&deep_pointer)
            .with_limits(Limits::default().max_depth(256))
            .compile(SchemaSource::WithoutSchema)
            .is_ok()
    );
}

#[test]
fn a_union_that_does_not_fit_its_schema_is_rejected() {
    let schema = json!({"properties": {"type": {"default": "C"}, "a": {}, "left": {}, "l": {"type": "array"}}});
    let rows = [
        (
            compiler_at(""),
            "",
            "discriminator \"type\": `default` is \"C\", which is not a value of the discriminator; use one of: \"A\", \"B\"",
        ),
        (
            Unions::compiler().union_at("", PAIR),
            "",
            "the union has a field \"right\", which is not a property of the object; \
             add the property, or correct the name",
        ),
        (
            compiler_at("/properties/l"),
            "/properties/l",
            "unions must be on an object, and `type` is \"array\" here; move them to an object, or to the `items` of a list",
        ),
    ];
    for (compiler, pointer, message) in rows {
        let error = compiler
            .compile(SchemaSource::Schema(&schema))
            .expect_err(message);
        assert_error(&schema, &error, pointer, message);
    }
    for compiler in [compiler_at(""), compiler_at("").union_at("", CHOICE)] {
        let error = compiler
            .compile(SchemaSource::Schema(&choice()))
            .unwrap_err();
        assert!(Unions::compile(SchemaSource::Schema(&choice())).is_ok());
        assert!(error.message().contains("duplicate"), "{error}");
    }
}

#[test]
fn the_schema_defines_the_meaning_of_an_absent_discriminator() {
    let mut schema = schema_without_unions();
    schema["properties"]["type"]["default"] = json!("B");
    let unions = compiler_at("")
        .compile(SchemaSource::Schema(&schema))
        .expect("a well-formed schema or document");
    assert_eq!(paths(&unions, &json!({})), [""; 0]);
    assert_eq!(paths(&unions, &json!({"a": 1})), ["a"]);
    let unions = compiler_at("")
        .compile(SchemaSource::Schema(&schema_without_unions()))
        .expect("a well-formed schema or document");
    assert_eq!(paths(&unions, &json!({})), ["type"]);
}
