//! A path that owns its names, for errors and reports.

use core::cmp::Ordering;
use core::fmt::{self, Write as _};
use core::hash::{Hash, Hasher};
use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::Value;

use k8s_json_internals::path_step::PathStep;

/// A path to a field, as data: `field.Path` of `k8s.io/apimachinery`.
///
/// Paths are printed as on an API server. The printed form is ambiguous, because names may contain
/// dots and brackets. Two paths are equal if their [`steps`](Self::steps) are equal, even if their
/// printed forms differ.
///
/// ```
/// use union_runtime::path::{FieldPath, PathStep};
///
/// let path = FieldPath::root().field("spec").field("ports").index(0).field("labels").key("a.b/c");
/// assert_eq!(path.to_string(), "spec.ports[0].labels[a.b/c]");
/// assert_eq!(path.steps().next_back(), Some(PathStep::Key("a.b/c")));
/// assert_eq!(FieldPath::from(["spec", "ports"]), FieldPath::root().field("spec").field("ports"));
/// ```
///
/// [`resolve`](Self::resolve) parses the printed form against an object.
#[derive(Clone, Default)]
#[must_use]
pub struct FieldPath {
    /// The printed form, followed by all names that the printed form does not contain. Names are
    /// ranges of this string, because the printed form has no escapes.
    buffer: Cow<'static, str>,
    /// The spans of the steps. The list is empty if the buffer is the name of one declared field,
    /// because normalization reports such fields without an allocation.
    spans: Vec<StepSpan>,
}

/// The position of a step in the buffer of the path, or the length of the printed form.
#[derive(Clone, Copy)]
enum StepSpan {
    /// The length of the printed form. This span is not a step. It is the first span of a path
    /// whose buffer contains more than the printed form.
    Printed(usize),
    /// A field whose name is the whole buffer.
    Whole,
    /// A field, with the range of its name.
    Field(usize, usize),
    /// A key, with the range of its name.
    Key(usize, usize),
    Index(usize),
}

impl StepSpan {
    /// Returns the step, with its name from the buffer of the path.
    fn step(self, buffer: &str) -> PathStep<'_> {
        match self {
            Self::Whole | Self::Printed(_) => PathStep::Field(buffer),
            Self::Field(start, end) => PathStep::Field(buffer.get(start..end).unwrap_or_default()),
            Self::Key(start, end) => PathStep::Key(buffer.get(start..end).unwrap_or_default()),
            Self::Index(index) => PathStep::Index(index),
        }
    }
}

impl FieldPath {
    /// Returns the path of the object itself, which prints as the empty string. Errors print this
    /// path as `<nil>`.
    pub const fn root() -> Self {
        Self {
            buffer: Cow::Borrowed(""),
            spans: Vec::new(),
        }
    }

    /// Creates the path of a field with a static name, without an allocation.
    pub(crate) fn from_static(field: &'static str) -> Self {
        if field.is_empty() {
            return Self::root().field(field);
        }
        Self {
            buffer: Cow::Borrowed(field),
            spans: Vec::new(),
        }
    }

    /// Returns the path of a field of the value at this path.
    pub fn field(self, name: &str) -> Self {
        self.step(PathStep::Field(name))
    }

    /// Returns the path of an entry of the map at this path.
    pub fn key(self, name: &str) -> Self {
        self.step(PathStep::Key(name))
    }

    /// Returns the path of an element of the list at this path.
    pub fn index(self, index: usize) -> Self {
        self.step(PathStep::Index(index))
    }

    /// Returns the path with one more step.
    pub fn step(self, step: PathStep<'_>) -> Self {
        let mut builder = match self.spans.first() {
            None | Some(StepSpan::Printed(_)) => PathBuilder::from_steps(self.steps()),
            Some(_) => PathBuilder {
                buffer: self.buffer.into_owned(),
                spans: self.spans,
            },
        };
        builder.push(step);
        builder.into()
    }

    /// Returns the same path with another printed form. API servers print the paths of some errors
    /// in a form that differs from the steps. The path of the object itself is returned unchanged.
    pub fn with_printed_form(self, printed: &str) -> Self {
        if self.is_root() {
            return self;
        }
        let mut buffer = printed.to_owned();
        let step_spans = self.steps().map(|step| {
            let start = buffer.len();
            buffer.push_str(step.name().unwrap_or_default());
            match step {
                PathStep::Field(_) => StepSpan::Field(start, buffer.len()),
                PathStep::Key(_) => StepSpan::Key(start, buffer.len()),
                PathStep::Index(index) => StepSpan::Index(index),
            }
        });
        let spans = core::iter::once(StepSpan::Printed(printed.len())).chain(step_spans);
        Self {
            spans: spans.collect(),
            buffer: buffer.into(),
        }
    }

    /// Returns the steps of the path, from the object to the field.
    #[must_use]
    pub fn steps(
        &self,
    ) -> impl DoubleEndedIterator<Item = PathStep<'_>> + ExactSizeIterator + Clone {
        let spans = match self.spans.as_slice() {
            [] if !self.buffer.is_empty() => &[StepSpan::Whole],
            [StepSpan::Printed(_), steps @ ..] | steps => steps,
        };
        spans.iter().map(|span| span.step(&self.buffer))
    }

    /// Returns true if this is the path of the object itself.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.steps().len() == 0
    }

    /// Returns the printed form of the path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self.spans.first() {
            Some(StepSpan::Printed(len)) => self.buffer.get(..*len).unwrap_or_default(),
            _ => &self.buffer,
        }
    }

    /// Returns the path without its last step, or `None` for the path of the object itself.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let mut steps = self.steps();
        steps.next_back()?;
        Some(steps.collect())
    }

    /// Returns the path `outer`, followed by this path. If a larger object contains an object at
    /// `outer`, the result is the path in the larger object.
    pub fn under(&self, outer: &Self) -> Self {
        outer.steps().chain(self.steps()).collect()
    }

    /// Returns true if the path leads to the value at `outer`, or to a value inside that value.
    #[must_use]
    pub fn starts_with(&self, outer: &Self) -> bool {
        let mut steps = self.steps();
        outer.steps().all(|step| steps.next() == Some(step))
    }

    /// Returns the value at this path in an object, if there is one.
    #[must_use]
    pub fn find<'v>(&self, object: &'v Value) -> Option<&'v Value> {
        self.steps()
            .try_fold(object, |value, step| step.find(value))
    }
}

/// Builds a path step by step.
pub(super) struct PathBuilder {
    buffer: String,
    spans: Vec<StepSpan>,
}

impl PathBuilder {
    pub(super) fn with_capacity(steps: usize, bytes: usize) -> Self {
        Self {
            buffer: String::with_capacity(bytes),
            spans: Vec::with_capacity(steps),
        }
    }

    fn from_steps<'a>(steps: impl Iterator<Item = PathStep<'a>>) -> Self {
        let mut builder = Self::with_capacity(0, 0);
        steps.for_each(|step| builder.push(step));
        builder
    }

    /// Appends the printed form of a step to the buffer, and records the span of the step's name.
    pub(super) fn push(&mut self, step: PathStep<'_>) {
        let buffer = &mut self.buffer;
        self.spans.push(match step {
            // An API server prints a field without a name as brackets.
            PathStep::Field("") => {
                buffer.push_str("[]");
                StepSpan::Field(buffer.len(), buffer.len())
            }
            PathStep::Field(name) => {
                if !self.spans.is_empty() {
                    buffer.push('.');
                }
                buffer.push_str(name);
                StepSpan::Field(buffer.len() - name.len(), buffer.len())
            }
            PathStep::Key(name) => {
                buffer.push('[');
                buffer.push_str(name);
                buffer.push(']');
                let end = buffer.len() - 1;
                StepSpan::Key(end - name.len(), end)
            }
            PathStep::Index(index) => {
                // Writing to a String cannot fail.
                let _ = write!(buffer, "[{index}]");
                StepSpan::Index(index)
            }
        });
    }
}

impl From<PathBuilder> for FieldPath {
    fn from(PathBuilder { buffer, spans }: PathBuilder) -> Self {
        Self {
            buffer: buffer.into(),
            spans,
        }
    }
}

impl<'a> FromIterator<PathStep<'a>> for FieldPath {
    fn from_iter<I: IntoIterator<Item = PathStep<'a>>>(steps: I) -> Self {
        PathBuilder::from_steps(steps.into_iter()).into()
    }
}

/// Converts the names of nested fields into a path: `["spec", "ports"]` is `spec.ports`.
impl<const N: usize> From<[&str; N]> for FieldPath {
    fn from(fields: [&str; N]) -> Self {
        fields.into_iter().map(PathStep::Field).collect()
    }
}

impl From<&Self> for FieldPath {
    fn from(path: &Self) -> Self {
        path.clone()
    }
}

impl PartialEq for FieldPath {
    fn eq(&self, other: &Self) -> bool {
        self.steps().eq(other.steps())
    }
}

impl Eq for FieldPath {}

/// Compares the printed form of the path with a string.
impl PartialEq<str> for FieldPath {
    fn eq(&self, printed: &str) -> bool {
        self.as_str() == printed
    }
}

/// Compares the printed form of the path with a string.
impl PartialEq<&str> for FieldPath {
    fn eq(&self, printed: &&str) -> bool {
        self.as_str() == *printed
    }
}

impl PartialOrd for FieldPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for FieldPath {
    fn cmp(&self, other: &Self) -> Ordering {
        self.steps().cmp(other.steps())
    }
}

impl Hash for FieldPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let steps = self.steps();
        steps.len().hash(state);
        steps.for_each(|step| step.hash(state));
    }
}

impl fmt::Debug for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.steps()).finish()
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl AsRef<str> for FieldPath {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// Serializes the printed form of the path as a string.
impl Serialize for FieldPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
