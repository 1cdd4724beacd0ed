//! Compares `Comparison::split` with updates of custom resources by Kubernetes' own code: see
//! `tests/reference/run`.
//!
//! `comparator_reference PROGRAM SEED|fresh COUNT`: our code validates a new object as in a create,
//! and `Comparison::split` divides the errors into new and tolerated errors. The new errors must
//! equal the errors that PROGRAM, the Go program of `../crd`, returns for the update.

#[path = "../crd_cases/reference.rs"]
mod reference;
#[path = "../../comparator/world.rs"]
mod world;

use std::collections::BTreeMap;
use std::error::Error;
use std::hash::{BuildHasher as _, RandomState};

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use union_random::Random;
use union_runtime::comparator::{Comparison, RatchetedErrors};
use union_runtime::{Ratchet, Violation};

use reference::Reference;
use world::{Counts, SchemaWithObjects};

/// The counts of errors by type, field path and message.
type Errors = BTreeMap<[String; 3], usize>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, seed, count] = &arguments[..] else {
        return Err("needs PROGRAM SEED|fresh COUNT".into());
    };
    let seed = match &**seed {
        "fresh" => RandomState::new().hash_one(0),
        seed => seed.parse()?,
    };
    let count: usize = count.parse()?;
    let mut reference = Reference::start(program)?;
    let random = &mut Random::new(seed);
    let mut counts = Counts::default();
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut differ = 0;
    for _ in 0..count {
        let world = SchemaWithObjects::random(random, &mut counts);
        if !server_agrees(&mut reference, world, &mut outcomes)? {
            differ += 1;
        }
    }
    println!("comparator, seed {seed}: {count} updates, {differ} differ; errors: {outcomes:?}");
    if differ > 0 {
        return Err(format!("{differ} updates have different results").into());
    }
    counts.assert_complete();
    for outcome in [
        "rejected",
        "tolerated: its value",
        "tolerated: a value around",
    ] {
        if !outcomes.contains_key(outcome) {
            return Err(format!("no error had the outcome: {outcome}").into());
        }
    }
    Ok(())
}

/// Returns true if the server reports the same errors for the update, and prints a difference.
fn server_agrees(
    reference: &mut Reference,
    SchemaWithObjects {
        schema,
        mut old,
        new,
    }: SchemaWithObjects,
    outcomes: &mut BTreeMap<&str, usize>,
) -> Result<bool, Box<dyn Error>> {
    let lint = reference.ask(&json!({"use": {"schema": schema}}))?;
    if lint.get("errors").is_some() {
        return Err(format!("the server rejects the schema: {lint}\n{schema}").into());
    }
    let compiled = StructuralSchema::compile(&schema)?;
    let settings = ServerSettings::default();
    // The old object is stored with its defaults.
    drop(compiled.create(&mut old, &settings));
    let mut read = new.clone();
    let errors = compiled.create(&mut read, &settings).errors().to_vec();
    let comparison = Comparison::new(compiled.root(), &read, &old);
    let position = |error: &Violation| (error.path().clone(), ());
    let RatchetedErrors {
        new: rejected,
        tolerated,
    } = comparison.split(errors, &[], Ratchet::Unchanged, position);
    let has_own_old_value = |error: &&Violation| {
        let value = comparison.find(error.path());
        value.is_some_and(|value| value.old().is_some())
    };
    let tolerated_by_own_value = tolerated.iter().filter(has_own_old_value).count();
    for (outcome, count) in [
        ("rejected", rejected.len()),
        ("tolerated: its value", tolerated_by_own_value),
        (
            "tolerated: a value around",
            tolerated.len() - tolerated_by_own_value,
        ),
    ] {
        if count > 0 {
            *outcomes.entry(outcome).or_default() += count;
        }
    }
    let answer = reference.ask(&json!({"op": "update", "old": old, "new": new}))?;
    let theirs = answer["errors"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let (ours, theirs) = (
        count_errors(rejected.iter().map(|each| json!(each))),
        count_errors(theirs.iter().cloned()),
    );
    if ours != theirs {
        println!("{schema}\nold: {old}\nnew: {new}\nours: {ours:?}\ntheirs: {theirs:?}\n");
    }
    Ok(ours == theirs)
}

/// Counts errors. Ignores errors about duplicate elements, which have their own ratcheting rule.
fn count_errors(errors: impl Iterator<Item = Value>) -> Errors {
    let mut found = Errors::new();
    for error in errors {
        let parts = ["type", "field", "text"]
            .map(|name| error[name].as_str().unwrap_or_default().to_owned());
        if parts[0] != "FieldValueDuplicate" {
            *found.entry(parts).or_default() += 1;
        }
    }
    found
}
