//! The tables, in Markdown.

use std::fs;
use std::hint::black_box;
use std::time::Duration;

use serde_json::Value;
use union_runtime::patch::PatchSchema;

use crate::measure::{instructions, least};
use crate::workload::{LISTS, SIZES, Workload};

const OPS: [&str; 3] = ["apply", "diff", "three_way"];

/// Reads what the reference printed: a line of JSON for each row.
pub(crate) fn read_reference(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// What one call costs, in nanoseconds.
#[derive(Clone, Copy)]
struct Cost {
    /// The operation, of documents that are read already.
    alone: f64,
    /// From texts to a text.
    texts: f64,
}

pub(crate) fn print(reference: &[Value], effort: Duration) {
    println!(
        "| list | operation | items | the reference's, µs | ours, µs | **times faster** | the reference's, from text to text | ours | times faster |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut exponents = Vec::new();
    for list in LISTS {
        for op in OPS {
            let mut costs = Vec::new();
            for size in SIZES {
                let cost = cost(&Row::of(Workload::new(list, size)), op, effort);
                let is_it =
                    |row: &&Value| row["list"] == list && row["op"] == op && row["items"] == size;
                let row = reference.iter().find(is_it);
                let ns = |key: &str| row.and_then(|row| row[key].as_f64());
                let theirs = ns("ns");
                let alone = theirs.zip(ns("json_ns")).map(|(all, json)| all - json);
                println!(
                    "| {list} | {op} | {size} | {} | {:.1} | {} | {} | {:.1} | {} |",
                    shown(alone.map(|ns| ns / 1e3)),
                    cost.alone / 1e3,
                    alone.map_or(String::new(), |ns| format!("**{:.0}**", ns / cost.alone)),
                    shown(theirs.map(|ns| ns / 1e3)),
                    cost.texts / 1e3,
                    theirs.map_or(String::new(), |ns| format!("{:.0}", ns / cost.texts)),
                );
                costs.push(cost.alone);
            }
            exponents.push((list, op, costs));
        }
    }
    println!();
    println!(
        "| list | operation | exponent of time, to 1,000 | to 10,000 | to 100,000 | **of instructions**, to 1,000 | **to 10,000** | **to 100,000** |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (list, op, costs) in exponents {
        let costs: Vec<_> = costs.into_iter().map(Some).collect();
        let counts = SIZES.map(|size| instructions(list, op, size));
        println!("| {list} | {op} | {} | {} |", steps(&costs), steps(&counts));
    }
}

/// The exponent of each step: ten times as many elements take ten to the power of it as much.
fn steps(costs: &[Option<f64>]) -> String {
    let steps = costs.windows(2).map(|step| match step {
        [Some(before), Some(after)] => format!("{:.2}", (after / before).log10()),
        _ => String::new(),
    });
    steps.collect::<Vec<_>>().join(" | ")
}

/// Does the work of a row so many times, for valgrind to count.
pub(crate) fn repeat(list: &str, op: &str, size: usize, times: usize) {
    let list = LISTS.into_iter().find(|known| *known == list);
    let row = Row::of(Workload::new(list.expect("the name of a list"), size));
    for _ in 0..times {
        black_box(row.run(op, row.load.original.clone()));
    }
}

/// A workload, ready to be measured.
struct Row {
    load: Workload,
    schema: PatchSchema,
    patch: Value,
}

impl Row {
    fn of(load: Workload) -> Self {
        let schema = PatchSchema::compiler().openapi(&load.document, "Root");
        let schema = schema.expect("a schema");
        let patch = schema.diff(&load.original, &load.modified);
        Self {
            patch: patch.expect("a patch"),
            schema,
            load,
        }
    }

    /// Does an operation once; what is applied to is taken.
    fn run(&self, op: &str, original: Value) -> Value {
        let Workload {
            modified, current, ..
        } = &self.load;
        self.run_on(op, original, modified, current, &self.patch)
    }

    fn run_on(
        &self,
        op: &str,
        original: Value,
        modified: &Value,
        current: &Value,
        patch: &Value,
    ) -> Value {
        match op {
            "apply" => self.schema.apply(original, patch).expect("an object"),
            "diff" => self.schema.diff(&original, modified).expect("a patch"),
            _ => self
                .schema
                .three_way(&original, modified, current, false)
                .expect("a patch"),
        }
    }
}

fn cost(row: &Row, op: &str, effort: Duration) -> Cost {
    let Workload {
        original,
        modified,
        current,
        ..
    } = &row.load;
    let copy = least(effort, || drop(black_box(original.clone())));
    let alone = least(effort, || {
        black_box(row.run(op, original.clone()));
    });
    let texts = [original, modified, current, &row.patch].map(Value::to_string);
    let used: &[usize] = match op {
        "apply" => &[0, 3],
        "diff" => &[0, 1],
        _ => &[0, 1, 2],
    };
    let texts = least(effort, || {
        let read = |i: usize| -> Value {
            if used.contains(&i) {
                serde_json::from_str(&texts[i]).expect("JSON")
            } else {
                Value::Null
            }
        };
        let result = row.run_on(op, read(0), &read(1), &read(2), &read(3));
        black_box(result.to_string());
    });
    Cost {
        // The copy is there for the bench alone.
        alone: (alone - copy).max(1.0),
        texts,
    }
}

fn shown(number: Option<f64>) -> String {
    number.map_or(String::new(), |number| format!("{number:.1}"))
}
