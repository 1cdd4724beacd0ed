//! Compares whole CRDs: their unions and enums, and everything else.

use core::fmt;
use std::collections::HashMap;

use crd_compat::{CrdReport, Finding as Change, Keyword, Level, VersionReport};
use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};

use crate::compare::crd::{SERVED_TOGETHER, compare_crds, compare_versions};
use crate::report::finding::{ChangeCode, CompatReport, Finding};
use crate::version::error::VersionError;

/// The comparison of two CRDs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CrdComparison {
    /// The findings about unions and enums.
    pub unions: Vec<CompatReport>,
    /// The findings about everything else. A change that a finding in [`unions`](Self::unions)
    /// explains is not repeated.
    pub changes: CrdReport,
}

impl CrdComparison {
    /// Returns true if no finding is breaking, and if the new CRD accepts all objects that the old
    /// CRD accepts.
    #[must_use]
    pub fn is_compatible(&self) -> bool {
        self.unions.iter().all(CompatReport::is_compatible)
            && self.changes.is_below(Level::Tolerated)
    }

    /// Returns the comparison of the versions that a report on unions is about.
    #[must_use]
    pub fn changes_of(&self, unions: &CompatReport) -> Option<&VersionReport> {
        let mut versions = self.changes.versions.iter();
        versions.find(|version| is_about(unions, version))
    }
}

impl fmt::Display for CrdComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for report in &self.unions {
            write!(f, "{report}")?;
        }
        write!(f, "{}", self.changes)
    }
}

/// Compares a CRD with the CRD that replaces it: unions and enums as [`compare_crds`] does, and
/// everything else as [`crd_compat::compare_crds`] does.
///
/// # Errors
///
/// Returns an error if [`compare_crds`] or [`crd_compat::compare_crds`] does.
pub fn compare_whole_crds(old: &Value, new: &Value) -> Result<CrdComparison, VersionError> {
    let unions = compare_crds(&without_unserved_versions(old), new)?;
    let changes = crd_compat::compare_crds(old, new).map_err(VersionError::Crd)?;
    Ok(joined(unions, changes))
}

/// Compares the served versions of a CRD with each other: unions and enums as [`compare_versions`]
/// does, and everything else.
///
/// # Errors
///
/// Returns an error in the same cases as [`compare_whole_crds`].
pub fn compare_whole_versions(crd: &Value) -> Result<CrdComparison, VersionError> {
    let unions = compare_versions(crd)?;
    let changes = crd_compat::compare_served_versions(crd).map_err(VersionError::Crd)?;
    Ok(joined(unions, changes))
}

/// Asserts that a CRD is compatible with the CRD that it replaces. Use it in a test that compares
/// the committed CRD with the CRD of your kube-rs types.
///
/// ```
/// # use serde_json::json;
/// # let crd = |max: u64| json!({
/// #     "metadata": {"name": "shops.example.com"},
/// #     "spec": {
/// #         "group": "example.com", "scope": "Cluster",
/// #         "names": {"kind": "Shop", "plural": "shops"},
/// #         "versions": [{
/// #             "name": "v1", "served": true, "storage": true,
/// #             "schema": {"openAPIV3Schema": {
/// #                 "type": "object",
/// #                 "properties": {"tills": {"type": "integer", "maximum": max}},
/// #             }},
/// #         }],
/// #     },
/// # });
/// # let (committed, derived) = (crd(5), crd(9));
/// // serde_json::to_value(Shop::crd())? is the CRD of a kube-rs type.
/// union_compat::assert_crds_compatible(&committed, &derived);
/// ```
///
/// # Panics
///
/// Panics with the findings if the CRD is not [compatible](CrdComparison::is_compatible), and if
/// the CRDs cannot be compared.
#[track_caller]
pub fn assert_crds_compatible(old: &Value, new: &Value) {
    let failure = match compare_whole_crds(old, new) {
        Ok(comparison) => (!comparison.is_compatible()).then(|| comparison.to_string()),
        Err(error) => Some(error.to_string()),
    };
    assert!(failure.is_none(), "{}", failure.unwrap_or_default());
}

/// Returns a CRD without the versions that had no clients, except for the version in which objects
/// are stored: as in [`crd_compat::compare_crds`], no new version is compared with them.
fn without_unserved_versions(crd: &Value) -> Value {
    let mut crd = crd.clone();
    let versions = crd.pointer_mut("/spec/versions");
    if let Some(versions) = versions.and_then(Value::as_array_mut) {
        let field = |version: &Value, name: &str| version.get(name).and_then(Value::as_bool);
        versions.retain(|version| {
            field(version, "served") != Some(false) || field(version, "storage") == Some(true)
        });
    }
    crd
}

/// Joins the findings, without the changes that the unions explain, and without the findings about
/// versions whose schemas equal those of an earlier comparison.
fn joined(mut unions: Vec<CompatReport>, mut changes: CrdReport) -> CrdComparison {
    for report in &mut unions {
        let is_repeated =
            |version: &VersionReport| version.same_as.is_some() && is_about(report, version);
        if changes.versions.iter().any(is_repeated) {
            report.findings.clear();
            report.known_findings.clear();
            report.notes.clear();
        }
    }
    for version in &mut changes.versions {
        let reports = unions.iter_mut().filter(|report| is_about(report, version));
        reports.for_each(|report| report.remove_repetitions_of(version));
        let reports = unions.iter().filter(|report| is_about(report, version));
        let explaining =
            reports.flat_map(|report| report.findings.iter().chain(&report.known_findings));
        let explaining = Explanations::new(explaining);
        version.unproven.retain(|unproven| {
            let place = unproven.place.to_string();
            !explaining.by_pointer.contains_key(&*place)
        });
        let is_new = |change: &Change| !explaining.explain(change);
        version.findings.retain(is_new);
        version.known_findings.retain(is_new);
    }
    CrdComparison { unions, changes }
}

/// Returns true if both reports compare the same versions. The names in a report on unions contain
/// the kind.
fn is_about(unions: &CompatReport, version: &VersionReport) -> bool {
    let is_name =
        |name: &str, version: &str| name == version || name.ends_with(&format!(" {version}"));
    unions.old.starts_with(SERVED_TOGETHER) == version.is_served_together
        && is_name(&unions.old, &version.old)
        && is_name(&unions.new, &version.new)
}

/// The findings about unions and enums, by the pointer of their schema.
struct Explanations<'f> {
    by_pointer: HashMap<&'f str, Vec<&'f Finding>>,
}

impl<'f> Explanations<'f> {
    fn new(findings: impl Iterator<Item = &'f Finding>) -> Self {
        let mut by_pointer: HashMap<&str, Vec<&Finding>> = HashMap::new();
        for finding in findings {
            by_pointer
                .entry(&finding.pointer)
                .or_default()
                .push(finding);
        }
        Self { by_pointer }
    }

    /// Returns true if a finding explains a change: a finding at the same place, or at the object
    /// that contains the changed field.
    fn explain(&self, change: &Change) -> bool {
        let at = |place: &SchemaPath| {
            let findings = self.by_pointer.get(&*place.to_string());
            findings.map(Vec::as_slice).unwrap_or_default()
        };
        if at(&change.place)
            .iter()
            .any(|finding| explains(finding, change))
        {
            return true;
        }
        // A rule of an outer object may be a rule of the union.
        let mut findings = self.by_pointer.values().flatten();
        if change.keyword == Some(Keyword::Rule) && findings.any(|it| it.is_rejected_by(change)) {
            return true;
        }
        let (Some(parent), Some(SchemaStep::Property(name))) =
            (change.place.parent(), change.place.steps().next_back())
        else {
            return false;
        };
        at(&parent)
            .iter()
            .any(|finding| explains_member(finding, name, change))
    }
}

/// Returns true if a finding about a union or an enum explains a change at the same place.
fn explains(finding: &Finding, change: &Change) -> bool {
    let is_subject = |name: &str| finding.subjects.iter().any(|subject| subject == name);
    match change.keyword {
        Some(Keyword::Enum | Keyword::Default | Keyword::Nullable) => finding.is_about_enum,
        Some(keyword) if keyword == Keyword::Rule || keyword.is_combinator() => {
            finding.is_rejected_by(change) || finding.has_field_in(change)
        }
        Some(Keyword::Required) => {
            change.field.as_deref().is_some_and(is_subject) || is_about_discriminator(finding.code)
        }
        _ => finding.is_rejected_by(change),
    }
}

/// Returns true if a finding about a union explains a change of a field of the object: a member, or
/// the discriminator.
fn explains_member(finding: &Finding, name: &str, change: &Change) -> bool {
    !finding.is_about_enum
        && match change.keyword {
            Some(Keyword::Properties) => finding.fields.iter().any(|field| field == name),
            Some(Keyword::Enum) => is_about_value(finding.code),
            Some(Keyword::Default) => finding.code == ChangeCode::DefaultChanged,
            _ => false,
        }
}

const fn is_about_discriminator(code: ChangeCode) -> bool {
    matches!(
        code,
        ChangeCode::DiscriminatorAdded
            | ChangeCode::DiscriminatorRemoved
            | ChangeCode::DiscriminatorRenamed
            | ChangeCode::DiscriminatorRequired
            | ChangeCode::DiscriminatorOptional
    )
}

const fn is_about_value(code: ChangeCode) -> bool {
    matches!(
        code,
        ChangeCode::ValueRemoved
            | ChangeCode::ValueRenamed
            | ChangeCode::ValueAdded
            | ChangeCode::ValuesClosed
            | ChangeCode::ValuesOpened
    )
}
