//! Tests of values for which the rules of both versions require another field: a changed keyword of
//! such a value is found, too.

use crd_compat::{Finding, UnprovenReason, VersionReport, compare_crds};
use serde_json::{Value, json};

use crate::support::{Server, crd_with};

/// A keyword of the field `f`.
struct KeywordCase {
    name: &'static str,
    /// The keywords that the looser and the stricter schema have in common, as JSON.
    common: &'static str,
    loose: &'static str,
    strict: &'static str,
    /// A condition in CEL for which both schemas accept the value of the field.
    condition: &'static str,
}

const STRING: &str = r#"{"type": "string", "maxLength": 99}"#;
const INTEGER: &str = r#"{"type": "integer"}"#;
const LIST: &str = r#"{"type": "array", "items": {"type": "string", "maxLength": 9}}"#;
const MAP: &str =
    r#"{"type": "object", "additionalProperties": {"type": "string", "maxLength": 9}}"#;

const KEYWORDS: [KeywordCase; 13] = [
    case("enum", STRING, r#"["A", "B"]"#, r#"["A"]"#, "self.f == 'A'"),
    case(
        "pattern",
        STRING,
        r#""^[ab]$""#,
        r#""^a$""#,
        "self.f == 'a'",
    ),
    case("maxLength", STRING, "5", "3", "self.f.size() < 4"),
    case("minLength", STRING, "2", "4", "self.f.size() > 3"),
    case(
        "format",
        STRING,
        r#""""#,
        r#""ipv4""#,
        "self.f.startsWith('10.0.0.')",
    ),
    case("maximum", INTEGER, "9", "5", "self.f < 6"),
    case("minimum", INTEGER, "2", "4", "self.f > 3"),
    case("multipleOf", INTEGER, "1", "4", "self.f % 4 == 0"),
    case("maxItems", LIST, "4", "2", "self.f.size() < 3"),
    case("minItems", LIST, "1", "2", "self.f.size() > 1"),
    case("maxProperties", MAP, "4", "2", "self.f.size() < 3"),
    case(
        "x-kubernetes-validations",
        STRING,
        "[]",
        r#"[{"rule": "self != 'x'"}]"#,
        "self.f != 'x'",
    ),
    case(
        "anyOf",
        STRING,
        r#"[{"enum": ["A"]}, {"enum": ["B"]}]"#,
        r#"[{"enum": ["A"]}, {"enum": ["C"]}]"#,
        "self.f == 'A' || self.f == 'C'",
    ),
];

const fn case(
    name: &'static str,
    common: &'static str,
    loose: &'static str,
    strict: &'static str,
    condition: &'static str,
) -> KeywordCase {
    KeywordCase {
        name,
        common,
        loose,
        strict,
        condition,
    }
}

impl KeywordCase {
    /// Returns the looser and the stricter schema.
    fn schemas(&self) -> [Value; 2] {
        [self.loose, self.strict].map(|value| {
            let mut schema: Value = serde_json::from_str(self.common).unwrap();
            schema[self.name] = serde_json::from_str(value).unwrap();
            schema
        })
    }
}

fn with(mut schema: Value, keywords: &Value) -> Value {
    for (keyword, value) in keywords.as_object().unwrap() {
        schema[keyword] = value.clone();
    }
    schema
}

/// Rules for the other fields of a value, and the schemas of these fields.
fn required_fields() -> [(&'static str, Value); 3] {
    [
        ("has(self.name)", json!({"name": {"type": "string"}})),
        (
            "has(self.name) && self.name.startsWith('x-') && has(self.port)",
            json!({"name": {"type": "string", "maxLength": 9}, "port": {"type": "integer", "minimum": 7}}),
        ),
        (
            "has(self.ref) && has(self.ref.name)",
            json!({"ref": {"type": "object", "properties": {"name": {"type": "string"}}}}),
        ),
    ]
}

/// Returns the schema of an object with the field `f`, whose values require other fields unless a
/// condition is true.
fn object_with_field(field: &Value, fields: &Value, condition: &str, rule: &str) -> Value {
    let properties = with(json!({"f": field}), fields);
    let rule = format!("!has(self.f) || ({condition}) || ({rule})");
    json!({
        "type": "object",
        "properties": properties,
        "x-kubernetes-validations": [{"rule": rule}],
    })
}

const PLACES: [fn(Value) -> Value; 3] = [
    |schema| schema,
    |schema| {
        let list = json!({"type": "array", "maxItems": 9, "items": schema});
        json!({"type": "object", "properties": {"u": list}})
    },
    |schema| {
        let map = json!({"type": "object", "maxProperties": 9, "additionalProperties": schema});
        json!({"type": "object", "properties": {"u": map}})
    },
];

fn crd(spec: &Value) -> Value {
    let schema = json!({"type": "object", "properties": {"spec": spec}});
    crd_with(&schema, false)
}

fn compare(old: &Value, new: &Value) -> VersionReport {
    let report = compare_crds(old, new).unwrap();
    report.versions.into_iter().next().unwrap()
}

/// Returns true if a server accepts the object of a finding.
fn is_accepted(crd: &Value, finding: &Finding) -> bool {
    let server = Server::new(crd).unwrap();
    server
        .create(&finding.proof.as_ref().unwrap().object)
        .is_some()
}

#[test]
fn a_changed_keyword_of_a_value_that_requires_other_fields_is_found() {
    let mut comparisons = 0;
    for case in &KEYWORDS {
        for (rule, fields) in required_fields() {
            for place in PLACES {
                let [loose, strict] = case.schemas().map(|field| {
                    crd(&place(object_with_field(
                        &field,
                        &fields,
                        case.condition,
                        rule,
                    )))
                });
                for (old, new) in [(&loose, &strict), (&strict, &loose)] {
                    let report = compare(old, new);
                    let context = format!("{}, {rule}: {:?}", case.name, report.unproven);
                    assert_eq!(report.unproven, [], "{context}");
                    let is_proven = report.findings.iter().any(|finding| {
                        is_accepted(&loose, finding) && !is_accepted(&strict, finding)
                    });
                    assert!(is_proven, "{context} {:?}", report.findings);
                    comparisons += 1;
                }
            }
        }
    }
    assert_eq!(comparisons, 13 * 3 * 3 * 2);
}

/// An absent field may require another field, too.
#[test]
fn a_required_field_is_found_if_another_field_replaces_it() {
    let fields = json!({"f": {"type": "string"}, "name": {"type": "string"}});
    let schema = |required: Value| {
        json!({
            "type": "object",
            "required": required,
            "properties": fields,
            "x-kubernetes-validations": [{"rule": "has(self.f) || has(self.name)"}],
        })
    };
    for place in PLACES {
        let [old, new] = [json!([]), json!(["f"])].map(|it| crd(&place(schema(it))));
        let report = compare(&old, &new);
        assert_eq!(report.unproven, []);
        let [finding] = &*report.findings else {
            panic!("{:?}", report.findings)
        };
        assert!(is_accepted(&old, finding) && !is_accepted(&new, finding));
    }
}

/// One value of a direction is proven at once, and the value of the other requires a field.
#[test]
fn both_directions_of_a_changed_enum_are_found() {
    let schema = |values: Value| {
        let field = json!({"type": "string", "enum": values});
        let fields = json!({"name": {"type": "string"}});
        crd(&object_with_field(
            &field,
            &fields,
            "self.f != 'B'",
            "has(self.name)",
        ))
    };
    let [old, new] = [json!(["A", "B"]), json!(["A", "C"])].map(schema);
    for (old, new) in [(&old, &new), (&new, &old)] {
        let report = compare(old, new);
        let mut accepted_by_old: Vec<bool> = report
            .findings
            .iter()
            .map(|finding| is_accepted(old, finding))
            .collect();
        accepted_by_old.sort_unstable();
        assert_eq!(accepted_by_old, [false, true], "{:?}", report.findings);
    }
}

/// The search does not find the other field, so the difference is not called ineffective.
#[test]
fn a_value_without_an_accepted_object_is_not_decided() {
    let fields = json!({"n": {"type": "integer"}});
    let rule = "has(self.n) && self.n * self.n == 5041";
    let schema = |keywords: Value| {
        let field = with(json!({"type": "string"}), &keywords);
        crd(&object_with_field(&field, &fields, "self.f == 'A'", rule))
    };
    let [both, only_a] = [json!(["A", "B"]), json!(["A"])].map(|it| schema(json!({"enum": it})));
    for (old, new) in [(&both, &only_a), (&only_a, &both)] {
        let report = compare(old, new);
        let [unproven] = &*report.unproven else {
            panic!("{:?}", report.unproven)
        };
        assert_eq!(unproven.reason, UnprovenReason::RejectedByBoth);
        assert!(
            unproven.line().contains("not decided"),
            "{}",
            unproven.line()
        );
    }
    // The enum rejects the long values themselves, whatever other fields the object has.
    let with_length = |length: usize| schema(json!({"enum": ["A"], "maxLength": length}));
    let report = compare(&with_length(9), &with_length(5));
    assert_eq!(report.unproven[0].reason, UnprovenReason::SameAnswers);
}
