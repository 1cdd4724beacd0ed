//! Rules for strings.

use super::errors::dotted_path::to_dotted_path;
use super::errors::sink::ErrorSink;
use super::errors::{body_violation, invalid};
use super::flow::Flow;
use super::validation::{Validation, length};
use crate::schema::{Node, StringKeywords};
use k8s_json_internals::quote::GoQuoted;
use union_runtime::path::Path;
use union_runtime::{BadValue, Violation, ViolationKind};

impl Validation<'_> {
    pub(super) fn check_string<S: ErrorSink>(
        &self,
        node: &Node,
        text: &str,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        if let Some(broken) = node
            .string
            .as_ref()
            .and_then(|rules| find_string_violation(rules, text))
        {
            sink.report(|| violation(&broken, text, path))?;
        }
        match self.format(node) {
            Some(format) if !format.accepts(text, self.formats) => sink.report(|| {
                let rule = format!("must be of type {}: {}", format.name, GoQuoted(text));
                body_violation(
                    ViolationKind::TypeInvalid,
                    path,
                    BadValue::Quoted(text.to_owned()),
                    &rule,
                )
            }),
            _ => Flow::Continue(()),
        }
    }
}

/// A rule that a string violates.
enum StringViolation<'r> {
    TooLong(i64),
    TooShort(i64),
    PatternMismatch(&'r str),
    /// An invalid pattern, and the reason.
    InvalidPattern(&'r str, &'r str),
}

/// Returns the first rule that a string violates. Later rules are not checked.
fn find_string_violation<'r>(rules: &'r StringKeywords, text: &str) -> Option<StringViolation<'r>> {
    if rules.max_length.is_some() || rules.min_length.is_some() {
        // Lengths are counted in code points, and a string has at least as many bytes as code
        // points.
        let bytes = length(text.len());
        let is_long = rules
            .max_length
            .is_some_and(|max_length| bytes > max_length);
        let may_be_short = rules
            .min_length
            .is_some_and(|min_length| bytes < min_length.saturating_mul(4));
        if is_long || may_be_short {
            let count = length(text.chars().count());
            if let Some(max_length) = rules.max_length.filter(|max_length| count > *max_length) {
                return Some(StringViolation::TooLong(max_length));
            }
            if let Some(min_length) = rules.min_length.filter(|min_length| count < *min_length) {
                return Some(StringViolation::TooShort(min_length));
            }
        }
    }
    let pattern = rules.pattern.as_ref()?;
    match &pattern.regex {
        Ok(regex) => {
            (!regex.is_match(text)).then_some(StringViolation::PatternMismatch(&pattern.source))
        }
        Err(problem) => Some(StringViolation::InvalidPattern(&pattern.source, problem)),
    }
}

fn violation(broken: &StringViolation<'_>, text: &str, path: &Path<'_>) -> Violation {
    let found = || BadValue::Quoted(text.to_owned());
    match broken {
        StringViolation::TooLong(most) => {
            let bytes = if *most == 1 { "byte" } else { "bytes" };
            let detail = format!("may not be more than {most} {bytes}");
            let path = to_dotted_path(path);
            Violation::from_parts(ViolationKind::TooLong, path, BadValue::Omitted, detail)
        }
        StringViolation::TooShort(least) => invalid(
            path,
            found(),
            &format!("should be at least {least} chars long"),
        ),
        StringViolation::PatternMismatch(pattern) => {
            invalid(path, found(), &format!("should match '{pattern}'"))
        }
        StringViolation::InvalidPattern(pattern, problem) => {
            let rule = format!("should match '{pattern}, but pattern is invalid: {problem}'");
            invalid(path, found(), &rule)
        }
    }
}
