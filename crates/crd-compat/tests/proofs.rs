//! The object of a finding shows the finding, and as little else as possible.

use crd_compat::{Answer, Finding, Level, compare_crds};
use serde_json::{Value, json};

use crate::support::crd_with;

/// The old and the new schema of `spec`.
type Schemas = [Value; 2];

fn compare(schemas: &Schemas) -> Vec<Finding> {
    let [old, new] = schemas.each_ref().map(|spec| {
        crd_with(
            &json!({"type": "object", "properties": {"spec": spec}}),
            false,
        )
    });
    let report = compare_crds(&old, &new).unwrap();
    report.all_findings().cloned().collect()
}

fn object(properties: &Value, required: &Value) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

/// Returns the messages of an answer, without the message that rules were not checked.
fn messages(answer: &Answer) -> Vec<&str> {
    let (Answer::Tolerated(messages) | Answer::Rejected(messages)) = answer else {
        return Vec::new();
    };
    let messages = messages.iter().map(String::as_str);
    messages
        .filter(|message| !message.contains("some validation rules were not checked"))
        .collect()
}

/// Schemas with several tightened places.
#[expect(clippy::too_many_lines, reason = "a table of schemas")]
fn schemas_with_several_changes() -> Vec<(&'static str, Schemas)> {
    let text = json!({"type": "string"});
    let texts = json!({"type": "array", "maxItems": 5, "items": text});
    let at_least_one = json!({"type": "array", "minItems": 1, "maxItems": 5, "items": text});
    let with_rule = |schema: &Value, rule: &str| {
        let mut schema = schema.clone();
        schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
        schema
    };
    let port = json!({"type": "integer"});
    let backend = json!({"type": "object", "properties": {"port": port, "name": text}});
    let list = |items: Value, required: &Value| {
        json!({
            "type": "array", "maxItems": 5,
            "items": object(&json!({"backends": {"type": "array", "maxItems": 5, "items": items}}), required),
        })
    };
    let variable = json!({"name": text, "value": text, "source": text});
    let keyed = |required: &Value, max_items: u64| {
        json!({
            "type": "array", "maxItems": max_items, "items": object(&variable, required),
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        })
    };
    let variables = json!({"type": "array", "items": object(&variable, &json!([]))});
    let mut guarded = keyed(&json!(["name"]), 20);
    guarded["items"]["properties"]["name"] =
        json!({"type": "string", "minLength": 1, "maxLength": 9});
    guarded["items"] = with_rule(
        &guarded["items"],
        "!has(self.source) || self.source != 'host' || !has(self.value)",
    );
    vec![
        (
            "a list that is not empty, a rule, and a required field",
            [
                object(
                    &json!({"names": texts, "parents": texts, "rules": list(backend.clone(), &json!([]))}),
                    &json!(["rules"]),
                ),
                object(
                    &json!({
                        "names": at_least_one,
                        "parents": with_rule(&texts, "self.all(x, self.exists_one(y, x == y))"),
                        "rules": list(with_rule(&backend, "has(self.name) || has(self.port)"), &json!(["backends"])),
                    }),
                    &json!(["rules", "names"]),
                ),
            ],
        ),
        (
            "a list that gets keys, a rule of its items, and a bound that small values do not reach",
            [
                object(&json!({"env": variables}), &json!([])),
                object(&json!({"env": guarded}), &json!([])),
            ],
        ),
        (
            "a list of texts that have to differ, and a bound",
            [
                object(
                    &json!({"tags": {"type": "array", "items": text}}),
                    &json!([]),
                ),
                object(
                    &json!({"tags": {"type": "array", "maxItems": 12, "items": {"type": "string", "maxLength": 5}, "x-kubernetes-list-type": "set"}}),
                    &json!([]),
                ),
            ],
        ),
        (
            "an immutable value beside a field that is now required",
            [
                object(
                    &json!({"mode": text, "ref": object(&json!({"name": text}), &json!([]))}),
                    &json!(["mode", "ref"]),
                ),
                object(
                    &json!({"mode": with_rule(&text, "self == oldSelf"), "ref": object(&json!({"name": text}), &json!(["name"]))}),
                    &json!(["mode", "ref"]),
                ),
            ],
        ),
    ]
}

#[test]
fn an_object_has_only_the_errors_of_its_finding() {
    for (name, schemas) in schemas_with_several_changes() {
        let findings = compare(&schemas);
        let mut proofs = 0;
        for finding in &findings {
            let Some(proof) = &finding.proof else {
                continue;
            };
            proofs += 1;
            let found = messages(&proof.after);
            assert_eq!(found.len(), 1, "{name}: {finding}");
            for update in [&proof.unrelated_update, &proof.field_update] {
                let update = update.as_ref().map(messages).unwrap_or_default();
                assert!(update.len() <= 1, "{name}: {finding}");
            }
        }
        assert!(proofs >= 2, "{name}: {findings:?}");
    }
}

/// Two keywords that exclude the same values cannot be told apart by an object, so the message of
/// the keyword of the finding comes first.
#[test]
fn the_error_of_the_finding_is_the_first() {
    let text = json!({"type": "string"});
    let letters = json!({"type": "string", "maxLength": 1, "enum": ["a", "b"]});
    let number = json!({"type": "integer"});
    let few = json!({"type": "integer", "minimum": 5, "enum": [5, 6]});
    let field = |field: &Value| object(&json!({"f": field}), &json!([]));
    let mut checked = 0;
    let at_most_six = json!({"type": "integer", "maximum": 6});
    // Each value that the enum excludes is below the minimum, too.
    let few_of_six = json!({"type": "integer", "maximum": 6, "minimum": 5, "enum": [5, 6]});
    for (old, new) in [(text, letters), (number, few), (at_most_six, few_of_six)] {
        for finding in compare(&[field(&old), field(&new)]) {
            let proof = finding.proof.as_ref().unwrap();
            let expected = match finding.code {
                "max-length-tightened" => "Too long",
                "minimum-tightened" => "greater than or equal to 5",
                "values-closed" => "Unsupported value",
                code => panic!("{code}"),
            };
            let updates = [&proof.unrelated_update, &proof.field_update];
            let updates = updates.into_iter().flatten();
            for answer in updates.chain([&proof.after]) {
                let messages = messages(answer);
                assert!(messages[0].contains(expected), "{finding}");
                checked += usize::from(messages.len() > 1);
                assert!(answer.summary().contains(expected), "{finding}");
                let json = json!(answer);
                assert!(
                    json["messages"][0].as_str().unwrap().contains(expected),
                    "{json}"
                );
            }
        }
    }
    assert!(checked >= 12, "{checked} answers have several messages");
}

/// A field whose value was kept as unknown fields is proven by a value that the schema drops, and
/// by a value that the schema refuses.
#[test]
fn a_described_field_was_kept_before() {
    let keeping = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let with_field = |field: Value| {
        let mut schema = keeping.clone();
        schema["properties"] = json!({"f": field});
        schema
    };
    let part = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let text = json!({"type": "string"});
    let list = json!({"type": "array", "items": part});
    let nested = json!({"type": "object", "properties": {"deep": part}});
    let dropped = [
        (&part, json!({"f": {"unknown": 1}})),
        (&list, json!({"f": [{"unknown": 1}]})),
        (&nested, json!({"f": {"unknown": 1}})),
    ];
    for (field, object) in dropped {
        for is_added in [true, false] {
            let mut schemas = [keeping.clone(), with_field(field.clone())];
            if !is_added {
                schemas.reverse();
            }
            let findings = compare(&schemas);
            let (code, level) = if is_added {
                ("field-changed", Level::Breaking)
            } else {
                ("field-changed", Level::Notice)
            };
            let stored = findings.iter().find(|finding| finding.code == code);
            let stored = stored.unwrap_or_else(|| panic!("{findings:?}"));
            assert_eq!(stored.level, level, "{stored}");
            assert_eq!(stored.proof.as_ref().unwrap().object["spec"], object);
            assert!(stored.affected[0].contains("stored unchanged"), "{stored}");
        }
    }
    // The schema refuses values, and drops only null, which is not worth a finding.
    for (field, is_added, expected) in [
        (&text, true, ("field-refused", Level::Tolerated)),
        (&text, false, ("field-allowed", Level::Notice)),
    ] {
        let mut schemas = [keeping.clone(), with_field(field.clone())];
        if !is_added {
            schemas.reverse();
        }
        let findings = compare(&schemas);
        let found: Vec<_> = findings
            .iter()
            .map(|finding| (finding.code, finding.level))
            .collect();
        assert_eq!(found, [expected], "{findings:?}");
        assert!(
            findings[0].description.contains("unknown field"),
            "{findings:?}"
        );
    }
}

/// An element of a list without a key has no old element, so the list does not equal itself, and
/// updates of other fields are refused. A list within a list without keys is compared as a whole.
#[test]
fn a_missing_key_is_tolerated_only_in_a_list_that_is_compared_as_a_whole() {
    let item = |required: &Value| object(&json!({"name": {"type": "string"}}), required);
    let list = |is_keyed: bool, required: &Value| {
        let mut list = json!({"type": "array", "items": item(required)});
        if is_keyed {
            list["x-kubernetes-list-type"] = json!("map");
            list["x-kubernetes-list-map-keys"] = json!(["name"]);
        }
        list
    };
    let field = |field: &Value| object(&json!({"f": field}), &json!([]));
    let within_list = |schema: &Value| json!({"type": "array", "items": field(schema)});
    let with_rule = |mut list: Value| {
        list["items"]["x-kubernetes-validations"] = json!([{"rule": "true"}]);
        list
    };
    let (absent, required) = (json!([]), json!(["name"]));
    for (name, old, new, level) in [
        (
            "keys",
            list(false, &absent),
            list(true, &required),
            Level::Breaking,
        ),
        (
            "keys and a rule",
            list(false, &absent),
            with_rule(list(true, &required)),
            Level::Breaking,
        ),
        (
            "a rule without keys",
            list(false, &absent),
            with_rule(list(false, &required)),
            Level::Tolerated,
        ),
        (
            "keys within a list without keys",
            within_list(&list(false, &absent)),
            within_list(&list(true, &required)),
            Level::Tolerated,
        ),
    ] {
        let findings = compare(&[field(&old), field(&new)]);
        let finding = findings
            .iter()
            .find(|finding| finding.code == "required-added");
        let finding = finding.unwrap_or_else(|| panic!("{name}: {findings:?}"));
        assert_eq!(finding.level, level, "{name}: {finding}");
    }
}

/// Each object with the added field also loses the field that the new version does not have,
/// because each version requires a field of its own.
#[test]
fn the_level_of_a_finding_does_not_depend_on_other_lost_values() {
    let text = || json!({"type": "string"});
    let version = |required: &str, optional: &str| {
        let fields = json!({(required): text(), (optional): text()});
        object(&fields, &json!([required]))
    };
    let findings = compare(&[version("a", "removed"), version("b", "added")]);
    let level = |path: &str| {
        let found = findings.iter().find(|finding| finding.path == path);
        found.map(|finding| (finding.code, finding.level))
    };
    assert_eq!(level("spec.added"), Some(("field-added", Level::Notice)));
    let removed = Some(("field-removed", Level::Breaking));
    assert_eq!(level("spec.removed"), removed);
}
