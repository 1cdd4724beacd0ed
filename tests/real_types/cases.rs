//! The verdict tables of `tests/cases`, through the real types and as JSON objects. Other engines run them too.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{Ratchet, Settings, Union, Violation, admit, normalize};

use crate::kep::{Absent, Union2};
use crate::loose::Loose;
use crate::workloads::DeploymentStrategy;
use crate::world::{Sample, as_json, cleared};

/// A table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// What the union is, for people.
    about: String,
    /// Its schema, below `tests`.
    schema: String,
    cases: Vec<Case>,
}

/// A request and its answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// Null on a create.
    old: Value,
    new: Value,
    #[serde(default)]
    ratchet: Tolerated,
    /// The feature gate.
    #[serde(default = "on")]
    unions: bool,
    /// Whether a struct without a place for unknown values can hold the two.
    #[serde(default = "on")]
    reads: bool,
    normalized: Value,
    /// The members that normalization cleared.
    #[serde(default)]
    cleared: Vec<String>,
    /// Every line in full.
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    ratcheted: Vec<String>,
}

#[derive(Clone, Copy, Deserialize, Default)]
enum Tolerated {
    #[default]
    SameReason,
    Unchanged,
    Off,
}

fn on() -> bool {
    true
}

impl Case {
    fn settings(&self) -> Settings {
        let ratchet = match self.ratchet {
            Tolerated::SameReason => Ratchet::SameReason,
            Tolerated::Unchanged => Ratchet::Unchanged,
            Tolerated::Off => Ratchet::Off,
        };
        Settings::default().ratchet(ratchet).unions(self.unions)
    }

    /// Runs the case through a view; `read` makes a value of a JSON object.
    fn run<V: Union + Serialize + Clone>(&self, read: impl Fn(&Value) -> V) {
        let settings = self.settings();
        let old = Some(&self.old).filter(|old| !old.is_null()).map(&read);
        let mut normalized = read(&self.new);
        let changes = normalize(&mut normalized, old.as_ref(), &settings);
        assert_eq!(cleared(&changes), self.cleared, "{}", self.name);
        assert_eq!(
            as_json(&normalized),
            as_json(&read(&self.normalized)),
            "{}",
            self.name
        );

        let mut admitted = read(&self.new);
        let (errors, ratcheted) = match admit(&mut admitted, old.as_ref(), &settings) {
            Ok(outcome) => (Vec::new(), lines(&outcome.ratcheted)),
            Err(violations) => (lines(&violations), lines(violations.ratcheted())),
        };
        assert_eq!(errors, self.errors, "{}", self.name);
        assert_eq!(ratcheted, self.ratcheted, "{}", self.name);
        assert_eq!(as_json(&admitted), as_json(&normalized), "{}", self.name);
    }
}

fn lines<'a>(violations: impl IntoIterator<Item = &'a Violation>) -> Vec<String> {
    violations.into_iter().map(ToString::to_string).collect()
}

/// Returns how many cases there are, and how many of them the real type can read.
fn run<T: Sample>(table: &str) -> [usize; 2] {
    let table: Table = serde_json::from_str(table).expect("the table is well formed");
    assert!(table.about.ends_with('.'));
    let schema = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&table.schema);
    assert!(schema.is_file(), "no such schema: {}", schema.display());
    let read = |json: &Value| serde_json::from_value::<T>(json.clone());
    for case in &table.cases {
        case.run(|json| Loose::<T>::new(json.clone()));
        let is_readable =
            read(&case.new).is_ok() && (case.old.is_null() || read(&case.old).is_ok());
        assert_eq!(is_readable, case.reads, "{}", case.name);
        if case.reads {
            case.run(|json| read(json).expect("it reads"));
        }
    }
    let readable = table.cases.iter().filter(|case| case.reads).count();
    [table.cases.len(), readable]
}

#[test]
fn kep_union2_answers_as_the_table_says() {
    let table = include_str!("../cases/union2.json");
    assert_eq!(run::<Union2>(table), [53, 35], "cases, readable");
}

#[test]
fn a_union_with_the_empty_value_answers_as_the_table_says() {
    let table = include_str!("../cases/union_with_empty_value.json");
    assert_eq!(run::<Absent>(table), [22, 21], "cases, readable");
}

#[test]
fn deployment_strategy_answers_as_the_table_says() {
    let table = include_str!("../cases/deployment_strategy.json");
    assert_eq!(
        run::<DeploymentStrategy>(table),
        [17, 17],
        "cases, readable"
    );
}
