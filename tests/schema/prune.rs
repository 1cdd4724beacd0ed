//! Tests of `PruneEnums`, the schema for clients that expect strings (KEP-2887, "Enum Fields
//! Pruning").

use schemars::transform::Transform as _;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_json::openapi::PruneEnums;
use union_runtime::{EnumType, EnumValue, Union, add_enum, add_unions, schema_for};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_enum::<Kind>)]
enum Kind {
    /// The first.
    Alpha,
    Beta,
}

/// An enum that is not an enum type of this project.
#[derive(Serialize, Deserialize, JsonSchema)]
enum Foreign {
    Left,
    Right,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Choice>)]
struct Choice {
    /// Which one.
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<Inner>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Inner {
    bare: Kind,
    /// Own words.
    documented: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    optional: Option<Kind>,
    list: Vec<Kind>,
    foreign: Foreign,
}

fn pruned_schema<T: JsonSchema>() -> Value {
    let mut schema = schema_for::<T>();
    PruneEnums.transform(&mut schema);
    schema.to_value()
}

fn prune_schema(schema: Value) -> Value {
    let Ok(mut schema) = Schema::try_from(schema) else {
        panic!("a schema is an object or a boolean");
    };
    PruneEnums.transform(&mut schema);
    schema.to_value()
}

#[test]
fn a_discriminator_becomes_a_string_and_keeps_its_doc_comment() {
    let mut kind = pruned_schema::<Choice>()["properties"]["kind"].clone();
    let union = kind
        .as_object_mut()
        .and_then(|kind| kind.remove("x-kubernetes-unions"));
    assert!(union.is_some(), "the union stays");
    assert_eq!(
        kind,
        json!({ "type": "string", "description": "Which one." })
    );
}

#[test]
fn cel_rules_are_kept() {
    let rules = &pruned_schema::<Choice>()["x-kubernetes-validations"];
    assert_eq!(rules.as_array().map(Vec::len), Some(1));
}

#[test]
fn fields_of_enum_types_become_strings_at_any_depth() {
    let properties = &pruned_schema::<Inner>()["properties"];
    assert_eq!(properties["bare"], json!({ "type": "string" }));
    assert_eq!(
        properties["documented"],
        json!({ "type": "string", "description": "Own words." })
    );
    assert_eq!(
        properties["optional"],
        json!({ "type": "string", "nullable": true })
    );
    assert_eq!(properties["list"]["items"], json!({ "type": "string" }));
    let deep = pruned_schema::<Choice>().to_string();
    assert!(!deep.contains("Possible enum values"), "{deep}");
}

#[test]
fn enums_that_are_not_enum_types_are_kept() {
    let unpruned_property = schema_for::<Inner>().to_value()["properties"]["foreign"].clone();
    assert_eq!(
        pruned_schema::<Inner>()["properties"]["foreign"],
        unpruned_property
    );
    assert_eq!(unpruned_property["enum"], json!(["Left", "Right"]));
    for foreign in [
        json!({ "type": "string", "enum": ["a"] }),
        json!({ "type": "string", "enum": ["a"], "description": "Words." }),
        json!({ "type": "integer", "enum": [1, 2] }),
        json!({ "enum": [null], "nullable": true }),
    ] {
        assert_eq!(prune_schema(foreign.clone()), foreign);
    }
}

#[test]
fn pruning_twice_changes_nothing() {
    let pruned_once = pruned_schema::<Choice>();
    assert_eq!(prune_schema(pruned_once.clone()), pruned_once);
}

const VALUE_LIST: &str = "Possible enum values:\n - `\"A\"` One.\n - `\"B\"`";

#[test]
fn a_description_that_is_only_the_list_is_removed() {
    assert_eq!(
        prune_schema(json!({ "type": "string", "enum": ["A", "B"], "description": VALUE_LIST })),
        json!({ "type": "string" })
    );
}

#[test]
fn null_is_removed_with_the_values() {
    assert_eq!(
        prune_schema(json!({
            "type": ["string", "null"],
            "enum": ["A", "B", null],
            "description": format!("Words.\n\n{VALUE_LIST}"),
        })),
        json!({ "type": ["string", "null"], "description": "Words." })
    );
}

/// Checks that a list without an enum is kept. The descriptions of the Kubernetes API itself have
/// such lists.
#[test]
fn a_list_without_an_enum_is_kept() {
    let schema = json!({ "type": "string", "description": VALUE_LIST });
    assert_eq!(prune_schema(schema.clone()), schema);
}

#[test]
fn a_list_before_other_text_is_kept() {
    let prose = format!("{VALUE_LIST}\n\nMore words.");
    let schema = json!({ "type": "string", "enum": ["A", "B"], "description": prose });
    assert_eq!(prune_schema(schema.clone()), schema);
}

/// Checks schemas that are not finished, with and without references.
#[test]
fn the_schema_of_any_generator_can_be_pruned() {
    for settings in [
        schemars::generate::SchemaSettings::draft2020_12(),
        schemars::generate::SchemaSettings::openapi3()
            .with(|settings| settings.inline_subschemas = true),
    ] {
        let mut schema = settings.into_generator().into_root_schema_for::<Choice>();
        PruneEnums.transform(&mut schema);
        let json = schema.to_value().to_string();
        assert!(!json.contains("Alpha\",\"Beta"), "{json}");
        assert!(!json.contains("Possible enum values"), "{json}");
        assert!(!json.contains("x-union-enum-values"), "{json}");
        assert!(json.contains("Left\",\"Right"), "{json}");
    }
}

/// Descriptions that look like the list of values, or like a part of the list.
const DOCS: [&str; 9] = [
    "",
    "Plain words.",
    "Possible enum values: see the manual.",
    "Possible enum values:",
    "Possible enum values:\n - `\"Low\"`",
    " - `\"Low\"` A line of a list.",
    "See below.\n\nPossible enum values:\n - `\"Low\"` Quiet.\n\nMore words.",
    "- `\"Low\"`",
    "Ends with a break.\n",
];

/// An enum type whose values have two of the descriptions.
struct Documented<const FIRST_DOC: usize, const SECOND_DOC: usize>;

impl<const FIRST_DOC: usize, const SECOND_DOC: usize> EnumType
    for Documented<FIRST_DOC, SECOND_DOC>
{
    const VALUES: &'static [&'static str] = &["Low", "High"];
    const DOCS: &'static [&'static str] = &[DOCS[FIRST_DOC], DOCS[SECOND_DOC]];

    fn value(&self) -> EnumValue<'_> {
        EnumValue::Known(0)
    }

    fn from_index(_: usize) -> Option<Self> {
        None
    }
}

fn check_docs<const FIRST_DOC: usize, const SECOND_DOC: usize>() {
    for doc in DOCS {
        let schema_without_values = match doc {
            "" => json!({"type": "string"}),
            doc => json!({"type": "string", "description": doc}),
        };
        let mut schema = Schema::try_from(schema_without_values.clone()).expect("an object");
        add_enum::<Documented<FIRST_DOC, SECOND_DOC>>(&mut schema);
        let description_once = schema.as_value()["description"].clone();
        add_enum::<Documented<FIRST_DOC, SECOND_DOC>>(&mut schema);
        assert_eq!(
            schema.as_value()["description"],
            description_once,
            "added twice"
        );
        let description = description_once.as_str().expect("a string");
        let list = description.lines().rev();
        let list = list.take_while(|line| line.starts_with(" - `\""));
        assert_eq!(list.count(), 2, "{description}");
        assert!(
            description.starts_with(doc.trim_end()) || doc.contains("\n - `"),
            "{doc:?} {description}"
        );

        let pruned_schema = prune_schema(schema.to_value());
        assert_eq!(pruned_schema.get("enum"), None, "{pruned_schema}");
        let remaining_description = pruned_schema
            .get("description")
            .map_or("", |description| description.as_str().expect("a string"));
        // A list at the end of the description is replaced by our list, so pruning removes it.
        let ends_with_list = doc.ends_with("Possible enum values:\n - `\"Low\"`");
        assert_eq!(
            remaining_description,
            if ends_with_list { "" } else { doc.trim_end() },
            "{description}"
        );
        // Pruning again must not change the schema.
        assert_eq!(prune_schema(pruned_schema.clone()), pruned_schema);
    }
}

macro_rules! check_all_docs {
    ($($first:literal)*) => {$(
        check_docs::<$first, 0>();
        check_docs::<0, $first>();
        check_docs::<$first, 2>();
        check_docs::<$first, 3>();
        check_docs::<4, $first>();
        check_docs::<$first, $first>();
    )*};
}

#[test]
fn docs_that_look_like_the_list_are_kept() {
    check_all_docs!(0 1 2 3 4 5 6 7 8);
}

// This struct is `Inner` without enum types. A doc comment would be a description in the schema.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Inner")]
struct StringInner {
    bare: String,
    /// Own words.
    documented: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    optional: Option<String>,
    list: Vec<String>,
    foreign: Foreign,
}

#[test]
fn a_pruned_schema_is_the_schema_of_strings() {
    let string_schema = schema_for::<StringInner>().to_value();
    assert_eq!(pruned_schema::<Inner>(), string_schema);
    // Pruning does not change the type: the next schema has the values.
    let again = schema_for::<Inner>().to_value();
    assert_eq!(
        again["properties"]["bare"]["enum"],
        json!(["Alpha", "Beta"])
    );
}
