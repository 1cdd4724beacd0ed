//! Tests of unions in keywords that cannot contain a union, and of values that are not schemas.

use serde_json::{Value, json};

use union_json::{SchemaError, SchemaSource, Unions};

use crate::malformed::compile_error;

/// Asserts the pointer and the message of an error, and that the pointer exists in the schema.
#[track_caller]
fn assert_compile_error(schema: &Value, place: &str, problem: &str) {
    let error = compile_error(schema);
    assert_eq!(
        (error.pointer(), error.message()),
        (place, problem),
        "{schema}"
    );
    assert!(schema.pointer(place).is_some(), "{place} leads nowhere");
}

fn extension() -> Value {
    json!({"fieldMembers": {"A": {"name": "a", "optional": false}, "B": null}})
}

/// Returns a schema with a well-formed union.
fn union() -> Value {
    json!({"properties": {"type": {"enum": ["A", "B"], "x-kubernetes-unions": extension()}, "a": {}}})
}

#[test]
fn field_members_are_only_allowed_on_a_property() {
    let extension_alone = json!({"x-kubernetes-unions": extension()});
    for (schema, place) in [
        (extension_alone.clone(), ""),
        (json!({"items": extension_alone}), "/items"),
        (
            json!({"additionalProperties": extension_alone}),
            "/additionalProperties",
        ),
        (
            json!({"properties": {"l": {"items": {"allOf": [{}, extension_alone]}}}}),
            "/properties/l/items/allOf/1",
        ),
        (json!({"allOf": [extension_alone]}), "/allOf/0"),
        (
            json!({"$ref": "#/$defs/A", "$defs": {"A": extension_alone}}),
            "/$defs/A",
        ),
    ] {
        assert_compile_error(
            &schema,
            place,
            "`x-kubernetes-unions` with `fieldMembers` must be on the property of the discriminator; move it there",
        );
    }
}

#[test]
fn unions_in_conditional_subschemas_are_rejected() {
    let rows = [
        (json!({"oneOf": [union(), {}]}), "/oneOf/0", "oneOf"),
        (
            json!({"anyOf": [{"type": "null"}, {}, union()]}),
            "/anyOf/2",
            "anyOf",
        ),
        (json!({"not": union()}), "/not", "not"),
        (json!({"x-oneOf": [{}, union()]}), "/x-oneOf/1", "x-oneOf"),
        (json!({"x-not": union()}), "/x-not", "x-not"),
        (json!({"if": union()}), "/if", "if"),
        (json!({"then": union()}), "/then", "then"),
        (
            json!({"else": {"properties": {"x": union()}}}),
            "/else",
            "else",
        ),
        (
            json!({"patternProperties": {"^a/b~": union()}}),
            "/patternProperties/^a~1b~0",
            "patternProperties",
        ),
        (
            json!({"dependentSchemas": {"a": union()}}),
            "/dependentSchemas/a",
            "dependentSchemas",
        ),
        (
            json!({"dependencies": {"a": ["b"], "b": union()}}),
            "/dependencies/b",
            "dependencies",
        ),
        (
            json!({"prefixItems": [{}, union()]}),
            "/prefixItems/1",
            "prefixItems",
        ),
        (json!({"items": [{}, union()]}), "/items/1", "items"),
        (
            json!({"additionalItems": union()}),
            "/additionalItems",
            "additionalItems",
        ),
        (
            json!({"unevaluatedItems": union()}),
            "/unevaluatedItems",
            "unevaluatedItems",
        ),
        (
            json!({"unevaluatedProperties": union()}),
            "/unevaluatedProperties",
            "unevaluatedProperties",
        ),
        (json!({"contains": union()}), "/contains", "contains"),
        (
            json!({"propertyNames": union()}),
            "/propertyNames",
            "propertyNames",
        ),
        (
            json!({"properties": {"x": {"items": {"oneOf": [{}, {"allOf": [union()]}]}}}}),
            "/properties/x/items/oneOf/1",
            "oneOf",
        ),
    ];
    for (schema, place, keyword) in rows {
        assert_compile_error(&schema, place, &conditional_message(keyword));
    }
}

#[test]
fn extensions_in_conditional_properties_are_rejected() {
    let extension = json!({"x-kubernetes-unions": extension()});
    for (property, place, keyword) in [
        (
            json!({"anyOf": [extension, {"type": "integer"}]}),
            "/properties/type/anyOf/0",
            "anyOf",
        ),
        (json!({"not": extension}), "/properties/type/not", "not"),
        (
            json!({"oneOf": [{}, {"allOf": [extension]}]}),
            "/properties/type/oneOf/1",
            "oneOf",
        ),
    ] {
        let schema = json!({"properties": {"type": property, "a": {}}});
        assert_compile_error(&schema, place, &conditional_message(keyword));
    }
}

/// Returns the message for a union under a keyword that applies only to some objects.
fn conditional_message(keyword: &str) -> String {
    format!(
        "unions are not supported under `{keyword}`, which applies only to some objects; move the properties with unions out of it"
    )
}

#[test]
fn unions_that_are_declared_twice_are_rejected() {
    for (schema, place, other) in [
        (
            json!({"allOf": [{"properties": {"x": union()}}, {"properties": {"x": union()}}]}),
            "/allOf/1/properties/x",
            "/allOf/0/properties/x",
        ),
        (
            json!({"allOf": [{"items": union()}], "items": union()}),
            "/allOf/0/items",
            "/items",
        ),
        (
            json!({"additionalProperties": union(), "allOf": [{}, {"additionalProperties": union()}]}),
            "/allOf/1/additionalProperties",
            "/additionalProperties",
        ),
    ] {
        assert_compile_error(
            &schema,
            place,
            &format!(
                "unions of the same value are declared here and in \"{other}\"; declare them in one of the two places"
            ),
        );
    }
}

#[test]
fn unions_of_schemas_that_are_not_objects_are_rejected() {
    let list = json!([{"fields-to-discriminateBy": {"a": "A"}}]);
    for (schema, place, shown) in [
        (
            json!({"type": "array", "x-kubernetes-unions": list}),
            "",
            "\"array\"",
        ),
        (
            json!({"type": ["string", "null"], "x-kubernetes-unions": list}),
            "",
            "[\"string\", \"null\"]",
        ),
        (
            json!({"properties": {"l": {"type": "array", "allOf": [union()]}}}),
            "/properties/l",
            "\"array\"",
        ),
        (
            json!({"properties": {"l": {"x-kubernetes-unions": list, "allOf": [{}, {"type": 5}]}}}),
            "/properties/l/allOf/1",
            "5",
        ),
    ] {
        assert_compile_error(
            &schema,
            place,
            &format!(
                "unions must be on an object, and `type` is {shown} here; move them to an object, or to the `items` of a list"
            ),
        );
    }
}

#[test]
fn values_that_are_not_schemas_are_rejected() {
    let rows = [
        (json!(5), "", "5"),
        (json!("schema"), "", "\"schema\""),
        (json!([]), "", "a list"),
        (json!({"properties": {"a": 5}}), "/properties/a", "5"),
        (
            json!({"properties": {"a/b": {"properties": {"c~d": 5}}}}),
            "/properties/a~1b/properties/c~0d",
            "5",
        ),
        (json!({"items": 5}), "/items", "5"),
        (json!({"items": [5]}), "/items/0", "5"),
        (
            json!({"additionalProperties": "a"}),
            "/additionalProperties",
            "\"a\"",
        ),
        (json!({"allOf": [5]}), "/allOf/0", "5"),
        (json!({"anyOf": [["a"]]}), "/anyOf/0", "a list"),
        (json!({"not": 5}), "/not", "5"),
        (
            json!({"patternProperties": {"a": 5}}),
            "/patternProperties/a",
            "5",
        ),
        (
            json!({"$ref": "#/definitions/A", "definitions": {"A": 5}}),
            "/definitions/A",
            "5",
        ),
    ];
    for (schema, place, shown) in rows {
        let problem = format!("expected a schema (object, true or false), found {shown}");
        assert_compile_error(&schema, place, &problem);
    }
}

/// Checks that a keyword with the value null is read as absent, as an API server reads it.
#[test]
fn a_null_keyword_counts_as_absent() {
    let union = json!([{"fields-to-discriminateBy": {"a": "A", "b": "B"}}]);
    let keywords = [
        "$ref",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "properties",
        "items",
        "additionalProperties",
        "patternProperties",
        "dependencies",
        "definitions",
        "required",
        "enum",
        "type",
        "default",
        "x-kubernetes-list-type",
    ];
    for keyword in keywords {
        let mut fields = json!({"b": {keyword: null}, "a": {keyword: null}, "nothing": null});
        fields["list"] = json!({"type": "array", "items": {keyword: null}});
        let mut schema =
            json!({keyword: null, "allOf": [null, {keyword: null}], "x-kubernetes-unions": union});
        schema["properties"] = fields;
        let unions = Unions::compile(SchemaSource::Schema(&schema))
            .unwrap_or_else(|error| panic!("{error}: {schema}"));
        assert_eq!(unions.iter().count(), 1, "{schema}");
        let invalid_object = json!({"a": 1, "b": 2, "list": [1]});
        assert!(!unions.validate(&invalid_object).is_accepted(), "{schema}");
    }
}

/// Checks that reading foreign schemas reports all problems, and still reads the unions without
/// problems.
#[test]
fn a_lenient_compiler_reads_valid_unions_beside_invalid_unions() {
    let list = |members: Value| json!([{"fields-to-discriminateBy": members}]);
    let object_with = |members: Value| json!({"properties": {"a": {}, "b": {}}, "x-kubernetes-unions": list(members)});
    let schema = json!({"properties": {
        "sound": object_with(json!({"a": "A", "b": "B"})),
        "unknown": object_with(json!({"c": "C"})),
        "twice": object_with(json!({"a": "A", "b": "A"})),
        "odd": {"x-kubernetes-unions": 5, "properties": {"inner": object_with(json!({"a": "A", "b": "B"}))}},
        "lost": {"$ref": "#/nowhere"},
        "branches": {"allOf": 5},
        "maybe": {"not": object_with(json!({"a": "A", "b": "B"}))},
        "shape": {"properties": {"type": {"enum": ["A"], "x-kubernetes-unions": {"fieldMembers": {"B": null}}}}},
        "list": {"items": object_with(json!({"a": "A", "b": "B"})), "x-kubernetes-list-type": "map"},
    }});
    assert!(Unions::compile(SchemaSource::Schema(&schema)).is_err());
    let unions = Unions::compiler()
        .lenient()
        .compile(SchemaSource::Schema(&schema))
        .expect("a schema");
    let mut pointers: Vec<&str> = unions.errors().iter().map(SchemaError::pointer).collect();
    pointers.sort_unstable();
    let expected = [
        "/properties/branches/allOf",
        "/properties/list",
        "/properties/lost/$ref",
        "/properties/maybe/not",
        "/properties/odd",
        "/properties/shape/properties/type",
        "/properties/twice/x-kubernetes-unions/0",
        "/properties/unknown/x-kubernetes-unions/0",
    ];
    assert_eq!(pointers, expected, "{:#?}", unions.errors());
    let both_members = json!({"a": 1, "b": 2});
    let object = json!({"sound": both_members, "unknown": both_members, "odd": {"inner": both_members}, "list": [both_members]});
    let errors = unions.validate(&object).to_string();
    for field in ["sound", "odd.inner", "list[0]"] {
        assert!(
            errors.contains(&format!("{field}: Invalid value")),
            "{errors}"
        );
    }
    assert!(!errors.contains("unknown: "), "{errors}");
}

#[test]
fn keywords_without_valid_subschemas_are_rejected() {
    let rows = [
        (
            json!({"properties": 5}),
            "5",
            "an object that maps names to schemas",
        ),
        (
            json!({"properties": [{}]}),
            "a list",
            "an object that maps names to schemas",
        ),
        (
            json!({"patternProperties": []}),
            "a list",
            "an object that maps names to schemas",
        ),
        (
            json!({"dependentSchemas": 5}),
            "5",
            "an object that maps names to schemas",
        ),
        (
            json!({"dependencies": 5}),
            "5",
            "an object that maps names to schemas",
        ),
        (json!({"allOf": {}}), "an object", "a list of schemas"),
        (json!({"anyOf": 5}), "5", "a list of schemas"),
        (json!({"oneOf": "a"}), "\"a\"", "a list of schemas"),
        (
            json!({"$ref": 5}),
            "5",
            "a string, such as \"#/components/schemas/Name\"",
        ),
    ];
    for (schema, shown, expected) in rows {
        let keyword = schema
            .as_object()
            .and_then(|schema| schema.keys().next())
            .expect("a present value");
        let problem = format!("`{keyword}` is {shown}; expected {expected}");
        assert_compile_error(&schema, &format!("/{keyword}"), &problem);
        let nested_schema = json!({"properties": {"x": {"items": schema}}});
        assert_compile_error(
            &nested_schema,
            &format!("/properties/x/items/{keyword}"),
            &problem,
        );
    }
}

#[test]
fn an_unresolved_reference_is_rejected() {
    let rows = [
        ("#/definitions/A", ""),
        ("#/$defs/%ff", ""),
        ("#$defs/A", ""),
        ("other.json#/definitions/A", ""),
        ("A", "/properties/a/items"),
        ("", "/additionalProperties"),
    ];
    for (reference, place) in rows {
        let schema = match place {
            "" => json!({"$ref": reference}),
            "/additionalProperties" => json!({"additionalProperties": {"$ref": reference}}),
            _ => json!({"properties": {"a": {"items": {"$ref": reference}}}}),
        };
        assert_compile_error(
            &schema,
            &format!("{place}/$ref"),
            &format!("cannot resolve `$ref` {reference:?}; pass the complete document"),
        );
    }
}

#[test]
fn invalid_list_map_keys_are_rejected() {
    let too_many_keys: Vec<String> = (0..65).map(|i| format!("k{i}")).collect();
    let rows = [
        (
            json!(5),
            "`x-kubernetes-list-map-keys` must be a list of names, not 5",
        ),
        (
            json!("a"),
            "`x-kubernetes-list-map-keys` must be a list of names, not \"a\"",
        ),
        (
            json!({}),
            "`x-kubernetes-list-map-keys` must be a list of names, not an object",
        ),
        (
            json!([]),
            "`x-kubernetes-list-map-keys` of a list of type map has 0 names",
        ),
        (
            json!(too_many_keys),
            "`x-kubernetes-list-map-keys` of a list of type map has 65 names",
        ),
        (
            json!(["a", 5]),
            "`x-kubernetes-list-map-keys` contains 5, which is not the name of a field",
        ),
        (
            json!(["a", ["a"]]),
            "`x-kubernetes-list-map-keys` contains a list, which is not the name of a field",
        ),
        (
            json!(["a", "c"]),
            "`x-kubernetes-list-map-keys` contains \"c\", which is not a property of the elements",
        ),
    ];
    let list = json!({"x-kubernetes-list-type": "map", "items": union()});
    let name_them = "list the fields that are the keys of the elements, at most 64";
    for (keys, problem) in rows {
        let mut list = list.clone();
        list["x-kubernetes-list-map-keys"] = keys;
        let problem = format!("{problem}; {name_them}");
        assert_compile_error(
            &json!({"properties": {"l": list}}),
            "/properties/l",
            &problem,
        );
        assert_compile_error(&json!({"allOf": [{}, list]}), "/allOf/1", &problem);
    }
    assert_compile_error(
        &list,
        "",
        &format!("`x-kubernetes-list-map-keys` is missing in a list of type map; {name_them}"),
    );
}
