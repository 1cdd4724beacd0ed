//! Compares union-runtime with Kubernetes' code for unions, on random cases: see
//! `tests/reference/run`.
//!
//! `union_reference PROGRAM SEED COUNT`: the Go program of `../unions`, the seed of the cases
//! (`fresh` for a new seed), and the number of cases of each subject.
//!
//! An intended difference has a *predicate*. From the case alone, the predicate predicts the
//! results of both sides. If the results are as predicted, the case counts as explained, not as
//! agreement. If not, the case is an unexplained difference.

mod apply;
mod group;
mod normalize;
mod object;
mod place;
mod prediction;
mod read;
mod reference;
mod schema;
mod state;
mod tally;
mod text;
mod validate;
mod walk;

use std::env;
use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::process::ExitCode;

use apply::Apply;
use normalize::Update;
use prediction::Predicate;
use reference::Reference;
use tally::Tally;
use union_random::Random;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [program, seed, count] = arguments.as_slice() else {
        return Err("usage: union_reference PROGRAM SEED|fresh COUNT".into());
    };
    let reference = Reference::new(program.into());
    let seed = match seed.as_str() {
        "fresh" => RandomState::new().hash_one(0),
        seed => seed.parse()?,
    };
    let count = count.parse()?;
    println!("unions, seed {seed}: once more by `tests/reference/run {seed}`");
    let mut all_good = true;
    let mut judge = |subject: &str, tally: Tally, predicates: &[Predicate]| {
        tally.print(subject);
        all_good &= tally.is_good(predicates);
    };
    let mut random = Random::new(seed);
    let tally = read::run(&reference, &mut random, count)?;
    judge("schema", tally, read::PREDICATES);
    let tally = group::run::<Update>(&reference, &mut random, count)?;
    judge("smd-normalize", tally, normalize::PREDICATES);
    let tally = group::run::<Apply>(&reference, &mut random, count)?;
    judge("smd-apply", tally, apply::PREDICATES);
    for (subject, predicates) in [
        ("validate-discriminated", validate::DISCRIMINATED),
        ("validate-union", validate::EXACTLY_ONE),
        ("validate-zero-or-one", validate::ZERO_OR_ONE),
    ] {
        let tally = validate::run(subject, &reference, &mut random, count)?;
        judge(subject, tally, predicates);
    }
    Ok(if all_good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
