//! Tests of members in boxes, and of type aliases of members.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::{cleared, declared, wrong};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Outside,
    Inside,
    Aliased,
    Deep,
}

type Alias = Option<u8>;

#[derive(Union, Serialize, Deserialize)]
struct Boxes {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<Box<Boxes>>,
    #[union(member)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inside: Box<Option<u8>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    aliased: Alias,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    deep: Option<Box<[u8]>>,
}

fn read(text: &str) -> Boxes {
    serde_json::from_str(text).expect("a readable value")
}

#[test]
fn boxes_inside_and_around_the_option_and_aliases_are_supported() {
    assert_eq!(
        declared::<Boxes>(),
        r#"kind: outside = "Outside", inside = "Inside", aliased = "Aliased", deep = "Deep""#
    );
    assert_eq!(wrong(&read(r#"{"kind": "Inside", "inside": 1}"#)), "");
    assert_eq!(
        wrong(&read(
            r#"{"kind": "Outside", "outside": {"kind": "Deep", "deep": []}}"#
        )),
        ""
    );
    assert_eq!(wrong(&read(r#"{"kind": "Inside"}"#)), "inside");
}

#[test]
fn a_boxed_member_is_cleared() {
    let old = read(r#"{"kind": "Inside", "inside": 1}"#);
    let mut new = read(
        r#"{"kind": "Aliased", "inside": 1, "outside": {"kind": "Deep"}, "aliased": 2, "deep": []}"#,
    );
    assert_eq!(cleared(&mut new, &old), "outside inside deep");
    assert_eq!(
        serde_json::to_value(&new).expect("plain data"),
        serde_json::json!({ "kind": "Aliased", "aliased": 2 })
    );
}

#[test]
fn an_empty_list_is_set() {
    assert_eq!(
        wrong(&read(r#"{"kind": "Aliased", "aliased": 1, "deep": []}"#)),
        "deep"
    );
}
