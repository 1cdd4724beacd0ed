//! Tests of unions that are Rust enums: reading of strings, nulls and flattened objects, and their
//! schemas.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{RawUnion, UnionEnum, schema_for};

#[derive(UnionEnum, Debug, PartialEq)]
#[union(discriminator = "type", schema = false, strict, read_also = "external")]
enum Level {
    Auto,
    Fixed(u32),
}

/// The value of a member may be null.
#[derive(UnionEnum, Debug, PartialEq)]
#[union(undiscriminated, schema = false, strict)]
enum Source {
    Inline(Value),
    Url(String),
}

#[derive(UnionEnum, Debug, PartialEq)]
#[union(discriminator = "type", schema = false)]
enum Target {
    #[union(default)]
    Off,
    Disk(String),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Parent<T> {
    name: String,
    #[serde(flatten)]
    union: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct ParentWithMap<T> {
    #[serde(flatten)]
    union: T,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

fn read<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

#[test]
fn a_string_that_names_no_variant_is_an_invalid_value() {
    assert_eq!(read(json!("Auto")), Ok(Level::Auto));
    let error = "invalid value: string \"Manual\", expected an object of union Level";
    assert_eq!(read::<Level>(json!("Manual")), Err(error.to_owned()));
}

#[test]
fn a_member_that_is_null_is_not_set() {
    let url = Source::Url("x".to_owned());
    assert_eq!(read(json!({"inline": null, "url": "x"})), Ok(url));
    let error = read::<Source>(json!({"inline": null})).expect_err("no member is set");
    assert!(error.contains("must specify one of"), "{error}");
}

#[test]
fn a_flattened_enum_without_fields_has_its_default_or_the_error_of_validation() {
    let parent: Result<Parent<Target>, _> = read(json!({"name": "x"}));
    assert_eq!(parent.map(|parent| parent.union), Ok(Target::Off));
    let error = read::<Parent<Source>>(json!({"name": "x"})).expect_err("no member is set");
    assert!(error.contains("must specify one of"), "{error}");
}

#[test]
fn the_fields_of_a_flattened_enum_are_not_in_the_map_of_its_parent() {
    let object = json!({"type": "Fixed", "fixed": 3, "extra": 1});
    let parent: ParentWithMap<Level> = read(object.clone()).expect("a parent");
    assert_eq!(parent.union, Level::Fixed(3));
    assert_eq!(json!(parent.rest), json!({"extra": 1}));
    assert_eq!(json!(parent), object);
}

/// Defines a type with the name and the schema of a Kubernetes type for any JSON. The schema allows
/// only objects without fields. The derive recognizes the name.
macro_rules! free_json {
    ($(#[$attribute:meta])* $name:ident) => {
        #[derive(Serialize, Deserialize)]
        $(#[$attribute])*
        struct $name(Value);

        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "object", "description": "any JSON"})
            }
        }
    };
}

free_json!(
    #[expect(clippy::upper_case_acronyms, reason = "the name is Kubernetes' name")]
    JSON
);
free_json!(RawExtension);

#[derive(UnionEnum)]
#[union(undiscriminated, strict)]
enum Free {
    Any(JSON),
    Extension(RawExtension),
    Text(String),
}

#[derive(UnionEnum)]
#[union(undiscriminated, strict, read_also = "external")]
enum OldForm {
    Text(String),
    Number(u8),
}

#[test]
fn schemas_of_free_members_and_of_the_old_form_keep_unknown_fields() {
    const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
    for free in [schema_for::<Free>(), schemars::schema_for!(Free)] {
        let free = free.to_value();
        for (field, expected) in [
            ("any", [Value::Null, json!("any JSON"), json!(true)]),
            (
                "extension",
                [json!("object"), json!("any JSON"), json!(true)],
            ),
            ("text", [json!("string"), Value::Null, Value::Null]),
        ] {
            let property = &free["properties"][field];
            let keywords =
                ["type", "description", PRESERVE].map(|keyword| property[keyword].clone());
            assert_eq!(keywords, expected, "{field}");
        }
        assert_eq!(free.get(PRESERVE), None);
    }
    assert_eq!(schema_for::<OldForm>().to_value()[PRESERVE], true);
}
