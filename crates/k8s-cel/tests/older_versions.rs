//! Tests of expressions whose result, cost or estimated cost changed with a version of Kubernetes.

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{
    Binding, DeclaredType, DeclaredTypes, Environment, EvalResult, Evaluator, KubeVersion,
};
use serde_json::{Value, json};

/// A change of a version: an expression, the first version with the change, and its results before
/// and after the change, as [`outcome`] formats them.
type Change = (&'static str, u16, &'static str, &'static str);

const CHANGES: &[Change] = &[
    ("has(self.s)", 29, "true, cost 1 of 2", "true, cost 1 of 1"),
    (
        "self.?s.hasValue()",
        29,
        "true, cost 3 of 1",
        "true, cost 3 of 3",
    ),
    (
        "[1, dyn('a')].size()",
        29,
        "2, cost 1 of 12",
        ":1:8: expected type 'int' but found 'dyn'",
    ),
    (
        "null == self",
        29,
        ":1:6: found no matching overload for '_==_' applied to '(null, object)'",
        "false, cost 2 of 1",
    ),
    (
        "null == duration('1s')",
        29,
        ":1:6: found no matching overload for '_==_' applied to '(null, duration)'",
        "false, cost 1 of 2",
    ),
    (
        "[duration('1s'), null]",
        29,
        ":1:18: expected type 'duration' but found 'null'",
        ":1:18: expected type 'duration' but found 'null'",
    ),
    (
        "[null, self].size()",
        29,
        "2, cost 12 of 12",
        ":1:8: expected type 'null' but found 'object'",
    ),
    (
        "(true ? null : duration('1s')) == null",
        29,
        ":1:7: found no matching overload for '_?_:_' applied to '(bool, null, duration)'",
        "true, cost 1 of 2",
    ),
    (
        "null in [duration('1s')]",
        29,
        ":1:6: found no matching overload for '@in' applied to '(null, list(duration))'",
        "false, cost 1 of 12",
    ),
    (
        "{1: duration('1s'), 2: null}.size()",
        29,
        ":1:24: expected type 'duration' but found 'null'",
        ":1:24: expected type 'duration' but found 'null'",
    ),
    (
        "optional.of(null).orValue(duration('1s')) == null",
        29,
        ":1:26: found no matching overload for 'orValue' applied to 'optional(null).(duration)'",
        "true, cost 2 of 4",
    ),
    (
        "null == optional.none()",
        29,
        ":1:6: found no matching overload for '_==_' applied to '(null, optional(dyn))'",
        "false, cost 2 of 2",
    ),
    (
        "[1, 2].map(x, x).size() in [1, 2].map(x, x)",
        30,
        "true, cost 57 of 18446744073709551615",
        "true, cost 57 of 97",
    ),
    (
        "'%d'.format(['a'])",
        31,
        "error during formatting: decimal clause can only be used on integers, was given string, cost 1 of 11",
        ":1:14: error during formatting: decimal clause can only be used on integers, was given string",
    ),
    (
        "'%s'.format([[1, 'a'][0]])",
        31,
        ":1:18: expected type 'int' but found 'string'",
        "\"1\", cost 13 of 22",
    ),
    (
        "dyn(optional.of(1)).sum()",
        31,
        "no such overload: sum(optional), cost 3 of 1844674407370955266",
        "no such overload: sum(optional_type), cost 3 of 1844674407370955266",
    ),
    (
        "optional.of(1) < 1",
        31,
        ":1:16: found no matching overload for '_<_' applied to '(optional(int), int)'",
        ":1:16: found no matching overload for '_<_' applied to '(optional_type(int), int)'",
    ),
    (
        "optional.of([1, 2]).optMap(x, 5)",
        32,
        "some(5), cost 5 of 35",
        "some(5), cost 3 of 35",
    ),
    (
        "optional.of([1, 2]).optFlatMap(x, optional.of(5))",
        32,
        "some(5), cost 5 of 35",
        "some(5), cost 3 of 35",
    ),
    (
        "optional.none().optMap(x, 5)",
        32,
        ":1:14: incompatible type already exists for expression: old:optional_type(_var3), new:optional_type(_var3)",
        "none, cost 3 of 15",
    ),
    (
        "optional.of([]).optFlatMap(x, optional.of(1))",
        32,
        ":1:13: incompatible type already exists for expression: old:list(_var4), new:list(_var4)",
        "some(1), cost 3 of 35",
    ),
    (
        "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
        32,
        "false, cost 6 of 10",
        "true, cost 6 of 10",
    ),
    (
        "url('http://a') == url('http://a')",
        32,
        "true, cost 3 of 1844674407370955266",
        "true, cost 3 of 3",
    ),
    (
        "ip('::1') == ip('::1')",
        32,
        "true, cost 4 of 1844674407370955266",
        "true, cost 3 of 3",
    ),
    (
        "timestamp == timestamp",
        32,
        "no such attribute(s): timestamp, cost 3 of 2",
        "program instantiation failed: reference to undefined type: timestamp",
    ),
    (
        "[1][duration]",
        32,
        ":1:4: found no matching overload for '_[_]' applied to '(list(int), duration)'",
        ":1:4: found no matching overload for '_[_]' applied to '(list(int), type(duration))'",
    ),
    (
        "['abc'][0].contains('b')",
        33,
        "true, cost 3 of 11",
        "true, cost 3 of 12",
    ),
    (
        "{'a': 'abc'}['a'].contains('b')",
        33,
        "true, cost 3 of 31",
        "true, cost 3 of 32",
    ),
    (
        "1 in dyn([1, 2])",
        33,
        "true, cost 1 of 18446744073709551615",
        "true, cost 1 of 13",
    ),
    (
        "optional.of(1) == optional.of(1)",
        33,
        "true, cost 3 of 1844674407370955266",
        "true, cost 3 of 3",
    ),
    (
        "optional.of('') == optional.none()",
        33,
        "false, cost 3 of 1844674407370955266",
        "false, cost 2 of 1844674407370955266",
    ),
    (
        "dyn([1]).all(i, x, x > 0)",
        33,
        ":1:22: found no matching overload for '_>_' applied to '(, int)'",
        "true, cost 6 of 17",
    ),
    (
        "(true ? ['a'] : ['bc'])[0].contains('b')",
        33,
        "false, cost 2 of 11",
        "false, cost 2 of 12",
    ),
    (
        "optional.none().value().lastIndexOf(optional.none().value())",
        37,
        "optional.none() dereference, cost 5 of 18446744073709551615",
        "optional.none() dereference, cost 5 of 1844674407370955268",
    ),
    (
        "quantity('12345678901234').isInteger()",
        30,
        "true, cost 2 of 2",
        "true, cost 3 of 3",
    ),
    (
        "isQuantity('12345678901234')",
        30,
        "true, cost 1 of 1",
        "true, cost 2 of 2",
    ),
];

/// Returns the result, the cost and the estimated cost of an expression on a server of a version,
/// such as `true, cost 1 of 2`, or the error of its compilation. The expression has the libraries
/// of the version.
fn outcome(version: KubeVersion, source: &str, object: &Value) -> String {
    let types = DeclaredType::object([
        ("s", DeclaredType::string().max_size(20)),
        ("list", DeclaredType::list(DeclaredType::int()).max_size(5)),
    ])
    .build()
    .expect("the types are valid")
    .with_server_version(version);
    let program = match Environment::new(&types, DeclaredTypes::ROOT)
        .libraries(version)
        .compile(source)
    {
        Ok(program) => program,
        Err(error) => {
            let message = error.to_string();
            let first_line = message.lines().next().unwrap_or_default();
            return first_line
                .rsplit(" <input>")
                .next()
                .unwrap_or_default()
                .to_owned();
        }
    };
    let self_binding = Binding::new(&types, object, DeclaredTypes::ROOT);
    let EvalResult { result, cost, .. } =
        Evaluator::new(&types).run(&program, &self_binding, None, PER_CALL_LIMIT);
    let result = match result {
        Ok(value) => value.to_typed_string(&types),
        Err(error) => error.to_string(),
    };
    format!("{result}, cost {cost} of {}", program.max_cost())
}

#[test]
fn each_change_is_at_its_version() {
    let object = json!({"s": "abc", "list": [1, 2]});
    for (source, since, before, after) in CHANGES {
        let version = |minor| KubeVersion::from_minor(minor).expect("a known version");
        for (version, expected) in [(version(since - 1), before), (version(*since), after)] {
            assert_eq!(
                outcome(version, source, &object),
                *expected,
                "{version}: {source}"
            );
        }
    }
}
