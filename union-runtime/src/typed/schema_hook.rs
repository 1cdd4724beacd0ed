//! Whether a type lacks its schema hook: generated code asks, where nothing that the derive sees says that there is a schema.

use core::marker::PhantomData;

/// `Probe::<T>` has constants of two kinds: those of the type itself, where `T` is what they ask for, hide those of a trait.
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// What holds for types without a schema.
pub trait NoSchema {
    /// Nothing to warn of.
    const SCHEMA_WITHOUT_UNION: () = ();

    /// Nothing to warn of.
    const SCHEMA_WITHOUT_VALUES: () = ();
}

impl<T: ?Sized> NoSchema for Probe<T> {}

// A warning and not an error: whoever switches the feature on in a build must not break other crates there.
#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema + ?Sized> Probe<T> {
    /// Asked of a struct whose derive saw no hook.
    #[deprecated(
        note = "the schema of this struct lacks what its `union` attributes say; add `#[schemars(transform = union_runtime::add_unions::<TheStruct>)]`, or `#[union(schema = false)]` if that is meant"
    )]
    pub const SCHEMA_WITHOUT_UNION: () = ();

    /// Asked of an enum with `other` whose derive saw no hook.
    #[deprecated(
        note = "the schema of this enum lacks its values; add `#[schemars(transform = union_runtime::add_enum::<TheEnum>)]`, or `#[enum_type(schema = false)]` if that is meant"
    )]
    pub const SCHEMA_WITHOUT_VALUES: () = ();
}
