//! Merges a patch into an object: into a live one, or into another patch.

use serde_json::{Map, Value};

use super::directive;
use super::insert::inserted;
use super::names::{self, DELETE_LIST, ORDER, PATCH, RETAIN_KEYS};
use crate::error::{PatchError, PatchErrorKind};
use crate::schema::schema::{NodeId, PatchSchema};
use crate::schema::strategy::Rest;
use crate::values::kind::Kind;
use crate::values::print::Printed;
use k8s_json_internals::equality::same;
use union_runtime::path::Path;

/// The target of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// An object: directives are applied, and not part of the result.
    Server,
    /// Another patch: nulls and directives are kept.
    Compose,
}

/// The merge algorithm, for applying and composing patches.
#[derive(Clone, Copy)]
pub(crate) struct Merge<'s> {
    pub(crate) schema: &'s PatchSchema,
    pub(crate) mode: Mode,
    /// True if the patch was created here, so that its orders of lists are [handed
    /// over](super::order::hand_over) afterwards and need not be copied.
    pub(crate) is_ours: bool,
}

impl Merge<'_> {
    pub(crate) fn is_server(self) -> bool {
        self.mode == Mode::Server
    }

    /// Merges a patch into an object.
    pub(crate) fn object(
        self,
        target: &mut Map<String, Value>,
        patch: &Map<String, Value>,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        if let Some(says) = patch.get(PATCH) {
            return directive::whole(target, patch, says, self.is_server(), at);
        }
        if let Some(listed) = patch.get(RETAIN_KEYS) {
            match self.mode {
                Mode::Server => directive::retain(target, patch, listed, at)?,
                Mode::Compose => keep_names(target, listed, at)?,
            }
        }
        let ordered = self.ordered(target, patch, node, at)?;
        for (key, value) in patch {
            let is_done = key == RETAIN_KEYS
                || names::is_parallel(key)
                || ordered.binary_search(&key.as_str()).is_ok();
            if !is_done {
                self.field(target, key, value, node, at)?;
            }
        }
        // Deletions follow additions: their order decides the final positions of elements.
        for (key, value) in patch {
            if key.starts_with(DELETE_LIST) {
                self.delete(target, key, value, node, at)?;
            }
        }
        Ok(())
    }

    /// Applies `$setElementOrder`, and returns the fields that are then complete, sorted.
    fn ordered<'p>(
        self,
        target: &mut Map<String, Value>,
        patch: &'p Map<String, Value>,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<Vec<&'p str>, PatchError> {
        let mut done = Vec::new();
        for (key, order) in patch {
            if key.starts_with(ORDER) {
                done.extend(self.order(target, patch, key, order, node, at)?);
            }
        }
        done.sort_unstable();
        Ok(done)
    }

    /// Merges one field.
    fn field(
        self,
        target: &mut Map<String, Value>,
        key: &str,
        value: &Value,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        if value.is_null() {
            match self.mode {
                Mode::Server => target.remove(key),
                Mode::Compose => target.insert(key.to_owned(), Value::Null),
            };
            return Ok(());
        }
        let live = target.get_mut(key);
        if let Some(live) = live.filter(|live| Kind::of(live) == Kind::of(value)) {
            return self.same_kind(live, key, value, node, at);
        }
        match inserted(value, self.is_server()) {
            Some(value) => target.insert(key.to_owned(), value),
            None => target.remove(key),
        };
        Ok(())
    }

    fn same_kind(
        self,
        live: &mut Value,
        key: &str,
        value: &Value,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        match (live, value) {
            (Value::Object(live), Value::Object(patch)) => {
                let field = self.schema.as_object(node, key, at)?;
                if field.rest == Rest::Replace {
                    live.clone_from(patch);
                    return Ok(());
                }
                self.object(live, patch, field.below, &at.field(key))
            }
            (Value::Array(live), Value::Array(patch)) => {
                let field = self.schema.as_list(node, key, at)?;
                if field.rest == Rest::Merge {
                    self.list(live, patch, &field, &at.field(key))
                } else {
                    live.clone_from(patch);
                    Ok(())
                }
            }
            (live, value) => {
                live.clone_from(value);
                Ok(())
            }
        }
    }

    /// Applies `$deleteFromPrimitiveList`.
    fn delete(
        self,
        target: &mut Map<String, Value>,
        key: &str,
        value: &Value,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        if self.mode == Mode::Compose {
            target.insert(key.to_owned(), value.clone());
            return Ok(());
        }
        let Some(field) = names::field_of(key, DELETE_LIST) else {
            return Err(PatchError::bad_delete_list(&at.field(key)));
        };
        if value.is_null() {
            target.remove(field);
            return Ok(());
        }
        let live = target.get_mut(field);
        match live.filter(|live| Kind::of(live) == Kind::of(value)) {
            None => Ok(()),
            Some(live) => match (live, value) {
                (Value::Array(live), Value::Array(deleted)) => {
                    self.schema.as_list(node, field, at)?;
                    Self::delete_elements(live, deleted, &at.field(key))
                }
                (live, value) => self.same_kind(live, field, value, node, at),
            },
        }
    }
}

/// Keeps `$retainKeys` in a composed patch.
fn keep_names(
    target: &mut Map<String, Value>,
    listed: &Value,
    at: &Path<'_>,
) -> Result<(), PatchError> {
    match target.get(RETAIN_KEYS) {
        None => {
            target.insert(RETAIN_KEYS.to_owned(), listed.clone());
            Ok(())
        }
        Some(before) if same(before, listed) => Ok(()),
        Some(before) => {
            let message = format!(
                "{} and {} are not deep equal: this may happen when calculating the 3-way diff patch",
                Printed(before),
                Printed(listed)
            );
            Err(PatchError::new(
                PatchErrorKind::RetainMismatch,
                message,
                &at.field(RETAIN_KEYS),
            ))
        }
    }
}
