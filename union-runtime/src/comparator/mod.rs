//! The ratcheting comparator (KEP-4008). It correlates the values of a new object with the values
//! of the old object, and finds the unchanged values. Your own validators can use the comparator,
//! with any schema that implements [`CorrelationSchema`].
//!
//! # Use with existing validators
//!
//! [`Comparison::split`] takes errors of any type that have a path and a rule.
//! [`FieldPath::resolve_with`] parses the paths of a validator that reports strings:
//!
//! ```
//! use heck::ToSnakeCase;
//! use serde_json::json;
//! use union_runtime::Ratchet;
//! use union_runtime::comparator::Comparison;
//! use union_runtime::path::FieldPath;
//!
//! let schema = json!({"properties": {"maxSurge": {"type": "integer"}, "paused": {}}});
//! let old = json!({"maxSurge": 25, "paused": false});
//! let new = json!({"maxSurge": 25, "paused": true});
//!
//! // The report of a validator: a path with the names of Rust fields, and a message.
//! let report = [("max_surge", "greater than 10")];
//! let comparison = Comparison::new(&schema, &new, &old);
//! let split = comparison.split(report, &[], Ratchet::Unchanged, |(path, rule)| {
//!     let path = FieldPath::resolve_with(path, &new, str::to_snake_case);
//!     // An ambiguous path becomes the root: the whole object decides.
//!     (path.unwrap_or_default(), *rule)
//! });
//! assert_eq!(split.tolerated, report);
//! ```
//!
//! The examples `garde` and `validator` in the repository are complete programs with these two
//! validators.

mod equality;
mod schema;

use core::hash::Hash;
use std::collections::HashSet;

use serde_json::Value;

pub use self::equality::{Equality, OldElements};
pub use self::schema::CorrelationSchema;

use crate::path::{FieldPath, PathStep};
use crate::report::report::{Report, ReportParts};
use crate::report::violation::Violation;
use crate::rules::settings::Ratchet;

/// A new object and the old object that it replaces, under a schema (KEP-4008).
///
/// ```
/// use serde_json::json;
/// use union_runtime::comparator::Comparison;
/// use union_runtime::path::FieldPath;
///
/// let port = json!({
///     "type": "object", "required": ["name"],
///     "properties": {"name": {"type": "string"}, "port": {"type": "integer"}},
/// });
/// let schema = json!({"type": "object", "properties": {"ports": {
///     "type": "array", "items": port,
///     "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
/// }}});
/// let old = json!({"ports": [{"name": "a", "port": 1}, {"name": "b", "port": 2}]});
/// let new = json!({"ports": [{"name": "b", "port": 2}, {"name": "a", "port": 3}]});
///
/// let comparison = Comparison::new(&schema, &new, &old);
/// let ports = comparison.root().key("ports").unwrap();
/// assert!(ports.index(0).unwrap().is_unchanged());
/// assert!(!ports.index(1).unwrap().key("port").unwrap().is_unchanged());
/// let port = FieldPath::root().field("ports").index(1).field("port");
/// assert_eq!(comparison.find(&port).unwrap().old(), Some(&json!(1)));
/// ```
#[must_use]
pub struct Comparison<'v, S> {
    schema: S,
    new: &'v Value,
    old: &'v Value,
    equality: Equality<'v>,
}

/// A value of the new object, and the old value that it is correlated with.
#[derive(Clone)]
pub struct Correlated<'c, 'v, S> {
    comparison: &'c Comparison<'v, S>,
    schema: Option<S>,
    new: &'v Value,
    old: Option<&'v Value>,
}

/// Errors of an update, split into new errors and tolerated errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatchetedErrors<E> {
    /// The new errors, for which the update is rejected.
    pub new: Vec<E>,
    /// The tolerated errors.
    pub tolerated: Vec<E>,
}

/// Converts the errors to a report. Use [`Report::extend`] to add the report to the report on the
/// unions of the same object.
impl From<RatchetedErrors<Violation>> for Report {
    fn from(split: RatchetedErrors<Violation>) -> Self {
        let (errors, tolerated) = (split.new, split.tolerated);
        Self::from(ReportParts {
            errors,
            tolerated,
            ..ReportParts::default()
        })
    }
}

/// The correlated values between the root and a path.
struct PathTrace<'c, 'v, S> {
    /// The value at the path if it is correlated, and otherwise the nearest correlated value that
    /// contains the path.
    nearest: Correlated<'c, 'v, S>,
    /// The lists that contain the nearest value, from the outermost to the innermost.
    lists: Vec<Correlated<'c, 'v, S>>,
    /// The path of the correlated old value, or `None` if a new value on the path is not
    /// correlated.
    old_path: Option<FieldPath>,
}

impl<'v, 's, S: CorrelationSchema<'s>> Comparison<'v, S> {
    /// Compares `new` with `old`, both after pruning and defaulting. Values are equal if they are
    /// equal on an API server: an object with a key that the schema does not describe is not equal
    /// to any object.
    pub fn new(schema: S, new: &'v Value, old: &'v Value) -> Self {
        Self {
            schema,
            new,
            old,
            equality: Equality::new(),
        }
    }

    /// Uses deep equality, as KEP-4008 describes it.
    pub fn with_deep_equality(self) -> Self {
        Self {
            equality: Equality::deep(),
            ..self
        }
    }

    /// Returns the new object and the old object as correlated values.
    #[must_use]
    pub const fn root(&self) -> Correlated<'_, 'v, S> {
        Correlated {
            comparison: self,
            schema: Some(self.schema),
            new: self.new,
            old: Some(self.old),
        }
    }

    /// Returns the value at a path of the new object, or `None` if the object has no such path.
    #[must_use]
    pub fn find(&self, path: &FieldPath) -> Option<Correlated<'_, 'v, S>> {
        path.steps()
            .try_fold(self.root(), |value, step| Some(value.step(step)?.0))
    }

    /// Splits the errors that your validator found in the new object into new errors and tolerated
    /// errors. `locate` returns the path of an error and the broken rule.
    ///
    /// - [`Ratchet::SameReason`] (KEP-1027): an error is tolerated if `old_errors` contain an error
    ///   with the same rule at the correlated path. `old_errors` are the errors of the same
    ///   validator in the old object.
    /// - [`Ratchet::Unchanged`] (KEP-4008): an error is tolerated if the value at its path is
    ///   unchanged.
    /// - [`Ratchet::Off`]: no error is tolerated.
    ///
    /// An error at a value without a correlated old value is tolerated if the nearest correlated
    /// value that contains the value is unchanged. For a value in a list without keys, this is the
    /// whole list.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_runtime::Ratchet;
    /// use union_runtime::comparator::Comparison;
    /// use union_runtime::path::FieldPath;
    ///
    /// let schema = json!({"properties": {
    ///     "replicas": {"type": "integer"},
    ///     "ports": {"type": "array", "items": {"properties": {"port": {"type": "integer"}}}},
    /// }});
    /// let old = json!({"replicas": 1, "ports": [{"port": -1}]});
    /// let new = json!({"replicas": -2, "ports": [{"port": -1}]});
    ///
    /// // The paths and rules that a validator of yours may return.
    /// let port = FieldPath::root().field("ports").index(0).field("port");
    /// let errors = [(FieldPath::from(["replicas"]), "minimum"), (port.clone(), "minimum")];
    /// let comparison = Comparison::new(&schema, &new, &old);
    /// let split = comparison.split(errors, &[], Ratchet::Unchanged, Clone::clone);
    /// assert_eq!(split.new, [(FieldPath::from(["replicas"]), "minimum")]);
    /// assert_eq!(split.tolerated, [(port, "minimum")]);
    /// ```
    #[must_use]
    pub fn split<E, R: Eq + Hash>(
        &self,
        new_errors: impl IntoIterator<Item = E>,
        old_errors: &[E],
        ratchet: Ratchet,
        locate: impl Fn(&E) -> (FieldPath, R),
    ) -> RatchetedErrors<E> {
        let old_locations: HashSet<(FieldPath, R)> = match ratchet {
            Ratchet::SameReason => old_errors.iter().map(&locate).collect(),
            _ => HashSet::new(),
        };
        let is_tolerated = |error: &E| {
            let (path, rule) = match ratchet {
                Ratchet::Off => return false,
                _ => locate(error),
            };
            let trace = self.trace(&path);
            match (ratchet, trace.old_path) {
                (Ratchet::SameReason, Some(old_path)) => old_locations.contains(&(old_path, rule)),
                _ => trace.nearest.is_unchanged() || self.is_any_unchanged(&trace.lists),
            }
        };
        let (tolerated, new) = new_errors.into_iter().partition(is_tolerated);
        RatchetedErrors { new, tolerated }
    }

    /// Returns true if one of the lists is unchanged. With deep equality, a list can be unchanged
    /// although an element is changed: equality pairs elements by position, and correlation pairs
    /// elements by keys.
    fn is_any_unchanged(&self, lists: &[Correlated<'_, 'v, S>]) -> bool {
        self.equality.is_deep() && lists.iter().any(Correlated::is_unchanged)
    }

    /// Returns the correlated values between the root and a path.
    fn trace(&self, path: &FieldPath) -> PathTrace<'_, 'v, S> {
        let mut nearest = self.root();
        let mut lists = Vec::new();
        let mut old_path = Some(FieldPath::root());
        let mut steps = path.steps();
        while let Some(step) = steps.next() {
            let Some((child, old_step)) = nearest.step(step) else {
                // A missing field counts as part of the value that lacks the field. Its old path is
                // the path of the old value and the missing steps.
                let missing_steps = core::iter::once(step).chain(steps);
                old_path = old_path.map(|path| missing_steps.fold(path, FieldPath::step));
                break;
            };
            if child.old.is_none() {
                old_path = None;
                break;
            }
            old_path = old_path.map(|path| path.step(old_step));
            let parent = core::mem::replace(&mut nearest, child);
            if let PathStep::Index(_) = step {
                lists.push(parent);
            }
        }
        PathTrace {
            nearest,
            lists,
            old_path,
        }
    }
}

impl<'v, 's, S: CorrelationSchema<'s>> Correlated<'_, 'v, S> {
    /// Returns the new value.
    #[must_use]
    pub const fn new_value(&self) -> &'v Value {
        self.new
    }

    /// Returns the old value, or `None` if the new value is not correlated.
    #[must_use]
    pub const fn old(&self) -> Option<&'v Value> {
        self.old
    }

    /// Returns true if the value is correlated with an old value, and both are equal.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        match (self.schema, self.old) {
            (Some(schema), Some(old)) => self.comparison.equality.is_equal(schema, self.new, old),
            _ => false,
        }
    }

    /// Returns the value of a field or a map entry, or `None` if the value is not an object with
    /// this name.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<Self> {
        Some(self.step(PathStep::Key(name))?.0)
    }

    /// Returns the element at a position of the new list, or `None` if the value is not a list with
    /// this position. Elements of lists of type map are correlated by their keys. Elements of other
    /// lists are not correlated.
    #[must_use]
    pub fn index(&self, position: usize) -> Option<Self> {
        Some(self.step(PathStep::Index(position))?.0)
    }

    /// Returns the first element of the new list that has these values under these keys, or `None`
    /// if there is no such element.
    #[must_use]
    pub fn element(&self, keys: &[(&str, &Value)]) -> Option<Self> {
        let elements = self.new.as_array()?;
        let position = elements.iter().position(|element| {
            keys.iter()
                .all(|(key, value)| element.get(*key) == Some(*value))
        })?;
        self.index(position)
    }

    /// Returns the child at a step, and the step to the old value of the child. Returns `None` if
    /// the new value has no child at this step. If the child has no old value, the returned step is
    /// `step`.
    fn step<'p>(&self, step: PathStep<'p>) -> Option<(Self, PathStep<'p>)> {
        let new = step.find(self.new)?;
        let (schema, old_step, old) = match step {
            PathStep::Field(name) | PathStep::Key(name) => {
                let schema = self.schema.and_then(|schema| schema.child(name));
                let old_parent = self.old.filter(|_| schema.is_some());
                (schema, step, old_parent.and_then(|old| step.find(old)))
            }
            PathStep::Index(_) => {
                let old_element = self.schema.and_then(|schema| {
                    let equality = &self.comparison.equality;
                    equality.old_elements(schema, self.old).find(new)
                });
                let schema = self.schema.and_then(CorrelationSchema::items);
                let old_element = old_element.filter(|_| schema.is_some());
                let old_step = old_element.map_or(step, |(i, _)| PathStep::Index(i));
                (schema, old_step, old_element.map(|(_, old)| old))
            }
        };
        let child = Self {
            comparison: self.comparison,
            schema,
            new,
            old,
        };
        Some((child, old_step))
    }
}
