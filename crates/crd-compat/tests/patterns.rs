//! Tests of changed patterns: a class with another range, at each position of a pattern.

use crd_compat::{UnprovenReason, VersionReport, compare_crds};
use serde_json::{Value, json};

use crate::support::{Server, crd_with};

/// Ranges of characters, as they stand in a class.
const RANGES: [&str; 7] = ["a-z", "0-9", "A-Z", "_", ".", "à-ÿ", "一-丏"];

/// The positions of a class in a pattern; `@` stands for the class.
const POSITIONS: [&str; 6] = [
    "^[@]+$",
    "^[@]{1,63}$",
    "^[@]x*$",
    "^x[@]*y$",
    "^[a-z0-9]([-a-z0-9]*[@])?$",
    "^(v[0-9]+/)?[@]{2}(/[@]+){0,3}$",
];

/// Returns each class of two ranges, with the class without one of the ranges.
fn classes() -> Vec<[String; 2]> {
    let classes_with = |first: &'static str| {
        let others = RANGES.iter().filter(move |second| **second != first);
        others.map(move |second| [format!("{first}{second}"), first.to_owned()])
    };
    RANGES.into_iter().flat_map(classes_with).collect()
}

fn crd(spec: &Value) -> Value {
    crd_with(
        &json!({"type": "object", "properties": {"spec": spec}}),
        false,
    )
}

/// Returns a CRD with a field for each schema.
fn crd_with_fields(schemas: impl IntoIterator<Item = Value>) -> Value {
    let schemas = schemas.into_iter().enumerate();
    let fields = schemas.map(|(number, schema)| (format!("f{number}"), schema));
    let fields: serde_json::Map<String, Value> = fields.collect();
    crd(&json!({"type": "object", "properties": fields}))
}

fn compare(old: &Value, new: &Value) -> VersionReport {
    let report = compare_crds(old, new).unwrap();
    report.versions.into_iter().next().unwrap()
}

/// The direction of a change.
#[derive(Clone, Copy)]
enum Direction {
    Tightened,
    Loosened,
}

/// Asserts that a change of each field is found in both directions. The first schema of a field
/// accepts more values than the second.
#[track_caller]
fn assert_each_field_is_found(pairs: &[[Value; 2]]) {
    for direction in [Direction::Tightened, Direction::Loosened] {
        let report = assert_each_field_is_found_in(direction, pairs);
        // A looser rule that a stricter one replaces has no effect of its own.
        let unproven = report.unproven.iter();
        let unproven = unproven.filter(|it| it.keyword != Some("x-kubernetes-validations"));
        assert_eq!(unproven.count(), 0, "{:?}", report.unproven);
    }
}

#[track_caller]
fn assert_each_field_is_found_in(direction: Direction, pairs: &[[Value; 2]]) -> VersionReport {
    let [loose, strict] =
        [0, 1].map(|side| crd_with_fields(pairs.iter().map(|it| it[side].clone())));
    let [loose_server, strict_server] = [&loose, &strict].map(|crd| Server::new(crd).unwrap());
    let report = match direction {
        Direction::Tightened => compare(&loose, &strict),
        Direction::Loosened => compare(&strict, &loose),
    };
    for (number, pair) in pairs.iter().enumerate() {
        let path = format!("spec.f{number}");
        let is_of_field = |path_of_finding: &str| {
            let rest = path_of_finding.strip_prefix(&path);
            rest.is_some_and(|rest| !rest.starts_with(|it: char| it.is_ascii_digit()))
        };
        let mut findings = report.findings.iter().filter(|it| is_of_field(&it.path));
        let is_proven = findings.any(|finding| {
            let object = &finding.proof.as_ref().unwrap().object;
            loose_server.create(object).is_some() && strict_server.create(object).is_none()
        });
        assert!(is_proven, "{pair:?}");
    }
    report
}

/// Each class loses one of its ranges at each position. The field also has bounds of its length.
#[test]
fn a_removed_range_of_a_class_is_found_at_each_position() {
    let classes = classes();
    assert_eq!(classes.len(), 42);
    for (index, position) in POSITIONS.iter().enumerate() {
        let pairs = classes.iter().map(|classes| {
            classes.each_ref().map(|class| {
                let pattern = position.replace('@', class);
                json!({"type": "string", "minLength": 7, "maxLength": 9, "pattern": pattern})
            })
        });
        let direction = if index % 2 == 0 {
            Direction::Tightened
        } else {
            Direction::Loosened
        };
        let report = assert_each_field_is_found_in(direction, &pairs.collect::<Vec<_>>());
        assert_eq!(report.unproven, []);
    }
}

#[test]
fn other_changes_of_patterns_are_found() {
    let pairs = [
        // A part of a range.
        ("^[a-z]+$", "^[a-y]+$"),
        ("^[a-z]+$", "^[b-z]+$"),
        ("^[a-z]+$", "^[a-mo-z]+$"),
        // A negated class.
        ("^[^/]+$", "^[^/:]+$"),
        ("^[^/]+$", "^[^/x]+$"),
        // A branch, a repetition, an anchor and a flag.
        ("^(a|b|c|d|e|f)$", "^(a|b|c|d|e)$"),
        (
            "^([a-z]{1,8}-){0,2}[a-z]{1,8}$",
            "^([a-z]{1,8}-){0,2}[a-z]{1,7}$",
        ),
        ("^[0-9]+", "^[0-9]+$"),
        ("[0-9]$", "^[0-9]+$"),
        ("(?i)^[a-f0-9]+$", "^[a-f0-9]+$"),
        (r"^\d+(\.\d+)?$", r"^\d+$"),
        (r"foo", r"\bfoo\b"),
        // The pattern of names.
        (
            r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
            r"^[a-z]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
        ),
        (
            r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
            r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z]([-a-z0-9]*[a-z0-9])?)*$",
        ),
        (
            r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12}$",
            r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-e]{12}$",
        ),
    ];
    let pairs = pairs.map(|(loose, strict)| {
        [loose, strict].map(|pattern| json!({"type": "string", "pattern": pattern}))
    });
    assert_each_field_is_found(&pairs);
}

/// The pattern is not the keyword of the field, or the field is not in the object itself.
#[test]
fn a_removed_range_is_found_where_a_pattern_may_stand() {
    type Place = fn(&str) -> Value;
    let places: [Place; 9] = [
        |pattern| json!({"type": "string", "allOf": [{"pattern": pattern}]}),
        |pattern| json!({"type": "string", "anyOf": [{"pattern": pattern}, {"maxLength": 1}]}),
        |pattern| {
            json!({"type": "string", "maxLength": 20, "x-kubernetes-validations": [
                {"rule": format!("self.matches('{pattern}')")},
            ]})
        },
        |pattern| {
            json!({"type": "string", "maxLength": 20, "x-kubernetes-validations": [
                {"rule": format!("self.size() == 1 || self.matches('{pattern}')")},
            ]})
        },
        |pattern| {
            json!({"type": "object", "properties": {"a": {"type": "string", "maxLength": 20}},
                "x-kubernetes-validations": [
                    {"rule": format!("!has(self.a) || self.a.matches('{pattern}')")},
                ],
            })
        },
        |pattern| {
            json!({"type": "object", "maxProperties": 5,
                "additionalProperties": {"type": "string"},
                "x-kubernetes-validations": [
                    {"rule": format!("self.all(key, key.matches('{pattern}'))")},
                ],
            })
        },
        |pattern| json!({"type": "array", "items": {"type": "string", "pattern": pattern}}),
        |pattern| {
            json!({"type": "object", "additionalProperties":
                {"type": "string", "pattern": pattern},
            })
        },
        |pattern| json!({"x-kubernetes-int-or-string": true, "pattern": pattern}),
    ];
    for (loose, strict) in [
        ("^[a-z0-9]+$", "^[a-z]+$"),
        ("^[a-z][a-z0-9.]*[a-z]$", "^[a-z][a-z0-9]*[a-z]$"),
        ("^[a-z]+[a-zA-Z_]$", "^[a-z]+[a-z_]$"),
    ] {
        let pairs = places.map(|place| [loose, strict].map(place));
        assert_each_field_is_found(&pairs);
    }
}

/// A rule of the new version demands another pattern than the keyword of the old version.
#[test]
fn a_range_that_is_removed_with_a_new_rule_is_found() {
    let keyword = |pattern: &str| json!({"type": "string", "maxLength": 20, "pattern": pattern});
    let rule = |pattern: &str| {
        let rule = format!("self.matches('{pattern}')");
        json!({
            "type": "string",
            "maxLength": 20,
            "x-kubernetes-validations": [{"rule": rule}],
        })
    };
    let pairs = [
        ("^[a-z0-9]+$", "^[a-z]+$"),
        ("^[a-z][a-z0-9.]*[a-z]$", "^[a-z][a-z0-9]*[a-z]$"),
    ];
    let pairs = pairs.map(|(loose, strict)| [keyword(loose), rule(strict)]);
    let report = assert_each_field_is_found_in(Direction::Tightened, &pairs);
    // The removed pattern accepts more than the rule, so its removal has no effect.
    let reasons = report.unproven.iter().map(|it| (it.keyword, it.reason));
    let reasons: Vec<_> = reasons.collect();
    assert_eq!(reasons, [(Some("pattern"), UnprovenReason::SameAnswers); 2]);
}

/// Only one version has a pattern.
#[test]
fn an_added_pattern_is_found() {
    let patterns = [
        "^[^x]*$",
        "^([^q]|q[^x])*$",
        "^[a-z0-9 /._-]*$",
        "^.{0,40}$",
    ];
    let string = json!({"type": "string", "maxLength": 99});
    let pairs = patterns.map(|pattern| {
        let mut with_keyword = string.clone();
        with_keyword["pattern"] = json!(pattern);
        let mut with_rule = string.clone();
        let rule = format!("self.matches('{pattern}')");
        with_rule["x-kubernetes-validations"] = json!([{"rule": rule}]);
        [[string.clone(), with_keyword], [string.clone(), with_rule]]
    });
    assert_each_field_is_found(pairs.as_flattened());
    // The pattern accepts characters that the format does not accept.
    let pairs = ["^[a-zA-Z0-9_]+$", "^[a-z0-9/]+$"].map(|pattern| {
        [
            json!({"type": "string", "pattern": pattern}),
            json!({"type": "string", "format": "k8s-short-name"}),
        ]
    });
    let [old, new] = [0, 1].map(|side| crd_with_fields(pairs.iter().map(|it| it[side].clone())));
    let report = compare(&old, &new);
    let codes = report
        .findings
        .iter()
        .filter(|it| it.code == "format-tightened");
    assert_eq!(codes.count(), 2, "{:?}", report.findings);
}

#[test]
fn patterns_that_match_the_same_strings_have_no_finding() {
    for (old, new) in [
        ("^[a-z0-9]+$", "^[0-9a-z]{1}[a-z0-9]*$"),
        ("^(a|b)$", "^[ab]$"),
        (r"^\d$", "^[0-9]$"),
        (r"^\w+$", "^[0-9A-Za-z_]+$"),
    ] {
        let [old, new] = [old, new]
            .map(|pattern| crd_with_fields([json!({"type": "string", "pattern": pattern})]));
        let report = compare(&old, &new);
        assert_eq!(report.findings, []);
        assert_eq!(report.unproven.len(), 1);
    }
}
