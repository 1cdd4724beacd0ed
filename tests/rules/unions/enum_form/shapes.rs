//! Tests of enums of every shape: with parameters, recursive, nested, and with names that collide
//! with names in generated code.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::{EnumType, Nested, RawUnion, Settings, Union, UnionEnum, schema_for};

use crate::unions::enum_form::target::{S3, Target, bucket, read, to_json};

/// An enum with a type parameter and a const parameter, and a member that uses neither.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
enum Generic<T, const N: usize>
where
    T: Clone,
{
    One(T),
    Many(Vec<SizedElement<T, N>>),
    Fixed(S3),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
struct SizedElement<T, const N: usize>(T);

#[test]
fn an_enum_may_have_type_and_const_parameters() {
    let object = json!({"type": "Many", "many": [1, 2]});
    let value: Generic<i32, 3> = read(&object);
    assert_eq!(value, Generic::Many(vec![SizedElement(1), SizedElement(2)]));
    assert_eq!(to_json(&value), object);
    assert!(read::<Generic<String, 3>>(&object).raw().is_some());
    let schema = schema_for::<BTreeMap<String, (Generic<i32, 3>, Generic<String, 3>)>>();
    let schema = schema.to_value().to_string();
    assert!(schema.contains("int32"), "{schema}");
}

/// An enum with a member type that has no schema, so the enum has no schema either; the derive
/// accepts that.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
enum WithoutSchema {
    One(NoSchema),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct NoSchema {}

#[test]
fn members_need_no_schema() {
    let object = json!({"type": "One", "one": {}});
    assert_eq!(
        read::<WithoutSchema>(&object),
        WithoutSchema::One(NoSchema {})
    );
}

/// A recursive enum.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "op")]
enum Expression {
    #[union(nested)]
    Not(Box<Expression>),
    #[union(nested)]
    And(Vec<Self>),
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

#[test]
fn an_enum_may_be_recursive() {
    let object = json!({"op": "And", "and": [
        {"op": "Not", "not": {"op": "Text", "text": "a"}},
        {"op": "Xor", "xor": []},
    ]});
    let value: Expression = read(&object);
    let Expression::And(operands) = &value else {
        panic!("{value:?}");
    };
    assert!(operands[0].raw().is_none() && operands[1].raw().is_some());
    assert_eq!(to_json(&value), object);
    let schema = schemars::schema_for!(Expression).to_value();
    assert_eq!(
        schema["properties"]["op"]["enum"],
        json!(["Not", "And", "Text"])
    );
    assert_eq!(schema["properties"]["not"], json!({"$ref": "#"}));
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
enum Kind {
    A,
    B,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<Inner>)]
struct Inner {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<i32>,
}

#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
enum Outer {
    #[union(nested)]
    Inner(Inner),
    #[union(nested)]
    Target(Option<Target>),
    #[union(nested)]
    Map(BTreeMap<String, Inner>),
    #[union(not_nested)]
    Plain(Inner),
    #[union(other)]
    Other(RawUnion),
}

fn inner(kind: Kind, a: Option<i32>, b: Option<i32>) -> Inner {
    Inner { kind, a, b }
}

#[test]
fn unions_inside_members_are_validated() {
    let error_paths = |value: &Outer| {
        let report = value.validate_unions();
        let paths: Vec<String> = report
            .errors()
            .iter()
            .map(|violation| violation.path().to_string())
            .collect();
        paths
    };
    let invalid_inner = || inner(Kind::A, None, Some(1));
    assert_eq!(
        error_paths(&Outer::Inner(invalid_inner())),
        ["inner.a", "inner.b"]
    );
    assert_eq!(
        error_paths(&Outer::Map(BTreeMap::from([(
            "k".to_owned(),
            invalid_inner()
        )]))),
        ["map[k].a", "map[k].b"]
    );
    let target = read(&json!({"type": "Tape"}));
    assert_eq!(error_paths(&Outer::Target(Some(target))), ["target.type"]);
    assert!(
        Outer::Plain(invalid_inner())
            .validate_unions()
            .is_accepted()
    );
    assert!(Outer::Target(None).is_settled());
    assert!(!Outer::Inner(invalid_inner()).is_settled());
}

#[test]
fn a_member_is_compared_with_the_member_of_the_same_variant() {
    let old = Outer::Inner(inner(Kind::A, Some(1), None));
    let mut new = Outer::Inner(inner(Kind::B, Some(1), None));
    let report = new.admit_unions(Some(&old), &Settings::default());
    assert!(report.is_accepted(), "`a` is cleared");
    assert_eq!(report.changes().to_string(), "inner.a: cleared");
    assert_eq!(new, Outer::Inner(inner(Kind::B, None, None)));
    // A value of another variant is not a correlated old value.
    let mut new = Outer::Inner(inner(Kind::B, Some(1), None));
    let old = Outer::Plain(inner(Kind::A, Some(1), None));
    assert!(
        !new.admit_unions(Some(&old), &Settings::default())
            .is_accepted()
    );
}

/// Checks that an old object which fits no variant is compared field by field, as JSON is.
#[test]
fn a_member_is_compared_with_the_member_of_an_invalid_old_object() {
    let old: Outer = read(&json!({
        "type": "Inner", "inner": {"kind": "A", "a": 1}, "map": {}
    }));
    assert!(old.raw().is_some());
    let mut new = Outer::Inner(inner(Kind::B, Some(1), None));
    let report = new.admit_unions(Some(&old), &Settings::default());
    assert!(report.is_accepted(), "`a` is cleared");
    assert_eq!(report.changes().to_string(), "inner.a: cleared");
    // An old object with a value that cannot be read is not a correlated old value.
    let old: Outer = read(&json!({"type": "Inner", "inner": {"kind": "C", "a": 1}}));
    let new = Outer::Inner(inner(Kind::B, Some(1), None));
    let report = new.validate_unions_update(&old, &Settings::default());
    assert!(!report.is_accepted(), "the error is new");
    assert_eq!(report.tolerated().len(), 0);
}

/// Checks that validation does not descend into an object that fits no variant.
#[test]
fn raw_unions_are_validated_as_a_whole() {
    let raw_object: Outer = read(&json!({"type": "Inner", "inner": {"kind": "A"}, "map": {}}));
    // `map` is not selected.
    let report = raw_object.validate_unions();
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    assert_eq!(paths, ["map"]);
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[union(schema = false)]
struct Backups {
    #[union(nested)]
    targets: Vec<Target>,
    #[union(nested)]
    named: BTreeMap<String, Target>,
}

#[test]
fn enums_may_be_in_lists_and_maps() {
    let backups: Backups = serde_json::from_value(json!({
        "targets": [{"type": "None"}, {"type": "Tape"}],
        "named": {"a": {"type": "S3"}},
    }))
    .expect("any object is readable");
    let report = backups.validate_unions();
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    assert_eq!(paths, ["targets[1].type", "named[a].s3"]);
    assert!(
        backups
            .validate_unions_update(&backups, &Settings::default())
            .is_accepted()
    );
}

/// An enum whose variants and parameters have the names of items that generated code uses.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type", schema = false)]
#[allow(non_camel_case_types, reason = "the names are what is tested")]
enum Names<Some, Ok> {
    None,
    #[union(field = "kind")]
    r#type(Some),
    Err(Ok),
    Self_(String),
    #[union(other)]
    Other(RawUnion),
}

#[test]
fn variants_and_parameters_may_have_any_names() {
    let object = json!({"type": "type", "kind": 1});
    assert_eq!(read::<Names<i32, i32>>(&object), Names::r#type(1));
    let value = Names::<i32, String>::Err("e".into());
    assert_eq!(read::<Names<i32, String>>(&to_json(&value)), value);
    assert_eq!(Names::<i32, i32>::None.discriminator(), Some("None"));
}

#[test]
fn a_boxed_enum_behaves_like_the_enum() {
    let boxed = Box::new(Target::S3(bucket("b")));
    assert!(boxed.validate_unions().is_accepted());
    let old: Box<Target> = Box::new(Target::Volume(Some("v".into())));
    let object = json!({"type": "S3", "s3": {"bucket": "b"}, "volume": "v"});
    let mut new: Box<Target> = serde_json::from_value(object).expect("any object is readable");
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "volume: cleared"
    );
    assert_eq!(new, boxed);
}
