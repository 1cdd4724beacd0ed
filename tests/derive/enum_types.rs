//! Tests of enum types, as discriminators and by themselves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::spec::EnumValue;
use union_runtime::{EnumType, Settings, Union, ViolationKind};

use crate::{cleared_paths, error_paths};

/// An enum type with renamed variants and without a variant for unknown values.
#[derive(EnumType, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Renamed {
    OneTwo,
    #[serde(rename = "three")]
    Three,
    #[serde(rename(serialize = "4", deserialize = "4"))]
    Four,
    #[serde(rename = "")]
    Nothing,
}

#[test]
fn values_are_the_serialized_strings() {
    assert_eq!(Renamed::VALUES, ["ONE_TWO", "three", "4", ""]);
    for (index, string) in Renamed::VALUES.iter().enumerate() {
        let value: Renamed = serde_json::from_value((*string).into()).expect("a value");
        assert_eq!(value.value(), EnumValue::Known(index));
        assert_eq!(value.as_str(), *string);
        assert_eq!(serde_json::to_value(value).expect("a string"), *string);
    }
}

/// Evaluates every rule of `rename_all` on one variant.
macro_rules! values_by_rule {
    ($($rule:literal => $text:literal),*) => {
        [$({
            #[derive(EnumType, Serialize)]
            #[serde(rename_all = $rule)]
            enum ByRule { OneTwo }
            (ByRule::OneTwo.as_str().to_owned(), serde_json::to_value(ByRule::OneTwo).expect("a string"), $text)
        }),*]
    };
}

#[test]
fn every_rule_of_rename_all_converts_values_as_serde_does() {
    let cases = values_by_rule![
        "lowercase" => "onetwo", "UPPERCASE" => "ONETWO", "PascalCase" => "OneTwo", "camelCase" => "oneTwo",
        "snake_case" => "one_two", "SCREAMING_SNAKE_CASE" => "ONE_TWO", "kebab-case" => "one-two",
        "SCREAMING-KEBAB-CASE" => "ONE-TWO"
    ];
    for (value, serialized, expected) in cases {
        assert_eq!((value.as_str(), serialized), (expected, expected.into()));
    }
}

/// An enum type with a variant for unknown values.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, PartialEq, Debug)]
#[schemars(transform = union_runtime::add_enum::<Open>)]
enum Open {
    Alpha,
    #[serde(rename = "")]
    Nothing,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[test]
fn an_unknown_value_is_read_kept_and_written_unchanged() {
    for string in ["Gamma", "alpha", " Alpha", "ä\u{0}\"\\", "null", "Unknown"] {
        let value: Open = serde_json::from_value(string.into()).expect("any string is readable");
        assert_eq!(value, Open::Unknown(string.to_owned()));
        assert_eq!(value.value(), EnumValue::Unknown(string));
        assert_eq!(value.as_str(), string);
        assert_eq!(serde_json::to_value(&value).expect("a string"), string);
    }
}

#[test]
fn known_values_are_read_as_their_variants() {
    assert_eq!(Open::VALUES, ["Alpha", ""]);
    assert_eq!(
        serde_json::from_str::<Open>(r#""Alpha""#).expect("a value"),
        Open::Alpha
    );
    assert_eq!(
        serde_json::from_str::<Open>(r#""""#).expect("a value"),
        Open::Nothing
    );
}

#[test]
fn values_that_are_not_strings_are_never_unknown_values() {
    for json in [
        "1",
        "null",
        "true",
        "[]",
        "{}",
        r#"{"Alpha": null}"#,
        r#"["Alpha"]"#,
    ] {
        let result = serde_json::from_str::<Open>(json);
        // serde also reads a unit variant in this form, so the test only checks that the object is
        // not kept as an unknown value.
        assert!(
            matches!(result, Err(_) | Ok(Open::Alpha)),
            "{json} is {result:?}"
        );
    }
}

#[test]
fn a_known_string_in_the_other_variant_counts_as_known() {
    let value = Open::Unknown("Alpha".to_owned());
    assert_eq!(value.value(), EnumValue::Known(0));
    assert_eq!(value.as_str(), "Alpha");
    assert_eq!(Open::Unknown(String::new()).value(), EnumValue::Known(1));
}

/// A union that can read unknown values.
#[derive(Union, Serialize, Deserialize, Clone)]
struct OpenUnion {
    #[union(discriminator)]
    kind: Open,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn read(json: &str) -> OpenUnion {
    serde_json::from_str(json).expect("a readable value")
}

#[test]
fn an_unknown_discriminator_is_rejected_and_no_member_is_cleared() {
    let old = read(r#"{"kind": "Alpha", "alpha": 1}"#);
    let mut new = read(r#"{"kind": "Gamma", "alpha": 1}"#);
    assert_eq!(cleared_paths(&mut new, &old), "");
    assert_eq!(new.alpha, Some(1));
    let report = new.validate_unions();
    let [violation] = report.errors() else {
        panic!("expected one error: {report}");
    };
    assert_eq!(violation.kind(), ViolationKind::NotSupported);
    assert_eq!(
        violation.to_string(),
        r#"kind: Unsupported value: "Gamma": supported values: "Alpha", """#
    );
}

#[test]
fn a_known_string_in_the_other_variant_selects_its_member() {
    let mut object = OpenUnion {
        kind: Open::Unknown("Alpha".to_owned()),
        alpha: Some(1),
    };
    assert_eq!(error_paths(&object), "");
    object.alpha = None;
    assert_eq!(error_paths(&object), "alpha");
    object.kind = Open::Unknown(String::new());
    assert_eq!(error_paths(&object), "");
}

#[test]
fn an_unknown_value_survives_an_update_that_keeps_it() {
    let old = read(r#"{"kind": "Gamma", "alpha": 1}"#);
    let new = old.clone();
    let report = new.validate_unions_update(&old, &Settings::default());
    assert!(report.is_accepted(), "the error is not new");
    assert_eq!(report.tolerated().len(), 1);
    assert_eq!(
        serde_json::to_value(&new).expect("plain data"),
        serde_json::json!({ "kind": "Gamma", "alpha": 1 })
    );
}

/// An enum type that is not a discriminator, with features that any Rust enum may have.
#[derive(EnumType, Default)]
#[non_exhaustive]
#[repr(C)]
enum UnusualEnum<const N: usize = 0> {
    #[default]
    First = 7,
    #[allow(dead_code, reason = "no test constructs this variant")]
    Second = 3,
}

#[test]
fn positions_are_in_source_order_for_all_rust_discriminants() {
    assert_eq!(<UnusualEnum as EnumType>::VALUES, ["First", "Second"]);
    assert_eq!(UnusualEnum::<5>::default().value(), EnumValue::Known(0));
    assert_eq!(UnusualEnum::<5>::Second.value(), EnumValue::Known(1));
}

/// An enum type whose schema already lists the same values in another order.
#[derive(EnumType, JsonSchema)]
#[schemars(extend("enum" = ["B", "A"]))]
#[allow(dead_code, reason = "only the schema is tested")]
enum Listed {
    A,
    B,
}

#[test]
fn the_schema_attribute_extend_may_list_the_values_in_another_order() {
    assert_eq!(Listed::VALUES, ["A", "B"]);
}
