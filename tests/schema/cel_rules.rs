//! Tests of the CEL rules: their expressions, and the errors of a server for them
//! (`docs/design.md`, "Enforcement").

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::{EnumType, Union, add_unions, needed_when, only_when};

use crate::{cel_rules, rule_expressions};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    Alpha,
    Beta,
    None,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<TwoMembers>)]
struct TwoMembers {
    #[union(discriminator)]
    r#type: Kind,
    // The members have another order than the values.
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

#[test]
fn a_member_is_set_if_and_only_if_it_is_selected() {
    let only_message = only_when("type", "Alpha").to_string();
    let needed_message = needed_when("type", "Alpha");
    assert_eq!(
        cel_rules::<TwoMembers>()[0],
        json!({
            "rule": "has(self.type) && self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)",
            "message": only_message,
            "messageExpression": format!("has(self.alpha) ? '{only_message}' : '{needed_message}'"),
            "reason": "FieldValueInvalid",
            "fieldPath": ".alpha",
        })
    );
}

/// Checks the rule of an optional member. The rule has one kind of violation, so its message is a
/// constant.
#[test]
fn an_optional_member_may_be_unset() {
    assert_eq!(
        cel_rules::<TwoMembers>()[1],
        json!({
            "rule": "has(self.type) && self.type == 'Beta' ? true : !has(self.beta)",
            "message": only_when("type", "Beta").to_string(),
            "reason": "FieldValueInvalid",
            "fieldPath": ".beta",
        })
    );
}

#[test]
fn a_value_without_a_member_has_no_rule() {
    assert_eq!(cel_rules::<TwoMembers>().len(), 2);
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum UnusualValue {
    #[serde(rename = "it's")]
    Quote,
    #[serde(rename = "back\\slash")]
    Backslash,
    #[serde(rename = "say \"yes\"")]
    Double,
    #[serde(rename = "line\nbreak")]
    Line,
    #[serde(rename = "größe")]
    Unicode,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<UnusualValues>)]
struct UnusualValues {
    #[union(discriminator)]
    r#type: UnusualValue,
    #[union(member = "it's", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<i32>,
    #[union(member = "back\\slash", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<i32>,
    #[union(member = "say \"yes\"")]
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<i32>,
    #[union(member = "line\nbreak")]
    #[serde(skip_serializing_if = "Option::is_none")]
    d: Option<i32>,
    #[union(member = "größe", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<i32>,
}

#[test]
fn values_are_quoted_as_cel_strings() {
    let expressions = rule_expressions::<UnusualValues>();
    for (expression, value) in expressions.iter().zip([
        r"'it\'s'",
        r"'back\\slash'",
        r#"'say "yes"'"#,
        r"'line\u000abreak'",
        "'größe'",
    ]) {
        let condition = format!("self.type == {value} ?");
        assert!(expression.contains(&condition), "{expression}: {condition}");
    }
}

/// Checks the quotes of values in messages. An API server rejects a CRD whose messages have line
/// breaks.
#[test]
fn values_in_messages_are_quoted_as_go_does() {
    let rules = cel_rules::<UnusualValues>();
    let message = |index: usize| rules[index]["message"].as_str().unwrap_or_default();
    for (index, value) in [
        r#""it's""#,
        r#""back\\slash""#,
        r#""say \"yes\"""#,
        r#""line\nbreak""#,
    ]
    .iter()
    .enumerate()
    {
        let end = format!("`type` is {value}");
        assert!(message(index).ends_with(&end), "{}", message(index));
    }
    let escape_for_cel = |wording: &str| wording.replace('\\', r"\\");
    let only_message = escape_for_cel(message(2));
    let needed_message = escape_for_cel(&needed_when("type", r#"say "yes""#).to_string());
    assert_eq!(
        rules[2]["messageExpression"],
        format!("has(self.c) ? '{only_message}' : '{needed_message}'")
    );
}

#[test]
fn each_message_begins_a_message_of_native_validation() -> Result<(), serde_json::Error> {
    use union_runtime::Union as _;
    let union: TwoMembers =
        serde_json::from_value(json!({ "type": "None", "alpha": 1, "beta": 2 }))?;
    let report = union.validate_unions();
    let details: Vec<&str> = report
        .errors()
        .iter()
        .map(union_runtime::Violation::detail)
        .collect();
    assert_eq!(details.len(), 2);
    for rule in cel_rules::<TwoMembers>() {
        let message = rule["message"].as_str().unwrap_or_default();
        assert!(
            details.iter().any(|detail| detail.starts_with(message)),
            "{message}: {details:?}"
        );
    }
    Ok(())
}
