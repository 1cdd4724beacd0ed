//! Compares CRDs, version by version.

use std::collections::HashSet;

use serde_json::Value;
use union_json::document::{Crd, CrdVersion};

use super::consequences::Relation;
use super::pair::compare_versions;
use crate::error::CompareError;
use crate::judge::compiled_crd::CompiledCrd;
use crate::outside::findings_outside_schemas;
use crate::report::finding::{CrdReport, Finding, VersionReport};

/// Compares a CRD with the CRD that replaces it.
///
/// Each version that the new CRD serves is compared with the old version of the same name, or else
/// with the old storage version. Then the served versions of the new CRD are compared with each
/// other, unless a webhook converts them. Findings between served versions that the old CRD has too
/// are [`known`](VersionReport::known_findings).
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
    for new_version in served_versions(new_crd) {
        let name = new_version.name().unwrap_or_default();
        // A webhook may convert the stored objects to a version that is new.
        let stored_version = stored_version.filter(|_| !new_crd.is_converted_by_webhook());
        let Some(old_version) = old_crd.version(name).or(stored_version) else {
            continue;
        };
        let old_version = old_versions.version(old_version)?;
        let new_version = new_versions.version(new_version)?;
        let versions = compare_versions(old_version, new_version, Relation::Upgrade);
        report.versions.push(versions);
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
    let versions = served_versions(crd.crd);
    for (index, old) in versions.iter().enumerate() {
        for new in versions.iter().skip(index + 1) {
            let [old_version, new_version] = [crd.version(*old)?, crd.version(*new)?];
            let relation = Relation::ServedTogether;
            let mut found = compare_versions(old_version, new_version, relation);
            // Without findings, there are no findings that the earlier versions have too.
            if !found.findings.is_empty()
                && let Some(earlier_crd) = earlier_crd
                && let Some(earlier) = compare_earlier_versions(earlier_crd, [*old, *new])?
            {
                move_known(&mut found, &earlier);
            }
            report.versions.push(found);
        }
    }
    Ok(())
}

/// Returns the comparison of the versions with the same names in the earlier CRD, if it serves
/// both.
fn compare_earlier_versions(
    earlier_crd: &CompiledCrd<'_>,
    versions: [CrdVersion<'_>; 2],
) -> Result<Option<VersionReport>, CompareError> {
    let [old, new] = versions.map(|version| {
        let version = earlier_crd.crd.version(version.name()?)?;
        (version.served() != Some(false)).then_some(version)
    });
    let (Some(old), Some(new)) = (old, new) else {
        return Ok(None);
    };
    let [old, new] = [earlier_crd.version(old)?, earlier_crd.version(new)?];
    Ok(Some(compare_versions(old, new, Relation::ServedTogether)))
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
    let versions = crd.versions();
    versions
        .filter(|version| version.served() != Some(false))
        .collect()
}
