//! The checks of a compiled schema.

use super::defaults;
use super::errors::LintErrors;
use super::raw_schema::LintResult;
use crate::schema::StructuralSchema;
use k8s_cel::KubeVersion;
use union_runtime::Violation;
use union_runtime::path::FieldPath;

/// Returns all errors for which an API server of a version rejects a compiled structural schema,
/// including the errors in `raw_result`: the result of [`lint`](super::lint) for the same schema.
pub(in crate::compile) fn lint_compiled(
    schema: &StructuralSchema,
    path: &FieldPath,
    version: KubeVersion,
    raw_result: LintResult,
) -> Vec<Violation> {
    let LintResult {
        mut keyword_errors,
        error_paths,
        mut structural_errors,
        options,
        ..
    } = raw_result;
    let default_errors = collect_violations(|errors| {
        defaults::check(schema, path, options, version, errors);
    });
    // An API server does not compile rules if a default is invalid.
    if let (Some(compiled_rules), true) = (&schema.compiled_rules, default_errors.is_empty()) {
        structural_errors.extend(compiled_rules.lint(schema, path, options, error_paths));
    }
    keyword_errors.extend(default_errors);
    keyword_errors.extend(structural_errors);
    keyword_errors
}

/// Returns the violations that `check` adds to an empty list.
fn collect_violations(check: impl FnOnce(&mut LintErrors)) -> Vec<Violation> {
    let mut errors = LintErrors::default();
    check(&mut errors);
    errors.into_violations()
}
