//! Every code of a finding, with the smallest schema that has it and the expected finding.

use crd_unions::{Confidence, FindingCode};
use serde_json::{Value, json};

/// Returns an object schema with fields `alpha`, `beta`, `list` and `type`, and rules.
pub(crate) fn schema(rules: &[&str], overrides: &Value) -> Value {
    let rules: Vec<Value> = rules
        .iter()
        .map(|rule| json!({"rule": rule, "message": "no"}))
        .collect();
    let mut schema = json!({
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": ["Alpha", "Beta", "None"]},
            "alpha": {"type": "object"},
            "beta": {"type": "object"},
            "list": {"type": "array", "maxItems": 4, "items": {"type": "string"}},
        },
        "required": ["type"],
    });
    if !rules.is_empty() {
        schema["x-kubernetes-validations"] = rules.into();
    }
    merge(&mut schema, overrides);
    schema
}

pub(crate) fn merge(target: &mut Value, overrides: &Value) {
    match (target, overrides) {
        (Value::Object(target), Value::Object(overrides)) => {
            for (key, value) in overrides {
                merge(target.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (target, overrides) => *target = overrides.clone(),
    }
}

pub(crate) const ALPHA: &str = "self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)";
pub(crate) const BETA: &str = "self.type == 'Beta' ? has(self.beta) : !has(self.beta)";

pub(crate) struct Case {
    pub(crate) code: FindingCode,
    pub(crate) confidence: Confidence,
    pub(crate) schema: Value,
    pub(crate) fields: &'static [&'static str],
    pub(crate) value: Option<&'static str>,
    pub(crate) object: Option<Value>,
    pub(crate) accepted: bool,
    pub(crate) remedy: &'static str,
    /// The JSON pointer of the object with the finding.
    pub(crate) pointer: &'static str,
}

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn cases() -> Vec<Case> {
    let without_required_fields = json!({"required": []});
    let null_enum = json!({"properties": {"type": {"type": "string", "enum": null}}});
    let schema_without_enum = {
        let mut open_schema = schema(
            &[
                "self.type == 'Alpha' || self.type == 'Beta' ? self.type == 'Alpha' || !has(self.alpha) : true",
                "self.type == 'Alpha' ? has(self.alpha) && !has(self.beta) : true",
                "self.type == 'Beta' ? has(self.beta) : true",
            ],
            &null_enum,
        );
        open_schema["properties"]["type"]
            .as_object_mut()
            .unwrap()
            .remove("enum");
        open_schema
    };
    vec![
        Case {
            code: FindingCode::NotForbidden,
            confidence: Confidence::Strong,
            schema: schema(
                &[ALPHA, "self.type == 'Beta' ? has(self.beta) : true"],
                &json!({}),
            ),
            fields: &["beta"],
            value: Some("Beta"),
            object: Some(json!({"type": "Alpha", "alpha": {}, "beta": {}})),
            accepted: true,
            remedy: BETA,
            pointer: "/properties/beta",
        },
        Case {
            code: FindingCode::NoRule,
            confidence: Confidence::Strong,
            schema: schema(&[ALPHA], &json!({})),
            fields: &["beta"],
            value: Some("Beta"),
            object: Some(json!({"type": "Alpha", "alpha": {}, "beta": {}})),
            accepted: true,
            remedy: "self.type == 'Beta' ? true : !has(self.beta)",
            pointer: "/properties/beta",
        },
        Case {
            code: FindingCode::FreeWhenAbsent,
            confidence: Confidence::Weak,
            schema: schema(
                &[
                    "!has(self.type) || (self.type == 'Alpha') == has(self.alpha)",
                    "!has(self.type) || (self.type == 'Beta') == has(self.beta)",
                ],
                &without_required_fields,
            ),
            fields: &["alpha"],
            value: Some("Alpha"),
            object: Some(json!({"alpha": {}, "beta": {}})),
            accepted: true,
            remedy: "has(self.type) && self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)",
            pointer: "/properties/alpha",
        },
        Case {
            code: FindingCode::FreeWithUnknownValue,
            confidence: Confidence::Weak,
            schema: schema_without_enum,
            fields: &["alpha"],
            value: Some("Alpha"),
            object: Some(json!({"type": "other", "alpha": {}})),
            accepted: true,
            remedy: "\"enum\": [\"Alpha\", \"Beta\"]",
            pointer: "/properties/alpha",
        },
        Case {
            code: FindingCode::FreeWithNextValue,
            confidence: Confidence::Weak,
            schema: schema(
                &["self.type == 'Alpha' ? has(self.alpha) : true"],
                &json!({"properties": {"type": {"enum": ["Alpha"]}}}),
            ),
            fields: &["alpha"],
            value: Some("Alpha"),
            object: None,
            accepted: false,
            remedy: ALPHA,
            pointer: "/properties/alpha",
        },
        Case {
            code: FindingCode::ValueRefused,
            confidence: Confidence::Strong,
            schema: schema(
                &[
                    "self.type == 'Alpha' && has(self.alpha) || self.type == 'Beta' && has(self.beta)",
                    "self.type == 'Alpha' || !has(self.alpha)",
                    "self.type == 'Beta' || !has(self.beta)",
                ],
                &json!({}),
            ),
            fields: &["type"],
            value: Some("None"),
            object: Some(json!({"type": "None"})),
            accepted: false,
            remedy: "let the rules accept \"None\" (a condition probably has `&&` instead of `?:` or `||`), or remove it from the enum",
            pointer: "/properties/type",
        },
        Case {
            code: FindingCode::ValueNotInEnum,
            confidence: Confidence::Strong,
            schema: schema(
                &["self.type == 'Gamma' ? true : !has(self.beta)"],
                &json!({}),
            ),
            fields: &["type"],
            value: Some("Gamma"),
            object: Some(json!({"type": "Gamma"})),
            accepted: false,
            remedy: "replace \"Gamma\" by one of [\"Alpha\",\"Beta\",\"None\"], or add it to the enum",
            pointer: "/x-kubernetes-validations/0/rule",
        },
        Case {
            code: FindingCode::NeverHolds,
            confidence: Confidence::Strong,
            schema: schema(
                &["has(self.alpha) && !has(self.alpha) || self.alpha == null"],
                &json!({}),
            ),
            fields: &[],
            value: None,
            object: Some(json!({"type": "Alpha"})),
            accepted: false,
            remedy: "replace `self.f != null`, which fails if f is absent, by `has(self.f)`; or remove contradicting conditions",
            pointer: "/x-kubernetes-validations/0/rule",
        },
        Case {
            code: FindingCode::ErrorWhenAbsent,
            confidence: Confidence::Strong,
            schema: schema(&[ALPHA, BETA], &without_required_fields),
            fields: &["type"],
            value: None,
            object: Some(json!({})),
            accepted: false,
            remedy: "\"required\": [\"type\"]",
            pointer: "/properties/type",
        },
        Case {
            code: FindingCode::ReadWithoutHas,
            confidence: Confidence::Weak,
            schema: schema(&["has(self.alpha) || self.list.size() > 0"], &json!({})),
            fields: &["alpha"],
            value: None,
            object: Some(json!({"type": "Alpha"})),
            accepted: false,
            remedy: "has(self.alpha) || self.?list.orValue([]).size() > 0",
            pointer: "/x-kubernetes-validations/0/rule",
        },
        Case {
            code: FindingCode::SameRuleTwice,
            confidence: Confidence::Weak,
            schema: schema(
                &[
                    "!has(self.alpha) || !has(self.beta)",
                    "!(has(self.beta) && has(self.alpha) && true)",
                ],
                &json!({}),
            ),
            fields: &["alpha", "beta"],
            value: None,
            object: Some(json!({"type": "Alpha", "alpha": {}, "beta": {}})),
            accepted: false,
            remedy: "the rule is equivalent to `!has(self.alpha) || !has(self.beta)`; correct the field in one of them, or remove one",
            pointer: "/x-kubernetes-validations/1/rule",
        },
        Case {
            code: FindingCode::MessageNamesAnotherField,
            confidence: Confidence::Strong,
            schema: schema(
                &[],
                &json!({"x-kubernetes-validations": [{"rule": "!has(self.alpha) || !has(self.beta)", "message": "alpha and list exclude each other"}]}),
            ),
            fields: &["list"],
            value: None,
            object: Some(json!({"type": "Alpha", "alpha": {}, "beta": {}})),
            accepted: false,
            remedy: "check `list` instead of `beta` in the rule, or name `beta` in the message",
            pointer: "/x-kubernetes-validations/0/message",
        },
        Case {
            code: FindingCode::MessageSaysAtMostOne,
            confidence: Confidence::Weak,
            schema: schema(
                &[],
                &json!({"x-kubernetes-validations": [{"rule": "has(self.alpha) != has(self.beta)", "message": "only one of alpha and beta may be set"}]}),
            ),
            fields: &["alpha", "beta"],
            value: None,
            object: Some(json!({"type": "Alpha"})),
            accepted: false,
            remedy: "\"message\": \"exactly one of alpha, beta must be set\"",
            pointer: "/x-kubernetes-validations/0/message",
        },
        Case {
            code: FindingCode::MessageSaysExactlyOne,
            confidence: Confidence::Weak,
            schema: schema(
                &[],
                &json!({"x-kubernetes-validations": [{"rule": "!(has(self.alpha) && has(self.beta))", "message": "exactly one of alpha and beta must be set"}]}),
            ),
            fields: &["alpha", "beta"],
            value: None,
            object: Some(json!({"type": "Alpha"})),
            accepted: true,
            remedy: "\"message\": \"at most one of alpha, beta may be set\"",
            pointer: "/x-kubernetes-validations/0/message",
        },
        Case {
            code: FindingCode::NullCountsAsSet,
            confidence: Confidence::Strong,
            schema: schema(
                &[],
                &json!({"oneOf": [{"required": ["alpha"]}, {"required": ["beta"]}], "properties": {"alpha": {"nullable": true}}}),
            ),
            fields: &["alpha"],
            value: None,
            object: Some(json!({"type": "Alpha", "alpha": null})),
            accepted: true,
            remedy: "\"nullable\": false",
            pointer: "/oneOf",
        },
        Case {
            code: FindingCode::SwitchRefused,
            confidence: Confidence::Weak,
            schema: schema(
                &[ALPHA, BETA, "has(self.alpha) == has(oldSelf.alpha)"],
                &json!({}),
            ),
            fields: &["alpha"],
            value: None,
            object: None,
            accepted: false,
            remedy: "none; do not normalize this union, because the rule rejects the object if the field is cleared",
            pointer: "/x-kubernetes-validations/2/rule",
        },
        Case {
            code: FindingCode::NestedNotExclusive,
            confidence: Confidence::Strong,
            schema: json!({
                "type": "object",
                "properties": {
                    "alpha": {"type": "string"},
                    "beta": {"type": "object", "properties": {
                        "one": {"type": "string"},
                        "two": {"type": "string"},
                    }},
                },
                "anyOf": [
                    {"required": ["alpha"]},
                    {"properties": {"beta": {
                        "oneOf": [{"required": ["one"]}, {"required": ["two"]}],
                    }}},
                ],
            }),
            fields: &["beta.one", "beta.two"],
            value: None,
            object: Some(json!({"alpha": "x", "beta": {"one": "x", "two": "x"}})),
            accepted: true,
            remedy: "move the keyword into the schema of `beta`: \"oneOf\": [{\"required\":[\"one\"]},{\"required\":[\"two\"]}]",
            pointer: "/properties/beta",
        },
        Case {
            code: FindingCode::DescribedNotEnforced,
            confidence: Confidence::Weak,
            schema: schema(
                &[],
                &json!({"description": "Only one of `alpha` and `beta` may be set."}),
            ),
            fields: &["alpha", "beta"],
            value: None,
            object: Some(json!({"type": "Alpha", "alpha": {}, "beta": {}})),
            accepted: true,
            remedy: "!has(self.alpha) || !has(self.beta)",
            pointer: "/properties/alpha",
        },
        Case {
            code: FindingCode::ImmutabilityEvaded,
            confidence: Confidence::Strong,
            schema: schema(
                &[],
                &json!({"properties": {"list": {
                    "x-kubernetes-validations": [{"rule": "self == oldSelf"}],
                }}}),
            ),
            fields: &["list"],
            value: None,
            object: None,
            accepted: true,
            remedy: "!has(oldSelf.list) || has(self.list)",
            pointer: "/properties/list/x-kubernetes-validations/0/rule",
        },
    ]
}
