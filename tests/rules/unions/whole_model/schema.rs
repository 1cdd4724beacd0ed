//! Tests of the schemas of unions: the extension in both shapes, and the enum of a deduced
//! discriminator.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::spec::{ExtensionShape, UnionSpec, UnionType};
use union_runtime::{EnumType, Union, add_unions, needed_one_of, only_one_of, schema_for};

use crate::unions::whole_model::samples::{AtMostOne3, Empty, ExactlyOne2, OptionalText, Text};

const UNIONS: &str = "x-kubernetes-unions";
const RULES: &str = "x-kubernetes-validations";

/// The discriminator of most unions here.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
enum Kind {
    /// The first
    /// of two.
    Alpha,
    Beta,
    /// None of them.
    Nothing,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Deduced>)]
struct Deduced {
    /// What it is.
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

macro_rules! shaped {
    ($($name:ident $($shape:literal)?;)*) => {$(
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        $(#[union(shape = $shape)])?
        #[schemars(transform = union_runtime::add_unions::<$name>)]
        struct $name {
            #[union(discriminator)]
            kind: Kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<u8>,
            #[union(member, optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: Option<u8>,
        }
    )*};
}

shaped! {
    Plain;
    Shape2022 "2022";
    Shape2019 "2019";
    Both "both";
}

/// A struct with three unions. The attribute `shape` only affects the union whose shape the author
/// can choose.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(shape = "both", exactly_one(pair))]
#[schemars(transform = union_runtime::add_unions::<Several>)]
struct Several {
    #[union(discriminator)]
    kind: Kind,
    #[union(member, discriminated_by = kind)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(discriminator, deduce)]
    #[serde(default)]
    mode: String,
    #[union(member, discriminated_by = mode)]
    #[serde(skip_serializing_if = "Option::is_none")]
    fast: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u8>,
    #[union(member = "RIGHT", group = pair)]
    #[serde(rename = "rightOne", skip_serializing_if = "Option::is_none")]
    right: Option<u8>,
}

fn schema<T: JsonSchema>() -> Value {
    schema_for::<T>().to_value()
}

/// Returns the union in the 2019 shape.
fn listed_union() -> Value {
    json!({"discriminator": "kind", "fields-to-discriminateBy": {"alpha": "Alpha", "beta": "Beta"}})
}

/// Returns the union in the 2022 shape.
fn field_members() -> Value {
    json!({"fieldMembers": {
        "Alpha": {"name": "alpha", "optional": false},
        "Beta": {"name": "beta", "optional": true},
        "Nothing": null,
    }})
}

#[test]
fn a_deduced_union_has_the_2019_list_alone() {
    let schema = schema::<Deduced>();
    assert_eq!(schema[UNIONS], json!([listed_union()]));
    assert_eq!(schema["properties"]["kind"].get(UNIONS), None);
    // One rule for each of the two members, and one rule for the number of set members.
    assert_eq!(schema[RULES].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_deduced_enum_has_its_values_and_their_descriptions() {
    let kind = json!({
        "type": "string",
        "enum": ["Alpha", "Beta", "Nothing"],
        "description": "What it is.\n\nPossible enum values:\n - `\"Alpha\"` The first of two.\n - `\"Beta\"`\n - `\"Nothing\"` None of them.",
    });
    assert_eq!(schema::<Deduced>()["properties"]["kind"], kind);
    let empty = json!(["C", "", "B", "A"]);
    assert_eq!(schema::<Empty>()["properties"]["kind"]["enum"], empty);
}

#[test]
fn a_deduced_string_has_the_schema_of_a_string() {
    let text = schema::<Text>();
    let fields = json!({"a": "A", "b": "B"});
    let union = json!({"discriminator": "kind", "fields-to-discriminateBy": fields});
    assert_eq!(text[UNIONS], json!([union]));
    assert_eq!(
        text["properties"]["kind"],
        json!({"type": "string", "default": ""})
    );
    let optional = &schema::<OptionalText>()["properties"]["kind"];
    assert_eq!(optional, &json!({"type": "string", "nullable": true}));
}

#[test]
fn a_union_without_a_discriminator_lists_its_members_and_their_values() {
    let fields = json!({"a": "A", "b": "B", "c": "C"});
    assert_eq!(
        schema::<AtMostOne3>()[UNIONS],
        json!([{"fields-to-discriminateBy": fields}])
    );
    let fields = json!({"a": "A", "b": "B"});
    assert_eq!(
        schema::<ExactlyOne2>()[UNIONS],
        json!([{"fields-to-discriminateBy": fields}])
    );
}

#[test]
fn the_schema_of_a_union_without_a_discriminator_has_a_list_and_one_rule() {
    let names = || ["a", "b"].into_iter();
    let [several_wording, none_wording] = [only_one_of(true, names()), needed_one_of(names())];
    let member = || json!({"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255, "nullable": true});
    assert_eq!(
        schema::<ExactlyOne2>(),
        json!({
            "title": "ExactlyOne2",
            "type": "object",
            "properties": {"a": member(), "b": member()},
            "x-kubernetes-unions": [{"fields-to-discriminateBy": {"a": "A", "b": "B"}}],
            "x-kubernetes-validations": [{
                "rule": "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1",
                "message": several_wording,
                "messageExpression": format!("has(self.a) || has(self.b) ? '{several_wording}' : '{none_wording}'"),
                "reason": "FieldValueInvalid",
            }],
        })
    );
}

#[test]
fn a_discriminated_union_has_the_2022_shape() {
    for schema in [schema::<Plain>(), schema::<Shape2022>()] {
        assert_eq!(schema["properties"]["kind"][UNIONS], field_members());
        assert_eq!(schema.get(UNIONS), None);
    }
}

#[test]
fn a_schema_may_have_only_the_2019_shape() {
    let schema = schema::<Shape2019>();
    assert_eq!(schema["properties"]["kind"].get(UNIONS), None);
    assert_eq!(schema[UNIONS], json!([listed_union()]));
}

#[test]
fn a_schema_may_have_both_shapes() {
    let schema = schema::<Both>();
    assert_eq!(schema["properties"]["kind"][UNIONS], field_members());
    assert_eq!(schema[UNIONS], json!([listed_union()]));
}

#[test]
fn rules_and_values_are_the_same_in_every_shape() {
    let plain = schema::<Plain>();
    assert_eq!(plain[RULES].as_array().map(Vec::len), Some(2));
    for schema in [
        schema::<Shape2022>(),
        schema::<Shape2019>(),
        schema::<Both>(),
    ] {
        assert_eq!(schema[RULES], plain[RULES]);
        assert_eq!(
            schema["properties"]["kind"]["enum"],
            plain["properties"]["kind"]["enum"]
        );
        let description = &schema["properties"]["kind"]["description"];
        assert_eq!(description, &plain["properties"]["kind"]["description"]);
    }
}

#[test]
fn several_unions_are_entries_of_one_list() {
    let schema = schema::<Several>();
    let list = json!([
        {"discriminator": "kind", "fields-to-discriminateBy": {"alpha": "Alpha"}},
        {"discriminator": "mode", "fields-to-discriminateBy": {"fast": "Fast"}},
        {"fields-to-discriminateBy": {"left": "Left", "rightOne": "RIGHT"}},
    ]);
    assert_eq!(schema[UNIONS], list);
    let members =
        json!({"Alpha": {"name": "alpha", "optional": false}, "Beta": null, "Nothing": null});
    assert_eq!(
        schema["properties"]["kind"][UNIONS],
        json!({"fieldMembers": members})
    );
    assert_eq!(
        schema["properties"]["mode"],
        json!({"type": "string", "default": ""})
    );
    // One rule for each member of the two unions with a discriminator, and one rule for the group.
    assert_eq!(schema[RULES].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_spec_names_the_shape_of_its_extension() {
    let shapes =
        |unions: &[UnionSpec<'static>]| unions.iter().map(UnionSpec::shape).collect::<Vec<_>>();
    assert_eq!(shapes(Plain::unions()), [ExtensionShape::V2022]);
    assert_eq!(shapes(Shape2019::unions()), [ExtensionShape::V2019]);
    assert_eq!(shapes(Both::unions()), [ExtensionShape::Both]);
    assert_eq!(
        shapes(Several::unions()),
        [
            ExtensionShape::Both,
            ExtensionShape::V2019,
            ExtensionShape::V2019
        ]
    );
    assert_eq!(shapes(Deduced::unions()), [ExtensionShape::V2019]);
}

/// Asserts that the schema hook adds nothing when it runs twice.
fn assert_hook_is_idempotent<T: UnionType + JsonSchema>() {
    let once = schema_for::<T>();
    let mut twice = once.clone();
    add_unions::<T>(&mut twice);
    assert_eq!(once, twice);
}

#[test]
fn a_hook_that_runs_twice_adds_nothing() {
    assert_hook_is_idempotent::<Deduced>();
    assert_hook_is_idempotent::<Plain>();
    assert_hook_is_idempotent::<Shape2019>();
    assert_hook_is_idempotent::<Both>();
    assert_hook_is_idempotent::<Several>();
    assert_hook_is_idempotent::<Text>();
    assert_hook_is_idempotent::<AtMostOne3>();
}
