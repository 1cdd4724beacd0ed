//! Questions of generated code about a type, which only rustc can answer.

use super::list_map::KeyField;
use crate::view::descent::Descent;
use crate::view::node::Visitor;
use core::marker::PhantomData;

/// `Probe::<T>` has constants of two kinds: those of the type itself, where `T` is what they ask
/// for, hide those of [`Otherwise`].
pub struct Probe<T: ?Sized>(PhantomData<T>);

impl<T> Probe<T> {
    /// The probe of the type of a value.
    #[must_use]
    pub const fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

/// The constants and the function of all types that have none of their own.
pub trait Otherwise<T: ?Sized>: Sized {
    /// The constant of types without a warning.
    const SCHEMA_WITHOUT_UNION: () = ();

    /// The constant of types without a warning.
    const SCHEMA_WITHOUT_VALUES: () = ();

    /// True if the type is an `Option` of an `Option`.
    const IS_OPTION_TWICE: bool = false;

    /// True if the type is a list.
    const IS_LIST: bool = false;

    /// True if the type is a list of scalars.
    const HAS_SCALARS: bool = false;

    /// True if the type is an enum type, or holds values of one.
    const HOLDS_VALUES: bool = false;

    /// Returns true: there are no values of an enum type to check.
    #[inline]
    fn walk_values<'v, Holder>(
        self,
        _: &T,
        _: impl FnOnce() -> Option<T>,
        _: Option<&'v T>,
        _: &str,
        _: &mut Option<Descent<'_, 'v, Holder, dyn Visitor + '_>>,
    ) -> bool
    where
        T: Sized,
    {
        true
    }
}

impl<T: ?Sized> Otherwise<T> for Probe<T> {}

// A warning and not an error: whoever switches the feature on in a build must not break other
// crates there.
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

macro_rules! probes {
    ($($constant:ident $(where T: $bound:path)?: $($ty:ty)+;)+) => {$(probes! { @ $constant [$($bound)?] $($ty)+ })+};
    (@ $constant:ident $bound:tt $($ty:ty)+) => {$(probes! { @@ $constant $bound $ty })+};
    (@@ $constant:ident [$($bound:path)?] $ty:ty) => {
        impl<T $(: $bound)?> Probe<$ty> {
            /// True, as the type is what is asked for.
            pub const $constant: bool = true;
        }
    };
}

probes! {
    IS_OPTION_TWICE: Option<Option<T>> Option<Box<Option<T>>> Box<Option<Option<T>>>;
    IS_LIST: Vec<T> Option<Vec<T>>;
    HAS_SCALARS where T: KeyField: Vec<T> Option<Vec<T>>;
}

/// Holds for a type and itself.
#[diagnostic::on_unimplemented(
    message = "the schema hook is for another type",
    label = "this hook is on `{T}`; write that here",
    note = "a type gets the rules of the one that its hook names"
)]
pub trait HookOf<T: ?Sized> {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> HookOf<T> for T {}

/// Compiles where the type that a hook names is the one that it stands on.
pub const fn hook_is_for<Named: HookOf<Own> + ?Sized, Own: ?Sized>() {}

/// Keeps an impl of `JsonSchema` if the feature `schemars` of this crate is on. Generated code
/// cannot see the feature.
#[cfg(feature = "schemars")]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_schema {
    ($($schema:tt)*) => {
        $($schema)*
    };
}

/// Drops an impl of `JsonSchema`, as the feature `schemars` is off.
#[cfg(not(feature = "schemars"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_schema {
    ($($schema:tt)*) => {};
}

/// A type, by way of a lifetime. A bound on `<S3 as Itself<'a>>::Type` for any `'a` may fail; the
/// impl with the bound does not apply then. A bound on `S3` itself would be an error.
pub trait Itself<'a> {
    /// The type.
    type Type: ?Sized;
}

impl<T: ?Sized> Itself<'_> for T {
    type Type = T;
}
