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
    let priced = types.with_estimate_bounds([ROOT], 10);
    assert_eq!(priced.get(ROOT).max_elements, types.get(ROOT).max_elements);
    assert_eq!(cost(&priced), cost(&bounded));
    assert!(cost(&priced) < cost(&types));
}

#[test]
fn runs_are_stopped_where_they_cost_too_much() {
    let (types, object) = (types(), object());
    let program = Environment::new(&types, ROOT).compile("self.texts.all(t, t != 'c')");
    let program = program.expect("a program");
    let this = Binding::new(&types, &object, ROOT);
    let mut evaluator = Evaluator::new(&types);
    let whole = evaluator.run(&program, &this, None, PER_CALL_LIMIT);
    assert_eq!(whole.result.expect("an answer").as_bool(), Some(true));
    let enough = evaluator.run(&program, &this, None, whole.cost);
    assert_eq!(enough.cost, whole.cost);
    assert!(enough.result.is_ok());
    let stopped = evaluator.run(&program, &this, None, whole.cost - 1);
    assert_eq!(stopped.result.err(), Some(EvalError::CostLimit));
}

#[test]
fn what_is_evaluated_in_place_costs_what_its_steps_cost() {
    let inner = DeclaredType::object([("text", DeclaredType::string())]);
    let types = DeclaredType::object([
        ("texts", DeclaredType::list(DeclaredType::string())),
        ("inner", DeclaredType::object([("inner", inner)])),
    ]);
    let types = types.build().expect("types");
    let object = json!({ "texts": ["a", "b", "c"], "inner": { "inner": { "text": "abc" } } });
    for (source, wanted, cost) in [
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
        let this = Binding::new(&types, &object, ROOT);
        let run = |limit| Evaluator::new(&types).run(&program, &this, None, limit);
        let whole = run(PER_CALL_LIMIT);
        let answer = whole.result.expect(source).as_bool();
        assert_eq!((answer, whole.cost), (Some(wanted), cost), "{source}");
        // A list of constants is free, but there has to be room to make one.
        let room = if source.contains(" in ") { 10 } else { 0 };
        for limit in 0..cost + room + 2 {
            let is_stopped = matches!(run(limit).result, Err(EvalError::CostLimit));
            assert_eq!(is_stopped, limit < cost + room, "{source}: {limit}");
        }
    }
}

/// The server multiplies sizes of lists as floats, which rounds what is beyond 2^53.
#[test]
fn looking_for_an_element_is_priced_with_floats() {
    let types = types();
    let split = "'x' in 'a,b'.split(',', 9223372036854775807)";
    let program = Environment::new(&types, ROOT).compile(split);
    assert_eq!(
        program.expect("a program").max_cost(),
        9_223_372_036_854_775_809
    );
}

/// To the server's estimate, what nothing says the type of is not a map.
#[test]
fn a_field_of_what_has_no_type_is_free() {
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
