//! Counts the allocations of rows, and the memory of compiled schemas. The counting allocator takes
//! 8 % of the instructions in some rows. So the counts have a build of their own, with the feature
//! `allocations`, and the build that measures time has the ordinary allocator.

mod typed;

use std::hint::black_box;

use allocation_counter::measure;
use serde_json::{Value, json};

use crate::compiled_schemas::{self, SchemaRow};
use crate::measure::to_f64;
use crate::row::{PreparedRow, Row};

/// Prints the allocations of the rows of the bench `typed` as lines for the report.
pub(crate) fn print_typed() {
    typed::lines().for_each(|line| println!("{line}"));
}

/// Prints the allocations of rows as lines for the report.
pub(crate) fn print(rows: &[Row]) {
    for row in rows {
        let PreparedRow {
            objects,
            mut work,
            overhead,
        } = row.prepare();
        let per_object = |work: &mut dyn FnMut(usize)| {
            let counted = measure(|| (0..objects).for_each(work));
            to_f64(counted.count_total) / to_f64(objects as u64)
        };
        let total = per_object(&mut work);
        let overhead = overhead.map_or(0.0, |mut overhead| per_object(&mut overhead));
        let mut line = row.key();
        line["allocs"] = json!(total - overhead);
        println!("{line}");
    }
}

/// Prints the memory of compiled schemas: the bytes that are allocated after the compilation.
pub(crate) fn print_memory_of_schemas() {
    for SchemaRow { name, schemas } in compiled_schemas::rows() {
        let mut compiled = Vec::with_capacity(schemas.len());
        let allocations =
            measure(|| compiled.extend(schemas.iter().map(compiled_schemas::compile)));
        black_box(compiled);
        let mut line: Value = compiled_schemas::line(&name, "memory");
        line["bytes"] = allocations.bytes_current.into();
        println!("{line}");
    }
}
