//! Tests of the case tables in `tests/cases`, with the real types, with the same unions as enums,
//! and with JSON objects.

use serde_json::Value;
use union_runtime::UnionEnum;

use crate::unions::real_types::enums;
use crate::unions::real_types::kep::{Absent, Union2};
use crate::unions::real_types::states::{Sample, cleared};
use crate::unions::real_types::table::{Case, Table};
use crate::unions::real_types::view::{Engine, View};
use crate::unions::real_types::workloads::DeploymentStrategy;

/// Runs a case through a view. `read` converts a JSON object to a value of the view.
fn run_case<V: View>(case: &Case, read: impl Fn(&Value) -> V) {
    let settings = case.settings();
    let old = case.old().map(&read);
    let mut normalized = read(&case.new);
    let changes = normalized.normalize(old.as_ref(), &settings);
    assert_eq!(
        normalized.json(),
        read(&case.normalized).json(),
        "{}",
        case.name
    );

    let mut admitted = read(&case.new);
    let report = admitted.admit(old.as_ref(), &settings);
    case.check(&cleared(&changes), &report);
    assert_eq!(admitted.json(), normalized.json(), "{}", case.name);
}

/// Runs all cases of a table, and returns the number of cases and the number of cases that the real
/// type can read. An enum can read all cases.
fn run_table<T: Sample, E: UnionEnum + Clone>(table: &str) -> [usize; 2] {
    let table = Table::read(table);
    let engine = Engine::compile_schema(&table.schema());
    let read = |json: &Value| serde_json::from_value::<T>(json.clone());
    for case in &table.cases {
        run_case(case, |json| engine.view_of(json.clone()));
        run_case(case, |json| {
            serde_json::from_value::<E>(json.clone()).expect("an enum reads any object")
        });
        let is_readable = read(&case.new).is_ok() && case.old().is_none_or(|old| read(old).is_ok());
        assert_eq!(is_readable, case.reads, "{}", case.name);
        if case.reads {
            run_case(case, |json| read(json).expect("a readable value"));
        }
    }
    let readable = table.cases.iter().filter(|case| case.reads).count();
    [table.cases.len(), readable]
}

#[test]
fn kep_union2_matches_the_table() {
    let table = include_str!("../../../cases/union2.json");
    assert_eq!(
        run_table::<Union2, enums::Union2>(table),
        [56, 35],
        "cases, readable"
    );
}

#[test]
fn a_union_with_the_empty_value_matches_the_table() {
    let table = include_str!("../../../cases/union_with_empty_value.json");
    assert_eq!(
        run_table::<Absent, enums::Absent>(table),
        [22, 21],
        "cases, readable"
    );
}

#[test]
fn deployment_strategy_matches_the_table() {
    let table = include_str!("../../../cases/deployment_strategy.json");
    assert_eq!(
        run_table::<DeploymentStrategy, enums::DeploymentStrategy>(table),
        [18, 18],
        "cases, readable"
    );
}
