//! The verdicts of servers of each version on new and on stored CRDs, as the table of features
//! predicts them. `tests/reference/versions/run` compares the same CRDs with Kubernetes' code.

#[path = "reference/version_cases/cases.rs"]
mod cases;

use k8s_crd_validation::{KubeVersion, ViolationKind, crd};

#[test]
fn crds_are_accepted_by_the_versions_of_the_table() {
    let (mut accepted, mut rejected) = (0, 0);
    for case in cases::all() {
        let stored = case.stored();
        for version in KubeVersion::all() {
            let review = crd::Review::new().version(version);
            for (is_stored, report) in [
                (false, review.create(&case.new)),
                (true, review.update(&case.new, &stored)),
            ] {
                // The table does not predict costs.
                let mut errors = report.errors().iter();
                let is_accepted = errors.all(|error| error.kind() == ViolationKind::Forbidden);
                let wanted = case.is_accepted(version, is_stored);
                let name = &case.name;
                assert_eq!(
                    is_accepted, wanted,
                    "{version}, stored {is_stored}: {name}: {report:?}"
                );
                *(if is_accepted {
                    &mut accepted
                } else {
                    &mut rejected
                }) += 1;
            }
        }
    }
    assert!(
        accepted > 4_000 && rejected > 2_000,
        "{accepted} {rejected}"
    );
}
