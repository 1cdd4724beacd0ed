//! Rows of schemas without CEL: `k8s-crd-validation` beside the crate `jsonschema`. Our side does
//! more: it also sets defaults, removes unknown fields, and validates the metadata.

use std::hint::black_box;

use jsonschema::{Validator, draft4};
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::Value;

use crate::crd::input::{self, Input};
use crate::row::{PreparedRow, Row, Sizes};

/// The name of the part of the report.
const REPORT_PART: &str = "crd, jsonschema";

pub(crate) fn rows(_: Sizes) -> Vec<Row> {
    let mut rows = Vec::new();
    for kind in input::kinds() {
        let row = |name, prepare: fn(&Input) -> PreparedRow| {
            Row::new(REPORT_PART, format!("{kind}, {name}"), None, move || {
                prepare(&input::input_for_kind(kind, false))
            })
        };
        rows.extend([
            row("compile the schema", prepare_our_compile),
            row("compile the schema", prepare_their_compile).reference(),
            row("valid", |input| prepare_our_validation(valid(input))),
            row("valid", prepare_their_verdict).reference(),
            row("all errors", |input| prepare_our_validation(spoiled(input))),
            row("all errors", prepare_their_errors).reference(),
        ]);
    }
    rows
}

fn prepare_our_compile(input: &Input) -> PreparedRow {
    let input = input.clone();
    PreparedRow::new(1, move |_| drop(black_box(input.compile())))
}

fn prepare_their_compile(input: &Input) -> PreparedRow {
    let schema = schema(input).clone();
    PreparedRow::new(1, move |_| drop(black_box(compile_theirs(&schema))))
}

/// Returns the schema of the measured version.
fn schema(input: &Input) -> &Value {
    let versions = input.crd["spec"]["versions"].as_array();
    let version = versions
        .into_iter()
        .flatten()
        .find(|version| version["name"] == input.version);
    &version.expect("the version exists")["schema"]["openAPIV3Schema"]
}

/// Compiles a schema for `jsonschema`. CRDs have the bounds of draft 4, and formats are checked.
fn compile_theirs(schema: &Value) -> Validator {
    let options = draft4::options().should_validate_formats(true);
    options.build(schema).expect("a schema")
}

/// Both compiled schemas, and objects on which their verdicts are equal.
struct Objects {
    ours: StructuralSchema,
    theirs: Validator,
    values: Vec<Value>,
}

/// Returns the valid objects, with their defaults.
fn valid(input: &Input) -> Objects {
    Objects::new(input, 0, |_| ())
}

/// Returns the same objects with an error.
fn spoiled(input: &Input) -> Objects {
    Objects::new(input, input.spoiled_error_count, input.spoil)
}

impl Objects {
    /// Changes the objects, and checks that both sides find the same number of errors.
    fn new(input: &Input, error_count: usize, change: fn(&mut Value)) -> Self {
        let ours = input.compile();
        let theirs = compile_theirs(schema(input));
        let settings = ServerSettings::default();
        let mut objects = input.objects.clone();
        for object in &mut objects {
            assert!(ours.create(object, &settings).is_accepted());
            change(object);
            let counts = (
                ours.create(object, &settings).errors().len(),
                theirs.iter_errors(object).count(),
            );
            assert_eq!(counts, (error_count, error_count), "{object}");
            assert_eq!(theirs.is_valid(object), error_count == 0);
        }
        Self {
            ours,
            theirs,
            values: objects,
        }
    }
}

fn prepare_our_validation(objects: Objects) -> PreparedRow {
    let Objects {
        ours,
        values: mut objects,
        ..
    } = objects;
    let settings = ServerSettings::default();
    let count = objects.len();
    PreparedRow::new(count, move |i| {
        drop(black_box(ours.create(&mut objects[i % count], &settings)));
    })
}

fn prepare_their_verdict(input: &Input) -> PreparedRow {
    let Objects {
        theirs,
        values: objects,
        ..
    } = valid(input);
    PreparedRow::new(objects.len(), move |i| {
        black_box(theirs.is_valid(&objects[i % objects.len()]));
    })
}

fn prepare_their_errors(input: &Input) -> PreparedRow {
    let Objects {
        theirs,
        values: objects,
        ..
    } = spoiled(input);
    PreparedRow::new(objects.len(), move |i| {
        let errors = theirs.iter_errors(&objects[i % objects.len()]);
        errors.for_each(|error| drop(black_box(error)));
    })
}
