//! What a patch must be like, and what can go wrong where one is made.

use core::fmt;
use union_runtime::path::FieldPath;

use serde_json::Value;

use crate::conflict::Conflicts;
use crate::error::PatchError;
use crate::values::print::Printed;

/// The treatment of fields that the author of a three-way patch and others both changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnConflict {
    /// The patch has the values of the author.
    Overwrite,
    /// The fields are [`Conflicts`], and there is no patch.
    Fail,
}

/// The choices for a [three-way patch](crate::PatchSchema::three_way), which also takes an
/// [`OnConflict`] alone.
///
/// ```
/// use serde_json::json;
/// use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchSchema};
/// use k8s_strategic_merge_patch::{ThreeWayOptions, key_unchanged};
///
/// let schema = PatchSchema::compile(&json!({"properties": {"kind": {"type": "string"}}}))?;
/// let [applied, wanted] = ["A", "B"].map(|kind| json!({"kind": kind}));
/// let same_kind = [&key_unchanged("kind") as _];
/// let options = ThreeWayOptions::new(OnConflict::Overwrite).preconditions(&same_kind);
/// let failed = schema.three_way(&applied, &wanted, &applied, options).unwrap_err();
/// assert!(matches!(failed, DiffError::Precondition(_)));
/// # Ok::<(), k8s_strategic_merge_patch::SchemaError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ThreeWayOptions<'f> {
    pub(super) on_conflict: OnConflict,
    pub(super) preconditions: &'f [Precondition<'f>],
}

impl<'f> ThreeWayOptions<'f> {
    /// Options without preconditions.
    #[must_use]
    pub const fn new(on_conflict: OnConflict) -> Self {
        Self {
            on_conflict,
            preconditions: &[],
        }
    }

    /// The same with these preconditions, which are checked before conflicts are searched.
    #[must_use]
    pub const fn preconditions(mut self, preconditions: &'f [Precondition<'f>]) -> Self {
        self.preconditions = preconditions;
        self
    }
}

impl From<OnConflict> for ThreeWayOptions<'_> {
    fn from(on_conflict: OnConflict) -> Self {
        Self::new(on_conflict)
    }
}

impl fmt::Debug for ThreeWayOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreeWayOptions")
            .field("on_conflict", &self.on_conflict)
            .field("preconditions", &self.preconditions.len())
            .finish()
    }
}

/// A condition that a finished patch must meet. [`check_preconditions`] has an example.
pub type Precondition<'f> = &'f dyn Fn(&Value) -> bool;

/// A [`Precondition`]: the patch leaves the field `key` of the object alone, as `apiVersion`.
pub fn key_unchanged(key: &str) -> impl Fn(&Value) -> bool {
    move |patch| patch.get(key).is_none()
}

/// A [`Precondition`]: the patch leaves the field `key` of the object's metadata alone, as `name`.
pub fn metadata_key_unchanged(key: &str) -> impl Fn(&Value) -> bool {
    move |patch| {
        let metadata = patch.get("metadata");
        metadata.and_then(|metadata| metadata.get(key)).is_none()
    }
}

/// A patch does not meet a precondition. `Display` is what Kubernetes prints, to the letter.
#[derive(Clone, Debug, PartialEq)]
pub struct PreconditionFailed {
    patch: Value,
}

impl PreconditionFailed {
    /// The patch that was to be made.
    #[must_use]
    pub const fn patch(&self) -> &Value {
        &self.patch
    }
}

/// What Kubernetes prints, to the letter.
impl fmt::Display for PreconditionFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "precondition failed for: {}", Printed(&self.patch))
    }
}

impl core::error::Error for PreconditionFailed {}

/// Why there is no patch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DiffError {
    /// A document holds something that no patch can be made of.
    Invalid(PatchError),
    /// The patch does not meet a precondition.
    Precondition(PreconditionFailed),
    /// Both sides changed the same fields.
    Conflict(Conflicts),
}

impl DiffError {
    /// The name of the kind: that of [`PatchErrorKind`](crate::PatchErrorKind),
    /// `PreconditionFailed` or `Conflict`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Invalid(error) => error.kind().as_str(),
            Self::Precondition(_) => "PreconditionFailed",
            Self::Conflict(_) => "Conflict",
        }
    }

    /// What Kubernetes prints, to the letter. `Display` has paths, and what to do.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Invalid(error) => error.message().to_owned(),
            Self::Precondition(failed) => failed.to_string(),
            Self::Conflict(conflicts) => conflicts.message(),
        }
    }

    /// Returns the path of the error: the first path of a conflict, and the document itself for a
    /// precondition.
    #[must_use]
    pub fn path(&self) -> FieldPath {
        match self {
            Self::Invalid(error) => error.path().clone(),
            Self::Precondition(_) => FieldPath::root(),
            Self::Conflict(conflicts) => {
                let first = conflicts.iter().next();
                first.map_or_else(FieldPath::root, |first| first.path().clone())
            }
        }
    }
}

impl From<PatchError> for DiffError {
    fn from(error: PatchError) -> Self {
        Self::Invalid(error)
    }
}

impl From<PreconditionFailed> for DiffError {
    fn from(failed: PreconditionFailed) -> Self {
        Self::Precondition(failed)
    }
}

impl fmt::Display for DiffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => error.fmt(f),
            Self::Precondition(failed) => failed.fmt(f),
            Self::Conflict(conflicts) => conflicts.fmt(f),
        }
    }
}

impl core::error::Error for DiffError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Invalid(error) => Some(error),
            Self::Precondition(failed) => Some(failed),
            Self::Conflict(conflicts) => Some(conflicts),
        }
    }
}

/// Returns the patch if it meets all preconditions.
///
/// ```
/// use serde_json::json;
/// use k8s_strategic_merge_patch::{PatchSchema, check_preconditions};
/// use k8s_strategic_merge_patch::{key_unchanged, metadata_key_unchanged};
///
/// let schema = PatchSchema::compile(&json!({"properties": {"kind": {"type": "string"}}}))?;
/// let patch = schema.diff(&json!({"kind": "A"}), &json!({"kind": "B"}))?;
/// let same_object = [&key_unchanged("kind") as _, &metadata_key_unchanged("name") as _];
/// let failed = check_preconditions(patch, &same_object).unwrap_err();
/// assert_eq!(failed.to_string(), "precondition failed for: map[kind:B]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The patch does not meet a precondition.
pub fn check_preconditions(
    patch: Value,
    preconditions: &[Precondition<'_>],
) -> Result<Value, PreconditionFailed> {
    if preconditions.iter().all(|is_met| is_met(&patch)) {
        Ok(patch)
    } else {
        Err(PreconditionFailed { patch })
    }
}
