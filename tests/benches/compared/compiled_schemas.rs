//! The memory of compiled schemas, and the time of compiling them. A webhook that serves many CRDs
//! pays this cost.

use std::hint::black_box;
use std::time::Instant;

use allocation_counter::measure;
use k8s_crd_validation::StructuralSchema;
use serde_json::{Value, json};

use crate::crd::input;

/// The name of the part of the report.
const REPORT_PART: &str = "crd, held";

/// The number of schemas of the largest row. The row repeats all versions of all CRDs.
const MAX_SCHEMAS: usize = 200;

/// A row: a name, and the schemas to compile.
struct SchemaRow {
    name: String,
    schemas: Vec<SchemaSource>,
}

/// The source of a schema: a CRD as JSON, and the name of a version.
struct SchemaSource {
    crd: String,
    version: String,
}

fn schema_rows() -> Vec<SchemaRow> {
    let crds = input::crds();
    let all_versions: Vec<(&Value, &str)> = crds.iter().flat_map(input::versions).collect();
    let sources = |versions: &mut dyn Iterator<Item = (&Value, &str)>| {
        let sources = versions.map(|(crd, version)| SchemaSource {
            crd: crd.to_string(),
            version: version.to_owned(),
        });
        sources.collect::<Vec<_>>()
    };
    let rows_of_kinds = input::kinds().iter().map(|kind| {
        let crd = input::input_for_kind(kind, true).crd;
        let mut first_version = input::versions(&crd).take(1);
        SchemaRow {
            name: format!("{kind}, one schema"),
            schemas: sources(&mut first_version),
        }
    });
    let row_of_many_schemas = SchemaRow {
        name: format!("{MAX_SCHEMAS} schemas of {}", input::source()),
        schemas: sources(&mut all_versions.iter().copied().cycle().take(MAX_SCHEMAS)),
    };
    rows_of_kinds.chain([row_of_many_schemas]).collect()
}

fn compile(source: &SchemaSource) -> StructuralSchema {
    let crd: Value = serde_json::from_str(&source.crd).expect("JSON");
    let schema = StructuralSchema::compiler().crd(&crd, Some(&source.version));
    schema.unwrap_or_else(|errors| panic!("{errors}"))
}

/// Measures the rows, and returns them as lines for the report.
pub(crate) fn lines() -> impl Iterator<Item = Value> {
    schema_rows().into_iter().flat_map(|row| {
        let name = row.name;
        let mut compiled: Vec<StructuralSchema> = Vec::with_capacity(row.schemas.len());
        let start = Instant::now();
        let allocations = measure(|| compiled.extend(row.schemas.iter().map(compile)));
        let duration = start.elapsed();
        black_box(compiled);
        let line =
            |part: &str| json!({"side": "ours", "what": REPORT_PART, "row": format!("{name}, {part}")});
        let (mut memory_line, mut time_line) = (line("memory"), line("start-up"));
        memory_line["bytes"] = allocations.bytes_current.into();
        time_line["ns"] = json!(duration.as_secs_f64() * 1e9);
        [memory_line, time_line]
    })
}

/// Returns the same rows as workloads for `tests/reference/crd -held`.
pub(crate) fn workloads() -> impl Iterator<Item = Value> {
    schema_rows().into_iter().map(|row| {
        let schemas = row
            .schemas
            .iter()
            .map(|source| json!({"crd": source.crd, "version": source.version}));
        json!({"what": REPORT_PART, "row": row.name, "schemas": schemas.collect::<Vec<_>>()})
    })
}
