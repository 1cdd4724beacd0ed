//! Tests of schemas that are deep, wide, recursive or tangled: the engine reads or rejects them,
//! never panics, and does work that is at most linear in their size.

use std::fmt::Write as _;

use allocation_counter::measure;
use serde_json::{Value, json};
use union_json::{Limits, SchemaError, SchemaSource, Unions, annotation};

use crate::deep_value::{Deep, list, object};
use crate::documents::crd_of;
use crate::read::{CHOICE, choice, lines};

const DEPTH: usize = 100_000;

fn property(schema: Value) -> Value {
    object([("properties", object([("x", schema)]))])
}

/// Returns the number of allocations that reading a schema takes.
fn allocation_count(schema: &Value) -> u64 {
    measure(|| drop(Unions::compile(SchemaSource::Schema(schema)))).count_total
}

/// Asserts that a schema of twice the size takes at most about twice the allocations.
#[track_caller]
fn assert_linear(schema: impl Fn(usize) -> Value, size: usize) {
    let [once, twice] = [size, 2 * size].map(|size| allocation_count(&schema(size)));
    assert!(
        once > size as u64 / 2,
        "only {once} allocations: nothing was read"
    );
    assert!(2 * twice < 5 * once, "{once} allocations, then {twice}");
}

/// A function that wraps a schema in another schema.
type Wrap = fn(Value) -> Value;

#[test]
fn a_schema_may_be_deep_in_every_keyword() {
    let wraps: [(&str, Wrap); 5] = [
        ("properties", property),
        ("items", |schema| object([("items", schema)])),
        ("additionalProperties", |schema| {
            object([("additionalProperties", schema)])
        }),
        ("not", |schema| object([("not", schema)])),
        ("oneOf", |schema| {
            object([("oneOf", list([Value::Bool(true), schema]))])
        }),
    ];
    for (keyword, wrap) in wraps {
        let schema = Deep::new(DEPTH, choice(), wrap);
        match Unions::compile(SchemaSource::Schema(&schema)) {
            Ok(unions) => assert_eq!(lines(&unions), [CHOICE], "{keyword}"),
            Err(error) => {
                assert!(
                    ["not", "oneOf"].contains(&keyword),
                    "{keyword}: {error:.100}"
                );
                assert!(
                    error
                        .message()
                        .starts_with("unions are not supported under `")
                );
            }
        }
        let schema_without_unions = Deep::new(DEPTH / 10, json!({}), wrap);
        assert!(
            Unions::compile(SchemaSource::Schema(&schema_without_unions))
                .is_ok_and(|unions| unions.is_empty())
        );
    }
}

#[test]
fn an_error_in_a_deep_schema_has_its_pointer() {
    let schema = Deep::new(DEPTH, json!({"properties": 5}), property);
    let error = Unions::compile(SchemaSource::Schema(&schema)).expect_err("an error");
    assert_eq!(
        error.pointer().len(),
        "/properties/x".len() * DEPTH + "/properties".len()
    );
    assert_eq!(schema.pointer(error.pointer()), Some(&json!(5)));
    assert_eq!(
        error.message(),
        "`properties` is 5; expected an object that maps names to schemas"
    );
}

#[test]
fn a_schema_with_too_many_subschemas_is_rejected() {
    let schema = Deep::new(DEPTH, json!({}), property);
    let small_compiler = Unions::compiler().with_limits(Limits::default().max_schemas(DEPTH));
    let error = small_compiler
        .compile(SchemaSource::Schema(&schema))
        .expect_err("an error of the limit");
    assert_eq!(
        error.to_string(),
        "the schema: more than 100000 schemas; make the document smaller, or raise `Limits::max_schemas`"
    );
    let sufficient_compiler =
        Unions::compiler().with_limits(Limits::default().max_schemas(DEPTH + 1));
    assert!(
        sufficient_compiler
            .compile(SchemaSource::Schema(&schema))
            .is_ok()
    );
    let properties: Value = (0..200_000).map(|i| (format!("f{i}"), json!({}))).collect();
    assert!(Unions::compile(SchemaSource::Schema(&json!({"properties": properties}))).is_err());
}

#[test]
fn a_deep_annotation_is_written_and_read() {
    let crd = Deep::new(60, choice(), property).within(|schema| crd_of(&schema));
    let annotation_value = annotation(&crd).expect("a present value");
    assert!(annotation_value.contains(&"/properties/x".repeat(60)));
    // The schema is deeper than the stack, and each pointer is as long as the schema is deep, so a
    // pointer may only be constructed for an extension.
    let schema = Deep::new(DEPTH, choice(), property);
    let crd = schema.within(|schema| {
        let version = object([
            ("name", "v1".into()),
            ("schema", object([("openAPIV3Schema", schema)])),
        ]);
        object([("spec", object([("versions", list([version]))]))])
    });
    let annotation_value = annotation(&crd).expect("a present value");
    assert!(annotation_value.len() > 13 * DEPTH && annotation_value.len() < 14 * DEPTH);
}

#[test]
fn too_many_combined_subschemas_are_rejected() {
    let problem = "`$ref`, `allOf` and similar keywords combine more than 32 schemas here; combine fewer, or raise `Limits::max_combined`";
    let assert_limit_error = |result: Result<Unions, SchemaError>, place: &str| {
        let error = result.expect_err("an error of the limit");
        assert_eq!((error.pointer(), error.message()), (place, problem));
    };
    let nested = |depth: usize| {
        Deep::new(depth, choice(), |schema| {
            object([("allOf", list([schema]))])
        })
        .within(property)
    };
    assert!(Unions::compile(SchemaSource::Schema(&nested(31))).is_ok());
    assert_limit_error(
        Unions::compile(SchemaSource::Schema(&nested(32))),
        "/properties/x",
    );
    assert_limit_error(
        Unions::compile(SchemaSource::Schema(&nested(DEPTH))),
        "/properties/x",
    );
    let compiler = Unions::compiler().with_limits(Limits::default().max_combined(1_001));
    assert!(
        compiler
            .compile(SchemaSource::Schema(&nested(1_000)))
            .is_ok()
    );
    // A comparison of all pairs of these branches would take minutes.
    for keyword in ["allOf", "anyOf"] {
        let branches: Vec<Value> = (0..100_000).map(|_| json!({"type": "null"})).collect();
        let schema = json!({"properties": {"x": {keyword: branches}, "y": choice()}});
        let result = Unions::compile(SchemaSource::Schema(&schema));
        if keyword == "allOf" {
            assert_limit_error(result, "/properties/x");
        } else {
            assert!(result.is_ok(), "100,000 equal branches compile");
        }
    }
}

#[test]
fn a_chain_of_references_is_followed_up_to_the_limit() {
    let chain = |length: usize| {
        let mut definitions: Value = (0..length)
            .map(|i| {
                (
                    format!("d{i}"),
                    json!({"$ref": format!("#/$defs/d{}", i + 1)}),
                )
            })
            .collect();
        definitions[format!("d{length}")] = choice();
        json!({"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions})
    };
    assert!(Unions::compile(SchemaSource::Schema(&chain(30))).is_ok());
    let error =
        Unions::compile(SchemaSource::Schema(&chain(1_000))).expect_err("an error of the length");
    assert!(
        error
            .message()
            .starts_with("`$ref`, `allOf` and similar keywords combine more than 32 schemas here")
    );
    assert!(chain(1_000).pointer(error.pointer()).is_some());
    let compiler = Unions::compiler().with_limits(Limits::default().max_combined(1_010));
    let unions = compiler.compile(SchemaSource::Schema(&chain(1_000)));
    assert_eq!(lines(&unions.expect("the reference resolves")), [CHOICE]);
}

#[test]
fn references_may_be_recursive() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}, {"$ref": "#/allOf/0"}]}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}}),
        json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}], "not": {"$ref": "#"}}),
        json!({"items": {"$ref": "#"}, "properties": {"x": {"$ref": "#"}}}),
    ] {
        assert!(
            Unions::compile(SchemaSource::Schema(&schema)).is_ok_and(|unions| unions.is_empty()),
            "{schema}"
        );
    }
    let mut recursive_schema = choice();
    recursive_schema["allOf"] = json!([{"$ref": "#"}, {"allOf": [{"$ref": "#/allOf/1"}]}]);
    recursive_schema["properties"]["a"] = json!({"$ref": "#"});
    assert_eq!(
        lines(
            &Unions::compile(SchemaSource::Schema(&recursive_schema))
                .expect("a well-formed schema or document")
        ),
        [CHOICE, CHOICE]
    );
}

#[test]
fn a_schema_with_many_references_is_read_once() {
    // Each level refers twice to the level below, so 2^n paths lead to the lowest level.
    let nested_references = |levels: usize, link: fn(String) -> Value| {
        let mut definitions = json!({"d0": choice()});
        for i in 1..=levels {
            definitions[format!("d{i}")] = link(format!("#/$defs/d{}", i - 1));
        }
        json!({"$ref": format!("#/$defs/d{levels}"), "$defs": definitions})
    };
    let combined = nested_references(
        7,
        |reference| json!({"allOf": [{"$ref": reference}, {"$ref": reference}]}),
    );
    assert_eq!(
        lines(
            &Unions::compile(SchemaSource::Schema(&combined))
                .expect("a well-formed schema or document")
        ),
        [CHOICE]
    );
    let combined = nested_references(
        1_000,
        |reference| json!({"allOf": [{"$ref": reference}, {"$ref": reference}]}),
    );
    assert!(Unions::compile(SchemaSource::Schema(&combined)).is_err());

    let fields = |reference: String| json!({"properties": {"l": {"$ref": reference}, "r": {"$ref": reference}}});
    let unions = Unions::compile(SchemaSource::Schema(&nested_references(1_000, fields)))
        .expect("a well-formed schema or document");
    assert_eq!(
        unions.iter().count(),
        2,
        "one for each reference to the union"
    );
    assert_linear(|levels| nested_references(levels, fields), 1_000);
}

#[test]
fn the_work_is_linear_in_the_number_of_fields() {
    let make_properties = |count: usize, schema: fn(usize) -> Value| -> Value {
        (0..count).map(|i| (format!("f{i}"), schema(i))).collect()
    };
    // Each property has a union, and comparing all pairs would take minutes.
    let schema = json!({"properties": make_properties(30_000, |_| choice()), "allOf": [{"properties": make_properties(30_000, |_| json!({}))}]});
    assert_eq!(
        Unions::compile(SchemaSource::Schema(&schema))
            .expect("a well-formed schema or document")
            .iter()
            .count(),
        30_000
    );
    assert_linear(
        |count| json!({"properties": make_properties(count, |_| choice())}),
        1_000,
    );
    assert_linear(
        |count| json!({"properties": make_properties(count, |_| json!({"items": choice()}))}),
        1_000,
    );
    assert_linear(
        |count| {
            let mut schema = choice();
            let fields = make_properties(count, |i| json!({"description": i}));
            schema["allOf"] = json!([{"properties": fields}, {"required": vec!["x"; count]}]);
            schema
        },
        1_000,
    );
}

#[test]
fn the_work_is_linear_in_the_length_of_an_extension() {
    // All entries declare the same union as the property.
    let schema_in_both_shapes = |count: usize| {
        let mut schema = choice();
        let entry = json!({"discriminator": "type", "fields-to-discriminateBy": {"a": "A"}});
        schema["x-kubernetes-unions"] = vec![entry; count].into();
        for i in 0..count {
            schema["properties"][format!("f{i}")] = json!({});
        }
        schema
    };
    assert!(Unions::compile(SchemaSource::Schema(&schema_in_both_shapes(30_000))).is_ok());
    assert_linear(schema_in_both_shapes, 1_000);
    let values: Vec<String> = (0..100_000).map(|i| format!("V{i}")).collect();
    for property in [
        json!({"enum": values, "x-kubernetes-unions": {"fieldMembers": {"V0": null}}}),
        json!({"x-kubernetes-unions": {"fieldMembers": values.iter().map(|value| (value.clone(), Value::Null)).collect::<Value>()}}),
    ] {
        assert!(
            Unions::compile(SchemaSource::Schema(
                &json!({"properties": {"type": property}})
            ))
            .is_err()
        );
    }
    let entries: Vec<Value> = values
        .iter()
        .map(|value| json!({"fields-to-discriminateBy": {value: "V"}}))
        .collect();
    assert!(
        Unions::compile(SchemaSource::Schema(
            &json!({"x-kubernetes-unions": entries})
        ))
        .is_err()
    );
}

#[test]
fn repeated_references_are_limited() {
    let schema_with_references = |count: usize, size: usize, property: fn(usize) -> Value| {
        let mut referenced_schema = choice();
        for i in 0..size {
            referenced_schema["properties"][format!("f{i}")] = json!({});
        }
        let properties: Value = (0..count).map(|i| (format!("p{i}"), property(i))).collect();
        json!({"properties": properties, "$defs": {"big": referenced_schema}})
    };
    let plain_reference = |_| json!({"$ref": "#/$defs/big"});
    let with_property = |i| json!({"$ref": "#/$defs/big", "properties": {format!("own{i}"): {}}});
    let in_list = |_| {
        json!({
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"],
            "items": {"$ref": "#/$defs/big"},
        })
    };
    let in_combined_schema =
        |_| json!({"allOf": [{"$ref": "#/$defs/big"}], "anyOf": [{"$ref": "#/$defs/plain"}, {}]});
    for property in [plain_reference, with_property, in_list] {
        assert!(
            Unions::compile(SchemaSource::Schema(&schema_with_references(
                50, 1_000, property
            )))
            .is_ok()
        );
        let error = Unions::compile(SchemaSource::Schema(&schema_with_references(
            300, 1_000, property,
        )))
        .expect_err("an error of the limit");
        assert_eq!(
            error.to_string(),
            "/$defs/big: repeated references to this and other schemas expand to more than 200000 fields and values; use fewer references, make the schemas smaller, or raise `Limits::max_schemas`"
        );
        let compiler = Unions::compiler().with_limits(Limits::default().max_schemas(1_000_000));
        assert!(
            compiler
                .compile(SchemaSource::Schema(&schema_with_references(
                    300, 1_000, property
                )))
                .is_ok()
        );
    }
    let mut schema = schema_with_references(1_000, 1, in_combined_schema);
    schema["$defs"]["plain"] = json!({"required": vec!["x"; 1_000]});
    assert!(Unions::compile(SchemaSource::Schema(&schema)).is_err());
    // The limit also counts values.
    let values: Vec<String> = (0..1_000).map(|i| format!("V{i}")).collect();
    let members: Value = values
        .iter()
        .map(|value| (value.clone(), Value::Null))
        .collect();
    let mut schema = schema_with_references(1_000, 1, plain_reference);
    schema["$defs"]["big"] =
        json!({"properties": {"type": {"x-kubernetes-unions": {"fieldMembers": members}}}});
    assert!(Unions::compile(SchemaSource::Schema(&schema)).is_err());
}

#[test]
fn errors_do_not_print_deep_values() {
    let deep = || Deep::new(DEPTH, json!(1), |value| list([value]));
    let keywords = [
        "type",
        "enum",
        "default",
        "x-kubernetes-unions",
        "required",
        "description",
        "$ref",
        "items",
    ];
    for keyword in keywords {
        let schema = deep().within(|deep| {
            let mut property = choice()["properties"]["type"].clone();
            property[keyword] = deep;
            let mut schema = choice();
            schema["properties"]["type"] = property;
            schema
        });
        let read = Unions::compile(SchemaSource::Schema(&schema));
        let is_harmless = ["required", "description"].contains(&keyword);
        assert_eq!(read.is_ok(), is_harmless, "{keyword}");
        assert!(read.is_ok_and(|_| true) || rejection_is_short(&schema));
    }
    let extension_wrappers: [fn(Value) -> Value; 5] = [
        |deep| object([("fieldMembers", deep)]),
        |deep| object([("fieldMembers", object([("A", deep), ("B", Value::Null)]))]),
        |deep| {
            object([(
                "fieldMembers",
                object([("A", object([("name", deep)])), ("B", Value::Null)]),
            )])
        },
        |deep| {
            let member = object([("name", "a".into()), ("optional", deep)]);
            object([("fieldMembers", object([("A", member), ("B", Value::Null)]))])
        },
        |deep| list([object([("discriminator", deep)])]),
    ];
    for extension in extension_wrappers {
        let schema = deep().within(|deep| {
            let mut schema = choice();
            schema["properties"]["type"]["x-kubernetes-unions"] = extension(deep);
            schema
        });
        assert!(rejection_is_short(&schema));
    }
    // The default of a field that is not a valid key is not read, so its depth does not matter.
    let schema = deep().within(|deep| {
        let mut items = choice();
        items["properties"]["a"]["default"] = deep;
        object([
            ("x-kubernetes-list-type", "map".into()),
            ("x-kubernetes-list-map-keys", json!(["a"])),
            ("items", items),
        ])
    });
    assert!(Unions::compile(SchemaSource::Schema(&schema)).is_ok());
}

/// Asserts that a schema is rejected, and returns true if the message is short.
fn rejection_is_short(schema: &Value) -> bool {
    let mut message = String::new();
    let error = Unions::compile(SchemaSource::Schema(schema)).expect_err("an error");
    write!(message, "{error}").expect("a string");
    message.len() < 400
}
