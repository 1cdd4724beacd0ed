//! The names of directives, and their keys in a patch.

pub(crate) const DIRECTIVE_MARKER: &str = "$patch";
pub(crate) const DELETE_DIRECTIVE: &str = "delete";
pub(crate) const REPLACE_DIRECTIVE: &str = "replace";
pub(crate) const RETAIN_KEYS_DIRECTIVE: &str = "$retainKeys";
pub(crate) const SET_ELEMENT_ORDER_PREFIX: &str = "$setElementOrder";
pub(crate) const DELETE_FROM_PRIMITIVE_LIST_PREFIX: &str = "$deleteFromPrimitiveList";

/// Returns true for the key of a directive about a list, which is beside the key of the list.
pub(crate) fn is_parallel_list_directive(key: &str) -> bool {
    key.starts_with('$')
        && (key.starts_with(SET_ELEMENT_ORDER_PREFIX)
            || key.starts_with(DELETE_FROM_PRIMITIVE_LIST_PREFIX))
}

/// Returns true for the key of a directive.
pub(super) fn is_directive(key: &str) -> bool {
    key == DIRECTIVE_MARKER || key == RETAIN_KEYS_DIRECTIVE || is_parallel_list_directive(key)
}

/// Returns the field of a key such as `$setElementOrder/field`. Only the first slash counts.
pub(super) fn directive_field<'k>(key: &'k str, prefix: &str) -> Option<&'k str> {
    key.strip_prefix(prefix)?.strip_prefix('/')
}

/// Returns a key such as `$setElementOrder/field`.
pub(crate) fn directive_key(prefix: &str, field: &str) -> String {
    [prefix, "/", field].concat()
}
