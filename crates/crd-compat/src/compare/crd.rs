//! Compares CRDs, version by version.

use std::collections::HashSet;

use serde_json::Value;
use union_json::document::{Crd, CrdVersion};

use super::pair::compare_versions;
use super::same_pairs::{ComparedPairs, Pair};
use crate::error::CompareError;
use crate::judge::compiled_crd::CompiledCrd;
use crate::judge::judged_version::JudgedVersion;
use crate::outside::{findings_outside_schemas, is_served};
use crate::report::finding::{CrdReport, Finding, VersionReport};
use crate::report::wording::Relation;

/// Compares a CRD with the CRD that replaces it.
///
/// Each version that the new CRD serves is compared with the old version of the same name, or else
/// with the old storage version. An old version that was not served had no clients, so the new
/// version is compared as if the old CRD did not have the version. Then the served versions of the
/// new CRD are compared with each other, unless a webhook converts them. Findings between served
/// versions that the old CRD has too are [`known`](VersionReport::known_findings). Versions with
/// the same schemas as those of an earlier comparison are
/// [not compared again](VersionReport::same_as).
///
/// ```
/// use crd_compat::{Level, compare_crds};
/// use serde_json::json;
///
/// let crd = |min_length: u64| json!({
///     "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
///     "metadata": {"name": "shops.example.com"},
///     "spec": {
///         "group": "example.com", "scope": "Namespaced",
///         "names": {"kind": "Shop", "plural": "shops"},
///         "versions": [{
///             "name": "v1", "served": true, "storage": true,
///             "schema": {"openAPIV3Schema": {
///                 "type": "object",
///                 "properties": {"town": {"type": "string", "minLength": min_length}},
///             }},
///         }],
///     },
/// });
/// let report = compare_crds(&crd(1), &crd(3))?;
/// let finding = report.all_findings().next().unwrap();
/// assert_eq!((finding.code, finding.level), ("min-length-tightened", Level::Tolerated));
/// assert_eq!(finding.proof.as_ref().unwrap().object["town"], json!("a"));
/// # Ok::<(), crd_compat::CompareError>(())
/// ```
///
/// # Errors
///
/// Returns an error if a document is not a CRD with versions, if a version has no schema, or if an
/// API server cannot serve a schema.
pub fn compare_crds(old: &Value, new: &Value) -> Result<CrdReport, CompareError> {
    let [old_crd, new_crd] = [require_versions(old)?, require_versions(new)?];
    let [old_versions, new_versions] = [old_crd, new_crd].map(CompiledCrd::new);
    let mut report = CrdReport {
        findings: findings_outside_schemas(old_crd, new_crd),
        versions: Vec::new(),
    };
    let stored_version = old_crd.stored_version();
    let mut compared = ComparedPairs::default();
    for new_version in served_versions(new_crd) {
        let name = new_version.name().unwrap_or_default();
        // A webhook may convert the stored objects to a version that is new.
        let stored_version = stored_version.filter(|_| !new_crd.is_converted_by_webhook());
        let served_version = old_crd.version(name).filter(is_served);
        let Some(old_version) = served_version.or(stored_version) else {
            continue;
        };
        let old_version = old_versions.version(old_version)?;
        let new_version = new_versions.version(new_version)?;
        let pair = Pair {
            versions: [old_version, new_version],
            earlier: None,
        };
        let same_report = compared.same_report(pair, Relation::Upgrade);
        report.versions.push(
            same_report
                .unwrap_or_else(|| compare_versions(old_version, new_version, Relation::Upgrade)),
        );
    }
    add_served_versions(&mut report, &new_versions, Some(&old_versions))?;
    Ok(report)
}

/// Compares the served versions of a CRD with each other: an object that a client writes through
/// one version is read and written through another.
///
/// # Errors
///
/// Returns an error in the same cases as [`compare_crds`].
pub fn compare_served_versions(crd: &Value) -> Result<CrdReport, CompareError> {
    let mut report = CrdReport::default();
    let versions = CompiledCrd::new(require_versions(crd)?);
    add_served_versions(&mut report, &versions, None)?;
    Ok(report)
}

/// Adds the comparisons of the served versions of a CRD with each other.
fn add_served_versions(
    report: &mut CrdReport,
    crd: &CompiledCrd<'_>,
    earlier_crd: Option<&CompiledCrd<'_>>,
) -> Result<(), CompareError> {
    if crd.crd.is_converted_by_webhook() {
        return Ok(());
    }
    let earlier_crd = earlier_crd.filter(|earlier| !earlier.crd.is_converted_by_webhook());
    let mut compared = ComparedPairs::default();
    let versions = served_versions(crd.crd);
    for (index, old) in versions.iter().enumerate() {
        for new in versions.iter().skip(index + 1) {
            let pair = Pair {
                versions: [crd.version(*old)?, crd.version(*new)?],
                earlier: earlier_versions(earlier_crd, [*old, *new])?,
            };
            let same_report = compared.same_report(pair, Relation::ServedTogether);
            report
                .versions
                .push(same_report.unwrap_or_else(|| compare_served_pair(pair)));
        }
    }
    Ok(())
}

/// Returns the comparison of versions that are served together.
fn compare_served_pair(pair: Pair<'_>) -> VersionReport {
    let compare =
        |[old, new]: [&JudgedVersion<'_>; 2]| compare_versions(old, new, Relation::ServedTogether);
    let mut report = compare(pair.versions);
    // Without findings, there are no findings that the earlier versions have too.
    if !report.findings.is_empty()
        && let Some(earlier) = pair.earlier
    {
        move_known(&mut report, &compare(earlier));
    }
    report
}

/// Returns the versions with the same names in the earlier CRD, if it serves both.
fn earlier_versions<'c>(
    earlier_crd: Option<&'c CompiledCrd<'_>>,
    versions: [CrdVersion<'_>; 2],
) -> Result<Option<[&'c JudgedVersion<'c>; 2]>, CompareError> {
    let Some(earlier_crd) = earlier_crd else {
        return Ok(None);
    };
    let [old, new] = versions.map(|version| {
        let version = earlier_crd.crd.version(version.name()?);
        version.filter(is_served)
    });
    let (Some(old), Some(new)) = (old, new) else {
        return Ok(None);
    };
    Ok(Some([earlier_crd.version(old)?, earlier_crd.version(new)?]))
}

/// Moves the findings that the earlier versions have too.
fn move_known(report: &mut VersionReport, earlier: &VersionReport) {
    let earlier: HashSet<String> = earlier.findings.iter().map(Finding::identity).collect();
    let findings = std::mem::take(&mut report.findings);
    (report.known_findings, report.findings) = findings
        .into_iter()
        .partition(|finding| earlier.contains(&finding.identity()));
}

fn require_versions(document: &Value) -> Result<Crd<'_>, CompareError> {
    let crd = Crd::new(document);
    if crd.has_version_list() {
        Ok(crd)
    } else {
        Err(CompareError::NotACrd)
    }
}

fn served_versions(crd: Crd<'_>) -> Vec<CrdVersion<'_>> {
    crd.versions().filter(is_served).collect()
}
