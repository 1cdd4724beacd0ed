//! Rows of strategic merge patches of lists that grow.

mod workload;

use std::borrow::Cow;
use std::hint::black_box;
use std::rc::Rc;

use k8s_strategic_merge_patch::{OnConflict, PatchSchema};
use serde_json::Value;

use self::workload::{LISTS, Workload};
use crate::row::{PreparedRow, Row, Sizes};

/// The name of the part of the report.
const REPORT_PART: &str = "patch";

/// The operations: name, operation, and the indexes of the documents that it needs, in the order
/// original, modified, current, patch.
const OPS: [(&str, Op, &[usize]); 3] = [
    ("apply", Op::Apply, &[0, 3]),
    ("diff", Op::Diff, &[0, 1]),
    ("three-way diff", Op::ThreeWay, &[0, 1, 2]),
];

#[derive(Clone, Copy)]
enum Op {
    Apply,
    Diff,
    ThreeWay,
}

pub(crate) fn rows(sizes: Sizes) -> Vec<Row> {
    let mut rows = Vec::new();
    for list in LISTS {
        for (name, op, needed_documents) in OPS {
            for size in sizes.at_least(100) {
                let name = format!("{list}, {name}");
                rows.push(Row::new(REPORT_PART, name, Some(size), move || {
                    prepare_parsed(op, Documents::new(list, size))
                }));
            }
            for size in sizes.at_least(100) {
                let name = format!("{list}, {name}, text to text");
                rows.push(Row::new(REPORT_PART, name, Some(size), move || {
                    prepare_json(op, needed_documents, Documents::new(list, size))
                }));
            }
        }
    }
    rows
}

/// Returns the documents as workloads for `tests/reference/strategic -bench`.
pub(crate) fn workloads(sizes: Sizes) -> impl Iterator<Item = Value> {
    let lists = LISTS.into_iter();
    lists.flat_map(move |list| {
        sizes
            .at_least(100)
            .map(move |size| Workload::new(list, size).line())
    })
}

/// A workload with its compiled schema and its patch.
struct Documents {
    workload: Workload,
    schema: PatchSchema,
    patch: Value,
}

impl Documents {
    fn new(list: &'static str, size: usize) -> Self {
        let workload = Workload::new(list, size);
        let schema = PatchSchema::compiler().openapi(&workload.document, "Root");
        let schema = schema.expect("a schema");
        let patch = schema.diff(&workload.original, &workload.modified);
        Self {
            patch: patch.expect("a patch").into(),
            schema,
            workload,
        }
    }
}

/// Runs an operation once. An apply consumes an owned `original` and copies a borrowed one.
fn run(
    op: Op,
    schema: &PatchSchema,
    original: Cow<'_, Value>,
    [modified, current, patch]: [&Value; 3],
) -> Value {
    match op {
        Op::Apply => schema
            .apply(original.into_owned(), patch)
            .expect("an object"),
        Op::Diff => schema.diff(&original, modified).expect("a patch").into(),
        Op::ThreeWay => schema
            .three_way(&original, modified, current, OnConflict::Fail)
            .expect("a patch")
            .into(),
    }
}

/// Prepares an operation on documents that are already parsed.
fn prepare_parsed(op: Op, documents: Documents) -> PreparedRow {
    let documents = Rc::new(documents);
    let documents_to_patch = Rc::clone(&documents);
    let prepared = PreparedRow::new(1, move |_| {
        let Documents {
            workload,
            schema,
            patch,
        } = &*documents_to_patch;
        let original = Cow::Borrowed(&workload.original);
        black_box(run(
            op,
            schema,
            original,
            [&workload.modified, &workload.current, patch],
        ));
    });
    match op {
        // An apply changes its target in place, so each call needs a copy.
        Op::Apply => {
            prepared.with_overhead(move |_| drop(black_box(documents.workload.original.clone())))
        }
        Op::Diff | Op::ThreeWay => prepared,
    }
}

/// Prepares an operation from JSON to JSON. Only the documents that the operation needs are parsed.
fn prepare_json(op: Op, needed_documents: &'static [usize], documents: Documents) -> PreparedRow {
    let Documents {
        workload,
        schema,
        patch,
    } = documents;
    let json_strings = [
        workload.original,
        workload.modified,
        workload.current,
        patch,
    ]
    .map(|document| document.to_string());
    PreparedRow::new(1, move |_| {
        let parse = |i: usize| -> Value {
            if needed_documents.contains(&i) {
                serde_json::from_str(&json_strings[i]).expect("JSON")
            } else {
                Value::Null
            }
        };
        let result = run(
            op,
            &schema,
            Cow::Owned(parse(0)),
            [&parse(1), &parse(2), &parse(3)],
        );
        black_box(result.to_string());
    })
}
