//! Compares `Comparison::split` with updates of custom resources by Kubernetes' own code: see
//! `tests/reference/run`.
//!
//! `comparator_reference PROGRAM SEED|fresh COUNT`: a create by our code finds the errors of a new
//! object, and `Comparison::split` divides them into new and tolerated errors. The program,
//! `../crd`, returns the errors of the update.

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
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    let mut differ = 0;
    for _ in 0..count {
        let world = SchemaWithObjects::random(random, &mut counts);
        if !is_split_as_the_server_does(&mut reference, world, &mut ways)? {
            differ += 1;
        }
    }
    println!("comparator, seed {seed}: {count} updates, {differ} differ; errors: {ways:?}");
    if differ > 0 {
        return Err(format!("{differ} updates are answered otherwise").into());
    }
    counts.assert_complete();
    for way in [
        "refused",
        "tolerated: its value",
        "tolerated: a value around",
    ] {
        if !ways.contains_key(way) {
            return Err(format!("no error was {way}").into());
        }
    }
    Ok(())
}

fn is_split_as_the_server_does(
    reference: &mut Reference,
    SchemaWithObjects {
        schema,
        mut old,
        new,
    }: SchemaWithObjects,
    ways: &mut BTreeMap<&str, usize>,
) -> Result<bool, Box<dyn Error>> {
    let lint = reference.ask(&json!({"use": {"schema": schema}}))?;
    if lint.get("errors").is_some() {
        return Err(format!("the server does not take the schema: {lint}\n{schema}").into());
    }
    let compiled = StructuralSchema::compile(&schema)?;
    let settings = ServerSettings::default();
    // The old object is stored with its defaults.
    drop(compiled.create(&mut old, &settings));
    let mut read = new.clone();
    let errors = compiled.create(&mut read, &settings).errors().to_vec();
    let comparison = Comparison::new(compiled.root(), &read, &old);
    let tell = |error: &Violation| (error.path().clone(), ());
    let RatchetedErrors {
        new: refused,
        tolerated,
    } = comparison.split(errors, &[], Ratchet::Unchanged, tell);
    let is_of_its_value = |error: &&Violation| {
        let value = comparison.find(error.path());
        value.is_some_and(|value| value.old().is_some())
    };
    let of_its_value = tolerated.iter().filter(is_of_its_value).count();
    for (way, count) in [
        ("refused", refused.len()),
        ("tolerated: its value", of_its_value),
        ("tolerated: a value around", tolerated.len() - of_its_value),
    ] {
        if count > 0 {
            *ways.entry(way).or_default() += count;
        }
    }
    let answer = reference.ask(&json!({"op": "update", "old": old, "new": new}))?;
    let theirs = answer["errors"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let (ours, theirs) = (
        listed(refused.iter().map(|each| json!(each))),
        listed(theirs.iter().cloned()),
    );
    if ours != theirs {
        println!("{schema}\nold: {old}\nnew: {new}\nours: {ours:?}\ntheirs: {theirs:?}\n");
    }
    Ok(ours == theirs)
}

/// Counts errors, without duplicates in lists, which have their own ratcheting rule.
fn listed(errors: impl Iterator<Item = Value>) -> Errors {
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
