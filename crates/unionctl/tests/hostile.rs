//! Tests of invalid and hostile input: every input causes an error or a reply, and none causes a
//! panic.

use std::time::{Duration, Instant};

use crate::process::{file, run_with, sample};

/// Returns the error for an input, and checks that all subcommands and flags report the same error.
#[track_caller]
fn problem(input: impl AsRef<[u8]>) -> String {
    let input = input.as_ref();
    let schema = file("hostile_schema.json", "{}");
    let object = sample("stored.yaml");
    let problems = [
        run_with(["unions", "--schema", &schema, "--new", "-"], input),
        run_with(["unions", "--schema", "-", "--new", &object], input),
        run_with(["unions", "--crd", "-", "--new", &object], input),
        run_with(
            [
                "unions", "--schema", &schema, "--old", "-", "--new", &object,
            ],
            input,
        ),
        run_with(["prune-enums", "--schema", "-"], input),
        run_with(
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
    let problems = problems.map(|output| output.problem().to_owned());
    for other in &problems {
        // The part after the semicolon differs, because it names the expected input.
        let start = |problem: &str| problem.split("; ").next().map(str::to_owned);
        assert_eq!(start(other), start(&problems[0]));
    }
    problems[0].clone()
}

#[test]
fn empty_inputs() {
    for input in [
        "",
        " \n",
        "# comment\n",
        "---\n...\n",
        "null",
        "~",
        "\u{feff}",
    ] {
        assert_eq!(problem(input), "stdin: empty input; expected the object");
    }
}

#[test]
fn scalars_are_not_objects() {
    for (input, found) in [
        ("1", "a number"),
        ("\"x\"", "a string"),
        ("yes", "a boolean"),
        ("plain", "a string"),
    ] {
        let schema = file("no_objects.json", "{}");
        let output = run_with(["unions", "--schema", &schema, "--new", "-"], input);
        assert_eq!(
            output.problem(),
            format!("stdin: expected an object, found {found}")
        );
        let object = sample("stored.yaml");
        let output = run_with(["unions", "--schema", "-", "--new", &object], input);
        assert!(output.code == 2 || input == "yes", "{output:?}");
        let output = run_with(["unions", "--crd", "-", "--new", &object], input);
        let problem = output.problem();
        assert!(
            problem.contains("expected a CustomResourceDefinition"),
            "{problem}"
        );
    }
}

#[test]
fn bytes_that_are_not_utf8() {
    assert_eq!(
        problem(b"a: 1\nb: \xff\n"),
        "stdin:2:4: byte 0xff is not valid UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        problem(b"\xff\xfea\0:\0"),
        "stdin:1:1: the file is UTF-16; save it as UTF-8"
    );
    assert_eq!(
        problem(b"{\"a\": \"\xc3\"}"),
        "stdin:1:8: byte 0xc3 is not valid UTF-8; save the file as UTF-8"
    );
    assert!(problem("a: \0").starts_with("stdin:1:"));
    assert!(problem("{\"a\": \"\0\"}").starts_with("stdin:1:"));
}

#[test]
fn deep_nesting() {
    let lists = |count: usize| format!("{{\"a\":{}{}}}", "[".repeat(count), "]".repeat(count));
    assert_eq!(
        problem(lists(200)),
        "stdin:1:133: nesting exceeds the limit of 128 levels"
    );
    assert!(problem("[".repeat(1_000_000)).starts_with("stdin:1:"));
    assert!(problem("a: ".to_owned() + &"[".repeat(1_000_000)).starts_with("stdin:1:"));
    let block: Vec<String> = (0..1_000)
        .map(|i| format!("{}a:\n", " ".repeat(i)))
        .collect();
    assert!(problem(block.concat()).starts_with("stdin:129:"));
    assert!(problem("- ".repeat(100_000)).starts_with("stdin:1:"));
    assert!(problem("? ".repeat(100_000)).starts_with("stdin:1:"));
    assert!(problem("{a: ".repeat(100_000)).starts_with("stdin:1:"));
}

#[test]
fn numbers_that_are_not_finite() {
    for number in [".nan", ".inf", "-.INF"] {
        let problem = problem(format!("a: {number}"));
        assert!(
            problem.starts_with("stdin:1:4: invalid YAML: "),
            "{problem}"
        );
        assert!(problem.contains("not a finite number"), "{problem}");
    }
    let problem_of_json = problem("{\"a\": 1e999}");
    assert!(
        problem_of_json.starts_with("stdin:1:7: "),
        "{problem_of_json}"
    );
    assert!(
        problem_of_json.contains("not a finite number"),
        "{problem_of_json}"
    );
    let long = format!("{{\"a\": 1{}}}", "0".repeat(100_000));
    assert!(problem(long).starts_with("stdin:1:"));
}

#[test]
fn duplicate_keys() {
    assert_eq!(
        problem("{\"a\": 1, \"a\": 2}"),
        "stdin:1:10: duplicate key \"a\"; remove one"
    );
    assert_eq!(
        problem("a: 1\na: 2\n"),
        "stdin:2:1: duplicate key \"a\"; remove one"
    );
}

#[test]
fn yaml_that_has_no_json_form() {
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
        let problem = problem(yaml);
        assert!(problem.starts_with("stdin:1:"), "{yaml}: {problem}");
    }
}

#[test]
fn aliases_that_expand_exponentially() {
    let row = |i: usize| {
        format!(
            "a{i}: &a{i} [{}]\n",
            vec![format!("*a{}", i - 1); 10].join(", ")
        )
    };
    let bomb: String = (1..12).map(row).collect();
    let bomb = format!("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n{bomb}");
    let start = Instant::now();
    assert!(problem(bomb).starts_with("stdin:"));
    let merges = |i: usize| format!("a{i}: &a{i} {{<<: [*a{0}, *a{0}], k{i}: 1}}\n", i - 1);
    let merges: String = (1..40).map(merges).collect();
    let schema = file("merges.json", "{}");
    let output = run_with(
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
    let text = "x".repeat(10 << 20);
    let lines = [
        format!(r#"{{"schema": {{}}, "new": {{"a": "{text}"}}}}"#),
        text.clone(),
        format!("{{\"{text}\": 1}}"),
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
    let output = run_with(["unions", "--jsonl"], lines.join("\n"));
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let replies: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(replies.len(), 9);
    assert_eq!(
        replies[0].len(),
        text.len() + r#"{"object":{"a":""},"changes":[],"errors":[],"ratcheted":[]}"#.len()
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
fn endless_files() {
    let output = crate::process::run(["prune-enums", "--schema", "/dev/zero"]);
    assert_eq!(
        output.problem(),
        "/dev/zero: the file exceeds the limit of 64 MiB"
    );
}
