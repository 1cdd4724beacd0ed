//! Tests of surprising results of servers, by version.

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{
    Binding, DeclaredType, DeclaredTypes, Environment, EvalError, EvalResult, Evaluator,
    KubeVersion,
};
use serde_json::{Value, json};

const ROOT: u32 = DeclaredTypes::ROOT;

/// Returns the result of an expression on a server of a version, or its error, and the cost.
fn result_and_cost(version: KubeVersion, source: &str, object: &Value) -> (String, u64) {
    let types = DeclaredType::object([
        ("n", DeclaredType::int()),
        ("set", DeclaredType::list(DeclaredType::string()).list_set()),
        (
            "times",
            DeclaredType::list(DeclaredType::date_time()).max_size(5),
        ),
        (
            "texts",
            DeclaredType::list(DeclaredType::string()).max_size(5),
        ),
        (
            "o",
            DeclaredType::object([("n", DeclaredType::int().nullable())]),
        ),
    ])
    .build()
    .expect("types")
    .with_server_version(version);
    let environment = Environment::new(&types, ROOT);
    let program = match environment.compile(source) {
        Ok(program) => program,
        Err(error) => {
            return (
                error.to_string().lines().next().unwrap_or_default().into(),
                0,
            );
        }
    };
    let self_binding = Binding::new(&types, object, ROOT);
    let EvalResult { result, cost, .. } =
        Evaluator::new(&types).run(&program, &self_binding, None, PER_CALL_LIMIT);
    match result {
        Ok(value) => (value.to_typed_string(&types), cost),
        Err(error) => (error.to_string(), cost),
    }
}

/// Returns the last version that does not convert the elements of concatenated lists.
fn version_1_36() -> KubeVersion {
    KubeVersion::from_minor(36).expect("a known version")
}

#[test]
fn keys_of_maps_are_equal_by_number_or_identity() {
    let object = json!({"n": 1});
    for (source, expected) in [
        ("{dyn(1.0): 'a'}[dyn(1)]", "no such key: 1"),
        ("{1: 'a'}[dyn(1.0)]", "\"a\""),
        ("{1: 'a'}[dyn(1u)]", "\"a\""),
        ("{dyn(1u): 'a', dyn(1): 'b'}[dyn(1.0)]", "\"b\""),
        (
            "{(-9223372036854775808): 1}[dyn(-9223372036854775808.0)]",
            "no such key: -9.223372036854776e+18",
        ),
        ("{dyn(1.0): 1} == {dyn(1): 1}", "true"),
        ("{dyn(1): 1} == {dyn(1.0): 1}", "false"),
        ("dyn(-1) in {dyn(18446744073709551615u): 1}", "false"),
        (
            "[dyn(1), dyn(1.0)].transformMapEntry(i, v, {v: i})",
            "insert failed: key 1 already exists",
        ),
        (
            "[dyn(1.0), dyn(1)].transformMapEntry(i, v, {v: i}).size()",
            "2",
        ),
        // A constant list is one value in all iterations, and a computed list is a new value each
        // time.
        (
            "[1, 2].transformMapEntry(i, v, {dyn([1]): v})",
            "insert failed: key [1] already exists",
        ),
        (
            "[1, 2].transformMapEntry(i, v, {dyn([self.n]): v}).size()",
            "2",
        ),
        (
            "[1, 2].transformMapEntry(i, v, {[1].map(x, [1]): v}).size()",
            "2",
        ),
        ("[[self.n]].all(x, x in {x: 1})", "true"),
        ("[quantity('1')].all(x, x in {x: 1})", "true"),
        ("[self.n].all(x, [x] in {[x]: 1})", "false"),
        ("[[self.n]].map(x, {x: 1, x: 2}.size())", "[1]"),
        (
            "[1][dyn(9223372036854775808u)]",
            "unsupported index value 9223372036854775808 in list",
        ),
        ("[1][dyn(9.21e18)]", "index out of bounds: 9.21e+18"),
        ("{dyn(0.0 / 0.0): 1}.all(k, v, v == 1)", "true"),
        (
            "[1].transformMapEntry(i, v, {dyn(0.0 / 0.0): v}).all(k, v, v == 1)",
            "no such key: NaN",
        ),
        (
            "string(false ? null : timestamp(0))",
            "\"1970-01-01T00:00:00Z\"",
        ),
    ] {
        assert_eq!(
            result_and_cost(KubeVersion::LATEST, source, &object).0,
            expected,
            "{source}"
        );
    }
}

#[test]
fn errors_name_the_go_types_of_a_server() {
    let object = json!({"n": 1, "set": ["a", {}], "times": [], "texts": ["b"]});
    for (source, expected) in [
        ("{}[[1] + [2]]", "invalid qualifier type: *types.concatList"),
        ("{}[[1] + []]", "invalid qualifier type: *types.baseList"),
        (
            "{}[[1, 2].map(x, [100])]",
            "invalid qualifier type: *types.baseList",
        ),
        (
            "{}[self.times.sort()]",
            "invalid qualifier type: *common.unstructuredList",
        ),
        (
            "self.set + self.texts",
            "internal error: runtime error: hash of unhashable type map[string]interface {}",
        ),
        (
            "sets.intersects([['a', 'b']], [['b']]) || sets.intersects([self.set], [[dyn({7: 1}), dyn(1)]])",
            "internal error: runtime error: hash of unhashable type map[string]interface {}",
        ),
        (
            "(dyn(self.texts) + [null]).max()",
            "invalid data, expected string, got structpb.NullValue",
        ),
        ("dyn(1).flatten(-1)", "no such overload: int.flatten(int)"),
        ("dyn([1]).flatten(-1)", "level must be non-negative"),
        (
            "[1].flatten(dyn(self.set))",
            "internal error: interface conversion: ref.Val is *common.unstructuredSetList, not types.Int",
        ),
        ("'kk'.findAll('k', dyn(optional.of(1)))", "[\"k\"]"),
        (
            "'%d'.format(self.texts)",
            "error during formatting: decimal clause can only be used on integers, was given string",
        ),
        (
            "true || list",
            "compilation failed: ERROR: <input>:1:9: expected type 'bool' but found 'type(list(A))'",
        ),
        (
            "{1: map}[1] && true",
            "compilation failed: ERROR: <input>:1:9: expected type 'bool' but found 'type(map(A, B))'",
        ),
        (
            "optional.of('a').optFlatMap(x, optional.of(quantity('1.'))).value()",
            "unsupported conversion to ref.Val: (*resource.Quantity)1.",
        ),
        (
            "quantity('-0Ei').asApproximateFloat()",
            "double(0000000000000000)",
        ),
    ] {
        assert_eq!(
            result_and_cost(version_1_36(), source, &object).0,
            expected,
            "{source}"
        );
    }
}

#[test]
fn some_functions_treat_an_invalid_value_as_a_value() {
    let empty = json!({"set": [], "texts": [{}], "times": ["x"]});
    for (source, expected) in [
        (
            "self.set + dyn([[1]])",
            "internal error: hash of unhashable type: []ref.Val",
        ),
        (
            "'%d'.format(self.times)",
            "error during formatting: decimal clause can only be used on integers, was given error",
        ),
        (
            "sets.contains(self.set, self.texts)",
            "invalid data, expected string, got map[string]interface {}",
        ),
        ("sets.intersects([self.set], [[dyn({7: 1})]])", "false"),
        ("sets.intersects([self.set], [[]])", "true"),
        ("(dyn(['a']) + [null, null]).max()", "no such overload"),
        (
            "(self.texts + dyn([optional.none()]))[1] == ''",
            "invalid data, got null for schema with nullable=false",
        ),
        (
            "'%s'.format([self.times])",
            "error during formatting: no formatting function for error",
        ),
    ] {
        assert_eq!(
            result_and_cost(version_1_36(), source, &empty).0,
            expected,
            "{source}"
        );
    }
}

#[test]
fn offsets_beyond_the_end_depend_on_the_version() {
    let object = json!({"texts": [""]});
    let out_of_range = |offset: &str| format!("index out of range: {offset}");
    for (source, before_1_32, since_1_32, since_1_34) in [
        ("'ab'.indexOf('b', 2)", out_of_range("2"), "-1", "-1"),
        ("'ab'.lastIndexOf('b', 9)", out_of_range("9"), "-1", "-1"),
        ("self.texts[0].indexOf('b')", out_of_range("0"), "-1", "-1"),
        (
            "self.texts[0].lastIndexOf('b')",
            out_of_range("-1"),
            "index out of range: -1",
            "-1",
        ),
    ] {
        for (minor, expected) in [
            (28, &*before_1_32),
            (31, &*before_1_32),
            (32, since_1_32),
            (33, since_1_32),
            (34, since_1_34),
            (37, since_1_34),
        ] {
            let version = KubeVersion::from_minor(minor).expect("a known version");
            let (result, _) = result_and_cost(version, source, &object);
            assert_eq!(result, expected, "1.{minor}: {source}");
        }
    }
}

#[test]
fn a_property_that_is_null_is_a_key_without_a_value() {
    let object = json!({"o": {"n": null}});
    for (source, expected) in [
        ("dyn(self.o).map(k, k)", "[\"n\"]"),
        ("dyn(self.o).all(k, v, k == 'n')", "true"),
        ("dyn(self.o).all(k, v, v == 1)", "no such key: n"),
        ("dyn(self.o).transformList(k, v, v)", "no such key: n"),
    ] {
        assert_eq!(
            result_and_cost(KubeVersion::LATEST, source, &object).0,
            expected,
            "{source}"
        );
    }
}

#[test]
fn objects_with_fields_that_are_null_equal_each_other_since_1_34() {
    let object = json!({"o": {"n": null}});
    for source in [
        "self.o == self.o",
        "!(self.o != self.o)",
        "self.o in [self.o]",
        "[self.o] == [self.o]",
        "optional.of(self.o) == self.?o",
        "dyn(self.o) == self.o",
    ] {
        for (minor, expected) in [(28, "false"), (33, "false"), (34, "true"), (37, "true")] {
            let version = KubeVersion::from_minor(minor).expect("a known version");
            let (result, _) = result_and_cost(version, source, &object);
            assert_eq!(result, expected, "1.{minor}: {source}");
        }
    }
}

#[test]
fn functions_of_kubernetes_do_not_unwrap_optional_values() {
    for (source, cost) in [
        ("sets.contains([1, 2], dyn(optional.of('abc')))", 5),
        ("sets.equivalent([1, 2], dyn(optional.of('abc')))", 7),
        (
            "dyn(optional.of('abcabcabcabcabcabc')).containsIP(ip('10.0.0.1'))",
            4,
        ),
        (
            "format.dns1123Label().validate(dyn(optional.of('abcabcabcabcabcabc')))",
            11,
        ),
    ] {
        assert_eq!(
            result_and_cost(KubeVersion::LATEST, source, &json!({})).1,
            cost,
            "{source}"
        );
    }
}

/// Before 1.28, a server rejects comparisons of numbers of different types. From the first loop of
/// an expression on, the server accepts such comparisons.
#[test]
fn numbers_of_different_types_are_ordered_since_1_28_or_after_a_loop_begins() {
    let no_overload = "compilation failed: ERROR: <input>:1:3: found no matching overload for '_<_' applied to '(int, uint)'";
    for (minor, source, expected) in [
        (27, "1 < 2u", no_overload),
        (27, "1 < 2u && [1].all(x, true)", no_overload),
        (27, "[1].all(x, 1 < 2u)", "true"),
        (27, "[1].all(x, true) && 1 < 2u", "true"),
        (28, "1 < 2u", "true"),
    ] {
        let version = KubeVersion::from_minor(minor).expect("a known version");
        assert_eq!(
            result_and_cost(version, source, &json!({})).0,
            expected,
            "{source}"
        );
    }
}

/// A comparison of lists that an expression creates skips elements that cannot be compared. If all
/// other elements of two concatenated lists are equal, the comparison then fails with the error of
/// the skipped elements.
#[test]
fn comparisons_of_concatenated_lists_report_skipped_elements() {
    let object = json!({"times": ["x"], "set": [], "texts": []});
    let parse_error = "Invalid date-time formatted string x: parsing time \"x\" as \"2006-01-02T15:04:05\": cannot parse \"x\" as \"2006\"";
    for (source, expected) in [
        (
            "[timestamp(0)] + self.times == [timestamp(0)] + self.times",
            parse_error,
        ),
        (
            "[timestamp(0)] + self.times == [timestamp(1)] + self.times",
            "false",
        ),
        (
            "[dyn(ip('::1'))] + [dyn(1)] == [dyn(1)] + [dyn(1)]",
            "no such overload",
        ),
        (
            "[dyn(ip('::1'))] + [dyn(1)] == [dyn(1)] + [dyn(2)]",
            "false",
        ),
        ("[dyn(ip('::1'))] + [dyn(1)] != [dyn(1)] + [dyn(1)]", "true"),
        ("[dyn(ip('::1')), dyn(1)] == [dyn(1), dyn(1)]", "true"),
    ] {
        assert_eq!(
            result_and_cost(KubeVersion::LATEST, source, &object).0,
            expected,
            "{source}"
        );
    }
}

/// Before 1.29, `join` converts the elements of its list to strings, as Go converts them.
#[test]
fn join_converted_its_elements_before_1_29() {
    for (minor, element, expected, cost) in [
        (28, "url('http://a')", "\"azhttp://a\"", 14),
        (29, "url('http://a')", "join: invalid input: http://a", 13),
        (28, "quantity('1k')", "\"az1k\"", 13),
        (28, "optional.of(optional.of('b'))", "\"azb\"", 14),
        (28, "optional.none()", "optional.none() dereference", 13),
        (
            27,
            "1",
            "unsupported type conversion from 'int' to string",
            1,
        ),
        (29, "1", "join: invalid input: 1", 1),
        (
            27,
            "null",
            "type conversion error from 'null_type' to 'string'",
            1,
        ),
        (
            27,
            "1.5",
            "type conversion error from Double to 'string'",
            1,
        ),
        (27, "int", "type conversion not supported for 'type'", 1),
        (27, "[1]", "type conversion error from list to 'string'", 1),
        (
            27,
            "self.o",
            "type conversion error from 'map(dyn, dyn)' to 'string'",
            14,
        ),
    ] {
        let source = format!("[dyn('a'), dyn({element})].join('z')");
        let version = KubeVersion::from_minor(minor).expect("a known version");
        let result = result_and_cost(version, &source, &json!({"o": {"n": 1}}));
        assert_eq!(result, (expected.to_owned(), cost), "{source} {minor}");
    }
    let no_matching_overload = result_and_cost(
        KubeVersion::from_minor(28).expect("a known version"),
        "dyn([url('http://a')]).join('z')",
        &json!({}),
    );
    let expected = "no such overload: join(list, string)".to_owned();
    assert_eq!(no_matching_overload, (expected, 13));
}

/// An empty list or map of the object is not a zero value. A variable of a macro has a copy of the
/// empty list or map, which is a zero value.
#[test]
fn an_empty_list_of_the_object_is_a_zero_value_only_in_a_variable() {
    let in_variable = "optional.of(OPERAND).optFlatMap(x, optional.ofNonZeroValue(x))";
    let direct = "optional.ofNonZeroValue(OPERAND)";
    let empty = json!({"texts": [], "o": {}});
    for (operand, present) in [("self.texts", "some([])"), ("self.o", "some({})")] {
        let evaluate = |source: &str| {
            result_and_cost(
                KubeVersion::LATEST,
                &source.replace("OPERAND", operand),
                &empty,
            )
            .0
        };
        assert_eq!(evaluate(direct), present);
        assert_eq!(evaluate(in_variable), "none");
    }
}

/// A search for null in a list of the object's own objects fails, because the server calls the
/// comparison method of each element. Other comparisons of null with an object are false.
#[test]
fn a_search_for_null_among_objects_fails() {
    let types = DeclaredType::object([
        (
            "objects",
            DeclaredType::list(DeclaredType::object([("n", DeclaredType::int())])),
        ),
        ("ints", DeclaredType::list(DeclaredType::int())),
    ]);
    let types = types.build().expect("types");
    let object = json!({"objects": [{"n": 1}], "ints": [1]});
    let self_binding = Binding::new(&types, &object, ROOT);
    for (source, is_error) in [
        ("dyn(null) in self.objects", true),
        ("sets.contains(self.objects, [dyn(null)])", true),
        ("dyn(null) in (self.objects + dyn([{'n': 1}]))", false),
        ("dyn(null) in self.ints", false),
        ("dyn(null) in [{'n': 1}]", false),
        ("self.objects.exists(o, o == dyn(null))", false),
    ] {
        let program = Environment::new(&types, ROOT).compile(source);
        let program = program.expect("a program");
        let evaluation = Evaluator::new(&types).run(&program, &self_binding, None, PER_CALL_LIMIT);
        let result = evaluation.result.map(|result| result.to_json());
        let expected = if is_error {
            Err(EvalError::Expression("no such overload".into()))
        } else {
            Ok(Some(json!(false)))
        };
        assert_eq!(result, expected, "{source}");
    }
}

#[test]
fn flatten_has_no_limit_of_its_own() {
    let levels = 100;
    let mut list = json!([1]);
    let mut list_type = DeclaredType::list(DeclaredType::int()).max_size(1);
    for _ in 1..levels {
        list = json!([list]);
        list_type = DeclaredType::list(list_type).max_size(1);
    }
    let types = list_type.build().expect("types");
    let environment = Environment::new(&types, DeclaredTypes::ROOT);
    for (depth, expected) in [(levels - 1, "[1]"), (levels - 2, "[[1]]"), (1_000, "[1]")] {
        let source = format!("dyn(self).flatten({depth})");
        let program = environment.compile(&source).expect("a program");
        let binding = Binding::new(&types, &list, DeclaredTypes::ROOT);
        let result = Evaluator::new(&types).run(&program, &binding, None, PER_CALL_LIMIT);
        let value = result.result.expect("a value");
        assert_eq!(value.to_typed_string(&types), expected, "{depth}");
    }
}
