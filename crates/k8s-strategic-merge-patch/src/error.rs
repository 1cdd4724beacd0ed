//! Errors of patches, and of the documents that they are applied to.

use core::fmt;

use serde_json::Value;

use crate::values::json_type::go_type_name;
use crate::values::print::GoValue;
use union_runtime::path::{FieldPath, Path};

/// An error in a patch or a document, with its path.
///
/// [`message`](Self::message) is exactly the message of Kubernetes. `Display` prints the path, the
/// message and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchError {
    kind: PatchErrorKind,
    message: String,
    path: FieldPath,
}

/// The kind of an error: the `mergepatch` errors of `k8s.io/apimachinery`, and errors without a
/// name there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PatchErrorKind {
    /// A document is not a JSON object.
    BadJson,
    /// A merged list contains lists.
    NoListOfLists,
    /// `$deleteFromPrimitiveList` is malformed.
    BadDeleteList,
    /// `$retainKeys` is not a list of strings, or does not list a field that the patch sets.
    BadRetainKeys,
    /// `$setElementOrder` is malformed, or two patches disagree on it.
    BadSetElementOrder,
    /// The elements of the patch are not in the order of `$setElementOrder`.
    OrderMismatch,
    /// An element of a list does not have the merge key.
    NoMergeKey,
    /// A value does not have the required type.
    BadArgType,
    /// The elements of a merged list have several types.
    MixedElements,
    /// The schema of a merged list of objects does not have a merge key.
    NoMergeKeyDeclared,
    /// `$patch` has an unknown value.
    UnknownPatchType,
    /// An element of a list has `$patch: merge`.
    MergeDirective,
    /// `$patch` is not a string, in documents that are compared.
    BadPatchValue,
    /// The schema has an unknown patch strategy.
    BadStrategy,
    /// The schema does not have the field.
    FieldNotFound,
    /// Two patches disagree on `$retainKeys`.
    RetainMismatch,
    /// A document is deeper than [`Limits::max_depth`](crate::Limits::max_depth), or than 128
    /// levels.
    TooDeep,
}

impl PatchErrorKind {
    /// Returns the name, such as `BadRetainKeys`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadJson => "BadJson",
            Self::NoListOfLists => "NoListOfLists",
            Self::BadDeleteList => "BadDeleteList",
            Self::BadRetainKeys => "BadRetainKeys",
            Self::BadSetElementOrder => "BadSetElementOrder",
            Self::OrderMismatch => "OrderMismatch",
            Self::NoMergeKey => "NoMergeKey",
            Self::BadArgType => "BadArgType",
            Self::MixedElements => "MixedElements",
            Self::NoMergeKeyDeclared => "NoMergeKeyDeclared",
            Self::UnknownPatchType => "UnknownPatchType",
            Self::MergeDirective => "MergeDirective",
            Self::BadPatchValue => "BadPatchValue",
            Self::BadStrategy => "BadStrategy",
            Self::FieldNotFound => "FieldNotFound",
            Self::RetainMismatch => "RetainMismatch",
            Self::TooDeep => "TooDeep",
        }
    }

    /// Returns the remedy: a short instruction for the author of the patch or the schema.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::BadJson => "use a JSON object, or null for an empty object",
            Self::NoListOfLists => {
                "use another patch strategy than merge for this list in the schema"
            }
            Self::BadDeleteList => "write `$deleteFromPrimitiveList/FIELD` with a list of scalars",
            Self::BadRetainKeys => "list every field that the patch sets beside `$retainKeys`",
            Self::BadSetElementOrder => {
                "write `$setElementOrder/FIELD` with a list, which must be equal in all combined patches"
            }
            Self::OrderMismatch => {
                "list every element of the patch in `$setElementOrder`, in the same order"
            }
            Self::NoMergeKey => "add the merge key to every element of the list",
            Self::BadArgType => "use a value of the expected type",
            Self::MixedElements => "use elements of only one type in a merged list",
            Self::NoMergeKeyDeclared => {
                "add `x-kubernetes-patch-merge-key` to the schema, or another strategy than merge"
            }
            Self::UnknownPatchType => {
                "write `$patch: delete` or `$patch: replace`, or remove `$patch` to merge"
            }
            Self::MergeDirective => {
                "remove `$patch`, because elements are merged by their merge key"
            }
            Self::BadPatchValue => {
                "compared documents cannot contain directives; remove `$patch`, or make it a string"
            }
            Self::BadStrategy => {
                "set `x-kubernetes-patch-strategy` to merge or replace, optionally followed by a comma and retainKeys"
            }
            Self::FieldNotFound => {
                "correct the name, or add the field to the schema; objects and lists without a schema cannot be merged"
            }
            Self::RetainMismatch => {
                "create the patches from the same modified document, or apply them one by one"
            }
            Self::TooDeep => "make it flatter, or raise `Limits::max_depth`, which is 128 at most",
        }
    }
}

impl fmt::Display for PatchErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PatchError {
    #[cold]
    pub(super) fn new(
        kind: PatchErrorKind,
        message: impl Into<String>,
        location: &Path<'_>,
    ) -> Self {
        Self {
            kind,
            message: message.into(),
            path: location.to_field_path(),
        }
    }

    /// Returns the error of a value that does not have the expected type. `expected` is the name of
    /// a type in Go.
    #[cold]
    pub(super) fn bad_type(expected: &str, value: &Value, location: &Path<'_>) -> Self {
        let message = format!(
            "expected a {expected}, but received a {}",
            go_type_name(value)
        );
        Self::new(PatchErrorKind::BadArgType, message, location)
    }

    /// Returns the error of a `$setElementOrder` of objects whose element `index` is not an object.
    #[cold]
    pub(super) fn not_an_object(index: usize, location: &Path<'_>) -> Self {
        let message = format!("value for key {index} is not a map");
        Self::new(PatchErrorKind::BadArgType, message, location)
    }

    #[cold]
    pub(super) fn no_merge_key(item: &Value, merge_key: &str, location: &Path<'_>) -> Self {
        let message = format!(
            "map: {} does not contain declared merge key: {merge_key}",
            GoValue(item)
        );
        Self::new(PatchErrorKind::NoMergeKey, message, location)
    }

    #[cold]
    pub(super) fn no_merge_key_in_conflict_search(
        item: &Value,
        merge_key: &str,
        location: &Path<'_>,
    ) -> Self {
        let message = format!(
            "cannot find merge key `{merge_key}` in merging list element:{}",
            GoValue(item)
        );
        Self::new(PatchErrorKind::NoMergeKey, message, location)
    }

    #[cold]
    pub(super) fn bad_retain_keys(location: &Path<'_>) -> Self {
        let message = "invalid patch format of retainKeys";
        Self::new(PatchErrorKind::BadRetainKeys, message, location)
    }

    #[cold]
    pub(super) fn bad_order(location: &Path<'_>) -> Self {
        let message = "invalid patch format of setElementOrder list";
        Self::new(PatchErrorKind::BadSetElementOrder, message, location)
    }

    #[cold]
    pub(super) fn bad_delete_list(location: &Path<'_>) -> Self {
        let message = "invalid patch format of primitive list";
        Self::new(PatchErrorKind::BadDeleteList, message, location)
    }

    /// Adds the path of the patched object in an outer object before the path of the error.
    #[cold]
    pub(super) fn under(mut self, outer: &FieldPath) -> Self {
        self.path = self.path.under(outer);
        self
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> PatchErrorKind {
        self.kind
    }

    /// Returns exactly the message that Kubernetes prints.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the path of the error, such as `spec.volumes[2].$retainKeys`. If the patch has the
    /// list, indices are positions in the list of the patch.
    pub const fn path(&self) -> &FieldPath {
        &self.path
    }
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_root() {
            "the document"
        } else {
            self.path.as_str()
        };
        let (message, remedy) = (self.message.trim_end(), self.kind.remedy());
        write!(f, "{path}: {message}; {remedy}")
    }
}

impl core::error::Error for PatchError {}
