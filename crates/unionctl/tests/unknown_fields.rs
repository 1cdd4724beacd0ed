//! Tests of unknown fields and duplicate keys: the message of a server, the position in the file,
//! and the similar name.

use serde_json::{Value, json};

use crate::check::{check, folder};
use crate::process::{run, run_with_stdin, sample, write_file};
use unionctl::page::Session;

const STRICT_ERROR_START: &str =
    "Database in version \"v1\" cannot be handled as a Database: strict decoding error: ";

/// Returns a manifest with this line as line 7, in `spec`.
fn manifest(line: &str) -> String {
    format!(
        "apiVersion: db.example.com/v1\nkind: Database\nmetadata:\n  name: one\nspec:\n  engine: MySQL\n{line}\n"
    )
}

#[test]
fn unknown_fields_of_files_are_errors_unless_validate_says_otherwise() {
    let manifest_file = write_file("unknown_field.yaml", manifest("  repplicas: 3"));
    let message = r#"unknown field "spec.repplicas""#;
    let position_lines =
        format!("unknown fields:\n  {manifest_file}:7:3: {message}; did you mean \"replicas\"?\n");
    let strict_report =
        format!("errors:\n  {STRICT_ERROR_START}{message}\n{position_lines}rejected\n");
    let warn_report = format!("warnings:\n  {message}\n{position_lines}accepted\n");
    let ignore_report = "no errors\naccepted\n".to_owned();
    for (flags, exit_code, report) in [
        (&[][..], 1, &strict_report),
        (&["--validate"], 1, &strict_report),
        (&["--validate=strict"], 1, &strict_report),
        (&["--validate=true"], 1, &strict_report),
        (&["--validate", "warn"], 0, &warn_report),
        (&["--validate=ignore"], 0, &ignore_report),
        (&["--validate=false"], 0, &ignore_report),
    ] {
        let output = check(&[&["--new", &manifest_file], flags].concat());
        assert_eq!(
            (output.code, output.stderr.as_str()),
            (exit_code, ""),
            "{flags:?}"
        );
        let expected = format!("creation of Database \"default/one\"\n{report}");
        assert_eq!(output.stdout, expected, "{flags:?}");
    }
    let output = check(&["--new", &manifest_file, "--validate=maybe"]);
    assert_eq!(output.code, 2);
}

#[test]
fn json_has_the_position_and_the_similar_name_of_an_unknown_field() {
    let manifest_file = write_file("unknown_json.yaml", manifest("  repplicas: 3\n  banana: 1"));
    let output = check(&["--new", &manifest_file, "-o", "json"]).json();
    assert_eq!(
        output["objects"][0]["unknown_fields"],
        json!([
            { "field": "spec.banana", "line": 8, "column": 3 },
            { "field": "spec.repplicas", "near": "replicas", "line": 7, "column": 3 },
        ])
    );
}

#[test]
fn a_duplicate_key_is_reported_with_the_unknown_fields() {
    let source = manifest("  engine: Postgres\n  repplicas: 3");
    let manifest_file = write_file("duplicate_key.yaml", source);
    let position_lines = format!(
        "duplicate keys:\n  {manifest_file}:7:3: duplicate key \"engine\"; remove one\n\
         unknown fields:\n  {manifest_file}:8:3: unknown field \"spec.repplicas\"; did you mean \"replicas\"?\n"
    );
    let output = check(&["--new", &manifest_file]);
    assert_eq!(
        output.stdout,
        format!(
            "creation of Database \"default/one\"\nerrors:\n  {STRICT_ERROR_START}yaml: unmarshal errors:\\n  \
             line 7: key \"engine\" already set in map, unknown field \"spec.repplicas\"\n{position_lines}rejected\n"
        )
    );
    let output = check(&["--new", &manifest_file, "--validate=warn"]);
    assert_eq!(
        output.stdout,
        format!(
            "creation of Database \"default/one\"\nwarnings:\n  line 7: key \"engine\" already set in map\n  \
             unknown field \"spec.repplicas\"\n{position_lines}accepted\n"
        )
    );
    // The last value of the key is used.
    let output = check(&["--new", &manifest_file, "--validate=ignore", "-o", "json"]).json();
    assert_eq!(output["objects"][0]["object"]["spec"]["engine"], "Postgres");
    assert_eq!(output["objects"][0]["warnings"], json!([]));
}

/// A server gets each document by itself, so the lines in its messages count from the start of the
/// document. The positions count from the start of the file.
#[test]
fn the_lines_of_the_server_count_from_the_start_of_a_document() {
    let manifest_with_name = |name: &str| manifest("  engine: Postgres").replace("name: one", name);
    let documents = ["name: a", "name: b", "name: c"].map(manifest_with_name);
    let source = documents
        .join("---\n")
        .replacen("apiVersion", "---\napiVersion", 1);
    let folder = folder("duplicate_in_documents", &[("three.yaml", source)]);
    let output = check(&["--new", &folder]);
    // The first document includes the separator before it.
    for (name, server_line, line) in [("a", 8, 8), ("b", 7, 16), ("c", 7, 24)] {
        let title = format!("three.yaml: creation of Database \"default/{name}\"\n");
        let report_start = output
            .stdout
            .find(&title)
            .expect("the report on the object");
        let report = output.stdout[report_start..].split("\n\n").next().unwrap();
        for expected in [
            format!("\\n  line {server_line}: key \"engine\" already set in map\n"),
            format!("three.yaml:{line}:3: duplicate key \"engine\"; remove one"),
        ] {
            assert!(report.contains(&expected), "{expected}\n{report}");
        }
    }
}

#[test]
fn a_field_of_a_merged_map_has_its_position_in_that_map() {
    let cases = [
        // (the fields of `spec`, the line of `typo`)
        ("  <<: *one", 6),
        ("  <<: [*two, *one]", 7),
        ("  <<: [*one, *two]", 6),
        ("  <<: {typo: 1}", 9),
        ("  typo: 1\n  <<: *one", 6),
        ("  <<: *one\n  typo: 1", 10),
        ("  <<: *one\n  \"<<\": 1", 6),
    ];
    for (index, (fields, line)) in cases.into_iter().enumerate() {
        let source = format!(
            "apiVersion: db.example.com/v1\nkind: Database\nmetadata:\n  name: one\n\
             one_two:\n- &one {{engine: MySQL, typo: 1}}\n- &two {{<<: *one, typo: 2}}\n\
             spec:\n{fields}\n"
        );
        let manifest_file = write_file(&format!("merged_{index}.yaml"), source);
        let output = check(&["--new", &manifest_file, "-o", "json"]).json();
        let unknown_fields = output["objects"][0]["unknown_fields"].as_array().unwrap();
        let typo = unknown_fields
            .iter()
            .find(|field| field["field"] == "spec.typo");
        assert_eq!(
            typo.expect("the unknown field")["line"],
            line,
            "{unknown_fields:?}"
        );
    }
}

/// A path repeats the names of its parents, so the paths of a small document can be huge.
#[test]
fn long_paths_of_duplicate_keys_are_an_error() {
    let source = |key_count: usize| {
        let keys = vec!["\"k\": 1"; key_count].join(", ");
        let name = "x".repeat(1 << 20);
        format!(
            "{{\"apiVersion\": \"db.example.com/v1\", \"kind\": \"Database\",\n\
             \"metadata\": {{\"name\": \"one\"}}, \"spec\": {{\"{name}\": {{{keys}}}}}}}"
        )
    };
    let manifest_file = write_file("long_paths.json", source(18));
    let output = check(&["--new", &manifest_file]);
    assert_eq!(output.code, 2);
    let message = "the paths of the duplicate keys exceed 16 MiB; remove the duplicate keys";
    assert!(output.stderr.contains(message), "{}", output.stderr);
    let manifest_file = write_file("shorter_paths.json", source(4));
    assert_eq!(check(&["--new", &manifest_file]).code, 1);
}

#[test]
fn each_object_of_a_file_has_its_own_positions() {
    let objects = [1, 2].map(|i| {
        let spec = format!("{{\"engine\": \"MySQL\", \"engine\": \"MySQL\", \"typo{i}\": 1}}");
        format!(
            "{{\"apiVersion\": \"db.example.com/v1\", \"kind\": \"Database\",\n\
             \"metadata\": {{\"name\": \"d{i}\"}}, \"spec\": {spec}}}"
        )
    });
    let list = format!(
        "{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n{}]}}",
        objects.join(",\n")
    );
    let folder = folder("unknown_in_list", &[("list.json", list)]);
    let output = check(&["--new", &folder]);
    for (line, name) in [(3, "d1"), (5, "d2")] {
        let title = format!("list.json: creation of Database \"default/{name}\"");
        let report_start = output
            .stdout
            .find(&title)
            .expect("the report on the object");
        let report = output.stdout[report_start..].split("\n\n").next().unwrap();
        let number = name.strip_prefix('d').unwrap();
        for expected in [
            format!("duplicate field \"spec.engine\", unknown field \"spec.typo{number}\"\n"),
            format!("list.json:{line}:57: duplicate key \"engine\"; remove one\n"),
            format!("list.json:{line}:76: unknown field \"spec.typo{number}\"\n"),
        ] {
            assert!(report.contains(&expected), "{expected}\n{report}");
        }
    }
}

#[test]
fn unknown_fields_and_duplicate_keys_of_a_crd_are_errors() {
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
               metadata:\n  name: docs.example.com\nspec:\n  group: example.com\n  scope: Cluster\n  \
               names: {kind: Doc, plural: docs}\n  versions:\n  - name: v1\n    served: true\n    served: true\n    \
               storage: true\n    schema:\n      openAPIV3Schema: {type: object, maxPropertys: 1}\n";
    let crd_file = write_file("unknown_in_crd.yaml", crd);
    let unknown_field = "unknown field \"spec.versions[0].schema.openAPIV3Schema.maxPropertys\"";
    let position_lines = format!(
        "duplicate keys:\n  {crd_file}:12:5: duplicate key \"served\"; remove one\n\
         unknown fields:\n  {crd_file}:15:39: {unknown_field}; did you mean \"maxProperties\"?\n"
    );
    let output = run(["check", "--crd", &crd_file]);
    let strict_error_start = "CustomResourceDefinition in version \"v1\" cannot be handled as a \
                  CustomResourceDefinition: strict decoding error: ";
    assert_eq!(
        (output.code, output.stdout),
        (
            1,
            format!(
                "errors:\n  {strict_error_start}yaml: unmarshal errors:\\n  line 12: key \"served\" already set in map, \
                 {unknown_field}\n{position_lines}rejected\n"
            )
        )
    );
    let output = run(["check", "--crd", &crd_file, "--validate=warn"]);
    assert_eq!(
        (output.code, output.stdout),
        (
            0,
            format!(
                "warnings:\n  line 12: key \"served\" already set in map\n  {unknown_field}\n{position_lines}accepted\n"
            )
        )
    );
    let output = run(["check", "--crd", &crd_file, "--validate=warn", "-o", "json"]);
    let similar_name = &output.json()["unknown_fields"][0]["near"];
    assert_eq!(similar_name, "maxProperties");
    // Duplicate keys in the CRD are an error if objects are validated.
    let object_file = write_file("unknown_crd_object.yaml", manifest(""));
    let output = run(["check", "--crd", &crd_file, "--new", &object_file]);
    assert!(output.error_message().contains("duplicate key \"served\""));
}

fn reply(args: &[&str], line: &str) -> Value {
    let output = run_with_stdin(["check", "--jsonl"].iter().chain(args), line);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    output.json()
}

#[test]
fn unknown_fields_of_lines_are_warnings_by_default() {
    let line = |settings: &str| {
        format!(
            "{{\"op\": \"create\", \"schema\": {{\"type\": \"object\", \"properties\": {{\"size\": {{\"type\": \"integer\"}}}}}}, \
             \"new\": {{\"size\": 1, \"size\": 2, \"siez\": 3}}, \"settings\": {{{settings}}}}}"
        )
    };
    let warn_reply = reply(&[], &line(""));
    assert_eq!(
        warn_reply["warnings"],
        json!(["duplicate field \"size\"", "unknown field \"siez\""])
    );
    assert_eq!(warn_reply["object"], json!({ "size": 2 }));
    assert_eq!(
        warn_reply["unknown_fields"],
        json!([{ "field": "siez", "near": "size" }])
    );
    let strict_error = "MyCoolCRD in version \"v1beta1\" cannot be handled as a MyCoolCRD: strict decoding error: \
                  duplicate field \"size\", unknown field \"siez\"";
    for settings in [
        "\"field_validation\": \"strict\"",
        "\"field_validation\": \"Strict\"",
    ] {
        assert_eq!(
            reply(&[], &line(settings))["errors"][0]["text"],
            strict_error
        );
    }
    let strict_reply = reply(&["--validate=strict"], &line(""));
    assert_eq!(strict_reply["errors"][0]["text"], strict_error);
    let ignore_reply = reply(&["--validate"], &line("\"field_validation\": \"ignore\""));
    assert_eq!(
        ignore_reply,
        json!({ "object": { "size": 2 }, "errors": [], "ratcheted": [], "warnings": [] })
    );
}

#[test]
fn unknown_fields_of_crds_in_lines_are_warnings_by_default() {
    let line = "{\"op\": \"crd\", \"schema\": {\"type\": \"object\", \"titel\": \"t\"}}";
    let unknown_field = "unknown field \"spec.versions[0].schema.openAPIV3Schema.titel\"";
    let warn_reply = reply(&[], line);
    assert_eq!(warn_reply["warnings"], json!([unknown_field]));
    assert_eq!(warn_reply["unknown_fields"][0]["near"], "title");
    let strict_reply = reply(&["--validate=strict"], line);
    assert!(
        strict_reply["errors"][0]["text"]
            .as_str()
            .unwrap()
            .ends_with(unknown_field)
    );
    let ignore_reply = reply(&["--validate=ignore"], line);
    assert_eq!(
        (&ignore_reply["warnings"], &ignore_reply["errors"]),
        (&json!([]), &json!([]))
    );
}

#[test]
fn tighten_reports_fields_that_the_new_schema_drops() {
    let old_source = std::fs::read_to_string(sample("database_crd.yaml")).unwrap();
    let new_source = old_source.replacen("              replicas:\n", "              copies:\n", 1);
    assert_ne!(old_source, new_source);
    let new_file = write_file("tighten_unknown.yaml", new_source);
    let stored_file = write_file("tighten_stored.yaml", manifest("  replicas: 3"));
    let old_file = sample("database_crd.yaml");
    let args = [
        "tighten",
        "--crd",
        &old_file,
        "--crd-new",
        &new_file,
        "--objects",
        &stored_file,
    ];
    let output = run(args);
    let expected = "unknown field \"spec.replicas\"\n";
    assert!(output.stdout.contains(expected), "{}", output.stdout);
}

#[test]
fn the_subcommand_unions_notes_misspelled_keywords() {
    let source = std::fs::read_to_string(sample("crd.yaml")).unwrap();
    let source = source.replacen(
        "                    nullable: true\n",
        "                    nulable: true\n",
        1,
    );
    let crd_file = write_file("unions_unknown.yaml", source);
    let (old_file, new_file) = (sample("stored.yaml"), sample("switched.yaml"));
    let output = run([
        "unions", "--crd", &crd_file, "--old", &old_file, "--new", &new_file,
    ]);
    assert_eq!(output.code, 0);
    let expected = ".properties.s3.nulable\"; did you mean \"nullable\"?\n";
    assert!(output.stderr.ends_with(expected), "{}", output.stderr);
}

#[test]
fn the_page_marks_unknown_fields() {
    let crd = std::fs::read_to_string(sample("database_crd.yaml")).unwrap();
    let request = json!({ "crd": crd, "new": manifest("  repplicas: 3") });
    let reply = Session::default().check(&request.to_string());
    let reply: Value = serde_json::from_str(&reply).unwrap();
    assert_eq!(
        reply["object"]["warnings"],
        json!([{
            "editor": "new", "line": 7, "column": 3,
            "text": "unknown field \"spec.repplicas\"; did you mean \"replicas\"?",
        }])
    );
    let crd_with_typo = crd.replacen(
        "              replicas:\n",
        "              replicas:\n                maximun: 9\n",
        1,
    );
    let request = json!({ "crd": crd_with_typo });
    let reply = Session::default().check(&request.to_string());
    let reply: Value = serde_json::from_str(&reply).unwrap();
    let warning = &reply["crd"]["warnings"][0];
    let line = crd_with_typo
        .lines()
        .position(|line| line.contains("maximun"));
    assert_eq!(warning["line"], json!(line.unwrap() + 1));
    assert!(
        warning["text"]
            .as_str()
            .unwrap()
            .ends_with("; did you mean \"maximum\"?")
    );
}

#[test]
fn a_duplicate_key_of_a_list_itself_is_an_error() {
    let list_item = |name: &str, line: &str| {
        let manifest = manifest(line).replace("name: one", &format!("name: {name}"));
        let lines: Vec<String> = manifest.lines().map(|line| format!("  {line}\n")).collect();
        format!("-{}", &lines.concat()[1..])
    };
    let (invalid, valid) = (list_item("a", "  replicas: none"), list_item("b", ""));
    for (name, list, position) in [
        (
            "items",
            format!("apiVersion: v1\nkind: List\nitems:\n{invalid}items:\n{valid}"),
            "11:1: duplicate key \"items\"",
        ),
        (
            "kind",
            format!("apiVersion: v1\nkind: Database\nkind: List\nitems:\n{valid}"),
            "3:1: duplicate key \"kind\"",
        ),
    ] {
        let list_file = write_file(&format!("duplicate_{name}_of_a_list.yaml"), list);
        for validate in ["strict", "warn", "ignore"] {
            let output = check(&["--new", &list_file, "--validate", validate]);
            assert_eq!(
                (output.code, output.stdout.as_str()),
                (2, ""),
                "{name} {validate}"
            );
            assert!(output.stderr.contains(position), "{}", output.stderr);
        }
    }
}

#[test]
fn each_object_of_a_long_list_has_its_own_duplicate_keys() {
    let object = |index: usize| {
        format!(
            "- apiVersion: db.example.com/v1\n  kind: Database\n  metadata: {{name: a{index}, name: a{index}}}\n  spec: {{engine: MySQL}}\n"
        )
    };
    let objects = (0..120).map(object).collect::<String>();
    let list = format!("apiVersion: v1\nkind: List\nitems:\n{objects}");
    let list_file = write_file("duplicates_of_120_objects.yaml", list);
    let output = check(&["--new", &list_file, "-o", "json"]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    let reply = output.json();
    let objects = reply["objects"].as_array().unwrap();
    assert_eq!(objects.len(), 120);
    for object in objects {
        assert_eq!(object["errors"].as_array().unwrap().len(), 1, "{object}");
    }
}

/// A misspelled keyword and a duplicate key for the schema of [`schema_and_crd_with`], each with
/// the message of a server.
const MISTAKES: [(&str, &str); 2] = [
    (
        "\"maxLenght\":3",
        "unknown field \\\"spec.versions[0].schema.openAPIV3Schema.maxLenght\\\"",
    ),
    (
        "\"type\":\"object\"",
        "duplicate field \\\"spec.versions[0].schema.openAPIV3Schema.type\\\"",
    ),
];

/// Returns a schema with a mistake, and a CRD with this schema, both as JSON.
fn schema_and_crd_with(mistake: &str) -> (String, String) {
    let schema = format!("{{\"type\":\"object\",{mistake}}}");
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "docs.example.com", "resourceVersion": "1" },
        "spec": {
            "group": "example.com",
            "names": { "kind": "Doc", "plural": "docs" },
            "scope": "Namespaced",
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": "SCHEMA" } }],
        },
    });
    let crd = crd.to_string().replace("\"SCHEMA\"", &schema);
    (schema, crd)
}

/// A mistake in a CRD that a client sends is an error with `--validate=strict`, a warning with
/// `warn`, and is not reported with `ignore`.
#[test]
fn a_mistake_in_a_sent_crd_is_an_error_a_warning_or_ignored() {
    for (mistake, message) in MISTAKES {
        let (schema, crd) = schema_and_crd_with(mistake);
        let crd_file = write_file("sent_crd.json", &crd);
        let lines = [
            format!("{{\"op\":\"crd\",\"crd\":{crd}}}"),
            format!("{{\"op\":\"crd\",\"schema\":{schema}}}"),
            format!("{{\"use\":{{\"crd\":{crd}}}}}"),
            format!("{{\"use\":{{\"schema\":{schema}}}}}"),
        ];
        for validate in ["strict", "warn", "ignore"] {
            let flag = format!("--validate={validate}");
            let jsonl_output = run_with_stdin(["check", "--jsonl", &flag], lines.join("\n"));
            let mut replies: Vec<String> = jsonl_output.stdout.lines().map(str::to_owned).collect();
            assert_eq!(replies.len(), lines.len());
            let json = ["-o", "json"];
            for flags in [
                &[][..],
                &[
                    "--old-crd",
                    &write_file(
                        "stored_crd.json",
                        schema_and_crd_with("\"description\":\"\"").1,
                    ),
                ],
            ] {
                let args = ["check", "--crd", &crd_file, &flag];
                replies.push(run(args.iter().chain(flags).chain(&json)).stdout);
            }
            for reply in replies {
                let json: Value = serde_json::from_str(&reply).unwrap();
                let key = match validate {
                    "strict" => "errors",
                    _ => "warnings",
                };
                let messages = json[key].to_string();
                assert_eq!(
                    messages.contains(message),
                    validate != "ignore",
                    "{validate}: {reply}"
                );
                let is_rejected = json["errors"]
                    .as_array()
                    .is_some_and(|errors| !errors.is_empty());
                assert_eq!(is_rejected, validate == "strict", "{reply}");
            }
        }
    }
}

/// A CRD whose objects are validated is stored already. Its misspelled keywords are noted, and are
/// not errors of the objects.
#[test]
fn a_misspelled_keyword_of_a_stored_crd_is_noted() {
    let (schema, crd) = schema_and_crd_with(MISTAKES[0].0);
    let crd_file = write_file("stored_misspelled.json", crd);
    let object = json!({ "apiVersion": "example.com/v1", "kind": "Doc", "metadata": { "name": "one", "namespace": "default" } });
    let object_file = write_file("of_misspelled.json", object.to_string());
    for (validate, is_noted) in [("strict", true), ("warn", true), ("ignore", false)] {
        let flag = format!("--validate={validate}");
        let note = format!(
            "note: {crd_file}: unknown field \"spec.versions[0].schema.openAPIV3Schema.maxLenght\"; did you mean \"maxLength\"?\n"
        );
        let expected_notes = if is_noted { note } else { String::new() };
        let output = run(["check", "--crd", &crd_file, "--new", &object_file, &flag]);
        assert_eq!((output.code, output.stderr), (0, expected_notes.clone()));
        let line = format!("{{\"op\":\"create\",\"new\":{object}}}");
        let output = run_with_stdin(["check", "--jsonl", "--crd", &crd_file, &flag], line);
        assert_eq!((output.code, output.stderr), (0, expected_notes));
        let line = format!("{{\"op\":\"create\",\"schema\":{schema},\"new\":{object}}}");
        let reply = run_with_stdin(["check", "--jsonl", &flag], [&*line, &*line].join("\n"));
        for reply in reply.stdout.lines() {
            let reply: Value = serde_json::from_str(reply).unwrap();
            let fields = reply.get("schema_unknown_fields").cloned();
            let expected_fields =
                is_noted.then(|| json!([{ "field": "maxLenght", "near": "maxLength" }]));
            assert_eq!(fields, expected_fields, "{reply}");
            assert_eq!(
                (&reply["errors"], &reply["warnings"]),
                (&json!([]), &json!([]))
            );
        }
    }
}

/// A stored CRD cannot have a duplicate key, so a duplicate key means that the file is not the
/// stored CRD.
#[test]
fn a_duplicate_key_of_a_stored_crd_is_an_error() {
    let (schema, crd) = schema_and_crd_with(MISTAKES[1].0);
    let crd_file = write_file("stored_duplicate.json", crd);
    let sent_crd_file = write_file(
        "sent_good.json",
        schema_and_crd_with("\"description\":\"\"").1,
    );
    let objects = sample("databases");
    for args in [
        &[
            "check",
            "--crd",
            &crd_file,
            "--new",
            &objects,
            "--validate=ignore",
        ][..],
        &[
            "check",
            "--crd",
            &sent_crd_file,
            "--old-crd",
            &crd_file,
            "--validate=ignore",
        ],
        &["check", "--jsonl", "--crd", &crd_file, "--validate=ignore"],
        &[
            "tighten",
            "--crd",
            &crd_file,
            "--crd-new",
            &sent_crd_file,
            "--objects",
            &objects,
        ],
    ] {
        let output = run(args);
        assert_eq!(output.code, 2, "{args:?}");
        assert!(
            output.stderr.contains("duplicate key \"type\"; remove one"),
            "{}",
            output.stderr
        );
    }
    let line = format!("{{\"op\":\"create\",\"schema\":{schema},\"new\":{{}}}}");
    let reply = run_with_stdin(["check", "--jsonl", "--validate=ignore"], line);
    assert!(reply.stdout.contains("duplicate key"), "{}", reply.stdout);
}

#[test]
fn the_report_names_each_of_several_crds() {
    let (_, valid_crd) = schema_and_crd_with("\"description\":\"\"");
    let (_, invalid_crd) = schema_and_crd_with(MISTAKES[0].0);
    let invalid_crd = invalid_crd.replace("docs", "pages");
    let crd_file = write_file("two_crds.json", format!("{valid_crd}\n{invalid_crd}"));
    let output = run(["check", "--crd", &crd_file]);
    let expected_start = "CustomResourceDefinition \"docs.example.com\"\nno errors\naccepted\n\n\
                 CustomResourceDefinition \"pages.example.com\"\nerrors:\n";
    assert!(
        output.stdout.starts_with(expected_start),
        "{}",
        output.stdout
    );
    assert_eq!(output.code, 1);
    let json = run(["check", "--crd", &crd_file, "-o", "json"]).json();
    assert_eq!(json["errors"], json["crds"][1]["errors"]);
    assert_eq!(
        json["crds"][1]["crd"],
        "CustomResourceDefinition \"pages.example.com\""
    );
    assert_eq!(json["crds"][0]["errors"], json!([]));
    // The CRD of the objects is named, too.
    let object =
        json!({ "apiVersion": "example.com/v1", "kind": "Doc", "metadata": { "name": "one" } });
    let object_file = write_file("of_two_crds.json", object.to_string());
    let output = run(["check", "--crd", &crd_file, "--new", &object_file]);
    let note =
        format!("note: {crd_file}: CustomResourceDefinition \"pages.example.com\": unknown field");
    assert!(output.stderr.starts_with(&note), "{}", output.stderr);
}

#[test]
fn json_has_the_positions_of_duplicate_keys() {
    let source = manifest("  engine: Postgres");
    let manifest_file = write_file("duplicate_json.yaml", source);
    for flag in ["--validate=strict", "--validate=warn"] {
        let json = check(&["--new", &manifest_file, "-o", "json", flag]).json();
        let expected_keys = json!([{ "key": "engine", "line": 7, "column": 3 }]);
        assert_eq!(json["objects"][0]["duplicate_keys"], expected_keys);
    }
    let json = check(&["--new", &manifest_file, "-o", "json", "--validate=ignore"]).json();
    assert_eq!(json["objects"][0].get("duplicate_keys"), None);
}
