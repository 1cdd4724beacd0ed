//! Tests of enum types in fields that are not a discriminator (KEP-2887).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, add_enum, schema_for};

use crate::property;

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_enum::<Protocol>)]
enum Protocol {
    /// Transmission Control Protocol.
    #[serde(rename = "TCP")]
    Tcp,
    #[serde(rename = "UDP")]
    Udp,
    #[enum_type(other)]
    #[serde(untagged)]
    Other(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Port {
    bare: Protocol,
    /// How it is reached.
    documented: Protocol,
    #[serde(skip_serializing_if = "Option::is_none")]
    optional: Option<Protocol>,
    /// How it may be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    optional_documented: Option<Protocol>,
    list: Vec<Protocol>,
    map: BTreeMap<String, Protocol>,
}

const VALUE_LIST: &str =
    "Possible enum values:\n - `\"TCP\"` Transmission Control Protocol.\n - `\"UDP\"`";

fn assert_is_protocol(schema: &Value) {
    assert_eq!(schema["type"], "string", "{schema}");
    assert_eq!(schema["enum"], json!(["TCP", "UDP"]), "{schema}");
    let description = schema["description"].as_str().unwrap_or_default();
    assert!(description.ends_with(VALUE_LIST), "{schema}");
    assert_eq!(description.matches("Possible").count(), 1, "{schema}");
    for removed_keyword in ["anyOf", "oneOf", "x-union-enum-values"] {
        assert_eq!(schema.get(removed_keyword), None, "{schema}");
    }
}

#[test]
fn a_field_has_values_and_their_docs() {
    let bare = property::<Port>("bare");
    assert_is_protocol(&bare);
    assert_eq!(bare["description"], VALUE_LIST);
}

#[test]
fn the_docs_of_the_values_follow_the_doc_comment_of_the_field() {
    let documented = property::<Port>("documented");
    assert_is_protocol(&documented);
    assert_eq!(
        documented["description"],
        format!("How it is reached.\n\n{VALUE_LIST}")
    );
}

/// Checks that an `Option` of an enum type may be null, as schemars defines it for any `Option`.
#[test]
fn an_optional_field_has_values_and_their_docs_and_stays_nullable() {
    let optional = property::<Port>("optional");
    assert_eq!(
        optional,
        json!({
            "type": "string",
            "enum": ["TCP", "UDP", null],
            "nullable": true,
            "description": VALUE_LIST,
        })
    );
    assert_eq!(
        property::<Port>("optionalDocumented")["description"],
        format!("How it may be reached.\n\n{VALUE_LIST}")
    );
}

#[test]
fn elements_of_lists_and_maps_have_values() {
    assert_is_protocol(&property::<Port>("list")["items"]);
    assert_is_protocol(&property::<Port>("map")["additionalProperties"]);
}

#[test]
fn no_mark_is_left() {
    let schema = schema_for::<Port>().to_value().to_string();
    assert!(!schema.contains("x-union"), "{schema}");
}

/// Checks that `FinishSchema` adds the docs of the values to the schema of any generator.
#[test]
fn finish_restores_the_docs_in_any_generators_schema() {
    use schemars::transform::Transform as _;
    let settings = schemars::generate::SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<Port>();
    let description = |schema: &schemars::Schema| {
        schema.as_value()["properties"]["documented"]["description"].clone()
    };
    assert_eq!(description(&schema), "How it is reached.");
    union_runtime::schema::FinishSchema.transform(&mut schema);
    assert_eq!(
        description(&schema),
        format!("How it is reached.\n\n{VALUE_LIST}")
    );
}

/// An alias, which has no derive and no docs.
type Transport = Protocol;

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithAlias {
    transport: Transport,
}

#[test]
fn a_field_by_an_alias_of_an_enum_type_has_its_values() {
    assert_eq!(
        property::<WithAlias>("transport"),
        property::<Port>("bare"),
        "the alias adds nothing"
    );
}
