//! Tests of Rust keywords and generated names as identifiers, of doc comments everywhere, and of
//! all kinds of visibility.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::{cleared_paths, describe_union, error_paths};

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
fn json_names_of_raw_identifiers_have_no_prefix() {
    assert_eq!(r#enum::VALUES, ["match", "Other"]);
    assert_eq!(
        describe_union::<r#struct>(),
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
    assert_eq!(error_paths(&new), "match");
    assert_eq!(cleared_paths(&mut new, &old), "match");
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
fn the_doc_of_each_value_is_joined_to_one_line() {
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
fn each_variant_has_the_value_at_its_position() {
    let values = [
        Documented::One,
        Documented::Two,
        Documented::Attribute,
        Documented::Block,
        Documented::None,
    ];
    let strings: Vec<&str> = values.iter().map(EnumType::as_str).collect();
    assert_eq!(strings, Documented::VALUES);
    assert_eq!(strings, ["One", "Two", "Attribute", "Block", "None"]);
}

/// A module with private types and fields.
mod private_types {
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
    assert_eq!(
        describe_union::<private_types::Public>(),
        r#"kind: alpha = "Alpha""#
    );
    let object: private_types::Public =
        serde_json::from_str(r#"{"kind": "Alpha"}"#).expect("a readable value");
    assert_eq!(error_paths(&object), "alpha");
}

/// A union whose fields have names that generated code might use.
#[derive(Union, Serialize)]
struct ConflictingFields {
    #[union(discriminator)]
    union: ConflictingKind,
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
enum ConflictingKind {
    Unions,
    Selected,
    IsSet,
}

impl ConflictingFields {
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
fn inherent_methods_and_fields_may_have_the_names_of_generated_methods() {
    let object = ConflictingFields {
        union: ConflictingKind::Selected,
        unions: None,
        selected: Some(1),
        is_set: Some(1),
    };
    assert_eq!(error_paths(&object), "is_set");
    assert_eq!(
        (
            ConflictingFields::unions(),
            object.union_state(),
            object.reset_member()
        ),
        ("mine", Some(1), None)
    );
    assert_eq!(
        describe_union::<ConflictingFields>(),
        r#"union: unions = "Unions", selected = "Selected", is_set = "IsSet""#
    );
}
