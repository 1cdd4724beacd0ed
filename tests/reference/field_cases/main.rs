//! Compares our reports of unknown fields and repeated keys with the API server's own code: see
//! `tests/reference/run`.
//!
//! `field_reference PROGRAM SEED|fresh CASES` sends bodies with mistakes in the names of fields, as
//! JSON and as YAML, to the server's handlers and to `k8s-crd-validation`: custom resources of
//! random schemas, and CRDs. PROGRAM is the Go program of `../crd`.

mod case;
mod library;
mod make;
mod mistakes;
mod names;
#[path = "../crd_cases/reference.rs"]
mod reference;
mod schemas;
mod tally;
mod tree;
mod types;

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::process::ExitCode;

use case::{Case, Validation};
use k8s_crd_validation::{StatusHandling, StructuralSchema};
use library::Answer;
use reference::Reference;
use tally::Tally;
use types::Structs;
use union_random::Random;

/// The number of cases of a schema.
const CASES_PER_SCHEMA: usize = 10;
/// The number of cases for each field of a CRD, with a mistake in the name of this field. Later
/// cases may have mistakes anywhere.
const CASES_PER_FIELD: usize = 5;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(program), Some(seed), Some(count)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("give the program, a seed or `fresh`, and the number of cases".into());
    };
    let seed = match seed.as_str() {
        "fresh" => RandomState::new().hash_one(0),
        seed => seed.parse()?,
    };
    let count: usize = count.parse()?;
    println!("unknown fields, seed {seed}");
    let mut random = Random::new(seed);
    let structs = Structs::of(&program).map_err(|error| -> Box<dyn Error> { error })?;
    let mut reference = Reference::start(&program)?;
    let mut tally = Tally::new(&structs);
    // Half of the cases are custom resources, and half are CRDs.
    for _ in 0..(count / 2).div_ceil(CASES_PER_SCHEMA) {
        let (schema, line) = case::schema(&mut random);
        let rejected = reference.ask(&line)?;
        if !rejected["errors"].is_null() {
            return Err(format!("a schema is rejected: {rejected}, {schema}").into());
        }
        let compiled = StructuralSchema::compiler()
            .status(StatusHandling::Subresource)
            .schema(&schema)
            .map_err(|report| format!("{report:?}, {schema}"))?;
        for _ in 0..CASES_PER_SCHEMA {
            let case = Case::custom(&schema, &structs, &mut random);
            run(
                &case,
                Some(&compiled),
                &mut random,
                &mut reference,
                &mut tally,
            )?;
        }
    }
    let fields: Vec<_> = structs.all().collect();
    for number in 0..count / 2 {
        let is_first = number < CASES_PER_FIELD * fields.len();
        let field = (is_first || random.chance(60)).then(|| fields[number % fields.len()]);
        let case = Case::crd(field, &structs, &mut random);
        run(&case, None, &mut random, &mut reference, &mut tally)?;
    }
    Ok(if tally.finish(&fields) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Compares the results of a request with strict field validation, and with another value of the
/// parameter `fieldValidation`.
fn run(
    case: &Case,
    schema: Option<&StructuralSchema>,
    random: &mut Random,
    reference: &mut Reference,
    tally: &mut Tally<'_>,
) -> Result<(), Box<dyn Error>> {
    const OTHERS: [Validation; 4] = [
        Validation::Warn,
        Validation::Warn,
        Validation::Unset,
        Validation::Ignore,
    ];
    for validation in [Validation::Strict, *random.pick(&OTHERS)] {
        let theirs = Answer::read(&reference.ask(&case.line(validation))?);
        let ours = library::answer(schema, case, validation);
        let (theirs, ours) = if schema.is_some() {
            (theirs, ours)
        } else {
            let ours = ours.about_crd(&theirs);
            (theirs.of_decoder(), ours)
        };
        tally.add(case, validation, &theirs, &ours);
    }
    Ok(())
}
