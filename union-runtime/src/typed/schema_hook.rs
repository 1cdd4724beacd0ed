//! Whether a type wants a schema hook: finds out, in generated code, whether it has a schema that its unions are to stand in.

use core::marker::PhantomData;

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
