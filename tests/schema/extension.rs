//! Tests of the exact content of `x-kubernetes-unions` in the 2022 shape (KEP-1027, `OpenAPI`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::{EnumType, Union, add_unions, schema_for};

use crate::property;

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Mode {
    #[serde(rename = "ALPHA")]
    Alpha,
    #[serde(rename = "BETA")]
    Beta,
    #[serde(rename = "GAMMA")]
    Gamma,
    #[serde(rename = "NONE")]
    None,
    #[serde(rename = "")]
    Empty,
}

/// A union with members in another order than the values, and with a field that is not a member.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = add_unions::<Mixed>)]
struct Mixed {
    beside: String,
    #[union(member = "GAMMA", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    third_one: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(discriminator)]
    the_mode: Mode,
}

#[test]
fn every_value_has_an_entry_which_is_null_without_a_field() {
    assert_eq!(
        property::<Mixed>("theMode")["x-kubernetes-unions"],
        json!({ "fieldMembers": {
            "ALPHA": { "name": "alpha", "optional": false },
            "BETA": null,
            "GAMMA": { "name": "thirdOne", "optional": true },
            "NONE": null,
            "": null,
        } })
    );
}

#[test]
fn the_extension_is_only_on_the_discriminator() {
    let schema = schema_for::<Mixed>().to_value();
    assert_eq!(schema.get("x-kubernetes-unions"), None);
    for name in ["beside", "thirdOne", "alpha"] {
        assert_eq!(schema["properties"][name].get("x-kubernetes-unions"), None);
    }
    assert_eq!(schema.to_string().matches("x-kubernetes-unions").count(), 1);
}

#[test]
fn other_keywords_and_properties_are_unchanged() {
    let schema = schema_for::<Mixed>().to_value();
    assert_eq!(schema["properties"]["beside"], json!({ "type": "string" }));
    assert_eq!(
        schema["properties"]["thirdOne"],
        json!({ "type": "string", "nullable": true })
    );
    assert_eq!(schema["required"], json!(["beside", "theMode"]));
    assert_eq!(schema["type"], "object");
}

/// A union with `schema = false`. Its schema is the schema of schemars.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(schema = false)]
struct WithoutHook {
    #[union(discriminator)]
    kind: Mode,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

#[test]
fn schema_false_adds_no_keywords() {
    let schema = schema_for::<WithoutHook>().to_value();
    assert!(!schema.to_string().contains("x-kubernetes"), "{schema:#}");
    assert_eq!(schema["properties"]["kind"].get("description"), None);
}
