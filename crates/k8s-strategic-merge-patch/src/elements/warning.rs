//! Warnings about list elements that share their merge key.

use core::fmt::{self, Write as _};

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

use union_runtime::path::{FieldPath, Path};

/// A warning about a patch of a list in which several elements share their merge key, such as the
/// ports 53/UDP and 53/TCP of a Service.
///
/// An API server looks up an element by its merge key alone, and patches the first element with the
/// key. To find out which element the author changed, elements with the same key are compared by
/// their other fields. A warning reports that this comparison is ambiguous, that the patch replaces
/// the whole list, or that no patch has exactly the wanted result. `Display` prints the path and
/// the message.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchWarning {
    kind: PatchWarningKind,
    message: String,
    path: FieldPath,
    elements: Vec<Value>,
}

/// The kind of a [`PatchWarning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PatchWarningKind {
    /// The patch contains the whole list, because no smaller patch changes the right elements.
    ListReplaced,
    /// The elements of two documents cannot be paired by their other fields, because several pairs
    /// are equally similar, or because there are too many elements to compare.
    AmbiguousElements,
    /// After the patch, the list does not have the author's order, because an API server puts
    /// elements with the same key next to each other.
    OrderNotChanged,
    /// No patch can change the right elements. The returned patch changes the first element with
    /// the key.
    NotExpressible,
}

impl PatchWarningKind {
    /// Returns the name, such as `ListReplaced`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ListReplaced => "ListReplaced",
            Self::AmbiguousElements => "AmbiguousElements",
            Self::OrderNotChanged => "OrderNotChanged",
            Self::NotExpressible => "NotExpressible",
        }
    }
}

/// The maximum number of elements in a message.
const MAX_PRINTED_ELEMENTS: usize = 4;

/// The maximum number of characters of an element in a message.
const MAX_PRINTED_CHARS: usize = 120;

impl PatchWarning {
    pub(crate) fn new(
        kind: PatchWarningKind,
        merge_key: &str,
        elements: Vec<Value>,
        location: &Path<'_>,
    ) -> Self {
        let names = printed_elements(&elements);
        let message = match kind {
            PatchWarningKind::ListReplaced => format!(
                "elements have the same `{merge_key}`: {names}; an API server finds an element by `{merge_key}` \
                 alone, so the patch replaces the whole list, with changes that others make in the meantime; \
                 set metadata.resourceVersion in the patch to reject these"
            ),
            PatchWarningKind::AmbiguousElements => format!(
                "elements have the same `{merge_key}` and cannot be told apart by their other fields: {names}; \
                 check the result of the patch"
            ),
            PatchWarningKind::OrderNotChanged => format!(
                "elements have the same `{merge_key}`: {names}; an API server sorts elements by `{merge_key}` \
                 alone, so the list has another order than expected after the patch; \
                 replace the object to set the order"
            ),
            PatchWarningKind::NotExpressible => format!(
                "elements have the same `{merge_key}`: {names}; an API server finds an element by `{merge_key}` \
                 alone, so the patch changes other elements than expected; replace the object instead"
            ),
        };
        Self {
            kind,
            message,
            path: location.to_field_path(),
            elements,
        }
    }

    /// Returns the warning about elements that were paired by their positions, because more than
    /// `limit` elements with one key differ.
    pub(crate) fn paired_by_position(
        limit: usize,
        merge_key: &str,
        elements: Vec<Value>,
        location: &Path<'_>,
    ) -> Self {
        let names = printed_elements(&elements);
        let message = format!(
            "more than {limit} elements with the same `{merge_key}` are new, removed or changed, so the patch \
             pairs them in their order: {names}; check the result of the patch"
        );
        Self {
            kind: PatchWarningKind::AmbiguousElements,
            message,
            path: location.to_field_path(),
            elements,
        }
    }

    /// Returns the kind of the warning.
    #[must_use]
    pub const fn kind(&self) -> PatchWarningKind {
        self.kind
    }

    /// Returns the path of the list, such as `spec.ports`.
    pub const fn path(&self) -> &FieldPath {
        &self.path
    }

    /// Returns the elements that share a merge key.
    #[must_use]
    pub fn elements(&self) -> &[Value] {
        &self.elements
    }

    /// Returns the message, which names the elements and the remedy.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Adds the path of the patched object in an outer object before the path of the warning.
    pub(crate) fn move_below(&mut self, outer: &FieldPath) {
        self.path = self.path.under(outer);
    }
}

/// Returns the first elements, as a message prints them.
fn printed_elements(elements: &[Value]) -> String {
    let mut names = String::new();
    for (i, element) in elements.iter().take(MAX_PRINTED_ELEMENTS).enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        let printed_element = element.to_string();
        names.push_str(separator);
        names.extend(printed_element.chars().take(MAX_PRINTED_CHARS));
        if printed_element.chars().nth(MAX_PRINTED_CHARS).is_some() {
            names.push_str("...");
        }
    }
    if elements.len() > MAX_PRINTED_ELEMENTS {
        // Writing to a String cannot fail.
        let _ = write!(names, " and {} more", elements.len() - MAX_PRINTED_ELEMENTS);
    }
    names
}

impl fmt::Display for PatchWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_root() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

/// Serializes as an object with `kind`, `message`, `path` and `elements`.
impl Serialize for PatchWarning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("PatchWarning", 4)?;
        object.serialize_field("kind", self.kind.as_str())?;
        object.serialize_field("message", &self.message)?;
        object.serialize_field("path", &self.path)?;
        object.serialize_field("elements", &self.elements)?;
        object.end()
    }
}
