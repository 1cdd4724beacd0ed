//! Whether the strategy of a patch wants a merge key: finds out, in generated code, whether a field is a list of objects.

use super::list_map::KeyField;
use super::schema_hook::Probe;

/// What holds for types that are not lists.
pub trait NoList {
    /// Whether the type is a list.
    const IS_LIST: bool = false;
}

impl<T: ?Sized> NoList for Probe<T> {}

impl<T> Probe<Vec<T>> {
    /// Whether the type is a list.
    pub const IS_LIST: bool = true;
}

impl<T> Probe<Option<Vec<T>>> {
    /// Whether the type is a list.
    pub const IS_LIST: bool = true;
}

/// What holds for lists whose elements are not known to be scalars.
pub trait NoScalars {
    /// Whether the elements are scalars.
    const HAS_SCALARS: bool = false;
}

impl<T: ?Sized> NoScalars for Probe<T> {}

impl<T: KeyField> Probe<Vec<T>> {
    /// Whether the elements are scalars.
    pub const HAS_SCALARS: bool = true;
}

impl<T: KeyField> Probe<Option<Vec<T>>> {
    /// Whether the elements are scalars.
    pub const HAS_SCALARS: bool = true;
}

/// Refuses a list of objects that is merged without a key.
///
/// # Panics
///
/// At compile time.
#[track_caller]
pub const fn require_merge_key(is_list: bool, has_scalars: bool) {
    assert!(
        !is_list || has_scalars,
        "a list of objects is merged by a key of its elements; add `patch_merge_key = \"name\"`, or write another \
         strategy; where the elements are scalars in JSON after all, write `patch_merge_key = \"\"`"
    );
}
