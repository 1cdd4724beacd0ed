//! Results other than unions and findings: reasons, conditional fields, empty values, hints,
//! exclusions, and rules that the union does not imply.

use std::collections::BTreeSet;

use crd_unions::{ConditionalField, NoUnionReason, Union};
use serde_json::{Value, json};

fn schema(rules: &[&str]) -> Value {
    let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
    json!({
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": ["Alpha", "Beta", "None"]},
            "alpha": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 9}}},
            "other": {"type": "object"},
            "third": {"type": "object"},
            "list": {"type": "array", "maxItems": 4, "items": {"type": "string"}},
            "flag": {"type": "boolean"},
            "zone": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string", "maxLength": 9}, "kind": {"type": "string", "enum": ["A", "B"]}},
            },
        },
        "required": ["type"],
        "x-kubernetes-validations": rules,
    })
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_reason_has_example_rules() {
    let cases: [(&[&str], &[NoUnionReason]); 14] = [
        (
            &["has(self.other) == has(self.third)"],
            &[NoUnionReason::AllOrNone],
        ),
        (
            &["has(self.other) || has(self.third)"],
            &[NoUnionReason::AtLeastOne],
        ),
        (
            &["!has(self.flag) || !self.flag || !has(self.other)"],
            &[NoUnionReason::BooleanDiscriminator],
        ),
        (
            &["self.type != 'Alpha' || has(self.other)"],
            &[NoUnionReason::ConditionallyRequired],
        ),
        (&[], &[NoUnionReason::NamingConvention]),
        (
            &["!has(self.other) || has(self.third)"],
            &[NoUnionReason::NamingConvention, NoUnionReason::Dependency],
        ),
        (
            &[
                "!has(self.other) || !has(self.third)",
                "!has(self.other) || !has(self.zone)",
                "!has(self.third) || !has(self.zone)",
                "!has(self.other) || !has(self.list)",
            ],
            &[NoUnionReason::AdditionalExclusion],
        ),
        (
            &["self.type != 'Alpha' || has(self.alpha)"],
            &[NoUnionReason::MissingRules],
        ),
        (
            &[
                "!has(self.zone) || !has(self.zone.kind) || self.zone.kind != 'A' || has(self.other)",
            ],
            &[NoUnionReason::DifferentLevels],
        ),
        (
            &[
                "!has(self.other) || !has(self.third)",
                "!has(self.other) || !has(self.zone)",
            ],
            &[NoUnionReason::OverlappingExclusions],
        ),
        (
            &[
                "!has(self.other) || self.type == 'Alpha'",
                "!has(self.third) || self.type == 'Alpha'",
            ],
            &[NoUnionReason::SeveralFieldsPerValue],
        ),
        (
            &["self.type != 'None' || !has(self.other)"],
            &[NoUnionReason::SeveralValuesPerField],
        ),
        (
            &["has(self.other) && !has(self.other) || self.other == null"],
            &[NoUnionReason::Unsatisfiable],
        ),
        (&["self.type != 'None'"], &[NoUnionReason::ValuesOnly]),
    ];
    let mut covered_reasons = BTreeSet::new();
    for (rules, expected) in cases {
        let mut schema = schema(rules);
        if !expected.contains(&NoUnionReason::NamingConvention) {
            // A field that is named like a value and has no rule is a hint.
            let values = if expected == [NoUnionReason::MissingRules] {
                json!(["Alpha", "Beta"])
            } else {
                json!(["Alpha", "Beta", "None"])
            };
            schema["properties"]["type"]["enum"] = values;
        }
        let analysis = crd_unions::analyze_object(&schema);
        let mut reasons = analysis.no_union_reasons.clone();
        if !expected.contains(&NoUnionReason::NamingConvention) {
            reasons.retain(|reason| *reason != NoUnionReason::NamingConvention);
        }
        assert_eq!(reasons, expected, "{rules:?}: {}", json!(analysis));
        covered_reasons.extend(expected.iter().map(|reason| reason.as_str()));
    }
    assert_eq!(covered_reasons.len(), 14);
}

fn only_union(schema: &Value) -> Union {
    let analysis = crd_unions::analyze_object(schema);
    let [union] = &*analysis.unions else {
        panic!("{}", json!(analysis));
    };
    union.clone()
}

const ALPHA: &str = "self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)";

#[test]
fn fields_that_depend_on_the_discriminator_are_listed() {
    let union = only_union(&schema(&[
        ALPHA,
        "self.type != 'Beta' || has(self.other)",
        "self.type != 'None' || !has(self.third)",
    ]));
    let conditional_field = |name: &str, values: &[&str], required_at: &[&str]| {
        let [values, required_at] = [values, required_at]
            .map(|values| values.iter().map(|value| (*value).to_owned()).collect());
        (name.to_owned(), values, required_at)
    };
    let expected: [(String, Vec<String>, Vec<String>); 2] = [
        conditional_field("other", &["Alpha", "Beta", "None"], &["Beta"]),
        conditional_field("third", &["Alpha", "Beta"], &[]),
    ];
    let actual = union.conditional_fields.into_iter().map(
        |ConditionalField {
             name,
             values,
             required_at,
             ..
         }| (name, values, required_at),
    );
    assert_eq!(actual.collect::<Vec<_>>(), expected);
}

#[test]
fn rules_with_unknown_results_are_remaining_rules() {
    // The result of `matches` is unknown, but the rule is known to read the string.
    let matches_rule = "self.type != 'Alpha' || has(self.alpha) && self.alpha.text.matches('^x')";
    let mut schema_with_text = schema(&[ALPHA, matches_rule]);
    schema_with_text["properties"]["alpha"]["required"] = json!(["text"]);
    let union = only_union(&schema_with_text);
    assert_eq!(
        (
            union.exact,
            &*union.replaceable_rules,
            &*union.remaining_rules
        ),
        (false, &[0][..], &[1][..])
    );
    // A rule that is not a valid expression may be about any field.
    let union = only_union(&schema(&[ALPHA, "self.type =="]));
    assert_eq!((union.exact, &*union.remaining_rules), (false, &[1][..]));
    let union = only_union(&schema(&[ALPHA, "!has(self.other) || has(self.third)"]));
    assert_eq!(
        (
            union.exact,
            &*union.replaceable_rules,
            &*union.remaining_rules
        ),
        (true, &[0][..], &[][..])
    );
}

#[test]
fn fields_whose_empty_value_counts_as_unset_are_listed_and_their_unions_are_not_sound() {
    let analysis = crd_unions::analyze_object(&schema(&[
        "!(has(self.other) && has(self.list) && size(self.list) > 0)",
    ]));
    assert_eq!(analysis.empty_counts_as_unset, ["list"]);
    assert!(!analysis.unions[0].is_sound());
    // These rules distinguish empty from absent.
    let analysis = crd_unions::analyze_object(&schema(&[
        "!(has(self.other) && has(self.list))",
        "!has(self.list) || size(self.list) > 0",
    ]));
    assert_eq!(analysis.empty_counts_as_unset, [""; 0]);
    assert!(analysis.unions[0].is_sound());
    // The name is absent only if the object that requires it is absent.
    let analysis = crd_unions::analyze_object(&schema(&[
        "!(has(self.flag) && self.flag && has(self.zone) && size(self.zone.name) > 0)",
    ]));
    assert_eq!(analysis.empty_counts_as_unset, ["zone.name"]);
}

#[test]
fn an_absent_discriminator_has_its_default() {
    let mut schema = schema(&[ALPHA]);
    schema["properties"]["type"]["default"] = "None".into();
    schema["required"] = json!([]);
    let discriminator = only_union(&schema).discriminator.unwrap();
    assert_eq!(
        (discriminator.required, discriminator.default.as_deref()),
        (true, Some("None"))
    );
    schema["properties"]["type"]
        .as_object_mut()
        .unwrap()
        .remove("default");
    schema["x-kubernetes-validations"] =
        json!([{"rule": ALPHA.replace("self.type ==", "has(self.type) && self.type ==")}]);
    assert!(!only_union(&schema).discriminator.unwrap().required);
}

#[test]
fn null_is_unset_for_a_union_but_present_for_required() {
    let mut schema = schema(&[]);
    schema["oneOf"] = json!([{"required": ["other"]}, {"required": ["third"]}]);
    assert_eq!(only_union(&schema).arity_name(), "exactly one");
    // `{other: null}` is accepted, so no member must be set.
    schema["properties"]["other"]["nullable"] = true.into();
    assert_eq!(only_union(&schema).arity_name(), "at most one");
}

#[test]
fn a_pointer_to_no_schema_is_an_error() {
    let error = crd_unions::analyze_at(&schema(&[]), "/properties/nothing").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("\"/properties/nothing\" is not a path to a schema; use"),
        "{error}"
    );
    let error = crd_unions::analyze_crd(&json!({"kind": "Pod"})).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("spec.versions must be a list"),
        "{error}"
    );
}

fn strings(lists: &[&[&str]]) -> Vec<Vec<String>> {
    let to_strings = |list: &&[&str]| list.iter().map(|name| (*name).to_owned()).collect();
    lists.iter().map(to_strings).collect()
}

#[test]
fn overlapping_exclusions_are_listed() {
    // A field excludes two fields that may be set together.
    let analysis = crd_unions::analyze_object(&schema(&[
        "!has(self.other) || !has(self.third)",
        "!has(self.zone) || !has(self.other)",
    ]));
    assert_eq!(analysis.unions, []);
    let pairs = [["other", "third"], ["other", "zone"]];
    assert_eq!(
        analysis.exclusions,
        pairs.map(|pair| pair.map(str::to_owned))
    );
    assert_eq!(analysis.alternative_field_sets, []);
    // The pairs in addition to a group are listed.
    let analysis = crd_unions::analyze_object(&schema(&[
        "(has(self.other) ? 1 : 0) + (has(self.third) ? 1 : 0) + (has(self.zone) ? 1 : 0) <= 1",
        "!has(self.other) || !has(self.list)",
    ]));
    assert_eq!(analysis.unions.len(), 1);
    assert_eq!(analysis.exclusions, [["list", "other"].map(str::to_owned)]);
    // The pairs of a union are not listed.
    let analysis = crd_unions::analyze_object(&schema(&["!has(self.other) || !has(self.third)"]));
    assert_eq!((analysis.unions.len(), &*analysis.exclusions), (1, &[][..]));
}

#[test]
fn alternatives_of_several_fields_are_alternative_field_sets() {
    let all_or_none = "has(self.third) == has(self.zone)";
    let sum = "(has(self.list) ? 1 : 0) + (has(self.other) ? 1 : 0) + (has(self.third) ? 1 : 0)";
    let analyze_with_bound = |bound: &str| {
        crd_unions::analyze_object(&schema(&[all_or_none, &format!("{sum} {bound}")]))
    };
    let alternatives = strings(&[&["list"], &["other"], &["third", "zone"]]);
    for (bound, required) in [("<= 1", false), ("== 1", true)] {
        let analysis = analyze_with_bound(bound);
        assert_eq!(analysis.unions, [], "{}", json!(analysis));
        let [field_sets] = &*analysis.alternative_field_sets else {
            panic!("{analysis:?}");
        };
        assert_eq!(
            (&field_sets.alternatives, field_sets.required),
            (&alternatives, required)
        );
        // The alternatives of a single field.
        assert_eq!(field_sets.single_fields(), ["list", "other"]);
        assert_eq!(analysis.exclusions, [] as [[String; 2]; 0]);
    }
    // Two alternatives of several fields, and no alternative of a single field.
    let analysis = crd_unions::analyze_object(&schema(&[
        all_or_none,
        "has(self.list) == has(self.other)",
        "!has(self.list) || !has(self.zone)",
    ]));
    assert_eq!(
        analysis.alternative_field_sets[0].alternatives,
        strings(&[&["list", "other"], &["third", "zone"]])
    );
    assert_eq!(analysis.alternative_field_sets[0].single_fields(), [""; 0]);
    // `zone` may be set without `third`, so the two fields are not one alternative.
    let analysis = crd_unions::analyze_object(&schema(&[
        "!has(self.third) || has(self.zone)",
        "!has(self.list) || !has(self.zone)",
        "!has(self.list) || !has(self.third)",
    ]));
    assert_eq!(
        (
            analysis.alternative_field_sets.len(),
            analysis.exclusions.len()
        ),
        (0, 2)
    );
}

#[test]
fn a_group_whose_members_an_enum_names_is_a_group_and_a_naming_hint() {
    let analysis = crd_unions::analyze_object(&json!({
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["Alpha", "Beta"]},
            "alpha": {"type": "object"},
            "beta": {"type": "object"},
        },
        "x-kubernetes-validations": [{"rule": "!(has(self.alpha) && has(self.beta))"}],
    }));
    assert_eq!(analysis.unions.len(), 1);
    assert_eq!(analysis.unions[0].discriminator, None);
    assert_eq!(analysis.naming_hints[0].discriminator, "kind");
    assert_eq!(analysis.no_union_reasons, [NoUnionReason::NamingConvention]);
}

#[test]
fn a_field_may_be_in_two_unions() {
    // The field is a member by its value, and a member of a group.
    let mut schema = schema(&[
        ALPHA,
        "self.type == 'Beta' ? true : !has(self.other)",
        "!(has(self.other) && has(self.third))",
    ]);
    schema["properties"]["type"]["enum"] = json!(["Alpha", "Beta", "None"]);
    let analysis = crd_unions::analyze_object(&schema);
    let unions_with_other: Vec<&Union> = analysis
        .unions
        .iter()
        .filter(|union| union.members.iter().any(|member| member.name == "other"))
        .collect();
    assert_eq!(unions_with_other.len(), 2, "{}", json!(analysis));
    assert!(unions_with_other.iter().all(|union| union.is_sound()));
}

#[test]
fn a_weak_union_hides_other_reasons_of_its_component() {
    let nested_rule =
        "!has(self.zone) || !has(self.zone.kind) || self.zone.kind != 'A' || has(self.third)";
    let zone_rule = "!has(self.zone) || self.type == 'Alpha'";
    // The zone may be set at Alpha only: a single optional field that depends on a value.
    let analysis = crd_unions::analyze_object(&schema(&[zone_rule, nested_rule]));
    assert!(analysis.unions[0].weak, "{}", json!(analysis));
    assert!(
        !analysis
            .no_union_reasons
            .contains(&NoUnionReason::DifferentLevels)
    );
    // With another member, the union is not weak, and the other dependency is reported.
    let analysis = crd_unions::analyze_object(&schema(&[
        zone_rule,
        nested_rule,
        "!has(self.other) || self.type == 'Beta'",
    ]));
    assert!(!analysis.unions[0].weak);
    assert!(
        analysis
            .no_union_reasons
            .contains(&NoUnionReason::DifferentLevels)
    );
}
