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
    (
        "[[][0]].map(x, x + x == 1 ? x : 1)",
        29,
        "index out of bounds: 0, cost 12 of 49",
        ":1:22: found no matching overload for '_==_' applied to '(bytes, int)'",
    ),
    (
        "[[][0]].map(x, x - x == 1 ? x : 1)",
        29,
        "index out of bounds: 0, cost 12 of 49",
        ":1:22: found no matching overload for '_==_' applied to '(double, int)'",
    ),
    (
        "[[][0]].map(x, x * x == 1 ? x : 1)",
        29,
        "index out of bounds: 0, cost 12 of 49",
        ":1:22: found no matching overload for '_==_' applied to '(double, int)'",
    ),
    (
        "[[][0]].map(x, x / x == 1 ? x : 1)",
        29,
        "index out of bounds: 0, cost 12 of 49",
        ":1:22: found no matching overload for '_==_' applied to '(double, int)'",
    ),
    (
        "[[][0]].map(x, -x == 1 ? x : 1)",
        29,
        "index out of bounds: 0, cost 12 of 48",
        ":1:19: found no matching overload for '_==_' applied to '(double, int)'",
    ),
    (
        "[[][0]].map(x, size(x) == 1 ? x : 'a')",
        29,
        "index out of bounds: 0, cost 12 of 48",
        ":1:29: found no matching overload for '_?_:_' applied to '(bool, bytes, string)'",
    ),
    (
        "[[][0]].map(x, x.size() == 1 ? x : 'a')",
        29,
        "index out of bounds: 0, cost 12 of 48",
        ":1:30: found no matching overload for '_?_:_' applied to '(bool, bytes, string)'",
    ),
    (
        "[[][0]].map(x, x.indexOf('a') == 1 ? x : 'a')",
        29,
        "index out of bounds: 0, cost 12 of 47",
        ":1:36: found no matching overload for '_?_:_' applied to '(bool, list(string), string)'",
    ),
    (
        "[[][0]].map(x, x.lastIndexOf('a') == 1 ? x : 'a')",
        29,
        "index out of bounds: 0, cost 12 of 47",
        ":1:40: found no matching overload for '_?_:_' applied to '(bool, list(string), string)'",
    ),
    (
        "1 in dyn([1])",
        29,
        "true, cost 1 of 9223372036854775819",
        "true, cost 1 of 18446744073709551615",
    ),
    (
        "[1] in [[1]].filter(x, true)",
        29,
        "true, cost 15 of 9223372036854775862",
        "true, cost 15 of 18446744073709551615",
    ),
    (
        "{format.byte(): 1}.size()",
        32,
        "1, cost 32 of 32",
        "internal error: runtime error: hash of unhashable type cel.Format, cost 1 of 32",
    ),
    (
        "{format.byte(): 1, format.byte(): 2}.size()",
        32,
        "1, cost 33 of 33",
        "internal error: runtime error: hash of unhashable type cel.Format, cost 1 of 33",
    ),
    (
        "{format.byte(): 1}[format.byte()]",
        32,
        "invalid qualifier type: *cel.Format, cost 34 of 33",
        "internal error: runtime error: hash of unhashable type cel.Format, cost 1 of 33",
    ),
    (
        "{format.byte(): 1} == {format.byte(): 1}",
        32,
        "true, cost 63 of 63",
        "internal error: runtime error: hash of unhashable type cel.Format, cost 1 of 63",
    ),
    (
        "format.uri() in {format.byte(): 1}",
        32,
        "false, cost 33 of 33",
        "internal error: runtime error: hash of unhashable type cel.Format, cost 2 of 33",
    ),
    (
        "[1][dyn(format.byte())]",
        32,
        "invalid qualifier type: *cel.Format, cost 4 of 13",
        "invalid qualifier type: cel.Format, cost 4 of 13",
    ),
    (
        "optional.of('a').optMap(x, [] + []) == optional.of('a').optMap(x, [] + [])",
        32,
        "true, cost 13 of 1844674407370955336",
        "true, cost 9 of 1844674407370955336",
    ),
    (
        "url('http://a') == {1: url('http://b')}[1]",
        32,
        "false, cost 35 of 33",
        "false, cost 35 of 34",
    ),
    (
        "[url('http://b')].all(x, url('http://bcdefghijkl') == x)",
        32,
        "false, cost 19 of 18",
        "false, cost 19 of 19",
    ),
    (
        "[url('http://b')].all(x, url('http://bcdefghijkl') == x)",
        33,
        "false, cost 19 of 19",
        "false, cost 19 of 18",
    ),
    (
        "optional.of('a').optMap(x, [] + []) == optional.of('a').optMap(x, [] + [])",
        33,
        "true, cost 9 of 1844674407370955336",
        "true, cost 8 of 1844674407370955336",
    ),
    (
        "strings.quote(dyn(optional.of('abcdefghijklmnop')))",
        33,
        "no such overload: strings.quote(optional_type), cost 3 of 1844674407370955266",
        "no such overload: strings.quote(optional_type), cost 4 of 1844674407370955266",
    ),
    (
        "'a'.matches(dyn(optional.of('abcdefghijklmnopqrstuvwxyz')))",
        33,
        "no such overload, cost 3 of 4611686018427387906",
        "no such overload, cost 9 of 4611686018427387906",
    ),
    (
        "dyn(optional.of('abcdefghijklmnopqrstuvwxyz')).contains('a')",
        33,
        "no such overload, cost 3 of 1844674407370955266",
        "no such overload, cost 5 of 1844674407370955266",
    ),
    (
        "'%e'.format([-1.5])",
        33,
        "\"-1.500000\u{202f}×\u{202f}10⁰⁰\", cost 1 of 11",
        "\"-1.500000×10⁰⁰\", cost 1 of 11",
    ),
    (
        "dyn({1: 2}).transformMap(k, v, v)",
        33,
        ":1:25: expected type 'map(_var1, _var2)' but found 'map(dyn, )'",
        "{1: 2}, cost 5 of 66",
    ),
    (
        "dyn({1: 2}).transformMap(k, v, [v])",
        33,
        "{1: [2]}, cost 15 of 18446744073709551615",
        "{1: [2]}, cost 15 of 76",
    ),
    (
        "dyn({1: 2}).transformMapEntry(k, v, {k: v})",
        33,
        ":1:30: expected type 'map(_var1, _var2)' but found 'map(dyn, )'",
        "{1: 2}, cost 35 of 96",
    ),
    (
        "dyn([1]).transformList(i, x, optional.of(x))",
        33,
        ":1:23: expected type 'list(_var1)' but found 'list(optional_type())'",
        "[some(1)], cost 15 of 36",
    ),
    (
        "dyn([1]).transformList(i, x, [x, 1])",
        33,
        "[[1, 1]], cost 24 of 18446744073709551615",
        ":1:34: expected type 'dyn' but found 'int'",
    ),
    (
        "dyn([1]).transformList(i, x, [1, x])",
        33,
        ":1:34: expected type 'int' but found ''",
        ":1:34: expected type 'int' but found 'dyn'",
    ),
    (
        "dyn([1]).all(i, x, x == x)",
        33,
        ":1:22: found no matching overload for '_==_' applied to '(, )'",
        "true, cost 7 of 17",
    ),
    (
        "dyn([1]).all(i, x, [x] == [x])",
        33,
        "true, cost 27 of 18446744073709551615",
        "true, cost 27 of 38",
    ),
    (
        "dyn([1]).all(i, x, {1: x}[1] == 1)",
        33,
        ":1:26: found no matching overload for '_[_]' applied to '(map(int, ), int)'",
        "true, cost 38 of 47",
    ),
    (
        "dyn([1]).all(i, x, {1: x, 2: 3} == {1: 1})",
        33,
        ":1:30: expected type '' but found 'int'",
        ":1:30: expected type 'dyn' but found 'int'",
    ),
    (
        "dyn([1]).all(i, x, {x: 1} == {1: 1})",
        33,
        "true, cost 36 of 18446744073709551615",
        "true, cost 36 of 77",
    ),
    (
        "dyn([1]).all(i, x, x == null)",
        33,
        ":1:22: found no matching overload for '_==_' applied to '(, null)'",
        "false, cost 6 of 16",
    ),
    (
        "dyn([1]).all(i, x, optional.of(x) == optional.of(x))",
        33,
        ":1:35: found no matching overload for '_==_' applied to '(optional_type(), optional_type())'",
        "true, cost 9 of 1844674407370955283",
    ),
    (
        "dyn([1]).all(i, x, [optional.of(x)].all(y, y == y))",
        33,
        "true, cost 23 of 18446744073709551615",
        "true, cost 23 of 33",
    ),
    (
        "dyn([1]).all(i, x, [optional.of(x)].all(y, [y, y] == [y]))",
        33,
        ":1:48: expected type 'optional_type()' but found 'optional_type()'",
        "false, cost 44 of 55",
    ),
    (
        "dyn([1]).transformList(i, x, '%s'.format([x]))",
        33,
        ":1:43: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ",
        "[\"1\"], cost 25 of 46",
    ),
    (
        "string(dyn(null)) + 'a'",
        29,
        "\"nulla\", cost 1 of 3689348814741910529",
        "program instantiation failed: no such overload: string(null_type)",
    ),
    (
        "string(dyn(int)) + 'a'",
        29,
        "\"inta\", cost 1 of 3689348814741910530",
        "program instantiation failed: no such overload: string(type)",
    ),
    (
        "string(dyn(optional.of(1)).value())",
        29,
        "\"1\", cost 4 of 4",
        "no such overload: string(int), cost 4 of 4",
    ),
    (
        "int(dyn(optional.of(1u)).value())",
        29,
        "1, cost 4 of 4",
        "no such overload: int(uint), cost 4 of 4",
    ),
    (
        "uint(dyn(optional.of(1)).value())",
        29,
        "1u, cost 4 of 4",
        "no such overload: uint(int), cost 4 of 4",
    ),
    (
        "double(dyn(optional.of(1)).value())",
        29,
        "double(3ff0000000000000), cost 4 of 4",
        "no such overload: double(int), cost 4 of 4",
    ),
    (
        "bool(dyn(optional.of('true')).value())",
        29,
        "true, cost 4 of 4",
        "no such overload: bool(string), cost 4 of 4",
    ),
    (
        "bytes(dyn(optional.of('a')).value())",
        29,
        "b(61), cost 4 of 4",
        "no such overload: bytes(string), cost 4 of 4",
    ),
    (
        "timestamp(dyn(optional.of(1)).value())",
        29,
        "timestamp(1970-01-01T00:00:01Z), cost 4 of 4",
        "no such overload: timestamp(int), cost 4 of 4",
    ),
    (
        "duration(dyn(optional.of('1s')).value())",
        29,
        "duration(1000000000), cost 4 of 4",
        "no such overload: duration(string), cost 4 of 4",
    ),
    (
        "self.list + [dyn('a,b'.split(','))]",
        37,
        "[1, 2, error(invalid data, expected int, got []string)], cost 15 of 15",
        "[1, 2, [\"a\", \"b\"]], cost 15 of 15",
    ),
    // Only an empty string has another result.
    (
        "'abc'.indexOf('z')",
        32,
        "-1, cost 0 of 1",
        "-1, cost 0 of 1",
    ),
    (
        "'abc'.lastIndexOf('z')",
        34,
        "-1, cost 0 of 1",
        "-1, cost 0 of 1",
    ),
    (
        "self.long.startsWith('a')",
        37,
        "true, cost 5 of 3",
        "true, cost 3 of 3",
    ),
    (
        "self.long.endsWith('a')",
        37,
        "false, cost 5 of 3",
        "false, cost 3 of 3",
    ),
    (
        "dyn(self.list).all(x, x == 1)",
        33,
        "false, cost 14 of 18446744073709551615",
        "false, cost 14 of 24",
    ),
    (
        "dyn(self.list).all(i, x, x == i)",
        33,
        "false, cost 12 of 18446744073709551615",
        "false, cost 12 of 29",
    ),
    (
        "optional.of(self.long).optMap(x, x.contains('a'))",
        33,
        "some(true), cost 13 of 20",
        "some(true), cost 13 of 1844674407370955284",
    ),
    (
        "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1].all(x, true) != [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1].all(x, true)",
        33,
        "false, cost 69 of 90",
        "false, cost 69 of 89",
    ),
    (
        "dyn([]).all(k, v, {k: v} == {k: v})",
        33,
        ":1:26: found no matching overload for '_==_' applied to '(map(dyn, ), map(dyn, ))'",
        "true, cost 1 of 12",
    ),
    (
        "self.s.split(',').all(i, x, x.contains('a'))",
        33,
        "true, cost 9 of 339",
        "true, cost 9 of 339",
    ),
];

/// Returns the result, the cost and the estimated cost of an expression on a server of a version,
/// such as `true, cost 1 of 2`, or the error of its compilation. The expression has the libraries
/// of the version.
fn outcome(version: KubeVersion, source: &str, object: &Value) -> String {
    let types = DeclaredType::object([
        ("s", DeclaredType::string().max_size(20)),
        ("long", DeclaredType::string().max_size(30)),
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
    let object = json!({"s": "abc", "long": "abcdefghijklmnopqrstuvwxyz", "list": [1, 2]});
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

/// The keys of a map that an expression creates have known sizes in each version.
#[test]
fn the_estimate_of_a_map_is_the_same_in_each_version() {
    for version in (25..=37).filter_map(KubeVersion::from_minor) {
        let outcome = outcome(version, "{'a': 1}.all(x, x == x)", &json!({}));
        assert_eq!(outcome, "true, cost 7 of 36", "{version}");
    }
}

/// A list without elements has no element of another type.
#[test]
fn empty_lists_of_integers_are_joined_since_1_29() {
    let object = json!({"list": []});
    for source in ["dyn(self.list).join()", "dyn(self.list + []).join()"] {
        for minor in 25..=37 {
            let version = KubeVersion::from_minor(minor).expect("a known version");
            let outcome = outcome(version, source, &object);
            let is_panic = outcome.starts_with("internal error: interface conversion: ");
            assert_eq!(is_panic, minor < 29, "{version}: {source}: {outcome}");
        }
    }
}
