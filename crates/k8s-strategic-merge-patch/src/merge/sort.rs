//! Documents with sorted merged lists, for comparing documents.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::names::{DELETE_LIST, ORDER, PATCH, RETAIN_KEYS};
use crate::elements::document;
use crate::elements::identity::key_value;
use crate::elements::scalar::{Scalar, common_kind, text};
use crate::error::PatchError;
use crate::schema::schema::{Found, NodeId, PatchSchema};
use crate::schema::strategy::Rest;
use crate::values::kind::Kind;
use union_runtime::path::{Path, Step};

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
        let mut object = document::taken(document, self.depth + 1)?;
        self.sort_object(&mut object, self.root, &Path::ROOT)?;
        Ok(object.into())
    }

    fn sort_object(
        &self,
        object: &mut Map<String, Value>,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        for (key, value) in object {
            let at_field = at.field(key);
            let list = value.is_array();
            match value {
                _ if key == PATCH => {}
                Value::Array(names) if key == RETAIN_KEYS => sort_scalars(names),
                _ if key == RETAIN_KEYS => return Err(PatchError::bad_retain_keys(&at_field)),
                Value::Array(deleted) if key.starts_with(DELETE_LIST) => sort_scalars(deleted),
                _ if key.starts_with(DELETE_LIST) => {
                    return Err(PatchError::bad_delete_list(&at_field));
                }
                _ if key.starts_with(ORDER) && list => {}
                _ if key.starts_with(ORDER) => return Err(PatchError::bad_order(&at_field)),
                Value::Object(below) => {
                    let field = self.as_object(node, key, at)?;
                    self.sort_object(below, field.below, &at_field)?;
                }
                Value::Array(items) => {
                    let field = self.as_list(node, key, at)?;
                    if field.rest == Rest::Merge {
                        self.sort_list(items, &field, &at_field)?;
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
        field: &Found<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        match common_kind(items, &[], at)? {
            None => {}
            Some(Kind::Object) => {
                for (i, item) in items.iter_mut().enumerate() {
                    let at = at.step(Step::Index(i));
                    if let Value::Object(item) = item {
                        self.sort_object(item, field.below, &at)?;
                    }
                }
                items.sort_by_cached_key(|item| {
                    // An element without its key is sorted like null.
                    key_value(item, field.merge_key, at).map_or_else(
                        |_| text(&Value::Null).into_owned(),
                        |key| text(key).into_owned(),
                    )
                });
            }
            Some(_) => {
                let mut seen = HashSet::new();
                let is_first = items.iter().map(|item| seen.insert(Scalar::of(item)));
                let is_first: Vec<bool> = is_first.collect();
                let mut is_first = is_first.into_iter();
                items.retain(|_| is_first.next().unwrap_or(true));
                sort_scalars(items);
            }
        }
        Ok(())
    }
}

fn sort_scalars(items: &mut [Value]) {
    items.sort_by_cached_key(|item| text(item).into_owned());
}
