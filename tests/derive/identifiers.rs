//! Tests of Rust keywords and generated names as identifiers, of doc comments everywhere, and of
//! all kinds of visibility.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::{cleared, declared, wrong};

/// An enum whose names are keywords.
#[derive(EnumType, Serialize, Deserialize)]
#[allow(non_camel_case_types, reason = "keywords are lower case")]
enum r#enum {
    /// The value of the member `match`.
    r#match,
    r#Other,
}

/// A union whose names are keywords.
#[derive(Union, Serialize, Deserialize)]
#[allow(non_camel_case_types, reason = "keywords are lower case")]
struct r#struct {
    /// The discriminator.
    #[union(discriminator)]
    r#type: r#enum,
    /// The first member.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    r#match: Option<u8>,
    /// The second member.
    #[union(member = "Other")]
    #[serde(skip_serializing_if = "Option::is_none")]
    r#fn: Option<u8>,
    /// A field that is not a member.
    r#loop: u8,
}

#[test]
fn raw_identifiers_are_written_without_their_prefix() {
    assert_eq!(r#enum::VALUES, ["match", "Other"]);
    assert_eq!(
        declared::<r#struct>(),
        r#"type: match = "match", fn = "Other""#
    );
    let old = r#struct {
        r#type: r#enum::r#match,
        r#match: Some(1),
        r#fn: None,
        r#loop: 0,
    };
    let mut new = r#struct {
        r#type: r#enum::r#Other,
        r#match: Some(1),
        r#fn: Some(1),
        r#loop: 0,
    };
    assert_eq!(wrong(&new), "match");
    assert_eq!(cleared(&mut new, &old), "match");
    assert_eq!(new.r#loop, old.r#loop);
}

#[derive(EnumType)]
enum Documented {
    /// One line.
    One,
    /// Two lines, of which the first
    /// goes on.
    Two,
    #[doc = "By attribute."]
    Attribute,
    /** A block. */
    Block,
    None,
}

#[test]
fn docs_of_values_are_kept_as_one_line_each() {
    assert_eq!(
        Documented::DOCS,
        [
            "One line.",
            "Two lines, of which the first goes on.",
            "By attribute.",
            "A block.",
            ""
        ]
    );
}

#[test]
fn values_are_distinguished_in_source_order() {
    let values = [
        Documented::One,
        Documented::Two,
        Documented::Attribute,
        Documented::Block,
        Documented::None,
    ];
    let texts: Vec<&str> = values.iter().map(EnumType::as_str).collect();
    assert_eq!(texts, Documented::VALUES);
    assert_eq!(texts, ["One", "Two", "Attribute", "Block", "None"]);
}

/// A module with private types and fields.
mod hidden {
    use super::{Deserialize, EnumType, Serialize, Union};

    #[derive(EnumType, Serialize, Deserialize)]
    enum Private {
        Alpha,
    }

    #[derive(Serialize, Deserialize)]
    struct PrivateMember;

    #[derive(Union, Serialize, Deserialize)]
    pub(super) struct Public {
        #[union(discriminator)]
        kind: Private,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<PrivateMember>,
    }
}

#[test]
fn private_fields_of_private_types_are_members() {
    assert_eq!(declared::<hidden::Public>(), r#"kind: alpha = "Alpha""#);
    let object: hidden::Public =
        serde_json::from_str(r#"{"kind": "Alpha"}"#).expect("a readable value");
    assert_eq!(wrong(&object), "alpha");
}

/// A union whose fields have names that generated code might use.
#[derive(Union, Serialize)]
struct Clashes {
    #[union(discriminator)]
    union: Names,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    unions: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    selected: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    is_set: Option<u8>,
}

#[derive(EnumType, Serialize, Deserialize)]
enum Names {
    Unions,
    Selected,
    IsSet,
}

impl Clashes {
    /// Methods of the type with the same names as methods of the traits.
    fn unions() -> &'static str {
        "mine"
    }

    fn union_state(&self) -> Option<u8> {
        self.selected
    }

    fn reset_member(&self) -> Option<u8> {
        self.unions
    }
}

#[test]
fn methods_and_fields_of_the_same_names_do_not_get_in_the_way() {
    let object = Clashes {
        union: Names::Selected,
        unions: None,
        selected: Some(1),
        is_set: Some(1),
    };
    assert_eq!(wrong(&object), "is_set");
    assert_eq!(
        (
            Clashes::unions(),
            object.union_state(),
            object.reset_member()
        ),
        ("mine", Some(1), None)
    );
    assert_eq!(
        declared::<Clashes>(),
        r#"union: unions = "Unions", selected = "Selected", is_set = "IsSet""#
    );
}
