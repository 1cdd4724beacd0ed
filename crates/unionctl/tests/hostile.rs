//! Tests of invalid and hostile input, which must cause an error or a reply, but no panic.

use std::time::{Duration, Instant};

use crate::process::{run_with_stdin, sample, write_file};

/// Returns the error for an input, and checks that all subcommands and flags report the same error.
#[track_caller]
fn common_error(input: impl AsRef<[u8]>) -> String {
    let input = input.as_ref();
    // Each test has a file of its own, because tests run at the same time.
    let file_name = format!("hostile_schema_{:?}.json", std::thread::current().id());
    let schema = write_file(&file_name, "{}");
    let object = sample("stored.yaml");
    let errors = [
        run_with_stdin(["unions", "--schema", &schema, "--new", "-"], input),
        run_with_stdin(["unions", "--schema", "-", "--new", &object], input),
        run_with_stdin(["unions", "--crd", "-", "--new", &object], input),
        run_with_stdin(
            [
                "unions", "--schema", &schema, "--old", "-", "--new", &object,
            ],
            input,
        ),
        run_with_stdin(["prune-enums", "--schema", "-"], input),
        run_with_stdin(
            [
                "patch",
                "apply",
                "--schema",
                &schema,
                "--original",
                "-",
                "--patch",
                &object,
            ],
            input,
        ),
    ];
    let errors = errors.map(|output| output.error_message().to_owned());
    for error in &errors {
        // The part after the semicolon differs, because it names the expected input.
        let start = |error: &str| error.split("; ").next().map(str::to_owned);
        assert_eq!(start(error), start(&errors[0]));
    }
    errors[0].clone()
}

#[test]
fn empty_inputs_are_errors() {
    for input in [
        "",
        " \n",
        "# comment\n",
        "---\n...\n",
        "null",
        "~",
        "\u{feff}",
    ] {
        assert_eq!(
            common_error(input),
            "stdin: empty input; expected the object"
        );
    }
}

#[test]
fn scalars_are_not_objects() {
    for (input, type_name) in [
        ("1", "a number"),
        ("\"x\"", "a string"),
        ("yes", "a boolean"),
        ("plain", "a string"),
    ] {
        let schema = write_file("no_objects.json", "{}");
        let output = run_with_stdin(["unions", "--schema", &schema, "--new", "-"], input);
        assert_eq!(
            output.error_message(),
            format!("stdin: expected an object, found {type_name}")
        );
        let object = sample("stored.yaml");
        let output = run_with_stdin(["unions", "--schema", "-", "--new", &object], input);
        // `yes` is true in YAML, and true is a schema.
        assert!(output.code == 2 || input == "yes", "{output:?}");
        let output = run_with_stdin(["unions", "--crd", "-", "--new", &object], input);
        let error = output.error_message();
        assert!(
            error.contains("expected a CustomResourceDefinition"),
            "{error}"
        );
    }
}

#[test]
fn bytes_that_are_not_utf8_are_errors() {
    assert_eq!(
        common_error(b"a: 1\nb: \xff\n"),
        "stdin:2:4: byte 0xff is not valid UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        common_error(b"\xff\xfea\0:\0"),
        "stdin:1:1: the file is UTF-16; save it as UTF-8"
    );
    assert_eq!(
        common_error(b"{\"a\": \"\xc3\"}"),
        "stdin:1:8: byte 0xc3 is not valid UTF-8; save the file as UTF-8"
    );
    assert!(common_error("a: \0").starts_with("stdin:1:"));
    assert!(common_error("{\"a\": \"\0\"}").starts_with("stdin:1:"));
}

#[test]
fn deep_nesting_is_an_error() {
    let nested_lists =
        |count: usize| format!("{{\"a\":{}{}}}", "[".repeat(count), "]".repeat(count));
    assert_eq!(
        common_error(nested_lists(200)),
        "stdin:1:133: nesting exceeds the limit of 128 levels"
    );
    assert!(common_error("[".repeat(1_000_000)).starts_with("stdin:1:"));
    assert!(common_error("a: ".to_owned() + &"[".repeat(1_000_000)).starts_with("stdin:1:"));
    let nested_maps: Vec<String> = (0..1_000)
        .map(|i| format!("{}a:\n", " ".repeat(i)))
        .collect();
    assert!(common_error(nested_maps.concat()).starts_with("stdin:129:"));
    assert!(common_error("- ".repeat(100_000)).starts_with("stdin:1:"));
    assert!(common_error("? ".repeat(100_000)).starts_with("stdin:1:"));
    assert!(common_error("{a: ".repeat(100_000)).starts_with("stdin:1:"));
}

#[test]
fn numbers_that_are_not_finite_are_errors() {
    for number in [".nan", ".inf", "-.INF"] {
        let error = common_error(format!("a: {number}"));
        assert!(error.starts_with("stdin:1:4: invalid YAML: "), "{error}");
        assert!(error.contains("not a finite number"), "{error}");
    }
    let json_error = common_error("{\"a\": 1e999}");
    assert!(json_error.starts_with("stdin:1:7: "), "{json_error}");
    assert!(json_error.contains("not a finite number"), "{json_error}");
    let long_number = format!("{{\"a\": 1{}}}", "0".repeat(100_000));
    assert!(common_error(long_number).starts_with("stdin:1:"));
}

#[test]
fn duplicate_keys_are_errors() {
    assert_eq!(
        common_error("{\"a\": 1, \"a\": 2}"),
        "stdin:1:10: duplicate key \"a\"; remove one"
    );
    assert_eq!(
        common_error("a: 1\na: 2\n"),
        "stdin:2:1: duplicate key \"a\"; remove one"
    );
}

#[test]
fn yaml_without_a_json_form_is_an_error() {
    for yaml in [
        "[a]: 1",
        "{b: 1}: 1",
        "~: 1",
        "a: *unknown",
        "a: &a [*a]",
        "a: b: c",
        "a: [",
        "'",
        "%YAML 9",
        "a: \"\\ud800\"",
    ] {
        let error = common_error(yaml);
        assert!(error.starts_with("stdin:1:"), "{yaml}: {error}");
    }
}

#[test]
fn aliases_that_expand_exponentially_are_processed_quickly() {
    let alias_row = |i: usize| {
        format!(
            "a{i}: &a{i} [{}]\n",
            vec![format!("*a{}", i - 1); 10].join(", ")
        )
    };
    let documents_with_aliases: String = (1..12).map(alias_row).collect();
    let documents_with_aliases =
        format!("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n{documents_with_aliases}");
    let start = Instant::now();
    assert!(common_error(documents_with_aliases).starts_with("stdin:"));
    let merges = |i: usize| format!("a{i}: &a{i} {{<<: [*a{0}, *a{0}], k{i}: 1}}\n", i - 1);
    let merges: String = (1..40).map(merges).collect();
    let schema = write_file("merges.json", "{}");
    let output = run_with_stdin(
        ["unions", "--schema", &schema, "--new", "-"],
        format!("a0: &a0 {{k: 1}}\n{merges}"),
    );
    assert!(output.code == 0 || output.code == 2, "{output:?}");
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn large_lines_have_replies() {
    let long_string = "x".repeat(10 << 20);
    let lines = [
        format!(r#"{{"schema": {{}}, "new": {{"a": "{long_string}"}}}}"#),
        long_string.clone(),
        format!("{{\"{long_string}\": 1}}"),
        format!(r#"{{"schema": {{}}, "new": {}"#, "[".repeat(10 << 20)),
        format!(
            r#"{{"schema": {{}}, "new": {}{}}}"#,
            "[".repeat(1 << 20),
            "]".repeat(1 << 20)
        ),
        format!(
            r#"{{"schema": {{}}, "new": {{"a": {}}}}}"#,
            "1".repeat(10 << 20)
        ),
        "\0".repeat(10 << 20),
        " ".repeat(10 << 20),
        // This line exceeds the limit of 64 MiB.
        " ".repeat(65 << 20),
        r#"{"schema": {}, "new": {}}"#.to_owned(),
    ];
    let output = run_with_stdin(["unions", "--jsonl"], lines.join("\n"));
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let replies: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(replies.len(), 9);
    assert_eq!(
        replies[0].len(),
        long_string.len() + r#"{"object":{"a":""},"changes":[],"errors":[],"ratcheted":[]}"#.len()
    );
    for reply in &replies[1..8] {
        assert!(
            reply.starts_with("{\"error\":\"stdin:"),
            "{}",
            &reply[..reply.len().min(100)]
        );
    }
    assert_eq!(
        replies[7],
        r#"{"error":"stdin:9:1: the line exceeds the limit of 64 MiB"}"#
    );
    assert_eq!(
        replies[8],
        r#"{"object":{},"changes":[],"errors":[],"ratcheted":[]}"#
    );
}

#[test]
#[cfg(target_os = "linux")]
fn endless_files_are_errors() {
    let output = crate::process::run(["prune-enums", "--schema", "/dev/zero"]);
    assert_eq!(
        output.error_message(),
        "/dev/zero: the file exceeds the limit of 64 MiB"
    );
}
