//! Expressions from outside of any CRD: checked and evaluated.

mod support;

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, CompileError, DeclaredType, Environment, EvalResult, Evaluator};
use serde_json::{Value, json};
use support::{ROOT, object, types};

#[test]
fn answers_are_json_where_there_is_some() {
    let (types, object) = (types(), object());
    for (source, type_name, wanted) in [
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
        let this = Binding::new(&types, &object, ROOT);
        let EvalResult { result, cost, .. } =
            Evaluator::new(&types).run(&program, &this, None, PER_CALL_LIMIT);
        let answer = result.expect(source);
        assert_eq!(
            (answer.type_name(), answer.to_json()),
            (type_name, wanted),
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
fn what_was_before_is_another_value_or_none() {
    let types = DeclaredType::int().build().expect("types");
    let (old, new) = (json!(1), json!(2));
    let operand = |value| Binding::new(&types, value, ROOT);
    let mut evaluator = Evaluator::new(&types);

    let program = Environment::new(&types, ROOT)
        .compile("self > oldSelf")
        .expect("a program");
    assert!(program.uses_old_self());
    let update = evaluator.run(
        &program,
        &operand(&new),
        Some(&operand(&old)),
        PER_CALL_LIMIT,
    );
    assert_eq!(update.result.expect("an answer").as_bool(), Some(true));
    let create = evaluator.run(&program, &operand(&new), None, PER_CALL_LIMIT);
    let error = create.result.expect_err("there is no old one");
    assert_eq!(error.to_string(), "no such attribute(s): oldSelf");

    let environment = Environment::new(&types, ROOT).optional_old_self(true);
    let program = environment
        .compile("self > oldSelf.orValue(5)")
        .expect("a program");
    for (before, wanted) in [
        (operand(&old).into_optional(), true),
        (Binding::none(), false),
    ] {
        let evaluation = evaluator.run(&program, &operand(&new), Some(&before), PER_CALL_LIMIT);
        assert_eq!(
            evaluation.result.expect("an answer").as_bool(),
            Some(wanted)
        );
    }
}

#[test]
fn durations_are_read_as_a_server_reads_them() {
    let types = types();
    let read = |text: &str| {
        let object = json!({ "lasts": text });
        let program = Environment::new(&types, ROOT)
            .compile("self.lasts")
            .expect("a program");
        let this = Binding::new(&types, &object, ROOT);
        let evaluation = Evaluator::new(&types).run(&program, &this, None, PER_CALL_LIMIT);
        evaluation
            .result
            .map(|answer| answer.to_json())
            .map_err(|fault| fault.to_string())
    };
    for (text, wanted) in [
        ("1h30m", "5400s"),
        ("3 minutes 4 HOURS", "14580s"),
        ("P1D", "86400s"),
        ("0.3333333333333333333h", "1200s"),
    ] {
        assert_eq!(read(text), Ok(Some(json!(wanted))), "{text}");
    }
    assert_eq!(
        read("soon").err().as_deref(),
        Some("Invalid duration soon: unable to parse soon as duration")
    );
}

#[test]
fn refusals_are_a_server_s_words() {
    let types = types();
    let compile = |source: &str| Environment::new(&types, ROOT).compile(source).map(|_| ());
    let text = compile("self.x").expect_err("there is no x").to_string();
    assert_eq!(
        text,
        "compilation failed: ERROR: <input>:1:5: undefined field 'x'\n | self.x\n | ....^"
    );
    assert!(matches!(
        compile("int('x') == 1"),
        Err(CompileError::Instantiation { .. })
    ));
}

/// Expressions that are deeper or longer than any stack.
#[test]
fn any_expression_is_compiled_or_refused() {
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
            if let Err(refused) = environment.compile(&source) {
                assert!(!refused.to_string().is_empty());
            }
        }
    }
}

#[test]
fn values_deeper_than_the_stack_are_answered() {
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
        let this = Binding::new(&types, &object, ROOT);
        let old = this.clone().into_optional();
        let evaluation = Evaluator::new(&types).run(&program, &this, Some(&old), PER_CALL_LIMIT);
        if let Ok(answer) = evaluation.result {
            assert!(source != "self" || answer.to_json().is_none());
        }
    }
    // Dropping it would take the stack, too.
    let mut waiting = vec![object];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(values) => waiting.extend(values),
            Value::Object(values) => waiting.extend(values.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}
