//! Finds out, in generated code, what a type is: whether it has a schema that its unions are to stand in, and whether it
//! is a list of objects.

use core::marker::PhantomData;

use crate::list_map::KeyField;

/// `Probe::<T>::HAS_SCHEMA` is true iff `T: JsonSchema`: an associated const of the type hides one of a trait.
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// What holds for types without a schema.
pub trait NoSchema {
    /// Whether the type implements `JsonSchema`.
    const HAS_SCHEMA: bool = false;
}

impl<T: ?Sized> NoSchema for Probe<T> {}

#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema + ?Sized> Probe<T> {
    /// Whether the type implements `JsonSchema`.
    pub const HAS_SCHEMA: bool = true;
}

/// Refuses a type that has a schema, and whose derive saw no hook.
///
/// # Panics
///
/// At compile time, with the `remedy`.
#[track_caller]
pub const fn require_hook(has_schema: bool, remedy: &str) {
    assert!(!has_schema, "{}", remedy);
}

/// What holds for types that are no lists.
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
