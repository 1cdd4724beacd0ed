//! Tests of the output: colors, closed pipes, YAML, numbers and control characters.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::thread;

use serde_json::{Value, json};
use union_random::Random;

use crate::process::{run, run_with_stdin, sample, unionctl, write_file};

const ESCAPE: char = '\u{1b}';

#[test]
fn colors_are_written_only_to_terminals() {
    let args = [
        "unions",
        "--crd",
        &sample("crd.yaml"),
        "--new",
        &sample("forgotten.yaml"),
    ];
    // Users set `CLICOLOR_FORCE` to pipe colors into a pager.
    let output = |variables: &[(&str, &str)]| {
        let mut command = unionctl(args);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (uncolored, colored) = (output(&[]), output(&[("CLICOLOR_FORCE", "1")]));
    assert!(!uncolored.contains(ESCAPE));
    assert!(colored.contains("\u{1b}[31mrejected\u{1b}[0m"), "{colored}");

    let error = unionctl(["unions", "--schema", "nowhere", "--new", "nowhere"]).output();
    assert!(!error.unwrap().stderr.contains(&(ESCAPE as u8)));
}

#[test]
fn input_cannot_control_the_terminal() {
    let schema = write_file(
        "steering.yaml",
        "additionalProperties: {x-kubernetes-unions: [{fields-to-discriminateBy: {a: A, b: B}}]}",
    );
    let new_object =
        json!({ "\u{1b}[2J\n\u{9b}x": { "a": "\u{1b}]0;title\u{7}", "b": "\u{9b}\u{7f}" } });
    for force_color in ["", "1"] {
        let mut command = unionctl(["unions", "--schema", &schema, "--new", "-"]);
        command.env("CLICOLOR_FORCE", force_color);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(new_object.to_string().as_bytes()).unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let single_line = stdout.replace(['\n'], "");
        let mut control_sequences: Vec<&str> = single_line.split(ESCAPE).skip(1).collect();
        control_sequences.retain(|sequence| {
            !["[1m", "[0m", "[31m"]
                .iter()
                .any(|style| sequence.starts_with(style))
        });
        assert_eq!(control_sequences, [""; 0], "{stdout:?}");
        assert!(
            !stdout.contains(['\u{9b}', '\u{7}', '\u{7f}']),
            "{stdout:?}"
        );
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let schema = write_file("unread_schema.json", "{}");
    let long_object = json!({ "text": "x".repeat(1 << 20) }).to_string();
    let new_file = write_file("unread.json", &long_object);
    for args in [
        vec!["unions", "--schema", &schema, "--new", &new_file],
        vec![
            "unions", "--schema", &schema, "--new", &new_file, "-o", "json",
        ],
        vec!["unions", "--schema", &schema, "--jsonl"],
        vec!["prune-enums", "--schema", &new_file],
        vec!["help"],
    ] {
        let mut command = unionctl(&args);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let line = format!("{{\"new\": {long_object}}}\n");
        let writer = thread::spawn(move || while stdin.write_all(line.as_bytes()).is_ok() {});
        let mut stdout = child.stdout.take().unwrap();
        let mut first_byte = [0; 1];
        stdout.read_exact(&mut first_byte).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(
            stderr.lines().all(|line| line.starts_with("note: ")),
            "{stderr}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let open_full_device = || {
        std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    let schema = write_file("full_schema.json", "{}");
    for args in [
        vec!["unions", "--schema", &schema, "--new", &schema],
        vec![
            "unions", "--schema", &schema, "--new", &schema, "-o", "json",
        ],
        vec!["prune-enums", "--schema", &schema],
    ] {
        let output = unionctl(&args).stdout(open_full_device()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("error: stdout: cannot write: "), "{stderr}");
    }
}

/// Returns the printed object for an input, and the notes on its numbers.
fn object_and_notes(name: &str, input: &str) -> (Value, String) {
    let schema = write_file(name, "{}");
    let args = ["unions", "--schema", &schema, "--new", "-", "-o", "json"];
    let output = run_with_stdin(args, input);
    let union_note = format!("note: {schema}: no unions found: `x-kubernetes-unions` is not set\n");
    let notes = output.stderr.strip_prefix(&union_note).unwrap().to_owned();
    (output.json()["object"].clone(), notes)
}

/// Returns the note on a number.
fn number_note(line: usize, written: &str, kept: &str) -> String {
    format!(
        "note: stdin:{line}: number {written} loses precision and becomes {kept}, as on an API server; \
         use a string to keep every digit\n"
    )
}

#[test]
fn numbers_that_lose_precision_are_noted() {
    let object_and_notes = |input: &str| object_and_notes("numbers_schema.json", input);
    // 64-bit integers are exact, and so is another notation of the same number.
    for printed in [
        "9223372036854775807",
        "-9223372036854775808",
        "0.41600000000000004",
        "7.038531e-26",
        "1.0",
        "0.1",
        "1.50",
        "1e3",
        "1e-300",
    ] {
        for (format, input) in [
            ("JSON", format!("{{\"a\": {printed}}}")),
            ("YAML", format!("a: {printed}")),
        ] {
            let (object, notes) = object_and_notes(&input);
            assert_eq!(notes, "", "{printed} in {format}");
            let number: f64 = printed.parse().unwrap();
            assert!(
                object["a"].as_f64().unwrap().total_cmp(&number).is_eq(),
                "{object}"
            );
        }
    }
    for (written, printed) in [
        ("18446744073709551616", "18446744073709552000"),
        ("18446744073709551615", "18446744073709552000"),
        ("9223372036854775808", "9223372036854776000"),
        ("-9223372036854775809", "-9223372036854776000"),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
        ("1e-400", "0"),
        ("0.1000000000000000000001", "0.1"),
    ] {
        assert_eq!(
            object_and_notes(&format!("{{\"a\":\n[{written}]}}")).1,
            number_note(2, written, printed)
        );
        assert_eq!(
            object_and_notes(&format!("a: {written}")).1,
            number_note(1, written, printed)
        );
        // Numbers in strings and comments are ignored.
        let strings = format!("a: '{written}'\nb: [\"{written}\", '1e999', {printed}] # {written}");
        assert_eq!(object_and_notes(&strings).1, "");
    }
    let many_numbers: Vec<String> = (0..9).map(|i| format!("1844674407370955161{i}0")).collect();
    let (_, notes) = object_and_notes(&format!("[{}]", many_numbers.join(",")));
    assert_eq!(notes.lines().count(), 6);
    assert!(
        notes.ends_with("4 more numbers lose precision, from this line on\n"),
        "{notes}"
    );
}

#[test]
fn numbers_of_yaml_that_lose_precision_are_noted() {
    let object_and_notes = |input: &str| object_and_notes("numbers_of_yaml_schema.json", input);
    for (written, printed) in [
        ("9007199254740993.0", "9007199254740992"),
        ("0xFFFFFFFFFFFFFFFF", "18446744073709552000"),
        ("1_8446744073709551616", "18446744073709552000"),
    ] {
        assert_eq!(
            object_and_notes(&format!("# 0.1\na: {written}")).1,
            number_note(2, written, printed)
        );
        // A repeated number has only one note.
        let repeated_number = format!("a: {written}\nb: [{written}]\n");
        assert_eq!(
            object_and_notes(&repeated_number).1,
            number_note(1, written, printed)
        );
    }
    let long_number = format!("0.1{}1", "0".repeat(100));
    let shortened_number = format!("{}...", &long_number[..40]);
    assert_eq!(
        object_and_notes(&format!("a: {long_number}")).1,
        number_note(1, &shortened_number, "0.1")
    );
}

/// Numbers as a client writes them and as the program prints them. Some are changed by a parser
/// that is not exact.
const NUMBERS: [(&str, &str); 22] = [
    ("1.0", "1"),
    ("-1.0", "-1"),
    ("1e2", "100"),
    ("100e-2", "1"),
    ("-0", "0"),
    ("-0.0", "-0"),
    ("1.50", "1.5"),
    ("1e20", "100000000000000000000"),
    ("1e21", "1e+21"),
    ("0.000001", "0.000001"),
    ("1e-7", "1e-7"),
    ("4611686018427387904.0", "4611686018427388000"),
    ("9223372036854775807", "9223372036854775807"),
    ("9223372036854775808", "9223372036854776000"),
    ("18446744073709551615", "18446744073709552000"),
    ("-9223372036854775809", "-9223372036854776000"),
    ("7.038531e-26", "7.038531e-26"),
    ("0.41600000000000004", "0.41600000000000004"),
    ("-6.360375184993316e+38", "-6.360375184993316e+38"),
    ("96959.48083687031", "96959.48083687031"),
    ("5e-324", "5e-324"),
    ("1.7976931348623157e308", "1.7976931348623157e+308"),
];

/// Checks the printed form of numbers. CI also runs this test with the features
/// `arbitrary_precision` and `preserve_order` of `serde_json`.
#[test]
fn numbers_are_written_as_an_api_server_writes_them() {
    let sent_numbers: Vec<&str> = NUMBERS.iter().map(|(sent, _)| *sent).collect();
    let printed_numbers: Vec<&str> = NUMBERS.iter().map(|(_, printed)| *printed).collect();
    let [sent_numbers, printed_numbers] =
        [sent_numbers, printed_numbers].map(|numbers| format!("\"n\":[{}]", numbers.join(",")));
    let schema = r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#;
    let check = format!(
        "{{\"op\":\"create\",\"schema\":{schema},\"new\":{{{sent_numbers},\"t\":\"-0, -0\"}}}}"
    );
    let check = run_with_stdin(["check", "--jsonl"], check).stdout;
    assert!(check.contains(&printed_numbers), "{check}");
    assert!(check.contains("\"-0, -0\""), "{check}");
    let apply = format!(
        "{{\"op\":\"apply\",\"schema\":{{}},\"original\":{{{sent_numbers}}},\"patch\":{{}}}}"
    );
    let apply = run_with_stdin(["patch", "--jsonl"], apply).stdout;
    assert!(apply.contains(&printed_numbers), "{apply}");
    let diff = format!(
        "{{\"op\":\"diff\",\"schema\":{{}},\"original\":{{}},\"modified\":{{{sent_numbers}}}}}"
    );
    let diff = run_with_stdin(["patch", "--jsonl"], diff).stdout;
    assert!(diff.contains(&printed_numbers), "{diff}");
    let unions = format!("{{\"schema\":{{}},\"new\":{{{sent_numbers}}}}}");
    let unions = run_with_stdin(["unions", "--jsonl"], unions).stdout;
    assert!(unions.contains(&printed_numbers), "{unions}");
    // A changed document, as JSON and as YAML.
    for (format, expected_number) in [("json", "100000000000000000000"), ("text", "1.0e+20")] {
        let schema = write_file(
            "numbers_rewritten.yaml",
            "type: object\ndefault: {a: 2.0, b: [1e20, 0.5]}\n",
        );
        let output = run(["prune-enums", "--schema", &schema, "-o", format]);
        let printed = output
            .stdout
            .replace(char::is_whitespace, "")
            .replace('"', "");
        assert!(
            printed.contains("a:2") && !printed.contains("2.0"),
            "{}",
            output.stdout
        );
        assert!(
            printed.contains("0.5") && printed.contains(expected_number),
            "{}",
            output.stdout
        );
    }
}

#[test]
fn numbers_beyond_all_floats_are_rejected() {
    for number in ["1e400", "-1e309"] {
        let line = format!("{{\"schema\":{{}},\"new\":{{\"n\":{number}}}}}");
        let output = run_with_stdin(["unions", "--jsonl"], line);
        assert!(
            output
                .stdout
                .contains("exceeds the range of a 64-bit float"),
            "{}",
            output.stdout
        );
    }
}

#[test]
fn numbers_of_lines_that_lose_precision_are_noted() {
    let schema = write_file("numbers_of_lines_schema.json", "{}");
    let line = r#"{"new": {"a": 18446744073709551616}}"#;
    let output = run_with_stdin(["unions", "--schema", &schema, "--jsonl"], line);
    let note = "new: number 18446744073709551616 loses precision and becomes 18446744073709552000, \
                as on an API server; use a string to keep every digit";
    assert_eq!(output.json()["notes"], json!([note]));

    let union = json!({ "A": { "name": "a", "optional": false } });
    let union = json!({ "enum": ["A"], "x-kubernetes-unions": { "fieldMembers": union } });
    let schema = json!({ "properties": { "type": union, "a": {} } });
    let build_request = |settings: &str| {
        format!(
            r#"{{"schema":{schema},"old":{{"type":"A","a":0.1000000000000000000001}},"new":{{"type":"A"}},"settings":{settings}}}"#
        )
    };
    let notes = |settings| {
        run_with_stdin(["unions", "--jsonl"], build_request(settings)).json()["notes"].clone()
    };
    assert_eq!(notes("{}"), json!(null), "the note is not in the reply");
    let note = notes(r#"{"restore_unaware":"all"}"#);
    assert!(
        note[0].as_str().unwrap().starts_with("old: number 0.1000"),
        "{note}"
    );
}

/// Checks JSON strings in files, lines and patches.
#[test]
fn unpaired_surrogates_are_replaced_as_in_go() {
    let expected = json!({ "a": "\u{fffd}", "b": "\u{1f600}\u{fffd}x" });
    let input = r#"{"a": "\ud83d", "b": "\ud83d\ude00\ude00x"}"#;
    let schema = write_file("surrogates_schema.json", "{}");
    let args = ["unions", "--schema", &schema, "--new", "-", "-o", "json"];
    assert_eq!(run_with_stdin(args, input).json()["object"], expected);
    let line = format!(r#"{{"schema":{{}},"new":{input}}}"#);
    assert_eq!(
        run_with_stdin(["unions", "--jsonl"], line).json()["object"],
        expected
    );
    let line = format!(r#"{{"op":"apply","schema":{{}},"original":{input},"patch":{{}}}}"#);
    let applied = run_with_stdin(["patch", "--jsonl"], line).json();
    assert_eq!(applied["result"], expected);
    let error_for = |key: &str| {
        let line = format!(r#"{{"schema":{{}},"new":{{"{key}":{{"\ud83d":1,"\udfff":2}}}}}}"#);
        run_with_stdin(["unions", "--jsonl"], line).json()["error"].clone()
    };
    // The column counts characters, not bytes.
    for key in ["ab", "\u{e9}\u{1f600}"] {
        assert_eq!(
            error_for(key),
            "stdin:1:38: new: duplicate key \"\u{fffd}\"; remove one"
        );
    }
}

/// Parts of strings that YAML 1.1 reads as another type or as syntax.
const YAML_PARTS: &[&str] = &[
    "1",
    "0",
    "9",
    "_",
    "1_",
    "0x1",
    "0b",
    "0o7",
    "08",
    "+",
    "-",
    ".",
    "e",
    "E5",
    ":",
    "59",
    "60",
    "2001-01-01",
    "T",
    "Z",
    ".inf",
    ".NaN",
    "on",
    "y",
    "No",
    "off",
    "true",
    "Null",
    "~",
    "=",
    "<<",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\r",
    "#",
    "# ",
    ": ",
    "- ",
    "? ",
    "---",
    "-- ",
    "...",
    "%",
    "@",
    "`",
    "&a",
    "*a",
    "!",
    "!!int",
    "|",
    ">",
    "'",
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    "word",
    "é",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{fffe}",
    "\u{0}",
    "\u{7f}",
    "\u{1f600}",
    "a long line of words, which is folded if it has more than eighty characters and blanks ",
];

#[test]
fn printed_yaml_is_parsed_as_the_same_strings() {
    let mut random = Random::new(1);
    let mut strings: Vec<String> = YAML_PARTS.iter().map(|&part| part.to_owned()).collect();
    for _ in 0..4_000 {
        let part_count = 1 + random.below(5);
        strings.push((0..part_count).map(|_| *random.pick(YAML_PARTS)).collect());
    }
    // A string whose first line begins with a tab disables block scalars, so these strings are
    // tested separately.
    let (strings_with_leading_tab, strings): (Vec<_>, Vec<_>) = strings
        .into_iter()
        .partition(|string| string.trim_start_matches('\n').starts_with('\t'));
    assert!(strings_with_leading_tab.len() > 10);
    for strings in [strings_with_leading_tab, strings] {
        assert_parsed_as_printed(&strings);
    }
}

/// Returns a string in double quotes with an escape sequence for each character.
fn escape(string: &str) -> String {
    let mut escaped = String::new();
    for c in string.chars() {
        let _ = write!(escaped, "\\U{:08x}", u32::from(c));
    }
    format!("\"{escaped}\"")
}

/// YAML recognizes a key only if its `:` follows within 1,024 characters.
#[test]
fn keys_that_are_too_long_for_yaml_are_errors() {
    let print_key = |key: &str| {
        let source = format!("a: 1\nb:\n- ? {}\n  : 1\n", escape(key));
        run_with_stdin(["prune-enums", "--schema", "-"], source)
    };
    for (character, printed_length, quote_count) in [
        ("a", 1, 0),
        ("\u{e9}", 1, 0),
        ("\\", 2, 2),
        ("\u{2028}", 2, 2),
        ("\u{7f}", 4, 2),
        ("\u{fffe}", 6, 2),
    ] {
        // The letter in front lets the printer write the key without quotes, if its characters
        // allow this.
        let longest_key = format!(
            "k{}",
            character.repeat((1024 - quote_count - 1) / printed_length)
        );
        let output = print_key(&longest_key);
        assert_eq!(output.code, 0, "{}", output.stderr);
        let parsed = k8s_yaml::parse(&output.stdout);
        assert_eq!(
            parsed,
            Ok(vec![json!({ "a": 1, "b": [{ longest_key: 1 }] })])
        );
        let output = print_key(&character.repeat(1025));
        let error = output.stderr.lines().last().unwrap_or_default();
        let start = "error: stdout: cannot write the documents as YAML: the key \"";
        let end = "...\" exceeds the limit of 1024 characters; use `-o json`";
        assert!(error.starts_with(start) && error.ends_with(end), "{error}");
        assert_eq!((output.code, output.stdout.as_str()), (2, ""));
        assert!(error.len() < 500);
    }
}

#[track_caller]
fn assert_parsed_as_printed(strings: &[String]) {
    // Escape sequences preserve every character, and `?` allows long keys. Only a key at the root
    // begins a line.
    let mut source = String::new();
    for string in strings {
        let string = escape(string);
        let fields = format!("? {string} : {string}, in: [{string}]");
        let _ = writeln!(source, "!!map {{{fields}, data: {{{fields}}}}}\n---");
    }
    let output = run_with_stdin(["prune-enums", "--schema", "-"], source);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let parsed = k8s_yaml::parse(&output.stdout).unwrap();
    assert_eq!(parsed.len(), strings.len());
    for (object, string) in parsed.iter().zip(strings) {
        let mut expected = json!({ string: string, "in": [string] });
        expected["data"] = expected.clone();
        assert_eq!(*object, expected);
    }
}

#[test]
fn a_flag_without_effect_is_an_error() {
    let crd = sample("crd.yaml");
    for args in [
        &["generate", "rust", "--crd", &crd][..],
        &["completions", "bash"],
        &["man"],
    ] {
        for format in ["json", "sarif"] {
            let output = run(args.iter().copied().chain(["-o", format]));
            assert_eq!((output.code, &*output.stdout), (2, ""), "{output:?}");
            let expected = "--output has no effect on this command, which writes code or text; remove the flag";
            assert!(output.error_message().ends_with(expected), "{output:?}");
        }
        assert_eq!(run(args.iter().copied().chain(["-o", "text"])).code, 0);
    }
    let output = run(["compat", "--crd", &crd, "--strict", "--level", "breaking"]);
    assert_eq!(output.code, 2, "{output:?}");
    let expected = "the argument '--strict' cannot be used with '--level <LEVEL>'";
    assert!(output.stderr.contains(expected), "{output:?}");
}
