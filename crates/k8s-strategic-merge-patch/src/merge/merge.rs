//! Merges a patch into a live object, or into another patch.

use serde_json::{Map, Value};

use super::directive;
use super::directive_names::{
    self, DELETE_FROM_PRIMITIVE_LIST_PREFIX, DIRECTIVE_MARKER, RETAIN_KEYS_DIRECTIVE,
    SET_ELEMENT_ORDER_PREFIX,
};
use super::merge_target::MergeTarget;
use super::strip_directives::strip_inserted_value;
use crate::error::{PatchError, PatchErrorKind};
use crate::schema::schema::{NodeId, PatchSchema};
use crate::schema::strategy::BaseStrategy;
use crate::values::json_type::JsonType;
use crate::values::print::GoValue;
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::Path;

/// The merge algorithm, for applying and composing patches.
#[derive(Clone, Copy)]
pub(crate) struct Merger<'s> {
    pub(crate) schema: &'s PatchSchema,
    pub(crate) target: MergeTarget,
    /// True if the patch is the caller's own copy. The caller then [moves] its orders of lists to
    /// the target, so that the merge does not copy them.
    ///
    /// [moves]: super::set_element_order::move_element_orders
    pub(crate) is_own_patch: bool,
}

impl Merger<'_> {
    /// Merges a patch into an object.
    pub(crate) fn merge_object(
        self,
        target: &mut Map<String, Value>,
        patch: &Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        if let Some(directive) = patch.get(DIRECTIVE_MARKER) {
            return directive::apply_patch_directive(
                target,
                patch,
                directive,
                self.target,
                location,
            );
        }
        if let Some(retained_keys) = patch.get(RETAIN_KEYS_DIRECTIVE) {
            match self.target {
                MergeTarget::Object => {
                    directive::apply_retain_keys(target, patch, retained_keys, location)?;
                }
                MergeTarget::Patch => compose_retain_keys(target, retained_keys, location)?,
            }
        }
        let merged_fields = self.apply_element_orders(target, patch, node, location)?;
        for (key, value) in patch {
            let is_merged = key == RETAIN_KEYS_DIRECTIVE
                || directive_names::is_parallel_list_directive(key)
                || merged_fields.binary_search(&key.as_str()).is_ok();
            if !is_merged {
                self.merge_field(target, key, value, node, location)?;
            }
        }
        // Deletions follow additions: their order decides the final positions of elements.
        for (key, value) in patch {
            if key.starts_with(DELETE_FROM_PRIMITIVE_LIST_PREFIX) {
                self.apply_delete_list(target, key, value, node, location)?;
            }
        }
        Ok(())
    }

    /// Applies each `$setElementOrder`, and returns the sorted names of the fields that are then
    /// completely merged.
    fn apply_element_orders<'p>(
        self,
        target: &mut Map<String, Value>,
        patch: &'p Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<Vec<&'p str>, PatchError> {
        let mut merged_fields = Vec::new();
        for (key, order) in patch {
            if key.starts_with(SET_ELEMENT_ORDER_PREFIX) {
                merged_fields
                    .extend(self.apply_element_order(target, patch, key, order, node, location)?);
            }
        }
        merged_fields.sort_unstable();
        Ok(merged_fields)
    }

    /// Merges one field.
    fn merge_field(
        self,
        target: &mut Map<String, Value>,
        key: &str,
        value: &Value,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        if value.is_null() {
            match self.target {
                MergeTarget::Object => target.remove(key),
                MergeTarget::Patch => target.insert(key.to_owned(), Value::Null),
            };
            return Ok(());
        }
        let live = target.get_mut(key);
        if let Some(live) =
            live.filter(|live| JsonType::from_value(live) == JsonType::from_value(value))
        {
            return self.merge_same_type(live, key, value, node, location);
        }
        match strip_inserted_value(value, self.target) {
            Some(value) => target.insert(key.to_owned(), value),
            None => target.remove(key),
        };
        Ok(())
    }

    fn merge_same_type(
        self,
        live: &mut Value,
        key: &str,
        value: &Value,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        match (live, value) {
            (Value::Object(live), Value::Object(patch)) => {
                let field = self.schema.patch_meta_for_object(node, key, location)?;
                if field.strategy == BaseStrategy::Replace {
                    live.clone_from(patch);
                    return Ok(());
                }
                self.merge_object(live, patch, field.node, &location.field(key))
            }
            (Value::Array(live), Value::Array(patch)) => {
                let field = self.schema.patch_meta_for_list(node, key, location)?;
                if field.strategy == BaseStrategy::Merge {
                    self.merge_list(live, patch, &field, &location.field(key))
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
    fn apply_delete_list(
        self,
        target: &mut Map<String, Value>,
        key: &str,
        value: &Value,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        if self.target == MergeTarget::Patch {
            target.insert(key.to_owned(), value.clone());
            return Ok(());
        }
        let Some(field) = directive_names::directive_field(key, DELETE_FROM_PRIMITIVE_LIST_PREFIX)
        else {
            return Err(PatchError::bad_delete_list(&location.field(key)));
        };
        if value.is_null() {
            target.remove(field);
            return Ok(());
        }
        let live = target.get_mut(field);
        match live.filter(|live| JsonType::from_value(live) == JsonType::from_value(value)) {
            None => Ok(()),
            Some(live) => match (live, value) {
                (Value::Array(live), Value::Array(deleted)) => {
                    self.schema.patch_meta_for_list(node, field, location)?;
                    Self::delete_elements(live, deleted, &location.field(key))
                }
                (live, value) => self.merge_same_type(live, field, value, node, location),
            },
        }
    }
}

/// Adds `$retainKeys` to a composed patch; an existing list must be equal.
fn compose_retain_keys(
    target: &mut Map<String, Value>,
    retained_keys: &Value,
    location: &Path<'_>,
) -> Result<(), PatchError> {
    match target.get(RETAIN_KEYS_DIRECTIVE) {
        None => {
            target.insert(RETAIN_KEYS_DIRECTIVE.to_owned(), retained_keys.clone());
            Ok(())
        }
        Some(existing) if deep_equal(existing, retained_keys) => Ok(()),
        Some(existing) => {
            let message = format!(
                "{} and {} are not deep equal: this may happen when calculating the 3-way diff patch",
                GoValue(existing),
                GoValue(retained_keys)
            );
            Err(PatchError::new(
                PatchErrorKind::RetainMismatch,
                message,
                &location.field(RETAIN_KEYS_DIRECTIVE),
            ))
        }
    }
}
