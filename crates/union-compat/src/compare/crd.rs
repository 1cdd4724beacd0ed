//! Compares CRDs, version by version.

use serde_json::Value;
use union_json::document::{Crd, CrdVersion};

use crate::compare::compare::{Relation, compare_related};
use crate::report::finding::CompatReport;
use crate::version::error::VersionError;
use crate::version::version::ApiVersion;
use crate::world::value::no_values;

/// Compares a CRD with the CRD that replaces it. Each version that the new CRD serves is compared
/// with the old version of the same name, or else with the old stored version. Then the served
/// versions are compared with each other, as [`compare_versions`] does. Differences between served
/// versions that the old CRD also has are [`known`](CompatReport::known_findings).
///
/// # Errors
///
/// Returns an error if a document is not a CRD with versions, or if an API server rejects one of
/// its schemas.
pub fn compare_crds(old: &Value, new: &Value) -> Result<Vec<CompatReport>, VersionError> {
    let (old, new) = (require_versions(old)?, require_versions(new)?);
    let stored = old.stored_version();
    let mut reports = Vec::new();
    for name in served(new) {
        let old_name = old.version(name).or(stored).and_then(CrdVersion::name);
        let [before, after] = [
            ApiVersion::from_crd(old.json(), old_name)?,
            ApiVersion::from_crd(new.json(), Some(name))?,
        ];
        let report = compare_related([&before, &after], Relation::Upgrade, None, &no_values);
        reports.push(with_kind(report, new, ""));
    }
    reports.extend(compare_served(new, Some(old))?);
    Ok(reports)
}

/// Compares the served versions of a CRD with each other: the effects on objects that a client
/// writes through one version and another client reads and writes through another. Without a
/// conversion webhook, a server changes only the `apiVersion` of an object between versions.
///
/// # Errors
///
/// Returns an error if [`compare_crds`] does.
pub fn compare_versions(crd: &Value) -> Result<Vec<CompatReport>, VersionError> {
    compare_served(require_versions(crd)?, None)
}

/// Compares the served versions of a CRD. `earlier` is the CRD before the change, if there is one.
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
    let mut reports = Vec::new();
    for (index, old) in served.iter().enumerate() {
        for new in served.iter().skip(index + 1) {
            let names = [*old, *new];
            let [old, new] = pair(crd, names)?;
            if old.schema() == new.schema() {
                continue;
            }
            let report = if crd.is_converted_by_webhook() {
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
                compare_related([&old, &new], Relation::ServedTogether, earlier, &no_values)
            };
            reports.push(with_kind(report, crd, "served together: "));
        }
    }
    Ok(reports)
}

fn with_kind(mut report: CompatReport, crd: Crd<'_>, prefix: &str) -> CompatReport {
    let kind = crd.kind().unwrap_or_default();
    report.old = format!("{prefix}{kind} {}", report.old);
    report
}

fn require_versions(crd: &Value) -> Result<Crd<'_>, VersionError> {
    let crd = Crd::new(crd);
    let has_versions = crd.versions().len() > 0;
    has_versions.then_some(crd).ok_or(VersionError::NoVersions)
}

/// Returns the names of the served versions. A version without `served` counts as served.
fn served(crd: Crd<'_>) -> Vec<&str> {
    let served = crd
        .versions()
        .filter(|version| version.served() != Some(false));
    served.filter_map(CrdVersion::name).collect()
}
