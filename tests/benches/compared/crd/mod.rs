//! Rows of custom resources: requests with real objects, the cost of ratcheting, compiling schemas,
//! reading unions, and objects that grow.

mod growing;
pub(crate) mod input;

use std::hint::black_box;
use std::iter;

use k8s_crd_validation::{Report, ServerSettings, StructuralSchema};
use serde_json::{Value, json};

use self::input::Input;
use crate::row::{Prepared, Row, Sizes};

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
            ("create", Work::Create),
            ("update", Work::Changed),
            ("create, with a copy", Work::Copied),
        ] {
            let request = Request {
                ratchet: true,
                work,
            };
            let name = format!("{name}, {op}");
            rows.push(Row::new(REQUESTS, name, None, move || {
                request.prepare(&input::of_kind(kind, cel))
            }));
        }
    }
    for (kind, cel, name) in kinds.clone() {
        for (op, work) in [
            ("valid, unchanged", Work::Same),
            ("valid, changed", Work::Changed),
            ("an error that is not new", Work::Ratcheted),
            ("an error that is new", Work::Invalid),
        ] {
            let row = |ratchet| {
                let request = Request { ratchet, work };
                Row::new(RATCHETING, format!("{name}, {op}"), None, move || {
                    request.prepare(&input::of_kind(kind, cel))
                })
            };
            rows.extend([row(true), row(false).reference()]);
        }
    }
    for (kind, cel, name) in kinds {
        rows.push(Row::new(COMPILING, name, None, move || {
            let input = input::of_kind(kind, cel);
            Prepared::new(1, move |_| drop(black_box(input.compile())))
        }));
    }
    // The reference of this row is to compile all versions of the same CRDs for validation.
    let name = format!("all CRDs of {}", input::source());
    rows.push(Row::new(LISTING, name.clone(), None, || {
        let crds = input::crds();
        Prepared::new(1, move |_| {
            for crd in &crds {
                drop(black_box(crd_unions::read_crd(crd)));
            }
        })
    }));
    let compile = || {
        let crds = input::crds();
        Prepared::new(1, move |_| {
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
            ("create", Work::Create),
            ("update", Work::Changed),
            ("update of old errors", Work::Ratcheted),
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
enum Work {
    /// A copy of the object from a client, and the creation of the copy.
    Copied,
    Create,
    /// An update that changes nothing.
    Same,
    /// An update that changes a label.
    Changed,
    /// An update that changes a label of an object, which has an error before and after.
    Ratcheted,
    /// An update that adds an error.
    Invalid,
}

/// A request, with or without ratcheting.
#[derive(Clone, Copy)]
struct Request {
    ratchet: bool,
    work: Work,
}

impl Request {
    fn prepare(self, input: &Input) -> Prepared {
        let settings = ServerSettings::default().ratchet(self.ratchet);
        let schema = input.compile();
        let mut pairs = self.pairs(input, &schema, &settings);
        let objects = pairs.len();
        Prepared::new(objects, move |i| {
            let (new, old) = &mut pairs[i % objects];
            let report = match self.work {
                Work::Copied => schema.create(&mut new.clone(), &settings),
                Work::Create => schema.create(new, &settings),
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
            if self.work == Work::Copied {
                pairs.push((object.clone(), Value::Null));
                continue;
            }
            let mut new = old.clone();
            // The update adds the default of the status, as in a stored object.
            expect(&schema.update(&mut new, &old, settings), 0, 0);
            old.clone_from(&new);
            if self.work != Work::Same {
                new["metadata"]["labels"] = json!({"changed": "yes"});
            }
            if matches!(self.work, Work::Ratcheted | Work::Invalid) {
                (input.spoil)(&mut new);
            }
            if self.work == Work::Ratcheted {
                (input.spoil)(&mut old);
            }
            let errors = input.spoiled;
            match (self.work, self.ratchet) {
                (Work::Create, _) => expect(&schema.create(&mut new, settings), 0, 0),
                (Work::Ratcheted, true) => {
                    expect(&schema.update(&mut new, &old, settings), 0, errors);
                }
                (Work::Ratcheted, false) | (Work::Invalid, _) => {
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
