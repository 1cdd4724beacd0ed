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
pub(crate) fn split_by_comparator(
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
    let split = comparison.split(
        report.errors().to_vec(),
        &[],
        Ratchet::Unchanged,
        |violation| (violation.path().clone(), ()),
    );
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
    let (mut rejected_count, mut tolerated_count, mut accepted_count) = (0, 0, 0);
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
        let has_combinator =
            ["allOf", "anyOf", "oneOf", "not"].map(|name| text.contains(&format!("\"{name}\":")));
        for policy in [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008] {
            if policy == RatchetingPolicy::Kep4008 && has_combinator.contains(&true) {
                continue;
            }
            let settings = ServerSettings::default().policy(policy);
            let report = compiled.update(&mut new.clone(), &old, &settings);
            let [new_errors, tolerated_errors] =
                split_by_comparator(&compiled, [&new, &old], policy);
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
            rejected_count += new_errors.len();
            tolerated_count += tolerated_errors.len();
            accepted_count += usize::from(report.is_accepted() && !tolerated_errors.is_empty());
        }
    }
    counts.assert_complete();
    assert!(
        rejected_count > 1000 && tolerated_count > 1000 && accepted_count > 500,
        "{rejected_count} {tolerated_count} {accepted_count}"
    );
}
