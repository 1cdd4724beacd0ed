//! Tests of the costs of expressions: the estimate before an evaluation, and the count during it.

mod support;

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, DeclaredType, DeclaredTypes, Environment, EvalError, Evaluator};
use serde_json::json;
use support::{ROOT, object, types};

#[test]
fn bounds_make_expressions_cheaper() {
    let cost = |ty: DeclaredType| {
        let types = ty.build().expect("types");
        let program = Environment::new(&types, ROOT).compile("self.all(t, t.contains('needle'))");
        program
            .map(|program| program.max_cost())
            .expect("a program")
    };
    let list = DeclaredType::list;
    let unbounded = cost(list(DeclaredType::string()));
    let few = cost(list(DeclaredType::string()).max_size(10));
    let short = cost(list(DeclaredType::string().max_size(10)).max_size(10));
    assert!(unbounded > few && few > short, "{unbounded} {few} {short}");
    let types = list(DeclaredType::string()).build().expect("types");
    let bounded = types.with_bounds([ROOT], 10);
    assert_eq!(
        (types.get(ROOT).max_elements, bounded.get(ROOT).max_elements),
        ((3 * 1024 * 1024 - 2) / 3, 10)
    );
    let cost = |types: &DeclaredTypes| {
        let program = Environment::new(types, ROOT).compile("self.all(t, t == 'needle')");
        program.expect("a program").max_cost()
    };
    let capped = types.with_estimate_bounds([ROOT], 10);
    assert_eq!(capped.get(ROOT).max_elements, types.get(ROOT).max_elements);
    assert_eq!(cost(&capped), cost(&bounded));
    assert!(cost(&capped) < cost(&types));
}

#[test]
fn runs_over_the_cost_limit_are_stopped() {
    let (types, object) = (types(), object());
    let program = Environment::new(&types, ROOT).compile("self.texts.all(t, t != 'c')");
    let program = program.expect("a program");
    let self_binding = Binding::new(&types, &object, ROOT);
    let mut evaluator = Evaluator::new(&types);
    let unlimited = evaluator.run(&program, &self_binding, None, PER_CALL_LIMIT);
    assert_eq!(unlimited.result.expect("a value").as_bool(), Some(true));
    let exactly_enough = evaluator.run(&program, &self_binding, None, unlimited.cost);
    assert_eq!(exactly_enough.cost, unlimited.cost);
    assert!(exactly_enough.result.is_ok());
    let limited = evaluator.run(&program, &self_binding, None, unlimited.cost - 1);
    assert_eq!(limited.result.err(), Some(EvalError::CostLimit));
}

#[test]
fn optimized_expressions_cost_as_much_as_their_steps() {
    let inner = DeclaredType::object([("text", DeclaredType::string())]);
    let types = DeclaredType::object([
        ("texts", DeclaredType::list(DeclaredType::string())),
        ("inner", DeclaredType::object([("inner", inner)])),
    ]);
    let types = types.build().expect("types");
    let object = json!({ "texts": ["a", "b", "c"], "inner": { "inner": { "text": "abc" } } });
    for (source, expected, cost) in [
        ("self.inner.inner.text == 'abc'", true, 5),
        ("self.inner.inner.text != 'abc'", false, 5),
        ("has(self.inner.inner.text)", true, 3),
        ("!has(self.inner.inner.text)", false, 4),
        ("self.inner.inner.text in ['x', 'abc', 'y']", true, 4),
        ("self.texts.all(t, t != '')", true, 15),
        ("self.texts.all(t, t == 'a')", false, 15),
        ("self.texts.exists(t, t == 'a')", true, 12),
        ("self.texts.exists(t, t == 'x')", false, 21),
        ("self.texts.exists_one(t, t == 'b')", true, 12),
    ] {
        let program = Environment::new(&types, ROOT).compile(source);
        let program = program.expect(source);
        let self_binding = Binding::new(&types, &object, ROOT);
        let run = |limit| Evaluator::new(&types).run(&program, &self_binding, None, limit);
        let unlimited = run(PER_CALL_LIMIT);
        let value = unlimited.result.expect(source).as_bool();
        assert_eq!((value, unlimited.cost), (Some(expected), cost), "{source}");
        // A list of constants is free, but the limit must leave 10 to create the list.
        let list_cost = if source.contains(" in ") { 10 } else { 0 };
        for limit in 0..cost + list_cost + 2 {
            let is_stopped = matches!(run(limit).result, Err(EvalError::CostLimit));
            assert_eq!(is_stopped, limit < cost + list_cost, "{source}: {limit}");
        }
    }
}

/// The server multiplies the sizes of lists as floats, which rounds sizes above 2^53.
#[test]
fn the_cost_of_in_is_computed_with_floats() {
    let types = types();
    let split = "'x' in 'a,b'.split(',', 9223372036854775807)";
    let program = Environment::new(&types, ROOT).compile(split);
    assert_eq!(
        program.expect("a program").max_cost(),
        9_223_372_036_854_775_809
    );
}

/// The server's estimate does not treat a value without a type as a map.
#[test]
fn a_field_of_an_untyped_value_is_free() {
    let types = types();
    let cost = |source: &str| {
        let program = Environment::new(&types, ROOT).compile(source);
        program.expect("a program").max_cost()
    };
    assert_eq!(cost("[][0].field"), cost("[][0]"));
    assert_eq!(
        cost("{'a': {'b': 1}}['a'].b"),
        cost("{'a': {'b': 1}}['a']") + 1
    );
}

/// A server never runs such a call, because the list costs more than an expression may cost.
#[test]
fn the_longest_range_has_a_million_elements() {
    let types = types();
    let object = object();
    let run = |source: &str| {
        let program = Environment::new(&types, ROOT).compile(source);
        let program = program.expect("a program");
        let self_binding = Binding::new(&types, &object, ROOT);
        let result = Evaluator::new(&types).run(&program, &self_binding, None, u64::MAX);
        result.result.map(|value| value.as_bool())
    };
    assert_eq!(
        run("lists.range(1000000).size() == 1000000"),
        Ok(Some(true))
    );
    assert!(run("lists.range(1000001).size() == 1000001").is_err());
}
