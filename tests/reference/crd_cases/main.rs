//! Compares k8s-crd-validation with the API server's own code, on random cases: see
//! `tests/reference/crd/run`.
//!
//! `crd_reference --seed N|fresh --cases N [--documents FILE] [--no-rules]` prints cases as JSON
//! lines, which the Go program of `../crd` can read. With `--program PROGRAM`, the results of this
//! program and of our code are compared instead. FILE contains CRDs and objects as JSON lines,
//! which are randomly changed for more cases. With `--no-rules`, no schema has CEL rules. `--bugs
//! FOLDER` writes the smallest case of each kind of difference to a folder. `--server VERSION` is
//! the version of the program's modules, and `--show N` is the number of kinds of differences that
//! are printed. With `--old-server VERSION` and `--old-program PROGRAM`, the findings of
//! `k8s_upgrade` between this version and `--server` are compared with both programs; with
//! `--documents`, only for the objects of FILE.

mod case;
mod compare;
#[path = "../counts.rs"]
mod counts;
mod explain;
mod gateway;
mod object;
#[path = "../older_texts.rs"]
mod older_texts;
mod reference;
mod rules;
mod same;
mod schema;
#[path = "../server_version.rs"]
mod server_version;
mod shrink;
mod tally;
mod type_name;
mod unstructured;
mod upgrade;
mod verdict;

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use case::{Batch, Case};
use compare::Comparison;
use gateway::Gateway;
use reference::Reference;
use union_random::Random;

/// The number of cases of a random schema.
const BATCH: usize = 12;

/// The number of printed definitions of which one is printed again, as a stored CRD.
const STORED: usize = 4;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let server = server_version::take(&mut arguments)?;
    let of = |name: &str| arguments.iter().skip_while(|each| *each != name).nth(1);
    let seed = match of("--seed").map(String::as_str) {
        None | Some("fresh") => RandomState::new().hash_one(0),
        Some(seed) => seed.parse()?,
    };
    let count: usize = of("--cases").ok_or("--cases N is needed")?.parse()?;
    let with_rules = !arguments.iter().any(|each| each == "--no-rules");
    let mut random = Random::new(seed);
    let gateway = match of("--documents") {
        None => None,
        Some(path) => Some(Gateway::read(&std::fs::read_to_string(path)?, with_rules)?),
    };
    let Some(program) = of("--program") else {
        return print(&mut random, count, with_rules, gateway.as_ref());
    };
    let show: usize = of("--show").map_or(Ok(120), |show| show.parse())?;
    if let Some(old_program) = of("--old-program") {
        let old_version = of("--old-server").ok_or("--old-server VERSION is needed")?;
        let old = upgrade::Server {
            version: old_version.parse()?,
            program: old_program,
        };
        let new = upgrade::Server {
            version: server,
            program,
        };
        println!("upgrades, seed {seed}");
        let batches = gateway.map(|gateway| gateway.batches(&mut random, count));
        let batches = batches.map(Vec::into_iter);
        let is_same = match batches {
            None => upgrade::compare_upgrades(&mut random, count, &old, &new)?,
            Some(batches) => upgrade::compare_batches(batches, &old, &new)?,
        };
        return Ok(if is_same {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        });
    }
    println!("custom resources, seed {seed}, server {server}");
    let reference = Reference::start(program)?;
    let mut comparison = Comparison::new(reference, server, of("--bugs").cloned(), show);
    each_batch(&mut random, count, with_rules, gateway.as_ref(), |batch| {
        comparison.run(batch)
    })?;
    Ok(if comparison.finish()? {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Calls `run` with all batches. A fifth of the cases are changes of real objects, if there are
/// any.
fn each_batch(
    random: &mut Random,
    count: usize,
    with_rules: bool,
    gateway: Option<&Gateway>,
    mut run: impl FnMut(&Batch) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut count = count;
    if let Some(gateway) = gateway {
        for batch in gateway.batches(random, count / 5) {
            run(&batch)?;
        }
        count -= count / 5;
    }
    for _ in 0..count.div_ceil(BATCH) {
        let broken = random.chance(8);
        run(&Batch::random(random, BATCH, broken, with_rules))?;
    }
    Ok(())
}

fn print(
    random: &mut Random,
    count: usize,
    with_rules: bool,
    gateway: Option<&Gateway>,
) -> Result<ExitCode, Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut number = 0;
    each_batch(random, count, with_rules, gateway, |batch| {
        writeln!(out, "{}", batch.definition.line())?;
        let cases = batch.cases.iter().map(Case::line).collect::<Vec<_>>();
        cases.iter().try_for_each(|case| writeln!(out, "{case}"))?;
        number += 1;
        if number % STORED == 0 && !batch.definition.is_never_accepted() {
            writeln!(out, "{}", batch.definition.stored(batch.preserves).line())?;
            cases.iter().try_for_each(|case| writeln!(out, "{case}"))?;
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
