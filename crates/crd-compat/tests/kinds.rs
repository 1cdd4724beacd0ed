//! A row for each kind of change: the expected finding, its level and its object. The README has
//! the table.

use std::fmt::Write as _;

use crd_compat::{Finding, Level, compare_crds};
use serde_json::{Value, json};

use crate::support::crd_with;

/// A change of the schema of `spec.f`, and the expected finding.
struct Row {
    /// The name of the check of crdify or crd-schema-checker; empty if no check was found in their
    /// sources.
    theirs: &'static str,
    change: &'static str,
    old: Value,
    new: Value,
    code: &'static str,
    level: Level,
    /// The `spec` of the object; null if no object proves the finding.
    spec: Value,
}

fn row(
    theirs: &'static str,
    change: &'static str,
    old: Value,
    new: Value,
    code: &'static str,
    level: Level,
    spec: Value,
) -> Row {
    Row {
        theirs,
        change,
        old,
        new,
        code,
        level,
        spec,
    }
}

fn object(properties: &Value) -> Value {
    json!({"type": "object", "properties": properties})
}

fn map(value: &Value) -> Value {
    json!({"type": "object", "additionalProperties": value})
}

fn string() -> Value {
    json!({"type": "string"})
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn rows() -> Vec<Row> {
    use Level::{Breaking, Notice, Tolerated};
    let list = json!({"type": "array", "items": {"type": "string"}});
    let with = |schema: &Value, keyword: &str, value: Value| {
        let mut schema = schema.clone();
        schema[keyword] = value;
        schema
    };
    let number = json!({"type": "integer"});
    let entries = map(&string());
    let ab = object(&json!({"a": string(), "b": string()}));
    let rule = |text: &str| json!([{"rule": text}]);
    vec![
        row(
            "crdify `enum`, crd-schema-checker `NoEnumRemoval`",
            "an enum value is removed",
            json!({"type": "string", "enum": ["A", "B"]}),
            json!({"type": "string", "enum": ["A"]}),
            "value-removed",
            Tolerated,
            json!({"f": "B"}),
        ),
        row(
            "crdify `enum`",
            "an enum value is added",
            json!({"type": "string", "enum": ["A"]}),
            json!({"type": "string", "enum": ["A", "B"]}),
            "value-added",
            Notice,
            json!({"f": "B"}),
        ),
        row(
            "crdify `enum`",
            "an enum is added",
            string(),
            json!({"type": "string", "enum": ["A"]}),
            "values-closed",
            Tolerated,
            json!({"f": ""}),
        ),
        row(
            "crdify `default`",
            "a default is added",
            string(),
            json!({"type": "string", "default": "x"}),
            "default-added",
            Notice,
            json!({}),
        ),
        row(
            "crdify `default`",
            "a default is changed",
            json!({"type": "string", "default": "x"}),
            json!({"type": "string", "default": "y"}),
            "default-changed",
            Breaking,
            json!({}),
        ),
        row(
            "crdify `default`",
            "a default is removed",
            json!({"type": "string", "default": "x"}),
            string(),
            "default-removed",
            Breaking,
            json!({}),
        ),
        row(
            "crdify `maximum`",
            "a maximum is lowered",
            with(&number, "maximum", json!(9)),
            with(&number, "maximum", json!(5)),
            "maximum-tightened",
            Tolerated,
            json!({"f": 6}),
        ),
        row(
            "crdify `minimum`",
            "a minimum is added",
            number.clone(),
            with(&number, "minimum", json!(2)),
            "minimum-tightened",
            Tolerated,
            json!({"f": 0}),
        ),
        row(
            "crdify `maxLength`",
            "a `maxLength` is lowered",
            with(&string(), "maxLength", json!(9)),
            with(&string(), "maxLength", json!(2)),
            "max-length-tightened",
            Tolerated,
            json!({"f": "aaa"}),
        ),
        row(
            "crdify `minLength`",
            "a `minLength` is raised",
            with(&string(), "minLength", json!(1)),
            with(&string(), "minLength", json!(2)),
            "min-length-tightened",
            Tolerated,
            json!({"f": "a"}),
        ),
        row(
            "crdify `maxItems`",
            "a `maxItems` is added",
            list.clone(),
            with(&list, "maxItems", json!(1)),
            "max-items-tightened",
            Tolerated,
            json!({"f": ["a", "a"]}),
        ),
        row(
            "crdify `minItems`",
            "a `minItems` is added",
            list.clone(),
            with(&list, "minItems", json!(1)),
            "min-items-tightened",
            Tolerated,
            json!({"f": []}),
        ),
        row(
            "crdify `maxProperties`",
            "a `maxProperties` is added",
            entries.clone(),
            with(&entries, "maxProperties", json!(0)),
            "max-properties-tightened",
            Tolerated,
            json!({"f": {"k": "example"}}),
        ),
        row(
            "crdify `minProperties`",
            "a `minProperties` is added",
            entries.clone(),
            with(&entries, "minProperties", json!(1)),
            "min-properties-tightened",
            Tolerated,
            json!({"f": {}}),
        ),
        row(
            "crdify `required`, crd-schema-checker `NoNewRequiredFields`",
            "a field is required",
            ab.clone(),
            with(&ab, "required", json!(["a"])),
            "required-added",
            Tolerated,
            json!({"f": {}}),
        ),
        row(
            "crdify `type`, crd-schema-checker `NoDataTypeChange`",
            "a type is changed",
            string(),
            number.clone(),
            "type-refused",
            Tolerated,
            json!({"f": ""}),
        ),
        row(
            "crdify `existingFieldRemoval`, crd-schema-checker `NoFieldRemoval`",
            "a field is removed",
            ab.clone(),
            object(&json!({"a": string()})),
            "field-removed",
            Breaking,
            json!({"f": {"b": ""}}),
        ),
        row(
            "",
            "a field is added",
            object(&json!({"a": string()})),
            ab.clone(),
            "field-added",
            Notice,
            json!({"f": {"b": ""}}),
        ),
        row(
            "crdify `pattern`",
            "a pattern is added",
            string(),
            with(&string(), "pattern", json!("^[a-z]+$")),
            "pattern-tightened",
            Tolerated,
            json!({"f": ""}),
        ),
        row(
            "crdify `format`",
            "a format is added",
            string(),
            with(&string(), "format", json!("ipv4")),
            "format-tightened",
            Tolerated,
            json!({"f": ""}),
        ),
        row(
            "",
            "a `multipleOf` is added",
            number.clone(),
            with(&number, "multipleOf", json!(4)),
            "multiple-of-tightened",
            Tolerated,
            json!({"f": 1}),
        ),
        row(
            "crdify `nullable`",
            "a field is not nullable any more",
            with(&string(), "nullable", json!(true)),
            string(),
            "null-stored-differently",
            Notice,
            json!({"f": null}),
        ),
        row(
            "",
            "unknown fields are dropped",
            with(&ab, "x-kubernetes-preserve-unknown-fields", json!(true)),
            ab.clone(),
            "unknown-fields-changed",
            Breaking,
            json!({"f": {"unknown": 1}}),
        ),
        row(
            "crd-schema-checker `NoDataTypeChange`",
            "only integers are allowed",
            json!({"x-kubernetes-int-or-string": true}),
            number.clone(),
            "type-refused",
            Tolerated,
            json!({"f": ""}),
        ),
        row(
            "",
            "items have to differ",
            list.clone(),
            with(&list, "x-kubernetes-list-type", json!("set")),
            "list-type-tightened",
            Tolerated,
            json!({"f": ["a", "a"]}),
        ),
        row(
            "crdify `xvalidations`",
            "a rule is added",
            number.clone(),
            with(&number, "x-kubernetes-validations", rule("self < 7")),
            "rule-added",
            Tolerated,
            json!({"f": 7}),
        ),
        row(
            "crdify `xvalidations`",
            "a rule is removed",
            with(&number, "x-kubernetes-validations", rule("self < 7")),
            number.clone(),
            "rule-removed",
            Notice,
            json!({"f": 7}),
        ),
        row(
            "crdify `xvalidations`",
            "a rule about the old value is added",
            number.clone(),
            with(&number, "x-kubernetes-validations", rule("self >= oldSelf")),
            "rule-added",
            Breaking,
            json!({"f": 0}),
        ),
        row(
            "crdify `oneOf`",
            "one of two fields is required",
            ab.clone(),
            with(
                &ab,
                "oneOf",
                json!([{"required": ["a"]}, {"required": ["b"]}]),
            ),
            "one-of-tightened",
            Tolerated,
            json!({"f": {}}),
        ),
        row(
            "crd-schema-checker `ListsMustHaveSSATags`",
            "a list becomes atomic",
            with(&list, "x-kubernetes-list-type", json!("set")),
            list.clone(),
            "list-type-changed",
            Breaking,
            Value::Null,
        ),
        row(
            "",
            "a map becomes atomic",
            entries.clone(),
            with(&entries, "x-kubernetes-map-type", json!("atomic")),
            "map-type-changed",
            Breaking,
            Value::Null,
        ),
    ]
}

fn crds(row: &Row) -> [Value; 2] {
    [&row.old, &row.new].map(|field| {
        let spec = object(&json!({"f": field}));
        crd_with(&object(&json!({"spec": spec})), false)
    })
}

fn findings(row: &Row) -> Vec<Finding> {
    let [old, new] = crds(row);
    let report = compare_crds(&old, &new).unwrap();
    report.all_findings().cloned().collect()
}

#[test]
fn each_kind_of_change_has_its_finding() {
    let mut failures = Vec::new();
    for row in rows() {
        let found = findings(&row);
        let summaries: Vec<_> = found
            .iter()
            .map(|finding| {
                let proof = finding.proof.as_ref();
                let spec = proof.map_or(Value::Null, |proof| proof.object["spec"].clone());
                (finding.code, finding.level, spec)
            })
            .collect();
        if !summaries.contains(&(row.code, row.level, row.spec.clone())) {
            failures.push(format!("{}: {summaries:?}", row.change));
        }
        for finding in &found {
            let pointer = finding
                .old_pointer
                .as_ref()
                .or(finding.new_pointer.as_ref());
            assert!(pointer.is_some(), "{finding}");
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Alarms of a comparison by line that no object confirms.
#[test]
fn changes_without_an_effect_have_no_finding() {
    let ab = object(&json!({"a": string()}));
    let mut required = ab.clone();
    required["required"] = json!(["a"]);
    let mut any_of = ab.clone();
    any_of["anyOf"] = json!([{"required": ["a"]}]);
    let number = json!({"type": "integer", "enum": [3, 4, 5]});
    let mut number_with_maximum = number.clone();
    number_with_maximum["maximum"] = json!(5);
    let rule =
        |text: &str| json!({"type": "integer", "x-kubernetes-validations": [{"rule": text}]});
    for (old, new) in [
        (required, any_of),
        (number.clone(), number_with_maximum),
        (rule("self > 3"), rule("self >= 4")),
        (
            json!({"type": "string", "maxLength": 3, "pattern": "^a?$"}),
            json!({"type": "string", "maxLength": 2, "pattern": "^a?$"}),
        ),
    ] {
        let spec = |field: &Value| object(&json!({"spec": object(&json!({"f": field}))}));
        let report = compare_crds(&crd_with(&spec(&old), false), &crd_with(&spec(&new), false));
        let report = report.unwrap();
        assert_eq!(report.all_findings().next(), None, "{report}");
        let version = &report.versions[0];
        assert!(!version.unproven.is_empty(), "{report}");
        let line = version.unproven[0].line();
        assert!(
            line.contains("the same for every object that was tried ("),
            "{line}"
        );
    }
}

/// Checks that the order of keys is not a change, and that a list that gets a type with keys has
/// one finding.
#[test]
fn keys_of_lists_have_no_finding_of_their_own() {
    let items = json!({"type": "object", "properties": {"a": string(), "b": string()}, "required": ["a", "b"]});
    let list = |keywords: &Value| {
        let mut list = json!({"type": "array", "items": items});
        for (name, value) in keywords.as_object().unwrap() {
            list[name] = value.clone();
        }
        let spec = object(&json!({"f": list}));
        crd_with(&object(&json!({"spec": spec})), false)
    };
    let keys = |keys: &Value| {
        list(&json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys}))
    };
    let codes = |old: &Value, new: &Value| -> Vec<&'static str> {
        let report = compare_crds(old, new).unwrap();
        let codes = report.all_findings().map(|finding| finding.code);
        codes
            .filter(|code| code.contains("keys") || code.contains("list-type"))
            .collect()
    };
    let both = keys(&json!(["a", "b"]));
    assert!(codes(&both, &keys(&json!(["b", "a"]))).is_empty());
    assert!(codes(&both, &keys(&json!(["a"]))).contains(&"list-map-keys-changed"));
    let atomic = list(&json!({}));
    for (old, new) in [(&atomic, &both), (&both, &atomic)] {
        assert!(!codes(old, new).contains(&"list-map-keys-changed"));
    }
}

/// Checks that the number of fields is reached with unknown fields, beside the fields that an
/// embedded object needs.
#[test]
fn unknown_fields_count_as_properties() {
    let mut embedded = object(&json!({"a": string(), "kind": string()}));
    embedded["x-kubernetes-preserve-unknown-fields"] = json!(true);
    for is_embedded in [false, true] {
        embedded["x-kubernetes-embedded-resource"] = json!(is_embedded);
        let mut limited = embedded.clone();
        limited["maxProperties"] = json!(6);
        let [old, new] = [&embedded, &limited].map(|field| {
            let spec = object(&json!({"f": field}));
            crd_with(&object(&json!({"spec": spec})), false)
        });
        let report = compare_crds(&old, &new).unwrap();
        let codes: Vec<_> = report.all_findings().map(|finding| finding.code).collect();
        assert_eq!(codes, ["max-properties-tightened"], "{report}");
    }
}

/// Checks that each stored difference is found, although every object without the first field has
/// another default.
#[test]
fn a_changed_default_does_not_hide_a_removed_field() {
    let crd = |default: &str, fields: &Value| {
        let mut fields = fields.clone();
        fields["a"] = json!({"type": "string", "default": default});
        crd_with(&object(&json!({"spec": object(&fields)})), false)
    };
    let old = crd("x", &json!({"b": string()}));
    let report = compare_crds(&old, &crd("y", &json!({}))).unwrap();
    let codes: Vec<_> = report.all_findings().map(|finding| finding.code).collect();
    assert!(codes.contains(&"default-changed"), "{report}");
    assert!(codes.contains(&"field-removed"), "{report}");
}

/// Checks the table of the README. `UPDATE_SNAPSHOTS=1` writes the table.
#[test]
fn the_readme_has_the_table_of_kinds() {
    let mut table = String::from(
        "| change of `spec.f` | crdify, crd-schema-checker | crd-compat | object (`spec`) |\n| --- | --- | --- | --- |\n",
    );
    for row in rows() {
        let theirs = if row.theirs.is_empty() {
            "not confirmed"
        } else {
            row.theirs
        };
        let object = match &row.spec {
            Value::Null => "none: server-side apply".to_owned(),
            spec => format!("`{spec}`"),
        };
        let _ = writeln!(
            table,
            "| {} | {theirs} | `{}`, {} | {object} |",
            row.change,
            row.code,
            row.level.as_str(),
        );
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let (before, rest) = readme.split_once("| change of").unwrap();
    let (old_table, after) = rest.split_once("\n\n").unwrap();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, format!("{before}{table}\n{after}")).unwrap();
    } else {
        assert_eq!(format!("| change of{old_table}\n"), table);
    }
}
