//! Tests of the discriminator value of a member.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, EnumValue, Union, UnionMember};

use crate::{cleared_paths, describe_union, error_paths};

#[derive(EnumType, Serialize, Deserialize)]
enum FilterType {
    RequestMirror,
    #[serde(rename = "CORS")]
    Cors,
    #[serde(rename = "URLRewrite")]
    UrlRewrite,
    ExtensionRef,
}

#[derive(Union, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Filter {
    #[union(discriminator)]
    r#type: FilterType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    extension_ref: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    url_rewrite: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    cors: Option<u8>,
}

#[test]
fn a_member_has_the_value_of_its_camel_case_name_ignoring_case() {
    assert_eq!(
        describe_union::<Filter>(),
        r#"type: extensionRef = "ExtensionRef", urlRewrite = "URLRewrite", cors = "CORS""#
    );
}

#[test]
fn a_value_selects_its_member() {
    let filter = |json| serde_json::from_str::<Filter>(json).expect("the JSON is a filter");
    assert_eq!(error_paths(&filter(r#"{"type": "CORS", "cors": 1}"#)), "");
    assert_eq!(error_paths(&filter(r#"{"type": "CORS"}"#)), "cors");
    assert_eq!(
        error_paths(&filter(
            r#"{"type": "URLRewrite", "cors": 1, "extensionRef": 2}"#
        )),
        "extensionRef urlRewrite cors"
    );
    assert_eq!(error_paths(&filter(r#"{"type": "RequestMirror"}"#)), "");
    assert_eq!(
        error_paths(&filter(r#"{"type": "RequestMirror", "cors": 1}"#)),
        "cors"
    );
}

#[derive(EnumType, Serialize, Deserialize)]
enum RollingType {
    Rolling,
    RollingUpdate,
    #[serde(rename = "rolling_update")]
    Snake,
}

#[derive(Union, Serialize)]
struct Rolling {
    #[union(discriminator)]
    kind: RollingType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none", rename = "rollingupdate")]
    rolling_update: Option<u8>,
}

#[test]
fn a_rust_name_is_converted_to_camel_case_before_the_lookup() {
    assert_eq!(
        describe_union::<Rolling>(),
        r#"kind: rollingupdate = "RollingUpdate""#
    );
}

#[derive(EnumType, Serialize, Deserialize)]
enum Letters {
    #[serde(rename = "alpha")]
    Lower,
    #[serde(rename = "ALPHA")]
    Upper,
}

#[derive(Union, Serialize)]
struct Lower {
    #[union(discriminator)]
    kind: Letters,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[derive(Union, Serialize)]
struct Upper {
    #[union(discriminator)]
    kind: Letters,
    #[union(member)]
    #[serde(rename = "ALPHA", skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[test]
fn an_exact_match_takes_precedence_over_another_case() {
    assert_eq!(describe_union::<Lower>(), r#"kind: alpha = "alpha""#);
    assert_eq!(describe_union::<Upper>(), r#"kind: ALPHA = "ALPHA""#);
}

#[derive(EnumType, Serialize, Deserialize)]
enum Swapped {
    Alpha,
    Beta,
    #[serde(rename = "a value, anything: \"ü\"")]
    Odd,
    Unused,
}

#[derive(Union, Serialize)]
struct Explicit {
    #[union(discriminator)]
    kind: Swapped,
    #[union(member = "Beta")]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member = "Alpha", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(optional)]
    #[union(member = "a value, anything: \"ü\"")]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<u8>,
}

#[test]
fn an_explicit_value_may_be_any_value_of_the_enum() {
    assert_eq!(
        describe_union::<Explicit>(),
        r#"kind: alpha = "Beta", beta = "Alpha" optional, gamma = "a value, anything: \"ü\"" optional"#
    );
    let mut object = Explicit {
        kind: Swapped::Alpha,
        alpha: None,
        beta: None,
        gamma: None,
    };
    assert_eq!(error_paths(&object), "");
    object.kind = Swapped::Beta;
    assert_eq!(error_paths(&object), "alpha");
}

#[derive(EnumType, Serialize, Deserialize)]
enum Sign {
    #[serde(rename = "größer")]
    Greater,
    Smaller,
}

#[derive(Union, Serialize)]
struct Signs {
    #[union(discriminator)]
    kind: Sign,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    größer: Option<u8>,
}

#[test]
fn a_non_ascii_name_matches_its_value() {
    assert_eq!(describe_union::<Signs>(), r#"kind: größer = "größer""#);
}

/// A handwritten enum type, which has no compile-time keys, so its values are compared as strings.
#[derive(Serialize)]
struct HandwrittenEnum(&'static str);

impl EnumType for HandwrittenEnum {
    const VALUES: &'static [&'static str] = &["ALPHA", "beta"];
    const DOCS: &'static [&'static str] = &["", ""];

    fn value(&self) -> EnumValue<'_> {
        EnumValue::parse::<Self>(self.0)
    }

    fn from_index(index: usize) -> Option<Self> {
        Self::VALUES.get(index).map(|value| Self(value))
    }
}

/// A handwritten member type with its own definition of an unset member.
#[derive(Serialize)]
struct NonZero(u8);

impl UnionMember for NonZero {
    fn is_set(&self) -> bool {
        self.0 != 0
    }

    fn clear(&mut self) {
        self.0 = 0;
    }
}

#[derive(Union, Serialize)]
struct HandwrittenTypes {
    #[union(discriminator)]
    kind: HandwrittenEnum,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member = "beta")]
    #[serde(skip_serializing_if = "is_zero")]
    by_hand: NonZero,
}

fn is_zero(member: &NonZero) -> bool {
    !member.is_set()
}

#[test]
fn enum_types_and_members_may_be_implemented_by_hand() {
    assert_eq!(
        describe_union::<HandwrittenTypes>(),
        r#"kind: alpha = "ALPHA", by_hand = "beta""#
    );
    let object = |kind, by_hand| HandwrittenTypes {
        kind: HandwrittenEnum(kind),
        alpha: None,
        by_hand: NonZero(by_hand),
    };
    assert_eq!(error_paths(&object("beta", 0)), "by_hand");
    assert_eq!(error_paths(&object("beta", 1)), "");
    assert_eq!(error_paths(&object("gamma", 1)), "kind");
    let mut new = object("ALPHA", 1);
    assert_eq!(cleared_paths(&mut new, &object("beta", 1)), "by_hand");
    assert_eq!(new.by_hand.0, 0);
}
