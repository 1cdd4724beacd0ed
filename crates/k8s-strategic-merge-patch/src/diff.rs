//! The difference of two objects, as a patch.

use serde_json::{Map, Value};

use super::directive::{DELETE_LIST, ORDER, PATCH, RETAIN_KEYS, parallel};
use super::error::{PatchError, PatchErrorKind};
use super::scalar::Kind;
use super::schema::{NodeId, PatchSchema};
use super::strategy::Rest;
use k8s_json_internals::equality::same;
use union_runtime::path::Path;

/// What a difference is to say.
#[derive(Clone, Copy)]
pub(super) struct Diff<'s> {
    pub(super) schema: &'s PatchSchema,
    /// In which order merged lists are to stand.
    pub(super) order: bool,
    /// What was added or changed.
    pub(super) additions: bool,
    /// What was removed.
    pub(super) deletions: bool,
}

impl Diff<'_> {
    /// The patch that makes `modified` of `original`; empty where they are the same. With `retain` it lists what is to be
    /// kept.
    pub(super) fn object(
        self,
        original: &Map<String, Value>,
        modified: &Map<String, Value>,
        node: NodeId,
        retain: bool,
        at: &Path<'_>,
    ) -> Result<Map<String, Value>, PatchError> {
        let mut patch = Map::new();
        let (mut olds, mut kept) = (original.iter().peekable(), 0);
        for (key, new) in modified {
            // Mostly the two have the same keys in the same order, and none need be looked up.
            let old = match olds.next_if(|(name, _)| *name == key) {
                Some((_, old)) => Some(old),
                None => original.get(key),
            };
            match old {
                Some(old) => {
                    kept += 1;
                    self.field(&mut patch, key, old, new, node, at)?;
                }
                None => self.add(&mut patch, key, new),
            }
        }
        if self.deletions && kept < original.len() {
            let removed = original.keys().filter(|key| !modified.contains_key(*key));
            patch.extend(removed.map(|key| (key.clone(), Value::Null)));
        }
        if retain && (!patch.is_empty() || has_more(original, modified)) {
            let mut names: Vec<&String> = modified
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, _)| key)
                .collect();
            if !names.is_empty() {
                names.sort_unstable();
                let names = names.into_iter().map(|name| name.as_str().into());
                patch.insert(RETAIN_KEYS.to_owned(), Value::Array(names.collect()));
            }
        }
        Ok(patch)
    }

    /// Puts a value into the patch as it is.
    fn add(self, patch: &mut Map<String, Value>, key: &str, value: &Value) {
        if self.additions {
            patch.insert(key.to_owned(), value.clone());
        }
    }

    fn field(
        self,
        patch: &mut Map<String, Value>,
        key: &str,
        old: &Value,
        new: &Value,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        if key == PATCH {
            return copy_directive(patch, old, new, at);
        }
        match (old, new) {
            (Value::Object(before), Value::Object(after)) => {
                let field = match self.schema.as_object(node, key, at) {
                    Err(error) if is_unknown(&error) && same(old, new) => return Ok(()),
                    found => found?,
                };
                if field.rest == Rest::Replace {
                    // Even if nothing changed.
                    self.add(patch, key, new);
                    return Ok(());
                }
                let below =
                    self.object(before, after, field.below, field.retain, &at.field(key))?;
                if !below.is_empty() {
                    patch.insert(key.to_owned(), below.into());
                }
            }
            (Value::Array(before), Value::Array(after)) => {
                let field = match self.schema.as_list(node, key, at) {
                    Err(error) if is_unknown(&error) && same(old, new) => return Ok(()),
                    found => found?,
                };
                if field.rest == Rest::Merge {
                    let lists = self.list(before, after, &field, &at.field(key))?;
                    let mut put = |key: String, list: Vec<Value>| {
                        if !list.is_empty() {
                            patch.insert(key, list.into());
                        }
                    };
                    put(key.to_owned(), lists.patch);
                    put(parallel(DELETE_LIST, key), lists.deleted);
                    put(parallel(ORDER, key), lists.order);
                } else if !same(old, new) {
                    self.add(patch, key, new);
                }
            }
            (old, new) if Kind::of(old) != Kind::of(new) || old != new => self.add(patch, key, new),
            _ => {}
        }
        Ok(())
    }
}

/// Values that are the same need no schema.
fn is_unknown(error: &PatchError) -> bool {
    matches!(
        error.kind(),
        PatchErrorKind::FieldNotFound | PatchErrorKind::BadArgType
    )
}

/// `$patch` in both documents.
fn copy_directive(
    patch: &mut Map<String, Value>,
    old: &Value,
    new: &Value,
    at: &Path<'_>,
) -> Result<(), PatchError> {
    let (Value::String(old), Value::String(new)) = (old, new) else {
        let message = "invalid value for special key: $patch";
        return Err(PatchError::new(
            PatchErrorKind::BadPatchValue,
            message,
            &at.field(PATCH),
        ));
    };
    if old != new {
        patch.insert(PATCH.to_owned(), new.as_str().into());
    }
    Ok(())
}

/// Whether the first object has something set that the second one does not have.
fn has_more(first: &Map<String, Value>, second: &Map<String, Value>) -> bool {
    let mut set = first.iter().filter(|(_, value)| !value.is_null());
    set.any(|(key, _)| !second.contains_key(key))
}
