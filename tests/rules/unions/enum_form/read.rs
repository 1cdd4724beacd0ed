//! Tests of reading and writing union enums: the variant that an object becomes, and the object
//! that a variant is written as.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use union_runtime::{RawUnion, RawUnionReason, Union, UnionEnum};

use crate::unions::enum_form::kinds::{Absent, Defaulted, Empty};
use crate::unions::enum_form::target::{
    MaybeSource, Source, Strict, Target, bucket, raw, read, to_json, unknown_object,
};

#[test]
fn the_discriminator_of_a_variant_is_written_first() {
    let to_text = |target: &Target| serde_json::to_string(target).expect("a serializable value");
    assert_eq!(to_text(&Target::None), r#"{"type":"None"}"#);
    assert_eq!(
        to_text(&Target::S3(bucket("b"))),
        r#"{"type":"S3","s3":{"bucket":"b"}}"#
    );
    assert_eq!(to_text(&Target::Volume(None)), r#"{"type":"Volume"}"#);
    assert_eq!(
        to_text(&Target::Cors(Box::new(bucket("b")))),
        r#"{"type":"CORS","cors":{"bucket":"b"}}"#
    );
}

#[test]
fn a_variant_is_read_in_any_order_of_keys_and_ignoring_nulls() {
    for text in [
        r#"{"type":"S3","s3":{"bucket":"b"}}"#,
        r#"{"s3":{"bucket":"b"},"type":"S3"}"#,
        r#"{"volume":null,"s3":{"bucket":"b"},"type":"S3","tape":1}"#,
    ] {
        let target: Target = serde_json::from_str(text).expect("any object is readable");
        assert_eq!(target, Target::S3(bucket("b")));
        assert_eq!(target.discriminator(), Some("S3"));
    }
    assert_eq!(
        read::<Target>(&json!({"type": "Volume", "volume": null})),
        Target::Volume(None)
    );
}

#[test]
fn an_object_that_fits_no_variant_is_kept_with_the_reason() {
    let cases = [
        (unknown_object(), RawUnionReason::UnknownValue("Tape")),
        (
            json!({"type": "Tape", "tape": null, "s3": {"bucket": 1}}),
            RawUnionReason::UnknownValue("Tape"),
        ),
        (json!({"type": ""}), RawUnionReason::UnknownValue("")),
        (json!({}), RawUnionReason::Invalid),
        (
            json!({"type": null, "s3": {"bucket": "b"}}),
            RawUnionReason::Invalid,
        ),
        (json!({"type": "S3"}), RawUnionReason::Invalid),
        (json!({"type": "S3", "s3": null}), RawUnionReason::Invalid),
        (json!({"s3": {"bucket": "b"}}), RawUnionReason::Invalid),
        (json!({"type": 5}), RawUnionReason::Invalid),
        (
            json!({"type": "None", "s3": {"bucket": "b"}}),
            RawUnionReason::Invalid,
        ),
        (
            json!({"type": "S3", "s3": {}}),
            RawUnionReason::Unreadable("missing field `bucket`"),
        ),
        (
            json!({"type": "S3", "s3": true, "tape": 1}),
            RawUnionReason::Unreadable("invalid type: boolean `true`, expected struct S3"),
        ),
    ];
    for (object, reason) in cases {
        let target: Target = read(&object);
        assert_eq!(raw(&target).reason(), reason, "{object}");
        assert_eq!(to_json(&target), object);
        assert_eq!(Value::from(raw(&target).clone().into_object()), object);
        assert_eq!(target.discriminator(), object["type"].as_str());
    }
}

#[test]
fn without_a_discriminator_the_member_selects_the_variant() {
    assert_eq!(
        read::<Source>(&json!({"hostPath": "/"})),
        Source::HostPath("/".into())
    );
    assert_eq!(
        to_json(&Source::HostPath("/".into())),
        json!({"hostPath": "/"})
    );
    assert_eq!(Source::HostPath("/".into()).discriminator(), None);
    let cases = [
        (json!({}), RawUnionReason::Invalid),
        (json!({"csi2": {}}), RawUnionReason::UnknownMember("csi2")),
        (json!({"csi2": null}), RawUnionReason::Invalid),
        (
            json!({"secret": {"bucket": "b"}, "hostPath": "/"}),
            RawUnionReason::Invalid,
        ),
        (
            json!({"secret": {}}),
            RawUnionReason::Unreadable("missing field `bucket`"),
        ),
    ];
    for (object, reason) in &cases {
        let source: Source = read(object);
        assert_eq!(raw(&source).reason(), *reason, "{object}");
        assert_eq!(to_json(&source), *object);
    }
    for (object, reason) in &cases[1..] {
        let source: MaybeSource = read(object);
        if *object == json!({"csi2": null}) {
            assert_eq!(source, MaybeSource::Nothing);
        } else {
            assert_eq!(raw(&source).reason(), *reason, "{object}");
        }
    }
    assert_eq!(read::<MaybeSource>(&json!({})), MaybeSource::Nothing);
    assert_eq!(to_json(&MaybeSource::Nothing), json!({}));
}

/// Checks a member that only a newer server knows: it is valid if no member is required, and one
/// error if a member is required.
#[test]
fn an_unknown_member_is_an_error_only_if_a_member_is_required() {
    let source: MaybeSource = read(&json!({"csi2": {}}));
    assert!(source.validate_unions().is_accepted());
    let source: Source = read(&json!({"csi2": {}}));
    let report = source.validate_unions();
    assert_eq!(report.errors().len(), 1, "a member is required");
    assert_eq!(
        raw(&source).to_string(),
        r#"unknown member "csi2": expected one of: `secret`, `hostPath`"#
    );
}

/// Checks each form of an absent discriminator.
#[test]
fn an_absent_discriminator_counts_as_the_default_of_the_enum() {
    let alpha = || BTreeMap::from([("a".to_owned(), 1)]);
    let with_alpha = json!({"alpha": {"a": 1}});
    assert_eq!(read::<Defaulted>(&with_alpha), Defaulted::Alpha(alpha()));
    assert_eq!(
        to_json(&Defaulted::Alpha(alpha())),
        json!({"type": "Alpha", "alpha": {"a": 1}})
    );
    assert_eq!(
        raw(&read::<Defaulted>(&json!({}))).reason(),
        RawUnionReason::Invalid
    );

    for object in [json!({}), json!({"type": null})] {
        assert_eq!(read::<Absent>(&object), Absent::Nothing);
        assert_eq!(read::<Empty>(&object), Empty::Nothing);
    }
    assert_eq!(to_json(&Absent::Nothing), json!({}));
    assert_eq!(Absent::Nothing.discriminator(), None);
    for (object, reason) in [
        (json!({"type": ""}), RawUnionReason::UnknownValue("")),
        (
            json!({"type": "Nothing"}),
            RawUnionReason::UnknownValue("Nothing"),
        ),
        (with_alpha, RawUnionReason::Invalid),
    ] {
        assert_eq!(raw(&read::<Absent>(&object)).reason(), reason);
    }

    assert_eq!(read::<Empty>(&json!({"type": ""})), Empty::Nothing);
    assert_eq!(to_json(&Empty::Nothing), json!({}));
    assert_eq!(Empty::Nothing.discriminator(), None);
}

#[test]
fn values_that_are_not_objects_are_errors() {
    for text in [r#""S3""#, "[]", "null", "5", "true"] {
        let error = serde_json::from_str::<Target>(text).expect_err("the JSON is not an object");
        let error = error.to_string();
        assert!(
            error.contains("expected an object of union Target"),
            "{error}"
        );
    }
}

#[test]
fn a_strict_enum_fails_with_the_message_and_path_of_validation() {
    assert_eq!(
        read::<Strict>(&json!({"type": "Volume"})),
        Strict::Volume(None)
    );
    for (text, start, end) in [
        (
            "{\n\"type\": \"Tape\"}",
            "type: Unsupported value: \"Tape\": ",
            " at line 2 column 15",
        ),
        ("{}", "type: Required value: ", " at line 1 column 2"),
        (
            "{\"type\":\"S3\",\"s3\":{}}",
            "s3: Invalid value: \"\": ",
            "missing field `bucket` at line 1 column 21",
        ),
    ] {
        let error = serde_json::from_str::<Strict>(text).expect_err("no variant fits");
        let message = error.to_string();
        assert!(
            message.starts_with(start) && message.ends_with(end),
            "{message}"
        );
    }
}

/// A strict enum has no variant for an object with an unknown member. A member of a newer version
/// is ignored like any unknown field, and an enum with `other` keeps it.
#[test]
fn a_strict_enum_without_a_discriminator_ignores_unknown_members() {
    #[derive(UnionEnum, Clone, Debug, PartialEq)]
    #[union(undiscriminated, schema = false, strict)]
    enum Access {
        Nobody,
        Owner(String),
    }
    #[derive(UnionEnum, Clone, Debug, PartialEq)]
    #[union(undiscriminated, schema = false, strict)]
    enum Volume {
        Owner(String),
        Group(String),
    }
    #[derive(UnionEnum, Clone, Debug, PartialEq)]
    #[union(undiscriminated, schema = false)]
    enum Kept {
        Nobody,
        Owner(String),
        #[union(other)]
        Other(RawUnion),
    }
    let unknown = json!({"robot": 1});
    assert_eq!(read::<Access>(&unknown), Access::Nobody);
    assert_eq!(to_json(&read::<Access>(&unknown)), json!({}));
    assert_eq!(read::<Access>(&json!({"robot": null})), Access::Nobody);
    let error = serde_json::from_value::<Volume>(unknown.clone()).expect_err("no member is set");
    assert!(!error.to_string().contains("robot"), "{error}");
    let kept = read::<Kept>(&unknown);
    let reason = kept.raw().map(RawUnion::reason);
    assert_eq!(reason, Some(RawUnionReason::UnknownMember("robot")));
    assert_eq!(to_json(&kept), unknown);
    for object in [json!({"owner": "o", "robot": 1}), json!({"owner": "o"})] {
        assert_eq!(read::<Access>(&object), Access::Owner("o".into()));
        assert_eq!(read::<Volume>(&object), Volume::Owner("o".into()));
    }
}

/// Checks `from_object`, which returns the same result as deserialization.
#[test]
fn from_object_returns_objects_that_fit_no_variant() {
    let object = |value: &Value| value.as_object().expect("an object").clone();
    let s3 = object(&json!({"type": "S3", "s3": {"bucket": "b"}}));
    assert_eq!(Target::from_object(s3), Ok(Target::S3(bucket("b"))));
    let raw = Target::from_object(object(&unknown_object())).expect_err("`Tape` is not known");
    assert_eq!(Target::Other(raw.clone()), read(&unknown_object()));
    let strict = Strict::from_object(object(&unknown_object())).expect_err("`Tape` is not known");
    assert_eq!(strict.reason(), RawUnionReason::UnknownValue("Tape"));
    assert_eq!(strict.object(), raw.object());
    assert_eq!(
        Strict::from_object(Map::new())
            .expect_err("an error")
            .reason(),
        RawUnionReason::Invalid
    );
}

#[test]
fn raw_unions_are_compared_by_their_object() {
    let raw_of = |object: Value| {
        let raw_of: Target = read(&object);
        raw(&raw_of).clone()
    };
    let raw_union = raw_of(unknown_object());
    let set = HashSet::from([raw_union.clone(), raw_of(json!({"type": "Tape"}))]);
    assert!(set.contains(&raw_of(unknown_object())));
    assert_eq!(set.len(), 2);
    let debug_text = format!("{raw_union:?}");
    assert!(
        debug_text.starts_with("RawUnion { object: {"),
        "{debug_text}"
    );
    assert!(
        debug_text.contains(r#""type": String("Tape")"#),
        "{debug_text}"
    );
    assert!(
        debug_text.ends_with(r#"}, why: UnknownValue("Tape") }"#),
        "{debug_text}"
    );
    assert_eq!(size_of::<RawUnion>(), size_of::<usize>());
}

/// Checks that a flattened enum reads and writes only its own fields, and leaves the others to the
/// parent.
#[test]
fn a_flattened_enum_reads_only_its_own_fields() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Backup {
        name: String,
        #[serde(flatten)]
        target: Target,
        #[serde(flatten)]
        source: Source,
        #[serde(flatten)]
        rest: Map<String, Value>,
    }
    for object in [
        json!({"name": "b", "type": "S3", "s3": {"bucket": "b"}, "hostPath": "/", "tape": 1}),
        json!({"name": "b", "type": "Tape", "tape": {}, "secret": {}}),
    ] {
        let backup: Backup = serde_json::from_value(object.clone()).expect("a readable value");
        assert_eq!(
            serde_json::to_value(&backup).expect("a serializable value"),
            object
        );
        assert!(!backup.rest.contains_key("type") && backup.rest.contains_key("tape"));
    }
}

/// Checks that a kept object is written with the numbers that an API server stores. CI also runs
/// the test with the features `arbitrary_precision` and `preserve_order` of `serde_json`.
#[test]
fn raw_unions_are_written_as_an_api_server_stores_them() {
    for (sent, stored) in [
        ("1.0", "1"),
        ("1e2", "100"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("1.10", "1.1"),
        ("7.038531e-26", "7.038531e-26"),
        ("0.41600000000000004", "0.41600000000000004"),
        ("-6.360375184993316e+38", "-6.360375184993316e+38"),
        ("9007199254740993", "9007199254740993"),
        ("9223372036854775807", "9223372036854775807"),
        ("4611686018427387904.0", "4611686018427388000"),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
    ] {
        let object_with_number = |number| {
            format!(r#"{{"s3":{{"bucket":"b"}},"tape":{{"z":[{number}]}},"type":"Tape"}}"#)
        };
        let target: Target =
            serde_json::from_str(&object_with_number(sent)).expect("a readable value");
        let sent_value: Value =
            serde_json::from_str(&object_with_number(sent)).expect("valid JSON");
        assert_eq!(
            target.raw().expect("the object is kept").object()["tape"],
            sent_value["tape"]
        );
        let to_json = serde_json::to_string(&target).expect("a serializable value");
        assert_eq!(to_json, object_with_number(stored));
        let value = serde_json::to_value(&target).expect("a serializable value");
        assert!(value["tape"]["z"][0].is_number(), "{value}");
    }
}

#[test]
fn members_may_have_floats_large_integers_and_integer_keys() {
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Odd {
        ratio: f64,
        large: u64,
        by_number: BTreeMap<i32, String>,
    }
    #[derive(UnionEnum, Clone, Debug, PartialEq)]
    #[union(discriminator = "type", schema = false)]
    enum Holder {
        Odd(Odd),
        #[union(other)]
        Other(RawUnion),
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Parent {
        #[serde(flatten)]
        holder: Holder,
    }
    let text = r#"{"type":"Odd","odd":{"ratio":0.5,"large":18446744073709551615,"by_number":{"7":"seven"}}}"#;
    let parent: Parent = serde_json::from_str(text).expect("a readable value");
    assert!(parent.holder.raw().is_none(), "{parent:?}");
    assert_eq!(
        serde_json::to_string(&parent).expect("a serializable value"),
        text
    );
}

/// Checks that duplicate keys are rejected, as serde's own derive rejects them. A kept object could
/// store only one of the two values.
#[test]
fn duplicate_keys_are_rejected() {
    for (text, key) in [
        (r#"{"type":"S3","type":"None"}"#, "type"),
        (r#"{"type":"None","type":null}"#, "type"),
        (
            r#"{"type":"S3","s3":{"bucket":"a"},"s3":{"bucket":"b"}}"#,
            "s3",
        ),
        (r#"{"type":"S3","s3":{"bucket":"a"},"s3":null}"#, "s3"),
        (r#"{"type":"Tape","tape":1,"tape":1}"#, "tape"),
        (r#"{"a/b":1,"type":"None","a/b":2}"#, "a/b"),
    ] {
        let error = serde_json::from_str::<Target>(text).expect_err(text);
        let expected = format!("duplicate field `{key}` at line 1");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}
