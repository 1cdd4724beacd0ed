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
#[schemars(transform = union_runtime::add_unions::<BothShapes>)]
struct BothShapes {
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
    both: BothShapes,
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
    transform = union_runtime::add_unions::<OwnAndFlattened>
)]
struct OwnAndFlattened {
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
    both: BothShapes,
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
    both: Box<BothShapes>,
    #[union(inline)]
    #[serde(flatten)]
    source: Option<Box<Source>>,
}

/// A parent that flattens a parent, so that the rules pass through two flattened structs.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<FlattenedTwice>)]
struct FlattenedTwice {
    #[union(inline)]
    #[serde(flatten)]
    target: Target,
    #[union(inline)]
    #[serde(flatten)]
    own: OwnAndFlattened,
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

/// Returns the rules of the schemas of the flattened structs together with the rules in
/// `other_rules`, sorted.
fn sorted_rules(schemas: &[Value], other_rules: &[&str]) -> Vec<String> {
    let mut sorted_rules: Vec<String> = schemas.iter().flat_map(rules).collect();
    sorted_rules.extend(other_rules.iter().map(|rule| (*rule).to_owned()));
    sorted_rules.sort();
    sorted_rules
}

/// Returns the elements of a JSON list as sorted strings.
fn sorted_elements(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    let mut list: Vec<String> = list.map(ToString::to_string).collect();
    list.sort();
    list
}

#[test]
fn each_flattened_discriminator_keeps_its_extension_and_its_enum() {
    let parent = schema::<Parent>();
    for (discriminator, struct_schema) in [
        ("kind", schema::<Choice>()),
        ("side", schema::<BothShapes>()),
        ("of", schema::<Target>()),
    ] {
        let (property, property_in_struct) = (
            &parent["properties"][discriminator],
            &struct_schema["properties"][discriminator],
        );
        assert_eq!(property, property_in_struct, "{discriminator}");
        assert_eq!(property["type"], "string");
        assert!(property["enum"].is_array(), "{property}");
        assert!(
            property["x-kubernetes-unions"]["fieldMembers"].is_object(),
            "{property}"
        );
    }
}

#[test]
fn the_2019_shape_of_every_flattened_union_is_listed_once() {
    let expected = [
        json!({"discriminator": "side", "fields-to-discriminateBy": {"left": "Left", "right": "Right"}}),
        json!({"fields-to-discriminateBy": {"hostPath": "HostPath", "emptyDir": "EmptyDir"}}),
    ];
    let expected = sorted_elements(&json!(expected));
    assert_eq!(
        sorted_elements(&schema::<Parent>()["x-kubernetes-unions"]),
        expected
    );
    assert_eq!(
        sorted_elements(&schema::<OptionalAndBoxed>()["x-kubernetes-unions"]),
        expected
    );
}

#[test]
fn each_rule_of_flattened_unions_is_in_the_schema_once() {
    let flattened_schemas = [
        schema::<Choice>(),
        schema::<BothShapes>(),
        schema::<Target>(),
        schema::<Source>(),
    ];
    let expected = sorted_rules(&flattened_schemas, &[]);
    assert_eq!(
        expected.len(),
        7,
        "one rule per member, and one for the group"
    );
    assert_eq!(rules(&schema::<Parent>()), expected);
}

#[test]
fn the_parents_own_union_and_rules_stay_beside_flattened_unions() {
    let own = [
        "self.name != ''",
        "has(self.case) && self.case == 'Left' ? has(self.one) : !has(self.one)",
    ];
    let expected = sorted_rules(&[schema::<Choice>(), schema::<BothShapes>()], &own);
    let schema = schema::<OwnAndFlattened>();
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
    let flattened_schemas = [
        self::schema::<Choice>(),
        self::schema::<BothShapes>(),
        self::schema::<Source>(),
    ];
    assert_eq!(rules(&schema), sorted_rules(&flattened_schemas, &[]));
    assert_eq!(
        schema["properties"]["kind"]["enum"],
        json!(["Nothing", "Alpha", "Beta"])
    );
    let required = sorted_elements(&schema["required"]);
    assert_eq!(
        required,
        ["\"side\""],
        "an optional union requires no field"
    );
}

#[test]
fn rules_pass_through_two_flattened_structs() {
    let mut expected = sorted_rules(&[schema::<OwnAndFlattened>(), schema::<Target>()], &[]);
    // schemars keeps only the rules of the first flattened struct. The hook restores the rules of
    // unions, but does not know the rule that the author of `OwnAndFlattened` wrote.
    expected.retain(|rule| rule != "self.name != ''");
    let schema_of_parent = schema::<FlattenedTwice>();
    assert_eq!(rules(&schema_of_parent), expected);
    assert_eq!(
        sorted_elements(&schema_of_parent["x-kubernetes-unions"]),
        sorted_elements(&schema::<BothShapes>()["x-kubernetes-unions"])
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
    for discriminator in ["kind", "side", "of"] {
        assert_eq!(
            with_references["properties"][discriminator]["x-kubernetes-unions"],
            inlined["properties"][discriminator]["x-kubernetes-unions"]
        );
    }
}
