//! The checks of a compiled schema.

use super::errors::LintErrors;
use super::raw_schema::LintResult;
use super::{defaults, rules};
use crate::schema::StructuralSchema;
use k8s_cel::KubeVersion;
use union_runtime::Violation;
use union_runtime::path::FieldPath;

/// Returns all errors for which an API server of a version rejects a compiled structural schema,
/// including the errors of the JSON of the schema.
pub(in crate::compile) fn lint_compiled(
    schema: &StructuralSchema,
    path: &FieldPath,
    version: KubeVersion,
    written: LintResult,
) -> Vec<Violation> {
    let LintResult {
        mut errors,
        error_paths: mut wrong,
        mut others,
        is_structural,
        has_valid_patterns: has_sound_patterns,
        enforced_rules,
        ..
    } = written;
    let of_rules = collect_violations(|errors| rules::check(schema, path, errors));
    wrong.extend(of_rules.iter().map(|error| error.path().clone()));
    errors.extend(of_rules);
    if is_structural && has_sound_patterns {
        let of_defaults = collect_violations(|errors| {
            defaults::check(schema, path, enforced_rules, version, errors);
        });
        // An API server does not compile rules if a default is invalid.
        if let (Some(programs), true) = (&schema.compiled_rules, of_defaults.is_empty()) {
            others.extend(programs.lint(schema, path, enforced_rules, wrong));
        }
        errors.extend(of_defaults);
    }
    errors.extend(others);
    errors
}

fn collect_violations(check: impl FnOnce(&mut LintErrors)) -> Vec<Violation> {
    let mut errors = LintErrors::default();
    check(&mut errors);
    errors.into_violations()
}
