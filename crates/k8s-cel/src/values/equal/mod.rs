//! Equality of CEL values, and access to elements and entries.

mod equality;
mod keyed_lists;
mod lists;
mod numbers;

pub(crate) use self::equality::{
    check_hashable, entry, entry_at, entry_by_key, equal, key_position, keys,
};
pub(crate) use self::keyed_lists::{MapKeys, set_key};
pub(crate) use self::lists::{
    HashKey, ListElements, UnhashableError, element, elements_or_errors, hash_key,
    hash_key_of_value, list_map_key,
};
pub(crate) use self::numbers::{compare_numbers, to_equal_int};
