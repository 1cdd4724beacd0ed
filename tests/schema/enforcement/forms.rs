//! Tests of the exact keywords that enforcement adds to a schema. There are no duplicates after
//! schemars has flattened a union, or if another generator is used.

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
fn one_of_has_a_branch_for_each_value_and_for_absence() {
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
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<i32>,
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<i32>,
}

#[test]
fn a_union_without_a_discriminator_has_one_rule() {
    let names = || ["left", "right"].into_iter();
    let only_message = only_one_of(true, names());
    let needed_message = needed_one_of(names());
    assert_eq!(
        schema_for::<Group>().to_value()["x-kubernetes-validations"],
        json!([{
            "rule": "(has(self.left) ? 1 : 0) + (has(self.right) ? 1 : 0) == 1",
            "message": only_message,
            "messageExpression": format!("has(self.left) || has(self.right) ? '{only_message}' : '{needed_message}'"),
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
fn a_deduced_union_has_a_rule_for_each_member_and_a_rule_for_their_number() {
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
#[schemars(transform = add_unions::<SameReason>)]
struct SameReason {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<i32>,
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<i32>,
}

#[test]
fn rules_with_same_reason_accept_errors_of_the_old_object() {
    let schema = schema_for::<SameReason>().to_value();
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
    let mut schema_with_rules_again = schemars::Schema::try_from(schema.clone()).unwrap();
    add_rules(&mut schema_with_rules_again);
    assert_eq!(schema_with_rules_again.to_value(), schema);
}

/// A struct that flattens unions without `inline`. schemars keeps the struct-level keywords of the
/// first union only.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_rules)]
struct ParentWithHook {
    #[serde(flatten)]
    group: Group,
    #[serde(flatten)]
    deduced: Deduced,
    #[serde(flatten)]
    one_of: OneOf,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct ParentWithoutHook {
    #[serde(flatten)]
    deduced: Deduced,
    #[serde(flatten)]
    group: Group,
    #[serde(flatten)]
    one_of: OneOf,
    #[serde(flatten)]
    other: SecondOneOf,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(enforce = "one_of")]
#[schemars(transform = add_unions::<SecondOneOf>)]
struct SecondOneOf {
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<i32>,
    #[union(member, group = choice)]
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
    for schema in [
        schema_for::<ParentWithHook>(),
        schema_for::<ParentWithoutHook>(),
    ] {
        let schema = schema.to_value();
        let mut expected_rules = rules(&deduced);
        expected_rules.extend(rules(&group));
        expected_rules.sort_by_key(|rule| rule["rule"].to_string());
        assert_eq!(rules(&schema), expected_rules);
        let all_of = schema["allOf"].as_array().map_or(&[][..], Vec::as_slice);
        let count_in_schema = |one_of: &Value| {
            let branches = all_of.iter().filter(|branch| branch["oneOf"] == *one_of);
            usize::from(schema["oneOf"] == *one_of) + branches.count()
        };
        assert_eq!(count_in_schema(one_of), 1, "{schema:#}");
    }
    let parent_without_hook = schema_for::<ParentWithoutHook>().to_value();
    let second_one_of = &schema_for::<SecondOneOf>().to_value()["oneOf"];
    let branches = parent_without_hook["allOf"]
        .as_array()
        .into_iter()
        .flatten();
    let matching_branches = branches.filter(|branch| branch["oneOf"] == *second_one_of);
    assert_eq!(matching_branches.count(), 1);
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
struct ParentOfListed {
    #[serde(flatten)]
    group: Group,
    #[serde(flatten)]
    listed: Listed,
}

#[test]
fn a_parent_has_the_rules_of_a_union_in_the_2019_shape() {
    let listed = schema_for::<Listed>().to_value();
    assert_eq!(rules(&listed).len(), 1);
    let parent = schema_for::<ParentOfListed>().to_value();
    assert!(rules(&parent).contains(&rules(&listed)[0]), "{parent:#}");
}

/// A visitor that checks finished schemas: no mark of the derive's hook is left, and running the
/// hook or the finish again adds no duplicates.
struct FinishedSchemaCheck;

impl Visit for FinishedSchemaCheck {
    fn visit<T: UnionType + JsonSchema + DeserializeOwned>(&mut self, name: &str, enforce: &str) {
        use schemars::transform::Transform as _;
        let schema = schema_for::<T>();
        let json = schema.as_value().to_string();
        assert!(!json.contains("x-union"), "{name}: {json}");
        let has_keyword = |keyword: &str| json.contains(&format!("\"{keyword}\":"));
        assert_eq!(has_keyword("oneOf"), enforce == "one_of", "{name}: {json}");
        assert_eq!(
            has_keyword("x-kubernetes-validations"),
            matches!(enforce, "cel" | "same_reason"),
            "{name}: {json}"
        );
        let mut changed_twice = schema.clone();
        add_unions::<T>(&mut changed_twice);
        assert_eq!(changed_twice, schema, "{name} by {enforce}");
        if enforce != "none" {
            union_runtime::schema::FinishSchema.transform(&mut changed_twice);
            assert_eq!(changed_twice, schema, "{name} by {enforce}");
        }
    }
}

#[test]
fn each_schema_has_only_the_keywords_of_its_enforcement() {
    types::visit_all(&mut FinishedSchemaCheck);
}

/// Checks that a mark is left without the finish. CRDs do not have this keyword, and kube drops it.
#[test]
fn an_unfinished_schema_has_a_mark() {
    let settings = SchemaSettings::openapi3().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<Group>();
    assert!(schema.as_value().to_string().contains("x-union-enforced"));
}
