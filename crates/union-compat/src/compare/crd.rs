//! Compares CRDs, version by version.

use std::collections::HashSet;

use serde_json::Value;
use union_json::document::{Crd, CrdVersion};

use crate::compare::compare::compare_related;
use crate::compare::relation::Relation;
use crate::report::finding::{CONVERTED_BY_WEBHOOK, CompatReport};
use crate::version::compiled_versions::CompiledVersions;
use crate::version::error::VersionError;
use crate::world::value::no_values;

/// The start of the name of the old version in a report on versions that are served together.
pub(crate) const SERVED_TOGETHER: &str = "served together: ";

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
    let (old_versions, new_versions) = (
        CompiledVersions::new(old_crd),
        CompiledVersions::new(new_crd),
    );
    let stored_version = old_crd.stored_version();
    let mut reports = Vec::new();
    for name in served_names(new_crd) {
        let old_name = old_crd
            .version(name)
            .or(stored_version)
            .and_then(CrdVersion::name);
        let old_version = old_versions.version(old_name)?;
        let new_version = new_versions.version(Some(name))?;
        let report = compare_related(
            [&old_version, &new_version],
            Relation::Upgrade,
            None,
            &no_values,
        );
        reports.push(with_kind(report, new_crd, ""));
    }
    reports.extend(compare_served(&new_versions, Some(&old_versions))?);
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
    let versions = CompiledVersions::new(require_versions(crd)?);
    compare_served(&versions, None)
}

/// Compares the served versions of a CRD. `earlier` is the CRD before the change, if the CRD
/// changed.
fn compare_served(
    versions: &CompiledVersions<'_>,
    earlier: Option<&CompiledVersions<'_>>,
) -> Result<Vec<CompatReport>, VersionError> {
    let crd = versions.crd();
    let version_pair = |versions: &CompiledVersions<'_>, [old, new]: [&str; 2]| {
        Ok([versions.version(Some(old))?, versions.version(Some(new))?])
    };
    let earlier = earlier.filter(|earlier| !earlier.crd().is_converted_by_webhook());
    let earlier_names: HashSet<&str> = earlier
        .map(|earlier| served_names(earlier.crd()).into_iter().collect())
        .unwrap_or_default();
    let names_of_served = served_names(crd);
    let mut reports = Vec::new();
    for (index, old) in names_of_served.iter().enumerate() {
        for new in names_of_served.iter().skip(index + 1) {
            let names = [*old, *new];
            let [old, new] = version_pair(versions, names)?;
            if old.schema() == new.schema() {
                continue;
            }
            let report = if crd.is_converted_by_webhook() {
                CompatReport {
                    notes: vec![CONVERTED_BY_WEBHOOK.to_owned()],
                    ..CompatReport::new([&old, &new])
                }
            } else {
                let earlier =
                    earlier.filter(|_| names.iter().all(|name| earlier_names.contains(name)));
                let earlier_versions = earlier
                    .map(|earlier| version_pair(earlier, names))
                    .transpose()?;
                let earlier_versions = earlier_versions.as_ref().map(|[old, new]| [&**old, &**new]);
                compare_related(
                    [&old, &new],
                    Relation::ServedTogether,
                    earlier_versions,
                    &no_values,
                )
            };
            reports.push(with_kind(report, crd, SERVED_TOGETHER));
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
