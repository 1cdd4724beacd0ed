//! Patches of documents in which list elements share their merge key.
//!
//! Such lists are extracted from the documents and compared separately. The rest of the documents
//! is compared as usual, with a placeholder for each list that changes. The patch of the list then
//! replaces the placeholder.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::shared_group::{DocumentLists, SharedListPatch};
use super::three_way::ObjectVersions;
use crate::conflict::{Conflict, ConflictCollector};
use crate::diff::diff::{Differ, RetainKeys};
use crate::elements::scalar::{Scalar, to_sort_string};
use crate::elements::warning::PatchWarning;
use crate::error::PatchError;
use crate::merge::directive::is_deletion;
use crate::merge::directive_names::{SET_ELEMENT_ORDER_PREFIX, directive_key};
use crate::schema::schema::{FieldPatchMeta, NodeId, PatchSchema};
use crate::schema::strategy::BaseStrategy;
use union_runtime::path::{Path, PathStep};

/// The form of a comparison: which documents are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ComparisonForm {
    /// The current and the modified document.
    TwoWay(RetainKeys),
    /// The original document too.
    ThreeWay { finds_conflicts: bool },
}

/// A comparison that pairs elements with the same key by their other fields.
pub(crate) struct SharedKeyDiffer<'s> {
    pub(super) schema: &'s PatchSchema,
    pub(super) form: ComparisonForm,
    pub(crate) warnings: Vec<PatchWarning>,
    conflicts: Vec<Conflict>,
    /// The first error of the search for conflicts.
    error: Option<PatchError>,
}

/// The documents, or the objects at one path of them.
pub(crate) struct Documents {
    /// The object that was applied last; `None` in a comparison of two documents, and if the last
    /// applied document does not have the object.
    pub(crate) original: Option<Map<String, Value>>,
    pub(crate) modified: Map<String, Value>,
    pub(crate) current: Map<String, Value>,
}

/// The patches of lists that are extracted from an object.
#[derive(Default)]
struct ExtractedPatches {
    lists: Vec<(String, SharedListPatch)>,
    objects: Vec<(String, ExtractedPatches)>,
    elements: Vec<ElementPatches>,
}

/// The patches of lists that are extracted from the elements of another list.
struct ElementPatches {
    field: String,
    merge_key: String,
    /// The patches of each element, by the string of its key.
    by_key: Vec<(String, ExtractedPatches)>,
}

/// A placeholder for a list that changes: a list with this value as its only element.
const PLACEHOLDER: Value = Value::Bool(true);

impl<'s> SharedKeyDiffer<'s> {
    pub(crate) const fn new(schema: &'s PatchSchema, form: ComparisonForm) -> Self {
        Self {
            schema,
            form,
            warnings: Vec::new(),
            conflicts: Vec::new(),
            error: None,
        }
    }

    /// Returns the patch of a document, whose depth was checked.
    pub(crate) fn diff_documents(
        &mut self,
        documents: Documents,
    ) -> Result<Map<String, Value>, PatchError> {
        let patch = self.diff_object(documents, self.schema.root, false, &Path::ROOT)?;
        Ok(patch.unwrap_or_default())
    }

    /// Returns the conflicts, sorted by their paths. An error is returned only if there are none.
    pub(crate) fn conflicts(&mut self) -> Result<Vec<Conflict>, PatchError> {
        match self.error.take() {
            Some(error) if self.conflicts.is_empty() => Err(error),
            _ => {
                let mut conflicts = std::mem::take(&mut self.conflicts);
                conflicts
                    .sort_by(|first, second| first.path().as_str().cmp(second.path().as_str()));
                Ok(conflicts)
            }
        }
    }

    /// Returns the patch of an object; `None` if nothing changes.
    pub(super) fn diff_object(
        &mut self,
        documents: Documents,
        node: NodeId,
        with_retain_keys: bool,
        location: &Path<'_>,
    ) -> Result<Option<Map<String, Value>>, PatchError> {
        let Documents {
            mut original,
            mut modified,
            mut current,
        } = documents;
        let objects = [original.as_mut(), Some(&mut current)];
        let extracted_patches = self.extract_lists(objects, &mut modified, node, location)?;
        let original = original.unwrap_or_default();
        let patch = self.diff_unique(
            &original,
            &modified,
            &current,
            node,
            with_retain_keys,
            location,
        )?;
        let Some(mut patch) = patch else {
            return Ok(None);
        };
        if matches!(
            self.form,
            ComparisonForm::ThreeWay {
                finds_conflicts: true
            }
        ) {
            let live_changes = self.changes_of_others(&original, &current, node, location);
            self.collect_conflicts(&patch, &live_changes.unwrap_or_default(), node, location);
        }
        extracted_patches.insert_into(&mut patch);
        Ok(Some(patch))
    }

    /// Returns the changes of others to the document, as a patch that pairs elements by key alone.
    pub(crate) fn changes(
        &self,
        original: &Map<String, Value>,
        current: &Map<String, Value>,
    ) -> Result<Map<String, Value>, PatchError> {
        let changes = self.diff_of_others(original, current, self.schema.root, &Path::ROOT)?;
        Ok(changes.unwrap_or_default())
    }

    /// Returns the changes of others to an object, for the search for conflicts. The first error is
    /// returned later, by [`conflicts`](Self::conflicts), because preconditions are checked before.
    pub(super) fn changes_of_others(
        &mut self,
        original: &Map<String, Value>,
        current: &Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) -> Option<Map<String, Value>> {
        let changes = self.diff_of_others(original, current, node, location);
        changes.unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            None
        })
    }

    /// Creates a comparison of the author's versions of a value that the live object does not have.
    /// The patch inserts the whole value, so only the errors of the comparison matter.
    pub(super) const fn author_comparison(&self) -> Self {
        Self::new(self.schema, ComparisonForm::TwoWay(RetainKeys::Emit))
    }

    fn diff_of_others(
        &self,
        original: &Map<String, Value>,
        current: &Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<Option<Map<String, Value>>, PatchError> {
        let differ = Differ {
            additions: true,
            deletions: true,
            ..self.schema.differ()
        };
        differ.diff_object(original, current, node, false, location)
    }

    pub(super) fn add_conflict(&mut self, conflict: Conflict) {
        self.conflicts.push(conflict);
    }

    fn collect_conflicts(
        &mut self,
        patch: &Map<String, Value>,
        live_changes: &Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) {
        match ConflictCollector::collect_in_object(self.schema, patch, live_changes, node, location)
        {
            Ok(conflicts) => self.conflicts.extend(conflicts),
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
    }

    /// Returns the patch of objects in which elements do not share their keys.
    fn diff_unique(
        &self,
        original: &Map<String, Value>,
        modified: &Map<String, Value>,
        current: &Map<String, Value>,
        node: NodeId,
        with_retain_keys: bool,
        location: &Path<'_>,
    ) -> Result<Option<Map<String, Value>>, PatchError> {
        let differ = self.schema.differ();
        if let ComparisonForm::TwoWay(retain_keys) = self.form {
            let differ = Differ {
                element_orders: true,
                additions: true,
                deletions: true,
                retain_keys,
                ..differ
            };
            return differ.diff_object(current, modified, node, with_retain_keys, location);
        }
        let versions = ObjectVersions {
            original,
            modified,
            current,
        };
        differ.three_way_object(versions, node, with_retain_keys, location)
    }

    /// Moves the lists with shared keys out of the original, the current and the modified object,
    /// and returns the patches of these lists.
    fn extract_lists(
        &mut self,
        original_and_current: [Option<&mut Map<String, Value>>; 2],
        modified: &mut Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<ExtractedPatches, PatchError> {
        let mut extracted_patches = ExtractedPatches::default();
        let [mut original, mut current] = original_and_current;
        for (key, value) in modified {
            let original_and_current = [original.as_deref_mut(), current.as_deref_mut()]
                .map(|object| object.and_then(|object| object.get_mut(key)));
            match value {
                Value::Object(modified) => {
                    let original_and_current =
                        original_and_current.map(|value| value.and_then(Value::as_object_mut));
                    let field = self.schema.patch_meta_for_object(node, key, location);
                    // The comparison of the objects reports an unknown field.
                    let field = field
                        .ok()
                        .filter(|field| field.strategy != BaseStrategy::Replace);
                    let is_compared = original_and_current.iter().any(Option::is_some);
                    if let Some(field) = field.filter(|_| is_compared) {
                        let location = location.field(key);
                        let child_patches = self.extract_lists(
                            original_and_current,
                            modified,
                            field.node,
                            &location,
                        )?;
                        if !child_patches.is_empty() {
                            extracted_patches.objects.push((key.clone(), child_patches));
                        }
                    }
                }
                Value::Array(modified) => {
                    let field = self.schema.patch_meta_for_list(node, key, location);
                    let field = field
                        .ok()
                        .filter(|field| field.strategy == BaseStrategy::Merge);
                    if let Some(field) = field {
                        let original_and_current =
                            original_and_current.map(|value| value.and_then(Value::as_array_mut));
                        self.extract_list(
                            &mut extracted_patches,
                            original_and_current,
                            modified,
                            (node, key),
                            field,
                            location,
                        )?;
                    }
                }
                _ => {}
            }
        }
        Ok(extracted_patches)
    }

    fn extract_list(
        &mut self,
        extracted_patches: &mut ExtractedPatches,
        original_and_current: [Option<&mut Vec<Value>>; 2],
        modified: &mut Vec<Value>,
        (node, name): (NodeId, &str),
        field: FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        let [original, current] = original_and_current;
        let key_strings_of = |list: Option<&Vec<Value>>| {
            let list = list.map(Vec::as_slice).unwrap_or_default();
            key_strings(list, field.merge_key)
        };
        let (Some(original_keys), Some(modified_keys), Some(current_keys)) = (
            key_strings_of(original.as_deref()),
            key_strings_of(Some(modified)),
            key_strings_of(current.as_deref()),
        ) else {
            // The comparison of the objects reports an invalid list.
            return Ok(());
        };
        let key_strings = [original_keys, modified_keys, current_keys];
        if key_strings
            .iter()
            .any(|key_strings| !are_unique(key_strings))
        {
            let original = original.map(std::mem::take);
            let Some(current) = current else {
                // The patch inserts the whole list, because the live object does not have it.
                let [original_keys, modified_keys, _] = key_strings;
                let lists = original.map(|original| DocumentLists {
                    original: Vec::new(),
                    modified: modified.clone(),
                    current: original,
                    key_strings: [Vec::new(), modified_keys, original_keys],
                });
                if let Some(lists) = lists {
                    let mut comparison = self.author_comparison();
                    comparison.diff_list(&lists, &field, (node, name), location)?;
                }
                return Ok(());
            };
            let lists = DocumentLists {
                original: original.unwrap_or_default(),
                modified: std::mem::take(modified),
                current: std::mem::take(current),
                key_strings,
            };
            if let Some(patch) = self.diff_list(&lists, &field, (node, name), location)? {
                modified.push(PLACEHOLDER);
                extracted_patches.lists.push((name.to_owned(), patch));
            }
            return Ok(());
        }
        let original_and_current = [original, current];
        let elements = self.extract_lists_of_elements(
            original_and_current,
            modified,
            key_strings,
            &field,
            &location.field(name),
        )?;
        if !elements.is_empty() {
            extracted_patches.elements.push(ElementPatches {
                field: name.to_owned(),
                merge_key: field.merge_key.to_owned(),
                by_key: elements,
            });
        }
        Ok(())
    }

    /// Moves the lists with shared keys out of the elements of a list, and returns the patches of
    /// these lists by the keys of the elements. `key_strings` has the keys of the original, the
    /// modified and the current list.
    fn extract_lists_of_elements(
        &mut self,
        original_and_current: [Option<&mut Vec<Value>>; 2],
        modified: &mut [Value],
        key_strings: [Vec<String>; 3],
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<Vec<(String, ExtractedPatches)>, PatchError> {
        let [original_keys, modified_keys, current_keys] = key_strings;
        let positions = |key_strings: Vec<String>| -> HashMap<String, usize> {
            let indexed_key_strings = key_strings.into_iter().enumerate();
            indexed_key_strings
                .map(|(i, key_string)| (key_string, i))
                .collect()
        };
        let [original_keys, current_keys] = [original_keys, current_keys].map(positions);
        let [mut original, mut current] = original_and_current;
        let mut elements = Vec::new();
        for (new, key_string) in modified.iter_mut().zip(modified_keys) {
            let Value::Object(new) = new else { continue };
            let old = object_in(original.as_deref_mut(), original_keys.get(&key_string));
            let live = object_in(current.as_deref_mut(), current_keys.get(&key_string));
            if old.is_none() && live.is_none() {
                continue;
            }
            let location = location.step(PathStep::Key(&key_string));
            let child_patches = self.extract_lists([old, live], new, field.node, &location)?;
            if !child_patches.is_empty() {
                elements.push((key_string.clone(), child_patches));
            }
        }
        Ok(elements)
    }
}

impl ExtractedPatches {
    fn is_empty(&self) -> bool {
        self.lists.is_empty() && self.objects.is_empty() && self.elements.is_empty()
    }

    /// Puts the patches of the lists into the patch of the object, in place of the placeholders.
    fn insert_into(self, patch: &mut Map<String, Value>) {
        for (name, list) in self.lists {
            if list.items.is_empty() {
                patch.remove(&name);
            } else {
                patch.insert(name.clone(), list.items.into());
            }
            if !list.order.is_empty() {
                let key = directive_key(SET_ELEMENT_ORDER_PREFIX, &name);
                patch.insert(key, list.order.into());
            }
        }
        for (name, extracted_patches) in self.objects {
            if let Some(Value::Object(child_patches)) = patch.get_mut(&name) {
                extracted_patches.insert_into(child_patches);
            }
        }
        for elements in self.elements {
            let Some(Value::Array(items)) = patch.get_mut(&elements.field) else {
                continue;
            };
            let mut positions: HashMap<String, usize> = HashMap::with_capacity(items.len());
            for (i, item) in items.iter().enumerate() {
                if let Some(key) = item.get(&elements.merge_key).filter(|_| !is_deletion(item)) {
                    positions
                        .entry(to_sort_string(key).into_owned())
                        .or_insert(i);
                }
            }
            for (key_string, extracted_patches) in elements.by_key {
                if let Some(item) = object_in(Some(items), positions.get(&key_string)) {
                    extracted_patches.insert_into(item);
                }
            }
        }
    }
}

/// Returns the object at a position in a list.
fn object_in<'v>(
    list: Option<&'v mut Vec<Value>>,
    position: Option<&usize>,
) -> Option<&'v mut Map<String, Value>> {
    list?.get_mut(*position?)?.as_object_mut()
}

/// Returns the strings of the merge keys of all elements; `None` if an element does not have a key.
fn key_strings(list: &[Value], merge_key: &str) -> Option<Vec<String>> {
    let key_strings = list.iter().map(|item| {
        let key = item.as_object()?.get(merge_key)?;
        Scalar::from_value(key).map(|_| to_sort_string(key).into_owned())
    });
    key_strings.collect()
}

fn are_unique(key_strings: &[String]) -> bool {
    let mut seen_key_strings = HashSet::with_capacity(key_strings.len());
    key_strings
        .iter()
        .all(|key_string| seen_key_strings.insert(key_string))
}
