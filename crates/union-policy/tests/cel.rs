//! An evaluator of the CEL expressions of policies.

use k8s_cel::{Binding, DeclaredType, DeclaredTypes, Environment, Evaluator};
use serde_json::{Value, json};

/// Returns the results of an expression of a policy for pairs of a new object and an old object,
/// which is null on a create.
pub(crate) fn run(expression: &str, pairs: &[(Value, Value)]) -> Vec<Value> {
    let types = DeclaredType::object([("n", DeclaredType::int())]);
    let types = types.build().expect("types");
    let environment = Environment::new(&types, DeclaredTypes::ROOT);
    let mut results = Vec::new();
    // An expression has at most 100,000 characters.
    let length = 90_000_usize.saturating_sub(expression.len());
    let max_pair_length = pairs
        .iter()
        .map(|(new, old)| literal(new).len() + literal(old).len() + 6)
        .max();
    for pairs in pairs.chunks((length / max_pair_length.unwrap_or(1)).clamp(1, 64)) {
        let pairs = pairs
            .iter()
            .map(|(new, old)| format!("[{}, {}]", literal(new), literal(old)));
        let pairs: Vec<String> = pairs.collect();
        let source = format!(
            "[{}].map(p, [p[0]].map(object, [p[1]].map(oldObject, {expression})[0])[0])",
            pairs.join(", ")
        );
        let program = environment.compile(&source);
        let program = program.unwrap_or_else(|error| panic!("{error}\n{expression}"));
        let object = json!({});
        let self_binding = Binding::new(&types, &object, DeclaredTypes::ROOT);
        let evaluation = Evaluator::new(&types).run(&program, &self_binding, None, u64::MAX);
        let value = evaluation
            .result
            .unwrap_or_else(|error| panic!("{error}\n{source}"));
        let value: Value = serde_json::from_str(&value.to_typed_string(&types))
            .expect("lists of strings are JSON");
        results.extend(value.as_array().expect("a list").iter().cloned());
    }
    results
}

/// Returns the CEL expression of a value, with the type `dyn` as the objects of a policy have.
fn literal(value: &Value) -> String {
    let expression = match value {
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(literal).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| format!("{}: {}", json!(name), literal(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    };
    format!("dyn({expression})")
}
