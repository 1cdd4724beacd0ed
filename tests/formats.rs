//! Formats, patterns and metadata take any text there is: none panics, and none takes longer than in proportion.

use k8s_crd_validation::reference;
use k8s_crd_validation::{Formats, StructuralSchema};
use proptest::prelude::*;
use serde_json::{Value, json};

const FORMATS: [&str; 26] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "date-time",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8s-long-name",
    "k8s-short-name",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("name".to_owned()),
        Just("labels".to_owned()),
        Just("ownerReferences".to_owned()),
        Just("managedFields".to_owned()),
        Just("creationTimestamp".to_owned()),
        Just("finalizers".to_owned()),
        Just("generateName".to_owned()),
        Just("metadata".to_owned()),
        Just("kind".to_owned()),
        ".{0,3}",
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..6)
                .prop_map(|map| map.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_has_a_verdict(text in "(?s).{0,40}") {
        let formats = Formats::default();
        for format in FORMATS {
            prop_assert!(formats.check(format, &text).is_some());
        }
    }

    #[test]
    fn a_text_of_signs_has_a_verdict(text in "[-0-9a-fA-FTtZz:.@<>()\\[\\]\"\\\\/%?#=,; é\u{1}]{0,30}") {
        let formats = Formats::default();
        for format in FORMATS {
            prop_assert!(formats.check(format, &text).is_some());
        }
    }

    #[test]
    fn any_text_is_a_pattern_or_is_none(text in r"(?s)([a-c\[\](){}*+?|^$.\\,:PpQExX<>&~\-0-9i]|.){0,24}") {
        match reference::pattern(&text) {
            Ok(matches) => { matches(&text); }
            Err(error) => prop_assert!(error.starts_with("must be a valid regular expression, but isn't: ")),
        }
    }

    #[test]
    fn any_metadata_is_read_or_refused(new in any_json(), old in any_json()) {
        for is_stored in [true, false] {
            let mut metadata = new.clone();
            if reference::coerce(&mut metadata, is_stored).is_ok() {
                let mut again = metadata.clone();
                if metadata.is_object() {
                    prop_assert_eq!(reference::coerce(&mut again, false), Ok(()));
                    prop_assert_eq!(&again, &metadata);
                }
            }
        }
        // Even where nobody has read it before.
        let _ = reference::created(&new, true);
        let _ = reference::updated(&new, &old);
        let schema = json!({
            "type": "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true,
            "properties": { "finalizers": {
                "type": "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true,
            } },
        });
        if let Ok(schema) = StructuralSchema::compile(&schema) {
            let _ = reference::embedded(&schema, &mut new.clone());
        }
    }
}

/// Twice as much text in a check that looks at everything again for each letter would take hours.
#[test]
fn long_texts_take_no_longer_than_in_proportion() {
    const LENGTH: usize = 1 << 18;
    let formats = Formats::default();
    for part in [
        "a",
        "1",
        ".",
        "-",
        ":",
        "(",
        "\\(",
        "(a) ",
        "\"",
        "\"a\" ",
        "a ",
        "1 ",
        "1a",
        "=?utf-8?q?a?= ",
        "%41",
        "é",
        "a.",
        "0:",
        "[",
        "@",
        "x:a@b,",
        "t",
        " ",
        "\u{b5}",
    ] {
        for start in [
            "",
            "a@b ",
            "http://",
            "x:",
            "\"",
            "2020-01-01T00:00:00.",
            "rgb(",
            "::",
        ] {
            let text = start.to_owned() + &part.repeat(LENGTH / part.len());
            for format in FORMATS {
                assert!(formats.check(format, &text).is_some());
            }
        }
    }
    for part in [
        "(",
        "a|",
        "[a",
        "a*",
        "(?i)",
        "\\Q",
        "\\Qa\\E*",
        "{",
        "a{1}",
        "[[:alpha:]]",
        "\\pL",
        "(?i:é)",
        "a?",
        "(a)",
    ] {
        let _ = reference::pattern(&part.repeat(LENGTH / 8));
    }
}

#[test]
fn a_good_text_takes_no_memory() {
    let formats = Formats::default();
    for (format, text) in [
        ("bsonobjectid", "507f1f77bcf86cd799439011"),
        ("byte", "YWJj"),
        ("cidr", "10.0.0.0/8"),
        ("creditcard", "4111-1111-1111-1111"),
        ("date", "2020-02-29"),
        ("datetime", "2020-02-29T01:02:03.5+01:00"),
        ("duration", "1h30m or so"),
        ("email", "\"A\" B <a@[1.2.3.4]>"),
        ("hexcolor", "#ffffff"),
        ("hostname", "www.example.com"),
        ("ipv4", "::ffff:1.2.3.4"),
        ("ipv6", "2001:db8::68"),
        ("isbn", "978-0321751041"),
        ("k8slongname", "a.b"),
        ("k8sshortname", "a-b"),
        ("mac", "01:23:45:67:89:ab"),
        ("rgbcolor", "rgb(1,2,3)"),
        ("ssn", "111-11-1111"),
        ("uri", "https://u:p@[::1%25e]:80/a%20b?c"),
        ("uuid4", "123e4567-e89b-42d3-a456-426614174000"),
    ] {
        let used = allocation_counter::measure(|| {
            assert_eq!(formats.check(format, text), Some(true), "{format}");
        });
        assert_eq!(used.count_total, 0, "{format}");
    }
}

#[test]
fn good_metadata_takes_no_memory() {
    let mut metadata = json!({
        "name": "a.b-c", "namespace": "ns", "uid": "u", "resourceVersion": "7", "generation": 2,
        "creationTimestamp": "2020-02-29T01:02:03Z",
        "labels": { "example.com/a": "A_b" }, "annotations": { "example.com/a": "anything" },
        "finalizers": ["example.com/f"],
        "ownerReferences": [{ "apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "v" }],
        "managedFields": [{ "manager": "m", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": { "f:a": {} } }],
    });
    let used = allocation_counter::measure(|| {
        assert_eq!(reference::coerce(&mut metadata, false), Ok(()));
        assert!(reference::created(&metadata, true).is_empty());
        assert!(reference::updated(&metadata, &metadata).is_empty());
    });
    assert_eq!(used.count_total, 0);
}
