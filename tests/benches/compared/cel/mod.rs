//! Rows of CEL: `k8s-cel` beside other crates, on rules that both answer as an API server does, and
//! a table of all answers.

mod case;
mod engine;

use std::hint::black_box;
use std::rc::Rc;

use serde_json::{Value, json};

use self::case::{Answer, Case, read_cases};
use self::engine::{CelCrate, Engine, K8sCel, KubeCel};
use crate::row::{PreparedRow, Row, Sizes};

pub(crate) fn rows(_: Sizes) -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(rows_beside::<CelCrate>());
    rows.extend(rows_beside::<KubeCel>());
    rows
}

fn rows_beside<R: Engine>() -> [Row; 4] {
    let row = |name, prepare: fn() -> PreparedRow| Row::new(R::REPORT_PART, name, None, prepare);
    [
        row("compile a rule", prepare_compile::<K8sCel, R>),
        row("compile a rule", prepare_compile::<R, R>).reference(),
        row("evaluate a rule", prepare_evaluate::<K8sCel, R>),
        row("evaluate a rule", prepare_evaluate::<R, R>).reference(),
    ]
}

/// Returns the rules that both `k8s-cel` and `R` answer as a server does.
fn shared_cases<R: Engine>() -> Vec<Case> {
    let (ours, theirs) = (K8sCel::new(), R::new());
    let mut cases = read_cases();
    cases.retain(|case| {
        case.servers_answer != Answer::Refused
            && ours.answer(case) == case.servers_answer
            && theirs.answer(case) == case.servers_answer
    });
    assert!(!cases.is_empty(), "{} answers no rule", R::NAME);
    cases
}

/// Prepares compiling with `E`, on the rules that `R` knows too.
fn prepare_compile<E: Engine, R: Engine>() -> PreparedRow {
    let cases = shared_cases::<R>();
    let engine = Rc::new(E::new());
    let engine_of_overhead = Rc::clone(&engine);
    let work = PreparedRow::new(cases.len(), move |i| {
        drop(black_box(engine.compile(&cases[i % cases.len()])));
    });
    work.with_overhead(move |_| engine_of_overhead.compile_nothing())
}

/// Prepares evaluating with `E`, on the rules that `R` knows too.
fn prepare_evaluate<E: Engine, R: Engine>() -> PreparedRow {
    let engine = E::new();
    let programs: Vec<_> = shared_cases::<R>()
        .into_iter()
        .map(|case| (engine.compile(&case).expect("a valid rule"), case))
        .collect();
    PreparedRow::new(programs.len(), move |i| {
        let (program, case) = &programs[i % programs.len()];
        black_box(engine.evaluate(program, case));
    })
}

/// Counts the answers of all crates to all rules, and returns a table as a line for the report.
pub(crate) fn answers() -> Value {
    let cases = read_cases();
    let lines = [
        answer_line::<K8sCel>(&cases),
        answer_line::<CelCrate>(&cases),
        answer_line::<KubeCel>(&cases),
    ];
    let table = format!(
        "Answers to {} rules, beside the answers of an API server:\n\n\
         | crate | the same answer | refuses a rule that a server compiles | compiles a rule that a server refuses | another result |\n\
         | --- | ---: | ---: | ---: | ---: |\n{}",
        cases.len(),
        lines.join("\n"),
    );
    json!({"note": table})
}

fn answer_line<E: Engine>(cases: &[Case]) -> String {
    let engine = E::new();
    let [mut same, mut refuses, mut compiles, mut other_result] = [0; 4];
    for case in cases {
        let count = match (case.servers_answer, engine.answer(case)) {
            (server, crates) if server == crates => &mut same,
            (_, Answer::Refused) => &mut refuses,
            (Answer::Refused, _) => &mut compiles,
            _ => &mut other_result,
        };
        *count += 1;
    }
    let name = E::NAME;
    format!("| {name} | {same} | {refuses} | {compiles} | {other_result} |")
}
