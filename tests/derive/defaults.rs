//! Tests of the meaning of an absent discriminator: serde's default on the field or on the struct,
//! `""`, or no value.

use serde::{Deserialize, Serialize};
use union_runtime::spec::{DiscriminatorSpec, UnionType};
use union_runtime::{EnumType, Union, needed_when};

use crate::{cleared_paths, error_paths};

#[derive(EnumType, Serialize, Deserialize, Clone, Copy, Default, PartialEq, Debug)]
enum Kind {
    Alpha,
    #[default]
    Beta,
}

/// Declares a struct with `alpha`, `beta` and a discriminator of the given type and attributes.
macro_rules! declare_union {
    ($(#[$struct_attribute:meta])* $name:ident, $(#[$field_attribute:meta])* $kind:ty) => {
        #[derive(Union, Serialize, Deserialize)]
        $(#[$struct_attribute])*
        struct $name {
            #[union(discriminator)]
            $(#[$field_attribute])*
            kind: $kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<u8>,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: Option<u8>,
        }
    };
}

fn alpha() -> Kind {
    Kind::Alpha
}

#[expect(clippy::unnecessary_wraps)] // A default has the type of its field.
fn some_alpha() -> Option<Kind> {
    Some(Kind::Alpha)
}

fn no_kind() -> Option<Kind> {
    None
}

declare_union!(Required, Kind);
declare_union!(
    FieldDefault,
    #[serde(default)]
    Kind
);
declare_union!(
    FieldPath,
    #[serde(default = "alpha")]
    Kind
);
declare_union!(Optional, #[serde(skip_serializing_if = "Option::is_none")] Option<Kind>);
declare_union!(OptionalDefault, #[serde(default, skip_serializing_if = "Option::is_none")] Option<Kind>);
declare_union!(OptionalPath, #[serde(default = "some_alpha", skip_serializing_if = "Option::is_none")] Option<Kind>);
declare_union!(OptionalPathToNothing, #[serde(default = "no_kind", skip_serializing_if = "Option::is_none")] Option<Kind>);
declare_union!(#[serde(default)] StructDefault, #[serde(skip_serializing_if = "Option::is_none")] Option<Kind>);
declare_union!(
    #[serde(default)] FieldAndStructDefault,
    #[serde(default = "some_alpha", skip_serializing_if = "Option::is_none")] Option<Kind>
);

/// A struct whose default comes from a function. It is written without the macro, because serde's
/// derive does not find such a default in a struct that a macro declares.
#[derive(Union, Serialize, Deserialize)]
#[serde(default = "struct_path")]
struct StructPath {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

impl Default for StructDefault {
    fn default() -> Self {
        Self {
            kind: some_alpha(),
            alpha: Some(1),
            beta: None,
        }
    }
}

impl Default for FieldAndStructDefault {
    fn default() -> Self {
        Self {
            kind: Some(Kind::Beta),
            alpha: Some(1),
            beta: None,
        }
    }
}

fn struct_path() -> StructPath {
    StructPath {
        kind: Some(Kind::Beta),
        alpha: None,
        beta: None,
    }
}

fn is_required<T: UnionType>() -> bool {
    T::unions()[0]
        .discriminator()
        .is_some_and(DiscriminatorSpec::is_required)
}

fn read<'a, T: Deserialize<'a>>(json: &'a str) -> T {
    serde_json::from_str(json).expect("a readable value")
}

#[test]
fn a_discriminator_is_required_without_a_default_and_without_an_option() {
    assert!(is_required::<Required>());
    assert!(!is_required::<FieldDefault>());
    assert!(!is_required::<FieldPath>());
    assert!(!is_required::<Optional>());
    assert!(!is_required::<OptionalDefault>());
    assert!(!is_required::<OptionalPath>());
    assert!(!is_required::<StructDefault>());
    assert!(!is_required::<StructPath>());
}

#[test]
fn an_absent_discriminator_deserializes_to_the_default_of_its_field() {
    assert_eq!(error_paths(&read::<FieldDefault>("{}")), "beta");
    assert_eq!(error_paths(&read::<FieldPath>("{}")), "alpha");
}

#[test]
fn without_a_default_an_absent_option_selects_nothing() {
    assert_eq!(error_paths(&read::<Optional>("{}")), "");
    assert_eq!(error_paths(&read::<Optional>(r#"{"alpha": 1}"#)), "alpha");
    assert_eq!(
        error_paths(&read::<OptionalDefault>(r#"{"alpha": 1}"#)),
        "alpha"
    );
    assert_eq!(
        error_paths(&read::<OptionalPathToNothing>(r#"{"alpha": 1}"#)),
        "alpha"
    );
    assert_eq!(error_paths(&read::<OptionalPathToNothing>("{}")), "");
}

#[test]
fn a_none_counts_as_the_default_of_the_field() {
    let without_kind = |alpha, beta| OptionalPath {
        kind: None,
        alpha,
        beta,
    };
    assert_eq!(error_paths(&without_kind(Some(1), None)), "");
    assert_eq!(error_paths(&without_kind(None, Some(1))), "alpha beta");
    let message = without_kind(None, None)
        .validate_unions()
        .into_result()
        .expect_err("alpha is selected")
        .to_string();
    assert!(
        message.contains(&needed_when("kind", "Alpha").to_string()),
        "{message}"
    );
}

#[test]
fn a_present_value_takes_precedence_over_the_default() {
    let object = OptionalPath {
        kind: Some(Kind::Beta),
        alpha: None,
        beta: Some(1),
    };
    assert_eq!(error_paths(&object), "");
}

#[test]
fn a_none_counts_as_the_default_of_the_struct() {
    assert_eq!(
        error_paths(&StructDefault {
            kind: None,
            alpha: None,
            beta: None
        }),
        "alpha"
    );
    assert_eq!(
        error_paths(&StructPath {
            kind: None,
            alpha: None,
            beta: None
        }),
        "beta"
    );
}

#[test]
fn the_default_of_the_field_takes_precedence_over_the_struct() {
    assert_eq!(
        error_paths(&FieldAndStructDefault {
            kind: None,
            alpha: None,
            beta: None
        }),
        "alpha"
    );
    assert_eq!(error_paths(&read::<FieldAndStructDefault>("{}")), "");
}

#[test]
fn a_change_from_absent_to_the_default_clears_nothing() {
    let old = OptionalPath {
        kind: None,
        alpha: Some(1),
        beta: None,
    };
    let mut new = OptionalPath {
        kind: Some(Kind::Alpha),
        alpha: Some(1),
        beta: Some(2),
    };
    assert_eq!(cleared_paths(&mut new, &old), "");
    new.kind = Some(Kind::Beta);
    assert_eq!(cleared_paths(&mut new, &old), "alpha");
}

#[test]
fn a_change_from_a_value_to_absent_is_a_change_to_the_default() {
    let old = OptionalPath {
        kind: Some(Kind::Beta),
        alpha: None,
        beta: Some(2),
    };
    let mut new = OptionalPath {
        kind: None,
        alpha: Some(1),
        beta: Some(2),
    };
    assert_eq!(cleared_paths(&mut new, &old), "beta");
}

#[derive(EnumType, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
enum KindWithEmptyValue {
    Alpha,
    Beta,
    #[serde(rename = "")]
    Empty,
}

declare_union!(EmptyIsAbsent, #[serde(skip_serializing_if = "Option::is_none")] Option<KindWithEmptyValue>);
declare_union!(EmptyIsRequired, KindWithEmptyValue);

#[test]
fn an_absent_discriminator_counts_as_the_empty_value_if_there_is_one() {
    assert_eq!(error_paths(&read::<EmptyIsAbsent>("{}")), "");
    assert_eq!(
        error_paths(&read::<EmptyIsAbsent>(r#"{"beta": 1}"#)),
        "beta"
    );
    assert_eq!(error_paths(&read::<EmptyIsRequired>(r#"{"kind": ""}"#)), "");
    let old = read::<EmptyIsAbsent>(r#"{"kind": "", "beta": 1}"#);
    let mut new = read::<EmptyIsAbsent>(r#"{"beta": 1}"#);
    assert_eq!(cleared_paths(&mut new, &old), "");
    let old = read::<EmptyIsAbsent>(r#"{"kind": "Beta", "beta": 1}"#);
    assert_eq!(cleared_paths(&mut new, &old), "beta");
}

/// A generic struct. The default of the struct would need bounds on `T`, so the derive does not use
/// it.
#[derive(Union, Serialize, Deserialize, Default)]
#[serde(default)]
struct Generic<T> {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
}

#[test]
fn the_default_of_a_generic_struct_is_ignored() {
    assert_eq!(error_paths(&read::<Generic<u8>>("{}")), "");
    assert_eq!(
        error_paths(&read::<Generic<u8>>(r#"{"alpha": 1}"#)),
        "alpha"
    );
}
