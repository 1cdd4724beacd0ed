//! Tests of structs that flatten or contain structs with unions. If a struct flattens several
//! structs, schemars keeps the rules of the first one only.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{EnumType, Union, add_rules, add_unions, schema_for};

use crate::{property, rule_texts, rules_of};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    /// The first.
    A,
    B,
}

macro_rules! union {
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

union!(Source, from, file, url);
union!(Target, to, disk, bucket);
union!(
    Outer, kind, c, d,
    /// A union in a struct that has a union itself.
    #[serde(flatten)] target: Target
);

const FILE: &str = "has(self.from) && self.from == 'A' ? has(self.file) : !has(self.file)";
const URL: &str = "has(self.from) && self.from == 'B' ? true : !has(self.url)";
const DISK: &str = "has(self.to) && self.to == 'A' ? has(self.disk) : !has(self.disk)";
const BUCKET: &str = "has(self.to) && self.to == 'B' ? true : !has(self.bucket)";
const OWN: &str = "self.file != self.disk";

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_rules)]
struct Copy {
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_rules, extend("x-kubernetes-validations" = [{ "rule": OWN }]))]
struct WithOwn {
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Forgotten {
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(extend("x-kubernetes-validations" = [{ "rule": OWN }]))]
struct ForgottenWithOwn {
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Twofold {
    #[serde(flatten)]
    copy: Copy,
    name: String,
}

/// Returns the schema as kube's generator leaves it, without the finish of `schema_for`.
fn raw<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::openapi3().with(|settings| settings.inline_subschemas = true);
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

fn raw_expressions<T: JsonSchema>() -> Vec<String> {
    let text = |rule: &Value| rule["rule"].as_str().unwrap_or_default().to_owned();
    rules_of(&raw::<T>()).iter().map(text).collect()
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

#[test]
fn a_parent_with_the_hook_has_the_rules_of_both() {
    assert_eq!(sorted(raw_expressions::<Copy>()), [FILE, URL, DISK, BUCKET]);
    assert_eq!(sorted(rule_texts::<Copy>()), [FILE, URL, DISK, BUCKET]);
}

#[test]
fn both_discriminators_keep_their_extension() {
    for (discriminator, first, second) in [("from", "file", "url"), ("to", "disk", "bucket")] {
        let property = property::<Copy>(discriminator);
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
fn a_parent_with_rules_of_its_own_keeps_them_first() {
    let texts = raw_expressions::<WithOwn>();
    assert_eq!(texts[0], OWN);
    assert_eq!(sorted(texts[1..].to_vec()), [FILE, URL, DISK, BUCKET]);
}

/// Checks the behavior of schemars for a parent without the hook, to notice a change in schemars.
#[test]
fn without_the_hook_flatten_drops_rules() {
    assert_eq!(sorted(raw_expressions::<Forgotten>()), [FILE, URL]);
    assert_eq!(raw_expressions::<ForgottenWithOwn>(), [OWN]);
}

#[test]
fn schema_for_finds_the_rules_that_a_parent_forgot() {
    assert_eq!(sorted(rule_texts::<Forgotten>()), [FILE, URL, DISK, BUCKET]);
    let texts = rule_texts::<ForgottenWithOwn>();
    assert_eq!(texts[0], OWN);
    assert_eq!(sorted(texts[1..].to_vec()), [FILE, URL, DISK, BUCKET]);
}

#[test]
fn a_union_that_flattens_another_has_the_rules_of_both() {
    let texts = raw_expressions::<Outer>();
    assert_eq!(texts.len(), 4, "{texts:#?}");
    for rule in [DISK, BUCKET] {
        assert!(texts.iter().any(|text| text == rule), "{texts:#?}");
    }
}

#[test]
fn a_flattened_parent_carries_all_rules_on() {
    assert_eq!(
        sorted(raw_expressions::<Twofold>()),
        [FILE, URL, DISK, BUCKET]
    );
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Holder {
    one: Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<Source>,
    many: Vec<Source>,
    named: BTreeMap<String, Source>,
    boxed: Box<Source>,
}

#[test]
fn a_union_in_a_field_has_its_rules_in_the_field() {
    let schema = raw::<Holder>();
    assert_eq!(schema.get("x-kubernetes-validations"), None);
    let properties = &schema["properties"];
    let maybe = &properties["maybe"];
    for place in [
        &properties["one"],
        maybe["anyOf"].get(0).unwrap_or(maybe),
        &properties["many"]["items"],
        &properties["named"]["additionalProperties"],
        &properties["boxed"],
    ] {
        assert_eq!(rules_of(place).len(), 2, "{place:#}");
    }
    let extensions = schema.to_string().matches("x-kubernetes-unions").count();
    assert_eq!(extensions, 5);
}

#[test]
fn finishing_twice_changes_nothing() {
    use schemars::transform::Transform as _;
    let once = schema_for::<ForgottenWithOwn>();
    let mut twice = once.clone();
    union_runtime::schema::FinishSchema.transform(&mut twice);
    assert_eq!(once, twice);
}
