//! The difference of two objects, as a patch.

use serde_json::{Map, Value};

use crate::error::{PatchError, PatchErrorKind};
use crate::merge::names::{DELETE_LIST, ORDER, PATCH, RETAIN_KEYS, parallel};
use crate::schema::schema::{Found, NodeId, PatchSchema};
use crate::schema::strategy::Rest;
use crate::values::kind::Kind;
use k8s_json_internals::deep::is_deeper;
use k8s_json_internals::equality::same;
use union_runtime::path::Path;

/// A comparison of two objects, and the parts of the patch that it writes.
#[derive(Clone, Copy)]
pub(crate) struct Diff<'s> {
    pub(crate) schema: &'s PatchSchema,
    /// True if the patch has the order of merged lists.
    pub(crate) order: bool,
    /// True if the patch has added and changed values.
    pub(crate) additions: bool,
    /// True if the patch has removals.
    pub(crate) deletions: bool,
    /// The use of `$retainKeys` in objects whose strategy is `retainKeys`.
    pub(crate) retain_keys: RetainKeys,
    /// The limit on the depth, and the documents whose depth is not yet checked.
    pub(crate) depth: Depth,
    /// Another patch for the same modified document: its orders of lists are not repeated.
    pub(crate) beside: Option<&'s Map<String, Value>>,
}

/// The use of `$retainKeys` in a patch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetainKeys {
    Written,
    LeftOut,
}

/// The limits on the depth of documents. The comparison visits all values, and checks the depth of
/// those that it does not recurse into.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    /// The levels that a value of the compared objects may have.
    pub(crate) levels: usize,
    /// True if the depth of the first document was not checked before.
    pub(crate) of_original: bool,
    /// True if the depth of the second document was not checked before.
    pub(crate) of_modified: bool,
}

impl<'s> Diff<'s> {
    /// Returns the patch that changes `original` to `modified`; `None` if both are equal. With
    /// `retain` the patch lists the fields to keep.
    pub(crate) fn object(
        &self,
        original: &Map<String, Value>,
        modified: &Map<String, Value>,
        node: NodeId,
        retain: bool,
        at: &Path<'_>,
    ) -> Result<Option<Map<String, Value>>, PatchError> {
        let mut patch = None;
        let (mut olds, mut kept) = (original.iter(), 0);
        let mut next = olds.next();
        for (key, new) in modified {
            // Fast path: both objects usually have the same keys in the same order, so no lookup is
            // needed. In sorted objects, a smaller key than this one does not appear later.
            let old = loop {
                match next {
                    Some((name, old)) if name == key => {
                        next = olds.next();
                        break Some(old);
                    }
                    Some((name, old)) if name < key => {
                        self.measure_original(old)?;
                        next = olds.next();
                    }
                    _ => break original.get(key),
                }
            };
            match (old, new) {
                // Fast path: most fields are unchanged strings.
                (Some(Value::String(old)), Value::String(new)) if old == new => kept += 1,
                (Some(old), new) => {
                    kept += 1;
                    self.field(&mut patch, key, old, new, node, at)?;
                }
                (None, new) => {
                    self.measure_modified(new)?;
                    self.add(&mut patch, key, new);
                }
            }
        }
        while let Some((_, old)) = next {
            self.measure_original(old)?;
            next = olds.next();
        }
        if self.deletions && kept < original.len() {
            remove(&mut patch, original, modified);
        }
        if retain
            && self.retain_keys == RetainKeys::Written
            && (patch.is_some() || has_more(original, modified))
        {
            keep(&mut patch, modified);
        }
        Ok(patch)
    }

    /// Returns the comparison for one level below.
    pub(crate) fn below(&self) -> Result<Self, PatchError> {
        let Some(levels) = self.depth.levels.checked_sub(1) else {
            return Err(too_deep());
        };
        let depth = Depth {
            levels,
            ..self.depth
        };
        Ok(Self {
            depth,
            beside: None,
            ..*self
        })
    }

    /// Returns the comparison beside a patch that already has orders of lists. The patch is ignored
    /// if the document has a field that is named like an order, because the two would be ambiguous.
    pub(crate) fn beside(
        self,
        patch: Option<&'s Map<String, Value>>,
        modified: &Map<String, Value>,
    ) -> Self {
        let is_plain = |_: &&Map<String, Value>| !modified.keys().any(|key| key.starts_with(ORDER));
        Self {
            beside: patch.filter(is_plain),
            ..self
        }
    }

    /// Rejects a value that only the first document has, if it is too deep.
    pub(super) fn measure_original(&self, value: &Value) -> Result<(), PatchError> {
        self.measure(self.depth.of_original, value)
    }

    /// Rejects a value that only the second document has, if it is too deep.
    pub(super) fn measure_modified(&self, value: &Value) -> Result<(), PatchError> {
        self.measure(self.depth.of_modified, value)
    }

    fn measure_both(&self, old: &Value, new: &Value) -> Result<(), PatchError> {
        self.measure_original(old)?;
        self.measure_modified(new)
    }

    fn measure(&self, is_wanted: bool, value: &Value) -> Result<(), PatchError> {
        if is_wanted && is_deeper(value, self.depth.levels) {
            return Err(too_deep());
        }
        Ok(())
    }

    /// Adds a value to the patch as it is.
    fn add(&self, patch: &mut Option<Map<String, Value>>, key: &str, value: &Value) {
        if self.additions {
            put(patch, key.to_owned(), value.clone());
        }
    }

    fn field(
        &self,
        patch: &mut Option<Map<String, Value>>,
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
                    Err(error) if is_unknown(&error) && same(old, new) => {
                        return self.measure_both(old, new);
                    }
                    found => found?,
                };
                if field.rest == Rest::Replace {
                    self.measure_both(old, new)?;
                    // The value is added even if nothing changed.
                    self.add(patch, key, new);
                    return Ok(());
                }
                let beside = self.beside.and_then(|beside| beside.get(key)?.as_object());
                let diff = self.below()?.beside(beside, after);
                let at = at.field(key);
                let below = diff.object(before, after, field.below, field.retain, &at)?;
                if let Some(below) = below {
                    put(patch, key.to_owned(), below.into());
                }
            }
            (Value::Array(before), Value::Array(after)) => {
                let field = match self.schema.as_list(node, key, at) {
                    Err(error) if is_unknown(&error) && same(old, new) => {
                        return self.measure_both(old, new);
                    }
                    found => found?,
                };
                if field.rest == Rest::Merge {
                    return self.merged(patch, key, before, after, &field, &at.field(key));
                }
                self.measure_both(old, new)?;
                if !same(old, new) {
                    self.add(patch, key, new);
                }
            }
            (old, new) if Kind::of(old) != Kind::of(new) || old != new => {
                self.measure_both(old, new)?;
                self.add(patch, key, new);
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the difference of a merged list to the patch, with the directives beside the list.
    fn merged(
        &self,
        patch: &mut Option<Map<String, Value>>,
        key: &str,
        before: &[Value],
        after: &[Value],
        field: &Found<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        let has_order = |beside: &Map<String, Value>| beside.contains_key(&parallel(ORDER, key));
        let wants_order = self.order && !self.beside.is_some_and(has_order);
        let lists = self.below()?.list(before, after, wants_order, field, at)?;
        if !lists.patch.is_empty() {
            put(patch, key.to_owned(), lists.patch.into());
        }
        if !lists.deleted.is_empty() {
            put(patch, parallel(DELETE_LIST, key), lists.deleted.into());
        }
        if !lists.order.is_empty() {
            put(patch, parallel(ORDER, key), lists.order.into());
        }
        Ok(())
    }
}

/// Adds a removal for each field that the modified object does not have.
fn remove(
    patch: &mut Option<Map<String, Value>>,
    original: &Map<String, Value>,
    modified: &Map<String, Value>,
) {
    let removed = original.keys().filter(|key| !modified.contains_key(*key));
    removed.for_each(|key| put(patch, key.clone(), Value::Null));
}

/// Adds `$retainKeys` with the fields of the modified object.
fn keep(patch: &mut Option<Map<String, Value>>, modified: &Map<String, Value>) {
    let set = modified.iter().filter(|(_, value)| !value.is_null());
    let mut names: Vec<&String> = set.map(|(key, _)| key).collect();
    if !names.is_empty() {
        names.sort_unstable();
        let names = names.into_iter().map(|name| name.as_str().into());
        put(patch, RETAIN_KEYS.to_owned(), Value::Array(names.collect()));
    }
}

/// Inserts an entry into a patch, which is created by the first entry.
fn put(patch: &mut Option<Map<String, Value>>, key: String, value: Value) {
    patch.get_or_insert_default().insert(key, value);
}

/// Returns the error of a document that is too deep. The caller, who checks the document alone,
/// replaces it by an error with a path: errors of a document precede errors of the comparison.
#[cold]
fn too_deep() -> PatchError {
    PatchError::new(PatchErrorKind::TooDeep, "too deep", &Path::ROOT)
}

/// Returns true if the schema does not describe a field; equal values do not need a schema.
fn is_unknown(error: &PatchError) -> bool {
    matches!(
        error.kind(),
        PatchErrorKind::FieldNotFound | PatchErrorKind::BadArgType
    )
}

/// Compares the `$patch` of both documents.
fn copy_directive(
    patch: &mut Option<Map<String, Value>>,
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
        put(patch, PATCH.to_owned(), new.as_str().into());
    }
    Ok(())
}

/// Returns true if the first object sets a field that the second object does not have.
fn has_more(first: &Map<String, Value>, second: &Map<String, Value>) -> bool {
    let mut set = first.iter().filter(|(_, value)| !value.is_null());
    set.any(|(key, _)| !second.contains_key(key))
}
