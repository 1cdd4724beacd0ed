//! The directives of a patch: `$patch` and `$retainKeys`.

use serde_json::{Map, Value};

use super::directive_names::{
    DELETE_DIRECTIVE, DIRECTIVE_MARKER, REPLACE_DIRECTIVE, RETAIN_KEYS_DIRECTIVE,
    is_parallel_list_directive,
};
use super::merge_target::MergeTarget;
use super::strip_directives::strip_replacement;
use crate::elements::element_index::{ElementIndex, HashedKey};
use crate::elements::identity::{identity, merge_key_value};
use crate::elements::scalar::Scalar;
use crate::error::{PatchError, PatchErrorKind};
use crate::values::json_type::GO_STRING;
use crate::values::print::GoValue;
use union_runtime::path::{Path, PathStep};

/// Applies the `$patch` of a merged object.
pub(super) fn apply_patch_directive(
    target: &mut Map<String, Value>,
    patch: &Map<String, Value>,
    directive: &Value,
    target_kind: MergeTarget,
    location: &Path<'_>,
) -> Result<(), PatchError> {
    if directive == DELETE_DIRECTIVE {
        target.clear();
    } else if directive == REPLACE_DIRECTIVE {
        *target = strip_replacement(patch, target_kind);
    } else {
        return Err(unknown_directive_error(directive, patch, location));
    }
    Ok(())
}

fn unknown_directive_error(
    directive: &Value,
    patch: &Map<String, Value>,
    location: &Path<'_>,
) -> PatchError {
    let message = format!(
        "unknown patch type: {} in map: {}",
        GoValue(directive),
        GoValue(&Value::Object(patch.clone()))
    );
    PatchError::new(
        PatchErrorKind::UnknownPatchType,
        message,
        &location.field(DIRECTIVE_MARKER),
    )
}

/// Removes the fields that `$retainKeys` does not list.
///
/// Only strings in `$retainKeys` name fields; other scalars are ignored, and objects and lists are
/// rejected.
pub(crate) fn apply_retain_keys(
    target: &mut Map<String, Value>,
    patch: &Map<String, Value>,
    retained_keys: &Value,
    location: &Path<'_>,
) -> Result<(), PatchError> {
    let list_location = location.field(RETAIN_KEYS_DIRECTIVE);
    let Value::Array(retained_keys) = retained_keys else {
        return Err(PatchError::bad_retain_keys(&list_location));
    };
    let mut names = Vec::with_capacity(retained_keys.len());
    for (i, name) in retained_keys.iter().enumerate() {
        match name {
            Value::String(name) => names.push(name.as_str()),
            Value::Array(_) | Value::Object(_) => {
                return Err(PatchError::bad_retain_keys(
                    &list_location.step(PathStep::Index(i)),
                ));
            }
            _ => {}
        }
    }
    names.sort_unstable();
    let is_retained = |key: &str| names.binary_search(&key).is_ok();
    for (key, value) in patch {
        let is_exempt =
            value.is_null() || is_parallel_list_directive(key) || key == RETAIN_KEYS_DIRECTIVE;
        if !is_exempt && !is_retained(key) {
            return Err(PatchError::bad_retain_keys(&location.field(key)));
        }
    }
    target.retain(|key, _| is_retained(key));
    Ok(())
}

/// The elements of a patch's list, separated by their `$patch` directive.
pub(super) struct DirectiveElements<'p> {
    /// The keys of elements to delete.
    pub(crate) deleted_keys: ElementIndex<Scalar<'p>>,
    /// True if the elements of the patch replace the list.
    pub(crate) replace: bool,
    /// The elements without a directive, with their positions.
    pub(crate) without_directive: Vec<(usize, &'p Value)>,
}

impl<'p> DirectiveElements<'p> {
    pub(crate) fn parse(
        patch: &'p [Value],
        merge_key: &str,
        location: &Path<'_>,
    ) -> Result<Self, PatchError> {
        let mut deleted_keys = Vec::new();
        let mut elements = Self {
            deleted_keys: ElementIndex::default(),
            replace: false,
            without_directive: Vec::with_capacity(patch.len()),
        };
        for (i, item) in patch.iter().enumerate() {
            let location = location.step(PathStep::Index(i));
            let Some((object, directive)) = find_directive(item) else {
                elements.without_directive.push((i, item));
                continue;
            };
            if directive == DELETE_DIRECTIVE {
                let value = merge_key_value(item, merge_key, &location)?;
                let key = Scalar::from_value(value)
                    .ok_or_else(|| PatchError::bad_type(GO_STRING, value, &location))?;
                deleted_keys.push(HashedKey::from_scalar(key));
            } else if directive == REPLACE_DIRECTIVE {
                elements.replace = true;
            } else if directive == "merge" {
                let message = "merging lists cannot yet be specified in the patch";
                return Err(PatchError::new(
                    PatchErrorKind::MergeDirective,
                    message,
                    &location.field(DIRECTIVE_MARKER),
                ));
            } else {
                return Err(unknown_directive_error(directive, object, &location));
            }
        }
        elements.deleted_keys = ElementIndex::new(deleted_keys);
        Ok(elements)
    }

    /// Returns the keys of the elements without a directive.
    pub(super) fn keys_without_directive(
        &self,
        merge_key: &str,
        location: &Path<'_>,
    ) -> Result<Vec<HashedKey<Scalar<'p>>>, PatchError> {
        let mut keys = Vec::with_capacity(self.without_directive.len());
        for (i, item) in &self.without_directive {
            let key = identity(item, merge_key, &location.step(PathStep::Index(*i)))?;
            keys.push(HashedKey::from_scalar(key));
        }
        Ok(keys)
    }
}

/// Returns an element as an object, and its `$patch` directive; `None` without the directive.
pub(super) fn find_directive(item: &Value) -> Option<(&Map<String, Value>, &Value)> {
    let object = item.as_object()?;
    Some((object, object.get(DIRECTIVE_MARKER)?))
}

/// Returns true if an element deletes the element with the same key.
pub(crate) fn is_deletion(item: &Value) -> bool {
    find_directive(item).is_some_and(|(_, directive)| directive == DELETE_DIRECTIVE)
}
