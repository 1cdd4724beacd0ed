//! All that is wrong with an object, and the answer that says so.

use core::fmt::{self, Write as _};
use std::collections::HashSet;

use serde_json::{Value, json};

use super::join;
use super::violation::Violation;
use k8s_json_internals::quote::Quoted;

/// What is wrong with an object, in source order.
///
/// `Display` gives a line for each, as Kubernetes words it, and what to do.
///
/// ```
/// use serde_json::json;
/// use union_runtime::engine::Unions;
/// use union_runtime::{Settings, union_spec};
///
/// let unions = Unions::compiler().union_at("", union_spec! { at_most_one, "A" => "a", "B" => "b" }).places()?;
/// let refused = unions.validate(&json!({"a": 1, "b": 2}), &Settings::default()).unwrap_err();
/// assert_eq!(
///     refused.under("spec").to_string(),
///     r#"spec: Invalid value: "{a, b}": must specify at most one of: `a`, `b`: remove all but one"#,
/// );
/// # Ok::<(), union_runtime::engine::SchemaError>(())
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

    /// The same, and one more.
    #[must_use]
    pub fn with(mut self, violation: Violation) -> Self {
        self.violations.push(violation);
        self
    }

    /// The violations, in source order.
    pub fn iter(&self) -> core::slice::Iter<'_, Violation> {
        self.violations.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.violations.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.violations.is_empty()
    }

    /// The violations that were tolerated in the same object, because they are not new.
    #[must_use]
    pub fn ratcheted(&self) -> &[Violation] {
        &self.ratcheted
    }

    /// The same violations, the tolerated ones too, seen from an object that holds this one in `field`, a path such as
    /// `spec.strategy`.
    #[must_use]
    pub fn under(mut self, field: &str) -> Self {
        for violation in self.violations.iter_mut().chain(&mut self.ratcheted) {
            violation.path = join(field, &violation.path);
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
    /// `group` and `kind` are those of the object (`""` for the core group), `name` is its name. A webhook puts it into
    /// `response.status`.
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

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = std::vec::IntoIter<Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.violations.into_iter()
    }
}

/// One line a violation.
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
