//! Tests of members in boxes, and of type aliases of members.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::{cleared_paths, describe_union, error_paths};

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
    #[union(member, nested)]
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

fn read(json: &str) -> Boxes {
    serde_json::from_str(json).expect("a readable value")
}

#[test]
fn a_member_may_be_a_box_around_or_inside_an_option_or_an_alias() {
    assert_eq!(
        describe_union::<Boxes>(),
        r#"kind: outside = "Outside", inside = "Inside", aliased = "Aliased", deep = "Deep""#
    );
    assert_eq!(error_paths(&read(r#"{"kind": "Inside", "inside": 1}"#)), "");
    assert_eq!(
        error_paths(&read(
            r#"{"kind": "Outside", "outside": {"kind": "Deep", "deep": []}}"#
        )),
        ""
    );
    assert_eq!(error_paths(&read(r#"{"kind": "Inside"}"#)), "inside");
}

#[test]
fn a_boxed_member_is_cleared() {
    let old = read(r#"{"kind": "Inside", "inside": 1}"#);
    let mut new = read(
        r#"{"kind": "Aliased", "inside": 1, "outside": {"kind": "Deep"}, "aliased": 2, "deep": []}"#,
    );
    assert_eq!(cleared_paths(&mut new, &old), "outside inside deep");
    assert_eq!(
        serde_json::to_value(&new).expect("plain data"),
        serde_json::json!({ "kind": "Aliased", "aliased": 2 })
    );
}

#[test]
fn an_empty_list_counts_as_a_set_member() {
    assert_eq!(
        error_paths(&read(r#"{"kind": "Aliased", "aliased": 1, "deep": []}"#)),
        "deep"
    );
}
