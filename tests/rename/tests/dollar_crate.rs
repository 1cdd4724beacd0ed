//! Tests that the derives accept types that a macro of another crate names by `$crate`.

use renamed::spec::Keyed as _;
use renamed::{Settings, Union as _, UnionEnum as _};
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_tests_rename::with_types;

/// Declares a union whose types are all from another crate.
macro_rules! declare_choice {
    (
        $name:ident
        crate = { $($krate:tt)* }
        kind = { $($kind:tt)* }
        member = { $member:ty }
        rest = { $($rest:tt)* }
        $($others:tt)*
    ) => {
        #[derive(renamed::Union, Serialize, Deserialize, Clone, Debug)]
        #[union(crate = $($krate)*)]
        struct $name {
            #[union(discriminator)]
            kind: $($kind)*,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: $member,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: Option<u8>,
            #[union(unknown)]
            #[serde(flatten)]
            rest: $($rest)*,
        }
    };
}

/// Declares a struct that contains types from another crate in every way.
macro_rules! declare_holder {
    (
        $name:ident
        crate = { $krate:path }
        kind = { $($kind:tt)* }
        member = { $($member:tt)* }
        rest = { $($rest:tt)* }
        name = { $($key:tt)* }
        source = { $($source:tt)* }
        sources = { $($sources:tt)* }
    ) => {
        #[derive(renamed::Union, Serialize, Deserialize, Clone, Debug)]
        #[union(crate = $krate)]
        struct $name {
            #[union(key)]
            name: $($key)*,
            #[union(discriminator, deduce)]
            #[serde(skip_serializing_if = "Option::is_none")]
            kind: Option<$($kind)*>,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: $($member)*,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: $($member)*,
            #[union(nested)]
            source: $($source)*,
            #[union(nested, list_map_keys("name"), patch_strategy = "replace")]
            sources: $($sources)*,
            #[union(inline)]
            #[serde(flatten)]
            inline: Option<Box<$($source)*>>,
            #[union(patch_strategy = "merge")]
            names: Vec<$($key)*>,
        }
    };
}

/// Declares a union enum whose members are from another crate.
macro_rules! declare_enum {
    (
        $name:ident
        crate = { $krate:path }
        kind = { $kind:ty }
        member = { $member:ty }
        rest = { $rest:ty }
        name = { $text:ty }
        source = { $($source:tt)* }
        $($others:tt)*
    ) => {
        #[derive(renamed::UnionEnum, Clone, Debug)]
        #[union(crate = $krate, discriminator = "kind", schema = false)]
        enum $name {
            Rest($rest),
            Text(Option<$text>),
            #[union(nested)]
            Source($($source)*),
            #[union(other)]
            Other(renamed::RawUnion),
        }
    };
}

with_types!(declare_choice, Choice);
with_types!(declare_enum, Enumerated);
with_types!(declare_holder, Holder);

#[test]
fn types_of_discriminator_members_and_unknown_fields_may_be_named_by_dollar_crate() {
    let old: Choice = serde_json::from_value(json!({"kind": "Gamma", "gamma": 1})).expect("read");
    let mut new: Choice =
        serde_json::from_value(json!({"kind": "Beta", "gamma": 1, "beta": 2})).expect("read");
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "gamma: cleared"
    );
    assert!(new.validate_unions().is_accepted());
}

#[test]
fn types_of_nested_unions_and_keys_may_be_named_by_dollar_crate() {
    let holder: Holder = serde_json::from_value(json!({
        "name": "a",
        "alpha": 1,
        "beta": 2,
        "source": {"name": "b", "first": 1, "second": 2},
        "sources": [{"name": "c", "first": 1, "second": 2}],
        "names": [],
    }))
    .expect("read");
    let report = holder.validate_unions();
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    assert_eq!(paths, ["", "source", "sources[0]"]);
    assert_eq!(Holder::KEYS, ["name"]);
}

#[test]
fn types_of_enum_members_may_be_named_by_dollar_crate() {
    let invalid_object =
        json!({"kind": "Source", "source": {"name": "a", "first": 1, "second": 2}});
    let value: Enumerated = serde_json::from_value(invalid_object).expect("any object is readable");
    assert!(value.raw().is_none());
    let report = value.validate_unions();
    assert_eq!(
        report
            .errors()
            .iter()
            .map(|violation| violation.path().as_str())
            .collect::<Vec<_>>(),
        ["source"]
    );
    assert!(Enumerated::Text(None).validate_unions().is_accepted());
    assert!(
        Enumerated::Rest(empty_rest())
            .validate_unions()
            .is_accepted()
    );
}

fn empty_rest() -> union_tests_rename::Rest {
    union_tests_rename::Rest::new()
}
