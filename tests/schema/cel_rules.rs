//! Tests of the CEL rules: their expressions, and the errors of a server for them
//! (`docs/design.md`, "Enforcement").

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::{EnumType, Union, add_unions, needed_when, only_when};

use crate::{rule_texts, rules};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    Alpha,
    Beta,
    None,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Both>)]
struct Both {
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
    let only = only_when("type", "Alpha").to_string();
    let needed = needed_when("type", "Alpha");
    assert_eq!(
        rules::<Both>()[0],
        json!({
            "rule": "has(self.type) && self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)",
            "message": only,
            "messageExpression": format!("has(self.alpha) ? '{only}' : '{needed}'"),
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
        rules::<Both>()[1],
        json!({
            "rule": "has(self.type) && self.type == 'Beta' ? true : !has(self.beta)",
            "message": only_when("type", "Beta").to_string(),
            "reason": "FieldValueInvalid",
            "fieldPath": ".beta",
        })
    );
}

#[test]
fn an_empty_member_needs_no_rule() {
    assert_eq!(rules::<Both>().len(), 2);
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Odd {
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
#[schemars(transform = add_unions::<OddValues>)]
struct OddValues {
    #[union(discriminator)]
    r#type: Odd,
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
fn values_are_quoted_as_cel_wants_it() {
    let texts = rule_texts::<OddValues>();
    for (text, value) in texts.iter().zip([
        r"'it\'s'",
        r"'back\\slash'",
        r#"'say "yes"'"#,
        r"'line\u000abreak'",
        "'größe'",
    ]) {
        let test = format!("self.type == {value} ?");
        assert!(text.contains(&test), "{text}: {test}");
    }
}

/// Checks the quotes of values in messages. An API server rejects a CRD whose messages have line
/// breaks.
#[test]
fn values_in_messages_are_quoted_as_go_does() {
    let rules = rules::<OddValues>();
    let message = |i: usize| rules[i]["message"].as_str().unwrap_or_default();
    for (i, value) in [
        r#""it's""#,
        r#""back\\slash""#,
        r#""say \"yes\"""#,
        r#""line\nbreak""#,
    ]
    .iter()
    .enumerate()
    {
        let end = format!("`type` is {value}");
        assert!(message(i).ends_with(&end), "{}", message(i));
    }
    let in_cel = |wording: &str| wording.replace('\\', r"\\");
    let only = in_cel(message(2));
    let needed = in_cel(&needed_when("type", r#"say "yes""#).to_string());
    assert_eq!(
        rules[2]["messageExpression"],
        format!("has(self.c) ? '{only}' : '{needed}'")
    );
}

/// Checks that the message of each rule is the beginning of a message of validation.
#[test]
fn messages_are_the_first_part_of_the_validation_message() -> Result<(), serde_json::Error> {
    use union_runtime::Union as _;
    let both: Both = serde_json::from_value(json!({ "type": "None", "alpha": 1, "beta": 2 }))?;
    let report = both.validate_unions();
    let details: Vec<&str> = report
        .errors()
        .iter()
        .map(union_runtime::Violation::detail)
        .collect();
    assert_eq!(details.len(), 2);
    for rule in rules::<Both>() {
        let message = rule["message"].as_str().unwrap_or_default();
        assert!(
            details.iter().any(|detail| detail.starts_with(message)),
            "{message}: {details:?}"
        );
    }
    Ok(())
}
