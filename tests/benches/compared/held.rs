//! The memory of compiled schemas, and the time of compiling them. A webhook that serves many CRDs
//! pays this cost.

use std::hint::black_box;
use std::time::Instant;

use allocation_counter::measure;
use k8s_crd_validation::StructuralSchema;
use serde_json::{Value, json};

use crate::crd::input;

/// The name of the part of the report.
const WHAT: &str = "crd, held";

/// The number of schemas of the largest row. The row repeats all versions of all CRDs.
const MANY: usize = 200;

/// Returns the rows: a name, and the schemas to compile, each as the JSON of a CRD and the name of
/// a version.
fn loads() -> Vec<(String, Vec<(String, String)>)> {
    let crds = input::crds();
    let all: Vec<(&Value, &str)> = crds.iter().flat_map(input::versions).collect();
    let texts = |versions: &mut dyn Iterator<Item = (&Value, &str)>| {
        let texts = versions.map(|(crd, version)| (crd.to_string(), version.to_owned()));
        texts.collect::<Vec<_>>()
    };
    let kinds = input::kinds().iter().map(|kind| {
        let crd = input::input_for_kind(kind, true).crd;
        let mut first = input::versions(&crd).take(1);
        (format!("{kind}, one schema"), texts(&mut first))
    });
    let many = (
        format!("{MANY} schemas of {}", input::source()),
        texts(&mut all.iter().copied().cycle().take(MANY)),
    );
    kinds.chain([many]).collect()
}

fn compile((crd, version): &(String, String)) -> StructuralSchema {
    let crd: Value = serde_json::from_str(crd).expect("JSON");
    let compiled = StructuralSchema::compiler().crd(&crd, Some(version));
    compiled.unwrap_or_else(|errors| panic!("{errors}"))
}

/// Measures the rows, and returns them as lines for the report.
pub(crate) fn lines() -> impl Iterator<Item = Value> {
    loads().into_iter().flat_map(|(name, load)| {
        let mut held: Vec<StructuralSchema> = Vec::with_capacity(load.len());
        let start = Instant::now();
        let taken = measure(|| held.extend(load.iter().map(compile)));
        let took = start.elapsed();
        black_box(held);
        let line =
            |part: &str| json!({"side": "ours", "what": WHAT, "row": format!("{name}, {part}")});
        let (mut memory, mut time) = (line("memory"), line("start-up"));
        memory["bytes"] = taken.bytes_current.into();
        time["ns"] = json!(took.as_secs_f64() * 1e9);
        [memory, time]
    })
}

/// Returns the same rows as workloads for `tests/reference/crd -held`.
pub(crate) fn workloads() -> impl Iterator<Item = Value> {
    loads().into_iter().map(|(name, load)| {
        let schemas = load
            .iter()
            .map(|(crd, version)| json!({"crd": crd, "version": version}));
        json!({"what": WHAT, "row": name, "schemas": schemas.collect::<Vec<_>>()})
    })
}
