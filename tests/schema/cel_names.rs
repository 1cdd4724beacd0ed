//! Tests of field names in CEL, which are escaped as in Kubernetes, and in `fieldPath`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{EnumType, Union, add_unions};

use crate::cel_rules;

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    A,
    B,
}

/// Defines a union with the given names of the discriminator and of one member. The name of the
/// other member is plain.
macro_rules! declare_union {
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
fn first_rule<T: JsonSchema>() -> (String, String) {
    let rules = cel_rules::<T>();
    assert_eq!(rules.len(), 2, "{rules:#?}");
    let string = |key: &str| rules[0][key].as_str().unwrap_or_default().to_owned();
    (string("rule"), string("fieldPath"))
}

macro_rules! test_escaping {
    ($test:ident, $discriminator:literal as $d:literal, $member:literal as $m:literal, $path:literal) => {
        #[test]
        fn $test() {
            declare_union!(Named, $discriminator, $member);
            let (expression, path) = first_rule::<Named>();
            assert_eq!(
                expression,
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

test_escaping!(plain_names_are_not_escaped, "type" as "type", "alpha" as "alpha", ".alpha");
test_escaping!(single_underscores_are_not_escaped, "my_type" as "my_type", "_a_b_" as "_a_b_", "._a_b_");
test_escaping!(
    reserved_words_are_escaped, "in" as "__in__", "namespace" as "__namespace__", ".namespace"
);
test_escaping!(literals_are_escaped, "true" as "__true__", "null" as "__null__", ".null");
test_escaping!(rust_keywords_are_not_escaped, "self" as "self", "type" as "type", ".type");
test_escaping!(
    names_that_contain_reserved_words_are_not_escaped, "inner" as "inner", "In" as "In", ".In"
);
test_escaping!(
    dashes_are_escaped, "my-type" as "my__dash__type", "x-y" as "x__dash__y", "['x-y']"
);
test_escaping!(dots_are_escaped, "a.type" as "a__dot__type", "x.y" as "x__dot__y", "['x.y']");
test_escaping!(
    slashes_are_escaped, "a/type" as "a__slash__type", "x/y" as "x__slash__y", "['x/y']"
);
test_escaping!(
    two_underscores_are_escaped, "my__type" as "my__underscores__type", "x__y" as "x__underscores__y", ".x__y"
);
test_escaping!(
    only_two_of_three_underscores_are_escaped, "type" as "type", "x___y" as "x__underscores___y", ".x___y"
);
test_escaping!(
    signs_beside_underscores_are_escaped, "type" as "type", "-__." as "__dash____underscores____dot__",
    "['-__.']"
);
test_escaping!(
    names_that_look_escaped_are_escaped, "type" as "type", "__in__" as "__underscores__in__underscores__",
    ".__in__"
);

/// Checks that a member without a CEL name has no rule, and that the other member keeps its rule.
#[test]
fn a_member_that_cel_cannot_name_has_no_rule() {
    declare_union!(Dollar, "type", "$a");
    declare_union!(Unicode, "type", "größe");
    declare_union!(Digit, "type", "1a");
    declare_union!(Space, "type", "a b");
    for rules in [
        cel_rules::<Dollar>(),
        cel_rules::<Unicode>(),
        cel_rules::<Digit>(),
        cel_rules::<Space>(),
    ] {
        assert_eq!(rules.len(), 1, "{rules:#?}");
        assert_eq!(rules[0]["fieldPath"], ".b");
    }
}

#[test]
fn a_union_whose_discriminator_cel_cannot_name_has_no_rules() {
    declare_union!(Dollar, "$type", "a");
    assert_eq!(cel_rules::<Dollar>(), [] as [Value; 0]);
    let schema = union_runtime::schema_for::<Dollar>();
    assert_eq!(schema.get("x-kubernetes-validations"), None);
}

/// Defines a union without a discriminator, or with a discriminator that follows the members. The
/// members have the given names.
macro_rules! declare_group {
    ($name:ident, $member:tt, $($container:meta)?, [$a:literal, $b:literal, $c:literal] $(, $kind:ident)?) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        $(#[$container])?
        #[schemars(transform = add_unions::<$name>)]
        struct $name {
            $(
                #[union(discriminator, deduce)]
                #[serde(skip_serializing_if = "Option::is_none")]
                $kind: Option<Letter>,
            )?
            #[union $member]
            #[serde(rename = $a, skip_serializing_if = "Option::is_none")]
            a: Option<i32>,
            #[union $member]
            #[serde(rename = $b, skip_serializing_if = "Option::is_none")]
            b: Option<i32>,
            #[union $member]
            #[serde(rename = $c, skip_serializing_if = "Option::is_none")]
            c: Option<i32>,
        }
    };
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Letter {
    A,
    B,
    C,
}

/// A member that CEL cannot name may be set, so the count of the other members must not require a
/// member.
#[test]
fn a_count_requires_a_member_only_if_cel_can_name_all_members() {
    declare_group!(
        AllNamed,
        (member, group = one),
        union(exactly_one),
        ["a", "b", "c"]
    );
    declare_group!(
        OneUnnamed,
        (member, group = one),
        union(exactly_one),
        ["a", "$b", "c"]
    );
    declare_group!(
        TwoUnnamed,
        (member, group = one),
        union(exactly_one),
        ["$a", "$b", "c"]
    );
    declare_group!(
        NoneNamed,
        (member, group = one),
        union(exactly_one),
        ["$a", "$b", "$c"]
    );
    declare_group!(AtMostOne, (member, group = one), , ["a", "$b", "c"]);
    declare_group!(Deduced, (member), , ["a", "$b", "c"], kind);
    declare_group!(DeducedTwoUnnamed, (member), , ["$a", "$b", "c"], kind);
    let two = "(has(self.a) ? 1 : 0) + (has(self.c) ? 1 : 0) <= 1";
    let of_a = "!has(self.a) || !has(self.kind) || self.kind == 'A'";
    let of_c = "!has(self.c) || !has(self.kind) || self.kind == 'C'";
    let two_undecided = format!("has(self.kind) || {two}");
    let rows: [(&str, Vec<Value>, Vec<&str>); 7] = [
        (
            "all named",
            cel_rules::<AllNamed>(),
            vec!["(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) == 1"],
        ),
        ("one unnamed", cel_rules::<OneUnnamed>(), vec![two]),
        ("two unnamed", cel_rules::<TwoUnnamed>(), vec![]),
        ("none named", cel_rules::<NoneNamed>(), vec![]),
        ("at most one", cel_rules::<AtMostOne>(), vec![two]),
        (
            "deduced",
            cel_rules::<Deduced>(),
            vec![of_a, of_c, &two_undecided],
        ),
        (
            "deduced, two unnamed",
            cel_rules::<DeducedTwoUnnamed>(),
            vec![of_c],
        ),
    ];
    for (name, rules, expected) in rows {
        let expressions: Vec<&Value> = rules.iter().map(|rule| &rule["rule"]).collect();
        assert_eq!(expressions, expected, "{name}");
        // Only a rule that requires a member has two messages.
        let has_two_messages = rules
            .iter()
            .any(|rule| rule.get("messageExpression").is_some());
        assert_eq!(has_two_messages, name == "all named", "{name}");
    }
}
