//! Our answers to the questions of `tests/reference/recorded`. With the option `-merge`, libFuzzer
//! chooses the smallest set of questions that reaches everything that all questions reach.
#![no_main]

#[path = "../../reference/expression_cases/declared.rs"]
mod declared;
#[path = "../../../crates/k8s-strategic-merge-patch/tests/replay.rs"]
mod patches;
#[path = "../../../crates/k8s-cel/tests/support/replay.rs"]
mod replay;
#[path = "../../../crates/k8s-crd-validation/tests/requests/replay.rs"]
mod requests;
#[path = "../../reference/recorded/whole_numbers.rs"]
mod whole_numbers;

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use replay::Replay;
use serde_json::Value;

thread_local! {
    static EXPRESSIONS: RefCell<Replay> = RefCell::default();
}

fuzz_target!(|data: &[u8]| {
    let Ok(case) = serde_json::from_slice::<Value>(data) else {
        return;
    };
    let (definition, question) = (&case["use"], &case["question"]);
    let answer = if question["expression"].is_string() {
        EXPRESSIONS.with_borrow_mut(|expressions| expressions.answer(definition, question))
    } else if question["only"].is_string() {
        patches::answer(definition, question)
    } else {
        requests::answer(definition, question)
    };
    assert!(answer.is_object(), "{answer}");
});
