//! A path that owns its names.

use core::cmp::Ordering;
use core::fmt::{self, Write as _};
use core::hash::{Hash, Hasher};
use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::step::PathStep;

/// A path to a field, as data: `field.Path` of `k8s.io/apimachinery`.
///
/// API servers print paths in the same form. Two paths are equal if their [`steps`](Self::steps)
/// are equal, even if they are printed differently. The printed form is ambiguous, because names
/// may contain dots and brackets.
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
    /// The printed form, followed by the names that the printed form does not contain. The printed
    /// form has no escapes, so names are ranges of this string.
    text: Cow<'static, str>,
    /// The steps. The list is empty if the string is the name of one declared field: normalization
    /// reports such fields without an allocation.
    marks: Vec<StepSpan>,
}

#[derive(Clone, Copy)]
enum StepSpan {
    /// The length of the printed form. This mark comes before the steps, if the string has more
    /// than the printed form.
    Printed(usize),
    /// A field whose name is the whole string.
    Whole,
    /// A field, with the range of its name in the string.
    Field(usize, usize),
    /// A key, with the range of its name in the string.
    Key(usize, usize),
    Index(usize),
}

impl StepSpan {
    fn step(self, text: &str) -> PathStep<'_> {
        match self {
            Self::Whole | Self::Printed(_) => PathStep::Field(text),
            Self::Field(from, to) => PathStep::Field(text.get(from..to).unwrap_or_default()),
            Self::Key(from, to) => PathStep::Key(text.get(from..to).unwrap_or_default()),
            Self::Index(index) => PathStep::Index(index),
        }
    }
}

impl FieldPath {
    /// Returns the path of the object itself. The path prints as the empty string; errors print
    /// `<nil>` in its place.
    pub const fn root() -> Self {
        Self {
            text: Cow::Borrowed(""),
            marks: Vec::new(),
        }
    }

    /// Returns the path of a declared field.
    pub(crate) fn from_static(field: &'static str) -> Self {
        if field.is_empty() {
            return Self::root().field(field);
        }
        Self {
            text: Cow::Borrowed(field),
            marks: Vec::new(),
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

    /// Returns the path one step below this one.
    pub fn step(self, step: PathStep<'_>) -> Self {
        let mut spelled = match self.marks.first() {
            None | Some(StepSpan::Printed(_)) => PathBuilder::from_steps(self.steps()),
            Some(_) => PathBuilder {
                text: self.text.into_owned(),
                marks: self.marks,
            },
        };
        spelled.push(step);
        spelled.into()
    }

    /// Returns the same path with `text` as its printed form, because API servers print some paths
    /// in a special way. The path of the object itself is returned unchanged.
    pub fn with_printed_form(self, text: &str) -> Self {
        if self.is_root() {
            return self;
        }
        let mut all = text.to_owned();
        let steps = self.steps().map(|step| {
            let from = all.len();
            all.push_str(step.name().unwrap_or_default());
            match step {
                PathStep::Field(_) => StepSpan::Field(from, all.len()),
                PathStep::Key(_) => StepSpan::Key(from, all.len()),
                PathStep::Index(index) => StepSpan::Index(index),
            }
        });
        let marks = core::iter::once(StepSpan::Printed(text.len())).chain(steps);
        Self {
            marks: marks.collect(),
            text: all.into(),
        }
    }

    /// Returns the steps of the path, the first step first.
    #[must_use]
    pub fn steps(
        &self,
    ) -> impl DoubleEndedIterator<Item = PathStep<'_>> + ExactSizeIterator + Clone {
        let marks = match self.marks.as_slice() {
            [] if !self.text.is_empty() => &[StepSpan::Whole],
            [StepSpan::Printed(_), steps @ ..] | steps => steps,
        };
        marks.iter().map(|mark| mark.step(&self.text))
    }

    /// Returns true for the path of the object itself.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.steps().len() == 0
    }

    /// Returns the printed form of the path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self.marks.first() {
            Some(StepSpan::Printed(printed)) => self.text.get(..*printed).unwrap_or_default(),
            _ => &self.text,
        }
    }

    /// Returns the path without its last step; `None` for the path of the object itself.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let mut steps = self.steps();
        steps.next_back()?;
        Some(steps.collect())
    }

    /// Returns the path as seen from an outer object, which contains the object of this path at
    /// `outer`.
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

/// A path under construction, step by step.
pub(super) struct PathBuilder {
    text: String,
    marks: Vec<StepSpan>,
}

impl PathBuilder {
    pub(super) fn with_capacity(steps: usize, bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            marks: Vec::with_capacity(steps),
        }
    }

    fn from_steps<'a>(steps: impl Iterator<Item = PathStep<'a>>) -> Self {
        let mut spelled = Self::with_capacity(0, 0);
        steps.for_each(|step| spelled.push(step));
        spelled
    }

    pub(super) fn push(&mut self, step: PathStep<'_>) {
        let text = &mut self.text;
        self.marks.push(match step {
            // An API server prints a field without a name as brackets.
            PathStep::Field("") => {
                text.push_str("[]");
                StepSpan::Field(text.len(), text.len())
            }
            PathStep::Field(name) => {
                if !self.marks.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
                StepSpan::Field(text.len() - name.len(), text.len())
            }
            PathStep::Key(name) => {
                text.push('[');
                text.push_str(name);
                text.push(']');
                let end = text.len() - 1;
                StepSpan::Key(end - name.len(), end)
            }
            PathStep::Index(index) => {
                // Writing to a String cannot fail.
                let _ = write!(text, "[{index}]");
                StepSpan::Index(index)
            }
        });
    }
}

impl From<PathBuilder> for FieldPath {
    fn from(PathBuilder { text, marks }: PathBuilder) -> Self {
        Self {
            text: text.into(),
            marks,
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
    fn eq(&self, text: &str) -> bool {
        self.as_str() == text
    }
}

/// Compares the printed form of the path with a string.
impl PartialEq<&str> for FieldPath {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == *text
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
