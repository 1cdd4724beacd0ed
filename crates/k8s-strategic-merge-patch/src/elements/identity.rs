//! The identities of elements: the values of their merge keys, or the elements themselves.

use serde_json::Value;

use super::element_index::HashedKey;
use super::scalar::Scalar;
use crate::error::PatchError;
use crate::values::json_type::{GO_MAP, GO_STRING};
use union_runtime::path::{Path, PathStep};

/// Returns the identity of an element: the value of its merge key, or the element itself if
/// `merge_key` is empty.
pub(crate) fn identity<'v>(
    item: &'v Value,
    merge_key: &str,
    location: &Path<'_>,
) -> Result<Scalar<'v>, PatchError> {
    let value = if merge_key.is_empty() {
        item
    } else {
        merge_key_value(item, merge_key, location)?
    };
    Scalar::from_value(value).ok_or_else(|| PatchError::bad_type(GO_STRING, value, location))
}

/// Returns the identities of all elements of a list, for lookups.
pub(crate) fn identities<'v>(
    list: &'v [Value],
    merge_key: &str,
    location: &Path<'_>,
) -> Result<Vec<HashedKey<Scalar<'v>>>, PatchError> {
    let mut keys = Vec::with_capacity(list.len());
    for (i, item) in list.iter().enumerate() {
        let key = identity(item, merge_key, &location.step(PathStep::Index(i)))?;
        keys.push(HashedKey::from_scalar(key));
    }
    Ok(keys)
}

/// Returns the value of an element's merge key.
pub(crate) fn merge_key_value<'v>(
    item: &'v Value,
    merge_key: &str,
    location: &Path<'_>,
) -> Result<&'v Value, PatchError> {
    let Value::Object(object) = item else {
        return Err(PatchError::bad_type(GO_MAP, item, location));
    };
    let value = object.get(merge_key);
    value.ok_or_else(|| PatchError::no_merge_key(item, merge_key, location))
}
