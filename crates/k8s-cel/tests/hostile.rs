//! Tests of expressions and objects that are built to take much time or memory: each is evaluated
//! or rejected, with little memory. The crate has its own limits for work that a server does not
//! count; without these limits, several tests would run for hours.

use allocation_counter::measure;
use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{
    Binding, CompileError, DeclaredType, DeclaredTypes, Environment, EvalError, Evaluator,
    KubeVersion,
};
use serde_json::{Value, json};

const ROOT: u32 = DeclaredTypes::ROOT;

/// The limit of the bytes that an evaluation allocates at any time.
const MAX_BYTES: u64 = 50 << 20;

/// The limit of the number of allocations of an evaluation.
const MAX_ALLOCATIONS: u64 = 4_000_000;

fn types() -> DeclaredTypes {
    let object = || DeclaredType::object([("a", DeclaredType::int())]);
    DeclaredType::object([
        ("text", DeclaredType::string()),
        ("list", DeclaredType::list(DeclaredType::int())),
        ("set", DeclaredType::list(DeclaredType::string()).list_set()),
        ("objects", DeclaredType::list(object())),
    ])
    .build()
    .expect("types")
}

fn object() -> Value {
    let objects: Vec<Value> = (0..100_000).map(|a| json!({"a": a})).collect();
    json!({
        "text": "é".repeat(500_000),
        "list": (0..100_000).collect::<Vec<_>>(),
        "set": (0..20_000).map(|n| n.to_string()).collect::<Vec<_>>(),
        "objects": objects,
    })
}

/// Compiles and runs an expression, and asserts the limits of memory.
fn run(types: &DeclaredTypes, object: &Value, source: &str) -> Result<(), String> {
    let shortened: String = source.chars().take(80).collect();
    let mut outcome = Ok(());
    let allocations = measure(|| {
        let environment = Environment::new(types, ROOT);
        outcome = match environment.compile(source) {
            Err(CompileError::Compilation(errors)) => Err(errors.to_string()),
            Err(error) => Err(error.to_string()),
            Ok(program) => {
                let self_binding = Binding::new(types, object, ROOT);
                let evaluation =
                    Evaluator::new(types).run(&program, &self_binding, None, PER_CALL_LIMIT);
                evaluation
                    .result
                    .map(drop)
                    .map_err(|error| error.to_string())
            }
        };
    });
    assert!(
        allocations.bytes_max < MAX_BYTES,
        "{shortened}: {} bytes",
        allocations.bytes_max
    );
    assert!(
        allocations.count_total < MAX_ALLOCATIONS,
        "{shortened}: {} allocations",
        allocations.count_total
    );
    outcome
}

/// Returns an expression that repeats a part up to the maximum length of an expression.
fn repeated(start: &str, part: &str, end: &str) -> String {
    let length = 100_000 - start.len() - end.len();
    format!("{start}{}{end}", part.repeat(length / part.len()))
}

#[test]
fn long_expressions_are_compiled_or_rejected() {
    let (types, object) = (types(), json!({}));
    for (start, part, end) in [
        ("", "(", ""),
        ("", "[", ""),
        ("", "{", ""),
        ("", "!", "true"),
        ("", "-", "1"),
        ("1", " + 1", ""),
        ("true", " && true", ""),
        ("true", " || true", ""),
        ("self", ".a", ""),
        ("self", ".?a", ""),
        ("self", "[0]", ""),
        ("[", "1,", "1]"),
        ("{", "1:1,", "2:1}"),
        ("", "true ? 1 : ", "1"),
        ("", "a b ", ""),
        ("", "a.", ""),
        ("", "a.in ", ""),
        ("", "- 1 . f (", ""),
        ("-1", ".f(-1", ""),
        ("", "? ", ""),
        ("a", " in", ""),
        ("", "'''", ""),
        ("", "r\"\"\"a", ""),
        ("", "'\\q", ""),
        ("", "#", ""),
        ("", "`", ""),
        ("", "\"", ""),
        ("", "\u{1F600}", ""),
        ("", "has(", ""),
        ("", "a{", ""),
        ("", "[?", ""),
        ("", "{?", ""),
        ("", "[].map(x, ", ""),
        ("x", " == y", ""),
        ("[[]]", " + [[]]", ""),
    ] {
        let _ = run(&types, &object, &repeated(start, part, end));
    }
}

#[test]
fn macros_that_repeat_their_target_are_limited() {
    let (types, object) = (types(), json!({}));
    // Each `optMap` at least doubles the tree: 18 of them exceed the limit of 200,000 nodes.
    for times in [18, 45, 1000] {
        let source = format!("optional.of(1){}", ".optMap(x, x)".repeat(times));
        let error = run(&types, &object, &source).expect_err("too many parts");
        assert!(error.contains("expression has too many parts"), "{error}");
    }
}

/// Each element of the result is a list as long as the list itself. This crate limits copied
/// elements, for which a server charges almost nothing.
#[test]
fn lists_of_lists_are_limited() {
    let types = types();
    let object = json!({
        "text": "x".repeat(4_000),
        "list": (0..4_000).collect::<Vec<_>>(),
        "set": (0..4_000).map(|n| n.to_string()).collect::<Vec<_>>(),
    });
    for body in [
        "self.list + self.list",
        "self.set + self.set",
        "[1, 2, 3] + self.list",
        "self.list.slice(0, 4000)",
        "self.list.slice(0, 3000).slice(0, 2000)",
        "self.list.reverse()",
        "[self.list, self.list].flatten()",
        "self.list.map(y, y)",
        "self.text + self.text",
    ] {
        let source = format!("self.list.map(x, {body}).size() > 0");
        let error = run(&types, &object, &source).expect_err(body);
        assert_eq!(error, EvalError::CostLimit.to_string(), "{body}");
    }
}

/// A server before 1.37 does not convert the elements of concatenated lists, so that results share
/// the lists.
#[test]
fn sums_share_lists_before_kubernetes_1_37() {
    let version = KubeVersion::from_minor(36).expect("a known version");
    let (types, object) = (types().with_server_version(version), object());
    for source in [
        "self.list.slice(0, 4000).map(x, self.list + self.list).all(l, l.size() == 200000)",
        "self.list.slice(0, 4000).map(x, self.list + [x]).exists(l, l[100000] == 3999)",
        "self.list.slice(0, 4000).all(x, (self.list + self.list + [x])[200000] == x)",
    ] {
        assert_eq!(run(&types, &object, source), Ok(()), "{source}");
        let types = types.clone().with_server_version(KubeVersion::LATEST);
        let error = run(&types, &object, source).expect_err(source);
        assert_eq!(error, EvalError::CostLimit.to_string(), "{source}");
    }
}

/// Patterns that become large when compiled.
const LARGE_PATTERNS: [&str; 4] = [
    "[^a]{1000}",
    "(a|b|c|[^x]){1000}",
    r"(?i)[k-s]{1000}",
    r"\pL{100}",
];

#[test]
fn patterns_of_an_object_share_a_limit() {
    let types = types();
    for pattern in LARGE_PATTERNS {
        let patterns = |count: usize| {
            let patterns = (0..count).map(|number| format!("{pattern}{number}"));
            json!({"set": patterns.collect::<Vec<_>>()})
        };
        let rule = "self.set.all(p, 'text'.matches(p) || true)";
        assert_eq!(run(&types, &patterns(1), rule), Ok(()), "{pattern}");
        let error = run(&types, &patterns(200), rule).expect_err(pattern);
        assert_eq!(error, EvalError::CostLimit.to_string(), "{pattern}");
    }
}

#[test]
fn many_small_patterns_of_an_object_are_limited() {
    let types = types();
    let rule = "self.set.all(p, 'text'.matches(p) || true)";
    let patterns_of = |count: usize| {
        let patterns = (0..count).map(|number| format!("^[a-z]{{1,9}}{number:040}$"));
        json!({"set": patterns.collect::<Vec<_>>()})
    };
    assert_eq!(run(&types, &patterns_of(1_000), rule), Ok(()));
    let error = run(&types, &patterns_of(10_000), rule).expect_err("too many");
    assert_eq!(error, EvalError::CostLimit.to_string());
}

/// Expressions that cost little on a server are fully evaluated for objects of any size.
#[test]
fn cheap_expressions_on_large_objects_are_evaluated() {
    let (types, object) = (types(), object());
    for source in [
        "self.list.indexOf(99999) == 99999",
        "self.list.lastIndexOf(0) == 0",
        "self.text.indexOf('x') == -1",
        "self.text.lastIndexOf('x') == -1",
        "sets.contains(self.list, [99999, 5])",
        "sets.intersects([99999], self.list)",
        "!sets.equivalent(self.list, [5])",
        "sets.contains(self.set, self.set.slice(0, 40))",
        "self.list.slice(0, 700).distinct().size() == 700",
        "self.list.slice(0, 20000).all(x, self.list.first() == optional.of(0))",
        "self.set.all(x, x in ['0', '1'] || x.size() > 0)",
        "(self.list + self.list).size() == 200000",
        "self.set.exists(x, x == '19999')",
    ] {
        assert_eq!(run(&types, &object, source), Ok(()), "{source}");
    }
}

#[test]
fn a_pattern_counts_once() {
    let (types, object) = (types(), json!({"set": ["[^a]{1000}"]}));
    for pattern in ["self.set[0]", "'[^a]{1000}'"] {
        let source = format!("lists.range(5000).all(n, !'text'.matches({pattern}))");
        assert_eq!(run(&types, &object, &source), Ok(()), "{pattern}");
    }
}

#[test]
fn patterns_of_an_expression_share_a_limit() {
    let (types, object) = (types(), json!({}));
    for pattern in LARGE_PATTERNS {
        let source = |count: usize| {
            let calls = (0..count).map(|number| format!("'text'.matches(r'{pattern}{number}')"));
            calls.collect::<Vec<_>>().join(" || ")
        };
        assert_eq!(run(&types, &object, &source(2)), Ok(()), "{pattern}");
        let error = run(&types, &object, &source(200)).expect_err(pattern);
        assert!(error.contains("invalid matches argument"), "{error}");
    }
    for function in ["find", "findAll"] {
        let calls = (0..200).map(|number| format!("'text'.{function}('[^a]{{1000}}{number}')"));
        let source = format!("[{}].size() > 0", calls.collect::<Vec<_>>().join(", "));
        let error = run(&types, &object, &source).expect_err(function);
        assert!(error.contains("expression too large"), "{error}");
    }
}

#[test]
fn large_patterns_are_rejected_before_compilation() {
    let (types, object) = (types(), json!({}));
    let allocations = measure(|| {
        let error = run(&types, &object, r"'text'.matches(r'\pL{1000}')");
        assert!(error.is_err_and(|error| error.contains("invalid matches argument")));
    });
    assert!(
        allocations.bytes_max < 1 << 20,
        "{} bytes",
        allocations.bytes_max
    );
}

#[test]
fn lists_that_double_are_limited() {
    let (types, object) = (types(), object());
    let doubled = |start: &str, levels: usize| {
        let mut source = start.to_owned();
        for _ in 0..levels {
            source = format!("[{source}].map(x, x + x)[0]");
        }
        source
    };
    for start in [
        "[1, 2]",
        "self.list",
        "self.objects",
        "self.set",
        "'ab'",
        "b'ab'",
    ] {
        let source = doubled(start, 30);
        let error = run(&types, &object, &source);
        // The sum of a set and the same set is not larger.
        if start != "self.set" {
            let error = error.expect_err(start);
            assert_eq!(error, EvalError::CostLimit.to_string(), "{start}");
        }
    }
}

#[test]
fn work_that_costs_little_is_limited() {
    let (types, object) = (types(), object());
    for body in [
        "[self.list] == [self.list]",
        "self.objects in [self.objects]",
        "self.text.size() > i",
        "(self.list.map(x, x) + self.list).size() > i",
        "(self.set + ['x']).size() > i",
        "[self.objects].indexOf(self.objects) == i",
        "'x'.replace('', self.text).size() > i",
        "'%s%s'.format([self.text, self.text]) == ''",
        "[1, 2].isSorted() && self.list.isSorted()",
        "[self.objects, self.objects].distinct().size() == i",
    ] {
        let source = format!("lists.range(40000).all(i, {body} || true)");
        let error = run(&types, &object, &source).expect_err(body);
        assert_eq!(error, EvalError::CostLimit.to_string(), "{body}");
    }
}

#[test]
fn constants_that_cost_nothing_are_limited() {
    let (types, object) = (types(), json!({}));
    let list = format!("[{}1]", "1,".repeat(20_000));
    let map: Vec<String> = (0..8_000).map(|n| format!("{n}:{n}")).collect();
    let terms = "true && ".repeat(10_000);
    for body in [
        format!("{list}.size() > i"),
        format!("{{{}}}.size() > i", map.join(",")),
        format!("{terms}true"),
    ] {
        let source = format!("lists.range(40000).all(i, {body} || true)");
        let Err(error) = run(&types, &object, &source) else {
            panic!("it runs to its end: {}", &source[..60]);
        };
        assert_eq!(error, EvalError::CostLimit.to_string());
    }
}

#[test]
fn results_stay_within_the_memory_limit() {
    let (types, object) = (types(), object());
    for source in [
        "self.text.split('')",
        "self.text.findAll('')",
        "self.text.findAll('é')",
        "lists.range(999000).map(i, i)",
        "lists.range(9223372036854775807)",
        "[lists.range(90000), lists.range(90000)].map(l, l + l)",
        "self.text.replace('é', 'éééééééééééééééééééé')",
        "self.text.replace('', self.text)",
        "self.set + self.set",
        "self.list + self.list",
        "lists.range(3000).transformMap(i, v, v)",
        "lists.range(80000).transformMap(i, v, v)",
        "lists.range(700).sort().reverse().distinct()",
        "self.text.matches('(((((a*)*)*)*)*)*b')",
        "self.text.find('(é+)+$')",
        "quantity('1e2147483647')",
        "quantity(self.text)",
        "url(self.text)",
        "'%.2147483647f'.format([1.0])",
        "timestamp(self.text)",
        "duration(self.text)",
    ] {
        let _ = run(&types, &object, source);
    }
}

/// Each call that inserts an entry copies the map, so the work is quadratic.
#[test]
fn the_work_of_insertions_is_limited() {
    let (types, object) = (types(), json!({}));
    let insert = |count: u32| {
        let source = format!("lists.range({count}).transformMap(i, v, v).size() == {count}");
        run(&types, &object, &source)
    };
    assert_eq!(insert(1_000), Ok(()));
    assert_eq!(insert(3_000), Err(EvalError::CostLimit.to_string()));
}

/// A concatenation of two empty lists does not keep both. Otherwise, the number of kept lists would
/// double without limit, because the sizes stay 0.
#[test]
fn empty_lists_that_double_stay_small() {
    let (types, object) = (types(), json!({"list": []}));
    let mut source = "self.list".to_owned();
    for _ in 0..40 {
        source = format!("[{source}].map(x, x + x)[0]");
    }
    assert_eq!(
        run(&types, &object, &format!("{source} == self.list")),
        Ok(())
    );
}

/// The limit counts code points, as a server does, and not bytes.
#[test]
fn the_length_of_an_expression_is_counted_in_code_points() {
    let compile = |length: usize| {
        let expression = format!("'{}' == ''", "é".repeat(length - "'' == ''".len()));
        k8s_cel::syntax::parse(&expression, KubeVersion::LATEST)
    };
    assert!(compile(100_000).is_ok());
    let error = compile(100_001).unwrap_err().to_string();
    let expected = "expression code point size exceeds limit: size: 100001, limit 100000";
    assert!(error.contains(expected), "{error}");
}

/// Calls of functions that visit the values inside `X`.
const VISITING_CALLS: &[&str] = &[
    "X == X",
    "X != []",
    "X in [X]",
    "X.distinct() == X",
    "sets.contains(X, X)",
    "sets.equivalent(X, X)",
    "sets.intersects(X, X)",
    "X.indexOf(1) == 1",
    "X.lastIndexOf(1) == 1",
    "dyn(X) == 'a'",
    "X.sort() == X",
    "X.reverse() == X",
    "X.flatten() == X",
    "X.flatten(30) == X",
    "X.slice(0, 1) == X",
    "dyn(X).sum() == 1",
    "dyn(X).min() == 1",
    "dyn(X).max() == 1",
    "dyn(X).isSorted()",
    "dyn(X).join() == ''",
    "'%s'.format([X]) == ''",
    "string(dyn(X)) == ''",
    "{1: X} == {1: X}",
    "type(X) == list",
    "optional.of(X) == optional.of(X)",
    "X.all(x, x == X[0])",
    "X[0] == X[0]",
    "X.size() == 1",
    "X",
];

/// Each step doubles the number of values, which share the values inside.
#[test]
fn values_that_share_their_parts_are_not_visited_to_the_end() {
    let types = types();
    let object = json!({"list": [1], "set": ["a"], "objects": [{"a": 1}]});
    let lists = [
        "[1]",
        "[[]]",
        "['']",
        "[[]] + [[]]",
        "self.list",
        "self.objects",
        "[self.list + []]",
        "[optional.of(1)]",
        "[b'']",
    ];
    let steps = [
        "[x, x]",
        "[x] + [x]",
        "{1: x, 2: x}",
        "[optional.of(x), optional.of(x)]",
    ];
    let value = |list: &str, step: &str| format!("{list}{}", format!(".map(x, {step})").repeat(40));
    // Many expressions have no overload or another type.
    let run = |call: &str, value: &str| {
        let _ = run(&types, &object, &call.replace('X', &format!("({value})")));
    };
    for call in VISITING_CALLS {
        run(call, &value(lists[0], steps[0]));
    }
    for list in lists {
        for step in steps {
            for call in ["X == X", "X.indexOf(1) == 1", "'%s'.format([X]) == ''"] {
                run(call, &value(list, step));
            }
        }
    }
}

#[test]
fn a_value_that_is_too_large_has_no_json_form() {
    let types = types();
    let object = json!({"list": [1], "text": "a".repeat(1 << 20), "set": ["a"], "objects": []});
    let to_json = |source: &str| {
        let environment = Environment::new(&types, ROOT);
        let program = environment.compile(source).expect(source);
        let self_binding = Binding::new(&types, &object, ROOT);
        let evaluation = Evaluator::new(&types).run(&program, &self_binding, None, PER_CALL_LIMIT);
        evaluation.result.expect(source).to_json()
    };
    let doubled = |start: &str, count| format!("{start}{}", ".map(x, [x, x])".repeat(count));
    assert!(to_json(&doubled("[1]", 2)).is_some());
    for source in [
        doubled("[1]", 40),
        doubled("self.list", 40),
        doubled("[self.text]", 8),
        doubled("[{self.text: 1}]", 8),
    ] {
        assert_eq!(to_json(&source), None, "{source}");
    }
    assert!(to_json(&doubled("[1]", 15)).is_some());
}
