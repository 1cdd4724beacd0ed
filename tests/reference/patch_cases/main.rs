//! Compares k8s-strategic-merge-patch with Kubernetes' own code, on random documents: see
//! `tests/reference/run`.
//!
//! `patch_reference --program PROGRAM --seed N|fresh --cases N [--all]` compares our results with
//! the results of PROGRAM, the Go program of `../strategic`. With `--all`, a predicate that no case
//! needs is an error too. `--print` in place of `--program PROGRAM` prints the cases of random
//! schemas without running them, for `../recorded`.

mod compare;
mod explain;
mod mistakes;
mod object;
mod outcome;
mod patch;
#[path = "../crd_cases/reference.rs"]
mod reference;
mod repeated_queries;
mod schema;
mod shrink;

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::process::{Command, ExitCode};

use k8s_strategic_merge_patch::PatchSchema;
use serde_json::Value;

use compare::{Comparison, Pipes};
use object::Objects;
use outcome::{Case, OPS, Op, Outcome};
use patch::Patches;
use reference::Reference;
use schema::{Lookup, Schema};
use union_random::Random;

/// The number of cases of a random schema.
const BATCH: usize = 25;

/// Go types of the API, and the percentage of their fields that an object has.
const TYPES: [(&str, usize); 5] = [
    ("Deployment", 12),
    ("Pod", 12),
    ("Service", 30),
    ("PodDisruptionBudget", 40),
    ("Node", 25),
];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |name: &str| {
        arguments
            .iter()
            .skip_while(|argument| *argument != name)
            .nth(1)
    };
    let seed = match argument("--seed").map(String::as_str) {
        None | Some("fresh") => RandomState::new().hash_one(0),
        Some(seed) => seed.parse()?,
    };
    let count: usize = argument("--cases").ok_or("--cases N is uses")?.parse()?;
    if arguments.iter().any(|argument| argument == "--print") {
        return print(&mut Random::new(seed), count);
    }
    let program = argument("--program").ok_or("--program PROGRAM is uses")?;
    let requires_all_predicates = arguments.iter().any(|argument| argument == "--all");
    println!("strategic merge patches, seed {seed}");
    let types = go_types(program)?;
    let mut comparison = Comparison::new(Reference::start(program)?);
    let mut random = Random::new(seed);
    for _ in 0..count.div_ceil(BATCH) {
        batch(&mut random, &types, &mut comparison)?;
    }
    Ok(if comparison.finish(requires_all_predicates)? {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns the schemas of the Go types, as the Go program prints them.
fn go_types(program: &str) -> Result<Value, Box<dyn Error>> {
    let output = Command::new(program).arg("-schemas").output()?;
    let document: Value = serde_json::from_slice(&output.stdout)?;
    Ok(document["components"]["schemas"].clone())
}

/// Runs cases with one schema: the schema of a Go type, or a random schema in an `OpenAPI` v2 or v3
/// document.
fn batch(
    random: &mut Random,
    types: &Value,
    comparison: &mut Comparison,
) -> Result<(), Box<dyn Error>> {
    let (schema, share, pipes) = if random.chance(25) {
        let (name, share) = *random.pick(&TYPES);
        let schema = Schema {
            lookup: Lookup::Type(name),
            root: name,
            schemas: types.clone(),
        };
        (schema, share, Pipes::None)
    } else {
        let lookup = random.weighted(&[(2, Lookup::V3), (1, Lookup::V2)]);
        let pipes = random.weighted(&[
            (10, Pipes::None),
            (1, Pipes::AsOneWord),
            (1, Pipes::AsCommas),
        ]);
        (
            Schema::random(random, lookup, pipes != Pipes::None),
            40,
            pipes,
        )
    };
    let (schema, compiled) = comparison.use_schema(&schema, pipes)?;
    let objects = Objects {
        schema: &schema,
        share,
    };
    for _ in 0..BATCH {
        let case = case(random, &objects, &compiled);
        comparison.run(&schema, &compiled, &case)?;
    }
    Ok(())
}

/// The number of printed cases of a schema. There are more than in a comparison, so that chosen
/// cases share their schemas.
const PRINTED_BATCH: usize = 250;

/// Prints random cases, a line for each operation.
fn print(random: &mut Random, count: usize) -> Result<ExitCode, Box<dyn Error>> {
    for number in 0..count.div_ceil(PRINTED_BATCH) {
        let lookup = if number % 3 == 2 {
            Lookup::V2
        } else {
            Lookup::V3
        };
        let schema = Schema::random(random, lookup, false);
        let compiled = compare::compile(&schema)?;
        let objects = Objects {
            schema: &schema,
            share: 40,
        };
        for _ in 0..PRINTED_BATCH {
            let case = case(random, &objects, &compiled);
            for op in OPS {
                let mut line = schema.line();
                line["question"] = case.of_op(op).line_of(op.name(), 1);
                println!("{line}");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn case(random: &mut Random, objects: &Objects<'_>, compiled: &PatchSchema) -> Case {
    let original = objects.root(random);
    let document = |random: &mut Random| match random.below(100) {
        0..4 => objects.root(random),
        4..6 => Value::Null,
        6..12 => original.clone(),
        _ => objects.changed_root(random, &original),
    };
    let modified = document(random);
    let current = document(random);
    let mut case = Case {
        original,
        modified,
        current,
        ..Case::default()
    };
    if random.chance(3) {
        case.original = Value::Null;
    }
    let patch = |random: &mut Random, case: &Case| {
        let patches = Patches {
            schema: objects.schema,
            share: *random.pick(&[0, 5, 20, 40]),
        };
        let own_patch = |op| match Outcome::ours(compiled, op, case) {
            Outcome::Done(patch) => Some(patch),
            _ => None,
        };
        let made = match random.below(10) {
            0..3 => own_patch(Op::Diff),
            3..6 => own_patch(Op::Overwrite),
            _ => None,
        };
        match made {
            Some(patch) if random.chance(85) => patch,
            Some(patch) => patches.of(random, &patch),
            None => {
                let changed = objects.changed_root(random, &case.current);
                patches.of(random, &changed)
            }
        }
    };
    case.patch = patch(random, &case);
    for _ in 0..=random.below(3) {
        let next = patch(random, &case);
        case.patches.push(next);
    }
    case
}
