//! Documents with sorted merged lists, for comparing documents.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::directive_names::{
    DELETE_FROM_PRIMITIVE_LIST_PREFIX, DIRECTIVE_MARKER, RETAIN_KEYS_DIRECTIVE,
    SET_ELEMENT_ORDER_PREFIX,
};
use crate::elements::document;
use crate::elements::identity::merge_key_value;
use crate::elements::scalar::{Scalar, common_type, to_sort_string};
use crate::error::PatchError;
use crate::schema::schema::{FieldPatchMeta, NodeId, PatchSchema};
use crate::schema::strategy::BaseStrategy;
use crate::values::json_type::JsonType;
use union_runtime::path::{Path, PathStep};

impl PatchSchema {
    /// Returns the document or patch with all merged lists sorted, so that documents with different
    /// orders of elements can be compared: objects are sorted by their merge keys, scalars are
    /// sorted without duplicates. Lists that are replaced stay as they are.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_strategic_merge_patch::PatchSchema;
    ///
    /// let schema = PatchSchema::compile(&json!({"properties": {
    ///     "tags": {
    ///         "type": "array",
    ///         "x-kubernetes-patch-strategy": "merge",
    ///         "items": {"type": "string"},
    ///     },
    /// }}))?;
    /// assert_eq!(
    ///     schema.sort_merge_lists(json!({"tags": ["b", "a", "b"]}))?,
    ///     json!({"tags": ["a", "b"]}),
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the document is invalid, with the message of [`apply`](Self::apply).
    pub fn sort_merge_lists(&self, document: Value) -> Result<Value, PatchError> {
        let mut object = document::into_object(document, self.depth + 1)?;
        self.sort_object(&mut object, self.root, &Path::ROOT)?;
        Ok(object.into())
    }

    fn sort_object(
        &self,
        object: &mut Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        for (key, value) in object {
            let field_location = location.field(key);
            let is_list = value.is_array();
            match value {
                _ if key == DIRECTIVE_MARKER => {}
                Value::Array(names) if key == RETAIN_KEYS_DIRECTIVE => sort_scalars(names),
                _ if key == RETAIN_KEYS_DIRECTIVE => {
                    return Err(PatchError::bad_retain_keys(&field_location));
                }
                Value::Array(deleted) if key.starts_with(DELETE_FROM_PRIMITIVE_LIST_PREFIX) => {
                    sort_scalars(deleted);
                }
                _ if key.starts_with(DELETE_FROM_PRIMITIVE_LIST_PREFIX) => {
                    return Err(PatchError::bad_delete_list(&field_location));
                }
                _ if key.starts_with(SET_ELEMENT_ORDER_PREFIX) && is_list => {}
                _ if key.starts_with(SET_ELEMENT_ORDER_PREFIX) => {
                    return Err(PatchError::bad_order(&field_location));
                }
                Value::Object(child) => {
                    let field = self.patch_meta_for_object(node, key, location)?;
                    self.sort_object(child, field.node, &field_location)?;
                }
                Value::Array(items) => {
                    let field = self.patch_meta_for_list(node, key, location)?;
                    if field.strategy == BaseStrategy::Merge {
                        self.sort_list(items, &field, &field_location)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn sort_list(
        &self,
        items: &mut Vec<Value>,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        match common_type(items, &[], location)? {
            None => {}
            Some(JsonType::Object) => {
                for (i, item) in items.iter_mut().enumerate() {
                    let location = location.step(PathStep::Index(i));
                    if let Value::Object(item) = item {
                        self.sort_object(item, field.node, &location)?;
                    }
                }
                items.sort_by_cached_key(|item| {
                    // An element without its key is sorted like null.
                    merge_key_value(item, field.merge_key, location).map_or_else(
                        |_| to_sort_string(&Value::Null).into_owned(),
                        |key| to_sort_string(key).into_owned(),
                    )
                });
            }
            Some(_) => {
                let mut seen_scalars = HashSet::new();
                let first_flags = items
                    .iter()
                    .map(|item| seen_scalars.insert(Scalar::from_value(item)));
                let first_flags: Vec<bool> = first_flags.collect();
                let mut first_flags = first_flags.into_iter();
                items.retain(|_| first_flags.next().unwrap_or(true));
                sort_scalars(items);
            }
        }
        Ok(())
    }
}

fn sort_scalars(items: &mut [Value]) {
    items.sort_by_cached_key(|item| to_sort_string(item).into_owned());
}
