//! Tests of structs that flatten or contain structs with unions. If a struct flattens several
//! structs, schemars keeps the rules of the first one only.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{EnumType, Union, add_rules, add_unions, schema_for};

use crate::{cel_rules_of, property, rule_expressions};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    /// The first.
    A,
    B,
}

macro_rules! declare_union {
    ($name:ident, $kind:ident, $a:ident, $b:ident $(, $(#[$attr:meta])* $field:ident: $ty:ty)*) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = add_unions::<$name>)]
        struct $name {
            #[union(discriminator)]
            $kind: Kind,
            #[union(member = "A")]
            #[serde(skip_serializing_if = "Option::is_none")]
            $a: Option<i32>,
            #[union(member = "B", optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            $b: Option<i32>,
            $($(#[$attr])* $field: $ty,)*
        }
    };
}

declare_union!(Source, from, file, url);
declare_union!(Target, to, disk, bucket);
declare_union!(
    Outer, kind, c, d,
    /// A union in a struct that has a union itself.
    #[serde(flatten)] #[union(not_nested)] target: Target
);

const FILE: &str = "has(self.from) && self.from == 'A' ? has(self.file) : !has(self.file)";
const URL: &str = "has(self.from) && self.from == 'B' ? true : !has(self.url)";
const DISK: &str = "has(self.to) && self.to == 'A' ? has(self.disk) : !has(self.disk)";
const BUCKET: &str = "has(self.to) && self.to == 'B' ? true : !has(self.bucket)";
const AUTHOR_RULE: &str = "self.file != self.disk";

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_rules)]
struct WithHook {
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_rules, extend("x-kubernetes-validations" = [{ "rule": AUTHOR_RULE }]))]
struct WithHookAndRule {
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithoutHook {
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(extend("x-kubernetes-validations" = [{ "rule": AUTHOR_RULE }]))]
struct WithRuleWithoutHook {
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithFlattenedParent {
    #[serde(flatten)]
    copy: WithHook,
    name: String,
}

/// Returns the schema as kube's generator leaves it, without the finish of `schema_for`.
fn unfinished_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::openapi3().with(|settings| settings.inline_subschemas = true);
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

fn unfinished_expressions<T: JsonSchema>() -> Vec<String> {
    let expression = |rule: &Value| rule["rule"].as_str().unwrap_or_default().to_owned();
    cel_rules_of(&unfinished_schema::<T>())
        .iter()
        .map(expression)
        .collect()
}

fn sorted(mut expressions: Vec<String>) -> Vec<String> {
    expressions.sort();
    expressions
}

#[test]
fn a_parent_with_the_hook_has_the_rules_of_both_structs() {
    assert_eq!(
        sorted(unfinished_expressions::<WithHook>()),
        [FILE, URL, DISK, BUCKET]
    );
    assert_eq!(
        sorted(rule_expressions::<WithHook>()),
        [FILE, URL, DISK, BUCKET]
    );
}

#[test]
fn both_discriminators_keep_their_extension() {
    for (discriminator, first, second) in [("from", "file", "url"), ("to", "disk", "bucket")] {
        let property = property::<WithHook>(discriminator);
        let members = &property["x-kubernetes-unions"]["fieldMembers"];
        assert_eq!(members["A"]["name"], first);
        assert_eq!(members["B"]["name"], second);
        assert_eq!(
            property["description"],
            "Possible enum values:\n - `\"A\"` The first.\n - `\"B\"`"
        );
    }
}

#[test]
fn the_rules_of_the_author_precede_the_rules_of_flattened_structs() {
    let expressions = unfinished_expressions::<WithHookAndRule>();
    assert_eq!(expressions[0], AUTHOR_RULE);
    assert_eq!(sorted(expressions[1..].to_vec()), [FILE, URL, DISK, BUCKET]);
}

/// Checks the behavior of schemars for a parent without the hook, to notice a change in schemars.
#[test]
fn without_the_hook_flatten_drops_rules() {
    assert_eq!(sorted(unfinished_expressions::<WithoutHook>()), [FILE, URL]);
    assert_eq!(
        unfinished_expressions::<WithRuleWithoutHook>(),
        [AUTHOR_RULE]
    );
}

#[test]
fn schema_for_adds_the_rules_that_a_parent_without_the_hook_lacks() {
    assert_eq!(
        sorted(rule_expressions::<WithoutHook>()),
        [FILE, URL, DISK, BUCKET]
    );
    let expressions = rule_expressions::<WithRuleWithoutHook>();
    assert_eq!(expressions[0], AUTHOR_RULE);
    assert_eq!(sorted(expressions[1..].to_vec()), [FILE, URL, DISK, BUCKET]);
}

#[test]
fn a_union_that_flattens_another_has_the_rules_of_both() {
    let expressions = unfinished_expressions::<Outer>();
    assert_eq!(expressions.len(), 4, "{expressions:#?}");
    for rule in [DISK, BUCKET] {
        assert!(
            expressions.iter().any(|expression| expression == rule),
            "{expressions:#?}"
        );
    }
}

#[test]
fn a_struct_that_flattens_a_parent_has_all_rules() {
    assert_eq!(
        sorted(unfinished_expressions::<WithFlattenedParent>()),
        [FILE, URL, DISK, BUCKET]
    );
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WithUnionFields {
    one: Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<Source>,
    many: Vec<Source>,
    named: BTreeMap<String, Source>,
    boxed: Box<Source>,
}

#[test]
fn a_union_in_a_field_has_its_rules_in_the_field() {
    let schema = unfinished_schema::<WithUnionFields>();
    assert_eq!(schema.get("x-kubernetes-validations"), None);
    let properties = &schema["properties"];
    let maybe = &properties["maybe"];
    for subschema in [
        &properties["one"],
        maybe["anyOf"].get(0).unwrap_or(maybe),
        &properties["many"]["items"],
        &properties["named"]["additionalProperties"],
        &properties["boxed"],
    ] {
        assert_eq!(cel_rules_of(subschema).len(), 2, "{subschema:#}");
    }
    let extensions = schema.to_string().matches("x-kubernetes-unions").count();
    assert_eq!(extensions, 5);
}

#[test]
fn finishing_twice_changes_nothing() {
    use schemars::transform::Transform as _;
    let once = schema_for::<WithRuleWithoutHook>();
    let mut twice = once.clone();
    union_runtime::schema::FinishSchema.transform(&mut twice);
    assert_eq!(once, twice);
}
