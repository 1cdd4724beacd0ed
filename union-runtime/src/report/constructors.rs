//! Constructors of violations, for your own checks. The messages are the messages of
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
    /// Creates an error for a value that the rest of the object, or the state of the cluster, does
    /// not allow. `detail` is the rule that the value breaks.
    pub fn invalid(
        path: impl Into<FieldPath>,
        value: impl Into<BadValue>,
        detail: impl Into<String>,
    ) -> Self {
        Self::from_detail(ViolationKind::Invalid, path, value.into(), detail)
    }

    /// Creates an error for a required field that is absent. `detail` may be `""`.
    pub fn required(path: impl Into<FieldPath>, detail: impl Into<String>) -> Self {
        Self::from_detail(ViolationKind::Required, path, BadValue::Omitted, detail)
    }

    /// Creates an error for a value that is not one of the `supported` values.
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

    /// Creates an error for a value that a list contains twice. `path` is the path of the second
    /// element.
    pub fn duplicate(path: impl Into<FieldPath>, value: impl Into<BadValue>) -> Self {
        Self::from_detail(ViolationKind::Duplicate, path, value.into(), "")
    }

    /// Creates an error for a field that must be absent, or must not change. `detail` is the
    /// reason.
    pub fn forbidden(path: impl Into<FieldPath>, detail: impl Into<String>) -> Self {
        Self::from_detail(ViolationKind::Forbidden, path, BadValue::Omitted, detail)
    }

    /// Creates an error for a string with more than `max` bytes. The message does not contain the
    /// string.
    pub fn too_long(path: impl Into<FieldPath>, max: usize) -> Self {
        let bytes = if max == 1 { "byte" } else { "bytes" };
        let detail = format!("may not be more than {max} {bytes}");
        Self::from_detail(ViolationKind::TooLong, path, BadValue::Omitted, detail)
    }

    /// Creates an error for a list or a map that has `count` elements, if at most `max` are
    /// allowed.
    pub fn too_many(path: impl Into<FieldPath>, count: usize, max: usize) -> Self {
        let items = if max == 1 { "item" } else { "items" };
        let detail = format!("must have at most {max} {items}");
        Self::from_detail(ViolationKind::TooMany, path, count.into(), detail)
    }

    /// Creates an error for a value of the wrong type or the wrong format. `detail` is the required
    /// type or format.
    pub fn type_invalid(
        path: impl Into<FieldPath>,
        value: impl Into<BadValue>,
        detail: impl Into<String>,
    ) -> Self {
        Self::from_detail(ViolationKind::TypeInvalid, path, value.into(), detail)
    }

    /// Creates an error for a check that failed with `error`.
    pub fn internal(path: impl Into<FieldPath>, error: impl Display) -> Self {
        let detail = error.to_string();
        Self::from_detail(ViolationKind::Internal, path, BadValue::Omitted, detail)
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
