//! Rows of custom resources: requests with real objects, the cost of ratcheting, compiling schemas,
//! reading unions, and objects that grow.

mod growing;
pub(crate) mod input;

use std::hint::black_box;
use std::iter;

use k8s_crd_validation::{Report, ServerSettings, StructuralSchema};
use serde_json::{Value, json};

use self::input::Input;
use crate::row::{PreparedRow, Row, Sizes};

/// The names of the parts of the report.
const REQUESTS: &str = "crd";
const RATCHETING: &str = "crd, ratcheting";
const COMPILATION: &str = "crd, compiling";
const UNIONS_OF_RULES: &str = "crd, unions of its rules";
const GROWING: &str = "crd, growing";

pub(crate) fn rows(sizes: Sizes) -> Vec<Row> {
    let kinds = input::kinds().iter();
    let kinds = kinds.flat_map(|kind| [(*kind, false), (*kind, true)]);
    let kinds = kinds.map(|(kind, with_cel)| {
        let preposition = if with_cel { "with" } else { "without" };
        (kind, with_cel, format!("{kind} {preposition} CEL"))
    });
    let mut rows = Vec::new();
    for (kind, with_cel, name) in kinds.clone() {
        for (op_name, operation) in [
            ("create", Operation::Create),
            ("update", Operation::LabelUpdate),
            ("create, with a copy", Operation::CopyAndCreate),
        ] {
            let request = Request {
                ratchet: true,
                operation,
            };
            let name = format!("{name}, {op_name}");
            rows.push(Row::new(REQUESTS, name, None, move || {
                request.prepare(&input::input_for_kind(kind, with_cel))
            }));
        }
    }
    for (kind, with_cel, name) in kinds.clone() {
        for (op_name, operation) in [
            ("valid, unchanged", Operation::UnchangedUpdate),
            ("valid, changed", Operation::LabelUpdate),
            ("an error that is not new", Operation::RatchetedUpdate),
            ("an error that is new", Operation::InvalidUpdate),
        ] {
            let row = |ratchet| {
                let request = Request { ratchet, operation };
                Row::new(RATCHETING, format!("{name}, {op_name}"), None, move || {
                    request.prepare(&input::input_for_kind(kind, with_cel))
                })
            };
            rows.extend([row(true), row(false).reference()]);
        }
    }
    for (kind, with_cel, name) in kinds {
        rows.push(Row::new(COMPILATION, name, None, move || {
            let input = input::input_for_kind(kind, with_cel);
            PreparedRow::new(1, move |_| drop(black_box(input.compile())))
        }));
    }
    // The reference of this row is to compile all versions of the same CRDs for validation.
    let name = format!("all CRDs of {}", input::source());
    rows.push(Row::new(UNIONS_OF_RULES, name.clone(), None, || {
        let crds = input::crds();
        PreparedRow::new(1, move |_| {
            for crd in &crds {
                drop(black_box(crd_unions::analyze_crd(crd)));
            }
        })
    }));
    let prepare_compile = || {
        let crds = input::crds();
        PreparedRow::new(1, move |_| {
            for (crd, version) in crds.iter().flat_map(input::versions) {
                drop(black_box(
                    StructuralSchema::compiler().crd(crd, Some(version)),
                ));
            }
        })
    };
    rows.push(Row::new(UNIONS_OF_RULES, name, None, prepare_compile).reference());
    for container in growing::CONTAINERS {
        for (op_name, operation) in [
            ("create", Operation::Create),
            ("update", Operation::LabelUpdate),
            ("update of old errors", Operation::RatchetedUpdate),
        ] {
            for size in sizes.at_least(10) {
                let request = Request {
                    ratchet: true,
                    operation,
                };
                rows.push(Row::new(
                    GROWING,
                    format!("{container}, {op_name}"),
                    Some(size),
                    move || request.prepare(&growing::input(container, size)),
                ));
            }
        }
    }
    rows
}

/// Returns the objects that grow, as workloads for `tests/reference/crd -bench`. That program reads
/// the real objects itself.
pub(crate) fn workloads(sizes: Sizes) -> impl Iterator<Item = Value> {
    let containers = growing::CONTAINERS.into_iter();
    let containers_and_sizes =
        containers.flat_map(move |container| iter::repeat(container).zip(sizes.at_least(10)));
    containers_and_sizes.map(|(container, size)| {
        let input = growing::input(container, size);
        let valid_object = &input.objects[0];
        let mut spoiled_object = valid_object.clone();
        (input.spoil)(&mut spoiled_object);
        json!({
            "entries": container, "size": size, "crd": input.crd, "version": input.version,
            "valid": valid_object, "spoiled": spoiled_object,
        })
    })
}

/// The operation to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    /// A copy of the object from a client, and the creation of the copy.
    CopyAndCreate,
    Create,
    /// An update that changes nothing.
    UnchangedUpdate,
    /// An update that changes a label.
    LabelUpdate,
    /// An update that changes a label of an object, which has an error before and after.
    RatchetedUpdate,
    /// An update that adds an error.
    InvalidUpdate,
}

/// A request, with or without ratcheting.
#[derive(Clone, Copy)]
struct Request {
    ratchet: bool,
    operation: Operation,
}

impl Request {
    /// Prepares the request for each object of the input.
    fn prepare(self, input: &Input) -> PreparedRow {
        let settings = ServerSettings::default().ratchet(self.ratchet);
        let schema = input.compile();
        let mut pairs = self.pairs(input, &schema, &settings);
        let pair_count = pairs.len();
        PreparedRow::new(pair_count, move |i| {
            let (new, old) = &mut pairs[i % pair_count];
            let report = match self.operation {
                Operation::CopyAndCreate => schema.create(&mut new.clone(), &settings),
                Operation::Create => schema.create(new, &settings),
                _ => schema.update(new, old, &settings),
            };
            drop(black_box(report));
        })
    }

    /// Returns the pairs of new and old objects, and checks that each request has the expected
    /// result.
    fn pairs(
        self,
        input: &Input,
        schema: &StructuralSchema,
        settings: &ServerSettings,
    ) -> Vec<(Value, Value)> {
        let mut pairs = Vec::new();
        for object in &input.objects {
            let mut old = object.clone();
            assert_report(&schema.create(&mut old, settings), 0, 0);
            if self.operation == Operation::CopyAndCreate {
                pairs.push((object.clone(), Value::Null));
                continue;
            }
            let mut new = old.clone();
            // The update adds the default of the status, as in a stored object.
            assert_report(&schema.update(&mut new, &old, settings), 0, 0);
            old.clone_from(&new);
            if self.operation != Operation::UnchangedUpdate {
                new["metadata"]["labels"] = json!({"changed": "yes"});
            }
            if matches!(
                self.operation,
                Operation::RatchetedUpdate | Operation::InvalidUpdate
            ) {
                (input.spoil)(&mut new);
            }
            if self.operation == Operation::RatchetedUpdate {
                (input.spoil)(&mut old);
            }
            let error_count = input.spoiled_error_count;
            match (self.operation, self.ratchet) {
                (Operation::Create, _) => assert_report(&schema.create(&mut new, settings), 0, 0),
                (Operation::RatchetedUpdate, true) => {
                    assert_report(&schema.update(&mut new, &old, settings), 0, error_count);
                }
                (Operation::RatchetedUpdate, false) | (Operation::InvalidUpdate, _) => {
                    assert_report(&schema.update(&mut new, &old, settings), error_count, 0);
                }
                _ => assert_report(&schema.update(&mut new, &old, settings), 0, 0),
            }
            pairs.push((new, old));
        }
        pairs
    }
}

/// Asserts that a report has these numbers of errors, and no warnings.
fn assert_report(report: &Report, error_count: usize, tolerated_count: usize) {
    let counts = (report.errors().len(), report.tolerated().len());
    assert!(
        counts == (error_count, tolerated_count) && report.warnings().is_empty(),
        "{error_count} errors and {tolerated_count} tolerated ones are wanted, not: {:?} {:?} {:?}",
        report.errors().first(),
        report.tolerated().first(),
        report.warnings(),
    );
}
