//! Tests of the errors for malformed schemas: the pointer, the value that was found, and the
//! remedy.

use serde_json::{Value, json};
use union_json::{SchemaError, SchemaSource, Unions};

/// Returns the error of a schema that does not compile.
#[track_caller]
pub(crate) fn compile_error(schema: &Value) -> SchemaError {
    Unions::compile(SchemaSource::Schema(schema)).expect_err(&schema.to_string())
}

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
    let place = if place.is_empty() {
        "the schema"
    } else {
        place
    };
    assert_eq!(error.to_string(), format!("{place}: {problem}"));
}

/// Returns the schema of an object with the property `type` and two other properties.
fn with_type(property: &Value) -> Value {
    json!({"properties": {"type": property, "a": {}, "b": {}}})
}

/// Returns the schema of a discriminator with the extension.
fn property(extension: &Value) -> Value {
    json!({"type": "string", "enum": ["A", "B"], "x-kubernetes-unions": extension})
}

fn members() -> Value {
    json!({"fieldMembers": {"A": {"name": "a", "optional": false}, "B": null}})
}

/// Returns a schema with a well-formed union.
fn union() -> Value {
    with_type(&property(&members()))
}

/// Returns the schema of an object whose list of unions has a single entry.
fn with_union_entry(entry: &Value, property: &Value) -> Value {
    let mut object = with_type(property);
    object["x-kubernetes-unions"] = json!([entry]);
    object
}

const WRITE_MEMBERS: &str = "expected an object with an entry for each discriminator value, such as {\"ALPHA\": {\"name\": \"alpha\", \"optional\": false}, \"NONE\": null}";
const WRITE_ENTRY: &str =
    "expected {\"name\": \"field\", \"optional\": false}, or null if the value has no field";
const NAME_IT: &str =
    "expected the name of a field, or null instead of the entry if the value has no field";
const TWICE: &str = "a field can be used only once, in one union";
const NO_PROPERTY: &str =
    "which is not a property of the object; add the property, or correct the name";

#[test]
fn an_extension_on_a_property_without_members_is_rejected() {
    let rows = [
        (json!({}), format!("`fieldMembers` is missing; {WRITE_MEMBERS}")),
        (json!({"fieldMembers": 5}), format!("`fieldMembers` is 5; {WRITE_MEMBERS}")),
        (json!({"fieldMembers": null}), format!("`fieldMembers` is null; {WRITE_MEMBERS}")),
        (json!({"fieldMembers": ["A"]}), format!("`fieldMembers` is a list; {WRITE_MEMBERS}")),
        (
            json!({"fieldMembers": {}}),
            "`fieldMembers` is empty; add an entry for each discriminator value".to_owned(),
        ),
        (
            json!({"fieldMembers": {"A": null, "B": null}, "discriminator": "type"}),
            "unknown key \"discriminator\" in `x-kubernetes-unions`; expected only \"fieldMembers\""
                .to_owned(),
        ),
    ];
    for (extension, problem) in rows {
        assert_compile_error(
            &with_type(&property(&extension)),
            "/properties/type",
            &problem,
        );
    }
}

#[test]
fn invalid_entries_of_members_are_rejected() {
    let rows = [
        (json!(5), format!("the entry of \"A\" is 5; {WRITE_ENTRY}")),
        (
            json!("a"),
            format!("the entry of \"A\" is \"a\"; {WRITE_ENTRY}"),
        ),
        (
            json!([]),
            format!("the entry of \"A\" is a list; {WRITE_ENTRY}"),
        ),
        (
            json!(true),
            format!("the entry of \"A\" is true; {WRITE_ENTRY}"),
        ),
        (json!({}), format!("`name` of \"A\" is missing; {NAME_IT}")),
        (
            json!({"name": 5}),
            format!("`name` of \"A\" is 5; {NAME_IT}"),
        ),
        (
            json!({"name": ""}),
            format!("`name` of \"A\" is \"\"; {NAME_IT}"),
        ),
        (
            json!({"name": null}),
            format!("`name` of \"A\" is null; {NAME_IT}"),
        ),
        (
            json!({"name": "a", "optional": "yes"}),
            "`optional` of \"A\" must be true or false, not \"yes\"".to_owned(),
        ),
        (
            json!({"name": "a", "optional": null}),
            "`optional` of \"A\" must be true or false, not null".to_owned(),
        ),
        (
            json!({"name": "a", "Optional": true}),
            "unknown key \"Optional\" in the entry of \"A\"; expected \"name\" and \"optional\""
                .to_owned(),
        ),
        (
            json!({"name": "c"}),
            format!("the union has a field \"c\", {NO_PROPERTY}"),
        ),
        (
            json!({"name": "type"}),
            format!("duplicate field \"type\" in the object's unions; {TWICE}"),
        ),
        (
            json!({"name": "b"}),
            format!("duplicate field \"b\" in the object's unions; {TWICE}"),
        ),
    ];
    for (entry, problem) in rows {
        let extension = json!({"fieldMembers": {"A": entry, "B": {"name": "b"}}});
        assert_compile_error(
            &with_type(&property(&extension)),
            "/properties/type",
            &problem,
        );
    }
}

#[test]
fn values_that_contradict_the_enum_are_rejected() {
    let rows = [
        (
            json!(["A", "B", "C"]),
            "`fieldMembers` has no entry for \"C\" of `enum`; add it, with null if the value has no field",
        ),
        (
            json!(["A"]),
            "`fieldMembers` contains \"B\", which is not in `enum`: \"A\"; add it to `enum`, or remove the entry",
        ),
        (json!("A"), "`enum` must be a list of strings, not \"A\""),
        (
            json!(["A", 5]),
            "`enum` contains 5; the values of a discriminator must be strings",
        ),
        (
            json!(["A", ["B"]]),
            "`enum` contains a list; the values of a discriminator must be strings",
        ),
        (
            json!([{}, "A"]),
            "`enum` contains an object; the values of a discriminator must be strings",
        ),
        (
            json!([]),
            "`enum` contains no strings; list the values of the discriminator, or remove `enum`",
        ),
        (
            json!([null]),
            "`enum` contains no strings; list the values of the discriminator, or remove `enum`",
        ),
    ];
    for (values, problem) in rows {
        let mut property = property(&members());
        property["enum"] = values;
        assert_compile_error(&with_type(&property), "/properties/type", problem);
    }
    let mut property_with_empty_value =
        property(&json!({"fieldMembers": {"A": null, "": {"name": "a"}}}));
    property_with_empty_value["enum"] = json!(["A", ""]);
    assert_compile_error(
        &with_type(&property_with_empty_value),
        "/properties/type",
        "member \"a\" cannot have the discriminator value \"\", which selects nothing; use another value",
    );
}

#[test]
fn a_default_that_is_not_a_value_is_rejected() {
    for (default, shown) in [
        (json!("C"), "\"C\""),
        (json!(""), "\"\""),
        (json!(5), "5"),
        (json!(["A"]), "a list"),
        (json!({"A": 1}), "an object"),
    ] {
        let mut property = property(&members());
        property["default"] = default;
        assert_compile_error(
            &with_type(&property),
            "/properties/type",
            &format!(
                "`default` is {shown}, which is not a value of the discriminator; use one of: \"A\", \"B\""
            ),
        );
    }
}

#[test]
fn a_discriminator_that_is_not_a_string_is_rejected() {
    for (kind, shown) in [
        (json!("integer"), "\"integer\""),
        (json!(["string", "integer"]), "[\"string\", \"integer\"]"),
        (json!(5), "5"),
        (json!({"a": 1}), "an object"),
        (json!([{"a": 1}]), "a list"),
    ] {
        let mut property = property(&members());
        property["type"] = kind;
        assert_compile_error(
            &with_type(&property),
            "/properties/type",
            &format!("`type` of a discriminator must be \"string\", not {shown}"),
        );
    }
}

#[test]
fn an_invalid_list_of_unions_is_rejected() {
    for (list, shown) in [
        (json!(5), "5"),
        (json!(null), "null"),
        (json!("type"), "\"type\""),
        (json!(true), "true"),
    ] {
        assert_compile_error(
            &json!({"properties": {"x": {"x-kubernetes-unions": list}}}),
            "/properties/x",
            &format!(
                "`x-kubernetes-unions` is {shown}; expected an object with `fieldMembers` on a discriminator's property, or a list of unions on an object"
            ),
        );
    }
}

#[test]
fn invalid_entries_of_the_list_are_rejected() {
    let write = "expected the members and their values, such as {\"alpha\": \"ALPHA\"}";
    let keys = "expected \"discriminator\" and \"fields-to-discriminateBy\" \
                (`fieldMembers` belongs on the discriminator's property)";
    let rows = [
        (
            json!(5),
            "a union must be an object with `fields-to-discriminateBy`, not 5".to_owned(),
        ),
        (
            json!(null),
            "a union must be an object with `fields-to-discriminateBy`, not null".to_owned(),
        ),
        (
            json!(["a"]),
            "a union must be an object with `fields-to-discriminateBy`, not a list".to_owned(),
        ),
        (
            json!({}),
            format!("`fields-to-discriminateBy` is missing; {write}"),
        ),
        (
            json!({"fields-to-discriminateBy": 5}),
            format!("`fields-to-discriminateBy` is 5; {write}"),
        ),
        (
            json!({"fields-to-discriminateBy": {}}),
            format!("`fields-to-discriminateBy` is empty; {write}"),
        ),
        (
            json!({"fields-to-discriminateBy": ["a"]}),
            format!("`fields-to-discriminateBy` is a list; {write}"),
        ),
        (
            json!({"fields-to-discriminateBy": {"a": 5}}),
            "the discriminator value of member \"a\" must be a string, not 5".to_owned(),
        ),
        (
            json!({"fields-to-discriminateBy": {"a": null}}),
            "the discriminator value of member \"a\" must be a string, not null".to_owned(),
        ),
        (
            json!({"fields-to-discriminateBy": {"a": "A", "b": "A"}}),
            "members \"a\" and \"b\" have the same discriminator value \"A\"; use different values"
                .to_owned(),
        ),
        (
            json!({"fields-to-discriminateBy": {"": "A"}}),
            "the member with the value \"A\" has an empty name; use the name of its field"
                .to_owned(),
        ),
        (
            json!({"fields-to-discriminateBy": {"c": "C"}}),
            format!("the union has a field \"c\", {NO_PROPERTY}"),
        ),
        (
            json!({"fieldMembers": {"A": {"name": "a"}}}),
            format!("unknown key \"fieldMembers\" in a union; {keys}"),
        ),
        (
            json!({"fields": {"a": "A"}}),
            format!("unknown key \"fields\" in a union; {keys}"),
        ),
    ];
    for (entry, problem) in rows {
        assert_compile_error(
            &with_union_entry(&entry, &json!({})),
            "/x-kubernetes-unions/0",
            &problem,
        );
    }
}

#[test]
fn an_invalid_discriminator_in_the_list_is_rejected() {
    let rows = [
        (
            json!(""),
            "`discriminator` must be the name of a field, not \"\"; remove it for a union without a discriminator".to_owned(),
        ),
        (
            json!(5),
            "`discriminator` must be the name of a field, not 5; remove it for a union without a discriminator".to_owned(),
        ),
        (
            json!(null),
            "`discriminator` must be the name of a field, not null; remove it for a union without a discriminator".to_owned(),
        ),
        (
            json!("kind"),
            format!("the union has a field \"kind\", {NO_PROPERTY}"),
        ),
        (
            json!("a"),
            format!("duplicate field \"a\" in the object's unions; {TWICE}"),
        ),
    ];
    for (discriminator, problem) in rows {
        let entry = json!({"discriminator": discriminator, "fields-to-discriminateBy": {"a": "A"}});
        assert_compile_error(
            &with_union_entry(&entry, &json!({})),
            "/x-kubernetes-unions/0",
            &problem,
        );
    }
    let nothing = json!({"discriminator": "type", "fields-to-discriminateBy": {"a": ""}});
    assert_compile_error(
        &with_union_entry(&nothing, &json!({})),
        "/x-kubernetes-unions/0",
        "member \"a\" cannot have the discriminator value \"\", which selects nothing; use another value",
    );
}

#[test]
fn an_invalid_discriminator_property_is_reported_with_its_name() {
    let rows = [
        (
            json!({"type": "boolean"}),
            "discriminator \"type\": `type` of a discriminator must be \"string\", not \"boolean\"",
        ),
        (
            json!({"enum": {}}),
            "discriminator \"type\": `enum` must be a list of strings, not an object",
        ),
        (
            json!({"enum": ["B"]}),
            "member \"a\" has the discriminator value \"A\", which is not in `enum`: \"B\"; add it to `enum`, or correct the value",
        ),
        (
            json!({"default": "B"}),
            "discriminator \"type\": `default` is \"B\", which is not a value of the discriminator; use one of: \"A\"",
        ),
    ];
    for (property, problem) in rows {
        let entry = json!({"discriminator": "type", "fields-to-discriminateBy": {"a": "A"}});
        assert_compile_error(
            &with_union_entry(&entry, &property),
            "/x-kubernetes-unions/0",
            problem,
        );
    }
}

#[test]
fn different_members_in_both_shapes_are_rejected() {
    let rows = [
        (
            json!({"discriminator": "type", "fields-to-discriminateBy": {"a": "B"}}),
            "the members {\"a\": \"B\"} differ from `fieldMembers` on the discriminator's property, {\"a\": \"A\"}; correct or remove one of the two"
                .to_owned(),
        ),
        (
            json!({"discriminator": "type", "fields-to-discriminateBy": {"a": "A", "b": "B"}}),
            "the members {\"a\": \"A\", \"b\": \"B\"} differ from `fieldMembers` on the discriminator's property, {\"a\": \"A\"}; correct or remove one of the two"
                .to_owned(),
        ),
        (
            json!({"fields-to-discriminateBy": {"a": "A"}}),
            format!("duplicate field \"a\" in the object's unions; {TWICE}"),
        ),
    ];
    for (entry, problem) in rows {
        let schema = with_union_entry(&entry, &property(&members()));
        assert_compile_error(&schema, "/x-kubernetes-unions/0", &problem);
    }
}

#[test]
fn a_field_in_two_unions_is_rejected() {
    let mut schema = union();
    schema["properties"]["kind"] = schema["properties"]["type"].clone();
    // The unions are in the order of their discriminators.
    assert_compile_error(
        &schema,
        "/properties/type",
        &format!("duplicate field \"a\" in the object's unions; {TWICE}"),
    );
    for (second_entry, field) in [
        (
            json!({"fields-to-discriminateBy": {"a": "A", "b": "B"}}),
            "a",
        ),
        (
            json!({"discriminator": "type", "fields-to-discriminateBy": {"b": "B"}}),
            "type",
        ),
    ] {
        let first_entry = json!({"discriminator": "type", "fields-to-discriminateBy": {"a": "A"}});
        let mut schema = with_type(&json!({}));
        schema["x-kubernetes-unions"] = json!([first_entry, second_entry]);
        assert_compile_error(
            &schema,
            "/x-kubernetes-unions/1",
            &format!("duplicate field \"{field}\" in the object's unions; {TWICE}"),
        );
    }
    assert_compile_error(
        &json!({"allOf": [union(), union()]}),
        "/allOf/1/properties/type",
        &format!("duplicate field \"type\" in the object's unions; {TWICE}"),
    );
}

#[test]
fn more_than_64_members_or_unions_are_rejected() {
    let fields = |count: usize| (0..count).map(|i| (format!("f{i}"), json!({})));
    let values: Vec<String> = (0..65).map(|i| format!("F{i}")).collect();
    let members = |count: usize| -> Value {
        let members = (0..65).map(|i| {
            let member = if i < count {
                json!({"name": format!("f{i}")})
            } else {
                Value::Null
            };
            (format!("F{i}"), member)
        });
        members.collect()
    };
    let schema = |count: usize| {
        let mut properties: Value = fields(65).collect();
        properties["type"] =
            json!({"enum": values, "x-kubernetes-unions": {"fieldMembers": members(count)}});
        json!({"properties": properties})
    };
    assert!(Unions::compile(SchemaSource::Schema(&schema(64))).is_ok());
    assert_compile_error(
        &schema(65),
        "/properties/type",
        "a union can have at most 64 members, and their values must be among the first 64; move the values that have a member to the front",
    );
    let fields_and_values: Value = (0..65)
        .map(|i| (format!("f{i}"), json!(format!("F{i}"))))
        .collect();
    assert_compile_error(
        &json!({
            "properties": fields(65).collect::<Value>(),
            "x-kubernetes-unions": [{"fields-to-discriminateBy": fields_and_values}],
        }),
        "/x-kubernetes-unions/0",
        "a union has 65 members; the maximum is 64",
    );
    let unions = (0..65).map(|i| json!({"fields-to-discriminateBy": {format!("f{i}"): "F"}}));
    assert_compile_error(
        &json!({
            "properties": fields(65).collect::<Value>(),
            "x-kubernetes-unions": unions.collect::<Value>(),
        }),
        "/x-kubernetes-unions/64",
        "an object has more than 64 unions; move some into objects of their own",
    );
    let values: Vec<String> = (0..1_025).map(|i| format!("V{i}")).collect();
    let null_members = |values: &[String]| -> Value {
        values
            .iter()
            .map(|value| (value.clone(), Value::Null))
            .collect()
    };
    let mut property = property(&json!({"fieldMembers": {"A": null}}));
    property["enum"] = json!(values);
    assert_compile_error(
        &with_type(&property),
        "/properties/type",
        "`enum` has more than 1024 values, the maximum for a discriminator",
    );
    let property = json!({"x-kubernetes-unions": {"fieldMembers": null_members(&values)}});
    assert_compile_error(
        &with_type(&property),
        "/properties/type",
        "`fieldMembers` has more than 1024 entries, the maximum for a discriminator",
    );
}
