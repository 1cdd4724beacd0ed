//! Every finding: the object that shows it, the answer of a server to this object, and the effect
//! of the correction.

use std::collections::BTreeSet;

mod cases;

use crd_unions::{Confidence, Finding, FindingCode};
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use k8s_json_internals::cel_literal::string_literal;
use serde_json::{Value, json};

use cases::{ALPHA, BETA, cases, merge, schema};

/// Returns the finding of a schema with this code.
fn finding(schema: &Value, code: FindingCode) -> Finding {
    let reading = crd_unions::analyze_object(schema);
    let mut found = reading
        .findings
        .iter()
        .filter(|finding| finding.code == code);
    let first = found
        .next()
        .unwrap_or_else(|| panic!("{}: {}\n{schema}", code.as_str(), json!(reading)));
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

#[test]
fn every_code_is_found_where_it_should_be() {
    for case in cases() {
        let found = finding(&case.schema, case.code);
        let name = case.code.as_str();
        assert_eq!(found.fields, case.fields, "{name}");
        assert_eq!(found.value.as_deref(), case.value, "{name}");
        assert_eq!(found.confidence, case.weight, "{name}");
        assert_eq!(found.object, case.object, "{name}");
        assert_eq!(found.remedy, case.remedy, "{name}");
        assert!(case.schema.pointer(case.pointer).is_some(), "{name}");
        if let Some(object) = &found.object {
            assert_eq!(found.accepted, case.accepted, "{name}");
            assert_eq!(
                is_accepted(&case.schema, object),
                case.accepted,
                "{name}: {object}"
            );
        }
    }
    let covered: BTreeSet<FindingCode> = cases().iter().map(|case| case.code).collect();
    assert_eq!(covered.len(), FindingCode::ALL.len());
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
            FindingCode::NotForbidden
            | FindingCode::NoRule
            | FindingCode::FreeWhenAbsent
            | FindingCode::FreeWithNextValue => {
                let mut rules = rules();
                rules.push(json!({"rule": found.remedy}));
                schema["x-kubernetes-validations"] = rules.into();
            }
            FindingCode::ReadWithoutHas => {
                schema["x-kubernetes-validations"] = json!([{"rule": found.remedy}]);
            }
            FindingCode::ErrorWhenAbsent
            | FindingCode::FreeWithUnknownValue
            | FindingCode::NullCountsAsSet => {
                let keyword: Value =
                    serde_json::from_str(&format!("{{{}}}", found.remedy)).unwrap();
                let at = match case.code {
                    FindingCode::ErrorWhenAbsent => &mut schema,
                    FindingCode::FreeWithUnknownValue => &mut schema["properties"]["type"],
                    _ => &mut schema["properties"]["alpha"],
                };
                merge(at, &keyword);
            }
            FindingCode::MessageSaysAtMostOne | FindingCode::MessageSaysExactlyOne => {
                let keyword: Value =
                    serde_json::from_str(&format!("{{{}}}", found.remedy)).unwrap();
                merge(&mut schema["x-kubernetes-validations"][0], &keyword);
            }
            _ => continue,
        }
        helped += 1;
        let reading = crd_unions::analyze_object(&schema);
        let is_left = |other: &&Finding| other.code == case.code && other.fields == found.fields;
        assert_eq!(
            reading.findings.iter().find(is_left),
            None,
            "{}\n{schema}",
            case.code.as_str()
        );
        // The corrected rule compiles.
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
        let reading = crd_unions::analyze_object(&schema);
        let strong: Vec<&Finding> = reading
            .findings
            .iter()
            .filter(|finding| finding.confidence == Confidence::Strong)
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
    assert_eq!(crd_unions::analyze_object(&schema).unions, []);
    // The result is the same if the rule is in the schema above.
    let list = json!({
        "type": "array",
        "maxItems": 3,
        "items": {"type": "object", "properties": {"alpha": {"type": "object"}, "beta": {"type": "object"}}},
        "x-kubernetes-validations": [
            {"rule": "self.all(x, !(has(x.alpha) && has(x.beta))) && size(self) == size(oldSelf)"},
        ],
    });
    assert_eq!(crd_unions::analyze_at(&list, "/items").unwrap().unions, []);
}

#[test]
fn a_value_that_an_open_union_takes_and_a_rule_refuses_is_left_over() {
    let mut schema = schema(&[ALPHA, "self.type != 'None'"], &json!({}));
    schema["properties"]["type"] = json!({"type": "string"});
    let reading = crd_unions::analyze_object(&schema);
    let [union] = &*reading.unions else {
        panic!("{}", json!(reading));
    };
    assert!(union.discriminator.as_ref().unwrap().open);
    assert_eq!(
        (
            union.exact,
            &*union.replaceable_rules,
            &*union.remaining_rules
        ),
        (false, &[0][..], &[1][..])
    );
}

/// The characters that a CEL literal or a JSON string escapes, and some that neither escapes.
const CHARACTERS: [char; 14] = [
    'a', '\'', '"', '\\', '\n', '\r', '\t', '\0', '\u{1b}', '\u{7f}', '\u{85}', 'é', '😀', '/',
];

#[test]
fn remedies_hold_values_of_any_characters() {
    let mut values: Vec<String> = CHARACTERS.iter().map(|c| format!("A{c}X")).collect();
    values.push(CHARACTERS.iter().collect());
    for value in values {
        let open = json!({
            "type": "object",
            "properties": {"type": {"type": "string"}, "a": {"type": "object"}},
            "required": ["type"],
        });
        let rule = format!(
            "self.type == {} ? has(self.a) : true",
            string_literal(&value)
        );
        let mut hole = open.clone();
        hole["properties"]["type"]["enum"] = json!([value, "B"]);
        hole["x-kubernetes-validations"] = json!([{"rule": rule}]);
        // The correction is a rule about the same value.
        let found = finding(&hole, FindingCode::NotForbidden);
        hole["x-kubernetes-validations"] = json!([{"rule": found.remedy}]);
        assert!(
            is_accepted(&hole, &json!({"type": value, "a": {}})),
            "{value:?}"
        );
        assert!(!is_accepted(&hole, &json!({"type": value})), "{value:?}");
        assert!(
            !is_accepted(&hole, &json!({"type": "B", "a": {}})),
            "{value:?}"
        );

        // The correction is an enum with the same value.
        let literal = string_literal(&value);
        let mut free = open;
        free["x-kubernetes-validations"] = json!([
            {"rule": format!("self.type == {literal} ? has(self.a) : true")},
            {"rule": "self.type == 'B' ? !has(self.a) : true"},
        ]);
        let found = finding(&free, FindingCode::FreeWithUnknownValue);
        let keyword: Value = serde_json::from_str(&format!("{{{}}}", found.remedy)).expect("JSON");
        assert!(
            keyword["enum"]
                .as_array()
                .is_some_and(|values| values.contains(&json!(value))),
            "{keyword}"
        );
    }
}
