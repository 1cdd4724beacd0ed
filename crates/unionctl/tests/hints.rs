//! Tests of the hints below errors: combinators, costs, expressions and values without quotes.

use serde_json::{Value, json};

use crate::check::folder;
use crate::process::{ProgramOutput, run, write_file};

/// Returns a CRD of the kind Farm whose `spec` has this schema.
pub(crate) fn farm_crd(spec_schema: &Value) -> Value {
    let schema = json!({"type": "object", "properties": {"spec": spec_schema}});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "farms.acre.example.com"},
        "spec": {
            "group": "acre.example.com",
            "scope": "Namespaced",
            "names": {"kind": "Farm", "plural": "farms", "singular": "farm", "listKind": "FarmList"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": schema},
            }],
        },
    })
}

pub(crate) fn farm(spec: &Value) -> Value {
    json!({
        "apiVersion": "acre.example.com/v1",
        "kind": "Farm",
        "metadata": {"name": "hill"},
        "spec": spec,
    })
}

#[track_caller]
fn check_crd(name: &str, crd: &Value) -> ProgramOutput {
    let crd = write_file(&format!("{name}.json"), crd.to_string());
    run(["check", "--crd", &crd])
}

#[test]
fn the_message_of_the_server_precedes_the_hint() {
    let door = || json!({"type": "string", "nullable": true});
    let crd = farm_crd(&json!({
        "type": "object",
        "properties": {"door": door(), "doorId": door()},
        "oneOf": [{"required": ["door"]}, {"required": ["doorId"]}],
    }));
    let crd = write_file("hints_one_of.json", crd.to_string());
    let object = farm(&json!({"door": "oak", "doorId": null}));
    let object = write_file("hints_one_of_object.json", object.to_string());
    let output = run(["check", "--crd", &crd, "--new", &object]);
    let message = "<nil>: Invalid value: \"\": \"spec\" must validate one and only one schema \
                   (oneOf). Found 2 valid alternatives";
    let hint = "`door` and `doorId` are both set (a null counts as set): remove `doorId`, which is \
                null";
    assert_eq!(
        output.stdout,
        format!("creation of Farm \"default/hill\"\nerrors:\n  {message}\n    {hint}\nrejected\n")
    );
    let json = run(["check", "--crd", &crd, "--new", &object, "-o", "json"]).json();
    let error = &json["objects"][0]["errors"][0];
    assert_eq!(
        (&error["text"], &error["hints"]),
        (&json!(message), &json!([hint]))
    );
}

/// Sets the bounds of a line of advice in the schema of `spec`.
fn apply_bounds(spec_schema: &mut Value, advice: &str) {
    let bounds = advice
        .trim_start_matches("or ")
        .strip_prefix("set ")
        .expect("advice sets bounds");
    for bound in bounds.split(" and ") {
        let words: Vec<&str> = bound.split(' ').collect();
        let [keyword, "of", path, "to", max, "or", "less"] = &*words else {
            panic!("{bound} is not a bound");
        };
        let path = path
            .trim_matches('`')
            .strip_prefix("spec")
            .expect("the path begins with spec");
        let path = path.replace("[*]", ".[*]");
        let mut schema = &mut *spec_schema;
        for name in path.split('.').filter(|name| !name.is_empty()) {
            schema = match name {
                "[*]" if schema["type"] == "array" => &mut schema["items"],
                "[*]" => &mut schema["additionalProperties"],
                name => &mut schema["properties"][name],
            };
        }
        assert!(schema.is_object(), "{advice}");
        schema[keyword] = json!(max.parse::<u64>().unwrap());
    }
}

/// Returns schemas whose rules exceed the cost limit, each with a description.
fn expensive_schemas() -> Vec<(&'static str, Value)> {
    let string = || json!({"type": "string"});
    let rule = |rule: &str| json!([{"rule": rule, "message": "m"}]);
    let message = |message: &str| json!([{"rule": "size(self) < 9", "messageExpression": message}]);
    let with_rules = |mut schema: Value, rules: Value| {
        schema["x-kubernetes-validations"] = rules;
        schema
    };
    let list = |items: Value| json!({"type": "array", "items": items});
    let map = |values: Value| json!({"type": "object", "additionalProperties": values});
    let object = |field: Value| object_with(&field);
    let matches = "self.all(t, t.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$'))";
    let values_match = "self.all(k, self[k].matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$'))";
    let nested = "self.all(a, self.all(b, a.contains(b)))";
    vec![
        (
            "a pattern for each string of a list",
            with_rules(list(string()), rule(matches)),
        ),
        (
            "a pattern for each value of a map",
            with_rules(map(string()), rule(values_match)),
        ),
        ("two loops", with_rules(list(string()), rule(nested))),
        (
            "a string in a list",
            list(with_rules(string(), rule("self.contains('x')"))),
        ),
        (
            "a string in a map",
            map(with_rules(string(), rule("self.contains('x')"))),
        ),
        (
            "nested lists",
            list(list(with_rules(string(), rule("self.contains('x')")))),
        ),
        (
            "a list in an object in a list",
            list(object(with_rules(
                list(string()),
                rule("self.all(t, t.contains('x'))"),
            ))),
        ),
        (
            "a message expression",
            with_rules(string(), message("'wrong: ' + self.replace('a', self)")),
        ),
    ]
}

/// Returns the schema of an object with a field.
fn object_with(field: &Value) -> Value {
    json!({"type": "object", "properties": {"f": field}})
}

#[test]
fn bounds_below_an_error_about_costs_are_enough() {
    for (name, field) in expensive_schemas() {
        let spec_schema = object_with(&field);
        let json = run([
            "check",
            "--crd",
            &write_file("hints_costs.json", farm_crd(&spec_schema).to_string()),
            "-o",
            "json",
        ])
        .json();
        let errors = json["errors"].as_array().unwrap();
        assert!(!errors.is_empty(), "{name}");
        for error in errors {
            let hints: Vec<&str> = error["hints"]
                .as_array()
                .unwrap()
                .iter()
                .map(|hint| hint.as_str().unwrap())
                .collect();
            let is_bound = |hint: &&&str| hint.contains(" or less");
            let is_total = error["field"]
                .as_str()
                .unwrap()
                .ends_with("openAPIV3Schema");
            let bounds: Vec<&&str> = hints.iter().filter(is_bound).collect();
            assert!(!bounds.is_empty(), "{name}: {error}");
            for advice in bounds {
                let advice = advice
                    .split_once(": ")
                    .map_or(*advice, |(_, advice)| advice);
                let mut bounded = spec_schema.clone();
                apply_bounds(&mut bounded, advice);
                let output = check_crd("hints_costs_bounded", &farm_crd(&bounded));
                assert_eq!(
                    output.code, 0,
                    "{name}: {advice}: {is_total}: {}",
                    output.stdout
                );
            }
        }
    }
}

#[test]
fn a_message_is_the_remedy_if_no_bound_helps() {
    let count = json!({"type": "integer", "minimum": 0, "maximum": 9});
    let crd = farm_crd(&json!({
        "type": "object",
        "properties": {"count": count},
        "x-kubernetes-validations": [{
            "rule": "self.count >= 0",
            "messageExpression": "'wrong count: ' + string(self.count)",
        }],
    }));
    let output = check_crd("hints_message", &crd);
    let hint = "    no bound helps, because the estimate assumes an unlimited length for `string()` of a number; \
                write a `message` in place of `messageExpression`\n";
    assert!(output.stdout.contains(hint), "{}", output.stdout);
}

#[test]
fn an_error_of_one_version_has_the_hints_of_this_version() {
    let tags = |max_length: Option<u64>| {
        let mut tags = json!({"type": "array", "items": {"type": "string"}});
        tags["x-kubernetes-validations"] = json!([{"rule": "self.all(t, t.contains('x'))"}]);
        if let Some(max_length) = max_length {
            tags["items"]["maxLength"] = json!(max_length);
        }
        json!({"type": "object", "properties": {"tags": tags}})
    };
    let mut crd = farm_crd(&tags(Some(3)));
    let mut second_version = farm_crd(&tags(None))["spec"]["versions"][0].clone();
    second_version["name"] = json!("v2");
    second_version["storage"] = json!(false);
    crd["spec"]["versions"]
        .as_array_mut()
        .unwrap()
        .push(second_version);
    let output = check_crd("hints_versions", &crd);
    assert!(
        output.stdout.contains("spec.versions[1].schema"),
        "{}",
        output.stdout
    );
    assert!(
        output.stdout.contains("maxLength of `spec.tags[*]`"),
        "{}",
        output.stdout
    );
}

#[test]
fn compile_errors_are_printed_as_lines() {
    let limit = || json!({"type": "string", "maxLength": 20});
    let cases = [
        (
            "quantity(self.low) < quantity(self.high)",
            "found no matching overload for '_<_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'",
            "     | quantity(self.low) < quantity(self.high)\n     | ...................^\n    \
             kubernetes.Quantity does not have the operator `<`; write `a.isLessThan(b)`\n",
        ),
        (
            "quantity(self.low) >= quantity(self.high)",
            "found no matching overload for '_>=_'",
            "     | ...................^\n    kubernetes.Quantity does not have the operator `>=`; \
             write `!a.isLessThan(b)`\n",
        ),
        (
            "self.low == 'a' &&\n  self.hihg == 'b'",
            "undefined field 'hihg'",
            "     |   self.hihg == 'b'\n     | ......^\n",
        ),
        (
            "self.low <",
            "Syntax error",
            "     | self.low <\n     | ..........^\n",
        ),
        (
            "self.low == 1 && self.high == 2",
            "_==_",
            "     | .........^\n",
        ),
    ];
    for (rule, first_line, other_lines) in cases {
        let crd = farm_crd(&json!({
            "type": "object",
            "properties": {"low": limit(), "high": limit()},
            "x-kubernetes-validations": [{"rule": rule, "message": "m"}],
        }));
        let output = check_crd("hints_compile", &crd);
        let path =
            "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule";
        let prefix = format!("  {path}: Invalid value: compilation failed: ERROR: <input>:");
        let line = output.stdout.lines().find(|line| line.starts_with(&prefix));
        let line = line.unwrap_or_else(|| panic!("{}", output.stdout));
        assert!(line.contains(first_line), "{line}");
        assert!(output.stdout.contains(other_lines), "{}", output.stdout);
        assert!(!output.stdout.contains("\\u003c") && !output.stdout.contains("\\n"));
        // JSON has the text of the server.
        let file = write_file("hints_compile.json", crd.to_string());
        let json = run(["check", "--crd", &file, "-o", "json"]).json();
        let text = json["errors"][0]["text"].as_str().unwrap();
        assert!(
            text.starts_with(&format!("{path}: Invalid value: {{\"Rule\":")),
            "{text}"
        );
        assert!(text.contains("\n | "), "{text}");
    }
}

/// Returns a CRD with strings in several places.
fn crd_of_strings() -> Value {
    farm_crd(&json!({
        "type": "object",
        "properties": {
            "mode": {"type": "string"},
            "list": {"type": "array", "items": {"type": "string"}},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            "on": {"type": "string"},
        },
    }))
}

#[test]
fn values_without_quotes_have_hints() {
    let crd = crd_of_strings();
    let booleans = [
        "n", "N", "y", "Y", "no", "No", "NO", "yes", "Yes", "YES", "on", "On", "ON", "off", "Off",
        "OFF", "true", "True", "TRUE", "false", "False", "FALSE",
    ];
    let numbers = ["1", "1.10", "010", "0x1F", "0b1", "1_000", "1e3", "-1"];
    let values = booleans.map(|text| (text, "a boolean"));
    let values = values
        .into_iter()
        .chain(numbers.map(|text| (text, "a number")));
    for (text, type_name) in values {
        for (place, line, column) in [
            (format!("  mode: {text}"), 5, 9),
            (format!("  list: [a, {text}]"), 5, 13),
            (format!("  map: {{a: {text}}}"), 5, 12),
        ] {
            let object =
                "apiVersion: acre.example.com/v1\nkind: Farm\nmetadata: {name: hill}\nspec:\n";
            let files = [
                ("crd.json", crd.to_string()),
                ("new.yaml", format!("{object}{place}\n")),
            ];
            let folder = folder("hints_quotes", &files);
            let (crd, new) = (format!("{folder}/crd.json"), format!("{folder}/new.yaml"));
            let output = run(["check", "--crd", &crd, "--new", &new]);
            let hint = format!(
                "    {new}:{line}:{column}: `{text}` without quotes is {type_name}; write {text:?} for a string\n"
            );
            assert!(output.stdout.contains(&hint), "{hint}{}", output.stdout);
        }
    }
}

#[test]
fn keys_and_metadata_without_quotes_have_hints() {
    let crd = crd_of_strings();
    let cases = [
        (
            "metadata: {name: hill, labels: {a: on}, annotations: {b: 1}}\nspec: {}\n",
            &[
                "3:36: `on` without quotes is a boolean; write \"on\" for a string",
                "3:58: `1` without quotes is a number; write \"1\" for a string",
            ][..],
        ),
        (
            "metadata: {name: no}\nspec: {}\n",
            &["3:18: `no` without quotes is a boolean"],
        ),
        (
            "metadata: {name: hill}\nspec:\n  on: x\n",
            &[
                "5:3: unknown field \"spec.true\"; the key `on` without quotes is not a string; write \"on\"",
            ],
        ),
    ];
    for (lines, hints) in cases {
        let object = format!("apiVersion: acre.example.com/v1\nkind: Farm\n{lines}");
        let files = [("crd.json", crd.to_string()), ("new.yaml", object)];
        let folder = folder("hints_keys_without_quotes", &files);
        let (crd, new) = (format!("{folder}/crd.json"), format!("{folder}/new.yaml"));
        let output = run(["check", "--crd", &crd, "--new", &new]);
        for hint in hints {
            assert!(
                output.stdout.contains(&format!("{new}:{hint}")),
                "{hint} {}",
                output.stdout
            );
        }
    }
}

#[test]
fn strings_in_quotes_and_json_have_no_hints() {
    let crd = crd_of_strings();
    // A value in quotes, and a value of JSON, have no hint.
    for (name, spec) in [("new.yaml", "spec: {list: [{}]}"), ("new.json", "")] {
        let yaml =
            format!("apiVersion: acre.example.com/v1\nkind: Farm\nmetadata: {{name: h}}\n{spec}\n");
        let json = farm(&json!({"mode": true})).to_string();
        let content = if name == "new.json" { json } else { yaml };
        let folder = folder(
            "hints_quotes",
            &[("crd.json", crd.to_string()), (name, content)],
        );
        let (crd, new) = (format!("{folder}/crd.json"), format!("{folder}/{name}"));
        let output = run(["check", "--crd", &crd, "--new", &new]);
        assert_eq!(output.code, 1);
        assert!(
            !output.stdout.contains("without quotes"),
            "{}",
            output.stdout
        );
    }
}

#[test]
fn the_reason_for_an_error_that_is_not_tolerated_is_one_line() {
    let crd = farm_crd(&json!({
        "type": "object",
        "properties": {
            "size": {"type": "integer"},
            "names": {"type": "array", "items": {"type": "string", "maxLength": 1}},
        },
    }));
    let files = [
        ("crd.json", crd.to_string()),
        ("old.json", farm(&json!({"names": ["xx"]})).to_string()),
        ("new.json", farm(&json!({"names": ["xx", "y"]})).to_string()),
    ];
    let folder = folder("hints_tolerance", &files);
    let path = |name: &str| format!("{folder}/{name}");
    let output = run([
        "check",
        "--crd",
        &path("crd.json"),
        "--old",
        &path("old.json"),
        "--new",
        &path("new.json"),
    ]);
    assert_eq!(
        output.stdout,
        "update of Farm \"default/hill\"\nerrors:\n  spec.names[0]: Too long: may not be more than \
         1 byte\n    the stored object has this error too, but the elements of `spec.names`, a \
         list without keys, have no old values: it is tolerated only if the whole list is \
         unchanged\nrejected\n"
    );
}

#[test]
fn a_reference_is_named_and_has_a_remedy() {
    let reference = || json!({"$ref": "#/components/schemas/Test"});
    for (place, field) in [
        ("properties[f]", reference()),
        (
            "properties[f].items",
            json!({"type": "array", "items": reference()}),
        ),
        (
            "properties[f].additionalProperties",
            json!({"type": "object", "additionalProperties": reference()}),
        ),
    ] {
        let output = check_crd("hints_reference", &farm_crd(&object_with(&field)));
        let error = format!(
            "openAPIV3Schema.properties[spec].{place}.$ref: Forbidden: $ref is not supported\n    \
             a CRD cannot refer to `Test`; write its schema here, or, if `Test` contains itself, \
             replace the reference by `x-kubernetes-preserve-unknown-fields: true`"
        );
        assert!(output.stdout.contains(&error), "{error}{}", output.stdout);
        assert_eq!(output.stderr, "");
    }
}
