//! Rules for strings.

use super::errors::dotted::dotted;
use super::errors::sink::Sink;
use super::errors::{invalid, of_kind};
use super::flow::Flow;
use super::validation::{Validation, length};
use crate::schema::{Node, TextRules};
use k8s_json_internals::quote::Quoted;
use union_runtime::path::Path;
use union_runtime::{Found, Violation, ViolationKind};

impl Validation<'_> {
    pub(super) fn check_text<S: Sink>(
        &self,
        node: &Node,
        text: &str,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        if let Some(broken) = node.text.as_ref().and_then(|rules| broken(rules, text)) {
            sink.report(|| violation(&broken, text, path))?;
        }
        match self.format(node) {
            Some(format) if !format.accepts(text, self.formats) => sink.report(|| {
                let rule = format!("must be of type {}: {}", format.name, Quoted(text));
                of_kind(
                    ViolationKind::TypeInvalid,
                    path,
                    Found::Text(text.to_owned()),
                    &rule,
                )
            }),
            _ => Flow::Continue(()),
        }
    }
}

/// A rule that a string violates.
enum Broken<'r> {
    TooLong(i64),
    TooShort(i64),
    Pattern(&'r str),
    /// An invalid pattern, and the reason.
    BadPattern(&'r str, &'r str),
}

/// Returns the first rule that a string violates. Later rules are not checked.
fn broken<'r>(rules: &'r TextRules, text: &str) -> Option<Broken<'r>> {
    if rules.max_length.is_some() || rules.min_length.is_some() {
        // Lengths are counted in code points, and a string has at least as many bytes as code
        // points.
        let bytes = length(text.len());
        let is_long = rules.max_length.is_some_and(|most| bytes > most);
        let may_be_short = rules
            .min_length
            .is_some_and(|least| bytes < least.saturating_mul(4));
        if is_long || may_be_short {
            let count = length(text.chars().count());
            if let Some(most) = rules.max_length.filter(|most| count > *most) {
                return Some(Broken::TooLong(most));
            }
            if let Some(least) = rules.min_length.filter(|least| count < *least) {
                return Some(Broken::TooShort(least));
            }
        }
    }
    let pattern = rules.pattern.as_ref()?;
    match &pattern.regex {
        Ok(regex) => (!regex.is_match(text)).then_some(Broken::Pattern(&pattern.text)),
        Err(problem) => Some(Broken::BadPattern(&pattern.text, problem)),
    }
}

fn violation(broken: &Broken<'_>, text: &str, path: &Path<'_>) -> Violation {
    let found = || Found::Text(text.to_owned());
    match broken {
        Broken::TooLong(most) => {
            let bytes = if *most == 1 { "byte" } else { "bytes" };
            let detail = format!("may not be more than {most} {bytes}");
            let path = dotted(path);
            Violation::found(ViolationKind::TooLong, path, Found::Nothing, detail)
        }
        Broken::TooShort(least) => invalid(
            path,
            found(),
            &format!("should be at least {least} chars long"),
        ),
        Broken::Pattern(pattern) => invalid(path, found(), &format!("should match '{pattern}'")),
        Broken::BadPattern(pattern, problem) => {
            let rule = format!("should match '{pattern}, but pattern is invalid: {problem}'");
            invalid(path, found(), &rule)
        }
    }
}
