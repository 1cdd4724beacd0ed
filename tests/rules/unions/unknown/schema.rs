//! Tests that the schema does not show the map of unknown members: readers see only the union, and
//! API servers prune unknown members.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{Union, schema_for};

use crate::unions::unknown::types::{
    Choice, Element, KeptInHashMap, KeptInJsonMap, Kind, MaybeKind, NestedUnions,
};

fn schema<T: JsonSchema>() -> Value {
    let mut schema = schema_for::<T>().to_value();
    let object = schema.as_object_mut().expect("an object");
    object.remove("title");
    object.remove("description");
    schema
}

#[test]
fn the_schema_equals_the_schema_of_a_struct_without_the_map() {
    #[derive(Union, Serialize, Deserialize, JsonSchema)]
    #[schemars(transform = union_runtime::add_unions::<Plain>)]
    struct Plain {
        #[union(discriminator)]
        kind: Kind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<u32>,
        #[union(member, optional)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<Vec<String>>,
    }
    assert_eq!(schema::<Choice>(), schema::<Plain>());
}

#[test]
fn the_map_does_not_change_the_schema_of_an_optional_discriminator() {
    #[derive(Union, Serialize, Deserialize, JsonSchema)]
    #[schemars(transform = union_runtime::add_unions::<Plain>)]
    struct Plain {
        #[union(discriminator)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<MaybeKind>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<u32>,
        #[union(member, optional)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<Vec<String>>,
    }
    assert_eq!(schema::<KeptInHashMap>(), schema::<Plain>());
}

#[test]
fn the_schema_does_not_show_the_map() {
    for schema in [
        schema::<Choice>(),
        schema::<KeptInHashMap>(),
        schema::<KeptInJsonMap>(),
        schema::<Element>(),
        schema::<NestedUnions>()["properties"]["one"].clone(),
    ] {
        let text = schema.to_string();
        for keyword in [
            "rest",
            "others",
            "additionalProperties",
            "preserve-unknown",
            "patternProperties",
        ] {
            assert!(!text.contains(keyword), "{keyword}: {text}");
        }
    }
}
