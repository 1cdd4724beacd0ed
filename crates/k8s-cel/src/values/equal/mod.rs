//! The equality of CEL values, and the elements and entries that it compares.

mod equality;
mod lists;
mod numbers;

pub(crate) use self::equality::{check_hashable, entry, entry_at, entry_by, equal, keys, place_of};
pub(crate) use self::lists::{Elements, Hashed, Unhashable, element, hashed, hashed_value, key_of};
pub(crate) use self::numbers::{compare_numbers, whole};
