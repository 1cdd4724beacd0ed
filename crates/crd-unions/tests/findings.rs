//! Every finding code: the example object, the server's result for this object, and the effect of
//! the remedy.

use std::collections::BTreeSet;

pub(crate) mod cases;

use crd_unions::{Confidence, Finding, FindingCode};
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use k8s_json_internals::cel_literal::string_literal;
use serde_json::{Value, json};

use cases::{ALPHA, BETA, cases, merge, schema};

/// Returns the finding of a schema with this code.
fn finding_with_code(schema: &Value, code: FindingCode) -> Finding {
    let analysis = crd_unions::analyze_object(schema);
    let mut finding = analysis
        .findings
        .iter()
        .filter(|finding| finding.code == code);
    let finding = finding
        .next()
        .unwrap_or_else(|| panic!("{}: {}\n{schema}", code.as_str(), json!(analysis)));
    finding.clone()
}

fn is_accepted(schema: &Value, object: &Value) -> bool {
    let root = json!({"type": "object", "properties": {"spec": schema}});
    let compiled =
        StructuralSchema::compile(&root).unwrap_or_else(|errors| panic!("{errors}\n{schema}"));
    let request = &mut json!({"spec": object});
    compiled
        .create(request, &ServerSettings::default())
        .is_accepted()
}

#[test]
fn every_code_has_a_case_with_the_expected_finding() {
    for case in cases() {
        let finding = finding_with_code(&case.schema, case.code);
        let name = case.code.as_str();
        assert_eq!(finding.fields, case.fields, "{name}");
        assert_eq!(finding.value.as_deref(), case.value, "{name}");
        assert_eq!(finding.confidence, case.confidence, "{name}");
        assert_eq!(finding.object, case.object, "{name}");
        assert_eq!(finding.remedy, case.remedy, "{name}");
        assert!(case.schema.pointer(case.pointer).is_some(), "{name}");
        if let Some(object) = &finding.object {
            assert_eq!(finding.accepted, case.accepted, "{name}");
            assert_eq!(
                is_accepted(&case.schema, object),
                case.accepted,
                "{name}: {object}"
            );
        }
    }
    let covered_codes: BTreeSet<FindingCode> = cases().iter().map(|case| case.code).collect();
    assert_eq!(covered_codes.len(), FindingCode::ALL.len());
}

#[test]
fn a_remedy_removes_its_finding() {
    let mut checked_count = 0;
    for case in cases() {
        let finding = finding_with_code(&case.schema, case.code);
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
            | FindingCode::FreeWithNextValue
            | FindingCode::DescribedNotEnforced
            | FindingCode::ImmutabilityEvaded => {
                let mut rules = rules();
                rules.push(json!({"rule": finding.remedy}));
                schema["x-kubernetes-validations"] = rules.into();
            }
            FindingCode::ReadWithoutHas => {
                schema["x-kubernetes-validations"] = json!([{"rule": finding.remedy}]);
            }
            FindingCode::ErrorWhenAbsent
            | FindingCode::FreeWithUnknownValue
            | FindingCode::NullCountsAsSet => {
                let keyword: Value =
                    serde_json::from_str(&format!("{{{}}}", finding.remedy)).unwrap();
                let target = match case.code {
                    FindingCode::ErrorWhenAbsent => &mut schema,
                    FindingCode::FreeWithUnknownValue => &mut schema["properties"]["type"],
                    _ => &mut schema["properties"]["alpha"],
                };
                merge(target, &keyword);
            }
            FindingCode::MessageSaysAtMostOne | FindingCode::MessageSaysExactlyOne => {
                let keyword: Value =
                    serde_json::from_str(&format!("{{{}}}", finding.remedy)).unwrap();
                merge(&mut schema["x-kubernetes-validations"][0], &keyword);
            }
            _ => continue,
        }
        checked_count += 1;
        let analysis = crd_unions::analyze_object(&schema);
        let is_same_finding =
            |other: &&Finding| other.code == case.code && other.fields == finding.fields;
        assert_eq!(
            analysis.findings.iter().find(is_same_finding),
            None,
            "{}\n{schema}",
            case.code.as_str()
        );
        // The corrected rule compiles.
        is_accepted(&schema, &json!({"type": "Alpha"}));
    }
    assert_eq!(checked_count, 12);
}

#[test]
fn correct_rules_have_no_strong_finding() {
    let schemas = [
        schema(&[ALPHA, BETA], &json!({})),
        schema(
            &["!has(self.type) || self.type != 'Alpha' || has(self.list)"],
            &json!({"required": []}),
        ),
        schema(&["has(self.alpha) || has(self.beta)"], &json!({})),
        schema(&["self.type != 'None'"], &json!({})),
    ];
    for schema in schemas {
        let analysis = crd_unions::analyze_object(&schema);
        let strong_findings: Vec<&Finding> = analysis
            .findings
            .iter()
            .filter(|finding| finding.confidence == Confidence::Strong)
            .collect();
        assert_eq!(strong_findings, [] as [&Finding; 0], "{schema}");
    }
}

#[test]
fn transition_rules_declare_no_union() {
    let rule = "!(has(self.alpha) && has(self.beta)) && self.type == oldSelf.type";
    let schema = schema(&[rule], &json!({}));
    assert!(is_accepted(
        &schema,
        &json!({"type": "Alpha", "alpha": {}, "beta": {}})
    ));
    assert_eq!(crd_unions::analyze_object(&schema).unions, []);
    // The result is the same if the rule is in the schema of the list around the object.
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
fn a_rule_that_rejects_a_value_of_an_open_union_is_a_remaining_rule() {
    let mut schema = schema(&[ALPHA, "self.type != 'None'"], &json!({}));
    schema["properties"]["type"] = json!({"type": "string"});
    let analysis = crd_unions::analyze_object(&schema);
    let [union] = &*analysis.unions else {
        panic!("{}", json!(analysis));
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
fn remedies_escape_all_characters() {
    let mut values: Vec<String> = CHARACTERS.iter().map(|c| format!("A{c}X")).collect();
    values.push(CHARACTERS.iter().collect());
    for value in values {
        let schema_without_rules = json!({
            "type": "object",
            "properties": {"type": {"type": "string"}, "a": {"type": "object"}},
            "required": ["type"],
        });
        let rule = format!(
            "self.type == {} ? has(self.a) : true",
            string_literal(&value)
        );
        let mut schema_with_incomplete_rule = schema_without_rules.clone();
        schema_with_incomplete_rule["properties"]["type"]["enum"] = json!([value, "B"]);
        schema_with_incomplete_rule["x-kubernetes-validations"] = json!([{"rule": rule}]);
        // The remedy is a rule about the same value.
        let finding = finding_with_code(&schema_with_incomplete_rule, FindingCode::NotForbidden);
        schema_with_incomplete_rule["x-kubernetes-validations"] = json!([{"rule": finding.remedy}]);
        assert!(
            is_accepted(
                &schema_with_incomplete_rule,
                &json!({"type": value, "a": {}})
            ),
            "{value:?}"
        );
        assert!(
            !is_accepted(&schema_with_incomplete_rule, &json!({"type": value})),
            "{value:?}"
        );
        assert!(
            !is_accepted(&schema_with_incomplete_rule, &json!({"type": "B", "a": {}})),
            "{value:?}"
        );

        // The remedy is an enum with the same value.
        let literal = string_literal(&value);
        let mut schema_without_enum = schema_without_rules;
        schema_without_enum["x-kubernetes-validations"] = json!([
            {"rule": format!("self.type == {literal} ? has(self.a) : true")},
            {"rule": "self.type == 'B' ? !has(self.a) : true"},
        ]);
        let finding = finding_with_code(&schema_without_enum, FindingCode::FreeWithUnknownValue);
        let keyword: Value =
            serde_json::from_str(&format!("{{{}}}", finding.remedy)).expect("JSON");
        assert!(
            keyword["enum"]
                .as_array()
                .is_some_and(|values| values.contains(&json!(value))),
            "{keyword}"
        );
    }
}
