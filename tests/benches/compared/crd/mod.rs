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
const COMPILING: &str = "crd, compiling";
const LISTING: &str = "crd, unions of its rules";
const GROWING: &str = "crd, growing";

pub(crate) fn rows(sizes: Sizes) -> Vec<Row> {
    let kinds = input::kinds().iter();
    let kinds = kinds.flat_map(|kind| [(*kind, false), (*kind, true)]);
    let kinds = kinds.map(|(kind, cel)| {
        let with = if cel { "with" } else { "without" };
        (kind, cel, format!("{kind} {with} CEL"))
    });
    let mut rows = Vec::new();
    for (kind, cel, name) in kinds.clone() {
        for (op, work) in [
            ("create", Operation::Create),
            ("update", Operation::LabelUpdate),
            ("create, with a copy", Operation::CopyAndCreate),
        ] {
            let request = Request {
                ratchet: true,
                work,
            };
            let name = format!("{name}, {op}");
            rows.push(Row::new(REQUESTS, name, None, move || {
                request.prepare(&input::input_for_kind(kind, cel))
            }));
        }
    }
    for (kind, cel, name) in kinds.clone() {
        for (op, work) in [
            ("valid, unchanged", Operation::UnchangedUpdate),
            ("valid, changed", Operation::LabelUpdate),
            ("an error that is not new", Operation::RatchetedUpdate),
            ("an error that is new", Operation::InvalidUpdate),
        ] {
            let row = |ratchet| {
                let request = Request { ratchet, work };
                Row::new(RATCHETING, format!("{name}, {op}"), None, move || {
                    request.prepare(&input::input_for_kind(kind, cel))
                })
            };
            rows.extend([row(true), row(false).reference()]);
        }
    }
    for (kind, cel, name) in kinds {
        rows.push(Row::new(COMPILING, name, None, move || {
            let input = input::input_for_kind(kind, cel);
            PreparedRow::new(1, move |_| drop(black_box(input.compile())))
        }));
    }
    // The reference of this row is to compile all versions of the same CRDs for validation.
    let name = format!("all CRDs of {}", input::source());
    rows.push(Row::new(LISTING, name.clone(), None, || {
        let crds = input::crds();
        PreparedRow::new(1, move |_| {
            for crd in &crds {
                drop(black_box(crd_unions::analyze_crd(crd)));
            }
        })
    }));
    let compile = || {
        let crds = input::crds();
        PreparedRow::new(1, move |_| {
            for (crd, version) in crds.iter().flat_map(input::versions) {
                drop(black_box(
                    StructuralSchema::compiler().crd(crd, Some(version)),
                ));
            }
        })
    };
    rows.push(Row::new(LISTING, name, None, compile).reference());
    for entries in growing::ENTRIES {
        for (op, work) in [
            ("create", Operation::Create),
            ("update", Operation::LabelUpdate),
            ("update of old errors", Operation::RatchetedUpdate),
        ] {
            for size in sizes.from(10) {
                let request = Request {
                    ratchet: true,
                    work,
                };
                rows.push(Row::new(
                    GROWING,
                    format!("{entries}, {op}"),
                    Some(size),
                    move || request.prepare(&growing::input(entries, size)),
                ));
            }
        }
    }
    rows
}

/// Returns the objects that grow, as workloads for `tests/reference/crd -bench`. That program reads
/// the real objects itself.
pub(crate) fn workloads(sizes: Sizes) -> impl Iterator<Item = Value> {
    let entries = growing::ENTRIES.into_iter();
    let each = entries.flat_map(move |entries| iter::repeat(entries).zip(sizes.from(10)));
    each.map(|(entries, size)| {
        let input = growing::input(entries, size);
        let valid = &input.objects[0];
        let mut spoiled = valid.clone();
        (input.spoil)(&mut spoiled);
        json!({
            "entries": entries, "size": size, "crd": input.crd, "version": input.version,
            "valid": valid, "spoiled": spoiled,
        })
    })
}

/// The work to measure.
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
    work: Operation,
}

impl Request {
    fn prepare(self, input: &Input) -> PreparedRow {
        let settings = ServerSettings::default().ratchet(self.ratchet);
        let schema = input.compile();
        let mut pairs = self.pairs(input, &schema, &settings);
        let objects = pairs.len();
        PreparedRow::new(objects, move |i| {
            let (new, old) = &mut pairs[i % objects];
            let report = match self.work {
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
            expect(&schema.create(&mut old, settings), 0, 0);
            if self.work == Operation::CopyAndCreate {
                pairs.push((object.clone(), Value::Null));
                continue;
            }
            let mut new = old.clone();
            // The update adds the default of the status, as in a stored object.
            expect(&schema.update(&mut new, &old, settings), 0, 0);
            old.clone_from(&new);
            if self.work != Operation::UnchangedUpdate {
                new["metadata"]["labels"] = json!({"changed": "yes"});
            }
            if matches!(
                self.work,
                Operation::RatchetedUpdate | Operation::InvalidUpdate
            ) {
                (input.spoil)(&mut new);
            }
            if self.work == Operation::RatchetedUpdate {
                (input.spoil)(&mut old);
            }
            let errors = input.spoiled;
            match (self.work, self.ratchet) {
                (Operation::Create, _) => expect(&schema.create(&mut new, settings), 0, 0),
                (Operation::RatchetedUpdate, true) => {
                    expect(&schema.update(&mut new, &old, settings), 0, errors);
                }
                (Operation::RatchetedUpdate, false) | (Operation::InvalidUpdate, _) => {
                    expect(&schema.update(&mut new, &old, settings), errors, 0);
                }
                _ => expect(&schema.update(&mut new, &old, settings), 0, 0),
            }
            pairs.push((new, old));
        }
        pairs
    }
}

fn expect(report: &Report, errors: usize, tolerated: usize) {
    let found = (report.errors().len(), report.tolerated().len());
    assert!(
        found == (errors, tolerated) && report.warnings().is_empty(),
        "{errors} errors and {tolerated} tolerated ones are wanted, not: {:?} {:?} {:?}",
        report.errors().first(),
        report.tolerated().first(),
        report.warnings(),
    );
}
