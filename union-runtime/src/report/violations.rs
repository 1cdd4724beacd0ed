//! All that is wrong with an object, and the answer that says so.

use super::changes::Changes;
use super::violation::Violation;
use crate::path::FieldPath;
use core::fmt::{self, Write as _};
use k8s_json_internals::quote::Quoted;
use serde_json::{Value, json};
use std::collections::HashSet;

/// The errors of an object, in source order.
///
/// `Display` gives a line for each, as Kubernetes words it, and what to do.
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
/// let refused = Source { a: Some(1), b: Some(2) }.validate_unions().unwrap_err();
/// assert_eq!(
///     refused.under(["spec"]).to_string(),
///     r#"spec: Invalid value: "{a, b}": must specify at most one of: `a`, `b`: remove all but one"#,
/// );
/// ```
///
/// Checks of your own go into the same answer: make a [`Violation`] of each thing that they find,
/// and push, extend or collect.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use union_runtime::{Union, Violation, Violations};
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
/// /// What is wrong with a spec: its unions, and what no union knows.
/// fn check(spec: &Spec) -> Result<(), Violations> {
///     let mut found = Violations::default();
///     found.merge(spec.validate_unions().err().unwrap_or_default());
///     if spec.replicas < 0 {
///         found.push(Violation::invalid(["replicas"], spec.replicas, "must be greater than or equal to 0"));
///     }
///     found.into_result()
/// }
///
/// let spec = Spec { replicas: -1, source: Source { git: None, bucket: None } };
/// let status = check(&spec).unwrap_err().under(["spec"]).status("example.com", "App", "web");
/// assert_eq!(status["code"], 422);
/// assert_eq!(status["details"]["causes"][0]["field"], "spec.source");
/// assert_eq!(status["details"]["causes"][1]["message"], "Invalid value: -1: must be greater than or equal to 0");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations {
    violations: Vec<Violation>,
    ratcheted: Vec<Violation>,
}

impl Violations {
    /// Violations, and those that were tolerated in the same object.
    #[must_use]
    pub const fn new(violations: Vec<Violation>, ratcheted: Vec<Violation>) -> Self {
        Self {
            violations,
            ratcheted,
        }
    }

    /// Adds one more.
    pub fn push(&mut self, violation: Violation) {
        self.violations.push(violation);
    }

    /// Adds all of another check of the same object, and what that check tolerated.
    pub fn merge(&mut self, other: Self) {
        self.violations.extend(other.violations);
        self.ratcheted.extend(other.ratcheted);
    }

    /// `Ok` where there is none: what a check that collects ends with. What was tolerated is
    /// dropped then.
    ///
    /// # Errors
    ///
    /// Itself, where there is a violation.
    pub fn into_result(self) -> Result<(), Self> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }

    /// The violations, in source order.
    pub fn iter(&self) -> core::slice::Iter<'_, Violation> {
        self.violations.iter()
    }

    /// Returns the number of errors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.violations.len()
    }

    /// Returns true if there are no errors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.violations.is_empty()
    }

    /// The violations that were tolerated in the same object, because they are not new.
    #[must_use]
    pub fn ratcheted(&self) -> &[Violation] {
        &self.ratcheted
    }

    /// Returns the same violations, tolerated ones included, with paths in an object that holds
    /// this object at `outer`.
    #[must_use]
    pub fn under(mut self, outer: impl Into<FieldPath>) -> Self {
        let outer = outer.into();
        for violation in self.violations.iter_mut().chain(&mut self.ratcheted) {
            violation.path = violation.path.under(&outer);
        }
        self
    }

    /// The `details.causes` of a Kubernetes `Status`: a list of `{reason, message, field}`.
    #[must_use]
    pub fn causes(&self) -> Value {
        self.iter().map(Violation::cause).collect()
    }

    /// The Kubernetes `Status` that an API server answers with: reason `Invalid`, code 422.
    ///
    /// `group` and `kind` are those of the object (`""` for the core group), `name` is its name. A
    /// webhook puts it into `response.status`.
    #[must_use]
    pub fn status(&self, group: &str, kind: &str, name: &str) -> Value {
        let texts: Vec<String> = self.iter().map(ToString::to_string).collect();
        let mut seen = HashSet::new();
        let texts = texts.iter().map(String::as_str);
        let errors: Vec<&str> = texts.filter(|text| seen.insert(*text)).collect();
        let errors = match errors.as_slice() {
            [one] => (*one).to_owned(),
            several => format!("[{}]", several.join(", ")),
        };
        let qualified = if group.is_empty() {
            kind.to_owned()
        } else {
            format!("{kind}.{group}")
        };
        json!({
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": format!("{qualified} {} is invalid: {errors}", Quoted(name)),
            "reason": "Invalid",
            "details": { "name": name, "group": group, "kind": kind, "causes": self.causes() },
            "code": 422,
        })
    }
}

impl<'a> IntoIterator for &'a Violations {
    type Item = &'a Violation;
    type IntoIter = core::slice::Iter<'a, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl From<Violation> for Violations {
    fn from(violation: Violation) -> Self {
        Self::from_iter([violation])
    }
}

impl FromIterator<Violation> for Violations {
    fn from_iter<I: IntoIterator<Item = Violation>>(violations: I) -> Self {
        Self::new(Vec::from_iter(violations), Vec::new())
    }
}

impl Extend<Violation> for Violations {
    fn extend<I: IntoIterator<Item = Violation>>(&mut self, violations: I) {
        self.violations.extend(violations);
    }
}

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = std::vec::IntoIter<Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.violations.into_iter()
    }
}

/// Prints each error on a line.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, violation) in self.violations.iter().enumerate() {
            if i > 0 {
                f.write_char('\n')?;
            }
            write!(f, "{violation}")?;
        }
        Ok(())
    }
}

impl core::error::Error for Violations {}

/// An update that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accepted {
    /// The errors that are tolerated, because they are not new.
    pub ratcheted: Vec<Violation>,
}

/// A request that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Admitted {
    /// The changes by normalization.
    pub changes: Changes,
    /// The errors that are tolerated, because they are not new.
    pub ratcheted: Vec<Violation>,
}

impl Accepted {
    /// Returns the answer to a request that was normalized with these changes before.
    #[must_use]
    pub fn after(self, changes: Changes) -> Admitted {
        Admitted {
            changes,
            ratcheted: self.ratcheted,
        }
    }
}
