//! A violation of each kind, for checks of one's own: worded as `k8s.io/apimachinery` words it
//! (`pkg/util/validation/field`, v0.36).

use core::fmt::Display;

use super::violation::{Found, Violation, ViolationKind};
use crate::path::FieldPath;
use k8s_json_internals::quote::quoted;

/// A violation of your own: each kind has a constructor. `path` is an array of field names, a
/// [`FieldPath`], or the [`Path`](crate::path::Path) of a walk.
///
/// ```
/// use union_runtime::Violation;
///
/// let violation = Violation::invalid(["spec", "replicas"], -1, "must be greater than or equal to 0");
/// assert_eq!(violation.to_string(), "spec.replicas: Invalid value: -1: must be greater than or equal to 0");
/// let violation = Violation::not_supported(["spec", "tier"], "gold", ["silver", "bronze"]);
/// assert_eq!(violation.to_string(), r#"spec.tier: Unsupported value: "gold": supported values: "silver", "bronze""#);
/// ```
impl Violation {
    /// The field says something that the rest of the object, or the world, does not allow: `detail`
    /// says what is allowed.
    #[must_use]
    pub fn invalid(
        path: impl Into<FieldPath>,
        value: impl Into<Found>,
        detail: impl Into<String>,
    ) -> Self {
        Self::of(ViolationKind::Invalid, path, value.into(), detail)
    }

    /// The field is absent, and may not be. `detail` may be `""`.
    #[must_use]
    pub fn required(path: impl Into<FieldPath>, detail: impl Into<String>) -> Self {
        Self::of(ViolationKind::Required, path, Found::Nothing, detail)
    }

    /// The field has a value that is not among these.
    #[must_use]
    pub fn not_supported<'a>(
        path: impl Into<FieldPath>,
        value: impl Into<Found>,
        supported: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let values = quoted(supported);
        let detail = if values.is_empty() {
            values
        } else {
            format!("supported values: {values}")
        };
        Self::of(ViolationKind::NotSupported, path, value.into(), detail)
    }

    /// The list has this value twice; `path` is that of the second one.
    #[must_use]
    pub fn duplicate(path: impl Into<FieldPath>, value: impl Into<Found>) -> Self {
        Self::of(ViolationKind::Duplicate, path, value.into(), "")
    }

    /// The field may not be there, or may not be changed: `detail` says why.
    #[must_use]
    pub fn forbidden(path: impl Into<FieldPath>, detail: impl Into<String>) -> Self {
        Self::of(ViolationKind::Forbidden, path, Found::Nothing, detail)
    }

    /// The text has more than `most` bytes. The text itself is not printed.
    #[must_use]
    pub fn too_long(path: impl Into<FieldPath>, most: usize) -> Self {
        let bytes = if most == 1 { "byte" } else { "bytes" };
        let detail = format!("may not be more than {most} {bytes}");
        Self::of(ViolationKind::TooLong, path, Found::Nothing, detail)
    }

    /// The list or map has `count` elements, and may have `most`.
    #[must_use]
    pub fn too_many(path: impl Into<FieldPath>, count: usize, most: usize) -> Self {
        let items = if most == 1 { "item" } else { "items" };
        let detail = format!("must have at most {most} {items}");
        Self::of(ViolationKind::TooMany, path, count.into(), detail)
    }

    /// The field holds a value of another type, or one that its format does not allow: `detail`
    /// says which is wanted.
    #[must_use]
    pub fn type_invalid(
        path: impl Into<FieldPath>,
        value: impl Into<Found>,
        detail: impl Into<String>,
    ) -> Self {
        Self::of(ViolationKind::TypeInvalid, path, value.into(), detail)
    }

    /// The check itself went wrong, with this error.
    #[must_use]
    pub fn internal(path: impl Into<FieldPath>, error: impl Display) -> Self {
        Self::of(
            ViolationKind::Internal,
            path,
            Found::Nothing,
            error.to_string(),
        )
    }

    fn of(
        kind: ViolationKind,
        path: impl Into<FieldPath>,
        value: Found,
        detail: impl Into<String>,
    ) -> Self {
        Self::found(kind, path.into(), value, detail.into())
    }
}
