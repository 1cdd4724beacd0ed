//! Tests of the meaning of an absent discriminator: serde's default on the field or on the struct,
//! `""`, or no value.

use serde::{Deserialize, Serialize};
use union_runtime::spec::{DiscriminatorSpec, UnionType};
use union_runtime::{EnumType, Union, needed_when};

use crate::{cleared, wrong};

#[derive(EnumType, Serialize, Deserialize, Clone, Copy, Default, PartialEq, Debug)]
enum Kind {
    Alpha,
    #[default]
    Beta,
}

/// Declares a struct with `alpha`, `beta` and a discriminator of the given type and attributes.
macro_rules! union_of {
    ($(#[$on_struct:meta])* $name:ident, $(#[$on_field:meta])* $kind:ty) => {
        #[derive(Union, Serialize, Deserialize)]
        $(#[$on_struct])*
        struct $name {
            #[union(discriminator)]
            $(#[$on_field])*
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

fn nothing() -> Option<Kind> {
    None
}

union_of!(Required, Kind);
union_of!(
    FieldDefault,
    #[serde(default)]
    Kind
);
union_of!(
    FieldPath,
    #[serde(default = "alpha")]
    Kind
);
union_of!(Optional, #[serde(skip_serializing_if = "Option::is_none")] Option<Kind>);
union_of!(OptionalDefault, #[serde(default, skip_serializing_if = "Option::is_none")] Option<Kind>);
union_of!(OptionalPath, #[serde(default = "some_alpha", skip_serializing_if = "Option::is_none")] Option<Kind>);
union_of!(OptionalPathToNothing, #[serde(default = "nothing", skip_serializing_if = "Option::is_none")] Option<Kind>);
union_of!(#[serde(default)] OfStruct, #[serde(skip_serializing_if = "Option::is_none")] Option<Kind>);
union_of!(
    #[serde(default)] FieldBeforeStruct,
    #[serde(default = "some_alpha", skip_serializing_if = "Option::is_none")] Option<Kind>
);

/// A struct whose default comes from a function. It is written without the macro, because serde's
/// derive does not find such a default in a struct that a macro declares.
#[derive(Union, Serialize, Deserialize)]
#[serde(default = "path_of_struct")]
struct PathOfStruct {
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

impl Default for OfStruct {
    fn default() -> Self {
        Self {
            kind: some_alpha(),
            alpha: Some(1),
            beta: None,
        }
    }
}

impl Default for FieldBeforeStruct {
    fn default() -> Self {
        Self {
            kind: Some(Kind::Beta),
            alpha: Some(1),
            beta: None,
        }
    }
}

fn path_of_struct() -> PathOfStruct {
    PathOfStruct {
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

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> T {
    serde_json::from_str(text).expect("a readable value")
}

#[test]
fn a_discriminator_is_required_without_a_default_and_without_an_option() {
    assert!(is_required::<Required>());
    assert!(!is_required::<FieldDefault>());
    assert!(!is_required::<FieldPath>());
    assert!(!is_required::<Optional>());
    assert!(!is_required::<OptionalDefault>());
    assert!(!is_required::<OptionalPath>());
    assert!(!is_required::<OfStruct>());
    assert!(!is_required::<PathOfStruct>());
}

#[test]
fn a_default_of_the_field_is_read() {
    assert_eq!(wrong(&read::<FieldDefault>("{}")), "beta");
    assert_eq!(wrong(&read::<FieldPath>("{}")), "alpha");
}

#[test]
fn without_a_default_an_absent_option_selects_nothing() {
    assert_eq!(wrong(&read::<Optional>("{}")), "");
    assert_eq!(wrong(&read::<Optional>(r#"{"alpha": 1}"#)), "alpha");
    assert_eq!(wrong(&read::<OptionalDefault>(r#"{"alpha": 1}"#)), "alpha");
    assert_eq!(
        wrong(&read::<OptionalPathToNothing>(r#"{"alpha": 1}"#)),
        "alpha"
    );
    assert_eq!(wrong(&read::<OptionalPathToNothing>("{}")), "");
}

#[test]
fn a_none_counts_as_the_default_of_the_field() {
    let none = |alpha, beta| OptionalPath {
        kind: None,
        alpha,
        beta,
    };
    assert_eq!(wrong(&none(Some(1), None)), "");
    assert_eq!(wrong(&none(None, Some(1))), "alpha beta");
    let text = none(None, None)
        .validate_unions()
        .into_result()
        .expect_err("alpha is selected")
        .to_string();
    assert!(
        text.contains(&needed_when("kind", "Alpha").to_string()),
        "{text}"
    );
}

#[test]
fn a_present_value_takes_precedence_over_the_default() {
    let object = OptionalPath {
        kind: Some(Kind::Beta),
        alpha: None,
        beta: Some(1),
    };
    assert_eq!(wrong(&object), "");
}

#[test]
fn a_none_counts_as_the_default_of_the_struct() {
    assert_eq!(
        wrong(&OfStruct {
            kind: None,
            alpha: None,
            beta: None
        }),
        "alpha"
    );
    assert_eq!(
        wrong(&PathOfStruct {
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
        wrong(&FieldBeforeStruct {
            kind: None,
            alpha: None,
            beta: None
        }),
        "alpha"
    );
    assert_eq!(wrong(&read::<FieldBeforeStruct>("{}")), "");
}

#[test]
fn a_change_from_absent_to_the_default_is_no_change() {
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
    assert_eq!(cleared(&mut new, &old), "");
    new.kind = Some(Kind::Beta);
    assert_eq!(cleared(&mut new, &old), "alpha");
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
    assert_eq!(cleared(&mut new, &old), "beta");
}

#[derive(EnumType, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
enum WithEmpty {
    Alpha,
    Beta,
    #[serde(rename = "")]
    Empty,
}

union_of!(EmptyIsAbsent, #[serde(skip_serializing_if = "Option::is_none")] Option<WithEmpty>);
union_of!(EmptyIsRequired, WithEmpty);

#[test]
fn an_absent_discriminator_counts_as_the_empty_value_if_there_is_one() {
    assert_eq!(wrong(&read::<EmptyIsAbsent>("{}")), "");
    assert_eq!(wrong(&read::<EmptyIsAbsent>(r#"{"beta": 1}"#)), "beta");
    assert_eq!(wrong(&read::<EmptyIsRequired>(r#"{"kind": ""}"#)), "");
    let old = read::<EmptyIsAbsent>(r#"{"kind": "", "beta": 1}"#);
    let mut new = read::<EmptyIsAbsent>(r#"{"beta": 1}"#);
    assert_eq!(cleared(&mut new, &old), "");
    let old = read::<EmptyIsAbsent>(r#"{"kind": "Beta", "beta": 1}"#);
    assert_eq!(cleared(&mut new, &old), "beta");
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
fn a_generic_struct_may_have_a_default() {
    assert_eq!(wrong(&read::<Generic<u8>>("{}")), "");
    assert_eq!(wrong(&read::<Generic<u8>>(r#"{"alpha": 1}"#)), "alpha");
}
