//! The differences between Kubernetes 1.36 and 1.37 in expressions: each row has the results of the
//! servers' own code (`k8s.io/apiserver` v0.36.0 and v0.37.2).

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{
    Binding, DeclaredType, DeclaredTypes, Environment, EvalResult, Evaluator, KubeVersion,
};
use serde_json::{Value, json};

const ROOT: u32 = DeclaredTypes::ROOT;

/// An expression, with its result on a server of 1.36 and on a server of 1.37.
struct Row {
    expression: &'static str,
    in_1_36: &'static str,
    in_1_37: &'static str,
}

const fn row(expression: &'static str, in_1_36: &'static str, in_1_37: &'static str) -> Row {
    Row {
        expression,
        in_1_36,
        in_1_37,
    }
}

/// Expressions that read `self`.
const ROWS: &[Row] = &[
    row(
        "self.labels.`a-b`",
        "compilation failed: ERROR: <input>:1:13: unsupported syntax: '`'",
        r#""x"; estimate 3, cost 3"#,
    ),
    row(
        "has(self.labels.`a-b`)",
        "compilation failed: ERROR: <input>:1:17: unsupported syntax: '`'",
        "true; estimate 2, cost 2",
    ),
    row(
        "self.labels.?`a-b`.hasValue()",
        "compilation failed: ERROR: <input>:1:14: unsupported syntax: '`'",
        "true; estimate 4, cost 4",
    ),
    row(
        "{'a-b': 1}.`a-b`",
        "compilation failed: ERROR: <input>:1:12: unsupported syntax: '`'",
        "1; estimate 31, cost 2",
    ),
    row(
        "self.`s`",
        "compilation failed: ERROR: <input>:1:6: unsupported syntax: '`'",
        r#""abc"; estimate 2, cost 2"#,
    ),
    row(
        "self.`a-b`",
        "compilation failed: ERROR: <input>:1:6: unsupported syntax: '`'",
        "compilation failed: ERROR: <input>:1:5: undefined field 'a-b'",
    ),
    row(
        "self.set.all(x, .x == 'x')",
        "false; estimate 28, cost 10",
        "compilation failed: ERROR: <input>:1:18: undeclared reference to '.x' (in container '')",
    ),
    row(
        "self.set.all(self, type(.self) == map)",
        "false; estimate 33, cost 11",
        "true; estimate 33, cost 15",
    ),
    row(
        "self.set.map(net, type(net.IP) == type)",
        "[true, true]; estimate 88, cost 29",
        "compilation failed: ERROR: <input>:1:27: type 'string' does not support field selection",
    ),
    row(
        "duration(1)",
        "compilation failed: ERROR: <input>:1:10: invalid duration argument",
        "compilation failed: ERROR: <input>:1:9: found no matching overload for 'duration' applied to '(int)'",
    ),
    row(
        "duration(self.i)",
        "type conversion error from 'int' to 'google.protobuf.Duration'; estimate 3, cost 3",
        "compilation failed: ERROR: <input>:1:9: found no matching overload for 'duration' applied to '(int)'",
    ),
    row(
        "duration(dyn(1))",
        "program instantiation failed: type conversion error from 'int' to 'google.protobuf.Duration'",
        "program instantiation failed: no such overload: duration(int)",
    ),
    row(
        "lists.range(-1)",
        "[]; estimate 11, cost 11",
        "lists.range: size must be non-negative, got -1; estimate 11, cost 12",
    ),
    row(
        "lists.range(1000001)",
        "operation cancelled: actual cost limit exceeded; estimate 1000012, cost 1000012",
        "lists.range: size 1000001 exceeds maximum allowed (1000000); estimate 1000012, cost 12",
    ),
    row(
        "[[1]].flatten(-1)",
        "level must be non-negative; estimate 31, cost 10",
        "level must be non-negative; estimate 31, cost 12",
    ),
    row(
        "dyn('a').orValue('b')",
        r#""a"; estimate 2, cost 0"#,
        "no such overload; estimate 2, cost 0",
    ),
    row(
        "dyn('a').or(optional.of('b'))",
        r#""a"; estimate 3, cost 0"#,
        "no such overload; estimate 3, cost 0",
    ),
    row(
        "self.?o.optMap(x, x.?n)",
        "some(null); estimate 19, cost 8",
        "some(none); estimate 19, cost 8",
    ),
    row(
        "optional.of(7u).optMap(x, list).value() == list",
        "false; estimate 18, cost 5",
        "true; estimate 18, cost 5",
    ),
    row(
        "dyn(optional.none()).flatten()",
        "no such overload: optional_type.flatten(); estimate 18446744073709551615, cost 14",
        "no such overload: optional_type(dyn).flatten(); estimate 18446744073709551615, cost 14",
    ),
    row(
        "optional_type == 1",
        "compilation failed: ERROR: <input>:1:15: found no matching overload for '_==_' applied to '(type(optional_type), int)'",
        "compilation failed: ERROR: <input>:1:15: found no matching overload for '_==_' applied to '(type(optional_type(dyn)), int)'",
    ),
    row(
        "true || list",
        "compilation failed: ERROR: <input>:1:9: expected type 'bool' but found 'type(list(A))'",
        "compilation failed: ERROR: <input>:1:9: expected type 'bool' but found 'type(list(dyn))'",
    ),
    row(
        "{1: map}[1] && true",
        "compilation failed: ERROR: <input>:1:9: expected type 'bool' but found 'type(map(A, B))'",
        "compilation failed: ERROR: <input>:1:9: expected type 'bool' but found 'type(map(dyn, dyn))'",
    ),
    row(
        "'abc'.indexOf('', 5)",
        "5; estimate 1, cost 0",
        "3; estimate 1, cost 0",
    ),
    row(
        "'abc'.lastIndexOf('', -1)",
        "-1; estimate 1, cost 0",
        "index out of range: -1; estimate 1, cost 0",
    ),
    row(
        "matches(self.s, self.t)",
        "true; estimate 5, cost 5",
        "true; estimate 64, cost 5",
    ),
    row(
        "self.set == ['a', 'a']",
        "true; estimate 13, cost 3",
        "false; estimate 13, cost 3",
    ),
    row(
        "(self.set + ['a', 'c']) == ['c', 'c', 'c']",
        "true; estimate 24, cost 4",
        "false; estimate 24, cost 4",
    ),
    row(
        "self.keyed == [self.keyed[0], self.keyed[0]]",
        "true; estimate 19, cost 19",
        "false; estimate 19, cost 19",
    ),
    row(
        "(self.keyed + self.keyed) == [self.keyed[0], self.keyed[0]]",
        "true; estimate 22, cost 22",
        "false; estimate 22, cost 22",
    ),
    row(
        "self.quads == [self.quads[1], self.quads[1]]",
        "true; estimate 19, cost 19",
        "false; estimate 19, cost 19",
    ),
    row(
        "self.days == self.days",
        "false; estimate 5, cost 5",
        "true; estimate 5, cost 5",
    ),
    row(
        "self.ratios == dyn([1.5, 2.0])",
        "false; estimate 14, cost 3",
        "true; estimate 14, cost 3",
    ),
    row(
        "(self.spans + self.spans).max()",
        "invalid data, expected string, got time.Duration; estimate 15, cost 9",
        "duration(2000000000); estimate 15, cost 9",
    ),
    row(
        "(self.spans + self.spans).sort()",
        "list elements must have the same type; estimate 216, cost 48",
        "[duration(1000000000), duration(1000000000), duration(2000000000), duration(2000000000)]; estimate 216, cost 48",
    ),
    row(
        "self.set + dyn([['a']])",
        "internal error: runtime error: hash of unhashable type []ref.Val; estimate 24, cost 2",
        "listSet operations are only supported on lists of scalar values; estimate 24, cost 3",
    ),
    row(
        "[1, 2].includes(2)",
        "compilation failed: ERROR: <input>:1:16: undeclared reference to 'includes' (in container '')",
        "true; estimate 12, cost 2",
    ),
    row(
        "self.s.includes('abc')",
        "compilation failed: ERROR: <input>:1:16: undeclared reference to 'includes' (in container '')",
        "true; estimate 50, cost 2",
    ),
    row(
        "self.labels.includes('a')",
        "compilation failed: ERROR: <input>:1:21: undeclared reference to 'includes' (in container '')",
        "false; estimate 32, cost 2",
    ),
    row(
        "self.set.includes(self.s)",
        "compilation failed: ERROR: <input>:1:18: undeclared reference to 'includes' (in container '')",
        "false; estimate 34, cost 4",
    ),
];

/// Expressions that read `oldSelf`, which is an optional value.
const OPTIONAL_OLD_SELF_ROWS: &[Row] = &[
    row(
        "oldSelf.optMap(o, o.set == ['b', 'a'])",
        "some(false); estimate 27, cost 8",
        "some(true); estimate 27, cost 8",
    ),
    row(
        "oldSelf.optMap(o, o.days[0].getFullYear())",
        "no such overload: getFullYear(string); estimate 19, cost 9",
        "some(2020); estimate 19, cost 9",
    ),
    row(
        "oldSelf.?spans",
        r#"some(["1s", "2s"]); estimate 2, cost 2"#,
        "some([duration(1000000000), duration(2000000000)]); estimate 2, cost 2",
    ),
];

/// Returns the types of [`object`] on a server of a version.
fn types(version: u16) -> DeclaredTypes {
    let string = || DeclaredType::string().max_size(12);
    let list = |items: DeclaredType| DeclaredType::list(items).max_size(5);
    let item = || {
        DeclaredType::object([
            ("k", string()),
            ("w", string()),
            ("v", DeclaredType::int()),
            ("n", DeclaredType::int()),
        ])
    };
    let types = DeclaredType::object([
        ("s", string()),
        ("t", string()),
        ("i", DeclaredType::int()),
        ("set", list(string()).list_set()),
        ("keyed", list(item()).list_map(["k"])),
        ("quads", list(item()).list_map(["k", "w", "v", "n"])),
        ("days", list(DeclaredType::date()).list_set()),
        ("ratios", list(DeclaredType::double()).list_set()),
        ("spans", list(DeclaredType::duration())),
        ("labels", DeclaredType::map(string()).max_size(5)),
        ("o", item()),
    ]);
    let version = KubeVersion::from_minor(version).expect("a known version");
    let types = types.build().expect("types");
    types.with_server_version(version)
}

fn object() -> Value {
    json!({
        "s": "abc",
        "t": "a.*",
        "i": 5,
        "set": ["a", "b"],
        "keyed": [{"k": "a", "v": 1}, {"k": "b", "v": 2}],
        "quads": [
            {"k": "a b", "w": "c", "v": 1, "n": 1},
            {"k": "a", "w": "b c", "v": 1, "n": 1},
        ],
        "days": ["2020-01-01"],
        "ratios": [1.5, 2],
        "spans": ["1s", "2s"],
        "labels": {"a-b": "x", "a": "y"},
        "o": {"k": "x"},
    })
}

/// Returns the first line of the compile error, or the result with its costs.
fn result(types: &DeclaredTypes, expression: &str, optional_old_self: bool) -> String {
    let environment = Environment::new(types, ROOT).optional_old_self(optional_old_self);
    let program = match environment.compile(expression) {
        Ok(program) => program,
        Err(error) => {
            let error = error.to_string();
            return error.lines().next().unwrap_or_default().to_owned();
        }
    };
    let object = object();
    let self_binding = Binding::new(types, &object, ROOT);
    let old_self = if optional_old_self {
        self_binding.clone().into_optional()
    } else {
        self_binding.clone()
    };
    let mut evaluator = Evaluator::new(types);
    let EvalResult { result, cost, .. } =
        evaluator.run(&program, &self_binding, Some(&old_self), PER_CALL_LIMIT);
    let result = match result {
        Ok(value) => value.to_typed_string(types),
        Err(error) => error.to_string(),
    };
    let estimate = program.max_cost();
    format!("{result}; estimate {estimate}, cost {cost}")
}

#[test]
fn expressions_have_the_results_of_each_version() {
    let (types_of_1_36, types_of_1_37) = (types(36), types(37));
    for (rows, optional_old_self) in [(ROWS, false), (OPTIONAL_OLD_SELF_ROWS, true)] {
        for row in rows {
            let expression = row.expression;
            let old_result = result(&types_of_1_36, expression, optional_old_self);
            assert_eq!(old_result, row.in_1_36, "1.36: {expression}");
            let new_result = result(&types_of_1_37, expression, optional_old_self);
            assert_eq!(new_result, row.in_1_37, "1.37: {expression}");
        }
    }
}

/// New rules of a server of 1.37 have the libraries of 1.36, and the language of 1.37.
#[test]
fn new_rules_have_the_language_of_the_server() {
    let types = types(37);
    let environment = Environment::new(&types, ROOT);
    let new = environment.libraries(types.server_version().of_new_rules());
    assert!(new.compile("self.set.includes('a')").is_err());
    assert!(environment.compile("self.set.includes('a')").is_ok());
    assert!(new.compile("self.labels.`a-b` == 'x'").is_ok());
    assert!(new.compile("duration(1) == duration('1s')").is_err());
}
