//! Tests of finished schemas: no mark is left under any setting of schemars, and the schema of a
//! recursive type is finite.

use std::collections::BTreeMap;

use k8s_crd_validation::StructuralSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::Transform as _;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::schema::{FinishSchema, MARKS};
use union_runtime::{EnumType, Union, UnionEnum, schema_for};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
enum Kind {
    /// The first one.
    A,
    B,
}

/// A union without enforcement.
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

/// A union in the shape of the 2019 text of KEP-1027, enforced by `oneOf`.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Listed>)]
#[union(enforce = "one_of")]
struct Listed {
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u32>,
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u32>,
}

/// A type with every construct for which the derives add a temporary mark to the schema, in fields
/// and in the elements of a list.
#[derive(Serialize, Deserialize, JsonSchema)]
struct AllMarks {
    /// A comment that overwrites the docs of the type.
    kind: Kind,
    free: Free,
    listed: Vec<Listed>,
}

/// Returns all standard settings of schemars, with and without inlined subschemas.
fn settings() -> Vec<SchemaSettings> {
    let standard_settings = [
        SchemaSettings::draft07(),
        SchemaSettings::draft2019_09(),
        SchemaSettings::draft2020_12(),
        SchemaSettings::openapi3(),
    ];
    let all_settings = standard_settings.into_iter().flat_map(|settings| {
        [true, false].map(|inline| {
            settings
                .clone()
                .with(|settings| settings.inline_subschemas = inline)
        })
    });
    all_settings.collect()
}

#[test]
fn no_mark_is_left_under_any_setting() {
    let mut mark_count = 0;
    for settings in settings() {
        let mut schema = settings.into_generator().into_root_schema_for::<AllMarks>();
        let json = schema.as_value().to_string();
        mark_count += MARKS.iter().filter(|mark| json.contains(**mark)).count();
        FinishSchema.transform(&mut schema);
        let json = schema.as_value().to_string();
        for mark in MARKS {
            assert!(!json.contains(mark), "{json}");
        }
        assert!(json.contains("The first one."), "{json}");
        assert!(json.contains("oneOf"), "{json}");
        // Finishing a schema again must not change it.
        let once = schema.clone();
        FinishSchema.transform(&mut schema);
        assert_eq!(schema, once);
    }
    // Without marks before `FinishSchema`, the test would check nothing.
    assert_eq!(mark_count, 16);
}

/// A recursive type that contains itself in every kind of field.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Tree>)]
struct Tree {
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<u32>,
    /// The next one.
    #[union(member, group = choice, nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Box<Tree>>,
    #[union(member, group = choice, nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<Vec<Tree>>,
    #[union(nested)]
    list: Vec<Tree>,
    #[union(nested)]
    map: BTreeMap<String, Tree>,
    either: Either,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Tree(Box<Tree>),
    Trees(Vec<Tree>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Holder {
    tree: Tree,
    perhaps: Option<Tree>,
}

/// Collects the paths at which the schema allows any value, and checks that the schema has no
/// references.
fn collect_open_ends(schema: &Value, path: &str, ends: &mut Vec<String>) {
    let Some(object) = schema.as_object() else {
        return;
    };
    assert!(
        !object.contains_key("$ref") && !object.contains_key("components"),
        "{path}"
    );
    if object.contains_key("x-kubernetes-preserve-unknown-fields") {
        ends.push(path.to_owned());
    }
    for (name, property) in object
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        collect_open_ends(property, &format!("{path}.{name}"), ends);
    }
    for keyword in ["items", "additionalProperties"] {
        collect_open_ends(&schema[keyword], &format!("{path}[]"), ends);
    }
}

#[test]
fn the_schema_of_a_recursive_type_ends_where_the_type_repeats() {
    let find_ends = |schema: &Schema| {
        // A server must accept the schema.
        if let Err(errors) = StructuralSchema::compile(schema.as_value()) {
            panic!("{errors}: {:#}", schema.as_value());
        }
        let mut ends = Vec::new();
        collect_open_ends(schema.as_value(), "", &mut ends);
        ends
    };
    let end_paths = [".all[]", ".either", ".list[]", ".map[]", ".next"];
    let tree = schema_for::<Tree>();
    assert_eq!(find_ends(&tree), end_paths);
    assert!(tree.get("x-kubernetes-validations").is_some());
    let next_property = tree.pointer("/properties/next").unwrap();
    assert_eq!(next_property["nullable"], json!(true));
    assert_eq!(next_property["description"], json!("The next one."));
    let ends = find_ends(&schema_for::<Holder>());
    let ends_of_field = |holder: &str| end_paths.map(|path| format!("{holder}{path}"));
    assert_eq!(
        ends,
        [ends_of_field(".perhaps"), ends_of_field(".tree")].concat()
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
fn docs_of_union_enums_keep_their_lines_like_docs_of_structs() {
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
