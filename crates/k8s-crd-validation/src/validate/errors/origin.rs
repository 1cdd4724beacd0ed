//! The keywords that report errors.

use std::collections::HashMap;

use union_runtime::Violation;

/// The keyword of a schema that reports an error.
///
/// The author of a CRD writes the messages of rules, so the message of an error does not tell which
/// keyword the value violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorOrigin {
    /// The name of the keyword, such as `maxLength` or `x-kubernetes-validations`.
    pub keyword: &'static str,
    /// The index of the rule in `x-kubernetes-validations`. `None` for other keywords, and for
    /// errors that stop the evaluation of all rules of the value.
    pub rule_index: Option<usize>,
    /// The number of steps from the value with the schema to the path of the error: 1 for a missing
    /// field and for an element of a list with `x-kubernetes-list-type`, and the steps of
    /// `fieldPath` for a rule.
    pub steps_below: usize,
    /// True if the schema is a branch of `allOf`, `anyOf`, `oneOf` or `not`.
    pub is_in_combinator: bool,
}

impl ErrorOrigin {
    /// Returns the origin of an error at the value with the schema.
    pub(crate) const fn of_keyword(keyword: &'static str) -> Self {
        Self {
            keyword,
            rule_index: None,
            steps_below: 0,
            is_in_combinator: false,
        }
    }

    /// Returns the origin of an error at a child of the value with the schema.
    pub(crate) const fn at_child(keyword: &'static str) -> Self {
        Self {
            steps_below: 1,
            ..Self::of_keyword(keyword)
        }
    }
}

/// The origins of the errors of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct ErrorOrigins {
    /// A server reports each message once, so errors with the same message have one entry.
    by_message: HashMap<String, Vec<ErrorOrigin>>,
}

impl ErrorOrigins {
    pub(crate) fn add(&mut self, error: &Violation, origin: ErrorOrigin) {
        let origins = self.by_message.entry(error.to_string()).or_default();
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }

    /// Returns the origins of an error.
    pub(crate) fn get(&self, error: &Violation) -> &[ErrorOrigin] {
        let origins = self.by_message.get(&error.to_string());
        origins.map(Vec::as_slice).unwrap_or_default()
    }
}
