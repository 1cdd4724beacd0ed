//! The directives of a patch.

use serde_json::{Map, Value};

use super::insert::replacement;
use super::names::{DELETE, PATCH, REPLACE, RETAIN_KEYS, is_parallel};
use crate::elements::identity::{identity, key_value};
use crate::elements::places::{Keyed, Places};
use crate::elements::scalar::Scalar;
use crate::error::{PatchError, PatchErrorKind};
use crate::values::kind::TEXT;
use crate::values::print::Printed;
use union_runtime::path::{Path, Step};

/// Applies the `$patch` of a merged object.
pub(super) fn whole(
    target: &mut Map<String, Value>,
    patch: &Map<String, Value>,
    directive: &Value,
    is_server: bool,
    at: &Path<'_>,
) -> Result<(), PatchError> {
    if directive == DELETE {
        target.clear();
    } else if directive == REPLACE {
        *target = replacement(patch, is_server);
    } else {
        return Err(unknown(directive, patch, at));
    }
    Ok(())
}

fn unknown(directive: &Value, patch: &Map<String, Value>, at: &Path<'_>) -> PatchError {
    let message = format!(
        "unknown patch type: {} in map: {}",
        Printed(directive),
        Printed(&Value::Object(patch.clone()))
    );
    PatchError::new(PatchErrorKind::UnknownPatchType, message, &at.field(PATCH))
}

/// Removes the fields that `$retainKeys` does not list.
///
/// Only strings in `$retainKeys` name fields; other scalars are ignored, and objects and lists are
/// rejected.
pub(crate) fn retain(
    target: &mut Map<String, Value>,
    patch: &Map<String, Value>,
    listed: &Value,
    at: &Path<'_>,
) -> Result<(), PatchError> {
    let at_list = at.field(RETAIN_KEYS);
    let Value::Array(listed) = listed else {
        return Err(PatchError::bad_retain_keys(&at_list));
    };
    let mut names = Vec::with_capacity(listed.len());
    for (i, name) in listed.iter().enumerate() {
        match name {
            Value::String(name) => names.push(name.as_str()),
            Value::Array(_) | Value::Object(_) => {
                return Err(PatchError::bad_retain_keys(&at_list.step(Step::Index(i))));
            }
            _ => {}
        }
    }
    names.sort_unstable();
    let is_listed = |key: &str| names.binary_search(&key).is_ok();
    for (key, value) in patch {
        let says_nothing = value.is_null() || is_parallel(key) || key == RETAIN_KEYS;
        if !says_nothing && !is_listed(key) {
            return Err(PatchError::bad_retain_keys(&at.field(key)));
        }
    }
    target.retain(|key, _| is_listed(key));
    Ok(())
}

/// The elements of a patch's list, separated by their `$patch` directive.
pub(super) struct Elements<'p> {
    /// The keys of elements to delete.
    pub(crate) deleted: Places<Scalar<'p>>,
    /// True if the elements of the patch replace the list.
    pub(crate) replace: bool,
    /// The elements without a directive, with their positions.
    pub(crate) plain: Vec<(usize, &'p Value)>,
}

impl<'p> Elements<'p> {
    pub(crate) fn of(
        patch: &'p [Value],
        merge_key: &str,
        at: &Path<'_>,
    ) -> Result<Self, PatchError> {
        let mut deleted = Vec::new();
        let mut found = Self {
            deleted: Places::default(),
            replace: false,
            plain: Vec::with_capacity(patch.len()),
        };
        for (i, item) in patch.iter().enumerate() {
            let at = at.step(Step::Index(i));
            let Some((object, directive)) = directive_in(item) else {
                found.plain.push((i, item));
                continue;
            };
            if directive == DELETE {
                let value = key_value(item, merge_key, &at)?;
                let key =
                    Scalar::of(value).ok_or_else(|| PatchError::bad_type(TEXT, value, &at))?;
                deleted.push(Keyed::of(key));
            } else if directive == REPLACE {
                found.replace = true;
            } else if directive == "merge" {
                let message = "merging lists cannot yet be specified in the patch";
                return Err(PatchError::new(
                    PatchErrorKind::MergeDirective,
                    message,
                    &at.field(PATCH),
                ));
            } else {
                return Err(unknown(directive, object, &at));
            }
        }
        found.deleted = Places::of(deleted);
        Ok(found)
    }

    /// Returns the keys of the elements without a directive.
    pub(super) fn plain_keys(
        &self,
        merge_key: &str,
        at: &Path<'_>,
    ) -> Result<Vec<Keyed<Scalar<'p>>>, PatchError> {
        let mut keys = Vec::with_capacity(self.plain.len());
        for (i, item) in &self.plain {
            let key = identity(item, merge_key, &at.step(Step::Index(*i)))?;
            keys.push(Keyed::of(key));
        }
        Ok(keys)
    }
}

/// Returns an element that has a `$patch` directive as an object, and the directive.
pub(super) fn directive_in(item: &Value) -> Option<(&Map<String, Value>, &Value)> {
    let object = item.as_object()?;
    Some((object, object.get(PATCH)?))
}

/// Returns true if an element deletes the element with the same key.
pub(crate) fn is_deletion(item: &Value) -> bool {
    directive_in(item).is_some_and(|(_, directive)| directive == DELETE)
}
