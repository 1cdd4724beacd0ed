//! Tests of the compiler's messages for invalid expressions, as a server of 1.37 prints them.

use std::error::Error as _;

use k8s_cel::{CompileError, DeclaredType, DeclaredTypes, Environment};

/// The tokens that may start an expression, as the messages list them.
const EXPRESSION_START: &str = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/// Expressions and their error messages with positions. `{...}` abbreviates `EXPRESSION_START`.
const CASES: &[(&str, &[&str])] = &[
    (
        "self.true > 0",
        &["1:6: Syntax error: mismatched input 'true' expecting IDENTIFIER"],
    ),
    (
        "self.in > 0",
        &[
            "1:6: Syntax error: no viable alternative at input '.in'",
            "1:9: Syntax error: extraneous input '>' expecting {...}",
        ],
    ),
    (
        "self.x + \" ",
        &[
            "1:10: Syntax error: token recognition error at: '\" '",
            "1:12: Syntax error: mismatched input '<EOF>' expecting {...}",
        ],
    ),
    (
        "a = b",
        &[
            "1:3: Syntax error: token recognition error at: '= '",
            "1:5: Syntax error: extraneous input 'b' expecting <EOF>",
        ],
    ),
    (
        "'\\q' == ''",
        &[
            "1:1: Syntax error: token recognition error at: ''\\q'",
            "1:10: Syntax error: token recognition error at: '''",
        ],
    ),
    (
        "(a + b * c",
        &["1:11: Syntax error: missing ')' at '<EOF>'"],
    ),
    (
        "(a b c",
        &["1:4: Syntax error: mismatched input 'b' expecting ')'"],
    ),
    (
        "[a b]",
        &["1:4: Syntax error: extraneous input 'b' expecting {']', ','}"],
    ),
    (
        "{a:b c:d}",
        &["1:6: Syntax error: mismatched input 'c' expecting {'}', ','}"],
    ),
    (
        "f(a,,b)",
        &["1:5: Syntax error: extraneous input ',' expecting {...}"],
    ),
    (
        "a ? : c",
        &[
            "1:5: Syntax error: extraneous input ':' expecting {...}",
            "1:8: Syntax error: mismatched input '<EOF>' expecting ':'",
        ],
    ),
    ("a ? b c", &["1:7: Syntax error: missing ':' at 'c'"]),
    (
        "!!",
        &["1:3: Syntax error: extraneous input '<EOF>' expecting {...}"],
    ),
    (
        "-",
        &[
            "1:2: Syntax error: no viable alternative at input '-'",
            "1:2: Syntax error: mismatched input '<EOF>' expecting {...}",
        ],
    ),
    (
        "!-true",
        &["1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"],
    ),
    (
        "in",
        &[
            "1:1: Syntax error: mismatched input 'in' expecting {...}",
            "1:3: Syntax error: mismatched input '<EOF>' expecting {...}",
        ],
    ),
    (
        "a.`b`",
        &["1:1: undeclared reference to 'a' (in container '')"],
    ),
    (
        "self.?x.?",
        &[
            "1:10: Syntax error: mismatched input '<EOF>' expecting {IDENTIFIER, ESC_IDENTIFIER}",
            "1:10: unsupported ident kind",
        ],
    ),
    (
        "[1].all(i, i, i > 0)",
        &["1:12: duplicate variable name: i"],
    ),
    (
        "[1, 2].map(var, var * var) == []",
        &[
            "1:12: reserved identifier: var",
            "1:12: argument is not an identifier",
            "1:17: reserved identifier: var",
            "1:23: reserved identifier: var",
        ],
    ),
    (
        "[1].all(__result__, true)",
        &["1:9: iteration variable overwrites accumulator variable"],
    ),
    (
        "optional.of(1).optMap(1, 2)",
        &["1:23: optMap() variable name must be a simple identifier"],
    ),
    ("has(1)", &["1:5: invalid argument to has() macro"]),
    (
        "99999999999999999999 + 0xFFFFFFFFFFFFFFFFFFu",
        &["1:1: invalid int literal", "1:24: invalid uint literal"],
    ),
    ("1.99e90000009 > 0.0", &["1:1: invalid double literal"]),
    ("'\\udead' == ''", &["1:1: invalid unicode code point"]),
    ("b'\\u00e9' == b''", &["1:1: unable to unescape string"]),
    (
        "[1, 'a'].size() == 'x'",
        &["1:17: found no matching overload for '_==_' applied to '(int, string)'"],
    ),
    (
        "[[1], [2, 3.0]].size() > 0",
        &[
            "1:7: expected type 'list(int)' but found 'list(dyn)'",
            "1:11: expected type 'int' but found 'double'",
        ],
    ),
    (
        "{'k1': 'a', 'k2': 1, 'k3': false} != {}",
        &[
            "1:19: expected type 'string' but found 'int'",
            "1:28: expected type 'string' but found 'bool'",
        ],
    ),
    (
        "{}.map(c, [c, type(c)]) == []",
        &["1:19: expected type 'dyn' but found 'type(dyn)'"],
    ),
    (
        "[].length == 1",
        &["1:3: type 'list(_var0)' does not support field selection"],
    ),
    (
        "(1 == 1 ? [] : []).q",
        &["1:19: type 'list(_var2)' does not support field selection"],
    ),
    (
        "[?a].size() == 0",
        &[
            "1:3: undeclared reference to 'a' (in container '')",
            "1:3: expected type 'optional_type(!error!)' but found '!error!'",
        ],
    ),
    (
        "y.optMap(z, z + 1) == z",
        &[
            "1:1: undeclared reference to 'y' (in container '')",
            "1:1: undeclared reference to 'y' (in container '')",
            "1:23: undeclared reference to 'z' (in container '')",
        ],
    ),
    (
        "timestamp(-62135596801) < timestamp(0)",
        &["1:11: invalid timestamp argument"],
    ),
    (
        "self.x.matches(')') && y",
        &["1:24: undeclared reference to 'y' (in container '')"],
    ),
    (
        "'%d %s'.format([self.x])",
        &[
            "1:21: error during formatting: decimal clause can only be used on integers, was given string",
        ],
    ),
    (
        "''.format([1])",
        &["1:10: too many arguments supplied to string.format (expected 0, got 1)"],
    ),
    (
        "type(1) == kubernetes.Quantity",
        &["1:12: undeclared reference to 'kubernetes' (in container '')"],
    ),
    (
        "self.x.check('y')",
        &["1:13: found no matching overload for 'check' applied to 'string.(string)'"],
    ),
    (
        ".a.b{c: d}",
        &["1:5: undeclared reference to '.a.b' (in container '')"],
    ),
];

#[test]
fn errors_match_the_server() {
    let types = DeclaredType::object([("x", DeclaredType::string().max_size(9))]);
    let types = types.build().expect("types");
    let environment = Environment::new(&types, DeclaredTypes::ROOT);
    for (source, expected) in CASES {
        let Err(CompileError::Compilation(errors)) = environment.compile(source) else {
            panic!("{source} is not rejected");
        };
        let messages: Vec<String> = errors
            .to_string()
            .lines()
            .filter_map(|line| line.strip_prefix("ERROR: <input>:"))
            .map(|line| line.replace(EXPRESSION_START, "{...}"))
            .collect();
        assert_eq!(messages, *expected, "{source}");
    }
}

#[test]
fn an_error_shows_its_line_and_column() {
    let types = DeclaredType::object([("x", DeclaredType::string())]);
    let types = types.build().expect("types");
    let environment = Environment::new(&types, DeclaredTypes::ROOT);
    let error = environment
        .compile("self.x ==\n  'é' + y")
        .expect_err("a name");
    assert_eq!(
        error.to_string(),
        "compilation failed: ERROR: <input>:2:9: undeclared reference to 'y' (in container '')\n |   'é' + y\n | ...．....^",
    );
}

#[test]
fn only_an_error_of_the_source_has_a_cause() {
    let types = DeclaredType::int().build().expect("types");
    let environment = Environment::new(&types, DeclaredTypes::ROOT);
    for (source, has_cause) in [("self.x", true), ("timestamp == timestamp", false)] {
        let error = environment.compile(source).expect_err(source);
        assert_eq!(error.source().is_some(), has_cause, "{source}: {error}");
    }
}
