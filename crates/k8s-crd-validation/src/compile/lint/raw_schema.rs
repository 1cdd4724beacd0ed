//! The checks of the JSON of a schema, before compilation.

use serde_json::Value;

use super::errors::{LintErrors, Severity};
use super::validation_options::ValidationOptions;
use super::walk::walk;
use super::{keywords, lists, root, structural};
use crate::schema::crd_path::CrdPath;
use crate::schema::depth::MAX_SCHEMA_DEPTH;
use crate::schema::raw::keywords::Keywords;
use k8s_cel::KubeVersion;
use k8s_cel::pattern::PatternSet;
use union_runtime::path::FieldPath;
use union_runtime::{Report, Violation};

/// The results of the checks of the JSON of a schema.
pub(in crate::compile) struct LintResult {
    /// The errors of single keywords.
    pub(super) keyword_errors: Vec<Violation>,
    /// The paths of schemas with errors. Rules at or around these paths are not compiled.
    pub(super) error_paths: Vec<FieldPath>,
    /// The errors of the root, and the errors that make the schema not structural.
    pub(super) structural_errors: Vec<Violation>,
    /// True if a server can decode the whole schema.
    pub(in crate::compile) is_decodable: bool,
    /// True if the schema is structural. Otherwise defaults and rules are not checked.
    pub(super) is_structural: bool,
    /// True if all patterns compile. Otherwise a server neither checks defaults nor compiles rules.
    pub(super) has_valid_patterns: bool,
    pub(super) options: ValidationOptions,
}

impl LintResult {
    /// Returns an empty result, for a schema that is not checked.
    pub(in crate::compile) const fn without_errors() -> Self {
        Self {
            keyword_errors: Vec::new(),
            error_paths: Vec::new(),
            structural_errors: Vec::new(),
            is_decodable: true,
            is_structural: true,
            has_valid_patterns: true,
            options: ValidationOptions::ALL,
        }
    }

    /// Returns true if the schema is structural. The result does not depend on
    /// [`ValidationOptions::structural`].
    pub(in crate::compile) const fn is_structural(&self) -> bool {
        self.is_structural
    }

    /// Returns true if there are no errors so far.
    pub(in crate::compile) const fn has_no_errors(&self) -> bool {
        self.keyword_errors.is_empty() && self.structural_errors.is_empty()
    }

    pub(in crate::compile) fn into_violations(mut self) -> Vec<Violation> {
        self.keyword_errors.extend(self.structural_errors);
        self.keyword_errors
    }

    pub(in crate::compile) fn into_report(self) -> Report {
        Report::from_iter(self.into_violations())
    }
}

/// Returns the errors for which an API server of a version rejects the JSON of a schema.
pub(in crate::compile) fn lint(
    schema: &Value,
    path: &FieldPath,
    has_status: bool,
    options: ValidationOptions,
    version: KubeVersion,
) -> LintResult {
    let mut errors = LintErrors::default();
    let mut error_paths = Vec::new();
    let mut patterns = PatternSet::default();
    let schema_path = CrdPath::root(path);
    walk(
        schema,
        &schema_path,
        MAX_SCHEMA_DEPTH,
        &mut errors,
        &mut |props, schema_path, errors| {
            let error_count_before = errors.len();
            keywords::check(props, schema_path, path, options, &mut patterns, errors);
            lists::check(props, schema_path, options, errors);
            if errors.len() > error_count_before {
                error_paths.push(schema_path.to_field_path());
            }
        },
    );
    let mut structural_errors = LintErrors::default();
    let is_decodable = !errors.iter().any(|error| error.severity == Severity::Fatal);
    if let (true, Ok(props)) = (is_decodable, Keywords::decode(schema)) {
        structural::check_root(&props, &schema_path, version, &mut structural_errors);
        root::check_combinators(&props, &schema_path, &mut structural_errors);
        root::check_types(&props, &schema_path, &mut structural_errors);
        let error_count_before = errors.len();
        root::check_meta(&props, &schema_path, true, &mut errors);
        let metadata_errors = errors.iter().skip(error_count_before);
        error_paths.extend(metadata_errors.map(|error| error.violation.path().clone()));
    }
    let is_structural = is_decodable && structural_errors.is_empty();
    let has_valid_patterns = !errors
        .iter()
        .any(|error| keywords::is_pattern_error(error.violation.path()));
    if !options.structural {
        structural_errors.clear();
    }
    if let Ok(props) = Keywords::decode(schema) {
        if is_decodable {
            root::check_nullable(&props, &schema_path, &mut structural_errors);
        }
        if has_status {
            root::check_status(schema, &props, &schema_path, &mut structural_errors);
        }
    }
    LintResult {
        keyword_errors: errors.into_violations(),
        error_paths,
        structural_errors: structural_errors.into_violations(),
        is_decodable,
        is_structural,
        has_valid_patterns,
        options,
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
    let schema_path = CrdPath::root(path);
    walk(
        schema,
        &schema_path,
        MAX_SCHEMA_DEPTH,
        &mut errors,
        &mut |props, schema_path, errors| {
            keywords::check(
                props,
                schema_path,
                path,
                ValidationOptions::ALL,
                &mut patterns,
                errors,
            );
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
