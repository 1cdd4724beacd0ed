//! Tests of enum types in fields that belong to no union (KEP-2887): validation rejects values that
//! the type does not list, with the path, and tolerates old values as it tolerates an old
//! discriminator.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Ratchet, RawUnion, Report, Settings, Union, UnionEnum};

#[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Kind {
    A,
    B,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Level {
    Low,
    High,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// An enum type that cannot hold unknown values.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Closed {
    On,
    Off,
}

type Levels = Vec<Option<Level>>;

/// A struct with a field for each type that can contain an enum type.
#[expect(clippy::box_collection, reason = "authors write it")]
#[derive(Union, Serialize, Deserialize, Clone, Debug)]
struct EnumFields {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<Level>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<Box<Level>>,
    plain: Level,
    boxed: Box<Level>,
    optional: Option<Level>,
    list: Vec<Level>,
    lists: Vec<Vec<Level>>,
    map: BTreeMap<String, Level>,
    hash_map: HashMap<String, Vec<Level>>,
    boxed_map: Option<Box<BTreeMap<String, Level>>>,
    #[serde(rename = "called.otherwise")]
    renamed: Level,
    alias: Levels,
    closed: Closed,
    #[union(open)]
    open: Level,
    #[union(open)]
    open_list: Option<Vec<Level>>,
    #[serde(skip)]
    skipped: Option<Level>,
    text: String,
    #[union(nested)]
    inner: Option<Inner>,
    #[union(nested, list_map_keys("name"))]
    named: Vec<Inner>,
}

/// A struct without a union of its own.
#[derive(Union, Serialize, Deserialize, Clone, Debug)]
struct Inner {
    #[union(key)]
    name: String,
    level: Level,
    #[union(nested)]
    form: Option<Form>,
}

/// A union enum with enum types in its members.
#[derive(UnionEnum, Clone, Debug)]
#[union(discriminator = "type")]
enum Form {
    Level(Level),
    Levels(Option<Vec<Level>>),
    #[union(open)]
    Open(Level),
    Closed(Closed),
    Text(String),
    None,
    #[union(other)]
    Other(RawUnion),
}

fn valid() -> Value {
    json!({
        "kind": "A", "a": "Low", "plain": "Low", "boxed": "Low", "optional": "Low",
        "list": ["Low", "High"], "lists": [["Low"], ["High", "Low"]],
        "map": {"x": "Low"}, "hash_map": {"y": ["Low", "High"]}, "boxed_map": {"z": "Low"},
        "called.otherwise": "Low", "alias": ["Low", null, "High"], "closed": "On", "open": "Low",
        "open_list": ["Low"], "text": "",
        "inner": {"name": "i", "level": "Low", "form": {"type": "Level", "level": "Low"}},
        "named": [
            {"name": "m", "level": "Low", "form": {"type": "Levels", "levels": ["Low", "High"]}},
            {"name": "n", "level": "High", "form": {"type": "Open", "open": "Low"}},
        ],
    })
}

fn read(object: &Value) -> EnumFields {
    EnumFields::deserialize(object).unwrap()
}

/// The JSON pointers of all values of enum types, and the paths that errors name. A path is `""` if
/// every value is allowed.
const ENUM_VALUES: [(&str, &str); 20] = [
    ("/a", "a"),
    ("/plain", "plain"),
    ("/boxed", "boxed"),
    ("/optional", "optional"),
    ("/list/1", "list[1]"),
    ("/lists/1/0", "lists[1][0]"),
    ("/map/x", "map[x]"),
    ("/hash_map/y/1", "hash_map[y][1]"),
    ("/boxed_map/z", "boxed_map[z]"),
    ("/called.otherwise", "called.otherwise"),
    ("/alias/2", "alias[2]"),
    ("/open", ""),
    ("/open_list/0", ""),
    ("/inner/level", "inner.level"),
    ("/inner/form/level", "inner.form.level"),
    ("/named/0/level", "named[0].level"),
    ("/named/0/form/levels/1", "named[0].form.levels[1]"),
    ("/named/1/level", "named[1].level"),
    ("/named/1/form/open", ""),
    ("/text", ""),
];

fn object_with(pointer: &str, value: &str) -> Value {
    let mut object = valid();
    *object.pointer_mut(pointer).unwrap() = json!(value);
    object
}

#[test]
fn every_position_of_an_enum_is_validated() {
    let mut valid = read(&valid());
    valid.skipped = Some(Level::Unknown("Medium".to_owned()));
    assert_eq!(valid.validate_unions(), Report::default());
    for (pointer, path) in ENUM_VALUES {
        let report = read(&object_with(pointer, "Medium")).validate_unions();
        if report.is_accepted() {
            assert_eq!(path, "", "{pointer} is accepted");
            continue;
        }
        let expected =
            format!("{path}: Unsupported value: \"Medium\": supported values: \"Low\", \"High\"");
        assert_eq!(report.to_string(), expected, "{pointer}");
        assert_eq!(report.errors()[0].path(), path);
    }
}

/// Checks an object in which every value of an enum type is unknown: each value is one error, and
/// the errors of a struct's unions precede the errors of its other fields.
#[test]
fn each_unknown_value_is_one_error() {
    let mut object = valid();
    for (pointer, _) in ENUM_VALUES {
        *object.pointer_mut(pointer).unwrap() = json!("Medium");
    }
    object["kind"] = json!("C");
    object.as_object_mut().unwrap().remove("a");
    let report = read(&object).validate_unions();
    let error_paths: Vec<String> = report
        .errors()
        .iter()
        .map(|error| error.path().to_string())
        .collect();
    let expected = ENUM_VALUES.map(|(_, path)| path);
    let expected = expected
        .into_iter()
        .filter(|path| !path.is_empty() && *path != "a");
    let expected: Vec<&str> = std::iter::once("kind").chain(expected).collect();
    assert_eq!(error_paths, expected);
}

/// Checks that old values are tolerated at their paths. A list without keys is compared as a whole
/// (KEP-4008).
#[test]
fn old_values_are_tolerated() {
    for (pointer, path) in ENUM_VALUES.into_iter().filter(|(_, path)| !path.is_empty()) {
        let old = read(&object_with(pointer, "Medium"));
        let mut edited = object_with(pointer, "Medium");
        edited["text"] = json!("changed");
        edited["closed"] = json!("Off");
        for ratchet in [Ratchet::SameReason, Ratchet::Unchanged] {
            let settings = Settings::default().ratchet(ratchet);
            let report = read(&edited).admit_unions(Some(&old), &settings);
            assert!(report.is_accepted(), "{pointer}: {report}");
            assert_eq!(report.tolerated().len(), 1, "{pointer}");
            assert_eq!(report.tolerated()[0].path(), path);
            // A different unknown value is a new error.
            let with_other_value = object_with(pointer, "Middle");
            assert!(
                !read(&with_other_value)
                    .admit_unions(Some(&old), &settings)
                    .is_accepted(),
                "{pointer}"
            );
        }
        let without_ratchet = Settings::default().ratchet(Ratchet::Off);
        assert!(
            !read(&edited)
                .admit_unions(Some(&old), &without_ratchet)
                .is_accepted()
        );
        let without_unions = Settings::default().unions(false);
        assert!(
            read(&edited)
                .admit_unions(None, &without_unions)
                .is_accepted()
        );
    }
    let old = read(&object_with("/list/1", "Medium"));
    let mut with_longer_list = object_with("/list/1", "Medium");
    with_longer_list["list"]
        .as_array_mut()
        .unwrap()
        .push(json!("Low"));
    assert!(
        !read(&with_longer_list)
            .validate_unions_update(&old, &Settings::default())
            .is_accepted()
    );
    let mut with_moved_element = object_with("/named/0/level", "Medium");
    let old = read(&with_moved_element);
    with_moved_element["named"]
        .as_array_mut()
        .unwrap()
        .reverse();
    let report = read(&with_moved_element).validate_unions_update(&old, &Settings::default());
    assert!(report.is_accepted(), "{report}");
    assert_eq!(report.tolerated()[0].path(), "named[1].level");
}

/// Checks that the enum values in a kept old object count as old values, although the object fits
/// no variant.
#[test]
fn the_enum_values_of_an_invalid_old_object_are_old_values() {
    let mut old = object_with("/inner/form/level", "Medium");
    old["inner"]["form"]["text"] = json!("two members");
    let old = read(&old);
    assert!(matches!(
        old.inner.as_ref().unwrap().form,
        Some(Form::Other(_))
    ));
    let new = read(&object_with("/inner/form/level", "Medium"));
    let report = new.validate_unions_update(&old, &Settings::default());
    assert!(report.is_accepted(), "{report}");
    assert_eq!(report.tolerated()[0].path(), "inner.form.level");
}

#[test]
fn normalization_does_not_change_enum_values() {
    for (pointer, _) in ENUM_VALUES {
        let (old, mut new) = (read(&valid()), read(&object_with(pointer, "Medium")));
        assert!(
            new.normalize_unions(Some(&old), &Settings::default())
                .is_empty()
        );
        let applied = read(&object_with(pointer, "Medium"));
        let mut merged = applied.clone();
        let report = merged.normalize_unions_apply(&applied, Some(&old), &Settings::default());
        assert_eq!(report, Report::default(), "{pointer}");
        assert_eq!(
            serde_json::to_value(&merged).unwrap(),
            object_with(pointer, "Medium")
        );
    }
}

/// Checks the two kinds of fields that validation skips: fields of a type parameter, which the
/// derive does not know, and fields with a shared value (`Rc`), which need `open`.
#[test]
fn enum_values_in_generic_and_shared_fields_are_not_validated() {
    #[derive(Union)]
    struct Generic<T> {
        value: Option<T>,
        #[union(open)]
        shared: std::rc::Rc<Level>,
        own: Level,
        #[union(nested)]
        inner: Option<Inner>,
    }
    let medium = || Level::Unknown("Medium".to_owned());
    let generic = Generic {
        value: Some(medium()),
        shared: medium().into(),
        own: medium(),
        inner: None,
    };
    let report = generic.validate_unions();
    assert_eq!(report.errors().len(), 1);
    assert!(report.to_string().starts_with("own: "), "{report}");
    let _ = (generic.value, generic.shared, generic.inner);
}
