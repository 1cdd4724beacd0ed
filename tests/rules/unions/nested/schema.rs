//! Tests of `list_map_keys` in the schema (`x-kubernetes-list-type: map` and the keys), and of
//! structs that need no schema hook.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::spec::UnionType as _;
use union_runtime::{Union, schema_for};

use crate::unions::nested::types::{Choice, Source};

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Spec>)]
struct Spec {
    #[union(nested, list_map_keys("number", "protocol"))]
    the_ports: Vec<Port>,
    #[union(nested, list_map_keys("protocol"))]
    #[serde(rename = "r")]
    renamed: Option<Vec<Port>>,
    #[union(nested)]
    plain: Vec<Port>,
    #[union(nested)]
    map: BTreeMap<String, Port>,
    #[union(nested)]
    choice: Choice,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Port>)]
struct Port {
    #[union(key)]
    number: u16,
    #[union(key)]
    protocol: String,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
}

/// A struct that flattens a struct with a keyed list.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Flattening>)]
struct Flattening {
    #[union(inline)]
    #[serde(flatten)]
    spec: Spec,
    name: String,
}

/// A struct without a union, a flattened union or a keyed list, so it needs no schema hook.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
struct Passing {
    #[union(nested)]
    spec: Spec,
    #[union(nested)]
    list: Vec<Choice>,
}

/// A struct with only a key.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
struct Keyed {
    #[union(key)]
    name: String,
}

fn schema<T: JsonSchema>() -> Value {
    schema_for::<T>().to_value()
}

/// Returns the list type and the map keys of the schema of a list, each null if absent.
fn list_type_and_keys(property: &Value) -> (Value, Value) {
    let extension = |key: &str| property.get(key).cloned().unwrap_or_default();
    (
        extension("x-kubernetes-list-type"),
        extension("x-kubernetes-list-map-keys"),
    )
}

#[test]
fn a_keyed_list_has_the_list_type_map_with_its_keys_in_order() {
    let schema = schema::<Spec>();
    let properties = &schema["properties"];
    let keys = json!(["number", "protocol"]);
    assert_eq!(
        list_type_and_keys(&properties["thePorts"]),
        (json!("map"), keys)
    );
    let keys = json!(["protocol"]);
    assert_eq!(list_type_and_keys(&properties["r"]), (json!("map"), keys));
}

#[test]
fn other_lists_and_maps_have_no_list_type() {
    let schema = schema::<Spec>();
    for name in ["plain", "map", "choice"] {
        let property = &schema["properties"][name];
        assert!(property.is_object(), "{name}");
        assert_eq!(
            list_type_and_keys(property),
            (Value::Null, Value::Null),
            "{name}"
        );
    }
}

#[test]
fn a_keyed_list_of_a_flattened_struct_keeps_its_keys() {
    let (flattening, spec) = (schema::<Flattening>(), schema::<Spec>());
    for name in ["thePorts", "r"] {
        assert_eq!(
            list_type_and_keys(&flattening["properties"][name]),
            list_type_and_keys(&spec["properties"][name])
        );
    }
}

#[test]
fn a_parent_without_unions_has_the_schemas_of_its_fields() {
    let schema = schema::<Passing>();
    let mut spec = self::schema::<Spec>();
    spec.as_object_mut().expect("an object").remove("title");
    assert_eq!(schema["properties"]["spec"], spec);
    let items = &schema["properties"]["list"]["items"];
    let rules = items["x-kubernetes-validations"].as_array().map(Vec::len);
    assert_eq!(rules, Some(2));
    assert!(schema.get("x-kubernetes-validations").is_none());
    assert!(schema.get("x-kubernetes-unions").is_none());
}

#[test]
fn nested_unions_are_no_unions_of_the_struct() {
    let mut count = 0;
    Passing::visit_unions(&mut |_| count += 1);
    Keyed::visit_unions(&mut |_| count += 1);
    Spec::visit_unions(&mut |_| count += 1);
    assert_eq!(count, 0);
}

#[test]
fn the_unions_of_elements_are_in_the_schema_of_the_elements() {
    let schema = schema::<Spec>();
    for list in ["thePorts", "plain"] {
        let items = &schema["properties"][list]["items"];
        let listed = items["x-kubernetes-unions"].as_array().map(Vec::len);
        assert_eq!(listed, Some(1), "{list}");
    }
    let values = &schema["properties"]["map"]["additionalProperties"];
    assert!(values["x-kubernetes-unions"].is_array());
}
