//! Test that an update rejects exactly the errors that the comparator calls new, when it splits the
//! errors of a create.

use std::collections::BTreeMap;

use k8s_crd_validation::{RatchetingPolicy, ServerSettings, StructuralSchema};
use serde_json::Value;
use union_random::Random;
use union_runtime::comparator::Comparison;
use union_runtime::{Ratchet, Violation, ViolationKind};

use crate::world::{Counts, SchemaWithObjects};

/// Returns the errors that an update rejects and the errors that it tolerates, as the comparator
/// splits them.
pub(crate) fn by_comparator(
    schema: &StructuralSchema,
    [new, old]: [&Value; 2],
    policy: RatchetingPolicy,
) -> [Vec<Violation>; 2] {
    let mut new = new.clone();
    let report = schema.create(&mut new, &ServerSettings::default());
    let mut comparison = Comparison::new(schema.root(), &new, old);
    if policy == RatchetingPolicy::Kep4008 {
        comparison = comparison.with_deep_equality();
    }
    let split = comparison.split(report.errors().to_vec(), &[], Ratchet::Unchanged, |each| {
        (each.path().clone(), ())
    });
    [split.new, split.tolerated]
}

/// Counts equal violations. Violations about duplicates in lists are left out, because they have a
/// rule of their own.
pub(crate) fn count_messages(violations: &[Violation]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for violation in violations {
        if violation.kind() != ViolationKind::Duplicate {
            *counts.entry(violation.to_string()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn an_update_rejects_the_errors_that_are_new_to_the_comparator() {
    let mut counts = Counts::default();
    let (mut rejected, mut tolerated, mut accepted) = (0, 0, 0);
    for seed in 0..6000 {
        let random = &mut Random::new(seed);
        let SchemaWithObjects {
            schema,
            mut old,
            new,
        } = SchemaWithObjects::random(random, &mut counts);
        let compiled = StructuralSchema::compile(&schema)
            .unwrap_or_else(|errors| panic!("seed {seed}: {errors}\n{schema}"));
        // A create adds the defaults, so `old` becomes the stored object.
        let _ = compiled.create(&mut old, &ServerSettings::default());
        // The KEP tolerates no errors in these keywords.
        let text = schema.to_string();
        let is_combined =
            ["allOf", "anyOf", "oneOf", "not"].map(|name| text.contains(&format!("\"{name}\":")));
        for policy in [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008] {
            if policy == RatchetingPolicy::Kep4008 && is_combined.contains(&true) {
                continue;
            }
            let settings = ServerSettings::default().policy(policy);
            let report = compiled.update(&mut new.clone(), &old, &settings);
            let [new_errors, tolerated_errors] = by_comparator(&compiled, [&new, &old], policy);
            let context = || format!("seed {seed}, {policy:?}\n{schema}\nold: {old}\nnew: {new}");
            assert_eq!(
                count_messages(&new_errors),
                count_messages(report.errors()),
                "{}",
                context()
            );
            assert_eq!(
                count_messages(&tolerated_errors),
                count_messages(report.tolerated()),
                "{}",
                context()
            );
            rejected += new_errors.len();
            tolerated += tolerated_errors.len();
            accepted += usize::from(report.is_accepted() && !tolerated_errors.is_empty());
        }
    }
    counts.assert_complete();
    assert!(
        rejected > 1000 && tolerated > 1000 && accepted > 500,
        "{rejected} {tolerated} {accepted}"
    );
}
