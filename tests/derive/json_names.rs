//! Tests of JSON names from every form of serde's renames.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, needed_when, only_when};

use crate::{cleared_paths, describe_union, error_paths};

#[derive(EnumType, Serialize, Deserialize, Clone)]
enum Kind {
    AlphaOne,
    BetaTwo,
}

/// Declares a test for each rule of `rename_all`: the union of a struct with the rule has the
/// renamed fields.
macro_rules! renamed_by_rule {
    ($($test:ident, $rule:literal: $kind:literal, $alpha:literal, $beta:literal;)*) => {$(
        #[test]
        fn $test() {
            #[derive(Union, Serialize, Deserialize)]
            #[serde(rename_all = $rule)]
            struct Renamed {
                #[union(discriminator)]
                the_kind: Kind,
                #[union(member = "AlphaOne")]
                #[serde(skip_serializing_if = "Option::is_none")]
                alpha_one: Option<u8>,
                #[union(member = "BetaTwo", optional)]
                #[serde(skip_serializing_if = "Option::is_none")]
                beta_two: Option<u8>,
            }
            let names = [$kind, $alpha, $beta];
            let [kind, alpha, beta] = names;
            assert_eq!(
                describe_union::<Renamed>(),
                format!("{kind}: {alpha} = \"AlphaOne\", {beta} = \"BetaTwo\" optional")
            );
            let object = Renamed { the_kind: Kind::AlphaOne, alpha_one: Some(1), beta_two: Some(2) };
            let json = serde_json::to_value(&object).expect("plain data");
            assert_eq!(json, serde_json::json!({ kind: "AlphaOne", alpha: 1, beta: 2 }));
            assert_eq!(error_paths(&object), beta);
        }
    )*};
}

renamed_by_rule! {
    rename_all_lowercase, "lowercase": "the_kind", "alpha_one", "beta_two";
    rename_all_uppercase, "UPPERCASE": "THE_KIND", "ALPHA_ONE", "BETA_TWO";
    rename_all_pascal_case, "PascalCase": "TheKind", "AlphaOne", "BetaTwo";
    rename_all_camel_case, "camelCase": "theKind", "alphaOne", "betaTwo";
    rename_all_snake_case, "snake_case": "the_kind", "alpha_one", "beta_two";
    rename_all_screaming_snake_case, "SCREAMING_SNAKE_CASE": "THE_KIND", "ALPHA_ONE", "BETA_TWO";
    rename_all_kebab_case, "kebab-case": "the-kind", "alpha-one", "beta-two";
    rename_all_screaming_kebab_case, "SCREAMING-KEBAB-CASE": "THE-KIND", "ALPHA-ONE", "BETA-TWO";
}

/// A union whose members have names of their own, which take precedence over the rule of the
/// struct. The value of a member follows from either name.
#[derive(Union, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase", deserialize = "camelCase"))]
struct Mixed {
    #[union(discriminator)]
    #[serde(rename(serialize = "$kind", deserialize = "$kind"))]
    the_kind: Kind,
    #[union(member)]
    #[serde(rename = "first", skip_serializing_if = "Option::is_none")]
    alpha_one: Option<u8>,
    #[union(member)]
    #[serde(rename = "betaTwo", skip_serializing_if = "Option::is_none")]
    second: Option<u8>,
}

#[test]
fn rename_takes_precedence_over_rename_all() {
    assert_eq!(
        describe_union::<Mixed>(),
        r#"$kind: first = "AlphaOne", betaTwo = "BetaTwo""#
    );
}

#[test]
fn violations_and_changes_use_json_names() {
    let old: Mixed =
        serde_json::from_str(r#"{"$kind": "AlphaOne", "first": 1}"#).expect("a valid value");
    let mut new: Mixed =
        serde_json::from_str(r#"{"$kind": "BetaTwo", "first": 1}"#).expect("a readable value");
    let report = new.validate_unions();
    let expected_details = [
        ("first", only_when("$kind", "AlphaOne")),
        ("betaTwo", needed_when("$kind", "BetaTwo")),
    ];
    assert_eq!(report.errors().len(), expected_details.len());
    for (violation, (path, wording)) in report.errors().iter().zip(expected_details) {
        assert_eq!(violation.path(), path);
        let detail = violation.detail();
        assert!(detail.starts_with(&wording.to_string()), "{detail}");
        for name in ["alpha_one", "beta_two"] {
            assert!(!detail.contains(name), "{detail}");
        }
    }
    assert_eq!(cleared_paths(&mut new, &old), "first");
    assert_eq!(new.alpha_one, None);
    assert_eq!(error_paths(&new), "betaTwo");
}

/// A union with a field whose name for reading is explicit, and whose equal name for writing
/// follows from the rule.
#[derive(Union, Serialize, Deserialize)]
#[serde(rename_all(serialize = "camelCase"))]
struct NameByTwoAttributes {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(
        rename(deserialize = "alphaOne"),
        skip_serializing_if = "Option::is_none"
    )]
    alpha_one: Option<u8>,
}

#[test]
fn the_names_for_both_directions_may_come_from_different_attributes() {
    assert_eq!(
        describe_union::<NameByTwoAttributes>(),
        r#"kind: alphaOne = "AlphaOne""#
    );
}

/// A union with an alias that is equal to the name of the field.
#[derive(Union, Serialize, Deserialize)]
struct SelfAlias {
    #[union(discriminator)]
    kind: Kind,
    #[union(member = "AlphaOne")]
    #[serde(alias = "alpha", skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[test]
fn an_alias_equal_to_the_field_name_is_allowed() {
    assert_eq!(describe_union::<SelfAlias>(), r#"kind: alpha = "AlphaOne""#);
}
