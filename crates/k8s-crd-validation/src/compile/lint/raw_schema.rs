//! The checks of the JSON of a schema, before compilation.

use serde_json::Value;

use super::enforced_rules::EnforcedRules;
use super::errors::{LintErrors, Severity};
use super::walk::walk;
use super::{keywords, lists, root, structural};
use crate::schema::crd_path::CrdPath;
use crate::schema::depth::MAX_SCHEMA_DEPTH;
use crate::schema::raw::keywords::Keywords;
use k8s_cel::pattern::PatternSet;
use union_runtime::path::FieldPath;
use union_runtime::{Report, Violation};

/// The results of the checks of the JSON of a schema.
pub(in crate::compile) struct LintResult {
    /// The errors of single keywords.
    pub(super) errors: Vec<Violation>,
    /// The paths of schemas with errors. Rules at or around these paths are not compiled.
    pub(super) error_paths: Vec<FieldPath>,
    /// The errors of the root, and the errors that make the schema not structural.
    pub(super) others: Vec<Violation>,
    /// True if a server can decode the whole schema.
    pub(in crate::compile) is_decodable: bool,
    /// True if the schema is structural. Otherwise defaults and rules are not checked.
    pub(super) is_structural: bool,
    /// True if all patterns compile. Otherwise a server neither checks defaults nor compiles rules.
    pub(super) has_valid_patterns: bool,
    pub(super) enforced_rules: EnforcedRules,
}

impl LintResult {
    /// Returns the results without errors, for a schema that is not checked.
    pub(in crate::compile) const fn without_errors() -> Self {
        Self {
            errors: Vec::new(),
            error_paths: Vec::new(),
            others: Vec::new(),
            is_decodable: true,
            is_structural: true,
            has_valid_patterns: true,
            enforced_rules: EnforcedRules::ALL,
        }
    }

    /// Returns true if the schema is structural, even if a structural schema is not required.
    pub(in crate::compile) const fn is_structural(&self) -> bool {
        self.is_structural
    }

    /// Returns true if there are no errors so far.
    pub(in crate::compile) const fn has_no_errors(&self) -> bool {
        self.errors.is_empty() && self.others.is_empty()
    }

    pub(in crate::compile) fn into_violations(mut self) -> Vec<Violation> {
        self.errors.extend(self.others);
        self.errors
    }

    pub(in crate::compile) fn into_report(self) -> Report {
        Report::from_iter(self.into_violations())
    }
}

/// Returns the errors for which an API server rejects the JSON of a schema.
pub(in crate::compile) fn lint(
    schema: &Value,
    path: &FieldPath,
    has_status: bool,
    enforced_rules: EnforcedRules,
) -> LintResult {
    let (mut errors, mut wrong) = (LintErrors::default(), Vec::new());
    let mut patterns = PatternSet::default();
    let at = CrdPath::root(path);
    walk(
        schema,
        &at,
        MAX_SCHEMA_DEPTH,
        &mut errors,
        &mut |props, at, errors| {
            let before = errors.len();
            keywords::check(props, at, path, enforced_rules, &mut patterns, errors);
            lists::check(props, at, enforced_rules, errors);
            if errors.len() > before {
                wrong.push(at.to_field_path());
            }
        },
    );
    let mut others = LintErrors::default();
    let is_readable = !errors.iter().any(|error| error.severity == Severity::Fatal);
    if let (true, Ok(props)) = (is_readable, Keywords::decode(schema)) {
        structural::check_root(&props, &at, &mut others);
        root::check_combinators(&props, &at, &mut others);
        root::check_types(&props, &at, &mut others);
        let before = errors.len();
        root::check_meta(&props, &at, true, &mut errors);
        let of_meta = errors.iter().skip(before);
        wrong.extend(of_meta.map(|error| error.violation.path().clone()));
    }
    let is_structural = is_readable && others.is_empty();
    let has_sound_patterns = !errors
        .iter()
        .any(|error| keywords::is_pattern_error(error.violation.path()));
    if !enforced_rules.structural {
        others.clear();
    }
    if let Ok(props) = Keywords::decode(schema) {
        if is_readable {
            root::check_nullable(&props, &at, &mut others);
        }
        if has_status {
            root::check_status(schema, &props, &at, &mut others);
        }
    }
    LintResult {
        errors: errors.into_violations(),
        error_paths: wrong,
        others: others.into_violations(),
        is_decodable: is_readable,
        is_structural,
        has_valid_patterns: has_sound_patterns,
        enforced_rules,
    }
}

/// Returns true if a stored schema is structural, so that an API server serves it. A schema that is
/// not structural is served only if the CRD preserves unknown fields.
///
/// # Errors
///
/// Returns an error if a server does not serve the schema, or if this crate does not support the
/// schema. The messages are the messages with which a server rejects the CRD.
pub(in crate::compile) fn is_served_structural(
    schema: &Value,
    path: &FieldPath,
    preserves_unknown: bool,
) -> Result<bool, Report> {
    let mut errors = LintErrors::default();
    let mut patterns = PatternSet::default();
    let at = CrdPath::root(path);
    walk(
        schema,
        &at,
        MAX_SCHEMA_DEPTH,
        &mut errors,
        &mut |props, at, errors| {
            keywords::check(props, at, path, EnforcedRules::ALL, &mut patterns, errors);
        },
    );
    errors.retain(|error| error.severity == Severity::Fatal);
    let is_structural = errors.is_empty();
    if preserves_unknown {
        errors.retain(|error| keywords::is_unsupported_keyword_error(error.violation.path()));
    }
    if errors.is_empty() {
        return Ok(is_structural);
    }
    Err(Report::from_iter(errors.into_violations()))
}
