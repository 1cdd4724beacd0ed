//! Rules for strings.

use super::errors::dotted_path::to_dotted_path;
use super::errors::origin::ErrorOrigin;
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
        string: &str,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        if let Some(string_violation) = node
            .string
            .as_ref()
            .and_then(|keywords| find_string_violation(keywords, string))
        {
            sink.report(string_violation.origin(), || {
                violation(&string_violation, string, path)
            })?;
        }
        match self.format(node) {
            Some(format) if !format.accepts(string, self.formats) => {
                sink.report(ErrorOrigin::of_keyword("format"), || {
                    let rule = format!("must be of type {}: {}", format.name, GoQuoted(string));
                    body_violation(
                        ViolationKind::TypeInvalid,
                        path,
                        BadValue::Quoted(string.to_owned()),
                        &rule,
                    )
                })
            }
            _ => Flow::Continue(()),
        }
    }
}

/// A keyword that a string violates.
enum StringViolation<'r> {
    TooLong(i64),
    TooShort(i64),
    PatternMismatch(&'r str),
    /// An invalid pattern, and the reason.
    InvalidPattern(&'r str, &'r str),
}

impl StringViolation<'_> {
    const fn origin(&self) -> ErrorOrigin {
        ErrorOrigin::of_keyword(match self {
            Self::TooLong(_) => "maxLength",
            Self::TooShort(_) => "minLength",
            Self::PatternMismatch(_) | Self::InvalidPattern(..) => "pattern",
        })
    }
}

/// Returns the first keyword that a string violates. The keywords after it are not checked.
fn find_string_violation<'r>(
    keywords: &'r StringKeywords,
    string: &str,
) -> Option<StringViolation<'r>> {
    if keywords.max_length.is_some() || keywords.min_length.is_some() {
        // Lengths are counted in code points, and a code point has one to four bytes. Counting is
        // often unnecessary.
        let byte_count = length(string.len());
        let may_be_long = keywords
            .max_length
            .is_some_and(|max_length| byte_count > max_length);
        let may_be_short = keywords
            .min_length
            .is_some_and(|min_length| byte_count < min_length.saturating_mul(4));
        if may_be_long || may_be_short {
            let char_count = length(string.chars().count());
            if let Some(max_length) = keywords
                .max_length
                .filter(|max_length| char_count > *max_length)
            {
                return Some(StringViolation::TooLong(max_length));
            }
            if let Some(min_length) = keywords
                .min_length
                .filter(|min_length| char_count < *min_length)
            {
                return Some(StringViolation::TooShort(min_length));
            }
        }
    }
    let pattern = keywords.pattern.as_ref()?;
    match &pattern.regex {
        Ok(regex) => {
            (!regex.is_match(string)).then_some(StringViolation::PatternMismatch(&pattern.source))
        }
        Err(problem) => Some(StringViolation::InvalidPattern(&pattern.source, problem)),
    }
}

fn violation(string_violation: &StringViolation<'_>, string: &str, path: &Path<'_>) -> Violation {
    let bad_value = || BadValue::Quoted(string.to_owned());
    match string_violation {
        StringViolation::TooLong(max_length) => {
            let unit = if *max_length == 1 { "byte" } else { "bytes" };
            let detail = format!("may not be more than {max_length} {unit}");
            let path = to_dotted_path(path);
            Violation::from_parts(ViolationKind::TooLong, path, BadValue::Omitted, detail)
        }
        StringViolation::TooShort(min_length) => invalid(
            path,
            bad_value(),
            &format!("should be at least {min_length} chars long"),
        ),
        StringViolation::PatternMismatch(pattern) => {
            invalid(path, bad_value(), &format!("should match '{pattern}'"))
        }
        StringViolation::InvalidPattern(pattern, problem) => {
            let rule = format!("should match '{pattern}, but pattern is invalid: {problem}'");
            invalid(path, bad_value(), &rule)
        }
    }
}
