//! Compares CRDs, version by version.

use serde_json::Value;
use union_json::document::{Crd, CrdVersion};

use crate::compare::compare::compare_related;
use crate::compare::relation::Relation;
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
    let (old_crd, new_crd) = (require_versions(old)?, require_versions(new)?);
    let stored_version = old_crd.stored_version();
    let mut reports = Vec::new();
    for name in served_names(new_crd) {
        let old_name = old_crd
            .version(name)
            .or(stored_version)
            .and_then(CrdVersion::name);
        let [old_version, new_version] = [
            ApiVersion::from_crd(old_crd.json(), old_name)?,
            ApiVersion::from_crd(new_crd.json(), Some(name))?,
        ];
        let report = compare_related(
            [&old_version, &new_version],
            Relation::Upgrade,
            None,
            &no_values,
        );
        reports.push(with_kind(report, new_crd, ""));
    }
    reports.extend(compare_served(new_crd, Some(old_crd))?);
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

/// Compares the served versions of a CRD. `earlier_crd` is the CRD before the change, if the CRD
/// changed.
fn compare_served(
    crd: Crd<'_>,
    earlier_crd: Option<Crd<'_>>,
) -> Result<Vec<CompatReport>, VersionError> {
    let version_pair = |crd: Crd<'_>, [old, new]: [&str; 2]| {
        Ok([
            ApiVersion::from_crd(crd.json(), Some(old))?,
            ApiVersion::from_crd(crd.json(), Some(new))?,
        ])
    };
    let earlier_crd = earlier_crd.filter(|earlier_crd| !earlier_crd.is_converted_by_webhook());
    let earlier_crd_and_names = earlier_crd.map(|crd| (crd, served_names(crd)));
    let names_of_served = served_names(crd);
    let mut reports = Vec::new();
    for (index, old) in names_of_served.iter().enumerate() {
        for new in names_of_served.iter().skip(index + 1) {
            let names = [*old, *new];
            let [old, new] = version_pair(crd, names)?;
            if old.schema() == new.schema() {
                continue;
            }
            let report = if crd.is_converted_by_webhook() {
                CompatReport {
                    notes: vec!["not compared, because a webhook converts them".to_owned()],
                    ..CompatReport::new([&old, &new])
                }
            } else {
                let earlier_crd = earlier_crd_and_names.as_ref().filter(|(_, earlier_names)| {
                    names.iter().all(|name| earlier_names.contains(name))
                });
                let earlier_versions = earlier_crd
                    .map(|(crd, _)| version_pair(*crd, names))
                    .transpose()?;
                let earlier_versions = earlier_versions.as_ref().map(|[old, new]| [old, new]);
                compare_related(
                    [&old, &new],
                    Relation::ServedTogether,
                    earlier_versions,
                    &no_values,
                )
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
fn served_names(crd: Crd<'_>) -> Vec<&str> {
    let served_versions = crd
        .versions()
        .filter(|version| version.served() != Some(false));
    served_versions.filter_map(CrdVersion::name).collect()
}
