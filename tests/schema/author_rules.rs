//! Tests of CEL rules that the author wrote: they are kept, and our rules are added after them,
//! without duplicates.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_unions, schema_for};

use crate::{cel_rules, rule_expressions};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    Alpha,
}

macro_rules! declare_union {
    ($name:ident, $($schemars:tt)*) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars($($schemars)*)]
        struct $name {
            #[union(discriminator)]
            r#type: Kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<i32>,
        }
    };
}

const AUTHOR_RULE: &str = "self.alpha > 0";
const UNION_RULE: &str =
    "has(self.type) && self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)";

declare_union!(
    RuleBeforeHook,
    extend("x-kubernetes-validations" = [{ "rule": AUTHOR_RULE, "message": "positive" }]),
    transform = add_unions::<RuleBeforeHook>
);
declare_union!(
    RuleAfterHook,
    transform = add_unions::<RuleAfterHook>,
    extend("x-kubernetes-validations" = [{ "rule": AUTHOR_RULE, "message": "positive" }])
);
declare_union!(
    HandwrittenRule,
    extend("x-kubernetes-validations" = [{ "rule": UNION_RULE, "message": "written by hand" }]),
    transform = add_unions::<HandwrittenRule>
);

#[test]
fn the_authors_rules_precede_the_union_rules() {
    assert_eq!(
        rule_expressions::<RuleBeforeHook>(),
        [AUTHOR_RULE, UNION_RULE]
    );
    assert_eq!(
        rule_expressions::<RuleAfterHook>(),
        [AUTHOR_RULE, UNION_RULE]
    );
    assert_eq!(cel_rules::<RuleBeforeHook>()[0]["message"], "positive");
}

#[test]
fn a_hook_that_runs_twice_adds_nothing() {
    let mut schema = schema_for::<RuleBeforeHook>();
    let once = schema.clone();
    add_unions::<RuleBeforeHook>(&mut schema);
    assert_eq!(schema, once);
}

#[test]
fn an_equal_handwritten_rule_is_kept_unchanged() {
    assert_eq!(rule_expressions::<HandwrittenRule>(), [UNION_RULE]);
    assert_eq!(
        cel_rules::<HandwrittenRule>()[0]["message"],
        "written by hand"
    );
}

#[test]
fn a_schema_without_the_discriminator_is_not_changed() {
    for json in [
        r#"{"type": "object", "properties": {"alpha": {"type": "integer"}}}"#,
        r#"{"type": "object"}"#,
        "true",
        "{}",
    ] {
        let Ok(mut schema) = serde_json::from_str::<Schema>(json) else {
            panic!("{json} is a schema");
        };
        let original = schema.clone();
        add_unions::<RuleBeforeHook>(&mut schema);
        assert_eq!(schema, original);
    }
}
