//! Tests of expressions without a CRD: checking and evaluation.

mod support;

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, CompileError, DeclaredType, Environment, EvalResult, Evaluator};
use serde_json::{Value, json};
use support::{ROOT, object, types};

#[test]
fn results_have_json_if_json_has_such_values() {
    let (types, object) = (types(), object());
    for (source, type_name, expected) in [
        ("self.n + 1", "int", Some(json!(8))),
        ("self.text + 'd'", "string", Some(json!("abcd"))),
        ("self.texts", "list", Some(json!(["a", "b"]))),
        (
            "self.texts.map(t, t + t)",
            "list",
            Some(json!(["aa", "bb"])),
        ),
        ("self.map", "map", Some(json!({"x": 1.5}))),
        (
            "{'a': dyn(self.n), 'b': dyn(null)}",
            "map",
            Some(json!({"a": 7, "b": null})),
        ),
        ("self", "map", Some(object.clone())),
        ("self.bytes", "bytes", Some(json!("+/8="))),
        (
            "self.day",
            "google.protobuf.Timestamp",
            Some(json!("2024-02-29T00:00:00Z")),
        ),
        (
            "self.lasts",
            "google.protobuf.Duration",
            Some(json!("180s")),
        ),
        ("self.either", "string", Some(json!("50%"))),
        ("1u", "uint", Some(json!(1))),
        ("1.0 / 0.0", "double", None),
        ("{1: 2}", "map", None),
        ("optional.of(1)", "optional_type", None),
        ("quantity('1k')", "kubernetes.Quantity", None),
        ("type(1)", "type", None),
        ("[quantity('1k')]", "list", None),
    ] {
        let program = Environment::new(&types, ROOT)
            .compile(source)
            .expect(source);
        let self_binding = Binding::new(&types, &object, ROOT);
        let EvalResult { result, cost, .. } =
            Evaluator::new(&types).run(&program, &self_binding, None, PER_CALL_LIMIT);
        let value = result.expect(source);
        assert_eq!(
            (value.type_name(), value.to_json()),
            (type_name, expected),
            "{source}"
        );
        assert!(
            cost <= program.max_cost(),
            "{source}: {cost} of {}",
            program.max_cost()
        );
    }
}

#[test]
fn old_self_is_a_value_or_none() {
    let types = DeclaredType::int().build().expect("types");
    let (old, new) = (json!(1), json!(2));
    let bind = |value| Binding::new(&types, value, ROOT);
    let mut evaluator = Evaluator::new(&types);

    let program = Environment::new(&types, ROOT)
        .compile("self > oldSelf")
        .expect("a program");
    assert!(program.uses_old_self());
    let update = evaluator.run(&program, &bind(&new), Some(&bind(&old)), PER_CALL_LIMIT);
    assert_eq!(update.result.expect("a value").as_bool(), Some(true));
    let create = evaluator.run(&program, &bind(&new), None, PER_CALL_LIMIT);
    let error = create.result.expect_err("`oldSelf` is missing");
    assert_eq!(error.to_string(), "no such attribute(s): oldSelf");

    let environment = Environment::new(&types, ROOT).optional_old_self(true);
    let program = environment
        .compile("self > oldSelf.orValue(5)")
        .expect("a program");
    for (old_value, expected) in [(bind(&old).into_optional(), true), (Binding::none(), false)] {
        let evaluation = evaluator.run(&program, &bind(&new), Some(&old_value), PER_CALL_LIMIT);
        assert_eq!(
            evaluation.result.expect("a value").as_bool(),
            Some(expected)
        );
    }
}

#[test]
fn durations_are_parsed_like_on_a_server() {
    let types = types();
    let evaluate = |string: &str| {
        let object = json!({ "lasts": string });
        let program = Environment::new(&types, ROOT)
            .compile("self.lasts")
            .expect("a program");
        let self_binding = Binding::new(&types, &object, ROOT);
        let evaluation = Evaluator::new(&types).run(&program, &self_binding, None, PER_CALL_LIMIT);
        evaluation
            .result
            .map(|value| value.to_json())
            .map_err(|error| error.to_string())
    };
    for (string, expected) in [
        ("1h30m", "5400s"),
        ("3 minutes 4 HOURS", "14580s"),
        ("P1D", "86400s"),
        ("0.3333333333333333333h", "1200s"),
    ] {
        assert_eq!(evaluate(string), Ok(Some(json!(expected))), "{string}");
    }
    assert_eq!(
        evaluate("soon").err().as_deref(),
        Some("Invalid duration soon: unable to parse soon as duration")
    );
}

#[test]
fn compilation_errors_match_the_server() {
    let types = types();
    let compile = |source: &str| Environment::new(&types, ROOT).compile(source).map(|_| ());
    let message = compile("self.x")
        .expect_err("`x` is not declared")
        .to_string();
    assert_eq!(
        message,
        "compilation failed: ERROR: <input>:1:5: undefined field 'x'\n | self.x\n | ....^"
    );
    assert!(matches!(
        compile("int('x') == 1"),
        Err(CompileError::Instantiation { .. })
    ));
}

/// Expressions that are deeper or longer than any stack can hold.
#[test]
fn deep_and_long_expressions_do_not_overflow_the_stack() {
    let types = types();
    let environment = Environment::new(&types, ROOT);
    for (start, middle, end) in [
        ("(", "(", ")"),
        ("[", "[", "]"),
        ("", "!", "true"),
        ("", "-", "1"),
        ("self", ".a", ""),
        ("self", "[0]", ""),
        ("1", " + 1", ""),
        ("true", " && true", ""),
        ("true", " ? true : false", ""),
        ("self", ".all(x, x", ")"),
        ("{", "{1: ", "}"),
        ("'", "\\u00e9", "'"),
        ("has(", "has(", ")"),
        ("\u{1f600}", "\"", "//"),
    ] {
        for count in [1, 60, 300, 10_000, 100_000] {
            let source = [start, &middle.repeat(count), &end.repeat(count)].concat();
            if let Err(error) = environment.compile(&source) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

#[test]
fn deep_values_do_not_overflow_the_stack() {
    let types = DeclaredType::object([("known", DeclaredType::list(DeclaredType::int()))]);
    let types = types.build().expect("types");
    let mut deep = json!(1);
    for _ in 0..100_000 {
        deep = Value::Array(vec![deep]);
    }
    let mut object = json!({ "known": [1] });
    object["unknown"] = deep;
    for source in [
        "self == self",
        "self == oldSelf.value()",
        "[self] == [oldSelf.value()]",
        "self",
    ] {
        let environment = Environment::new(&types, ROOT).optional_old_self(true);
        let program = environment.compile(source).expect(source);
        let self_binding = Binding::new(&types, &object, ROOT);
        let old = self_binding.clone().into_optional();
        let evaluation =
            Evaluator::new(&types).run(&program, &self_binding, Some(&old), PER_CALL_LIMIT);
        if let Ok(value) = evaluation.result {
            assert!(source != "self" || value.to_json().is_none());
        }
    }
    // Dropping a deep value would overflow the stack, so the test takes the value apart.
    let mut pending = vec![object];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(values) => pending.extend(values),
            Value::Object(values) => pending.extend(values.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}
