//! The checks of the JSON of a schema, before compilation.

use serde_json::Value;

use super::errors::{LintErrors, Severity};
use super::validation_options::ValidationOptions;
use super::walk::{SchemaVisit, VisitTime, walk};
use super::{keywords, lists, root, rules, structural};
use crate::schema::crd_path::CrdPath;
use crate::schema::depth::MAX_SCHEMA_DEPTH;
use crate::schema::raw::keywords::Keywords;
use k8s_cel::KubeVersion;
use k8s_cel::pattern::PatternSet;
use union_runtime::path::FieldPath;
use union_runtime::{Report, Violation};

/// The results of the checks of the JSON of a schema.
pub(in crate::compile) struct LintResult {
    /// The errors of single keywords and of the fields of rules.
    pub(super) keyword_errors: Vec<Violation>,
    /// The paths of schemas with errors. Rules at or around these paths are not compiled.
    pub(super) error_paths: Vec<FieldPath>,
    /// The errors of the root, and the errors that make the schema not structural.
    pub(super) structural_errors: Vec<Violation>,
    /// True if the schema is structural, and all patterns compile. Otherwise a server neither
    /// checks defaults nor compiles rules.
    pub(in crate::compile) is_structural: bool,
    pub(super) options: ValidationOptions,
}

impl LintResult {
    /// Returns an empty result, for a schema that is not checked.
    pub(in crate::compile) const fn without_errors() -> Self {
        Self {
            keyword_errors: Vec::new(),
            error_paths: Vec::new(),
            structural_errors: Vec::new(),
            is_structural: true,
            options: ValidationOptions::ALL,
        }
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
    let (mut errors, mut error_paths) = check_each(schema, path, options);
    let mut structural_errors = LintErrors::default();
    let mut is_structural = false;
    if errors.has(Severity::NotDecodable) {
        errors.retain(|error| error.severity == Severity::NotDecodable);
    } else if let Ok(props) = Keywords::decode(schema) {
        let is_convertible = !errors.has(Severity::NotConvertible);
        let schema_path = CrdPath::root(path);
        if is_convertible {
            structural::check_root(&props, &schema_path, version, &mut structural_errors);
            root::check_combinators(&props, &schema_path, &mut structural_errors);
            root::check_types(&props, &schema_path, version, &mut structural_errors);
            is_structural =
                structural_errors.is_empty() && !errors.iter().any(keywords::is_pattern_error);
            if !options.structural {
                structural_errors.clear();
            }
        }
        if !is_convertible || !options.structural {
            // A server compiles patterns only after the conversion to a structural schema.
            errors.retain(|error| !keywords::is_pattern_error(error));
        }
        let error_count_before = errors.len();
        root::check_meta(&props, &schema_path, true, &mut errors);
        let metadata_errors = errors.iter().skip(error_count_before);
        error_paths.extend(metadata_errors.map(|error| error.violation.path().clone()));
        root::check_nullable(&props, &schema_path, &mut structural_errors);
        if has_status {
            root::check_status(schema, &props, &schema_path, &mut structural_errors);
        }
        // A server reports `$schema` only in the error of the conversion, and that error only if
        // there is no other error.
        let dollar_schema_errors =
            errors.take(|error| keywords::is_dollar_schema_error(error, path));
        if options.structural && errors.is_empty() && structural_errors.is_empty() {
            errors.extend(dollar_schema_errors.into_iter().take(1));
        }
    }
    LintResult {
        keyword_errors: errors.into_violations(),
        error_paths,
        structural_errors: structural_errors.into_violations(),
        is_structural,
        options,
    }
}

/// Checks the keywords and the rules of each schema inside a schema. Returns the errors, and the
/// paths of the schemas with errors.
fn check_each(
    schema: &Value,
    root: &FieldPath,
    options: ValidationOptions,
) -> (LintErrors, Vec<FieldPath>) {
    let mut errors = LintErrors::default();
    let mut error_paths = Vec::new();
    let mut patterns = PatternSet::default();
    walk(
        schema,
        &CrdPath::root(root),
        MAX_SCHEMA_DEPTH,
        &mut errors,
        &mut |props, SchemaVisit { schema, path, time }, errors| {
            let error_count_before = errors.len();
            match time {
                VisitTime::BeforeChildren => {
                    keywords::check(props, path, root, options, &mut patterns, errors);
                    lists::check(props, path, options, errors);
                }
                VisitTime::AfterChildren { is_convertible } => {
                    // A server tests the path of a field only in a structural schema.
                    let field_schema = is_convertible.then_some(schema);
                    rules::check(props.validations, field_schema, path, errors);
                }
            }
            if errors.len() > error_count_before {
                error_paths.push(path.to_field_path());
            }
        },
    );
    (errors, error_paths)
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
    root: &FieldPath,
    preserves_unknown: bool,
) -> Result<bool, Report> {
    let mut errors = LintErrors::default();
    let mut patterns = PatternSet::default();
    walk(
        schema,
        &CrdPath::root(root),
        MAX_SCHEMA_DEPTH,
        &mut errors,
        &mut |props, SchemaVisit { path, time, .. }, errors| {
            if time == VisitTime::BeforeChildren {
                let options = ValidationOptions::ALL;
                keywords::check(props, path, root, options, &mut patterns, errors);
            }
        },
    );
    errors.retain(|error| error.severity != Severity::Recoverable);
    let is_structural = errors.is_empty();
    // The conversion does not read the schemas inside `definitions` and `dependencies`.
    let is_inner = keywords::is_inside_definitions_or_dependencies;
    errors.retain(|error| !is_inner(error.violation.path()));
    if preserves_unknown {
        errors.retain(|error| keywords::is_unsupported_keyword_error(error.violation.path()));
    }
    if errors.is_empty() {
        return Ok(is_structural);
    }
    Err(Report::from_iter(errors.into_violations()))
}
