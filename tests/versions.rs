//! The verdicts of servers of each version on new and on stored CRDs, as the table of features
//! predicts them. `tests/reference/versions/run` compares the same CRDs with Kubernetes' code.

#[path = "reference/version_cases/cases.rs"]
mod cases;

use k8s_crd_validation::{KubeVersion, ViolationKind, crd};

use cases::VersionCase;

#[test]
fn crds_are_accepted_by_the_versions_of_the_table() {
    let (mut accepted, mut rejected) = (0, 0);
    for case in cases::all() {
        let stored = case.stored();
        for is_stored in [false, true] {
            for version in versions(&case, is_stored) {
                let review = crd::Review::new().version(version);
                let report = if is_stored {
                    review.update(&case.new, &stored)
                } else {
                    review.create(&case.new)
                };
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
    assert!(accepted > 1_000 && rejected > 400, "{accepted} {rejected}");
}

/// Returns the first and the last version, and the versions beside each change of the verdict.
fn versions(case: &VersionCase, is_stored: bool) -> Vec<KubeVersion> {
    let all: Vec<KubeVersion> = KubeVersion::all().collect();
    let verdict = |version: &KubeVersion| case.is_accepted(*version, is_stored);
    let pairs = all.windows(2);
    let changes = pairs.filter(|pair| verdict(&pair[0]) != verdict(&pair[1]));
    let mut versions: Vec<KubeVersion> = changes.flatten().copied().collect();
    versions.extend([KubeVersion::EARLIEST, KubeVersion::LATEST]);
    versions.sort_unstable();
    versions.dedup();
    versions
}
