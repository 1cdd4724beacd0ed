//! Tests of the values of files. `tests/reference/run` compares many more files with kubectl.

use k8s_yaml::{Documents, PathStep};
use serde_json::{Value, json};

#[track_caller]
fn assert_parsed(text: &str, expected: &Value) {
    let result = k8s_yaml::parse(text).map_err(|error| error.to_string());
    assert_eq!(result, Ok(vec![expected.clone()]), "{text:?}");
}

#[track_caller]
fn assert_rejected(text: &str, expected: &str) {
    let result = k8s_yaml::parse(text).map_err(|error| error.to_string());
    assert_eq!(result, Err(expected.to_owned()), "{text:?}");
}

/// Checks the value of a field whose source is `written`.
#[track_caller]
fn assert_value(written: &str, expected: &Value) {
    assert_parsed(&format!("v: {written}\n"), &json!({ "v": expected }));
}

#[test]
fn numbers_become_json_numbers() {
    for (written, expected) in [
        ("1.0", json!(1)),
        ("1e3", json!(1000)),
        ("08", json!(8)),
        ("010", json!(8)),
        ("0b-11", json!(-3)),
        ("1_000.5", json!(1000.5)),
        ("0x_1F", json!(31)),
        ("-0.0", json!(0)),
        ("1e400", json!("1e400")),
        ("1e-400", json!(0)),
        ("9223372036854775807", json!(i64::MAX)),
        ("9223372036854775808", json!(9_223_372_036_854_775_808.0)),
        (
            "4611686018427387904.0",
            json!(4_611_686_018_427_388_000_i64),
        ),
        ("7.038531e-26", json!(7.038_531e-26)),
        ("190:20:30", json!("190:20:30")),
        ("2001-01-01", json!("2001-01-01")),
        ("_1", json!("_1")),
        (".5_0", json!(0.5)),
        (".5_", json!(".5_")),
        ("1_", json!(1)),
    ] {
        assert_value(written, &expected);
    }
}

/// Checks the numbers of a source that are stored as other numbers: the line, the number in the
/// source and the stored number.
#[track_caller]
fn assert_inexact(text: &str, expected: &[(usize, &str, &str)]) {
    let documents: Vec<k8s_yaml::Document> = k8s_yaml::Documents::new(text).collect();
    let numbers = documents
        .iter()
        .flat_map(k8s_yaml::Document::inexact_numbers);
    let numbers: Vec<k8s_yaml::InexactNumber<'_>> = numbers.collect();
    let found: Vec<(usize, &str, &str)> = numbers
        .iter()
        .map(|number| (number.line, number.written, &*number.stored))
        .collect();
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn inexact_numbers_are_returned_with_the_stored_numbers() {
    for (written, stored) in [
        ("9007199254740993.0", "9007199254740992"),
        ("9_007_199_254_740_993.0", "9007199254740992"),
        ("0xFFFFFFFFFFFFFFFF", "18446744073709552000"),
        ("01777777777777777777777", "18446744073709552000"),
        (
            "0b1000000000000000000000000000000000000000000000000000000000000001",
            "9223372036854776000",
        ),
        ("9223372036854775808", "9223372036854776000"),
        ("4611686018427387904.0", "4611686018427388000"),
        ("1e-400", "0"),
        (".1000000000000000000001", "0.1"),
        ("!!float 9007199254740993", "9007199254740992"),
        ("!!float 0x20000000000001", "9007199254740992"),
        ("!!float \"9007199254740993.5\"", "9007199254740994"),
    ] {
        let number = written.trim_start_matches("!!float ").trim_matches('"');
        assert_inexact(&format!("v:\n- {written}\n"), &[(2, number, stored)]);
    }
    for exact in [
        "9223372036854775807",
        "0x7FFFFFFFFFFFFFFF",
        "-0b11",
        "4611686018427388000.0",
        "0.41600000000000004",
        "1.50",
        "1_000.5",
        "+1e3",
        "-0.0",
        "0e400",
        "-0e99999999999999999999",
        "!!float 0x10",
        "!!float 010",
        "!!float -0b11",
        "1e400",
        ".inf",
        "\"9007199254740993.0\"",
        "!!str 9007199254740993.0",
        "a # 9007199254740993.0",
        "|\n  9007199254740993.0",
    ] {
        assert_inexact(&format!("v: {exact}\n"), &[]);
    }
    // A key is stored as a 32-bit float.
    assert_inexact(
        "397914.1225: 397914.1225\n16777217: 1\n.5: 1\n1e6: 1\n.inf: 1\n{a: 0.1234567891}: 1\n",
        &[(1, "397914.1225", "397914.12")],
    );
    assert_inexact(
        "a: &a [9007199254740993.0]\nb: *a\n---\n{\"a\": [1e-400,\n-1e-400, 0.5]}\n",
        &[
            (1, "9007199254740993.0", "9007199254740992"),
            (4, "1e-400", "0"),
            (5, "-1e-400", "0"),
        ],
    );
}

#[test]
fn a_single_value_of_json_is_read() {
    let read = |text| {
        let document = k8s_yaml::Document::from_json(text);
        document.value().map_err(|error| error.to_string())
    };
    assert_eq!(
        read(" [1.0, -0, -0.0, \"\\ud83d\"]\n"),
        Ok(json!([1.0, 0, -0.0, "\u{fffd}"]))
    );
    assert_eq!(read("\"\\ud83d\\ude00\""), Ok(json!("😀")));
    for (text, expected) in [
        ("", "1:1: incomplete JSON: expected a value"),
        ("[1", "1:3: incomplete JSON: expected `,` or `]`"),
        ("é", "1:1: invalid JSON: expected a value"),
        (
            "\"é\" 1",
            "1:5: invalid JSON: expected the end after the value",
        ),
        (
            "{\"a\": 1, \"a\": 2}",
            "1:10: duplicate key \"a\"; remove one",
        ),
        (
            "[1e400]",
            "1:2: invalid JSON: the number exceeds the range of a 64-bit float and is not a finite number; write a smaller number",
        ),
    ] {
        assert_eq!(read(text), Err(expected.to_owned()), "{text}");
    }
    assert_eq!(
        read(&"[".repeat(100_000)),
        Err("1:129: nesting exceeds the limit of 128 levels".to_owned())
    );
}

#[test]
fn words_become_booleans_and_nulls() {
    for word in ["y", "Y", "yes", "Yes", "on", "ON", "true", "TRUE"] {
        assert_value(word, &json!(true));
    }
    for word in ["n", "No", "off", "Off", "False"] {
        assert_value(word, &json!(false));
    }
    for word in ["", "~", "null", "Null", "NULL"] {
        assert_value(word, &Value::Null);
    }
    for word in ["yEs", "oN", "tRUE", "nULL", "=", "<<", "-a", "a#b", "a:b"] {
        assert_value(word, &json!(word));
    }
}

#[test]
fn keys_become_strings() {
    for (written, key) in [
        ("on", "true"),
        ("no", "false"),
        ("0x1", "1"),
        ("1.0", "1"),
        ("1e6", "1e+06"),
        (".5", "0.5"),
        (".inf", ".inf"),
        ("397914.1225", "397914.12"),
        ("0.00012", "0.00012"),
        ("-100000.0", "-100000"),
        ("16777217.0", "1.6777216e+07"),
        ("2001-01-01", "2001-01-01"),
        ("!!int \"3\"", "3"),
        ("\"on\"", "on"),
        ("? a\n", "a"),
    ] {
        assert_parsed(&format!("{written}: x\n"), &json!({ key: "x" }));
    }
    assert_rejected(
        "null: x",
        "1:1: invalid YAML: null is not supported as a key; quote the key",
    );
}

#[test]
fn strings_of_several_lines_are_folded() {
    assert_parsed("v: \"first\nsecond\"\n", &json!({"v": "first second"}));
    assert_parsed("o:\n  v: 'a\n\n b'\n", &json!({"o": {"v": "a\nb"}}));
    assert_parsed("v: \"a\\\n  b\"\n", &json!({"v": "ab"}));
    assert_parsed("v: |2-\n    a\n", &json!({"v": "  a"}));
    assert_parsed("v: >\n  a\n  b\n\n  c", &json!({"v": "a b\nc\n"}));
    assert_parsed("a: 1\r\nb: |\r\n  c\r\n", &json!({"a": 1, "b": "c\n"}));
    assert_rejected(
        "v: \"\\/\"",
        "1:5: invalid YAML: unknown escape sequence; write `\\\\` for a backslash",
    );
}

#[test]
fn documents_are_separated() {
    let read = |text| k8s_yaml::parse(text).map_err(|error| error.to_string());
    let two_documents = Ok(vec![json!({"a": 1}), json!({"b": 2})]);
    for text in [
        "a: 1\n---\nb: 2\n",
        "---\n---\na: 1\n--- # c\nb: 2",
        "{\"a\": 1}{\"b\": 2}",
        "{\"a\": 1}\n---\nb: 2\n",
        "{\"a\": 1} \nb: 2\n",
        "a: 1\n...\nignored: 1\n---\nb: 2",
    ] {
        assert_eq!(read(text), two_documents, "{text:?}");
    }
    assert_eq!(read(" \n# c\n---\n~\n"), Ok(Vec::new()));
    assert_rejected(
        "a: 1\n--- {b: 2}\n",
        "2:1: invalid Yaml document separator: {b: 2}; write it in the next line",
    );
    assert_rejected("a: 1\n---\nb: [\n", "3:4: invalid YAML: `]` is missing");
}

#[test]
fn tabs_must_not_indent_lines() {
    for (text, position) in [
        ("\ta: 1", "1:1"),
        ("a:\n\tb: 1", "2:1"),
        ("a:\n  \tb: 1", "2:3"),
        ("a: 1\n\tb: 1", "2:1"),
        ("a:\n\t# text\n  b: 1", "2:1"),
        ("a:\n\t- 1", "2:1"),
        ("a:\n  - 1\n\t- 2", "3:1"),
        ("- \ta: 1", "1:3"),
        ("? \ta", "1:3"),
        ("a: |\n\tb", "2:1"),
    ] {
        let message = "invalid YAML: a tab must not indent a line; use spaces";
        assert_rejected(text, &format!("{position}: {message}"));
    }
    for text in [
        "a:\t1",
        "a: 1\t# text",
        "a: {\n\tb: 1}",
        "a: [\n\t1]",
        "a: \"b\n\tc\"",
    ] {
        assert!(k8s_yaml::parse(text).is_ok(), "{text:?}");
    }
}

#[test]
fn text_in_utf_16_without_a_mark_is_an_error_with_a_remedy() {
    for text in ["kind: Pod", "[1]", "{\"kind\": 1}", "{kind: Pod}"] {
        for to_bytes in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(to_bytes).collect();
            let read_as_utf8 = str::from_utf8(&bytes).unwrap();
            let error = k8s_yaml::parse(read_as_utf8).unwrap_err().to_string();
            let remedy = "save the file as UTF-8 if it has another encoding";
            assert!(error.contains("the character U+0000"), "{text:?}: {error}");
            assert!(error.ends_with(remedy), "{text:?}: {error}");
        }
    }
}

#[test]
fn json_is_parsed() {
    assert_parsed(r#"{"a": "\/\ud83d"}"#, &json!({"a": "/\u{fffd}"}));
    assert_parsed("{\"a\": 01, }\n", &json!({"a": 1}));
    assert_parsed("{\"a\": 1} # c\n", &json!({"a": 1}));
    assert_rejected(
        "{\"a\": \"x\",, }\n",
        "1:11: invalid JSON: expected a key in double quotes",
    );
    assert_rejected(
        "{\"a\": 1e400}",
        "1:7: invalid JSON: the number exceeds the range of a 64-bit float and is not a finite number; write a smaller number",
    );
}

#[test]
fn duplicate_keys_are_rejected() {
    assert_rejected("a: 1\na: 2\n", "2:1: duplicate key \"a\"; remove one");
    assert_rejected(
        "on: 1\ntrue: 2\n",
        "2:1: duplicate key \"true\"; remove one",
    );
    assert_rejected(
        "{\"a\": 1, \"a\": 2}",
        "1:10: duplicate key \"a\"; remove one",
    );
    // Both keys become the JSON key "1", but go-yaml compares them as different keys.
    assert_parsed("1: a\n\"1\": b\n", &json!({"1": "b"}));
}

#[test]
fn merge_keys_add_entries() {
    let anchors = "x: &x {k: 1}\ny: &y {k: 2, l: 2}\n";
    let read_merged = |text: &str| {
        let values = k8s_yaml::parse(&format!("{anchors}v:\n{text}"));
        values.map(|values| values[0]["v"].clone())
    };
    assert_eq!(read_merged("  <<: *x\n  k: 3\n"), Ok(json!({"k": 3})));
    assert_eq!(read_merged("  k: 3\n  <<: *x\n"), Ok(json!({"k": 1})));
    assert_eq!(read_merged("  <<: [*x, *y]\n"), Ok(json!({"k": 1, "l": 2})));
    assert_eq!(read_merged("  '<<': a\n"), Ok(json!({"<<": "a"})));
    assert!(read_merged("  <<: 1\n").is_err());
}

#[test]
fn alias_bombs_are_rejected() {
    let ten_aliases = |i: usize| {
        format!(
            "a{i}: &a{i} [{}]\n",
            vec![format!("*a{}", i - 1); 10].join(", ")
        )
    };
    let bomb: String = (1..12).map(ten_aliases).collect();
    let error = k8s_yaml::parse(&format!("a0: &a0 [x, x]\n{bomb}")).unwrap_err();
    assert!(error.message.contains("aliases repeat too many"), "{error}");
    let long_string = "x".repeat(1 << 20);
    let text = format!("a: &a {long_string}\nb: [{}]\n", vec!["*a"; 90].join(", "));
    let error = k8s_yaml::parse(&text).unwrap_err();
    assert!(error.message.contains("aliases repeat too many"), "{error}");
    for opening in ["[", "{a: ", "- ", "? ", "{\"a\": ", "a: &x [*x, "] {
        let error = k8s_yaml::parse(&opening.repeat(100_000)).unwrap_err();
        assert_eq!(error.line, 1, "{error}");
    }
    let link = |i: usize| format!("a{i}: &a{i} {{b: *a{}}}\n", i - 1);
    let chain: String = (1..500).map(link).collect();
    assert!(k8s_yaml::parse(&format!("a0: &a0 1\n{chain}")).is_err());
}

#[test]
fn events_have_positions() {
    let text = "a:\n  - on: 1\n---\n{\"b\": [2]}\n";
    let positions: Vec<Vec<(usize, usize)>> = k8s_yaml::Documents::new(text)
        .map(|document| {
            let events = document.events().iter();
            events.map(|event| (event.line, event.column)).collect()
        })
        .collect();
    let positions_of_first = [
        (1, 1),
        (1, 1),
        (2, 3),
        (2, 5),
        (2, 5),
        (2, 9),
        (3, 1),
        (3, 1),
        (3, 1),
    ];
    assert_eq!(positions[0], positions_of_first);
    assert_eq!(
        positions[1],
        [(4, 1), (4, 2), (4, 7), (4, 8), (4, 9), (4, 10)]
    );
}

/// Returns the line, the column, the line of the value and the printed form of each duplicate key
/// of the only document.
fn duplicates(text: &str) -> Vec<(usize, usize, usize, String)> {
    let document = Documents::new(text).next().unwrap();
    let (_, duplicate_keys) = document.value_and_duplicates().unwrap();
    let duplicate_keys = duplicate_keys.into_iter();
    duplicate_keys
        .map(|key| (key.line, key.column, key.value_line, key.printed))
        .collect()
}

#[test]
fn duplicate_keys_are_returned_on_request() {
    let key =
        |line, column, value_line, printed: &str| (line, column, value_line, printed.to_owned());
    for (text, expected) in [
        ("a: 1\nb: 2\n", vec![]),
        (
            "a: 1\na: 2\na: 3\n",
            vec![key(2, 1, 2, "\"a\""), key(3, 1, 3, "\"a\"")],
        ),
        // go-yaml reports the line of the value, and the duplicates in the value first.
        (
            "s:\n  a: 1\ns:\n  a: 2\n  a: 3\n",
            vec![key(5, 3, 5, "\"a\""), key(3, 1, 4, "\"s\"")],
        ),
        ("x:\n  - 1\nx:\n  - 2\n", vec![key(3, 1, 4, "\"x\"")]),
        ("1: a\n1: b\n\"1\": c\n", vec![key(2, 1, 2, "1")]),
        ("on: a\nyes: b\n", vec![key(2, 1, 2, "true")]),
        ("a\": 1\n\"a\\\"\": 2\n", vec![key(2, 1, 2, "\"a\\\"\"")]),
        // JSON is reported in the order of the source.
        (
            "{\"s\": {}, \"s\": {\"a\": 1, \"a\": 2}}",
            vec![key(1, 11, 1, "\"s\""), key(1, 25, 1, "\"a\"")],
        ),
    ] {
        assert_eq!(duplicates(text), expected, "{text}");
    }
}

/// The lines are those that go-yaml reports.
#[test]
fn a_missing_value_is_in_the_line_of_its_indicator() {
    for (text, value_line) in [
        ("a:\na:\nb: 1\n", 2),
        ("x:\n  a:\n  a:\n\n# c\n\nb: 1\n", 3),
        ("- a: 1\n  a:\n\n- b\n", 2),
        ("a: 1\n? a\n:\n\nb: 1\n", 3),
        // Without `:`, and in a flow map, the null has the position of the next token.
        ("a: 1\n? a\n\nb: 1\n", 4),
        ("{a: 1, a:\n\n, b: 1}\n", 3),
    ] {
        assert_eq!(duplicates(text)[0].2, value_line, "{text}");
    }
    for (text, expected) in [
        ("-\n\n- a\n-", vec![(1, 1), (1, 2), (3, 3), (4, 2)]),
        ("k:\n-\n# c\n", vec![(1, 1), (1, 1), (2, 1), (2, 2)]),
        ("?\n\n:\n", vec![(1, 1), (1, 2), (3, 2)]),
    ] {
        let document = Documents::new(text).next().unwrap();
        let positions = document.events().iter();
        let positions: Vec<_> = positions.map(|event| (event.line, event.column)).collect();
        assert!(positions.starts_with(&expected), "{text:?}: {positions:?}");
    }
}

#[test]
fn the_last_of_duplicate_keys_wins_and_its_path_is_known() {
    let text = "items:\n- a: 1\n- b: {c: 1, c: 2}\n";
    let document = Documents::new(text).next().unwrap();
    let (value, duplicate_keys) = document.value_and_duplicates().unwrap();
    assert_eq!(value, json!({"items": [{"a": 1}, {"b": {"c": 2}}]}));
    let key = |name: &str| PathStep::Key(name.into());
    assert_eq!(
        duplicate_keys[0].path,
        [key("items"), PathStep::Index(1), key("b"), key("c")]
    );
    assert!(!document.is_json());
    assert!(document.value().is_err());
}

#[test]
fn too_many_duplicate_keys_are_an_error() {
    let text = "a: 1\n".repeat(10_002);
    let document = Documents::new(&text).next().unwrap();
    let error = document.value_and_duplicates().unwrap_err();
    assert_eq!(
        error.to_string(),
        "10002:1: more than 10000 duplicate keys; remove them"
    );
}
