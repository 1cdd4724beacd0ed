//! Finished schemas: no mark is left under any setting of schemars, and the schema of a type that
//! holds itself ends.

use schemars::generate::SchemaSettings;
use schemars::transform::Transform as _;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::schema::{Finish, MARKS};
use union_runtime::{EnumType, Union, UnionEnum, schema_for};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
enum Kind {
    /// The first one.
    A,
    B,
}

/// A union that no rule enforces.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Free>)]
#[union(enforce = "none")]
struct Free {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u32>,
}

/// A union in the shape of 2019, enforced by `oneOf`.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Listed>)]
#[union(enforce = "one_of")]
struct Listed {
    #[union(member, group = of)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u32>,
    #[union(member, group = of)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u32>,
}

/// Everything that leaves a mark, once directly and once below a list.
#[derive(Serialize, Deserialize, JsonSchema)]
struct All {
    /// A comment that overwrites the docs of the type.
    kind: Kind,
    free: Free,
    listed: Vec<Listed>,
}

fn settings() -> Vec<SchemaSettings> {
    let of_schemars = [
        SchemaSettings::draft07(),
        SchemaSettings::draft2019_09(),
        SchemaSettings::draft2020_12(),
        SchemaSettings::openapi3(),
    ];
    let both = of_schemars.into_iter().flat_map(|settings| {
        [true, false].map(|inline| {
            settings
                .clone()
                .with(|settings| settings.inline_subschemas = inline)
        })
    });
    both.collect()
}

#[test]
fn no_mark_is_left_under_any_setting() {
    let mut marked = 0;
    for settings in settings() {
        let mut schema = settings.into_generator().into_root_schema_for::<All>();
        let text = schema.as_value().to_string();
        marked += MARKS.iter().filter(|mark| text.contains(**mark)).count();
        Finish.transform(&mut schema);
        let text = schema.as_value().to_string();
        for mark in MARKS {
            assert!(!text.contains(mark), "{text}");
        }
        assert!(text.contains("The first one."), "{text}");
        assert!(text.contains("oneOf"), "{text}");
        // A finished schema stays as it is.
        let once = schema.clone();
        Finish.transform(&mut schema);
        assert_eq!(schema, once);
    }
    // Otherwise nothing was finished.
    assert_eq!(marked, 16);
}

/// A list whose nodes are unions.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Chain>)]
struct Chain {
    #[union(member, group = of)]
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<u32>,
    #[union(member, group = of)]
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Box<Chain>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Holder {
    chain: Chain,
}

#[test]
fn a_type_that_holds_itself_ends_where_it_comes_again() {
    let unknown = json!({"x-kubernetes-preserve-unknown-fields": true});
    let next = |schema: &Schema, pointer: &str| {
        let text = schema.as_value().to_string();
        assert!(
            !text.contains("$ref") && !text.contains("components"),
            "{text}"
        );
        let next = schema.pointer(pointer).cloned().unwrap_or_default();
        let is_unknown = |value: &Value| {
            value["x-kubernetes-preserve-unknown-fields"]
                == unknown["x-kubernetes-preserve-unknown-fields"]
        };
        is_unknown(&next)
            || next["anyOf"]
                .as_array()
                .is_some_and(|any| any.iter().any(is_unknown))
    };
    let chain = schema_for::<Chain>();
    assert!(next(&chain, "/properties/next"), "{}", chain.as_value());
    assert!(chain.get("x-kubernetes-validations").is_some());
    let holder = schema_for::<Holder>();
    assert!(
        next(&holder, "/properties/chain/properties/next"),
        "{}",
        holder.as_value()
    );
}

/// # A heading
///
/// The first paragraph
/// has two lines.
///
/// - a list
///   - and one in it
#[derive(Serialize, Deserialize, JsonSchema)]
struct Plain {
    /// Both:
    /// - one
    /// - two
    field: u32,
}

/// # A heading
///
/// The first paragraph
/// has two lines.
///
/// - a list
///   - and one in it
#[derive(UnionEnum)]
#[union(undiscriminated, strict)]
enum Documented {
    /// Both:
    /// - one
    /// - two
    Field(u32),
}

#[test]
fn docs_of_enums_keep_their_lines_as_those_of_structs_do() {
    let [plain, documented] = [schema_for::<Plain>(), schema_for::<Documented>()];
    for keyword in ["title", "description"] {
        assert_eq!(plain.get(keyword), documented.get(keyword), "{keyword}");
    }
    assert_eq!(
        plain.pointer("/properties/field/description"),
        documented.pointer("/properties/field/description"),
    );
    assert_eq!(plain.get("title"), Some(&json!("A heading")));
}
