//! Measures the time to compile the schemas of CRDs. A webhook for many CRDs takes this time at its
//! start.

use std::hint::black_box;
use std::time::Instant;

use k8s_crd_validation::StructuralSchema;
use serde_json::{Value, json};

use crate::crd::input;

/// The name of the part of the report.
const REPORT_PART: &str = "crd, held";

/// The number of schemas of the largest row. The row repeats all versions of all CRDs.
const MAX_SCHEMAS: usize = 200;

/// A row: a name, and the schemas to compile.
pub(crate) struct SchemaRow {
    pub(crate) name: String,
    pub(crate) schemas: Vec<SchemaSource>,
}

/// The source of a schema: a CRD as JSON, and the name of a version.
pub(crate) struct SchemaSource {
    crd: String,
    version: String,
}

/// Returns the rows: the first version of each kind, and many schemas.
pub(crate) fn rows() -> Vec<SchemaRow> {
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

/// Compiles a schema, beginning with the JSON of its CRD.
pub(crate) fn compile(source: &SchemaSource) -> StructuralSchema {
    let crd: Value = serde_json::from_str(&source.crd).expect("JSON");
    let schema = StructuralSchema::compiler().crd(&crd, Some(&source.version));
    schema.unwrap_or_else(|errors| panic!("{errors}"))
}

/// Measures the time of each row, and returns it as lines for the report.
pub(crate) fn lines() -> impl Iterator<Item = Value> {
    rows().into_iter().map(|row| {
        let mut compiled: Vec<StructuralSchema> = Vec::with_capacity(row.schemas.len());
        let start = Instant::now();
        compiled.extend(row.schemas.iter().map(compile));
        let duration = start.elapsed();
        black_box(compiled);
        let mut line = line(&row.name, "start-up");
        line["ns"] = json!(duration.as_secs_f64() * 1e9);
        line
    })
}

/// Returns a line for the report, without its number.
pub(crate) fn line(row_name: &str, number_name: &str) -> Value {
    json!({"side": "ours", "what": REPORT_PART, "row": format!("{row_name}, {number_name}")})
}

/// Returns the same rows as workloads for `tests/reference/crd -held`.
pub(crate) fn workloads() -> impl Iterator<Item = Value> {
    rows().into_iter().map(|row| {
        let schemas = row
            .schemas
            .iter()
            .map(|source| json!({"crd": source.crd, "version": source.version}));
        json!({"what": REPORT_PART, "row": row.name, "schemas": schemas.collect::<Vec<_>>()})
    })
}
