//! Tests of the derives in a crate without a prelude, which knows the runtime as `renamed`.
#![no_implicit_prelude]

use ::renamed::spec::EnumValue;
use ::renamed::{EnumType, Settings, Union, UnionEnum};
use ::serde::{Deserialize, Serialize};
use ::std::default::Default as _;
use ::std::option::Option;
use ::std::option::Option::{None, Some};
use ::std::result::Result::{Err, Ok};
use ::std::string::{String, ToString};
use ::std::{assert, assert_eq, panic};

/// An enum type with a variant for unknown values.
#[derive(EnumType, Serialize, Deserialize)]
#[enum_type(crate = ::renamed)]
enum Kind {
    /// The first.
    Alpha,
    Beta,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A union without optional features.
#[derive(Union, Serialize, Deserialize)]
#[union(crate = ::renamed)]
struct MinimalUnion {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<String>,
    #[union(member = "Beta", optional, not_nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<::std::boxed::Box<MinimalUnion>>,
}

/// A union with the features for which the derive writes more code.
#[derive(Union, Serialize)]
#[union(crate = ::renamed)]
struct Generic<'a, T, const N: usize>
where
    T: ::std::clone::Clone,
{
    #[union(discriminator)]
    #[serde(default = "beta", skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<&'a T>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<[T; 1]>,
}

#[expect(clippy::unnecessary_wraps)] // A default has the type of its field.
fn beta() -> Option<Kind> {
    Some(Kind::Beta)
}

/// A union whose discriminator has a default from the struct.
#[derive(Union, Serialize, Deserialize)]
#[union(crate = ::renamed)]
#[serde(default)]
struct Defaulted {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<String>,
}

impl ::std::default::Default for Defaulted {
    fn default() -> Self {
        Self {
            kind: Some(Kind::Alpha),
            alpha: None,
        }
    }
}

/// A union that keeps unknown members.
#[derive(Union, Serialize, Deserialize)]
#[union(crate = ::renamed)]
struct WithUnknownMembers {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<String>,
    #[union(unknown)]
    #[serde(flatten)]
    rest: ::std::collections::BTreeMap<String, ::serde_json::Value>,
}

/// A struct that flattens a union with unknown members.
#[derive(Union, Serialize, Deserialize)]
#[union(crate = ::renamed)]
struct Flattening {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    union: WithUnknownMembers,
}

/// A struct with two flattened structs, for which the derive checks that neither keeps unknown
/// members.
#[derive(Union, Serialize, Deserialize)]
#[union(crate = ::renamed)]
struct FlatteningTwo {
    #[union(inline)]
    #[serde(flatten)]
    minimal_union: MinimalUnion,
    #[union(inline)]
    #[serde(flatten)]
    other: Option<Other>,
}

#[derive(Union, Serialize, Deserialize)]
#[union(crate = ::renamed)]
struct Other {
    #[union(member, group = other, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<String>,
}

/// A union enum with the features for which the derive writes more code. It names no schemars item,
/// because this crate only has schemars in its tests.
#[derive(UnionEnum)]
#[union(crate = ::renamed, discriminator = "kind", enforce = "one_of", shape = "both")]
enum Enumerated<T, const N: usize> {
    #[union(absent)]
    Nothing,
    Alpha(T),
    #[union(not_nested)]
    Beta(Option<::std::boxed::Box<Enumerated<T, N>>>),
    #[union(nested)]
    Flattening(FlatteningTwo),
    #[union(other)]
    Other(::renamed::RawUnion),
}

/// A union enum without optional features.
#[derive(UnionEnum)]
#[union(crate = ::renamed, undiscriminated, strict)]
enum MinimalEnum {
    Alpha(String),
}

mod with_schema {
    //! Types with a schema. The derive of schemars needs a prelude, so the module imports it.

    use ::renamed::{EnumType, Union};
    use ::schemars::JsonSchema;
    use ::serde::{Deserialize, Serialize};
    use ::std::prelude::rust_2024::*;

    #[derive(EnumType, Serialize, Deserialize, JsonSchema)]
    #[enum_type(crate = ::renamed)]
    #[schemars(crate = "::schemars", transform = ::renamed::add_enum::<Kind>)]
    enum Kind {
        Alpha,
        Beta,
        #[enum_type(other)]
        #[serde(untagged)]
        Unknown(String),
    }

    #[derive(Union, Serialize, Deserialize, JsonSchema)]
    #[union(crate = ::renamed)]
    #[schemars(crate = "::schemars", transform = ::renamed::add_unions::<WithSchema>)]
    pub(super) struct WithSchema {
        #[union(discriminator)]
        kind: Kind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<u8>,
        #[union(member = "Beta", optional)]
        #[serde(skip_serializing_if = "Option::is_none")]
        second: Option<u8>,
    }
}

/// Returns the union errors of an object.
fn errors_of<T: ::renamed::Union>(object: &T) -> String {
    object.validate_unions().to_string()
}

#[test]
fn the_enum_type_implements_the_trait_of_the_runtime() {
    assert_eq!(<Kind as ::renamed::EnumType>::VALUES, ["Alpha", "Beta"]);
    assert_eq!(<Kind as ::renamed::EnumType>::DOCS, ["The first.", ""]);
    let unknown = Kind::Unknown(ToString::to_string("Gamma"));
    assert_eq!(unknown.value(), EnumValue::Unknown("Gamma"));
    assert_eq!(Kind::Beta.value(), EnumValue::Known(1));
}

#[test]
fn the_union_implements_the_trait_of_the_runtime() {
    let old = MinimalUnion {
        kind: Kind::Alpha,
        alpha: Some(String::new()),
        second: None,
    };
    let mut new = MinimalUnion {
        kind: Kind::Beta,
        alpha: Some(String::new()),
        second: None,
    };
    let only_when = ::renamed::only_when("kind", "Alpha");
    let start = ::std::format!("alpha: Invalid value: \"\": {only_when}: ");
    assert!(errors_of(&new).starts_with(&start));
    let report = new.admit_unions(Some(&old), &Settings::default());
    assert!(report.is_accepted(), "{report}");
    assert_eq!(report.changes().to_string(), "alpha: cleared");
    assert_eq!(errors_of(&new), "");
}

#[test]
fn unknown_members_are_kept_and_cleared() {
    let json = r#"{"name":"a","kind":"Gamma","gamma":1}"#;
    let parse = || match ::serde_json::from_str::<Flattening>(json) {
        Ok(object) => object,
        Err(error) => panic!("{error}"),
    };
    let (old, mut new) = (parse(), parse());
    new.union.kind = Kind::Beta;
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "gamma: cleared"
    );
    match ::serde_json::to_string(&old) {
        Ok(json_of_old) => assert_eq!(json_of_old, json),
        Err(error) => panic!("{error}"),
    }
    let flattening_two = FlatteningTwo {
        minimal_union: MinimalUnion {
            kind: Kind::Alpha,
            alpha: None,
            second: None,
        },
        other: None,
    };
    assert!(!errors_of(&flattening_two).is_empty());
}

#[test]
fn generic_and_defaulted_unions_are_validated() {
    let generic = Generic::<'_, u8, 3> {
        kind: None,
        alpha: None,
        beta: Some([0]),
    };
    assert_eq!(errors_of(&generic), "");
    let defaulted = Defaulted {
        kind: None,
        alpha: Some(String::new()),
    };
    assert_eq!(errors_of(&defaulted), "");
}

#[test]
fn the_schema_hook_works_with_a_renamed_runtime() {
    let schema = ::renamed::schema_for::<with_schema::WithSchema>();
    assert_eq!(
        schema.pointer("/properties/kind/enum"),
        Some(&::serde_json::json!(["Alpha", "Beta"]))
    );
    assert_eq!(
        schema.pointer("/properties/kind/x-kubernetes-unions/fieldMembers/Beta/name"),
        Some(&::serde_json::json!("second"))
    );
}

#[test]
fn an_enum_is_deserialized_and_validated() {
    let parse = |text| match ::serde_json::from_str::<Enumerated<u8, 3>>(text) {
        Ok(object) => object,
        Err(error) => panic!("{error}"),
    };
    let nothing = parse("{}");
    assert!(::std::matches!(nothing, Enumerated::Nothing));
    assert_eq!(errors_of(&nothing), "");
    let alpha = parse(r#"{"kind":"Alpha","alpha":1}"#);
    assert_eq!(alpha.discriminator(), Some("Alpha"));
    let tape = parse(r#"{"kind":"Tape"}"#);
    assert_eq!(
        errors_of(&tape),
        r#"kind: Unsupported value: "Tape": supported values: "Alpha", "Beta", "Flattening""#
    );
    let strict = ::serde_json::from_str::<MinimalEnum>(r#"{"alpha":"a"}"#);
    assert!(::std::matches!(strict, Ok(MinimalEnum::Alpha(_))));
    let schema = ::renamed::schema_for::<MinimalEnum>();
    assert_eq!(
        schema.pointer("/properties/alpha/type"),
        Some(&::serde_json::json!("string"))
    );
}
