//! Each feature is found as the cause of a difference.

use std::collections::HashSet;

use k8s_crd_validation::FeatureKind;
use k8s_upgrade::{Feature, KubeVersion, Request};
use serde_json::{Value, json};

use crate::inputs::{compare, crd, object, version};

/// A rule at the root of a CRD, and the feature that decides its result.
pub(crate) const RULES: &[(Feature, &str)] = &[
    (Feature::MixedComparisons, "1 < 1.5"),
    (Feature::Optionals, "self.?s.hasValue()"),
    (Feature::Quantities, "isQuantity('1')"),
    (
        Feature::LiteralValidation,
        "'a'.matches('a') || 'a'.matches('[')",
    ),
    (Feature::StringsVersion2, "strings.quote('a').size() > 0"),
    (Feature::Sets, "sets.contains([1], [1])"),
    (Feature::IpAndCidr, "isIP('10.0.0.1')"),
    (
        Feature::NamedFormats,
        "!format.dns1123Label().validate('a').hasValue()",
    ),
    (Feature::ReservedFieldNames, "!has(self.namespace)"),
    (Feature::TwoVariableMacros, "[1].all(i, v, v > i)"),
    (Feature::Semver, "isSemver('1.0.0')"),
    (Feature::ListsVersion3, "[1, 1].distinct().size() == 1"),
    (Feature::Includes, "[1].includes(1)"),
    (Feature::GlobalMatches, "matches('a', 'a')"),
    (
        Feature::OptFlatMap,
        "optional.of(1).optFlatMap(x, optional.of(x)).hasValue()",
    ),
    (Feature::ElementTypeValidation, "[1, dyn('a')].size() == 2"),
    (Feature::ConversionOverloads, "string(dyn(null)) == 'null'"),
    (
        Feature::SortedOverloads,
        "[[][0]].map(x, x + x == 1 ? x : 1).size() == 1 || true",
    ),
    (Feature::UnknownListSizes, "1 in dyn([1])"),
    (
        Feature::CompactProducts,
        "'%e'.format([-1.5]) == '-1.500000×10⁰⁰'",
    ),
    (Feature::ObjectsWithoutFields, "self.empty == self.empty"),
    (Feature::FormatValues, "{format.byte(): 1}.size() == 1"),
    (Feature::PresenceCosts, "has(self.s) || true"),
    (
        Feature::ComprehensionSizes,
        "[1, 2].map(x, x).size() in [1, 2].map(x, x)",
    ),
    (Feature::OptionalTypeName, "optional.of(1) < 1"),
    (Feature::FormatValidation, "'%d'.format(['a']) == 'a'"),
    (Feature::OffsetsBeyondEnd, "'a'.indexOf('a', 5) == -1"),
    (
        Feature::OptMapOfUntypedTargets,
        "!optional.none().optMap(x, 5).hasValue()",
    ),
    (
        Feature::OptionalsVersion2,
        "optional.unwrap([optional.of(1)]).size() == 1",
    ),
    (Feature::DynLoopVariables, "dyn([1]).all(i, x, x > 0)"),
    (Feature::ElementSizes, "['abc'][0].contains('b')"),
    (Feature::LastIndexInEmptyString, "''.lastIndexOf('a') == -1"),
    (Feature::QuotedFieldNames, "self.m.`a` == 'a'"),
    (Feature::RootScope, "[1].all(self, has(.self.s))"),
    (
        Feature::NoDurationFromInt,
        "duration(1 + 1) == duration('2s') || true",
    ),
    (
        Feature::NonNegativeListArguments,
        "lists.range(0 - self.i).size() == 0",
    ),
    (Feature::OptionalReceivers, "dyn(1).orValue(1) == 1"),
    (Feature::EmptySubstringBounds, "'abc'.indexOf('', 9) == 3"),
    (Feature::GlobalMatchesCost, "matches(self.s, 'a')"),
    (
        Feature::DynTypeParameters,
        "dyn(optional.none()).flatten().size() == 0",
    ),
    (Feature::SymmetricNull, "null != self"),
    (Feature::QuantityCosts, "isQuantity('12345678901234')"),
    (Feature::TypeNamesOfFormats, "type(self.d) == timestamp"),
    (
        Feature::ContainsSubnets,
        "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
    ),
    (
        Feature::OpaqueEqualityCosts,
        "url('http://a') == url('http://a')",
    ),
    (
        Feature::IntOrStringLengths,
        "string(self.ios).contains('b') || true",
    ),
    (Feature::EnumLengths, "self.e.contains('bb') || true"),
    (
        Feature::NameLengths,
        "self.metadata.name.contains('b') || true",
    ),
    (Feature::QuotedValues, "self.i > 1000"),
    (Feature::SetEquality, "self.set == ['a', 'a']"),
    (Feature::NullFieldEquality, "self.nulls[0] == self.nulls[1]"),
    (
        Feature::ConvertedSums,
        "(self.times + self.times).max() > duration('0s')",
    ),
    (
        Feature::OptionalResults,
        "optional.of(7u).optMap(x, list).value() == list",
    ),
    (Feature::QuotedListKeys, "self.keyed == self.keyed"),
];

/// A schema of the field `f`, a value of the field, and the feature that decides the answers.
pub(crate) fn fields() -> Vec<(Feature, Value, Value)> {
    let spec = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let metadata = vec![
        (Feature::DeclarativeMetadata, spec.clone(), json!({})),
        (Feature::FinalizerWarnings, spec, json!({})),
    ];
    [numbers(), rule_keywords(), schemas(), metadata].concat()
}

fn numbers() -> Vec<(Feature, Value, Value)> {
    vec![
        (
            Feature::NumericRanges,
            json!({"type": "integer", "format": "int32"}),
            json!(3_000_000_000_i64),
        ),
        (
            Feature::FormatsByType,
            json!({"type": "integer", "format": "ipv4"}),
            json!(5),
        ),
        (
            Feature::MultipleOfTolerance,
            json!({"type": "number", "multipleOf": 0.01}),
            json!(1.13),
        ),
    ]
}

fn rule_keywords() -> Vec<(Feature, Value, Value)> {
    let rule = |rule: Value| json!({"type": "integer", "x-kubernetes-validations": [rule]});
    vec![
        (
            Feature::MessageExpression,
            rule(json!({"rule": "self > 5", "messageExpression": "'a'"})),
            json!(1),
        ),
        (
            Feature::ReasonAndFieldPath,
            rule(json!({"rule": "self > 5", "reason": "FieldValueForbidden"})),
            json!(1),
        ),
        (
            Feature::OptionalOldSelf,
            rule(json!({"rule": "!oldSelf.hasValue()", "optionalOldSelf": true})),
            json!(1),
        ),
        // The cost of the rule is above the limit for a rule and below the limit for a schema.
        (
            Feature::StoredRuleCosts,
            json!({
                "type": "array", "maxItems": 2000, "items": {"type": "integer"},
                "x-kubernetes-validations": [{"rule": "self.all(x, self.all(y, x <= y || y <= x))"}],
            }),
            json!([]),
        ),
    ]
}

fn schemas() -> Vec<(Feature, Value, Value)> {
    let int_or_string = json!([{"type": "integer", "example": 1}, {"type": "string"}]);
    vec![
        (
            Feature::Ratcheting,
            json!({"type": "string", "maxLength": 1}),
            json!("ab"),
        ),
        (
            Feature::NameFormats,
            json!({"type": "string", "format": "k8s-short-name", "default": "A_"}),
            json!("a"),
        ),
        (
            Feature::FormatWarnings,
            json!({"type": "string", "format": "no-format"}),
            json!("a"),
        ),
        (
            Feature::StructuralDocumentation,
            json!({"x-kubernetes-int-or-string": true, "anyOf": int_or_string}),
            json!("a"),
        ),
        (
            Feature::SetItemsWarning,
            json!({
                "type": "array", "x-kubernetes-list-type": "set",
                "items": {"type": "object", "x-kubernetes-map-type": "atomic"},
            }),
            json!([]),
        ),
    ]
}

/// Returns an object with metadata whose errors or warnings the feature decides.
pub(crate) fn with_metadata(feature: Feature, mut object: Value) -> Value {
    match feature {
        Feature::DeclarativeMetadata => {
            object["metadata"]["ownerReferences"] = json!([{"kind": "A", "name": "a"}]);
        }
        Feature::FinalizerWarnings => object["metadata"]["finalizers"] = json!(["a"]),
        _ => {}
    }
    object
}

/// CRDs with an object, and the feature that decides the answers.
fn crds() -> Vec<(Feature, Value, Value)> {
    let status = json!({"type": "object", "properties": {
        "status": {"type": "object", "properties": {"a": {"type": "integer", "maximum": 5}}},
        "a": {"type": "string"},
    }});
    let invalid_status = object(&json!({"status": {"a": 7}}));
    let enum_and_rule = json!({"type": "object", "properties": {
        "a": {"type": "string", "enum": ["b"]}, "b": {"type": "integer"},
    }, "x-kubernetes-validations": [{"rule": "self.b > 5"}]});
    let own_paths = json!({"type": "object", "properties": {
        "a": {"type": "integer"}, "b": {"type": "integer"},
    }, "x-kubernetes-validations": [
        {"rule": "self.a > 5", "fieldPath": ".a"}, {"rule": "self.b > 5", "fieldPath": ".b"},
    ]});
    let mut selectable = crd(&status);
    selectable["spec"]["versions"][0]["selectableFields"] = json!([{"jsonPath": ".a"}]);
    vec![
        (
            Feature::StoredSelectableFields,
            crd_with_too_many_selectable_fields(),
            object(&json!({})),
        ),
        (Feature::StatusPaths, crd(&status), invalid_status.clone()),
        (Feature::StatusRatcheting, crd(&status), invalid_status),
        (
            Feature::EnumBeforeRules,
            crd(&enum_and_rule),
            object(&json!({"a": "c", "b": 1})),
        ),
        (
            Feature::OwnFieldPaths,
            crd(&own_paths),
            object(&json!({"a": 1, "b": 1})),
        ),
        (Feature::SelectableFields, selectable, object(&json!({}))),
    ]
}

fn crd_with_too_many_selectable_fields() -> Value {
    let names: Vec<String> = (0..9).map(|i| format!("f{i}")).collect();
    let properties: Value = names
        .iter()
        .map(|name| (name.clone(), json!({"type": "string"})))
        .collect();
    let mut crd = crd(&json!({"type": "object", "properties": properties}));
    crd["spec"]["versions"][0]["selectableFields"] = names
        .iter()
        .map(|name| json!({"jsonPath": format!(".{name}")}))
        .collect();
    crd
}

/// The properties of the root of the CRDs with rules.
pub(crate) fn properties() -> Value {
    let key = json!({"type": "string", "maxLength": 5});
    let keyed = json!({
        "type": "array", "maxItems": 5, "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["a", "b", "c", "d"],
        "items": {
            "type": "object", "required": ["a", "b", "c", "d"],
            "properties": {"a": key, "b": key, "c": key, "d": key},
        },
    });
    json!({
        "keyed": keyed, "empty": {"type": "object"},
        "s": {"type": "string", "maxLength": 20},
        "i": {"type": "integer"},
        "d": {"type": "string", "format": "date-time", "maxLength": 30},
        "e": {"type": "string", "enum": ["a", "bb"]},
        "namespace": {"type": "string", "maxLength": 20},
        "ios": {"x-kubernetes-int-or-string": true, "maxLength": 9},
        "m": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 5}},
        "set": {
            "type": "array", "x-kubernetes-list-type": "set", "maxItems": 5,
            "items": {"type": "string", "maxLength": 5},
        },
        "times": {
            "type": "array", "maxItems": 5,
            "items": {"type": "string", "format": "duration", "maxLength": 9},
        },
        "nulls": {
            "type": "array", "maxItems": 5,
            "items": {
                "type": "object",
                "properties": {"a": {"type": "string", "nullable": true, "maxLength": 5}},
            },
        },
    })
}

pub(crate) fn rule_object() -> Value {
    object(&json!({
        "s": "abc", "i": 1, "empty": {}, "d": "2020-01-01T00:00:00Z", "e": "a", "ios": "abc", "m": {"a": "a"},
        "set": ["a", "b"], "times": ["1s"], "nulls": [{"a": null}, {"a": null}],
        "keyed": [
            {"a": "x y", "b": "z", "c": "q", "d": "q"},
            {"a": "x", "b": "y z", "c": "q", "d": "q"},
        ],
    }))
}

/// Returns the features that the findings of an upgrade and of a rollback have as their only cause.
/// Each finding has a cause.
fn single_causes(minors: (u16, u16), crd: &Value, object: &Value) -> HashSet<Feature> {
    let (older, newer) = (version(minors.0), version(minors.1));
    let mut causes = HashSet::new();
    for (from, to) in [(older, newer), (newer, older)] {
        for finding in compare(from, to, crd, object) {
            assert!(!finding.causes.is_empty(), "{from} -> {to}: {finding:?}");
            if let [cause] = *finding.causes {
                causes.insert(cause);
            }
        }
    }
    causes
}

#[test]
fn the_cause_of_each_difference_is_found() {
    let mut missing = Vec::new();
    for (feature, rule) in RULES {
        let schema = json!({
            "type": "object", "properties": properties(),
            "x-kubernetes-validations": [{"rule": rule}],
        });
        let minor = feature.since().minor();
        let causes = single_causes((minor - 1, minor), &crd(&schema), &rule_object());
        if !causes.contains(feature) {
            missing.push(format!("{feature:?}: {rule}: {causes:?}"));
        }
    }
    for (feature, crd, object) in crds_and_fields() {
        let (before, since) = (feature.introduced().minor() - 1, feature.since().minor());
        let causes = single_causes((before, since), &crd, &object);
        if !causes.contains(&feature) {
            missing.push(format!("{feature:?}: {causes:?}"));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The update and the update of the status change for different reasons. The causes are those of
/// the main change.
#[test]
fn the_causes_are_those_of_the_main_change() {
    let status = json!({"type": "object", "properties": {"a": {"type": "integer", "maximum": 5}}});
    let schema = json!({"type": "object", "properties": {"status": status}});
    let invalid = object(&json!({"status": {"a": 7}}));
    let findings = compare(version(29), version(33), &crd(&schema), &invalid);
    let mut findings = findings.iter();
    let finding = findings.find(|finding| finding.path.as_str() == "status.a");
    let finding = finding.expect("the error of `status.a`");
    let requests: Vec<Request> = finding
        .changes
        .iter()
        .map(|change| change.request)
        .collect();
    assert!(
        requests.contains(&Request::UnrelatedStatusUpdate),
        "{finding:?}"
    );
    let main_request = finding.main_change().map(|change| change.request);
    assert_eq!(main_request, Some(Request::UnrelatedUpdate));
    assert_eq!(finding.causes, [Feature::Ratcheting]);
}

fn crds_and_fields() -> Vec<(Feature, Value, Value)> {
    let fields = fields().into_iter().map(|(feature, field, value)| {
        let schema = json!({"type": "object", "properties": {"f": field}});
        let object = with_metadata(feature, object(&json!({"f": value})));
        (feature, crd(&schema), object)
    });
    fields.chain(crds()).collect()
}

/// The features that the tables above do not have.
const UNTESTED: &[(Feature, &str)] = &[
    (
        Feature::Authorizer,
        "rules of CRDs do not have an authorizer",
    ),
    (
        Feature::AuthorizerSelectors,
        "rules of CRDs do not have an authorizer",
    ),
    (
        Feature::CompatibilityVersion,
        "1.27 adds only functions of the authorizer",
    ),
    (
        Feature::RequestSchema,
        "the object has the version of the request",
    ),
    (
        Feature::OldSelfSchema,
        "all differences need `OptionalResults` too, which is found",
    ),
    (
        Feature::CaBundles,
        "an unchanged update has the bundle of the stored CRD",
    ),
    (
        Feature::OptionalOldSelfGate,
        "1.28 does not have the keyword",
    ),
    (
        Feature::LazyVariables,
        "only actual costs differ, which an answer does not contain",
    ),
    (
        Feature::OptionalSizes,
        "only actual costs differ, which an answer does not contain",
    ),
    (
        Feature::AffixCost,
        "only actual costs differ, which an answer does not contain",
    ),
];

#[test]
fn every_feature_is_tested_or_has_a_reason() {
    let others = crds_and_fields().into_iter().map(|(feature, ..)| feature);
    let tested = RULES.iter().chain(UNTESTED).map(|(feature, _)| *feature);
    let tested: HashSet<Feature> = tested.chain(others).collect();
    let untested: Vec<&Feature> = Feature::ALL
        .iter()
        .filter(|feature| feature.kind() != FeatureKind::Api && !tested.contains(feature))
        .collect();
    assert!(untested.is_empty(), "{untested:?}");
}

#[test]
fn a_function_comes_to_new_rules_one_version_later() {
    for feature in Feature::ALL {
        let (since, in_new_rules) = (feature.since(), feature.since_in_new_rules());
        let Some(in_new_rules) = in_new_rules.filter(|version| *version != since) else {
            continue;
        };
        let Some((_, rule)) = RULES.iter().find(|(other, _)| other == feature) else {
            continue;
        };
        let schema = json!({
            "type": "object", "properties": properties(),
            "x-kubernetes-validations": [{"rule": rule}],
        });
        let minors = (in_new_rules.minor() - 1, in_new_rules.minor());
        let causes = single_causes(minors, &crd(&schema), &rule_object());
        assert!(causes.contains(feature), "{feature:?}: {causes:?}");
    }
}

#[test]
fn versions_that_differ_in_nothing_have_no_findings() {
    let crd = crd(&json!({"type": "object", "properties": properties()}));
    for version in KubeVersion::all() {
        let findings = compare(version, version, &crd, &rule_object());
        assert!(findings.is_empty(), "{version}: {findings:?}");
    }
}
