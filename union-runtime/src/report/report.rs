//! The result of a check, and the `Status` of a rejected request.

use super::changes::Changes;
use super::violation::{Violation, ViolationKind};
use crate::path::FieldPath;
use core::fmt;
use k8s_json_internals::optional_box::OptionalBox;
use k8s_json_internals::{print::write_lines, quote::GoQuoted, status::failure_status};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::LazyLock;

/// The result of a check: the errors of an object, the tolerated errors, the changes by
/// normalization, and warnings.
///
/// `Display` prints one error per line: the message of Kubernetes, and a remedy. An accepted
/// request has no errors. A report without any content does not allocate.
///
/// ```
/// use union_runtime::Union;
///
/// #[derive(Union, serde::Serialize, serde::Deserialize)]
/// struct Source {
///     #[union(member, group = source)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     a: Option<u32>,
///     #[union(member, group = source)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     b: Option<u32>,
/// }
///
/// let report = Source { a: Some(1), b: Some(2) }.validate_unions();
/// assert_eq!(
///     report.under(["spec"]).to_string(),
///     "spec: Invalid value: \"{a, b}\": must specify at most one of: `a`, `b`: \
///      remove all but one",
/// );
/// ```
///
/// To add errors of your own to a report, create a [`Violation`] for each error, and
/// [`push`](Self::push) or collect the violations.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use union_runtime::{ObjectRef, Report, Union, Violation};
///
/// #[derive(Union, Serialize, Deserialize)]
/// #[union(exactly_one)]
/// struct Source {
///     #[union(member, group = source)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     git: Option<String>,
///     #[union(member, group = source)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     bucket: Option<String>,
/// }
///
/// #[derive(Union, Serialize, Deserialize)]
/// struct Spec {
///     replicas: i32,
///     #[union(nested)]
///     source: Source,
/// }
///
/// /// Checks the unions of a spec, and a field that is not in a union.
/// fn check(spec: &Spec) -> Report {
///     let mut report = spec.validate_unions();
///     if spec.replicas < 0 {
///         report.push(Violation::invalid(["replicas"], spec.replicas, "must not be negative"));
///     }
///     report.under(["spec"])
/// }
///
/// let spec = Spec { replicas: -1, source: Source { git: None, bucket: None } };
/// let object = ObjectRef { group: "example.com", kind: "App", name: "web" };
/// let status = check(&spec).status(&object).expect("the spec is rejected");
/// assert_eq!(status["code"], 422);
/// let causes = &status["details"]["causes"];
/// assert_eq!(causes[0]["field"], "spec.source");
/// assert_eq!(causes[1]["message"], "Invalid value: -1: must not be negative");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report(OptionalBox<ReportParts>);

/// The parts of a report, for code that splits a report, or builds a report from more than errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportParts {
    /// The errors for which the object is rejected.
    pub errors: Vec<Violation>,
    /// Errors with the same message as an entry of `errors`, but at another path.
    pub repeated: Vec<Violation>,
    /// Tolerated errors, which are not new.
    pub tolerated: Vec<Violation>,
    /// The changes by normalization.
    pub changes: Changes,
    /// The warnings of an API server.
    pub warnings: Vec<String>,
    /// The errors that became warnings.
    pub warned: Vec<Violation>,
}

static EMPTY_PARTS: LazyLock<ReportParts> = LazyLock::new(ReportParts::default);

/// A reference to an object, for its `Status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectRef<'a> {
    /// The API group, or `""` for the core group.
    pub group: &'a str,
    /// The kind.
    pub kind: &'a str,
    /// The name of the object.
    pub name: &'a str,
}

impl Report {
    /// Returns the parts.
    #[must_use]
    pub fn parts(&self) -> &ReportParts {
        self.0.get().unwrap_or(&EMPTY_PARTS)
    }

    /// Returns the parts, mutably. The caller must add an error, a change or a warning. Otherwise
    /// an empty report would have parts, and would not be equal to an empty report without parts.
    pub(crate) fn parts_mut(&mut self) -> &mut ReportParts {
        self.0.get_or_insert_default()
    }

    /// Returns true if there are no errors.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.0.get().is_none_or(|parts| parts.errors.is_empty())
    }

    /// Returns the errors for which the object is rejected, in source order.
    pub fn errors(&self) -> &[Violation] {
        &self.parts().errors
    }

    /// Returns the tolerated errors, which are not new ([`Ratchet`]). API servers do not report
    /// tolerated errors.
    ///
    /// [`Ratchet`]: crate::Ratchet
    pub fn tolerated(&self) -> &[Violation] {
        &self.parts().tolerated
    }

    /// Returns the changes by normalization.
    pub fn changes(&self) -> &Changes {
        &self.parts().changes
    }

    /// Returns the warnings of an API server, such as CEL rules that failed on unchanged values.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.parts().warnings
    }

    /// Adds the changes of a normalization.
    #[doc(hidden)]
    #[must_use]
    pub fn with_changes(mut self, changes: Changes) -> Self {
        if !changes.is_empty() {
            self.parts_mut().changes.extend(changes.into_changes());
        }
        self
    }

    /// Adds an error.
    pub fn push(&mut self, violation: Violation) {
        self.parts_mut().errors.push(violation);
    }

    /// Adds all parts of another report on the same object.
    pub fn extend(&mut self, mut other: Self) {
        let Some(other) = other.0.take() else { return };
        let parts = self.parts_mut();
        parts.errors.extend(other.errors);
        parts.repeated.extend(other.repeated);
        parts.tolerated.extend(other.tolerated);
        parts.changes.extend(other.changes.into_changes());
        parts.warnings.extend(other.warnings);
        parts.warned.extend(other.warned);
    }

    /// Returns the report if the object is accepted.
    ///
    /// # Errors
    ///
    /// Returns the report as an error if the object is rejected.
    pub fn into_result(self) -> Result<Self, Self> {
        if self.is_accepted() {
            Ok(self)
        } else {
            Err(self)
        }
    }

    /// Returns the same report, with the path `outer` before each path, for an object that contains
    /// this object at `outer`.
    #[must_use]
    pub fn under(mut self, outer: impl Into<FieldPath>) -> Self {
        if let Some(parts) = self.0.get_mut() {
            let outer = outer.into();
            let lists = [
                &mut parts.errors,
                &mut parts.repeated,
                &mut parts.tolerated,
                &mut parts.warned,
            ];
            for violation in lists.into_iter().flatten() {
                violation.path = violation.path.under(&outer);
            }
            parts.changes = core::mem::take(&mut parts.changes).under(outer);
        }
        self
    }

    /// Returns the `details.causes` of a Kubernetes `Status`: a list of `{reason, message, field}`.
    #[must_use]
    pub fn causes(&self) -> Value {
        self.errors().iter().map(Violation::cause).collect()
    }

    /// Returns the Kubernetes `Status` with which an API server rejects the object, or `None` if
    /// the object is accepted. A webhook returns the `Status` as `response.status`.
    ///
    /// The reason is `Invalid` and the code is 422. If the object cannot be decoded, the reason is
    /// `BadRequest` and the code is 400.
    #[must_use]
    pub fn status(&self, object: &ObjectRef<'_>) -> Option<Value> {
        let (first_error, other_errors) = self.errors().split_first()?;
        if other_errors.is_empty() && first_error.kind() == ViolationKind::BadRequest {
            let message = first_error.to_string();
            return Some(failure_status(&message, "BadRequest", 400, None));
        }
        let mut messages: Vec<String> = self.errors().iter().map(ToString::to_string).collect();
        let mut seen_messages = HashSet::new();
        messages.retain(|message| seen_messages.insert(message.clone()));
        let errors = match messages.as_slice() {
            [message] => message.clone(),
            messages => format!("[{}]", messages.join(", ")),
        };
        let ObjectRef { group, kind, name } = *object;
        let dot = if group.is_empty() { "" } else { "." };
        let message = format!("{kind}{dot}{group} {} is invalid: {errors}", GoQuoted(name));
        let details =
            json!({ "name": name, "group": group, "kind": kind, "causes": self.causes() });
        Some(failure_status(&message, "Invalid", 422, Some(details)))
    }
}

impl From<ReportParts> for Report {
    fn from(parts: ReportParts) -> Self {
        Self((parts != *EMPTY_PARTS).then_some(parts).into())
    }
}

impl From<Report> for ReportParts {
    fn from(mut report: Report) -> Self {
        report.0.take().unwrap_or_default()
    }
}

/// Collects errors.
impl FromIterator<Violation> for Report {
    fn from_iter<I: IntoIterator<Item = Violation>>(errors: I) -> Self {
        Self::from(ReportParts {
            errors: Vec::from_iter(errors),
            ..ReportParts::default()
        })
    }
}

/// Serializes the report as
/// `{"errors":[{"field","text","type"}],"ratcheted":[...],"warnings":[...]}`, without the
/// [`changes`](Report::changes).
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({ "errors": self.errors(), "ratcheted": self.tolerated(), "warnings": self.warnings() })
            .serialize(serializer)
    }
}

/// Prints one error per line.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_lines(self.errors(), f)
    }
}

impl core::error::Error for Report {}
