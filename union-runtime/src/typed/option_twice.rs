//! Finds out, in generated code, that a member's type hides an `Option` in an `Option` behind a name.

use super::schema_hook::Probe;

/// What holds for other types.
pub trait NoOptionTwice {
    /// Whether the type is an `Option` of an `Option`.
    const IS_OPTION_TWICE: bool = false;
}

impl<T: ?Sized> NoOptionTwice for Probe<T> {}

macro_rules! option_twice {
    ($($twice:ty)*) => {$(
        impl<T> Probe<$twice> {
            /// Whether the type is an `Option` of an `Option`.
            pub const IS_OPTION_TWICE: bool = true;
        }
    )*};
}

option_twice!(Option<Option<T>> Option<Box<Option<T>>> Box<Option<Option<T>>>);

/// Refuses a member that is null where it is set.
///
/// # Panics
///
/// At compile time.
#[track_caller]
pub const fn refuse_option_twice(is_option_twice: bool) {
    assert!(
        !is_option_twice,
        "an `Option` in an `Option` is null where it is set to a none, and unset when it is read again; write one `Option`"
    );
}
