//! Tests of structs that keep unknown members and are flattened into other structs.
//!
//! In the allowed positions, no member is lost or written twice. The derive rejects the other
//! positions (`ui/unknown`), and these tests show the reason.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::spec::UnionType;
use union_runtime::{Settings, Union};

use crate::unions::unknown::types::{Choice, Element, Kind};
use crate::unions::unknown::{read, to_json};

#[test]
fn a_flattened_struct_clears_unknown_members_at_the_parents_path() {
    let old: Element = read(&json!({ "name": "a", "kind": "Gamma", "gamma": 1, "color": "red" }));
    let mut new: Element =
        read(&json!({ "name": "a", "kind": "Nothing", "gamma": 1, "color": "red" }));
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "gamma: cleared"
    );
    assert_eq!(
        to_json(&new),
        json!({ "name": "a", "kind": "Nothing", "color": "red" })
    );
}

#[test]
fn a_struct_that_is_flattened_twice_keeps_its_unknown_fields() {
    #[derive(Union, Serialize, Deserialize)]
    struct Outer {
        other: u8,
        #[union(inline)]
        #[serde(flatten)]
        element: Option<Box<Element>>,
    }
    let object = json!({ "other": 1, "name": "a", "kind": "Gamma", "gamma": 1, "color": "red" });
    let old: Outer = read(&object);
    assert_eq!(to_json(&old), object);
    let mut new: Outer = read(&object);
    if let Some(element) = &mut new.element {
        element.choice.kind = Kind::Nothing;
    }
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "gamma: cleared"
    );
    const { assert!(<Outer as UnionType>::KEEPS_UNKNOWN) };
}

#[test]
fn an_absent_optional_flattened_struct_keeps_nothing() {
    #[derive(Union, Serialize, Deserialize)]
    struct Outer {
        #[union(inline)]
        #[serde(flatten)]
        choice: Option<Choice>,
    }
    // `attributes.md` documents that nothing is kept here.
    assert_eq!(to_json(&read::<Outer>(&json!({ "gamma": 1 }))), json!({}));
}

/// Checks the behavior of serde's own derive that makes the derive of unions reject such a
/// position.
#[test]
fn the_map_also_catches_the_fields_of_another_flattened_struct() {
    #[derive(Serialize, Deserialize)]
    struct Other {
        x: u8,
    }
    #[derive(Serialize, Deserialize)]
    struct FlattensTwo {
        #[serde(flatten)]
        choice: Choice,
        #[serde(flatten)]
        other: Other,
    }
    let text = r#"{"x":1,"kind":"Nothing"}"#;
    let value: FlattensTwo = serde_json::from_str(text).expect("a readable value");
    assert_eq!(
        value.choice.rest,
        BTreeMap::from([("x".to_owned(), Value::from(1))])
    );
    assert_eq!(
        serde_json::to_string(&value).expect("a serializable value"),
        r#"{"kind":"Nothing","x":1,"x":1}"#
    );
    assert_eq!(value.other.x, 1);
}
