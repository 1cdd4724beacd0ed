//! What is wrong with a patch, or with what it is to be applied to.

use core::fmt;

use serde_json::Value;

use crate::values::kind::type_name;
use crate::values::print::Printed;
use union_runtime::path::{FieldPath, Path};

/// What is wrong with a patch or a document, and where.
///
/// [`message`](Self::message) is to the letter what Kubernetes prints; `Display` has the path in front and what to do
/// behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchError {
    kind: PatchErrorKind,
    message: String,
    path: FieldPath,
}

/// What kind of thing is wrong with a patch or a document: those of `k8s.io/apimachinery`'s `mergepatch` errors, and what is
/// an error without a name there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PatchErrorKind {
    /// A document is not a JSON object.
    BadJson,
    /// A list that is to be merged holds lists.
    NoListOfLists,
    /// `$deleteFromPrimitiveList` is malformed.
    BadDeleteList,
    /// `$retainKeys` is not a list of texts, or does not list a field that the patch sets.
    BadRetainKeys,
    /// `$setElementOrder` is malformed, or two patches disagree on it.
    BadSetElementOrder,
    /// The elements of the patch stand in another order than `$setElementOrder` says.
    OrderMismatch,
    /// An element of a list does not have the merge key.
    NoMergeKey,
    /// A value is of another type than its place asks for.
    BadArgType,
    /// The elements of a list that is to be merged are of several types.
    MixedElements,
    /// A list of objects is to be merged, and its schema does not have a merge key.
    NoMergeKeyDeclared,
    /// `$patch` says something that is unknown here.
    UnknownPatchType,
    /// `$patch: merge` stands in an element of a list.
    MergeDirective,
    /// `$patch` is not a text in documents that are compared.
    BadPatchValue,
    /// The schema has a patch strategy that does not exist.
    BadStrategy,
    /// The schema does not have the field.
    FieldNotFound,
    /// Two patches disagree on `$retainKeys`.
    RetainMismatch,
    /// A document is deeper than [`Limits::depth`](crate::Limits::depth), or than 128 levels.
    TooDeep,
}

impl PatchErrorKind {
    /// The name, as `BadRetainKeys`.
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

    /// What is allowed, and what to do.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::BadJson => "give a JSON object, or null for an empty one",
            Self::NoListOfLists => {
                "replace such a list as a whole: its schema needs another strategy than merge"
            }
            Self::BadDeleteList => "write `$deleteFromPrimitiveList/FIELD` with a list of scalars",
            Self::BadRetainKeys => {
                "write a list of field names that has every field which the patch sets beside it"
            }
            Self::BadSetElementOrder => {
                "write `$setElementOrder/FIELD` with a list, the same in all patches that are put together"
            }
            Self::OrderMismatch => {
                "put the elements of the patch in the order of `$setElementOrder`, which lists each of them"
            }
            Self::NoMergeKey => "give every element of the list its merge key",
            Self::BadArgType => "give a value of that type",
            Self::MixedElements => "let all elements of a merged list be of one type",
            Self::NoMergeKeyDeclared => {
                "add `x-kubernetes-patch-merge-key` to the schema, or another strategy than merge"
            }
            Self::UnknownPatchType => {
                "write `$patch: delete` or `$patch: replace`, or leave it out to merge"
            }
            Self::MergeDirective => "leave `$patch` out: elements are merged by their merge key",
            Self::BadPatchValue => {
                "documents that are compared hold no directives; remove `$patch`, or make it a text"
            }
            Self::BadStrategy => {
                "write `x-kubernetes-patch-strategy` as merge or replace, and retainKeys with a comma if wanted"
            }
            Self::FieldNotFound => {
                "correct the name, or add the field to the schema; objects and lists are only merged where it knows them"
            }
            Self::RetainMismatch => {
                "make the patches from the same modified document, or apply them one by one"
            }
            Self::TooDeep => "make it flatter, or raise `Limits::depth`",
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
    pub(super) fn new(kind: PatchErrorKind, message: impl Into<String>, at: &Path<'_>) -> Self {
        Self {
            kind,
            message: message.into(),
            path: at.to_field_path(),
        }
    }

    /// A value of another type than `expected`, which is named as Go names types.
    #[cold]
    pub(super) fn bad_type(expected: &str, found: &Value, at: &Path<'_>) -> Self {
        let message = format!("expected a {expected}, but received a {}", type_name(found));
        Self::new(PatchErrorKind::BadArgType, message, at)
    }

    /// An element of an order of objects that is not an object, by its number.
    #[cold]
    pub(super) fn not_an_object(number: usize, at: &Path<'_>) -> Self {
        let message = format!("value for key {number} is not a map");
        Self::new(PatchErrorKind::BadArgType, message, at)
    }

    #[cold]
    pub(super) fn no_merge_key(item: &Value, merge_key: &str, at: &Path<'_>) -> Self {
        let message = format!(
            "map: {} does not contain declared merge key: {merge_key}",
            Printed(item)
        );
        Self::new(PatchErrorKind::NoMergeKey, message, at)
    }

    #[cold]
    pub(super) fn no_merge_key_to_search_by(item: &Value, merge_key: &str, at: &Path<'_>) -> Self {
        let message = format!(
            "cannot find merge key `{merge_key}` in merging list element:{}",
            Printed(item)
        );
        Self::new(PatchErrorKind::NoMergeKey, message, at)
    }

    #[cold]
    pub(super) fn bad_retain_keys(at: &Path<'_>) -> Self {
        let message = "invalid patch format of retainKeys";
        Self::new(PatchErrorKind::BadRetainKeys, message, at)
    }

    #[cold]
    pub(super) fn bad_order(at: &Path<'_>) -> Self {
        let message = "invalid patch format of setElementOrder list";
        Self::new(PatchErrorKind::BadSetElementOrder, message, at)
    }

    #[cold]
    pub(super) fn bad_delete_list(at: &Path<'_>) -> Self {
        let message = "invalid patch format of primitive list";
        Self::new(PatchErrorKind::BadDeleteList, message, at)
    }

    /// What kind of thing is wrong.
    #[must_use]
    pub const fn kind(&self) -> PatchErrorKind {
        self.kind
    }

    /// What Kubernetes prints, to the letter.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the path of the error, such as `spec.volumes[2].$retainKeys`. Positions are those in
    /// the patch, where the patch has the list.
    #[must_use]
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
