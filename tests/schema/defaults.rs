//! Tests of discriminators with a serde default: the schema has the default, and the rules treat an
//! absent discriminator as the default value.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::{EnumType, Union, add_unions, schema_for};

use crate::{property, rule_texts};

#[derive(EnumType, Serialize, Deserialize, Clone, Default, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Kind {
    Alpha,
    #[default]
    Beta,
}

#[derive(EnumType, Serialize, Deserialize, Clone, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum OrEmpty {
    Alpha,
    Beta,
    #[serde(rename = "")]
    Nothing,
}

macro_rules! union {
    ($(#[$outer:meta])* $name:ident, $kind:ty $(, $(#[$attr:meta])*)?) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = add_unions::<$name>)]
        $(#[$outer])*
        struct $name {
            #[union(discriminator)]
            $($(#[$attr])*)?
            r#type: $kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<i32>,
            #[union(member, optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: Option<i32>,
        }
    };
}

union!(Required, Kind);
union!(OfField, Kind, #[serde(default)]);
union!(OfPath, Kind, #[serde(default = "alpha")]);
union!(
    #[derive(Default)]
    #[serde(default)]
    OfStruct,
    Kind
);
union!(
    OfOption, Option<Kind>,
    #[serde(default = "some_alpha", skip_serializing_if = "Option::is_none")]
);
union!(
    #[derive(Default)] #[serde(default)] NoneOfStruct, Option<Kind>,
    #[serde(skip_serializing_if = "Option::is_none")]
);
union!(
    PlainOption, Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
);
union!(Empty, OrEmpty, #[serde(default = "nothing")]);
union!(EmptyOption, Option<OrEmpty>, #[serde(skip_serializing_if = "Option::is_none")]);
union!(EmptyAlpha, OrEmpty, #[serde(default = "empty_alpha")]);

// The macro cannot define this struct, because serde's derive cannot name the function there.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(default = "whole")]
#[schemars(transform = add_unions::<OfStructPath>)]
struct OfStructPath {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}

fn alpha() -> Kind {
    Kind::Alpha
}

#[expect(clippy::unnecessary_wraps)] // serde wants a value of the field's type
fn some_alpha() -> Option<Kind> {
    Some(Kind::Alpha)
}

fn whole() -> OfStructPath {
    OfStructPath {
        r#type: Kind::Alpha,
        alpha: None,
        beta: None,
    }
}

fn nothing() -> OrEmpty {
    OrEmpty::Nothing
}

fn empty_alpha() -> OrEmpty {
    OrEmpty::Alpha
}

const ALPHA: &str = "has(self.type) && self.type == 'ALPHA' ? has(self.alpha) : !has(self.alpha)";
const ABSENT_ALPHA: &str =
    "!has(self.type) || self.type == 'ALPHA' ? has(self.alpha) : !has(self.alpha)";
const BETA: &str = "has(self.type) && self.type == 'BETA' ? true : !has(self.beta)";
const ABSENT_BETA: &str = "!has(self.type) || self.type == 'BETA' ? true : !has(self.beta)";

#[test]
fn without_a_default_absence_is_no_value() {
    assert_eq!(rule_texts::<Required>(), [ALPHA, BETA]);
    assert_eq!(property::<Required>("type").get("default"), None);
}

#[test]
fn absence_counts_as_the_fields_default() {
    assert_eq!(property::<OfField>("type")["default"], "BETA");
    assert_eq!(rule_texts::<OfField>(), [ALPHA, ABSENT_BETA]);
    assert_eq!(property::<OfPath>("type")["default"], "ALPHA");
    assert_eq!(rule_texts::<OfPath>(), [ABSENT_ALPHA, BETA]);
}

#[test]
fn absence_counts_as_the_structs_default() {
    assert_eq!(property::<OfStruct>("type")["default"], "BETA");
    assert_eq!(rule_texts::<OfStruct>(), [ALPHA, ABSENT_BETA]);
    assert_eq!(property::<OfStructPath>("type")["default"], "ALPHA");
    assert_eq!(rule_texts::<OfStructPath>(), [ABSENT_ALPHA, BETA]);
}

#[test]
fn absence_counts_as_the_default_of_an_option() {
    assert_eq!(property::<OfOption>("type")["default"], "ALPHA");
    assert_eq!(rule_texts::<OfOption>(), [ABSENT_ALPHA, BETA]);
}

/// Checks that `None` is not a default in the schema. API servers reject a default of null for a
/// property that is not nullable.
#[test]
fn a_default_of_none_is_no_default() {
    assert_eq!(property::<NoneOfStruct>("type").get("default"), None);
    assert_eq!(property::<PlainOption>("type").get("default"), None);
    assert_eq!(rule_texts::<NoneOfStruct>(), [ALPHA, BETA]);
    assert_eq!(rule_texts::<PlainOption>(), [ALPHA, BETA]);
}

#[test]
fn absence_counts_as_the_empty_string_where_that_is_a_value() {
    assert_eq!(property::<Empty>("type")["default"], "");
    // The empty string selects no member, so no rule treats an absent discriminator as its value.
    assert_eq!(rule_texts::<Empty>(), [ALPHA, BETA]);
    assert_eq!(rule_texts::<EmptyOption>(), [ALPHA, BETA]);
}

#[test]
fn a_default_takes_precedence_over_the_empty_string() {
    assert_eq!(property::<EmptyAlpha>("type")["default"], "ALPHA");
    assert_eq!(rule_texts::<EmptyAlpha>(), [ABSENT_ALPHA, BETA]);
}

#[test]
fn fields_with_a_default_are_not_required() {
    for schema in [
        schema_for::<OfField>(),
        schema_for::<OfPath>(),
        schema_for::<OfStruct>(),
        schema_for::<OfStructPath>(),
        schema_for::<OfOption>(),
        schema_for::<Empty>(),
    ] {
        assert_eq!(schema.get("required"), None, "{schema:?}");
    }
    assert_eq!(
        schema_for::<Required>().get("required"),
        Some(&json!(["type"]))
    );
}

/// Checks that members have no default. Members are never serialized as null, so the `None` of the
/// struct's default is not in the schema.
#[test]
fn the_structs_default_gives_members_none() {
    assert_eq!(property::<OfStruct>("alpha").get("default"), None);
    assert_eq!(property::<OfStruct>("beta").get("default"), None);
}

#[test]
fn native_validation_has_the_same_default() {
    use union_runtime::Union as _;
    let is_accepted = |text| {
        let union: OfOption = serde_json::from_str(text).expect("a readable value");
        union.validate_unions().is_accepted()
    };
    assert!(is_accepted(r#"{"alpha": 1}"#));
    assert!(!is_accepted(r#"{"beta": 1}"#));
    assert!(is_accepted(r#"{"type": null, "alpha": 1}"#));
}
