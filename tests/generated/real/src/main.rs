//! Compares crd-to-rust with kopium on the CRDs of a folder: which kinds they refuse, which
//! generated types compile, and which objects the types read and write back.
//!
//! `tests/generated/real/run` builds the tools and starts this program.

mod crds;
mod objects;
mod pattern;
mod random_crds;
mod report;
mod tool;

use std::env;
use std::path::PathBuf;

use union_random::Random;

use crate::crds::KindCase;
use crate::objects::ObjectCase;
use crate::tool::Tool;

/// The seed of all random choices, so that a comparison can be repeated.
const SEED: u64 = 41;

fn main() {
    let mut arguments = env::args().skip(1);
    let mut next = |name: &str| {
        let argument = arguments.next();
        argument.unwrap_or_else(|| panic!("missing argument {name}; use tests/generated/real/run"))
    };
    let folder = PathBuf::from(next("DIR"));
    let random_count = next("RANDOM_COUNT").parse().unwrap();
    let unionctl = next("UNIONCTL");
    let kopium = next("KOPIUM");
    let out = PathBuf::from(next("OUT"));
    let mut random = Random::new(SEED);
    let mut kinds = KindCase::read_folder(&folder);
    let real_count = kinds.len();
    kinds.extend((0..random_count).map(|index| random_crds::kind_case(index, &mut random)));
    println!(
        "{real_count} kinds of {}, and {random_count} random kinds",
        folder.display()
    );
    let objects: Vec<ObjectCase> = kinds
        .iter()
        .flat_map(|kind| objects::objects_of(kind, &mut random))
        .collect();
    let valid_count = objects.iter().filter(|object| object.is_valid).count();
    println!(
        "{} objects, of which the CRDs accept {valid_count}",
        objects.len()
    );
    let tools = [Tool::unionctl(unionctl), Tool::kopium(kopium)];
    let results = tools.map(|tool| tool.run(&kinds, &objects, &out.join(tool.name)));
    report::print(&kinds, &objects, &results);
}
