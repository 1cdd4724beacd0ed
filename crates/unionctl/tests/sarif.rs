//! Tests of the SARIF output of all commands: the properties that SARIF 2.1.0 requires, and the
//! lines of results.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::process::{
    ProgramOutput, absent_folder, program_output, run, sample, unionctl, write_file,
};

/// The rule, the level, the line and the column of a result.
type Summary = (String, String, u64, u64);

/// Asserts that an output has the properties that SARIF 2.1.0 requires, and those that a code host
/// needs. Returns a summary of each result.
#[track_caller]
pub(crate) fn assert_sarif(output: &ProgramOutput, category: &str) -> Vec<Summary> {
    let log = output.json();
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(
        log["$schema"],
        "https://json.schemastore.org/sarif-2.1.0.json"
    );
    let [run] = array(&log["runs"]) else {
        panic!("one run: {log}");
    };
    let id = format!("unionctl/{category}/");
    assert_eq!(run["automationDetails"]["id"], id);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "unionctl");
    let rules = array(&driver["rules"]);
    for (index, rule) in rules.iter().enumerate() {
        assert!(!string(&rule["id"]).is_empty());
        assert!(!string(&rule["shortDescription"]["text"]).is_empty());
        let is_same_rule = |other: &Value| other["id"] == rule["id"];
        assert_eq!(
            rules.iter().position(is_same_rule),
            Some(index),
            "{rules:?}"
        );
    }
    array(&run["results"])
        .iter()
        .map(|result| assert_result(result, rules))
        .collect()
}

#[track_caller]
fn assert_result(result: &Value, rules: &[Value]) -> Summary {
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(rules[index]["id"], result["ruleId"]);
    let level = string(&result["level"]);
    assert!(["error", "warning", "note"].contains(&level), "{level}");
    assert!(!string(&result["message"]["text"]).is_empty());
    let [location] = array(&result["locations"]) else {
        panic!("one location: {result}");
    };
    let physical = &location["physicalLocation"];
    let uri = string(&physical["artifactLocation"]["uri"]);
    assert!(!uri.is_empty() && !uri.contains([' ', '\\']), "{uri}");
    let [logical] = array(&location["logicalLocations"]) else {
        panic!("one logical location: {result}");
    };
    assert!(!string(&logical["fullyQualifiedName"]).is_empty());
    assert!(!string(&result["partialFingerprints"]["unionctl/v1"]).is_empty());
    let number = |key: &str| {
        let number = physical["region"][key].as_u64().unwrap();
        assert!(number > 0, "{key}: {result}");
        number
    };
    (
        string(&result["ruleId"]).to_owned(),
        level.to_owned(),
        number("startLine"),
        number("startColumn"),
    )
}

#[track_caller]
fn array(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

#[track_caller]
fn string(value: &Value) -> &str {
    value.as_str().expect("a string")
}

#[track_caller]
fn assert_results(args: &[&str], code: i32, category: &str, expected: &[(&str, &str, u64, u64)]) {
    let output = run(args.iter().chain(&["-o", "sarif"]));
    assert_eq!(output.code, code, "{output:?}");
    let results = assert_sarif(&output, category);
    let results: Vec<(&str, &str, u64, u64)> = results
        .iter()
        .map(|(rule, level, line, column)| (&**rule, &**level, *line, *column))
        .collect();
    assert_eq!(results, expected, "{}", output.stdout);
}

#[test]
fn objects_have_errors_tolerated_errors_and_warnings_at_their_lines() {
    let tight = sample("database_crd_tight.yaml");
    let (legacy, scaled) = (sample("databases/legacy.yaml"), sample("scaled.yaml"));
    assert_results(
        &["check", "--crd", &tight, "-f", &legacy],
        1,
        "objects",
        &[
            ("FieldValueNotSupported", "error", 9, 3),
            ("FieldValueInvalid", "note", 2, 1),
        ],
    );
    assert_results(
        &["check", "--crd", &tight, "--old", &legacy, "-f", &scaled],
        0,
        "objects",
        &[
            ("FieldValueNotSupported", "note", 7, 3),
            ("Warning", "warning", 8, 3),
        ],
    );
    assert_results(
        &[
            "check",
            "--crd",
            &tight,
            "-f",
            &sample("databases/orders.yaml"),
        ],
        0,
        "objects",
        &[],
    );
}

/// Each unknown field and each duplicate key is a result, in place of the one message of a server.
#[test]
fn unknown_fields_and_duplicate_keys_have_results_of_their_own() {
    let crd = sample("database_crd.yaml");
    let objects = write_file(
        "sarif_unknown.yaml",
        "apiVersion: db.example.com/v1\nkind: Database\nmetadata: {name: a}\n\
         spec:\n  replcas: 3\n  ownr: x\n  engine: MySQL\n  engine: MySQL\n",
    );
    for (validation, code, level) in [("strict", 1, "error"), ("warn", 0, "warning")] {
        let validation = format!("--validate={validation}");
        assert_results(
            &["check", "--crd", &crd, "-f", &objects, &validation],
            code,
            "objects",
            &[
                ("UnknownField", level, 6, 3),
                ("UnknownField", level, 5, 3),
                ("DuplicateKey", level, 8, 3),
            ],
        );
    }
    assert_results(
        &["check", "--crd", &crd, "-f", &objects, "--validate=ignore"],
        0,
        "objects",
        &[],
    );
}

#[test]
fn objects_in_lists_and_of_unknown_kinds_have_results() {
    let crd = sample("database_crd_tight.yaml");
    let list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: db.example.com/v1\n  kind: Database\n  \
                metadata: {name: a}\n  spec: {engine: X}\n- apiVersion: db.example.com/v1\n  kind: Datbase\n  \
                metadata: {name: b}\n";
    let objects = write_file("sarif_list.yaml", list);
    let args = ["check", "--crd", &crd, "-f", &objects];
    let error = ("FieldValueNotSupported", "error", 7, 10);
    assert_results(
        &args,
        1,
        "objects",
        &[
            error,
            ("FieldValueInvalid", "note", 4, 3),
            ("NotChecked", "note", 8, 3),
        ],
    );
    assert_results(
        &[&args[..], &["--strict-kinds"]].concat(),
        1,
        "objects",
        &[
            error,
            ("FieldValueInvalid", "note", 4, 3),
            ("NotChecked", "error", 8, 3),
        ],
    );
}

/// A server reports an error in a schema that all versions share at `spec.validation`.
#[test]
fn crds_have_errors_and_warnings_at_their_lines() {
    let source = fs::read_to_string(sample("database_crd_tight.yaml")).unwrap();
    let invalid = source
        .replace("self.contains(\"@\")", "self.contain(\"@\")")
        .replace("maximum: 5", "maximun: 5")
        .replace("scope: Namespaced", "scope: Galaxy");
    let rule_line = line_of(&invalid, "self.contain(");
    let crd = write_file("sarif_crd.yaml", &invalid);
    let expected = [("UnknownField", "error", line_of(&invalid, "maximun"), 17)];
    assert_results(&["check", "--crd", &crd], 1, "crds", &expected);
    let expected = [
        (
            "FieldValueNotSupported",
            "error",
            line_of(&invalid, "scope"),
            3,
        ),
        ("FieldValueInvalid", "error", rule_line, 19),
        ("UnknownField", "warning", line_of(&invalid, "maximun"), 17),
    ];
    let args = ["check", "--validate=warn", "--crd", &crd];
    assert_results(&args, 1, "crds", &expected);
}

fn line_of(source: &str, part: &str) -> u64 {
    let line = source.lines().position(|line| line.contains(part));
    line.unwrap() as u64 + 1
}

#[test]
fn changes_have_the_line_in_the_new_crd() {
    let (crd, next) = (sample("crd.yaml"), sample("crd_next.yaml"));
    let source = fs::read_to_string(&next).unwrap();
    let line = line_of(&source, "target:");
    assert_results(
        &["compat", "--crd", &crd, "--crd-new", &next],
        1,
        "compat",
        &[
            ("value-removed", "error", line, 15),
            ("value-added", "warning", line, 15),
        ],
    );
    assert_results(
        &["compat", "--crd", &crd, "--crd-new", &crd],
        0,
        "compat",
        &[],
    );
}

#[test]
fn listings_and_upgrades_have_the_properties_too() {
    let pipeline = sample("pipeline_crd.yaml");
    let output = run(["unions", "--list", "--crd", &pipeline, "-o", "sarif"]);
    let [(rule, level, ..)] = &*assert_sarif(&output, "unions") else {
        panic!("one result: {output:?}");
    };
    assert_eq!((&**rule, &**level), ("no-rule", "error"));
    let source = fs::read_to_string(sample("database_crd.yaml")).unwrap();
    let int32 = source.replacen(
        "type: integer",
        "type: integer\n                format: int32",
        1,
    );
    let crd = write_file("sarif_upgrade.yaml", int32);
    let object = "apiVersion: db.example.com/v1\nkind: Database\nmetadata: {name: a}\nspec: {replicas: 3000000000}\n";
    let objects = write_file("sarif_upgrade_object.yaml", object);
    let versions = ["--from", "1.35", "--to", "1.36"];
    let args = ["upgrade", "--crd", &crd, "-f", &objects];
    assert_results(
        &[&args[..], &versions].concat(),
        1,
        "upgrade",
        &[("NumericRanges", "error", 4, 8)],
    );
}

#[test]
fn other_commands_and_json_lines_do_not_support_sarif() {
    let (crd, object) = (sample("crd.yaml"), sample("stored.yaml"));
    let commands: [&[&str]; 5] = [
        &["check", "--jsonl"],
        &["unions", "--jsonl"],
        &["unions", "--list", "--jsonl"],
        &["unions", "--crd", &crd, "-f", &object],
        &["tighten", "--crd", &crd, "--crd-new", &crd, "-f", &object],
    ];
    for command in commands {
        let output = run(command.iter().chain(&["-o", "sarif"]));
        let expected = "the command line: -o sarif is supported only with ";
        assert!(output.error_message().starts_with(expected), "{output:?}");
    }
}

/// The URIs of relative paths are relative, because a code host resolves them in the repository.
#[test]
fn uris_of_relative_paths_are_relative() {
    let folder = absent_folder("sarif_relative");
    fs::create_dir_all(format!("{folder}/a b")).unwrap();
    let crd = fs::read(sample("pipeline_crd.yaml")).unwrap();
    fs::write(format!("{folder}/a b/ü.yaml"), crd).unwrap();
    for path in ["a b", "./a b/ü.yaml"] {
        let mut command: Command = unionctl(["unions", "--list", path, "-o", "sarif"]);
        let output = program_output(&command.current_dir(&folder).output().unwrap());
        let result = &output.json()["runs"][0]["results"][0];
        assert_eq!(
            result["locations"][0]["physicalLocation"]["artifactLocation"],
            json!({"uri": "a%20b/%C3%BC.yaml"})
        );
    }
}
