//! The names of directives, and the keys that carry them.

pub(crate) const PATCH: &str = "$patch";
pub(crate) const DELETE: &str = "delete";
pub(super) const REPLACE: &str = "replace";
pub(crate) const RETAIN_KEYS: &str = "$retainKeys";
pub(crate) const ORDER: &str = "$setElementOrder";
pub(crate) const DELETE_LIST: &str = "$deleteFromPrimitiveList";

/// Returns true for a key beside a list that has directives for the list.
pub(crate) fn is_parallel(key: &str) -> bool {
    key.starts_with('$') && (key.starts_with(ORDER) || key.starts_with(DELETE_LIST))
}

/// Returns true for the key of a directive.
pub(super) fn is_directive(key: &str) -> bool {
    key == PATCH || key == RETAIN_KEYS || is_parallel(key)
}

/// Returns the field of a key such as `$setElementOrder/field`. Only the first slash counts.
pub(super) fn field_of<'k>(key: &'k str, prefix: &str) -> Option<&'k str> {
    key.strip_prefix(prefix)?.strip_prefix('/')
}

/// Returns a key such as `$setElementOrder/field`.
pub(crate) fn parallel(prefix: &str, field: &str) -> String {
    [prefix, "/", field].concat()
}
