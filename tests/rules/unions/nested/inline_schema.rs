//! Tests of the schema of a parent with `inline` fields: the extension in both shapes, the values
//! of the enum, and each rule once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Union, schema_for};

use crate::unions::nested::types::{Choice, Source, Target};

/// A union whose schema has the extension in both shapes.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[union(shape = "both")]
#[schemars(transform = union_runtime::add_unions::<Both>)]
struct Both {
    #[union(discriminator)]
    side: Side,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<i32>,
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Side {
    Left,
    Right,
}

/// A parent whose only unions are flattened.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Parent>)]
struct Parent {
    #[union(inline)]
    #[serde(flatten)]
    choice: Choice,
    #[union(inline)]
    #[serde(flatten)]
    both: Both,
    #[union(inline)]
    #[serde(flatten)]
    target: Target,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
}

/// A parent with a union of its own, and a rule that the author wrote.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(
    extend("x-kubernetes-validations" = [{"rule": "self.name != ''"}]),
    transform = union_runtime::add_unions::<Own>
)]
struct Own {
    name: String,
    #[union(discriminator)]
    case: Side,
    #[union(member = "Left")]
    #[serde(skip_serializing_if = "Option::is_none")]
    one: Option<i32>,
    #[union(inline)]
    #[serde(flatten)]
    choice: Choice,
    #[union(inline)]
    #[serde(flatten)]
    both: Both,
}

/// A parent with flattened structs behind `Option` and `Box`.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<OptionalAndBoxed>)]
struct OptionalAndBoxed {
    #[union(inline)]
    #[serde(flatten)]
    choice: Option<Choice>,
    #[union(inline)]
    #[serde(flatten)]
    both: Box<Both>,
    #[union(inline)]
    #[serde(flatten)]
    source: Option<Box<Source>>,
}

/// A parent that flattens a parent, so that the rules pass through two flattened structs.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Deep>)]
struct Deep {
    #[union(inline)]
    #[serde(flatten)]
    target: Target,
    #[union(inline)]
    #[serde(flatten)]
    own: Own,
}

fn schema<T: JsonSchema>() -> Value {
    schema_for::<T>().to_value()
}

/// Returns the rules of a schema, sorted.
fn rules(schema: &Value) -> Vec<String> {
    let rules = schema["x-kubernetes-validations"].as_array();
    let mut rules: Vec<String> = rules
        .into_iter()
        .flatten()
        .map(|rule| rule["rule"].as_str().expect("a rule").to_owned())
        .collect();
    rules.sort();
    rules
}

/// Returns the rules of the schemas of the flattened structs together with the rules in `others`,
/// sorted.
fn rules_of(schemas: &[Value], others: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = schemas.iter().flat_map(rules).collect();
    all.extend(others.iter().map(|rule| (*rule).to_owned()));
    all.sort();
    all
}

fn sorted(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    let mut list: Vec<String> = list.map(ToString::to_string).collect();
    list.sort();
    list
}

#[test]
fn each_flattened_discriminator_keeps_its_extension_and_its_enum() {
    let parent = schema::<Parent>();
    for (name, alone) in [
        ("kind", schema::<Choice>()),
        ("side", schema::<Both>()),
        ("of", schema::<Target>()),
    ] {
        let (here, there) = (&parent["properties"][name], &alone["properties"][name]);
        assert_eq!(here, there, "{name}");
        assert_eq!(here["type"], "string");
        assert!(here["enum"].is_array(), "{here}");
        assert!(
            here["x-kubernetes-unions"]["fieldMembers"].is_object(),
            "{here}"
        );
    }
}

#[test]
fn the_2019_shape_of_every_flattened_union_is_listed_once() {
    let expected = [
        json!({"discriminator": "side", "fields-to-discriminateBy": {"left": "Left", "right": "Right"}}),
        json!({"fields-to-discriminateBy": {"hostPath": "HostPath", "emptyDir": "EmptyDir"}}),
    ];
    let expected = sorted(&json!(expected));
    assert_eq!(sorted(&schema::<Parent>()["x-kubernetes-unions"]), expected);
    assert_eq!(
        sorted(&schema::<OptionalAndBoxed>()["x-kubernetes-unions"]),
        expected
    );
}

#[test]
fn each_rule_of_flattened_unions_is_in_the_schema_once() {
    let alone = [
        schema::<Choice>(),
        schema::<Both>(),
        schema::<Target>(),
        schema::<Source>(),
    ];
    let expected = rules_of(&alone, &[]);
    assert_eq!(expected.len(), 7, "one a member, and one for the group");
    assert_eq!(rules(&schema::<Parent>()), expected);
}

#[test]
fn the_parents_own_union_and_its_own_rules_stay_beside_them() {
    let own = [
        "self.name != ''",
        "has(self.case) && self.case == 'Left' ? has(self.one) : !has(self.one)",
    ];
    let expected = rules_of(&[schema::<Choice>(), schema::<Both>()], &own);
    let schema = schema::<Own>();
    assert_eq!(rules(&schema), expected);
    let own = &schema["properties"]["case"]["x-kubernetes-unions"];
    assert_eq!(
        *own,
        json!({"fieldMembers": {"Left": {"name": "one", "optional": false}, "Right": null}})
    );
}

#[test]
fn optional_and_boxed_flattened_structs_are_in_the_schema_too() {
    let schema = schema::<OptionalAndBoxed>();
    let alone = [
        self::schema::<Choice>(),
        self::schema::<Both>(),
        self::schema::<Source>(),
    ];
    assert_eq!(rules(&schema), rules_of(&alone, &[]));
    assert_eq!(
        schema["properties"]["kind"]["enum"],
        json!(["Nothing", "Alpha", "Beta"])
    );
    let required = sorted(&schema["required"]);
    assert_eq!(required, ["\"side\""], "what is optional requires nothing");
}

#[test]
fn rules_pass_through_two_flattenings() {
    let mut expected = rules_of(&[schema::<Own>(), schema::<Target>()], &[]);
    // schemars keeps only the rules of the first flattened struct. The hook restores the rules of
    // unions, but does not know the rule that the author of `Own` wrote.
    expected.retain(|rule| rule != "self.name != ''");
    let deep = schema::<Deep>();
    assert_eq!(rules(&deep), expected);
    assert_eq!(
        sorted(&deep["x-kubernetes-unions"]),
        sorted(&schema::<Both>()["x-kubernetes-unions"])
    );
}

/// Checks a generator that writes references, as documents have them: flattened structs do not
/// become references.
#[test]
fn a_generator_with_references_has_the_same_result() {
    let settings = schemars::generate::SchemaSettings::openapi3();
    let with_references = settings.into_generator().into_root_schema_for::<Parent>();
    let with_references = with_references.to_value();
    let inlined = schema::<Parent>();
    assert_eq!(rules(&with_references), rules(&inlined));
    for key in ["kind", "side", "of"] {
        assert_eq!(
            with_references["properties"][key]["x-kubernetes-unions"],
            inlined["properties"][key]["x-kubernetes-unions"]
        );
    }
}
