//! Tests of the schemas of members that attributes of schemars change.

use schemars::{JsonSchema, Schema, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, RawUnion, Union, UnionEnum, schema_for};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    Alpha,
    Beta,
}

/// Declares a union with attributes on its optional discriminator and on its members.
macro_rules! choice {
    ($name:ident, [$($on_kind:tt)*], [$($on_alpha:tt)*], $alpha:ty) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = union_runtime::add_unions::<$name>)]
        struct $name {
            name: String,
            #[union(discriminator)]
            #[serde(skip_serializing_if = "Option::is_none")]
            $($on_kind)*
            kind: Option<Kind>,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            $($on_alpha)*
            alpha: Option<$alpha>,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: Option<u8>,
        }
    };
}

choice!(Plain, [], [], String);
choice!(Required, [#[schemars(required)]], [#[schemars(required)]], String);
choice!(With, [#[schemars(with = "Kind")]], [#[schemars(with = "u32")]], String);

#[test]
fn a_field_that_may_be_unset_is_not_required() {
    for schema in [
        schema_for::<Plain>(),
        schema_for::<Required>(),
        schema_for::<With>(),
    ] {
        assert_eq!(schema.get("required"), Some(&json!(["name"])));
    }
    let schema = schema_for::<With>().to_value();
    assert_eq!(schema["properties"]["alpha"]["type"], "integer");
}

#[expect(clippy::unnecessary_wraps, reason = "schemars calls it so")]
fn string_default() -> Option<String> {
    Some("x".into())
}

choice!(DefaultByFunction, [], [#[schemars(default = "string_default")]], String);
choice!(DefaultByExtend, [], [#[schemars(extend("default" = "x"))]], String);
choice!(NullDefault, [], [#[schemars(extend("default" = null))]], String);

#[test]
#[should_panic = "the schema has a default for the member `alpha`"]
fn a_default_of_a_member_by_a_function_is_rejected() {
    let _ = schema_for::<DefaultByFunction>();
}

#[test]
#[should_panic = "the schema has a default for the member `alpha`"]
fn a_default_of_a_member_by_extend_is_rejected() {
    let _ = schema_for::<DefaultByExtend>();
}

#[test]
fn null_is_not_a_default() {
    let schema = schema_for::<NullDefault>();
    assert_eq!(schema.get("required"), Some(&json!(["name"])));
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Marker;

choice!(AlwaysNull, [], [], Marker);

#[test]
#[should_panic = "the member `alpha` is always null in JSON"]
fn a_member_that_is_always_null_is_rejected() {
    let _ = schema_for::<AlwaysNull>();
}

/// Declares an enum with a member of this type.
macro_rules! target {
    ($name:ident, [$($on_alpha:tt)*], $alpha:ty) => {
        #[derive(UnionEnum)]
        #[union(discriminator = "type")]
        enum $name {
            $($on_alpha)*
            Alpha($alpha),
            #[union(other)]
            Other(RawUnion),
        }
    };
}

type Alias = Option<String>;

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Generic<T> {
    Alpha(T),
    #[union(other)]
    Other(RawUnion),
}

fn string_or_null(_: &mut schemars::SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "null"] })
}

target!(NullableAlias, [], Alias);
target!(NullMarker, [], Marker);
target!(NullableFunction, [#[union(schema_with = string_or_null)]], String);
target!(AnyJson, [], Value);
target!(Optional, [], Option<String>);

fn assert_may_be_null<T: JsonSchema>(name: &str) {
    let panic = std::panic::catch_unwind(schema_for::<T>).expect_err(name);
    let message = panic.downcast_ref::<String>().expect(name);
    assert!(
        message.contains("the member `alpha` may be null in JSON"),
        "{name}: {message}"
    );
}

/// Tests members that may be null although the derive does not see this.
#[test]
fn a_member_of_an_enum_that_may_be_null_is_rejected() {
    assert_may_be_null::<NullableAlias>("an alias of an Option");
    assert_may_be_null::<Generic<Option<u8>>>("a type parameter that is an Option");
    assert_may_be_null::<NullMarker>("a unit struct");
    assert_may_be_null::<Generic<Marker>>("a type parameter that is a unit struct");
    assert_may_be_null::<NullableFunction>("a function");
    for schema in [
        schema_for::<AnyJson>(),
        schema_for::<Optional>(),
        schema_for::<Generic<String>>(),
    ] {
        assert_eq!(schema.get("required"), Some(&json!(["type"])));
    }
}
