//! Tests of the exact keywords that enforcement adds to a schema. The keywords have no duplicates,
//! also after schemars' flatten and with other generators.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::spec::UnionType;
use union_runtime::{
    EnumType, Union, add_rules, add_unions, needed_one_of, only_one_of, only_when, schema_for,
};

use crate::enforcement::types::{self, Visit};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    Alpha,
    Beta,
    None,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(enforce = "one_of")]
#[schemars(transform = add_unions::<OneOf>)]
struct OneOf {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}

#[test]
fn one_of_to_the_letter() {
    let unset = json!({"not": {}});
    assert_eq!(
        schema_for::<OneOf>().to_value()["oneOf"],
        json!([
            {
                "required": ["alpha", "type"],
                "allOf": [{"properties": {"type": {"enum": ["Alpha"]}, "beta": unset}}],
                "not": {"properties": {"alpha": unset}},
            },
            {
                "required": ["type"],
                "allOf": [{"properties": {"type": {"enum": ["Beta"]}, "alpha": unset}}],
            },
            {
                "required": ["type"],
                "allOf": [{"properties": {"type": {"enum": ["None"]}, "alpha": unset, "beta": unset}}],
            },
            {"allOf": [{"properties": {"type": unset, "alpha": unset, "beta": unset}}]},
        ])
    );
    assert_eq!(schema_for::<OneOf>().get("x-kubernetes-validations"), None);
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(exactly_one)]
#[schemars(transform = add_unions::<Group>)]
struct Group {
    #[union(member, group = of)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<i32>,
    #[union(member, group = of)]
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<i32>,
}

#[test]
fn the_rule_without_a_discriminator_to_the_letter() {
    let names = || ["left", "right"].into_iter();
    let only = only_one_of(true, names());
    let needed = needed_one_of(names());
    assert_eq!(
        schema_for::<Group>().to_value()["x-kubernetes-validations"],
        json!([{
            "rule": "(has(self.left) ? 1 : 0) + (has(self.right) ? 1 : 0) == 1",
            "message": only,
            "messageExpression": format!("has(self.left) || has(self.right) ? '{only}' : '{needed}'"),
            "reason": "FieldValueInvalid",
        }])
    );
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Deduced>)]
struct Deduced {
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    exec: Option<i32>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<i32>,
}

#[test]
fn the_rules_of_a_discriminator_that_follows_to_the_letter() {
    let member = |name: &str, value: &str| {
        json!({
            "rule": format!("!has(self.{name}) || !has(self.kind) || self.kind == '{value}' || self.kind == ''"),
            "message": only_when("kind", value).to_string(),
            "reason": "FieldValueInvalid",
            "fieldPath": format!(".{name}"),
        })
    };
    assert_eq!(
        schema_for::<Deduced>().to_value()["x-kubernetes-validations"],
        json!([
            member("exec", "Exec"),
            member("http", "Http"),
            {
                "rule": "has(self.kind) && self.kind != '' || (has(self.exec) ? 1 : 0) + (has(self.http) ? 1 : 0) <= 1",
                "message": only_one_of(false, ["exec", "http"].into_iter()),
                "reason": "FieldValueInvalid",
            },
        ])
    );
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(ratchet = "same_reason")]
#[schemars(transform = add_unions::<Forgiving>)]
struct Forgiving {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, group = of)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<i32>,
    #[union(member, group = of)]
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<i32>,
}

#[test]
fn the_rules_that_forgive_to_the_letter() {
    let schema = schema_for::<Forgiving>().to_value();
    let rules = &schema["x-kubernetes-validations"];
    assert_eq!(
        rules[0]["rule"],
        "(has(self.type) && self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)) \
         || oldSelf.hasValue() \
         && (has(self.type) ? self.type == dyn(oldSelf)[?'type'].orValue('') : dyn(oldSelf)[?'type'].orValue(null) == null) \
         && has(self.alpha) == (dyn(oldSelf)[?'alpha'].orValue(null) != null)"
    );
    assert_eq!(
        rules[1]["rule"],
        "((has(self.left) ? 1 : 0) + (has(self.right) ? 1 : 0) <= 1) || oldSelf.hasValue() \
         && (!has(self.left) || dyn(oldSelf)[?'left'].orValue(null) != null) \
         && (!has(self.right) || dyn(oldSelf)[?'right'].orValue(null) != null)"
    );
    assert_eq!(rules[0]["optionalOldSelf"], true);
    assert_eq!(rules[1]["optionalOldSelf"], true);
    // Adding the rules again must not change the schema.
    let mut again = schemars::Schema::try_from(schema.clone()).unwrap();
    add_rules(&mut again);
    assert_eq!(again.to_value(), schema);
}

/// A struct that flattens unions without `inline`. schemars keeps the struct-level keywords of the
/// first union only.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_rules)]
struct Parent {
    #[serde(flatten)]
    group: Group,
    #[serde(flatten)]
    deduced: Deduced,
    #[serde(flatten)]
    one_of: OneOf,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Forgetful {
    #[serde(flatten)]
    deduced: Deduced,
    #[serde(flatten)]
    group: Group,
    #[serde(flatten)]
    one_of: OneOf,
    #[serde(flatten)]
    other: Other,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(enforce = "one_of")]
#[schemars(transform = add_unions::<Other>)]
struct Other {
    #[union(member, group = of)]
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<i32>,
    #[union(member, group = of)]
    #[serde(skip_serializing_if = "Option::is_none")]
    down: Option<i32>,
}

fn rules(schema: &Value) -> Vec<&Value> {
    let rules = schema["x-kubernetes-validations"].as_array();
    let mut rules: Vec<&Value> = rules.into_iter().flatten().collect();
    rules.sort_by_key(|rule| rule["rule"].to_string());
    rules
}

#[test]
fn a_parent_has_the_rules_that_flatten_dropped() {
    let deduced = schema_for::<Deduced>().to_value();
    let group = schema_for::<Group>().to_value();
    let one_of = &schema_for::<OneOf>().to_value()["oneOf"];
    for schema in [schema_for::<Parent>(), schema_for::<Forgetful>()] {
        let schema = schema.to_value();
        let mut both = rules(&deduced);
        both.extend(rules(&group));
        both.sort_by_key(|rule| rule["rule"].to_string());
        assert_eq!(rules(&schema), both);
        let all = schema["allOf"].as_array().map_or(&[][..], Vec::as_slice);
        let is_there = |one_of: &Value| {
            usize::from(schema["oneOf"] == *one_of)
                + all.iter().filter(|all| all["oneOf"] == *one_of).count()
        };
        assert_eq!(is_there(one_of), 1, "{schema:#}");
    }
    let forgetful = schema_for::<Forgetful>().to_value();
    let other = &schema_for::<Other>().to_value()["oneOf"];
    let found = forgetful["allOf"].as_array().into_iter().flatten();
    assert_eq!(found.filter(|all| all["oneOf"] == *other).count(), 1);
}

/// A union whose extension is a list on the struct. Flatten drops this list too.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(shape = "2019")]
#[schemars(transform = add_unions::<Listed>)]
struct Listed {
    #[union(discriminator)]
    mode: Kind,
    #[union(member = "Beta")]
    #[serde(skip_serializing_if = "Option::is_none")]
    third: Option<i32>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct SecondListed {
    #[serde(flatten)]
    group: Group,
    #[serde(flatten)]
    listed: Listed,
}

#[test]
fn a_parent_has_the_rules_of_a_union_in_the_2019_shape() {
    let listed = schema_for::<Listed>().to_value();
    assert_eq!(rules(&listed).len(), 1);
    let parent = schema_for::<SecondListed>().to_value();
    assert!(rules(&parent).contains(&rules(&listed)[0]), "{parent:#}");
}

/// A visitor that checks finished schemas: no mark of the derive's hook is left, and running the
/// hook or the finish again adds no duplicates.
struct Finished;

impl Visit for Finished {
    fn visit<T: UnionType + JsonSchema + DeserializeOwned>(&mut self, name: &str, enforce: &str) {
        use schemars::transform::Transform as _;
        let schema = schema_for::<T>();
        let text = schema.as_value().to_string();
        assert!(!text.contains("x-union"), "{name}: {text}");
        let has = |keyword: &str| text.contains(&format!("\"{keyword}\":"));
        assert_eq!(has("oneOf"), enforce == "one_of", "{name}: {text}");
        assert_eq!(
            has("x-kubernetes-validations"),
            matches!(enforce, "cel" | "same_reason"),
            "{name}: {text}"
        );
        let mut twice = schema.clone();
        add_unions::<T>(&mut twice);
        assert_eq!(twice, schema, "{name} by {enforce}");
        if enforce != "none" {
            union_runtime::schema::FinishSchema.transform(&mut twice);
            assert_eq!(twice, schema, "{name} by {enforce}");
        }
    }
}

#[test]
fn each_type_has_exactly_its_enforcement() {
    types::each(&mut Finished);
}

/// Checks that a mark is left without the finish. CRDs do not have this keyword, and kube drops it.
#[test]
fn without_the_finish_a_mark_stays() {
    let settings = SchemaSettings::openapi3().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<Group>();
    assert!(schema.as_value().to_string().contains("x-union-enforced"));
}
