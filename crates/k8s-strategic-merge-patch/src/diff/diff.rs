//! The difference of two objects, as a patch.

use core::cell::Cell;

use serde_json::{Map, Value};

use crate::error::{PatchError, PatchErrorKind};
use crate::merge::directive_names::{
    DELETE_FROM_PRIMITIVE_LIST_PREFIX, DIRECTIVE_MARKER, RETAIN_KEYS_DIRECTIVE,
    SET_ELEMENT_ORDER_PREFIX, directive_key,
};
use crate::schema::schema::{FieldPatchMeta, NodeId, PatchSchema};
use crate::schema::strategy::BaseStrategy;
use crate::values::json_type::JsonType;
use k8s_json_internals::deep::is_deeper;
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::Path;

/// A comparison of two objects, with the parts of the patch to create.
#[derive(Clone, Copy)]
pub(crate) struct Differ<'s> {
    pub(crate) schema: &'s PatchSchema,
    /// True if the patch has the order of merged lists.
    pub(crate) element_orders: bool,
    /// True if the patch has added and changed values.
    pub(crate) additions: bool,
    /// True if the patch has removals.
    pub(crate) deletions: bool,
    /// The use of `$retainKeys` in objects whose strategy is `retainKeys`.
    pub(crate) retain_keys: RetainKeys,
    /// The limit on the depth, and the documents whose depth is not yet checked.
    pub(crate) depth: DepthCheck,
    /// Another patch for the same modified document. The created patch does not repeat the orders
    /// of lists in this other patch.
    pub(crate) sibling_patch: Option<&'s Map<String, Value>>,
    /// Set to true if elements of a merged list share their merge key.
    pub(crate) shared_keys: Option<&'s Cell<bool>>,
}

/// The use of `$retainKeys` in a patch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetainKeys {
    Emit,
    Omit,
}

/// The limits on the depth of documents. The comparison checks the depth of values that it does not
/// recurse into.
#[derive(Clone, Copy)]
pub(crate) struct DepthCheck {
    /// The maximum depth of a value in the compared objects.
    pub(crate) levels: usize,
    /// True if the depth of the original document is not yet checked.
    pub(crate) checks_original: bool,
    /// True if the depth of the modified document is not yet checked.
    pub(crate) checks_modified: bool,
}

impl<'s> Differ<'s> {
    /// Returns the patch that changes `original` to `modified`; `None` if both are equal.
    /// `with_retain_keys` is true if the strategy of the object is `retainKeys`.
    pub(crate) fn diff_object(
        &self,
        original: &Map<String, Value>,
        modified: &Map<String, Value>,
        node: NodeId,
        with_retain_keys: bool,
        location: &Path<'_>,
    ) -> Result<Option<Map<String, Value>>, PatchError> {
        let mut patch = None;
        let (mut original_fields, mut common_count) = (original.iter(), 0);
        let mut next_field = original_fields.next();
        for (key, new) in modified {
            // Fast path: both objects usually have the same keys in the same order, so no lookup is
            // needed. In sorted objects, a smaller key than this one does not appear later.
            let old = loop {
                match next_field {
                    Some((name, old)) if name == key => {
                        next_field = original_fields.next();
                        break Some(old);
                    }
                    Some((name, old)) if name < key => {
                        self.check_original_depth(old)?;
                        next_field = original_fields.next();
                    }
                    _ => break original.get(key),
                }
            };
            match (old, new) {
                // Fast path: most fields are unchanged strings.
                (Some(Value::String(old)), Value::String(new)) if old == new => common_count += 1,
                (Some(old), new) => {
                    common_count += 1;
                    self.diff_field(&mut patch, key, old, new, node, location)?;
                }
                (None, new) => {
                    self.check_modified_depth(new)?;
                    self.add_value(&mut patch, key, new);
                }
            }
        }
        while let Some((_, old)) = next_field {
            self.check_original_depth(old)?;
            next_field = original_fields.next();
        }
        if self.deletions && common_count < original.len() {
            add_removals(&mut patch, original, modified);
        }
        if with_retain_keys
            && self.retain_keys == RetainKeys::Emit
            && (patch.is_some() || has_removed_field(original, modified))
        {
            add_retain_keys(&mut patch, modified);
        }
        Ok(patch)
    }

    /// Returns the comparison for values one level deeper.
    pub(crate) fn for_child(&self) -> Result<Self, PatchError> {
        let Some(levels) = self.depth.levels.checked_sub(1) else {
            return Err(too_deep_error());
        };
        let depth = DepthCheck {
            levels,
            ..self.depth
        };
        Ok(Self {
            depth,
            sibling_patch: None,
            ..*self
        })
    }

    /// Sets the sibling patch, unless the document has a field that is named like an order, because
    /// the field and the order would be ambiguous.
    pub(crate) fn with_sibling_patch(
        self,
        patch: Option<&'s Map<String, Value>>,
        modified: &Map<String, Value>,
    ) -> Self {
        let is_ambiguous = || {
            modified
                .keys()
                .any(|key| key.starts_with(SET_ELEMENT_ORDER_PREFIX))
        };
        Self {
            sibling_patch: patch.filter(|_| !is_ambiguous()),
            ..self
        }
    }

    /// Rejects a value of the original document that is too deep.
    pub(super) fn check_original_depth(&self, value: &Value) -> Result<(), PatchError> {
        self.check_depth(self.depth.checks_original, value)
    }

    /// Rejects a value of the modified document that is too deep.
    pub(super) fn check_modified_depth(&self, value: &Value) -> Result<(), PatchError> {
        self.check_depth(self.depth.checks_modified, value)
    }

    fn check_both_depths(&self, old: &Value, new: &Value) -> Result<(), PatchError> {
        self.check_original_depth(old)?;
        self.check_modified_depth(new)
    }

    fn check_depth(&self, is_unchecked: bool, value: &Value) -> Result<(), PatchError> {
        if is_unchecked && is_deeper(value, self.depth.levels) {
            return Err(too_deep_error());
        }
        Ok(())
    }

    /// Adds a value to the patch, if the patch has additions.
    fn add_value(&self, patch: &mut Option<Map<String, Value>>, key: &str, value: &Value) {
        if self.additions {
            insert_entry(patch, key.to_owned(), value.clone());
        }
    }

    fn diff_field(
        &self,
        patch: &mut Option<Map<String, Value>>,
        key: &str,
        old: &Value,
        new: &Value,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        if key == DIRECTIVE_MARKER {
            return copy_directive(patch, old, new, location);
        }
        match (old, new) {
            (Value::Object(old_object), Value::Object(new_object)) => {
                let field = match self.schema.patch_meta_for_object(node, key, location) {
                    Err(error) if is_unknown_field_error(&error) && deep_equal(old, new) => {
                        return self.check_both_depths(old, new);
                    }
                    result => result?,
                };
                if field.strategy == BaseStrategy::Replace {
                    self.check_both_depths(old, new)?;
                    // The value is added even if nothing changed.
                    self.add_value(patch, key, new);
                    return Ok(());
                }
                let sibling_patch = self
                    .sibling_patch
                    .and_then(|patch| patch.get(key)?.as_object());
                let differ = self
                    .for_child()?
                    .with_sibling_patch(sibling_patch, new_object);
                let location = location.field(key);
                let child_patch = differ.diff_object(
                    old_object,
                    new_object,
                    field.node,
                    field.retain_keys,
                    &location,
                )?;
                if let Some(child_patch) = child_patch {
                    insert_entry(patch, key.to_owned(), child_patch.into());
                }
            }
            (Value::Array(old_list), Value::Array(new_list)) => {
                let field = match self.schema.patch_meta_for_list(node, key, location) {
                    Err(error) if is_unknown_field_error(&error) && deep_equal(old, new) => {
                        return self.check_both_depths(old, new);
                    }
                    result => result?,
                };
                if field.strategy == BaseStrategy::Merge {
                    let location = location.field(key);
                    return self
                        .diff_merged_list(patch, key, old_list, new_list, &field, &location);
                }
                self.check_both_depths(old, new)?;
                if !deep_equal(old, new) {
                    self.add_value(patch, key, new);
                }
            }
            (old, new) if JsonType::from_value(old) != JsonType::from_value(new) || old != new => {
                self.check_both_depths(old, new)?;
                self.add_value(patch, key, new);
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the difference of a merged list to the patch, with the directives beside the list.
    fn diff_merged_list(
        &self,
        patch: &mut Option<Map<String, Value>>,
        key: &str,
        old_list: &[Value],
        new_list: &[Value],
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        let has_order = |patch: &Map<String, Value>| {
            patch.contains_key(&directive_key(SET_ELEMENT_ORDER_PREFIX, key))
        };
        let with_order = self.element_orders && !self.sibling_patch.is_some_and(has_order);
        let lists = self
            .for_child()?
            .diff_list(old_list, new_list, with_order, field, location)?;
        if !lists.patch.is_empty() {
            insert_entry(patch, key.to_owned(), lists.patch.into());
        }
        if !lists.deleted.is_empty() {
            insert_entry(
                patch,
                directive_key(DELETE_FROM_PRIMITIVE_LIST_PREFIX, key),
                lists.deleted.into(),
            );
        }
        if !lists.order.is_empty() {
            insert_entry(
                patch,
                directive_key(SET_ELEMENT_ORDER_PREFIX, key),
                lists.order.into(),
            );
        }
        Ok(())
    }
}

/// Adds a removal for each field that the modified object does not have.
fn add_removals(
    patch: &mut Option<Map<String, Value>>,
    original: &Map<String, Value>,
    modified: &Map<String, Value>,
) {
    let removed_keys = original.keys().filter(|key| !modified.contains_key(*key));
    removed_keys.for_each(|key| insert_entry(patch, key.clone(), Value::Null));
}

/// Adds `$retainKeys` with the fields of the modified object.
fn add_retain_keys(patch: &mut Option<Map<String, Value>>, modified: &Map<String, Value>) {
    let set_fields = modified.iter().filter(|(_, value)| !value.is_null());
    let mut names: Vec<&String> = set_fields.map(|(key, _)| key).collect();
    if !names.is_empty() {
        names.sort_unstable();
        let names = names.into_iter().map(|name| name.as_str().into());
        insert_entry(
            patch,
            RETAIN_KEYS_DIRECTIVE.to_owned(),
            Value::Array(names.collect()),
        );
    }
}

/// Inserts an entry into a patch, which is created by the first entry.
fn insert_entry(patch: &mut Option<Map<String, Value>>, key: String, value: Value) {
    patch.get_or_insert_default().insert(key, value);
}

/// Returns the error of a document that is too deep. The caller checks the documents again, and
/// replaces this error by an error with a path.
#[cold]
fn too_deep_error() -> PatchError {
    PatchError::new(PatchErrorKind::TooDeep, "too deep", &Path::ROOT)
}

/// Returns true if the schema does not describe a field, which is an error only if values differ.
fn is_unknown_field_error(error: &PatchError) -> bool {
    matches!(
        error.kind(),
        PatchErrorKind::FieldNotFound | PatchErrorKind::BadArgType
    )
}

/// Adds the `$patch` of the modified document to the patch, if it differs from the original.
fn copy_directive(
    patch: &mut Option<Map<String, Value>>,
    old: &Value,
    new: &Value,
    location: &Path<'_>,
) -> Result<(), PatchError> {
    let (Value::String(old), Value::String(new)) = (old, new) else {
        let message = "invalid value for special key: $patch";
        return Err(PatchError::new(
            PatchErrorKind::BadPatchValue,
            message,
            &location.field(DIRECTIVE_MARKER),
        ));
    };
    if old != new {
        insert_entry(patch, DIRECTIVE_MARKER.to_owned(), new.as_str().into());
    }
    Ok(())
}

/// Returns true if the original object sets a field that the modified object does not have.
fn has_removed_field(original: &Map<String, Value>, modified: &Map<String, Value>) -> bool {
    let mut set_fields = original.iter().filter(|(_, value)| !value.is_null());
    set_fields.any(|(key, _)| !modified.contains_key(key))
}
