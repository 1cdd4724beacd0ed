//! The schema of a union that is a Rust enum, where there is one.

/// Keeps an impl of `JsonSchema` where the feature `schemars` is on, which is this crate's: whoever derives cannot know.
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

/// A type, by way of a lifetime. What is asked of `<S3 as Itself<'a>>::Type` for any `'a` may fail to hold, and the impl that
/// asks it is not there then; asked of `S3`, it would be an error.
pub trait Itself<'a> {
    /// The type.
    type Type: ?Sized;
}

impl<T: ?Sized> Itself<'_> for T {
    type Type = T;
}
