//! Tests of enums that also read the form of serde's externally tagged enums, so that stored
//! objects of such an enum need no rewriting.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{RawUnion, RawUnionReason, Settings, Union, UnionEnum};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Custom {
    steps: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Range(u32, u32);

/// The enums before the migration.
mod before {
    use super::{Custom, Deserialize, Range, Serialize};

    #[derive(Serialize, Deserialize)]
    pub(super) enum Scale {
        Auto,
        Off,
        Fixed(u32),
        Custom { steps: u32, label: Option<String> },
        Range(u32, u32),
        Text(String),
        List(Vec<Custom>),
        Maybe(Option<u32>),
        Pair(Range),
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(super) enum CamelScale {
        Auto,
        Fixed(u32),
        Custom(Custom),
    }
}

#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type", schema = false, read_also = "external")]
enum Scale {
    Auto,
    Off,
    Fixed(u32),
    Custom(Custom),
    Range(Range),
    Text(String),
    List(Vec<Custom>),
    Maybe(Option<u32>),
    Pair(Range),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(undiscriminated, schema = false, read_also = "external")]
enum Probe {
    Nothing,
    Exec(Vec<String>),
    HttpGet(String),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type", schema = false, strict, read_also = "external")]
enum Strict {
    Auto,
    #[union(member = "FIXED", field = "fixedValue")]
    Fixed(u32),
}

#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(undiscriminated, schema = false, strict, read_also = "external")]
enum StrictProbe {
    Nothing,
    Exec(String),
}

fn read<T: UnionEnum>(json: &Value) -> T {
    let from_value = serde_json::from_value(json.clone());
    let from_str = serde_json::from_str::<T>(&json.to_string());
    let from_str = serde_json::to_value(from_str.expect("readable JSON"));
    let value: T = from_value.unwrap_or_else(|error| panic!("{error}: {json}"));
    assert_eq!(
        from_str.expect("JSON"),
        serde_json::to_value(&value).expect("JSON")
    );
    value
}

#[test]
fn each_variant_of_the_old_enum_is_read_and_written_in_the_new_form() {
    let custom = || Custom {
        steps: 2,
        label: None,
    };
    let rows = [
        (before::Scale::Auto, Scale::Auto, json!({"type": "Auto"})),
        (before::Scale::Off, Scale::Off, json!({"type": "Off"})),
        (
            before::Scale::Fixed(3),
            Scale::Fixed(3),
            json!({"type": "Fixed", "fixed": 3}),
        ),
        (
            before::Scale::Custom {
                steps: 2,
                label: None,
            },
            Scale::Custom(custom()),
            json!({"type": "Custom", "custom": {"steps": 2}}),
        ),
        (
            before::Scale::Range(1, 2),
            Scale::Range(Range(1, 2)),
            json!({"type": "Range", "range": [1, 2]}),
        ),
        (
            before::Scale::Text("Auto".into()),
            Scale::Text("Auto".into()),
            json!({"type": "Text", "text": "Auto"}),
        ),
        (
            before::Scale::List(vec![custom()]),
            Scale::List(vec![custom()]),
            json!({"type": "List", "list": [{"steps": 2}]}),
        ),
        (
            before::Scale::Maybe(Some(1)),
            Scale::Maybe(Some(1)),
            json!({"type": "Maybe", "maybe": 1}),
        ),
        (
            before::Scale::Maybe(None),
            Scale::Maybe(None),
            json!({"type": "Maybe"}),
        ),
        (
            before::Scale::Pair(Range(1, 2)),
            Scale::Pair(Range(1, 2)),
            json!({"type": "Pair", "pair": [1, 2]}),
        ),
    ];
    for (old, expected, new_form) in rows {
        let stored = serde_json::to_value(&old).expect("JSON");
        let scale: Scale = read(&stored);
        assert_eq!(scale, expected, "{stored}");
        assert!(scale.validate_unions().is_accepted(), "{stored}");
        assert_eq!(serde_json::to_value(&scale).expect("JSON"), new_form);
        // The new form is read as before.
        assert_eq!(read::<Scale>(&new_form), expected);
    }
    let rows = [
        (before::CamelScale::Auto, Scale::Auto),
        (before::CamelScale::Fixed(3), Scale::Fixed(3)),
        (
            before::CamelScale::Custom(custom()),
            Scale::Custom(custom()),
        ),
    ];
    for (old, expected) in rows {
        let stored = serde_json::to_value(&old).expect("JSON");
        assert_eq!(read::<Scale>(&stored), expected, "{stored}");
    }
}

/// Checks that an object of neither form is written as it was read.
#[test]
fn what_fits_no_variant_is_written_as_it_came() {
    for stored in [
        json!("Turbo"),
        json!(""),
        json!("Fixed"),
        json!({"Turbo": {"a": [1]}}),
        json!({"turbo": 1}),
        json!({"Fixed": "three"}),
        json!({"fixed": -1}),
        json!({"Custom": {"size": 1}}),
        json!({"Fixed": null}),
        json!({"Fixed": 3, "Custom": {"steps": 1}}),
        json!({"Fixed": 3, "more": 1}),
        json!({"Auto": {}}),
        json!({"Auto": null}),
        json!({}),
        json!({"type": "Turbo", "turbo": 1}),
        json!({"type": "Fixed"}),
        json!({"type": "Auto", "fixed": 3}),
    ] {
        let scale: Scale = read(&stored);
        assert!(scale.raw().is_some(), "{stored}: {scale:?}");
        assert_eq!(serde_json::to_value(&scale).expect("JSON"), stored);
        assert!(!scale.validate_unions().is_accepted(), "{stored}");
        let report = scale.validate_unions_update(&scale.clone(), &Settings::default());
        assert!(report.is_accepted(), "{stored}: {report}");
    }
    let turbo: Scale = read(&json!("Turbo"));
    assert_eq!(turbo.discriminator(), Some("Turbo"));
    assert_eq!(
        turbo.raw().map(RawUnion::reason),
        Some(RawUnionReason::UnknownValue("Turbo"))
    );
    let unreadable: Scale = read(&json!({"Fixed": "three"}));
    let reason = unreadable.raw().map(RawUnion::reason);
    assert!(
        matches!(reason, Some(RawUnionReason::Unreadable(_))),
        "{reason:?}"
    );
}

#[test]
fn other_types_are_still_an_error() {
    for json in [json!(1), json!(true), json!(null), json!([1]), json!(1.5)] {
        let error = serde_json::from_value::<Scale>(json.clone()).expect_err("not a union");
        assert!(
            error
                .to_string()
                .contains("expected an object of union Scale"),
            "{error}"
        );
    }
    for json in [
        json!("Turbo"),
        json!({"Turbo": 1}),
        json!("FIXED"),
        json!({"FIXED": "a"}),
    ] {
        assert!(
            serde_json::from_value::<Strict>(json.clone()).is_err(),
            "{json}"
        );
    }
    for json in [json!("Turbo"), json!("Exec"), json!("exec")] {
        assert!(
            serde_json::from_value::<StrictProbe>(json.clone()).is_err(),
            "{json}"
        );
    }
    let strict = |json: Value| serde_json::from_value::<Strict>(json).expect("readable JSON");
    assert_eq!(strict(json!("Auto")), Strict::Auto);
    assert_eq!(strict(json!({"FIXED": 1})), Strict::Fixed(1));
    assert_eq!(strict(json!({"fixedValue": 1})), Strict::Fixed(1));
    assert_eq!(
        strict(json!({"type": "FIXED", "fixedValue": 1})),
        Strict::Fixed(1)
    );
}

#[test]
fn a_union_without_a_discriminator_reads_the_old_form_too() {
    for (stored, expected, written) in [
        (json!("Nothing"), Probe::Nothing, json!({})),
        (json!("nothing"), Probe::Nothing, json!({})),
        (json!({}), Probe::Nothing, json!({})),
        (
            json!({"Exec": ["a"]}),
            Probe::Exec(vec!["a".into()]),
            json!({"exec": ["a"]}),
        ),
        (
            json!({"exec": ["a"]}),
            Probe::Exec(vec!["a".into()]),
            json!({"exec": ["a"]}),
        ),
        (
            json!({"HttpGet": "/"}),
            Probe::HttpGet("/".into()),
            json!({"httpGet": "/"}),
        ),
    ] {
        let probe: Probe = read(&stored);
        assert_eq!(probe, expected, "{stored}");
        assert_eq!(serde_json::to_value(&probe).expect("JSON"), written);
    }
    for stored in [
        json!("Turbo"),
        json!({"Turbo": 1}),
        json!({"Exec": 1}),
        json!("Exec"),
    ] {
        let probe: Probe = read(&stored);
        assert!(probe.raw().is_some(), "{stored}: {probe:?}");
        assert_eq!(serde_json::to_value(&probe).expect("JSON"), stored);
    }
}

/// Checks an enum in a field, in an `Option<Box>` and in a list. In the list, some elements have
/// the old form, and some have the new form.
#[test]
fn the_old_form_is_read_in_each_place() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Spec {
        scale: Scale,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        optional: Option<Box<Scale>>,
        #[serde(default)]
        list: Vec<Scale>,
    }
    let spec: Spec = serde_json::from_value(json!({
        "scale": "Auto", "optional": {"fixed": 1}, "list": ["Off", {"type": "Auto"}, "Turbo"],
    }))
    .expect("readable JSON");
    assert_eq!(
        serde_json::to_value(&spec).expect("JSON"),
        json!({
            "scale": {"type": "Auto"}, "optional": {"type": "Fixed", "fixed": 1},
            "list": [{"type": "Off"}, {"type": "Auto"}, "Turbo"],
        })
    );
    let object = json!({"Fixed": 3}).as_object().cloned().expect("an object");
    assert_eq!(Scale::from_object(object), Ok(Scale::Fixed(3)));
}

/// Checks that normalization compares both forms as the same value.
#[test]
fn normalization_knows_the_old_form() {
    let old: Scale = read(&json!({"Fixed": 3}));
    let mut new: Scale = read(&json!({"type": "Auto", "fixed": 3}));
    let changes = new.normalize_unions(Some(&old), &Settings::default());
    assert_eq!(changes.to_string(), "fixed: cleared");
    assert_eq!(new, Scale::Auto);
    let old: Scale = read(&json!("Turbo"));
    let mut new: Scale = read(&json!({"type": "Auto", "turbo": 3, "fixed": 1}));
    let _ = new.normalize_unions(Some(&old), &Settings::default());
    assert_eq!(new, Scale::Auto);
}
