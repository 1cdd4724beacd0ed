//! Tests of CEL rules that the author wrote: they are kept, and our rules are added after them,
//! without duplicates.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_unions, schema_for};

use crate::{rule_texts, rules};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    Alpha,
}

macro_rules! union {
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

const OWN: &str = "self.alpha > 0";
const OURS: &str = "has(self.type) && self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)";

union!(
    Before,
    extend("x-kubernetes-validations" = [{ "rule": OWN, "message": "positive" }]),
    transform = add_unions::<Before>
);
union!(
    After,
    transform = add_unions::<After>,
    extend("x-kubernetes-validations" = [{ "rule": OWN, "message": "positive" }])
);
union!(
    ByHand,
    extend("x-kubernetes-validations" = [{ "rule": OURS, "message": "written by hand" }]),
    transform = add_unions::<ByHand>
);

#[test]
fn the_authors_rules_precede_the_union_rules() {
    assert_eq!(rule_texts::<Before>(), [OWN, OURS]);
    assert_eq!(rule_texts::<After>(), [OWN, OURS]);
    assert_eq!(rules::<Before>()[0]["message"], "positive");
}

#[test]
fn a_hook_that_runs_twice_adds_nothing() {
    let mut schema = schema_for::<Before>();
    let once = schema.clone();
    add_unions::<Before>(&mut schema);
    assert_eq!(schema, once);
}

#[test]
fn an_equal_handwritten_rule_is_kept_unchanged() {
    assert_eq!(rule_texts::<ByHand>(), [OURS]);
    assert_eq!(rules::<ByHand>()[0]["message"], "written by hand");
}

#[test]
fn a_schema_without_the_discriminator_is_left_alone() {
    for text in [
        r#"{"type": "object", "properties": {"alpha": {"type": "integer"}}}"#,
        r#"{"type": "object"}"#,
        "true",
        "{}",
    ] {
        let Ok(mut schema) = serde_json::from_str::<Schema>(text) else {
            panic!("{text} is a schema");
        };
        let before = schema.clone();
        add_unions::<Before>(&mut schema);
        assert_eq!(schema, before);
    }
}
