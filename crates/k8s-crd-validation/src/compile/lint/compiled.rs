//! The checks of a compiled schema.

use super::errors::Errors;
use super::written::Linted;
use super::{defaults, rules};
use crate::schema::StructuralSchema;
use union_runtime::Violation;
use union_runtime::path::FieldPath;

/// Returns all errors for which an API server rejects a compiled structural schema, including the
/// errors of the written schema.
pub(in crate::compile) fn lint_compiled(
    schema: &StructuralSchema,
    path: &FieldPath,
    written: Linted,
) -> Vec<Violation> {
    let Linted {
        mut errors,
        mut wrong,
        mut others,
        is_structural,
        has_sound_patterns,
        demands,
        ..
    } = written;
    let of_rules = found(|errors| rules::check(schema, path, errors));
    wrong.extend(of_rules.iter().map(|error| error.path().clone()));
    errors.extend(of_rules);
    if is_structural && has_sound_patterns {
        let of_defaults = found(|errors| defaults::check(schema, path, demands, errors));
        // Seen: rules are not compiled if a default is invalid.
        if let (Some(programs), true) = (&schema.programs, of_defaults.is_empty()) {
            others.extend(programs.lint(schema, path, demands, wrong));
        }
        errors.extend(of_defaults);
    }
    errors.extend(others);
    errors
}

fn found(check: impl FnOnce(&mut Errors)) -> Vec<Violation> {
    let mut errors = Errors::default();
    check(&mut errors);
    errors.into_violations()
}
