//! Tests of field names in CEL, which are escaped as in Kubernetes, and in `fieldPath`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_unions};

use crate::rules;

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    A,
    B,
}

/// Defines a union with the given names of the discriminator and of one member. The name of the
/// other member is plain.
macro_rules! named {
    ($name:ident, $discriminator:literal, $member:literal) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = add_unions::<$name>)]
        struct $name {
            #[union(discriminator)]
            #[serde(rename = $discriminator)]
            kind: Kind,
            #[union(member = "A", optional)]
            #[serde(rename = $member, skip_serializing_if = "Option::is_none")]
            a: Option<i32>,
            #[union(member = "B", optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            b: Option<i32>,
        }
    };
}

/// Returns the expression and the `fieldPath` of the rule for the member.
fn rule<T: JsonSchema>() -> (String, String) {
    let rules = rules::<T>();
    assert_eq!(rules.len(), 2, "{rules:#?}");
    let text = |key: &str| rules[0][key].as_str().unwrap_or_default().to_owned();
    (text("rule"), text("fieldPath"))
}

macro_rules! escaped {
    ($test:ident, $discriminator:literal as $d:literal, $member:literal as $m:literal, $path:literal) => {
        #[test]
        fn $test() {
            named!(Named, $discriminator, $member);
            let (text, path) = rule::<Named>();
            assert_eq!(
                text,
                concat!(
                    "has(self.",
                    $d,
                    ") && self.",
                    $d,
                    " == 'A' ? true : !has(self.",
                    $m,
                    ")"
                )
            );
            assert_eq!(path, $path);
        }
    };
}

escaped!(plain_names_stay, "type" as "type", "alpha" as "alpha", ".alpha");
escaped!(one_underscore_stays, "my_type" as "my_type", "_a_b_" as "_a_b_", "._a_b_");
escaped!(
    reserved_words, "in" as "__in__", "namespace" as "__namespace__", ".namespace"
);
escaped!(literals_are_reserved, "true" as "__true__", "null" as "__null__", ".null");
escaped!(words_of_rust_are_not_reserved, "self" as "self", "type" as "type", ".type");
escaped!(
    reserved_words_within_names_stay, "inner" as "inner", "In" as "In", ".In"
);
escaped!(
    dashes, "my-type" as "my__dash__type", "x-y" as "x__dash__y", "['x-y']"
);
escaped!(dots, "a.type" as "a__dot__type", "x.y" as "x__dot__y", "['x.y']");
escaped!(
    slashes, "a/type" as "a__slash__type", "x/y" as "x__slash__y", "['x/y']"
);
escaped!(
    two_underscores, "my__type" as "my__underscores__type", "x__y" as "x__underscores__y", ".x__y"
);
escaped!(
    three_underscores, "type" as "type", "x___y" as "x__underscores___y", ".x___y"
);
escaped!(
    signs_beside_underscores, "type" as "type", "-__." as "__dash____underscores____dot__",
    "['-__.']"
);
escaped!(
    what_looks_escaped, "type" as "type", "__in__" as "__underscores__in__underscores__",
    ".__in__"
);

/// Checks that a member without a CEL name has no rule, and that the other member keeps its rule.
#[test]
fn a_member_that_cel_cannot_name_has_no_rule() {
    named!(Dollar, "type", "$a");
    named!(Unicode, "type", "größe");
    named!(Digit, "type", "1a");
    named!(Space, "type", "a b");
    for rules in [
        rules::<Dollar>(),
        rules::<Unicode>(),
        rules::<Digit>(),
        rules::<Space>(),
    ] {
        assert_eq!(rules.len(), 1, "{rules:#?}");
        assert_eq!(rules[0]["fieldPath"], ".b");
    }
}

#[test]
fn a_discriminator_that_cel_cannot_name_leaves_no_rules() {
    named!(Dollar, "$type", "a");
    assert_eq!(rules::<Dollar>(), [] as [serde_json::Value; 0]);
    let schema = union_runtime::schema_for::<Dollar>();
    assert_eq!(schema.get("x-kubernetes-validations"), None);
}
