//! Tests that compare expressions with a real API server: errors of the compiler, costs and
//! results.

use k8s_cel::cost::{PER_CALL_LIMIT, RUNTIME_COST_BUDGET};
use k8s_cel::{Binding, Evaluator, KubeVersion};
use serde_json::{Value, json};

use crate::decode::ratchet::OldObject;
use crate::rules::walk::RuleEvaluator;
use crate::schema::StructuralSchema;
use crate::schema::allowed_functions::AllowedFunctions;
use crate::schema::structural::compiled_rules::{CompiledMessage, CompiledRules};

/// The answer of a server to a rule and an object.
#[derive(Debug, PartialEq)]
enum Answer {
    /// An error of the compiler.
    CompileError(String),
    Evaluation {
        max_cost: u64,
        cost: u64,
        errors: Vec<String>,
    },
}

/// Returns the evaluator of all rules of a schema, for a create.
fn evaluator<'v>(
    schema: &'v StructuralSchema,
    compiled_rules: &'v CompiledRules,
) -> RuleEvaluator<'v> {
    RuleEvaluator {
        schema,
        compiled_rules,
        start: StructuralSchema::ROOT,
        ratchets: false,
        is_deep: false,
        version: KubeVersion::LATEST,
        explains: false,
    }
}

/// Compiles and evaluates a rule. The rule is in a field, unless it is a rule of a resource,
/// because a root always has metadata.
fn run_case(case: &Value, schema: &Value, self_value: &Value) -> Answer {
    let mut schema = schema.clone();
    let mut rule = json!({"rule": case["rule"]});
    if case["optional"] == true {
        rule["optionalOldSelf"] = json!(true);
    }
    schema["x-kubernetes-validations"] = json!([rule]);
    let is_root = case["root"] == true;
    let wrap = |value: &Value| {
        if is_root {
            value.clone()
        } else {
            json!({"v": value})
        }
    };
    let schema = if is_root {
        schema
    } else {
        json!({"type": "object", "properties": {"v": schema}})
    };
    let crd =
        json!({"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": schema}}]}});
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .expect("a schema");
    let node_id = u32::from(!is_root);
    // The answers in the file are the answers of a server of 1.36.
    let version = KubeVersion::from_minor(36).expect("a known version");
    let compiled_rules = CompiledRules::compile(&schema, AllowedFunctions::for_stored(version));
    let compiled = &compiled_rules.node(node_id).rules[0];
    assert!(matches!(compiled.message, CompiledMessage::None));
    if let Err(problem) = &compiled.program {
        return Answer::CompileError(problem.to_string());
    }
    let evaluator = evaluator(&schema, &compiled_rules);
    let new = wrap(self_value);
    let old = case.get("old").map(wrap);
    let (results, remaining_budget) = evaluator.evaluate_within_budget(
        &new,
        old.as_ref().map(|old| -> &dyn OldObject { old }),
        RUNTIME_COST_BUDGET,
    );
    let errors = results.errors.iter().map(|error| {
        let message = error.to_string();
        // In the cases, the rule is a rule of the root, so the paths do not have the field.
        match message.strip_prefix("v: ") {
            Some(message_without_path) => format!("<nil>: {message_without_path}"),
            None => message,
        }
    });
    Answer::Evaluation {
        max_cost: compiled.max_cost,
        // If the evaluation stops, the budget of the server is below zero.
        cost: if results.is_stopped {
            RUNTIME_COST_BUDGET + 1
        } else {
            RUNTIME_COST_BUDGET - remaining_budget
        },
        errors: errors.collect(),
    }
}

fn expected_answer(case: &Value) -> Answer {
    if let Some(error) = case["error"].as_str() {
        // The names of object types differ in every run of the server.
        let type_name = regex::Regex::new(r"selfType[0-9]+(\.[A-Za-z0-9_@]+)*").expect("a regex");
        return Answer::CompileError(type_name.replace_all(error, "object").into_owned());
    }
    let errors = case["errors"].as_array().into_iter().flatten();
    Answer::Evaluation {
        max_cost: case["max_cost"].as_u64().unwrap_or_default(),
        cost: case["cost"].as_u64().unwrap_or_default(),
        errors: errors
            .filter_map(|error| Some(error.as_str()?.to_owned()))
            .collect(),
    }
}

#[test]
fn expressions_have_the_answers_of_an_api_server() {
    // Random runs read another file.
    let file = std::env::var("CEL_CASES");
    let file = file.map(|file| std::fs::read_to_string(file).expect("the file"));
    let is_random = file.is_ok();
    let source = file.unwrap_or_else(|_| include_str!("cases.json").to_owned());
    let cases: Value = serde_json::from_str(&source).expect("the cases");
    let mut differences = Vec::new();
    for case in cases["cases"].as_array().expect("a list") {
        let case_or_default = |key: &str| case.get(key).unwrap_or(&cases[key]).clone();
        let answer = run_case(case, &case_or_default("schema"), &case_or_default("self"));
        let expected_answer = expected_answer(case);
        if case.get("differs").is_some() {
            assert_ne!(
                answer, expected_answer,
                "{}: no difference any more",
                case["rule"]
            );
        } else if is_random
            && is_error(&answer)
            && without_cost(&answer) == without_cost(&expected_answer)
        {
            // The cost of a failed expression may differ slightly.
        } else if answer != expected_answer {
            differences.push(format!(
                "{}\n   found {answer:?}\n  wanted {expected_answer:?}",
                case["rule"]
            ));
        }
    }
    assert!(
        differences.is_empty(),
        "{} differ:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// Returns true if a rule could not be evaluated.
fn is_error(answer: &Answer) -> bool {
    matches!(answer, Answer::Evaluation { errors, .. } if errors.iter().any(|error| error.contains("evaluating rule")))
}

/// Returns the errors of an evaluation.
fn without_cost(answer: &Answer) -> Option<&[String]> {
    match answer {
        Answer::Evaluation { errors, .. } => Some(errors),
        Answer::CompileError(_) => None,
    }
}

/// A call that exceeds its own limit has a cost above the limit. If the budget of the object is
/// smaller than the cost, a server reports only the exhausted budget. In both cases, it evaluates
/// no other rule.
#[test]
fn an_exceeded_limit_stops_the_evaluation_with_one_error() {
    let nested = "self.all(a, self.all(b, self.all(c, a + b + c < 3)))";
    let rules = json!([{ "rule": nested }, {"rule": "false"}]);
    let schema = json!({
        "type": "array", "items": {"type": "integer"}, "x-kubernetes-validations": rules,
    });
    let schema = json!({"type": "object", "properties": {"v": schema}});
    let schema = StructuralSchema::compiler()
        .stored()
        .schema(&schema)
        .expect("a schema");
    let allowed_functions = AllowedFunctions::for_stored(KubeVersion::LATEST);
    let compiled_rules = CompiledRules::compile(&schema, allowed_functions);
    let list = Value::from(vec![0; 200]);
    let program = compiled_rules.node(1).rules[0].program.as_ref();
    let program = program.expect("a valid rule").as_ref().expect("a rule");
    let binding = Binding::new(&compiled_rules.declared_types, &list, 1);
    let cost = Evaluator::new(&compiled_rules.declared_types)
        .run(program, &binding, None, PER_CALL_LIMIT)
        .cost;
    assert!(cost > PER_CALL_LIMIT);
    let object = json!({"v": list});
    let evaluator = evaluator(&schema, &compiled_rules);
    let exhausted = "v: Invalid value: \"array\": validation failed due to running out of cost \
                     budget, no further validation rules will be run";
    let exceeded = format!(
        "v: Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': no further \
         validation rules will be run due to call cost exceeds limit for rule: {nested}"
    );
    for (budget, error) in [
        (0, exhausted),
        (cost - 1, exhausted),
        (cost, &exceeded),
        (cost + 1, &exceeded),
    ] {
        let (results, _) = evaluator.evaluate_within_budget(&object, None, budget);
        let errors: Vec<String> = results.errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors, [error], "{budget}");
        assert!(results.is_stopped);
    }
}
