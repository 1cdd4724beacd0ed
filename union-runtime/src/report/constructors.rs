//! Constructors of violations, for checks of your own. The messages are those of
//! `k8s.io/apimachinery` (`pkg/util/validation/field`, v0.36).

use core::fmt::Display;

use super::violation::{BadValue, Violation, ViolationKind};
use crate::path::FieldPath;
use k8s_json_internals::quote::quote_list;

/// Constructors of violations, one for each kind. `path` is an array of field names, a
/// [`FieldPath`], or the [`Path`](crate::path::Path) of a walk.
///
/// ```
/// use union_runtime::Violation;
///
/// let violation = Violation::invalid(["spec", "replicas"], -1, "must not be negative");
/// assert_eq!(violation.to_string(), "spec.replicas: Invalid value: -1: must not be negative");
/// let violation = Violation::not_supported(["spec", "tier"], "gold", ["silver", "bronze"]);
/// assert_eq!(
///     violation.to_string(),
///     r#"spec.tier: Unsupported value: "gold": supported values: "silver", "bronze""#,
/// );
/// ```
impl Violation {
    /// Returns the error that the rest of the object, or the state of the cluster, does not allow
    /// the value of the field. `detail` is the rule that the value breaks.
    pub fn invalid(
        path: impl Into<FieldPath>,
        value: impl Into<BadValue>,
        detail: impl Into<String>,
    ) -> Self {
        Self::from_detail(ViolationKind::Invalid, path, value.into(), detail)
    }

    /// Returns the error that a required field is absent. `detail` may be `""`.
    pub fn required(path: impl Into<FieldPath>, detail: impl Into<String>) -> Self {
        Self::from_detail(ViolationKind::Required, path, BadValue::Omitted, detail)
    }

    /// Returns the error that the value of the field is not one of the `supported` values.
    pub fn not_supported<'a>(
        path: impl Into<FieldPath>,
        value: impl Into<BadValue>,
        supported: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let values = quote_list(supported);
        let detail = if values.is_empty() {
            values
        } else {
            format!("supported values: {values}")
        };
        Self::from_detail(ViolationKind::NotSupported, path, value.into(), detail)
    }

    /// Returns the error that a list contains the same value twice. `path` is the path of the
    /// second element.
    pub fn duplicate(path: impl Into<FieldPath>, value: impl Into<BadValue>) -> Self {
        Self::from_detail(ViolationKind::Duplicate, path, value.into(), "")
    }

    /// Returns the error that the field must be absent, or must not change. `detail` is the reason.
    pub fn forbidden(path: impl Into<FieldPath>, detail: impl Into<String>) -> Self {
        Self::from_detail(ViolationKind::Forbidden, path, BadValue::Omitted, detail)
    }

    /// Returns the error that a string has more than `most` bytes. The message does not contain the
    /// string.
    pub fn too_long(path: impl Into<FieldPath>, most: usize) -> Self {
        let bytes = if most == 1 { "byte" } else { "bytes" };
        let detail = format!("may not be more than {most} {bytes}");
        Self::from_detail(ViolationKind::TooLong, path, BadValue::Omitted, detail)
    }

    /// Returns the error that a list or map has `count` elements, and `most` are allowed.
    pub fn too_many(path: impl Into<FieldPath>, count: usize, most: usize) -> Self {
        let items = if most == 1 { "item" } else { "items" };
        let detail = format!("must have at most {most} {items}");
        Self::from_detail(ViolationKind::TooMany, path, count.into(), detail)
    }

    /// Returns the error that the value of the field has the wrong type or the wrong format.
    /// `detail` describes the type or the format that is required.
    pub fn type_invalid(
        path: impl Into<FieldPath>,
        value: impl Into<BadValue>,
        detail: impl Into<String>,
    ) -> Self {
        Self::from_detail(ViolationKind::TypeInvalid, path, value.into(), detail)
    }

    /// Returns the error that the check itself failed with `error`.
    pub fn internal(path: impl Into<FieldPath>, error: impl Display) -> Self {
        Self::from_detail(
            ViolationKind::Internal,
            path,
            BadValue::Omitted,
            error.to_string(),
        )
    }

    fn from_detail(
        kind: ViolationKind,
        path: impl Into<FieldPath>,
        value: BadValue,
        detail: impl Into<String>,
    ) -> Self {
        Self::from_parts(kind, path.into(), value, detail.into())
    }
}
