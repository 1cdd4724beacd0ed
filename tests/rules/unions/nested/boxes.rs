//! Tests of `nested` fields with a `Box` around lists, maps and elements.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::Union;

use crate::unions::nested::answer::update;
use crate::unions::nested::types::Choice;

#[expect(clippy::box_collection, clippy::vec_box)] // the subject of the test
#[derive(Union, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", default)]
#[schemars(transform = union_runtime::add_unions::<Boxes>)]
struct Boxes {
    #[union(nested, list_map_keys("name"))]
    list: Box<Vec<Item>>,
    #[union(nested, list_map_keys("name"))]
    perhaps: Option<Box<Vec<Item>>>,
    #[union(nested, list_map_keys("name"))]
    elements: Vec<Box<Item>>,
    #[union(nested)]
    map: Box<BTreeMap<String, Choice>>,
    #[union(nested)]
    plain: Option<Box<Vec<Choice>>>,
    #[union(nested)]
    option: Box<Option<Choice>>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Item>)]
struct Item {
    #[union(key)]
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    choice: Choice,
}

fn item(name: &str, kind: &str) -> Value {
    json!({"name": name, "kind": kind, "alpha": 1})
}

#[test]
fn boxed_keyed_lists_and_lists_of_boxed_elements_correlate() {
    for field in ["list", "perhaps", "elements"] {
        let old = json!({ field: [item("a", "Alpha"), item("b", "Alpha")] });
        let new = json!({ field: [item("b", "Nothing"), item("c", "Nothing")] });
        update::<Boxes>(&old, &new).assert_lines(
            &[&format!("{field}[0].alpha: cleared")],
            &[&format!("{field}[1].alpha")],
            &[],
        );
    }
}

#[test]
fn unions_inside_boxed_maps_lists_and_options_are_validated() {
    let choice = |kind: &str| json!({"kind": kind, "alpha": 1});
    let object = |kind: &str| json!({"map": {"a": choice(kind)}, "plain": [choice(kind)], "option": choice(kind)});
    update::<Boxes>(&object("Alpha"), &object("Nothing")).assert_lines(
        &["map[a].alpha: cleared", "option.alpha: cleared"],
        &["plain[0].alpha"],
        &[],
    );
}
