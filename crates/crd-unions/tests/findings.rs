//! Every finding: what shows it, that a server says so, and that what it proposes helps.

use std::collections::BTreeSet;

use crd_unions::{Code, Finding, Weight};
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};

/// An object with fields `a`, `b` and `type`, and rules.
fn schema(rules: &[&str], more: &Value) -> Value {
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
    merge(&mut schema, more);
    schema
}

fn merge(into: &mut Value, more: &Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (key, value) in more {
                merge(into.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (into, more) => *into = more.clone(),
    }
}

/// The finding of a schema with this code.
fn finding(schema: &Value, code: Code) -> Finding {
    let reading = crd_unions::read(schema);
    let mut found = reading
        .findings
        .iter()
        .filter(|finding| finding.code == code);
    let first = found
        .next()
        .unwrap_or_else(|| panic!("{}: {}\n{schema}", code.name(), reading.to_json()));
    first.clone()
}

fn is_accepted(schema: &Value, object: &Value) -> bool {
    let whole = json!({"type": "object", "properties": {"spec": schema}});
    let compiled =
        StructuralSchema::compile(&whole).unwrap_or_else(|errors| panic!("{errors}\n{schema}"));
    let request = &mut json!({"spec": object});
    compiled
        .create(request, &ServerSettings::default())
        .is_accepted()
}

const ALPHA: &str = "self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)";
const BETA: &str = "self.type == 'Beta' ? has(self.beta) : !has(self.beta)";

struct Case {
    code: Code,
    weight: Weight,
    schema: Value,
    fields: &'static [&'static str],
    value: Option<&'static str>,
    object: Option<Value>,
    accepted: bool,
    remedy: &'static str,
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn cases() -> Vec<Case> {
    let absent = json!({"required": []});
    let open = json!({"properties": {"type": {"type": "string", "enum": null}}});
    let open = {
        let mut with = schema(
            &[
                "self.type == 'Alpha' || self.type == 'Beta' ? self.type == 'Alpha' || !has(self.alpha) : true",
                "self.type == 'Alpha' ? has(self.alpha) && !has(self.beta) : true",
                "self.type == 'Beta' ? has(self.beta) : true",
            ],
            &open,
        );
        with["properties"]["type"]
            .as_object_mut()
            .unwrap()
            .remove("enum");
        with
    };
    vec![
        Case {
            code: Code::NotForbidden,
            weight: Weight::Strong,
            schema: schema(
                &[ALPHA, "self.type == 'Beta' ? has(self.beta) : true"],
                &json!({}),
            ),
            fields: &["beta"],
            value: Some("Beta"),
            object: Some(json!({"type": "Alpha", "alpha": {}, "beta": {}})),
            accepted: true,
            remedy: BETA,
        },
        Case {
            code: Code::NoRule,
            weight: Weight::Strong,
            schema: schema(&[ALPHA], &json!({})),
            fields: &["beta"],
            value: Some("Beta"),
            object: Some(json!({"type": "Alpha", "alpha": {}, "beta": {}})),
            accepted: true,
            remedy: "self.type == 'Beta' ? true : !has(self.beta)",
        },
        Case {
            code: Code::FreeWhenAbsent,
            weight: Weight::Weak,
            schema: schema(
                &[
                    "!has(self.type) || (self.type == 'Alpha') == has(self.alpha)",
                    "!has(self.type) || (self.type == 'Beta') == has(self.beta)",
                ],
                &absent,
            ),
            fields: &["alpha"],
            value: Some("Alpha"),
            object: Some(json!({"alpha": {}, "beta": {}})),
            accepted: true,
            remedy: "has(self.type) && self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)",
        },
        Case {
            code: Code::FreeWithUnknownValue,
            weight: Weight::Weak,
            schema: open,
            fields: &["alpha"],
            value: Some("Alpha"),
            object: Some(json!({"type": "other", "alpha": {}})),
            accepted: true,
            remedy: "\"enum\": [\"Alpha\", \"Beta\"]",
        },
        Case {
            code: Code::FreeWithNextValue,
            weight: Weight::Weak,
            schema: schema(
                &["self.type == 'Alpha' ? has(self.alpha) : true"],
                &json!({"properties": {"type": {"enum": ["Alpha"]}}}),
            ),
            fields: &["alpha"],
            value: Some("Alpha"),
            object: None,
            accepted: false,
            remedy: ALPHA,
        },
        Case {
            code: Code::ValueRefused,
            weight: Weight::Strong,
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
            remedy: "let the rules accept \"None\": a condition is probably `&&` where `?:` or `||` is meant; or take it out of the enum",
        },
        Case {
            code: Code::ValueNotInEnum,
            weight: Weight::Strong,
            schema: schema(
                &["self.type == 'Gamma' ? true : !has(self.beta)"],
                &json!({}),
            ),
            fields: &["type"],
            value: Some("Gamma"),
            object: None,
            accepted: false,
            remedy: "correct \"Gamma\" to one of [\"Alpha\",\"Beta\",\"None\"], or add it to the enum",
        },
        Case {
            code: Code::NeverHolds,
            weight: Weight::Strong,
            schema: schema(
                &["has(self.alpha) && !has(self.alpha) || self.alpha == null"],
                &json!({}),
            ),
            fields: &[],
            value: None,
            object: Some(json!({"type": "Alpha"})),
            accepted: false,
            remedy: "write `has(self.f)` in place of `self.f != null`, which fails where f is absent; or take out what contradicts",
        },
        Case {
            code: Code::ErrorWhenAbsent,
            weight: Weight::Strong,
            schema: schema(&[ALPHA, BETA], &absent),
            fields: &["type"],
            value: None,
            object: Some(json!({})),
            accepted: false,
            remedy: "\"required\": [\"type\"]",
        },
        Case {
            code: Code::ReadWithoutHas,
            weight: Weight::Weak,
            schema: schema(&["has(self.alpha) || self.list.size() > 0"], &json!({})),
            fields: &["alpha"],
            value: None,
            object: Some(json!({"type": "Alpha"})),
            accepted: false,
            remedy: "has(self.alpha) || self.?list.orValue([]).size() > 0",
        },
        Case {
            code: Code::SameRuleTwice,
            weight: Weight::Weak,
            schema: schema(
                &[
                    "!has(self.alpha) || !has(self.beta)",
                    "!(has(self.beta) && has(self.alpha) && true)",
                ],
                &json!({}),
            ),
            fields: &["alpha", "beta"],
            value: None,
            object: None,
            accepted: false,
            remedy: "it says what `!has(self.alpha) || !has(self.beta)` says: one of them names the wrong field, or goes",
        },
        Case {
            code: Code::MessageNamesAnotherField,
            weight: Weight::Strong,
            schema: schema(
                &[],
                &json!({"x-kubernetes-validations": [{"rule": "!has(self.alpha) || !has(self.beta)", "message": "alpha and list exclude each other"}]}),
            ),
            fields: &["list"],
            value: None,
            object: None,
            accepted: false,
            remedy: "ask for `list` in the rule in place of `beta`, or name `beta` in the message",
        },
        Case {
            code: Code::MessageSaysAtMostOne,
            weight: Weight::Weak,
            schema: schema(
                &[],
                &json!({"x-kubernetes-validations": [{"rule": "has(self.alpha) != has(self.beta)", "message": "only one of alpha and beta may be set"}]}),
            ),
            fields: &["alpha", "beta"],
            value: None,
            object: Some(json!({"type": "Alpha"})),
            accepted: false,
            remedy: "\"message\": \"exactly one of alpha, beta must be set\"",
        },
        Case {
            code: Code::MessageSaysExactlyOne,
            weight: Weight::Weak,
            schema: schema(
                &[],
                &json!({"x-kubernetes-validations": [{"rule": "!(has(self.alpha) && has(self.beta))", "message": "exactly one of alpha and beta must be set"}]}),
            ),
            fields: &["alpha", "beta"],
            value: None,
            object: Some(json!({"type": "Alpha"})),
            accepted: true,
            remedy: "\"message\": \"at most one of alpha, beta may be set\"",
        },
        Case {
            code: Code::NullCountsAsSet,
            weight: Weight::Strong,
            schema: schema(
                &[],
                &json!({"oneOf": [{"required": ["alpha"]}, {"required": ["beta"]}], "properties": {"alpha": {"nullable": true}}}),
            ),
            fields: &["alpha"],
            value: None,
            object: Some(json!({"type": "Alpha", "alpha": null})),
            accepted: true,
            remedy: "\"nullable\": false",
        },
        Case {
            code: Code::SwitchRefused,
            weight: Weight::Weak,
            schema: schema(
                &[ALPHA, BETA, "has(self.alpha) == has(oldSelf.alpha)"],
                &json!({}),
            ),
            fields: &["alpha"],
            value: None,
            object: None,
            accepted: false,
            remedy: "none: clearing the field on a switch turns one refusal into another; do not normalize this union",
        },
    ]
}

#[test]
fn every_code_is_found_where_it_should_be() {
    for case in cases() {
        let found = finding(&case.schema, case.code);
        let name = case.code.name();
        assert_eq!(found.fields, case.fields, "{name}");
        assert_eq!(found.value.as_deref(), case.value, "{name}");
        assert_eq!(found.weight, case.weight, "{name}");
        assert_eq!(found.object, case.object, "{name}");
        assert_eq!(found.remedy, case.remedy, "{name}");
        if let Some(object) = &found.object {
            assert_eq!(found.accepted, case.accepted, "{name}");
            assert_eq!(
                is_accepted(&case.schema, object),
                case.accepted,
                "{name}: {object}"
            );
        }
    }
    let covered: BTreeSet<Code> = cases().iter().map(|case| case.code).collect();
    assert_eq!(covered.len(), Code::ALL.len());
}

#[test]
fn what_is_proposed_helps() {
    let mut helped = 0;
    for case in cases() {
        let found = finding(&case.schema, case.code);
        let mut schema = case.schema.clone();
        let rules = || {
            schema["x-kubernetes-validations"]
                .as_array()
                .cloned()
                .unwrap_or_default()
        };
        match case.code {
            Code::NotForbidden | Code::NoRule | Code::FreeWhenAbsent | Code::FreeWithNextValue => {
                let mut rules = rules();
                rules.push(json!({"rule": found.remedy}));
                schema["x-kubernetes-validations"] = rules.into();
            }
            Code::ReadWithoutHas => {
                schema["x-kubernetes-validations"] = json!([{"rule": found.remedy}]);
            }
            Code::ErrorWhenAbsent | Code::FreeWithUnknownValue | Code::NullCountsAsSet => {
                let keyword: Value =
                    serde_json::from_str(&format!("{{{}}}", found.remedy)).unwrap();
                let at = match case.code {
                    Code::ErrorWhenAbsent => &mut schema,
                    Code::FreeWithUnknownValue => &mut schema["properties"]["type"],
                    _ => &mut schema["properties"]["alpha"],
                };
                merge(at, &keyword);
            }
            Code::MessageSaysAtMostOne | Code::MessageSaysExactlyOne => {
                let keyword: Value =
                    serde_json::from_str(&format!("{{{}}}", found.remedy)).unwrap();
                merge(&mut schema["x-kubernetes-validations"][0], &keyword);
            }
            _ => continue,
        }
        helped += 1;
        let reading = crd_unions::read(&schema);
        let is_left = |other: &&Finding| other.code == case.code && other.fields == found.fields;
        assert_eq!(
            reading.findings.iter().find(is_left),
            None,
            "{}\n{schema}",
            case.code.name()
        );
        // It compiles, too.
        is_accepted(&schema, &json!({"type": "Alpha"}));
    }
    assert_eq!(helped, 10);
}

#[test]
fn rules_in_order_have_no_finding() {
    let clean = [
        schema(&[ALPHA, BETA], &json!({})),
        schema(
            &["!has(self.type) || self.type != 'Alpha' || has(self.list)"],
            &json!({"required": []}),
        ),
        schema(&["has(self.alpha) || has(self.beta)"], &json!({})),
        schema(&["self.type != 'None'"], &json!({})),
    ];
    for schema in clean {
        let reading = crd_unions::read(&schema);
        let strong: Vec<&Finding> = reading
            .findings
            .iter()
            .filter(|finding| finding.weight == Weight::Strong)
            .collect();
        assert_eq!(strong, [] as [&Finding; 0], "{schema}");
    }
}

#[test]
fn what_a_server_asks_on_updates_alone_is_no_union() {
    let rule = "!(has(self.alpha) && has(self.beta)) && self.type == oldSelf.type";
    let schema = schema(&[rule], &json!({}));
    assert!(is_accepted(
        &schema,
        &json!({"type": "Alpha", "alpha": {}, "beta": {}})
    ));
    assert_eq!(crd_unions::read(&schema).unions, []);
    // Nor is it where the rule stands above.
    let list = json!({
        "type": "array",
        "maxItems": 3,
        "items": {"type": "object", "properties": {"alpha": {"type": "object"}, "beta": {"type": "object"}}},
        "x-kubernetes-validations": [
            {"rule": "self.all(x, !(has(x.alpha) && has(x.beta))) && size(self) == size(oldSelf)"},
        ],
    });
    assert_eq!(crd_unions::read_at(&list, "/items").unwrap().unions, []);
}

#[test]
fn a_value_that_an_open_union_takes_and_a_rule_refuses_is_left_over() {
    let mut schema = schema(&[ALPHA, "self.type != 'None'"], &json!({}));
    schema["properties"]["type"] = json!({"type": "string"});
    let reading = crd_unions::read(&schema);
    let [union] = &*reading.unions else {
        panic!("{}", reading.to_json());
    };
    assert!(union.discriminator.as_ref().unwrap().open);
    assert_eq!(
        (union.exact, &*union.stands_for, &*union.left_over),
        (false, &[0][..], &[1][..])
    );
}
