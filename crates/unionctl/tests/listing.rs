//! Tests of the output of `unionctl unions --list`, in all formats.

use std::fs;

use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::Settings;

use crate::process::{ProgramOutput, run, run_with_stdin, sample, write_file};
use crate::sarif::assert_sarif;

#[track_caller]
fn list(crd: &str, flags: &[&str]) -> ProgramOutput {
    run(["unions", "--crd", crd, "--list"].iter().chain(flags))
}

const PIPELINE_LISTING: &str = "\
Pipeline v1
  spec.notify: exactly one of `email`, `webhook`; exact, from 1 rule
  spec.runner: by `type` (by default \"Pod\"); exact, from 1 rule
    Pod  pod (optional)
    Machine  no field
  missing rule: no rule forbids `machine` (no-rule): {\"machine\": {}, \"type\": \"Pod\"} is accepted; remedy:
    self.type == 'Machine' ? true : !has(self.machine)
  spec.source: by `type` (required); exact, from 2 rules
    Bucket  bucket (optional)
    Git     git
    Inline  no field
1 strong finding
";

#[test]
fn text_lists_unions_and_findings() {
    let output = list(&sample("pipeline_crd.yaml"), &[]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(output.stdout, PIPELINE_LISTING);
}

/// Returns the schema of an object with properties and rules.
fn object_schema(properties: &Value, rules: &[&str]) -> Value {
    let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
    json!({"type": "object", "properties": properties, "x-kubernetes-validations": rules})
}

/// Returns a CRD with versions, which have these schemas as their `spec`.
fn crd(kind: &str, versions: &[(&str, &Value)]) -> Value {
    let versions: Vec<Value> = versions
        .iter()
        .enumerate()
        .map(|(index, (name, spec))| {
            let schema = json!({"type": "object", "properties": {"spec": spec}});
            json!({"name": name, "served": true, "storage": index == 0, "schema": {"openAPIV3Schema": schema}})
        })
        .collect();
    let plural = format!("{}s", kind.to_lowercase());
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com")},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural},
            "versions": versions,
        },
    })
}

fn exactly_one_schema() -> Value {
    let properties = json!({"a": {"type": "string"}, "b": {"type": "string"}});
    object_schema(&properties, &["has(self.a) != has(self.b)"])
}

fn at_most_one_schema() -> Value {
    let properties = json!({"a": {"type": "string"}, "b": {"type": "string"}});
    object_schema(&properties, &["!(has(self.a) && has(self.b))"])
}

#[test]
fn all_crds_of_a_yaml_stream_and_of_a_list_are_listed() {
    let (one_crd, other_crd) = (
        crd("One", &[("v1", &exactly_one_schema())]),
        crd("Other", &[("v1", &at_most_one_schema())]),
    );
    let printed = "One v1\n  spec: exactly one of `a`, `b`; exact, from 1 rule\n\
                   Other v1\n  spec: at most one of `a`, `b`; exact, from 1 rule\nno strong finding\n";
    let stream_file = write_file(
        "listing_stream.yaml",
        format!("---\n{one_crd}\n---\nkind: Secret\n---\n{other_crd}\n"),
    );
    assert_eq!(list(&stream_file, &[]).stdout, printed);
    let list_file = json!({"kind": "List", "apiVersion": "v1", "items": [one_crd, {"kind": "Secret"}, other_crd]});
    let list_file = write_file("listing_list.json", list_file.to_string());
    assert_eq!(list(&list_file, &[]).stdout, printed);
    let selected_listing = list(&list_file, &["--name", "Other"]).stdout;
    assert!(
        selected_listing.starts_with("Other v1\n"),
        "{selected_listing}"
    );
    assert_eq!(
        list(&list_file, &["--name", "Third"]).error_message(),
        format!(
            "{list_file}: found no CustomResourceDefinition \"Third\" with a schema; remove --name"
        )
    );
}

#[test]
fn a_schema_without_a_crd_is_listed() {
    let schema_file = write_file("listing_schema.json", exactly_one_schema().to_string());
    let output = run(["unions", "--schema", &schema_file, "--list"]);
    let printed = format!(
        "{schema_file}\n  the object: exactly one of `a`, `b`; exact, from 1 rule\nno strong finding\n"
    );
    assert_eq!(output.stdout, printed);
    let document =
        json!({"openapi": "3.0.0", "components": {"schemas": {"a.B/C": exactly_one_schema()}}});
    let document_file = write_file("listing_openapi.json", document.to_string());
    let output = run([
        "unions",
        "--schema",
        &document_file,
        "--name",
        "a.B/C",
        "--list",
    ]);
    assert!(
        output
            .stdout
            .starts_with("a.B/C\n  the object: exactly one"),
        "{output:?}"
    );
    let output = run(["unions", "--crd", &schema_file, "--list"]);
    assert!(
        output
            .error_message()
            .ends_with("pass a schema without a CRD to --schema")
    );
}

#[test]
fn references_are_noted_and_properties_with_their_name_are_not() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/definitions/A"}, "$ref": {"type": "string"}},
    });
    let schema_file = write_file("listing_ref.json", schema.to_string());
    let output = run(["unions", "--schema", &schema_file, "--list"]);
    assert_eq!(
        output.stderr,
        format!(
            "note: {schema_file}: `$ref` is not followed, so unions behind it are not listed; pass a schema without `$ref`, \
             or select the referenced schema with --name\n"
        )
    );
    let schema = json!({"type": "object", "properties": {"$ref": {"type": "string"}}});
    let schema_file = write_file("listing_no_ref.json", schema.to_string());
    assert_eq!(
        run(["unions", "--schema", &schema_file, "--list"]).stderr,
        ""
    );
}

#[test]
fn rust_without_unions_does_not_import_the_macro() {
    let schema_without_unions = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let crd_file = write_file(
        "listing_rust_none.json",
        crd("One", &[("v1", &schema_without_unions)]).to_string(),
    );
    let output = run(["unions", "--crd", &crd_file, "--as", "rust"]);
    assert_eq!(
        output.stdout,
        "use union_json::{Compiler, Unions};\n\n/// The unions of One v1, read from its rules.\n\
         pub fn one_v1_unions() -> Compiler {\n    Unions::compiler()\n}\n"
    );
}

#[test]
fn equal_versions_are_one_entry_and_differences_are_listed() {
    let crd = crd(
        "One",
        &[
            ("v1", &exactly_one_schema()),
            ("v1beta1", &exactly_one_schema()),
            ("v1alpha1", &at_most_one_schema()),
        ],
    );
    let crd = write_file("listing_versions.json", crd.to_string());
    assert_eq!(
        list(&crd, &[]).stdout,
        "One v1, v1beta1\n  spec: exactly one of `a`, `b`; exact, from 1 rule\n\
         One v1alpha1\n  spec: at most one of `a`, `b`; exact, from 1 rule\n  differs from v1, v1beta1: spec\n\
         no strong finding\n"
    );
    let listing = list(&crd, &["--version", "v1alpha1"]).stdout;
    assert!(
        listing.starts_with("One v1alpha1\n  spec: at most one"),
        "{listing}"
    );
    let output = list(&crd, &["--version", "v3"]);
    assert!(output.error_message().contains("has version \"v3\""));
}

/// Returns the schema of a union whose third member has no rule.
fn schema_with_a_missing_rule() -> Value {
    let properties = json!({
        "type": {"type": "string", "enum": ["A", "B", "C"]},
        "a": {"type": "object"},
        "b": {"type": "object"},
        "c": {"type": "object"},
    });
    let mut object = object_schema(
        &properties,
        &[
            "self.type == 'A' ? has(self.a) : !has(self.a)",
            "self.type == 'B' ? has(self.b) : !has(self.b)",
        ],
    );
    object["required"] = json!(["type"]);
    object
}

#[test]
fn strict_rejects_strong_findings_and_all_lists_weak_findings() {
    let exit_code = |name: &str, spec: &Value, flags: &[&str]| {
        let crd = write_file(name, crd("One", &[("v1", spec)]).to_string());
        list(&crd, flags).code
    };
    assert_eq!(
        exit_code("listing_strong.json", &schema_with_a_missing_rule(), &[]),
        0
    );
    for form in ["text", "json", "sarif"] {
        assert_eq!(
            exit_code(
                "listing_strong.json",
                &schema_with_a_missing_rule(),
                &["--strict", "-o", form]
            ),
            1
        );
        assert_eq!(
            exit_code(
                "listing_none.json",
                &exactly_one_schema(),
                &["--strict", "-o", form]
            ),
            0
        );
    }
    let properties =
        json!({"a": {"type": "array", "items": {"type": "string"}}, "b": {"type": "string"}});
    let weak_schema = object_schema(&properties, &["self.a.size() > 0 || has(self.b)"]);
    assert_eq!(
        exit_code("listing_weak.json", &weak_schema, &["--strict"]),
        0
    );
    let crd = write_file(
        "listing_weak.json",
        crd("One", &[("v1", &weak_schema)]).to_string(),
    );
    let printed = list(&crd, &[]).stdout;
    assert!(
        printed.contains("1 weak finding not shown; use --all\n"),
        "{printed}"
    );
    let printed = list(&crd, &["--all"]).stdout;
    assert!(printed.contains("  hint: `a`: the rule reads the field without checking that it is present (read-without-has): {} is rejected: spec: Invalid value: "), "{printed}");
}

#[test]
fn json_contains_unions_rules_and_findings() {
    let output = list(&sample("pipeline_crd.yaml"), &["-o", "json"]);
    let json = output.json();
    assert_eq!(json["findings"], json!({"strong": 1, "weak": 0}));
    let kind = &json["kinds"][0];
    assert_eq!(
        (&kind["kind"], &kind["group"]),
        (&json!("Pipeline"), &json!("ci.example.com"))
    );
    let version = &kind["versions"][0];
    assert_eq!(version["names"], json!(["v1"]));
    let runner = &version["places"][1];
    assert_eq!(runner["path"], "spec.runner");
    assert_eq!(runner["pointer"], "/properties/spec/properties/runner");
    let union = &runner["unions"][0];
    assert_eq!(
        (&union["default"], &union["exact"], &union["sound"]),
        (&json!("Pod"), &json!(true), &json!(true))
    );
    assert_eq!(
        union["stands_for"],
        json!(["self.type == 'Pod' ? true : !has(self.pod)"])
    );
    let finding = &runner["findings"][0];
    assert_eq!(finding["server"], json!({"answer": "accepted"}));
    assert_eq!(finding["object"], json!({"type": "Pod", "machine": {}}));
}

/// Returns the code, the line and the column of each result of a SARIF log.
fn sarif_results(output: &ProgramOutput) -> Vec<(String, u64, u64)> {
    let results = assert_sarif(output, "unions").into_iter();
    results
        .map(|(code, _, line, column)| (code, line, column))
        .collect()
}

#[test]
fn sarif_has_the_line_of_each_finding() {
    let path = sample("pipeline_crd.yaml");
    let source = fs::read_to_string(&path).unwrap();
    let line = source
        .lines()
        .position(|line| line.trim() == "machine:")
        .unwrap() as u64
        + 1;
    let output = list(&path, &["-o", "sarif"]);
    assert_eq!(sarif_results(&output), [("no-rule".to_owned(), line, 21)]);
    let location = &output.json()["runs"][0]["results"][0]["locations"][0];
    assert_eq!(
        location["physicalLocation"]["artifactLocation"]["uri"],
        format!("file://{path}")
    );
    assert_eq!(
        location["logicalLocations"][0]["fullyQualifiedName"],
        "Pipeline v1 spec.runner"
    );

    // The position of a finding about a rule is the string of the rule, in YAML and JSON, and in
    // every document of a file.
    let properties =
        json!({"a": {"type": "array", "items": {"type": "string"}}, "b": {"type": "string"}});
    let schema = object_schema(
        &properties,
        &["has(self.a) || true", "self.a.size() > 0 || has(self.b)"],
    );
    let crds = [
        crd("One", &[("v1", &exactly_one_schema())]),
        crd("Other", &[("v1", &schema)]),
    ];
    let pretty_json = serde_json::to_string_pretty(&crds[1]).unwrap();
    let line_index = pretty_json
        .lines()
        .position(|line| line.contains("self.a.size()"))
        .unwrap();
    let column = pretty_json
        .lines()
        .nth(line_index)
        .unwrap()
        .find('"')
        .unwrap() as u64
        + 1;
    let stream_file = write_file(
        "listing_lines.yaml",
        format!("---\n{}\n--- # a comment\n---\n{pretty_json}\n", crds[0]),
    );
    let results = sarif_results(&list(&stream_file, &["-o", "sarif"]));
    assert_eq!(
        results,
        [("read-without-has".to_owned(), line_index as u64 + 5, column)]
    );
    let json_file = write_file("listing lines.json", &pretty_json);
    let output = list(&json_file, &["-o", "sarif"]);
    assert_eq!(
        sarif_results(&output),
        [("read-without-has".to_owned(), line_index as u64 + 1, column)]
    );
}

fn parse_yaml(path: &str) -> Value {
    serde_saphyr::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_annotation_declares_the_same_unions() {
    let crd_file = sample("pipeline_crd.yaml");
    let output = run(["unions", "--crd", &crd_file, "--as", "annotation"]);
    assert_eq!(output.code, 0);
    assert_eq!(
        output.stderr,
        "note: spec.notify: exactly one of `email`, `webhook`: the annotation can only express \"at most one\"; the rules check the rest\n"
    );
    let mut crd = parse_yaml(&crd_file);
    crd["metadata"]["annotations"] = json!({"union-runtime.dev/unions": output.stdout.trim_end()});
    let unions = Unions::compile(SchemaSource::Crd(&crd, None)).unwrap();
    assert_eq!(unions.iter().count(), 3);
    let old_object = parse_yaml(&sample("pipeline_stored.yaml"));
    let mut new_object = parse_yaml(&sample("pipeline_switched.yaml"));
    let changes = unions.normalize(&mut new_object, Some(&old_object), &Settings::default());
    assert_eq!(changes.to_string(), "spec.source.git: cleared");
    assert!(unions.validate(&new_object).is_accepted());
    // The declared unions take precedence over the unions of the rules.
    let annotated_file = write_file("listing_annotated.json", crd.to_string());
    let printed = list(&annotated_file, &[]).stdout;
    assert!(printed.contains("  spec.source: by `type`, declared; the rules agree\n    Git     git\n    Bucket  bucket (optional)\n"), "{printed}");
    assert!(!printed.contains("contradicts"), "{printed}");
}

#[test]
fn a_declaration_takes_precedence_and_contradicting_rules_are_a_finding() {
    let mut spec = schema_with_a_missing_rule();
    let entry = |name: &str| json!({"name": name, "optional": false});
    let members = json!({"A": entry("a"), "B": entry("b"), "C": entry("c")});
    spec["properties"]["type"]["x-kubernetes-unions"] = json!({"fieldMembers": members});
    let write_crd =
        |name: &str, spec: &Value| write_file(name, crd("One", &[("v1", spec)]).to_string());
    let crd_file = write_crd("listing_declared.json", &spec);
    let printed = list(&crd_file, &["--strict"]);
    assert_eq!(printed.code, 1);
    assert!(
        printed.stdout.contains(
            "spec: by `type`, declared; the rules disagree\n    A  a\n    B  b\n    C  c\n"
        ),
        "{}",
        printed.stdout
    );
    assert!(
        printed.stdout.contains("(contradicts-declaration)"),
        "{}",
        printed.stdout
    );
    let results = sarif_results(&list(&crd_file, &["-o", "sarif"]));
    assert!(
        results
            .iter()
            .any(|(code, ..)| code == "contradicts-declaration"),
        "{results:?}"
    );
    // Rules that agree with the declaration are not a finding.
    spec["properties"]["type"]["enum"] = json!(["A", "B"]);
    spec["properties"].as_object_mut().unwrap().remove("c");
    spec["properties"]["type"]["x-kubernetes-unions"] =
        json!({"fieldMembers": {"A": entry("a"), "B": entry("b")}});
    let agreeing_output = list(
        &write_crd("listing_declared_same.json", &spec),
        &["--strict"],
    );
    assert_eq!(agreeing_output.code, 0, "{}", agreeing_output.stdout);
    assert!(
        agreeing_output.stdout.contains("the rules agree"),
        "{}",
        agreeing_output.stdout
    );
}

#[test]
fn an_annotation_is_for_one_kind() {
    let source = format!(
        "---\n{}\n---\n{}",
        crd("One", &[("v1", &exactly_one_schema())]),
        crd("Other", &[("v1", &exactly_one_schema())])
    );
    let crd_file = write_file("listing_both.yaml", source);
    let output = run(["unions", "--crd", &crd_file, "--as", "annotation"]);
    assert!(
        output
            .error_message()
            .ends_with("found 2 kinds, but an annotation is for one kind; select one with --name")
    );
    let output = run([
        "unions",
        "--crd",
        &crd_file,
        "--name",
        "Other",
        "--as",
        "annotation",
    ]);
    assert_eq!(
        output.stdout,
        "{\"v1\":{\"/properties/spec\":[{\"fields-to-discriminateBy\":{\"a\":\"a\",\"b\":\"b\"}}]}}\n"
    );
    let schema = write_file("listing_no_crd.json", exactly_one_schema().to_string());
    let output = run(["unions", "--schema", &schema, "--as", "annotation"]);
    assert!(
        output
            .error_message()
            .contains("an annotation needs a CustomResourceDefinition")
    );
}

/// The output of `--as rust` for the sample, included so that the compiler checks it.
#[expect(unreachable_pub, reason = "users export the generated code")]
mod as_rust {
    include!("as_rust.in");
}

#[test]
fn rust_compiles_and_declares_the_same_unions() {
    let crd_file = sample("pipeline_crd.yaml");
    let output = run(["unions", "--crd", &crd_file, "--as", "rust"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(output.stdout, include_str!("as_rust.in"));
    let crd = parse_yaml(&crd_file);
    let source = SchemaSource::Crd(&crd, None);
    let unions = as_rust::pipeline_v1_unions().compile(source).unwrap();
    let old_object = parse_yaml(&sample("pipeline_stored.yaml"));
    let mut new_object = parse_yaml(&sample("pipeline_switched.yaml"));
    let changes = unions.normalize(&mut new_object, Some(&old_object), &Settings::default());
    assert_eq!(changes.to_string(), "spec.source.git: cleared");
    new_object["spec"]["notify"] = json!({});
    assert!(!unions.validate(&new_object).is_accepted());
}

#[test]
fn rust_escapes_names() {
    let hostile_name = "a\"\\\n// */";
    let properties = json!({hostile_name: {"type": "string"}, "b": {"type": "string"}});
    let spec = json!({
        "type": "object", "properties": properties,
        "oneOf": [{"required": [hostile_name]}, {"required": ["b"]}],
    });
    let crd = write_file(
        "listing_hostile.json",
        crd("9 Öne", &[("v1", &spec)]).to_string(),
    );
    let output = run(["unions", "--crd", &crd, "--as", "rust"]);
    assert!(
        output
            .stdout
            .contains(r#""a\"\\\n// */" => "a\"\\\n// */","#),
        "{}",
        output.stdout
    );
    assert!(
        output
            .stdout
            .contains("pub fn unions_9_ne_v1() -> Compiler {"),
        "{}",
        output.stdout
    );
}

#[test]
fn unions_by_convention_are_listed_on_request() {
    let properties = json!({
        "type": {"type": "string", "enum": ["Alpha", "Beta", "None"]},
        "alpha": {"type": "object"},
        "beta": {"type": "object"},
    });
    let spec = json!({"type": "object", "properties": properties});
    let crd = write_file(
        "listing_convention.json",
        crd("One", &[("v1", &spec)]).to_string(),
    );
    assert_eq!(
        list(&crd, &[]).stdout,
        "One v1\n  no unions\nno strong finding\n"
    );
    assert_eq!(
        list(&crd, &["--by-convention"]).stdout,
        "One v1\n  spec: by `type`, by convention: no rule checks this union\n    Alpha  alpha\n    Beta   beta\n    None  no field\nno strong finding\n"
    );
    let listing = list(&crd, &["--all"]).stdout;
    assert!(
        listing.contains("  spec: no union\n    not part of a union: convention\n"),
        "{listing}"
    );
}

#[test]
fn each_line_lists_the_unions_of_its_schema() {
    let lines = [
        json!({"schema": exactly_one_schema()}),
        json!({"schema": {"type": "object", "properties": {"spec": at_most_one_schema()}}, "at": "/properties/spec"}),
        json!({"schema": exactly_one_schema(), "at": "/properties/none"}),
        json!({"at": ""}),
        json!({"schema": exactly_one_schema(), "new": {}}),
        json!({"schema": 1}),
    ];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let output = run_with_stdin(["unions", "--list", "--jsonl"], lines.join("\n"));
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let replies: Vec<Value> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let expected_reply = |arity: &str| json!({"unions": [{"arity": arity, "discriminator": null, "exact": true, "members": ["a", "b"]}], "findings": []});
    assert_eq!(replies[0], expected_reply("exactly one"));
    assert_eq!(replies[1], expected_reply("at most one"));
    let errors: Vec<&str> = replies[2..]
        .iter()
        .map(|reply| reply["error"].as_str().unwrap())
        .collect();
    assert!(
        errors[0].starts_with("stdin:3:1: at: \"/properties/none\" is not a path to a schema"),
        "{errors:?}"
    );
    assert!(
        errors[1].starts_with("stdin:4:1: missing `schema`"),
        "{errors:?}"
    );
    assert!(errors[2].contains("unknown field `new`"), "{errors:?}");
    assert!(
        errors[3].contains("`schema` must be an object, not a number"),
        "{errors:?}"
    );
}
