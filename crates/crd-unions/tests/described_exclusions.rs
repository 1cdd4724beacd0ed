//! Findings for descriptions that state that fields exclude each other: a table of phrasings, near
//! misses, and rules that enforce the description.

use crd_unions::{Confidence, Finding, FindingCode, UnionModel};
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};
use union_runtime::path::FieldPath;

fn findings(schema: &Value) -> Vec<Finding> {
    let findings = crd_unions::analyze_object(schema).findings.into_iter();
    findings
        .filter(|finding| finding.code == FindingCode::DescribedNotEnforced)
        .collect()
}

/// Returns an object with a description and with string fields.
fn described_object(description: &str, names: &[&str]) -> Value {
    let properties = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})));
    let properties: Map<String, Value> = properties.collect();
    json!({"type": "object", "description": description, "properties": properties})
}

/// Returns an object with the fields `first`, `second` and `third`, of which the first has a
/// description.
fn described_field(description: &str) -> Value {
    let mut schema = described_object("", &["first", "second", "third"]);
    schema["properties"]["first"]["description"] = description.into();
    schema
}

/// Asserts that a schema has one finding with these fields and words.
#[track_caller]
fn assert_found(schema: &Value, fields: &[&str], allowed: UnionModel, words: &str) {
    let findings = findings(schema);
    let [finding] = &*findings else {
        panic!("{}: {}", schema, json!(findings));
    };
    let mut found: Vec<&str> = finding.fields.iter().map(FieldPath::as_str).collect();
    found.sort_unstable();
    let mut expected = fields.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected, "{schema}");
    assert_eq!(finding.allowed, Some(allowed), "{schema}");
    assert_eq!(finding.words.as_deref(), Some(words), "{schema}");
    assert_eq!(finding.confidence, Confidence::Weak);
}

type Phrase = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    UnionModel,
    &'static str,
);

/// Descriptions of objects: the description, the names of the fields, the names of the fields that
/// exclude each other, and the words.
const OBJECTS: &[Phrase] = &[
    (
        "Precisely one of `a`, `b`, or `c` must be provided.",
        &["a", "b", "c"],
        &["a", "b", "c"],
        UnionModel::ExactlyOne,
        "Precisely one of",
    ),
    (
        "Set just one of `a` and `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::ExactlyOne,
        "just one of",
    ),
    (
        "Up to one of `a` and `b` may be present.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "Up to one of",
    ),
    (
        "A maximum of one of `a` and `b` may be present.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "A maximum of one of",
    ),
    (
        "One of `a` or `b` is required.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::ExactlyOne,
        "One of",
    ),
    (
        "Use one of `a` or `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "Use one of",
    ),
    (
        "Where it is. You can choose either `a` or `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "choose either ... or",
    ),
    (
        "Either `a` or `b` must be set.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::ExactlyOne,
        "Either ... or",
    ),
    (
        "The fields `a` and `b` are incompatible with each other.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "are incompatible",
    ),
    (
        "`a` conflicts with `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "conflicts with",
    ),
    (
        "`a` cannot be combined with `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "cannot be combined with",
    ),
    (
        "`a` and `b` must not be used at the same time.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "must not be used at the same time",
    ),
    (
        "`a` and `b` cannot be specified simultaneously.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "cannot be specified simultaneously",
    ),
    (
        "`a` and `b` cannot coexist.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "cannot coexist",
    ),
    (
        "Setting both `a` and `b` is an error.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "Setting both `a` and `b` is an error",
    ),
    (
        "Specify `a` or `b`, never both.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "never both",
    ),
    (
        "These fields are mutually exclusive.",
        &["a", "b", "c"],
        &["a", "b", "c"],
        UnionModel::AtMostOne,
        "mutually exclusive",
    ),
    (
        "All fields are mutually exclusive.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "mutually exclusive",
    ),
    (
        "The following fields are mutually exclusive: `a`, `b`.",
        &["a", "b", "c"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "mutually exclusive",
    ),
    (
        "Exactly one member must be set.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::ExactlyOne,
        "Exactly one member",
    ),
    (
        "At most one of its fields may be set.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "At most one of its fields",
    ),
    (
        "Besides `name`, only one field may be set.",
        &["name", "a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "only one field",
    ),
    (
        "Only one of the following may be specified:\n- `a`\n- `b`\n- `c`",
        &["a", "b", "c", "d"],
        &["a", "b", "c"],
        UnionModel::AtMostOne,
        "Only one of the following",
    ),
    (
        "If `a` is specified, `b` must not be set.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "must not be set",
    ),
    (
        "When `a` is present, `b` and `c` have to be omitted.",
        &["a", "b", "c"],
        &["a", "b", "c"],
        UnionModel::AtMostOne,
        "have to be omitted",
    ),
    (
        "You must not set more than one of `a`, `b` and `c`.",
        &["a", "b", "c"],
        &["a", "b", "c"],
        UnionModel::AtMostOne,
        "more than one of `a`, `b` and `c`",
    ),
    (
        "More than one of `a` and `b` is not allowed.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "More than one of `a` and `b` is not allowed",
    ),
    (
        "Exactly one of NodeName and NodeSelector must be set.",
        &["nodeName", "nodeSelector"],
        &["nodeName", "nodeSelector"],
        UnionModel::ExactlyOne,
        "Exactly one of",
    ),
    (
        "Only one of spec.first and spec.second may be set.",
        &["first", "second"],
        &["first", "second"],
        UnionModel::AtMostOne,
        "Only one of",
    ),
    (
        "Exactly one of `a`\nand `b` must be\nset.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::ExactlyOne,
        "Exactly one of",
    ),
    (
        "Only one of “a” and “b” can be given.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "Only one of",
    ),
    (
        "Exactly 1 of `a` and `b` must be set.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::ExactlyOne,
        "Exactly 1 of",
    ),
    (
        "One (and only one) of `a` and `b` must be set.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::ExactlyOne,
        "One (and only one) of",
    ),
    (
        "Of `a`, `b` and `c`, only one may be set.",
        &["a", "b", "c"],
        &["a", "b", "c"],
        UnionModel::AtMostOne,
        "only one",
    ),
    (
        "Only one may be set: `a`, `b`, `c`.",
        &["a", "b", "c"],
        &["a", "b", "c"],
        UnionModel::AtMostOne,
        "Only one",
    ),
    (
        "`a` or `b`. Only one of the two can be set.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "Only one of the two",
    ),
    (
        "No two of `a`, `b`, `c` may be set.",
        &["a", "b", "c"],
        &["a", "b", "c"],
        UnionModel::AtMostOne,
        "No two of",
    ),
    (
        "You cannot set both `a` and `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "cannot set both",
    ),
    (
        "An entry must not have both `a` and `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "must not have both",
    ),
    (
        "Do not set both `a` and `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "Do not set both",
    ),
    (
        "It is an error to set both `a` and `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "is an error to set both",
    ),
    (
        "Do not combine `a` and `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "Do not combine",
    ),
    (
        "Choose between `a` and `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "Choose between",
    ),
    (
        "`a` xor `b`.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "xor",
    ),
    (
        "`a` and `b` are alternatives.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "are alternatives",
    ),
    (
        "Having both `a` and `b` is invalid.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::AtMostOne,
        "Having both `a` and `b` is invalid",
    ),
    (
        "A single field must be set.",
        &["a", "b"],
        &["a", "b"],
        UnionModel::ExactlyOne,
        "A single field",
    ),
];

/// Descriptions of the field `first` that exclude `second`, and the words.
const FIELDS: &[(&str, &str)] = &[
    ("Mutually exclusive with second.", "Mutually exclusive with"),
    (
        "This is a mutually exclusive setting with `second`.",
        "mutually exclusive setting with",
    ),
    (
        "Mutually-exclusive with `second`.",
        "Mutually-exclusive with",
    ),
    ("Incompatible with `second`.", "Incompatible with"),
    ("Not compatible with `second`.", "Not compatible with"),
    (
        "Must not be used in conjunction with `second`.",
        "Must not be used in conjunction with",
    ),
    (
        "Should not be specified along with `second`.",
        "Should not be specified along with",
    ),
    (
        "Do not use together with `second`.",
        "Do not use together with",
    ),
    ("Must be empty if `second` is set.", "Must be empty if"),
    (
        "Must be unset when `second` is specified.",
        "Must be unset when",
    ),
    (
        "Should be omitted if `second` is provided.",
        "Should be omitted if",
    ),
    ("Leave empty when `second` is used.", "Leave empty when"),
    ("Not allowed if `second` is set.", "Not allowed if"),
    ("It is invalid when `second` is present.", "is invalid when"),
    (
        "May only be set if `second` is unset.",
        "only be set if ... is unset",
    ),
    (
        "Only allowed if `second` is empty.",
        "Only allowed if ... is empty",
    ),
    (
        "If `second` is set, this field must be omitted.",
        "must be omitted",
    ),
    (
        "If `second` is specified, then this field cannot be set.",
        "cannot be set",
    ),
    (
        "Either this field or `second` may be set, but not both.",
        "Either ... but not both",
    ),
    (
        "Only one of this field and `second` may be set.",
        "Only one of",
    ),
    (
        "If this field is set then `second` must not be set.",
        "must not be set",
    ),
    (
        "This field and `second` are mutually exclusive.",
        "mutually exclusive",
    ),
    (
        "Note that this option and `second` cannot both be used.",
        "cannot both be used",
    ),
    (
        "Cannot be set at the same time as `second`.",
        "Cannot be set at the same time as",
    ),
    ("Rules out `second`.", "Rules out"),
    (
        "May be set unless `second` is set.",
        "unless `second` is set",
    ),
    (
        "Not in combination with `second`.",
        "Not in combination with",
    ),
    ("Is rejected if `second` is set too.", "Is rejected if"),
    (
        "Must be absent when `second` is given.",
        "Must be absent when",
    ),
    ("Leave this out if `second` is given.", "Leave this out if"),
    (
        "An alternative to `second`; the two exclude each other.",
        "exclude each other",
    ),
    ("Cannot be mixed with `second`.", "Cannot be mixed with"),
];

/// Descriptions of objects that do not state an exclusion of fields.
const OTHER_OBJECTS: &[(&str, &[&str])] = &[
    ("At most one of the replicas is down.", &["replicas", "a"]),
    ("Either `a` or `b` or both may be set.", &["a", "b"]),
    ("One or more of `a` and `b` must be set.", &["a", "b"]),
    ("At least one of `a`, `b` must be specified.", &["a", "b"]),
    (
        "If only one of `a` and `b` is set, the other defaults.",
        &["a", "b"],
    ),
    ("Only one of `a` and `b` is required.", &["a", "b"]),
    ("`a` and `b` are not mutually exclusive.", &["a", "b"]),
    ("`a` and `b` may be set together.", &["a", "b"]),
    ("`a` and `b` may not both be empty.", &["a", "b"]),
    ("Whether exactly one of `a` and `b` is set.", &["a", "b"]),
    (
        "If neither `a` nor `b` is set, nothing happens.",
        &["a", "b"],
    ),
    ("`a` must be set when `b` is set.", &["a", "b"]),
    ("`a` must not be set unless `b` is set.", &["a", "b"]),
    ("`a` must not be set if `b` is not set.", &["a", "b"]),
    ("`a` must not be set if `b` is set to `Never`.", &["a", "b"]),
    ("If `a` is Exists, the `b` must be empty.", &["a", "b"]),
    ("Only one of the pods with `a` or `b` runs.", &["a", "b"]),
    ("Each of `a` and `b` names exactly one node.", &["a", "b"]),
    ("If both `a` and `b` are set, `a` wins.", &["a", "b"]),
    (
        "Either `service` and `port` or `url` must be set, but not both.",
        &["service", "port", "url"],
    ),
    ("Only one object may exist for `a` and `b`.", &["a", "b"]),
    ("Exactly one of the containers must use `a`.", &["a", "b"]),
    (
        "Location is one of the following: address, city.",
        &["a", "b"],
    ),
    (
        "The value of `a` must not conflict with the value of `b`.",
        &["a", "b"],
    ),
    (
        "The keys in `a` must not be used together with prefixes.",
        &["a", "b"],
    ),
    ("Only one of `a.x` and `other.y` may be set.", &["a", "b"]),
    (
        "Contrary to `a`, `b` cannot be used with IPv6.",
        &["a", "b"],
    ),
    ("Do not set `a` or `b` to zero.", &["a", "b"]),
    (
        "Only one may exist per cluster. See `a` and `b`.",
        &["a", "b"],
    ),
    ("A single replica with `a` and `b`.", &["a", "b"]),
];

/// Descriptions of the field `first` that do not state an exclusion of fields.
const OTHER_FIELDS: &[&str] = &[
    "One of `Second`, `Third`.",
    "Must be one of 'second' or 'other'.",
    "Only used when `second` is not set.",
    "Applied only if second is not specified.",
    "Ignored if `second` is set.",
    "Takes precedence over `second`.",
    "Required if `second` is not set.",
    "Must be set if second is not set.",
    "Cannot be used with a second of Fast.",
    "Must not be the same as `second`.",
    "Cannot be used in combination with restartPolicy=Never. See `second`.",
    "Must be empty if second is Exists.",
    "If true, it is mutually exclusive with the `second` field.",
    "The list must be mutually exclusive with `second`.",
    "Can be either `Fast` or `Slow`, but not both. See `second`.",
    "Only one of the following command types may be specified.",
    "Defaults to the value of `second` if it is not set.",
    "Use `second` instead.",
    "Cannot be changed if `second` is set.",
    "Must not be empty if `second` is set.",
    "Only valid if `second` is set.",
    "May be combined with `second`.",
    "Must not be set unless `second` is set.",
    "Required unless `second` is set.",
    "A single value. See `second`.",
    "An alternative to `second`.",
    "Choose between fast and slow.",
    "Must not contain `second` as a substring.",
    "Set to a single `second`.",
    "Has to be combined with `second`.",
    "Cannot be empty unless `second` is set.",
];

#[test]
fn phrases_of_objects_are_found() {
    for (description, names, fields, allowed, words) in OBJECTS {
        assert_found(
            &described_object(description, names),
            fields,
            *allowed,
            words,
        );
    }
}

#[test]
fn phrases_of_fields_are_found() {
    for (description, words) in FIELDS {
        let schema = described_field(description);
        assert_found(&schema, &["first", "second"], UnionModel::AtMostOne, words);
    }
}

/// A description may name the field that excludes all others, or no field.
#[test]
fn a_field_may_exclude_several_fields() {
    let all = ["first", "second", "third"];
    for (description, words) in [
        ("Excludes `second` and `third`.", "Excludes"),
        (
            "Must not be set with `second` or `third`.",
            "Must not be set with",
        ),
        (
            "If this field is set, none of the other fields can be set.",
            "none of the other fields",
        ),
    ] {
        let schema = described_field(description);
        assert_found(&schema, &all, UnionModel::AtMostOne, words);
        // `second` and `third` may be set together.
        assert_eq!(
            findings(&schema)[0].remedy,
            "!has(self.first) || !has(self.second) && !has(self.third)"
        );
    }
    let mut schema = described_field("Mutually exclusive with the other sources.");
    assert_eq!(findings(&schema), []);
    schema["properties"]["second"]["description"] =
        "Mutually exclusive with the other sources.".into();
    assert_found(
        &schema,
        &["first", "second"],
        UnionModel::AtMostOne,
        "Mutually exclusive with",
    );
}

#[test]
fn other_descriptions_are_not_findings() {
    for (description, names) in OTHER_OBJECTS {
        let schema = described_object(description, names);
        assert_eq!(json!(findings(&schema)), json!([]), "{description}");
    }
    for description in OTHER_FIELDS {
        let schema = described_field(description);
        assert_eq!(json!(findings(&schema)), json!([]), "{description}");
    }
}

/// A list or a map has the description of its items.
#[test]
fn descriptions_of_lists_are_about_their_items() {
    for keyword in ["items", "additionalProperties"] {
        let schema = json!({
            "type": if keyword == "items" { "array" } else { "object" },
            "description": "Each entry may only specify either a `exact` or a `prefix` match.",
            keyword: described_object("", &["exact", "prefix"]),
        });
        let object = crd_unions::analyze_at(&schema, &format!("/{keyword}")).expect("an object");
        let codes: Vec<FindingCode> = object.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [FindingCode::DescribedNotEnforced]);
    }
}

/// If all fields are objects, the noun for the fields may be any word.
#[test]
fn alternatives_may_have_any_noun() {
    let mut schema = described_object("Exactly one mode must be set.", &["all", "single"]);
    assert_eq!(findings(&schema), []);
    for name in ["all", "single"] {
        schema["properties"][name] = json!({"type": "object"});
    }
    assert_found(
        &schema,
        &["all", "single"],
        UnionModel::ExactlyOne,
        "Exactly one mode",
    );
}

/// Every form of rule that enforces the description. A rule of an object above counts too.
#[test]
fn enforced_descriptions_are_not_findings() {
    let description = "Only one of `a`, `b` and `c` may be set.";
    let rules = |rules: &[&str]| -> Value {
        let rules = rules.iter().map(|rule| json!({"rule": rule}));
        json!({"x-kubernetes-validations": rules.collect::<Vec<_>>()})
    };
    let exclude = |first: &str, second: &str| json!({"not": {"required": [first, second]}});
    let enforcing = [
        rules(&["(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) <= 1"]),
        rules(&["[has(self.a), has(self.b), has(self.c)].filter(x, x).size() <= 1"]),
        rules(&[
            "!(has(self.a) && has(self.b))",
            "!has(self.a) || !has(self.c)",
            "has(self.b) ? !has(self.c) : true",
        ]),
        json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}, {"required": ["c"]}]}),
        json!({"allOf": [exclude("a", "b"), exclude("b", "c"), exclude("a", "c")]}),
        json!({"maxProperties": 1}),
    ];
    for keywords in &enforcing {
        let mut schema = described_object(description, &["a", "b", "c"]);
        crate::findings::cases::merge(&mut schema, keywords);
        assert_eq!(json!(findings(&schema)), json!([]), "{schema}");
    }
    // Without one of the pairs, the finding has an example of this pair.
    let mut schema = described_object(description, &["a", "b", "c"]);
    let keywords = json!({"allOf": [exclude("a", "b"), exclude("a", "c")]});
    crate::findings::cases::merge(&mut schema, &keywords);
    assert_eq!(
        findings(&schema)[0].object,
        Some(json!({"b": "x", "c": "x"}))
    );
    // The rule may be in the schema of the object above.
    let above = json!({
        "type": "object",
        "properties": {"inner": described_object(description, &["a", "b", "c"])},
        "oneOf": [{"properties": {"inner": {"maxProperties": 1, "required": ["a", "b", "c"]}}}],
    });
    let inner = crd_unions::analyze_at(&above, "/properties/inner").expect("an object");
    assert_eq!(json!(inner.findings), json!([]));
    // Two required fields cannot exclude each other.
    let mut schema = described_object("Only one of `a` and `b` may be set.", &["a", "b"]);
    schema["required"] = json!(["a", "b"]);
    assert_eq!(findings(&schema), []);
}

/// The remedy rejects the example, accepts each field alone, and removes the finding.
#[test]
fn the_remedy_enforces_the_description() {
    for (description, names, fields, allowed, _) in OBJECTS {
        let mut schema = described_object(description, names);
        let finding = findings(&schema).remove(0);
        let example = finding.object.expect("an example");
        let accepts = |schema: &Value, object: &Value| {
            let root = json!({"type": "object", "properties": {"spec": schema}});
            let compiled = StructuralSchema::compile(&root).expect("a schema");
            let request = &mut json!({"spec": object});
            compiled
                .create(request, &ServerSettings::default())
                .is_accepted()
        };
        assert!(
            finding.accepted && accepts(&schema, &example),
            "{description}"
        );
        schema["x-kubernetes-validations"] = json!([{"rule": finding.remedy}]);
        assert!(!accepts(&schema, &example), "{description}");
        for field in *fields {
            assert!(accepts(&schema, &json!({*field: "x"})), "{description}");
        }
        let accepts_none = accepts(&schema, &json!({}));
        assert_eq!(
            accepts_none,
            *allowed == UnionModel::AtMostOne,
            "{description}"
        );
        assert_eq!(findings(&schema), [], "{description}");
        let derive = finding.derive.expect("attributes");
        let is_exactly = derive.contains("#[union(exactly_one(choice))]");
        assert_eq!(is_exactly, *allowed == UnionModel::ExactlyOne);
    }
}

/// The time for a description grows with its length, not with a power of the length.
#[test]
fn long_descriptions_are_read_once() {
    let phrases = [
        "only one of `a`, ",
        "either `a` or ",
        "if `a` is set, ",
        "cannot be set together with ",
        "more than one of ",
        "`a` and `b` ",
        "(",
        "not both ",
    ];
    for phrase in phrases {
        let count = 2 * crd_unions::bounds::DESCRIPTION_BYTES / phrase.len();
        let schema = described_object(&phrase.repeat(count), &["a", "b", "c"]);
        // The result does not matter, only that the analysis ends.
        let _ = findings(&schema);
    }
    // Words after the bound are not read.
    let mut description = "x ".repeat(crd_unions::bounds::DESCRIPTION_BYTES / 2);
    description += "Only one of `a` and `b` may be set.";
    assert_eq!(findings(&described_object(&description, &["a", "b"])), []);
    // A character may be at the bound.
    let description = "é".repeat(crd_unions::bounds::DESCRIPTION_BYTES);
    assert_eq!(findings(&described_object(&description, &["a", "b"])), []);
}
