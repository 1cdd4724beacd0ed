//! Tests that the comparator and a second implementation of its rules split the errors of any
//! validator in the same way.

use std::collections::BTreeMap;

use serde_json::Value;
use union_random::Random;
use union_runtime::Ratchet;
use union_runtime::comparator::Comparison;
use union_runtime::path::FieldPath;

use crate::paths::paths_of_values;
use crate::second::{Decision, decide_same_reason, decide_unchanged};
use crate::world::{Counts, NAMES, SchemaWithObjects};

type Error = (FieldPath, &'static str);

fn random_name(random: &mut Random) -> &'static str {
    NAMES[random.below(NAMES.len())]
}

/// Returns errors that a validator may find in an object: at values, and at missing fields.
fn random_errors(random: &mut Random, object: &Value) -> Vec<Error> {
    let mut errors = Vec::new();
    for path in paths_of_values(random, object) {
        for rule in ["type", "size"] {
            if random.chance(40) {
                errors.push((path.clone(), rule));
            }
        }
        if random.chance(20) {
            let missing_path = path.field(random_name(random));
            errors.push((missing_path.clone(), "required"));
            if random.chance(30) {
                errors.push((missing_path.key(random_name(random)), "required"));
            }
        }
    }
    errors
}

#[test]
fn errors_are_split_by_the_rules() {
    let mut counts = Counts::default();
    let mut decisions: BTreeMap<(&str, Decision), usize> = BTreeMap::new();
    for seed in 0..4000 {
        let random = &mut Random::new(seed);
        let SchemaWithObjects { schema, old, new } = SchemaWithObjects::random(random, &mut counts);
        let [new_errors, old_errors] = [&new, &old].map(|object| random_errors(random, object));
        let mut check =
            |policy: &'static str, is_deep, ratchet, decide: &dyn Fn(&Error) -> Decision| {
                let mut comparison = Comparison::new(&schema, &new, &old);
                if is_deep {
                    comparison = comparison.with_deep_equality();
                }
                let split =
                    comparison.split(new_errors.clone(), &old_errors, ratchet, Clone::clone);
                let is_tolerated = |error: &&Error| decide(error) != Decision::NotTolerated;
                let (tolerated, not_tolerated): (Vec<_>, Vec<_>) =
                    new_errors.iter().partition(is_tolerated);
                let context = || format!("seed {seed}, {policy}\n{schema}\nold: {old}\nnew: {new}");
                assert_eq!(
                    split.tolerated.iter().collect::<Vec<_>>(),
                    tolerated,
                    "{}",
                    context()
                );
                assert_eq!(
                    split.new.iter().collect::<Vec<_>>(),
                    not_tolerated,
                    "{}",
                    context()
                );
                for error in &new_errors {
                    *decisions.entry((policy, decide(error))).or_default() += 1;
                }
            };
        let pair = [&new, &old];
        check("server", false, Ratchet::Unchanged, &|(path, _)| {
            decide_unchanged(false, &schema, pair, path)
        });
        check("deep", true, Ratchet::Unchanged, &|(path, _)| {
            decide_unchanged(true, &schema, pair, path)
        });
        check("same reason", false, Ratchet::SameReason, &|error| {
            decide_same_reason(&schema, pair, error, &old_errors)
        });
    }
    counts.assert_complete();
    for (policy, decision) in [
        ("server", Decision::ValueUnchanged),
        ("server", Decision::OuterValueUnchanged),
        ("server", Decision::NotTolerated),
        ("deep", Decision::ValueUnchanged),
        ("deep", Decision::OuterValueUnchanged),
        ("deep", Decision::NotTolerated),
        ("same reason", Decision::SameRule),
        ("same reason", Decision::OuterValueUnchanged),
        ("same reason", Decision::NotTolerated),
    ] {
        let count = decisions
            .get(&(policy, decision))
            .copied()
            .unwrap_or_default();
        assert!(count > 1000, "{policy}, {decision:?}: {count}");
    }
}
