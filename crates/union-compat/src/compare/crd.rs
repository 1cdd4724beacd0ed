//! The comparison of CRDs, version by version.

use serde_json::Value;
use union_json::document::{Crd, CrdVersion};

use crate::compare::compare::{Relation, search};
use crate::report::finding::CompatReport;
use crate::version::error::VersionError;
use crate::version::version::ApiVersion;
use crate::world::value::no_values;

/// Compares a CRD with the CRD that replaces it. Each version that the new CRD serves is compared
/// with the old version of its name, or else with the stored one; then its served versions with
/// each other, as [`compare_versions`] does. Differences between served versions that the old CRD
/// has too are [`known`](CompatReport::known_findings).
///
/// # Errors
///
/// Returns an error if a document is not a CRD with versions, or if an API server cannot read one
/// of its schemas.
pub fn compare_crds(old: &Value, new: &Value) -> Result<Vec<CompatReport>, VersionError> {
    let (old, new) = (require_versions(old)?, require_versions(new)?);
    let stored = old.stored_version();
    let mut found = Vec::new();
    for name in served(new) {
        let was = old.version(name).or(stored).and_then(CrdVersion::name);
        let [before, after] = [
            ApiVersion::from_crd(old.json(), was)?,
            ApiVersion::from_crd(new.json(), Some(name))?,
        ];
        let comparison = search([&before, &after], Relation::Upgrade, None, &no_values);
        found.push(with_kind(comparison, new, ""));
    }
    found.extend(compare_served(new, Some(old))?);
    Ok(found)
}

/// Compares the served versions of a CRD with each other: the effect on objects that are written
/// through one version, and read and written through another. All versions have the same objects,
/// because a server without a conversion webhook changes only their `apiVersion`.
///
/// # Errors
///
/// Returns an error in the cases of [`compare_crds`].
pub fn compare_versions(crd: &Value) -> Result<Vec<CompatReport>, VersionError> {
    compare_served(require_versions(crd)?, None)
}

/// Compares the served versions of a CRD with each other. `earlier` is the CRD before the change.
fn compare_served(
    crd: Crd<'_>,
    earlier: Option<Crd<'_>>,
) -> Result<Vec<CompatReport>, VersionError> {
    let pair = |crd: Crd<'_>, [old, new]: [&str; 2]| {
        Ok([
            ApiVersion::from_crd(crd.json(), Some(old))?,
            ApiVersion::from_crd(crd.json(), Some(new))?,
        ])
    };
    let earlier = earlier.filter(|earlier| !earlier.is_converted_by_webhook());
    let earlier = earlier.map(|crd| (crd, served(crd)));
    let served = served(crd);
    let mut found = Vec::new();
    for (number, old) in served.iter().enumerate() {
        for new in served.iter().skip(number + 1) {
            let names = [*old, *new];
            let [old, new] = pair(crd, names)?;
            if old.schema() == new.schema() {
                continue;
            }
            let comparison = if crd.is_converted_by_webhook() {
                CompatReport {
                    notes: vec!["not compared, because a webhook converts them".to_owned()],
                    ..CompatReport::new([&old, &new])
                }
            } else {
                let earlier = earlier.as_ref();
                let earlier =
                    earlier.filter(|(_, served)| names.iter().all(|name| served.contains(name)));
                let earlier = earlier.map(|(crd, _)| pair(*crd, names)).transpose()?;
                let earlier = earlier.as_ref().map(|[old, new]| [old, new]);
                search([&old, &new], Relation::ServedTogether, earlier, &no_values)
            };
            found.push(with_kind(comparison, crd, "served together: "));
        }
    }
    Ok(found)
}

fn with_kind(mut comparison: CompatReport, crd: Crd<'_>, how: &str) -> CompatReport {
    let kind = crd.kind().unwrap_or_default();
    comparison.old = format!("{how}{kind} {}", comparison.old);
    comparison
}

fn require_versions(crd: &Value) -> Result<Crd<'_>, VersionError> {
    let crd = Crd::new(crd);
    let has_versions = crd.versions().len() > 0;
    has_versions.then_some(crd).ok_or(VersionError::NoVersions)
}

/// Returns the names of the versions, except versions with `served: false`.
fn served(crd: Crd<'_>) -> Vec<&str> {
    let served = crd
        .versions()
        .filter(|version| version.served() != Some(false));
    served.filter_map(CrdVersion::name).collect()
}
