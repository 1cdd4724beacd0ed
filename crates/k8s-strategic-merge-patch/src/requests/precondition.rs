//! The options and preconditions of a three-way patch, and its errors.

use core::fmt;
use union_runtime::path::FieldPath;

use serde_json::Value;

use crate::conflict::Conflicts;
use crate::error::PatchError;
use crate::values::print::GoValue;

/// The treatment of fields that both the author of a three-way patch and other clients changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnConflict {
    /// The patch has the author's values.
    Overwrite,
    /// The fields are returned as [`Conflicts`], without a patch.
    Fail,
}

/// The options of a [three-way patch](crate::PatchSchema::three_way), which also accepts an
/// [`OnConflict`] alone.
///
/// ```
/// use serde_json::json;
/// use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchSchema};
/// use k8s_strategic_merge_patch::{ThreeWayOptions, require_key_unchanged};
///
/// let schema = PatchSchema::compile(&json!({"properties": {"kind": {"type": "string"}}}))?;
/// let [applied, wanted] = ["A", "B"].map(|kind| json!({"kind": kind}));
/// let preconditions = [&require_key_unchanged("kind") as _];
/// let options = ThreeWayOptions::new(OnConflict::Overwrite).preconditions(&preconditions);
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
    /// Returns options without preconditions.
    #[must_use]
    pub const fn new(on_conflict: OnConflict) -> Self {
        Self {
            on_conflict,
            preconditions: &[],
        }
    }

    /// Sets the preconditions, which are checked before the search for conflicts.
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

/// Returns a [`Precondition`]: the patch does not contain the field `key` of the object, such as
/// `apiVersion`. As in Kubernetes, `$patch` and `$retainKeys` in the object are not examined.
pub fn require_key_unchanged(key: &str) -> impl Fn(&Value) -> bool {
    move |patch| patch.get(key).is_none()
}

/// Returns a [`Precondition`]: the patch does not contain the field `key` of the object's metadata,
/// such as `name`. As in Kubernetes, a patch that removes or replaces the whole metadata meets the
/// condition.
pub fn require_metadata_key_unchanged(key: &str) -> impl Fn(&Value) -> bool {
    move |patch| {
        let metadata = patch.get("metadata");
        metadata.and_then(|metadata| metadata.get(key)).is_none()
    }
}

/// The error of a patch that does not meet a precondition. `Display` prints exactly the message of
/// Kubernetes.
#[derive(Clone, Debug, PartialEq)]
pub struct PreconditionFailedError {
    patch: Value,
}

impl PreconditionFailedError {
    /// Returns the patch that does not meet the precondition.
    #[must_use]
    pub const fn patch(&self) -> &Value {
        &self.patch
    }
}

/// Prints exactly the message of Kubernetes.
impl fmt::Display for PreconditionFailedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "precondition failed for: {}", GoValue(&self.patch))
    }
}

impl core::error::Error for PreconditionFailedError {}

/// The reason why a three-way patch is not returned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DiffError {
    /// A document is invalid, so that no patch can be created from it.
    Invalid(PatchError),
    /// The patch does not meet a precondition.
    Precondition(PreconditionFailedError),
    /// Both the author and other clients changed the same fields.
    Conflict(Conflicts),
}

impl DiffError {
    /// Returns the name of the kind: the name of a [`PatchErrorKind`](crate::PatchErrorKind),
    /// `PreconditionFailed` or `Conflict`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Invalid(error) => error.kind().as_str(),
            Self::Precondition(_) => "PreconditionFailed",
            Self::Conflict(_) => "Conflict",
        }
    }

    /// Returns exactly the message that Kubernetes prints. `Display` adds paths and the remedy.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Invalid(error) => error.message().to_owned(),
            Self::Precondition(error) => error.to_string(),
            Self::Conflict(conflicts) => conflicts.message(),
        }
    }

    /// Returns the path of the error. For conflicts, this is the path of the first conflict; for a
    /// precondition, the path of the document.
    pub fn path(&self) -> FieldPath {
        match self {
            Self::Invalid(error) => error.path().clone(),
            Self::Precondition(_) => FieldPath::root(),
            Self::Conflict(conflicts) => {
                let first_conflict = conflicts.iter().next();
                first_conflict.map_or_else(FieldPath::root, |conflict| conflict.path().clone())
            }
        }
    }
}

impl From<PatchError> for DiffError {
    fn from(error: PatchError) -> Self {
        Self::Invalid(error)
    }
}

impl From<PreconditionFailedError> for DiffError {
    fn from(error: PreconditionFailedError) -> Self {
        Self::Precondition(error)
    }
}

impl fmt::Display for DiffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => error.fmt(f),
            Self::Precondition(error) => error.fmt(f),
            Self::Conflict(conflicts) => conflicts.fmt(f),
        }
    }
}

impl core::error::Error for DiffError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Invalid(error) => Some(error),
            Self::Precondition(error) => Some(error),
            Self::Conflict(conflicts) => Some(conflicts),
        }
    }
}

/// Checks that a patch meets all preconditions.
///
/// ```
/// use serde_json::json;
/// use k8s_strategic_merge_patch::{PatchSchema, check_preconditions};
/// use k8s_strategic_merge_patch::{require_key_unchanged, require_metadata_key_unchanged};
///
/// let schema = PatchSchema::compile(&json!({"properties": {"kind": {"type": "string"}}}))?;
/// let patch = schema.diff(&json!({"kind": "A"}), &json!({"kind": "B"}))?;
/// let same_object =
///     [&require_key_unchanged("kind") as _, &require_metadata_key_unchanged("name") as _];
/// let failed = check_preconditions(&patch, &same_object).unwrap_err();
/// assert_eq!(failed.to_string(), "precondition failed for: map[kind:B]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if the patch does not meet a precondition.
pub fn check_preconditions(
    patch: &Value,
    preconditions: &[Precondition<'_>],
) -> Result<(), PreconditionFailedError> {
    if preconditions.iter().all(|is_met| is_met(patch)) {
        Ok(())
    } else {
        Err(PreconditionFailedError {
            patch: patch.clone(),
        })
    }
}
