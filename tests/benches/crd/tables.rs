//! The tables, in Markdown.

use std::fs;

use serde_json::Value;

use crate::input;
use crate::measure::{Cost, Effort, float, measure};
use crate::row::{Row, Work};
use crate::scaling::{SHAPES, SIZES};

/// Reads what the reference printed: a line of JSON for each row.
pub(crate) fn read_reference(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// Ours beside the reference's.
pub(crate) fn ratios(reference: &[Value], effort: &Effort) {
    println!(
        "| object | CEL | row | the server's, µs | ours, µs | **times faster** | the server's, alloc. | ours, alloc. | ours, instr. |"
    );
    println!("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for kind in input::kinds() {
        for cel in [false, true] {
            let works = [
                ("create", Work::Create, &["create"][..]),
                ("update", Work::Changed, &["update"]),
                (
                    "create, with a copy and decoding",
                    Work::Copied,
                    &["copy and decode", "create"],
                ),
            ];
            let rows: Vec<_> = works
                .iter()
                .map(|(_, work, _)| Row::of(kind, cel, *work))
                .collect();
            for ((name, _, ops), cost) in works.iter().zip(measure(&rows, effort)) {
                let sum = |what: &str| -> Option<f64> {
                    let found = |op: &&str| {
                        let is_it = |row: &&Value| {
                            row["kind"] == **kind && row["cel"] == cel && row["op"] == **op
                        };
                        reference.iter().find(is_it)?[what].as_f64()
                    };
                    ops.iter().map(found).sum()
                };
                let ns = sum("ns_per_op");
                println!(
                    "| {kind} | {} | {name} | {} | {:.2} | **{}** | {} | {:.1} | {} |",
                    if cel { "with" } else { "without" },
                    shown(ns.map(|ns| ns / 1e3), 1),
                    cost.ns / 1e3,
                    shown(ns.map(|ns| ns / cost.ns), 0),
                    shown(sum("allocs_per_op"), 0),
                    cost.allocations,
                    shown(cost.instructions, 0),
                );
            }
        }
    }
    println!();
}

/// What ratcheting costs.
pub(crate) fn ratcheting(effort: &Effort) {
    println!(
        "| object | CEL | update | off, µs | on, µs | ratio | off, instr. | on, instr. | **ratio** | on, alloc. |"
    );
    println!("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for kind in input::kinds() {
        for cel in [false, true] {
            for (name, work) in [
                ("valid, unchanged", Work::Same),
                ("valid, changed", Work::Changed),
                ("with an error that is not new", Work::Ratcheted),
                ("with an error that is new", Work::Invalid),
            ] {
                let row = Row::of(kind, cel, work);
                let costs = measure(&[row.clone().without_ratcheting(), row], effort);
                let [off, on] = &costs[..] else { continue };
                println!(
                    "| {kind} | {} | {name} | {:.2} | {:.2} | {:.3} | {} | {} | **{}** | {:.1} |",
                    if cel { "with" } else { "without" },
                    off.ns / 1e3,
                    on.ns / 1e3,
                    on.ns / off.ns,
                    shown(off.instructions, 0),
                    shown(on.instructions, 0),
                    shown(both(on, off), 3),
                    on.allocations,
                );
            }
        }
    }
    println!();
}

fn both(a: &Cost, b: &Cost) -> Option<f64> {
    Some(a.instructions? / b.instructions?)
}

/// How long a schema takes to be compiled.
pub(crate) fn compile(effort: &Effort) {
    println!("| schema | CEL | ms | instr. | alloc. |");
    println!("| --- | --- | ---: | ---: | ---: |");
    for kind in input::kinds() {
        for cel in [false, true] {
            let cost = measure(&[Row::of(kind, cel, Work::Compile)], effort)[0];
            println!(
                "| {kind} | {} | {:.2} | {} | {:.0} |",
                if cel { "with" } else { "without" },
                cost.ns / 1e6,
                shown(cost.instructions, 0),
                cost.allocations,
            );
        }
    }
    println!();
}

/// How the work grows: `n` times as many entries take `n` to the power of the exponent as long.
pub(crate) fn scaling(effort: &Effort) {
    let [_, before, last] = SIZES;
    println!(
        "| entries | request | µs for 1,000 | for 10,000 | for 100,000 | exponent, time | **exponent, instr.** | alloc. for 100,000 |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for shape in SHAPES {
        for (name, work) in [
            ("create", Work::Create),
            ("update", Work::Changed),
            (
                "update, every entry with an error that is not new",
                Work::Ratcheted,
            ),
        ] {
            let costs: Vec<_> = SIZES
                .iter()
                .map(|size| measure(&[Row::growing(shape, work, *size)], effort)[0])
                .collect();
            let step = (float(last as u64) / float(before as u64)).log10();
            let time = (costs[2].ns / costs[1].ns).log10() / step;
            let instructions = both(&costs[2], &costs[1]).map(|ratio| ratio.log10() / step);
            println!(
                "| {shape} | {name} | {:.1} | {:.1} | {:.1} | {time:.2} | **{}** | {:.0} |",
                costs[0].ns / 1e3,
                costs[1].ns / 1e3,
                costs[2].ns / 1e3,
                shown(instructions, 2),
                costs[2].allocations,
            );
        }
    }
    println!();
}

fn shown(number: Option<f64>, digits: usize) -> String {
    number.map_or(String::new(), |number| format!("{number:.digits$}"))
}
