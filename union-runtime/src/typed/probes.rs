//! Probes: constants by which generated code learns facts about a type that only rustc knows.

use super::list_map::KeyField;
use crate::union_spec::{EnumType, EnumValue};
use crate::view::{Descent, Nested, UnionNodes, Visitor};
use core::marker::PhantomData;
use serde::{Serialize, de::DeserializeOwned};

/// A probe of the type `T`. Each constant of a probe belongs to a property. If `T` has the
/// property, `Probe<T>` has an inherent constant, which takes precedence over the constant with the
/// same name in [`ProbeDefaults`].
pub struct Probe<T: ?Sized>(PhantomData<T>);

impl<T> Probe<T> {
    /// Returns the probe of the type of a value.
    #[must_use]
    pub const fn from_value(_: &T) -> Self {
        Self(PhantomData)
    }
}

/// The constants and the method of [`Probe`] for types without the properties.
pub trait ProbeDefaults<T: ?Sized>: Sized {
    /// The constant of types without a schema. Unlike the constant of [`Probe`], this constant is
    /// not deprecated, so its use is not a warning.
    const SCHEMA_WITHOUT_UNION: () = ();

    /// The constant of enums without a schema, which is not deprecated.
    const SCHEMA_WITHOUT_VALUES: () = ();

    /// The constant of enums without a schema or without `FromStr`, which is not deprecated.
    const UNCHECKED_VALUES: () = ();

    /// True if the type is an `Option` of an `Option`.
    const IS_DOUBLE_OPTION: bool = false;

    /// True if the type is a list.
    const IS_LIST: bool = false;

    /// True if the type is a list of scalars.
    const HAS_SCALARS: bool = false;

    /// True if the type is an enum type, or contains values of an enum type.
    const HOLDS_VALUES: bool = false;

    /// True if the type has unions.
    const HAS_UNIONS: bool = false;

    /// True if the type is an enum type that keeps unknown values.
    const KEEPS_UNKNOWN: bool = false;

    /// Does nothing, because the type has no unions.
    fn require_mark() {}

    /// Returns `None`, because serde does not both read and write the type.
    #[must_use]
    fn json_error() -> Option<String> {
        None
    }

    /// Returns true, because the field contains no values of an enum type.
    #[inline]
    fn walk_values<'v, Holder>(
        self,
        _: &T,
        _: fn(&'v Holder) -> Option<&'v T>,
        _: fn(&str, Option<&Holder>) -> Option<T>,
        _: &str,
        _: &mut Option<Descent<'_, 'v, Holder, dyn Visitor + '_>>,
    ) -> bool
    where
        T: Sized,
    {
        true
    }
}

impl<T: ?Sized> ProbeDefaults<T> for Probe<T> {}

impl<E: EnumType + Serialize + DeserializeOwned> Probe<E> {
    /// Returns an error if serde does not read and write each value as the enum type lists it.
    #[must_use]
    pub fn json_error() -> Option<String> {
        let name = core::any::type_name::<E>();
        E::VALUES.iter().enumerate().find_map(|(position, value)| {
            let written = match serde_json::to_value(E::from_index(position)?) {
                Ok(written) if written == *value => None,
                Ok(written) => Some(format!("serde writes {written}")),
                Err(error) => Some(format!("serde does not write the value: {error}")),
            };
            let mistake = written.or_else(|| match E::deserialize(serde_json::json!(value)) {
                Ok(read) if read.value() == EnumValue::Known(position) => None,
                Ok(_) => Some("serde reads it as another value".to_owned()),
                Err(error) => Some(format!("serde does not read it: {error}")),
            })?;
            Some(format!(
                "the enum type `{name}` lists the value {value:?}, but {mistake}; derive serde's `Serialize` and `Deserialize`, with `#[serde(rename = \"...\")]` for other names, or implement `EnumType` by hand"
            ))
        })
    }
}

// The use of these constants is a warning and not an error, because features are shared in a build:
// a crate that enables the feature must not break other crates.
#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema + ?Sized> Probe<T> {
    /// The constant that the derive uses for a struct without a schema hook. If the struct
    /// implements `JsonSchema`, the use of this deprecated constant is a warning.
    #[deprecated(
        note = "the schema of this struct does not contain its unions; add `#[schemars(transform = union_runtime::add_unions::<TheStruct>)]`, or opt out with `#[union(schema = false)]`"
    )]
    pub const SCHEMA_WITHOUT_UNION: () = ();

    /// The constant that the derive uses for an enum with `other` and without a schema hook. If the
    /// enum implements `JsonSchema`, the use of this deprecated constant is a warning.
    #[deprecated(
        note = "the schema of this enum does not contain its values; add `#[schemars(transform = union_runtime::add_enum::<TheEnum>)]`, or opt out with `#[enum_type(schema = false)]`"
    )]
    pub const SCHEMA_WITHOUT_VALUES: () = ();
}

#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema + core::str::FromStr> Probe<T> {
    /// The constant that the derive uses for an enum without a schema hook. If the enum implements
    /// `JsonSchema` and `FromStr`, the use of this deprecated constant is a warning, because serde
    /// may use `FromStr` instead of the names of the variants.
    #[deprecated(
        note = "the derive cannot see if serde reads this enum with `FromStr`; add `#[schemars(transform = union_runtime::add_enum::<TheEnum>)]`, which checks the values, or opt out with `#[enum_type(schema = false)]`"
    )]
    pub const UNCHECKED_VALUES: () = ();
}

macro_rules! probes {
    ($($constant:ident $(where T: $bound:path)?: $($ty:ty)+;)+) => {$(probes! { @ $constant [$($bound)?] $($ty)+ })+};
    (@ $constant:ident $bound:tt $($ty:ty)+) => {$(probes! { @@ $constant $bound $ty })+};
    (@@ $constant:ident [$($bound:path)?] $ty:ty) => {
        impl<T $(: $bound)?> Probe<$ty> {
            /// True, because the type has the property.
            pub const $constant: bool = true;
        }
    };
}

probes! {
    IS_DOUBLE_OPTION: Option<Option<T>> Option<Box<Option<T>>> Box<Option<Option<T>>>;
    IS_LIST: Vec<T> Option<Vec<T>>;
    HAS_SCALARS where T: KeyField: Vec<T> Option<Vec<T>>;
}

impl<T: Nested> Probe<T> {
    /// True, because the type has unions.
    pub const HAS_UNIONS: bool = true;

    /// Does not compile, because a field with unions needs an attribute.
    pub fn require_mark()
    where
        T: Marked,
    {
    }
}

/// A type without unions, or the type of a field with an attribute that describes the unions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has unions, which this derive would neither validate nor normalize",
    label = "a type with unions",
    note = "write `#[union(nested)]` on the field or the variant (`#[union(inline)]` with `#[serde(flatten)]`); to leave the unions unchecked, write `#[union(not_nested)]`",
    note = "on a root type of kube, write `#[kube(attr = \"union(nested(spec))\")]`, or `union(nested(spec, status))`"
)]
pub trait Marked {}

#[diagnostic::do_not_recommend]
impl Marked for UnionNodes {}

/// A type that is equal to `T`.
#[diagnostic::on_unimplemented(
    message = "the schema hook is for another type",
    label = "this hook is on `{T}` and must name it",
    note = "a schema hook adds the rules of the type that it names"
)]
pub trait SameType<T: ?Sized> {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> SameType<T> for T {}

/// Compiles only if a schema hook names the type that has the hook.
pub const fn assert_hook_type<HookType: SameType<OwnType> + ?Sized, OwnType: ?Sized>() {}

/// Expands to its argument, an impl of `JsonSchema`, because the feature `schemars` of this crate
/// is on. Generated code cannot test the feature.
#[cfg(feature = "schemars")]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_schema {
    ($($schema:tt)*) => {
        $($schema)*
    };
}

/// Expands to nothing, because the feature `schemars` of this crate is off.
#[cfg(not(feature = "schemars"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_schema {
    ($($schema:tt)*) => {};
}

/// A type, as an associated type that depends on a lifetime. An impl with an unmet bound on
/// `<S3 as Identity<'a>>::Type` for any `'a` does not apply, whereas an unmet bound on `S3` itself
/// would be an error.
pub trait Identity<'a> {
    /// The type.
    type Type: ?Sized;
}

impl<T: ?Sized> Identity<'_> for T {
    type Type = T;
}
