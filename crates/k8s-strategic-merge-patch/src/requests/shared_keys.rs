//! Patches of documents in which list elements share their merge key.
//!
//! Such lists are taken out of the documents. The rest is compared as ever, with a placeholder for
//! each list that changes, which is then replaced by the patch of the list.

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

/// The documents that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The current and the modified document.
    TwoWay(RetainKeys),
    /// The original document too; with a search for conflicts if true.
    ThreeWay(bool),
}

/// A comparison that pairs elements with the same key by their other fields.
pub(crate) struct SharedKeys<'s> {
    pub(super) schema: &'s PatchSchema,
    pub(super) form: Form,
    pub(crate) warnings: Vec<PatchWarning>,
    conflicts: Vec<Conflict>,
    /// The first error of the search for conflicts.
    error: Option<PatchError>,
}

/// The documents, or the objects at one path of them.
pub(crate) struct Documents {
    /// The object that was applied last; `None` in a comparison of two documents, and for an object
    /// that was not there.
    pub(crate) original: Option<Map<String, Value>>,
    pub(crate) modified: Map<String, Value>,
    pub(crate) current: Map<String, Value>,
}

/// The patches of lists that are taken out of an object.
#[derive(Default)]
struct Scope {
    lists: Vec<(String, SharedListPatch)>,
    objects: Vec<(String, Scope)>,
    elements: Vec<ElementScopes>,
}

/// The patches of lists that are taken out of the elements of another list.
struct ElementScopes {
    field: String,
    merge_key: String,
    /// The elements, by the strings of their keys.
    scopes: Vec<(String, Scope)>,
}

/// The list in the place of a list that changes.
const PLACEHOLDER: Value = Value::Bool(true);

impl<'s> SharedKeys<'s> {
    pub(crate) const fn new(schema: &'s PatchSchema, form: Form) -> Self {
        Self {
            schema,
            form,
            warnings: Vec::new(),
            conflicts: Vec::new(),
            error: None,
        }
    }

    /// Returns the patch of a document, whose depth was checked.
    pub(crate) fn patch(&mut self, documents: Documents) -> Result<Map<String, Value>, PatchError> {
        let patch = self.object(documents, self.schema.root, false, &Path::ROOT)?;
        Ok(patch.unwrap_or_default())
    }

    /// Returns the conflicts, sorted by their paths. An error is returned only if there are none.
    pub(crate) fn conflicts(&mut self) -> Result<Vec<Conflict>, PatchError> {
        match self.error.take() {
            Some(error) if self.conflicts.is_empty() => Err(error),
            _ => {
                let mut found = std::mem::take(&mut self.conflicts);
                found.sort_by(|one, other| one.path().as_str().cmp(other.path().as_str()));
                Ok(found)
            }
        }
    }

    /// Returns the patch of an object; `None` if nothing changes.
    pub(super) fn object(
        &mut self,
        documents: Documents,
        node: NodeId,
        retain: bool,
        at: &Path<'_>,
    ) -> Result<Option<Map<String, Value>>, PatchError> {
        let Documents {
            mut original,
            mut modified,
            mut current,
        } = documents;
        let objects = [original.as_mut(), Some(&mut current)];
        let scope = self.take_out(objects, &mut modified, node, at)?;
        let original = original.unwrap_or_default();
        let patch = self.compare(&original, &modified, &current, node, retain, at)?;
        let Some(mut patch) = patch else {
            return Ok(None);
        };
        if self.form == Form::ThreeWay(true) {
            let changed = self.changes_of_others(&original, &current, node, at);
            self.search(&patch, &changed.unwrap_or_default(), node, at);
        }
        scope.put_into(&mut patch);
        Ok(Some(patch))
    }

    /// Returns the changes of others to the document, as an ordinary patch.
    pub(crate) fn changes(
        &self,
        original: &Map<String, Value>,
        current: &Map<String, Value>,
    ) -> Result<Map<String, Value>, PatchError> {
        let changes = self.changes_at(original, current, self.schema.root, &Path::ROOT)?;
        Ok(changes.unwrap_or_default())
    }

    /// Returns the changes of others to an object, for the search for conflicts. An error is
    /// kept until the search is complete, because the preconditions are checked before.
    pub(super) fn changes_of_others(
        &mut self,
        original: &Map<String, Value>,
        current: &Map<String, Value>,
        node: NodeId,
        at: &Path<'_>,
    ) -> Option<Map<String, Value>> {
        let changes = self.changes_at(original, current, node, at);
        changes.unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            None
        })
    }

    /// Returns the comparison of the original and the modified version of a value that the live
    /// object lacks. The value is inserted as a whole, so only the errors of the comparison count.
    pub(super) const fn comparison_of_author(&self) -> Self {
        Self::new(self.schema, Form::TwoWay(RetainKeys::Emit))
    }

    fn changes_at(
        &self,
        original: &Map<String, Value>,
        current: &Map<String, Value>,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<Option<Map<String, Value>>, PatchError> {
        let diff = Differ {
            additions: true,
            deletions: true,
            ..self.schema.differ(false, false)
        };
        diff.diff_object(original, current, node, false, at)
    }

    pub(super) fn add_conflict(&mut self, conflict: Conflict) {
        self.conflicts.push(conflict);
    }

    fn search(
        &mut self,
        patch: &Map<String, Value>,
        changed: &Map<String, Value>,
        node: NodeId,
        at: &Path<'_>,
    ) {
        match ConflictCollector::within(self.schema, patch, changed, node, at) {
            Ok(found) => self.conflicts.extend(found),
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
    }

    /// Compares objects without elements that share their key.
    fn compare(
        &self,
        original: &Map<String, Value>,
        modified: &Map<String, Value>,
        current: &Map<String, Value>,
        node: NodeId,
        retain: bool,
        at: &Path<'_>,
    ) -> Result<Option<Map<String, Value>>, PatchError> {
        let diff = self.schema.differ(false, false);
        if let Form::TwoWay(retain_keys) = self.form {
            let diff = Differ {
                element_orders: true,
                additions: true,
                deletions: true,
                retain_keys,
                ..diff
            };
            return diff.diff_object(current, modified, node, retain, at);
        }
        let versions = ObjectVersions {
            original,
            modified,
            current,
        };
        diff.three_way_object(versions, node, retain, at)
    }

    /// Takes the lists with shared keys out of the original, the current and the modified object.
    fn take_out(
        &mut self,
        others: [Option<&mut Map<String, Value>>; 2],
        modified: &mut Map<String, Value>,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<Scope, PatchError> {
        let mut scope = Scope::default();
        let [mut original, mut current] = others;
        for (key, value) in modified {
            let others = [original.as_deref_mut(), current.as_deref_mut()]
                .map(|object| object.and_then(|object| object.get_mut(key)));
            match value {
                Value::Object(modified) => {
                    let others = others.map(|value| value.and_then(Value::as_object_mut));
                    let field = self.schema.patch_meta_for_object(node, key, at);
                    // A field that the schema does not know is an error elsewhere.
                    let field = field
                        .ok()
                        .filter(|field| field.strategy != BaseStrategy::Replace);
                    let is_compared = others.iter().any(Option::is_some);
                    if let Some(field) = field.filter(|_| is_compared) {
                        let at = at.field(key);
                        let below = self.take_out(others, modified, field.node, &at)?;
                        if !below.is_empty() {
                            scope.objects.push((key.clone(), below));
                        }
                    }
                }
                Value::Array(modified) => {
                    let field = self.schema.patch_meta_for_list(node, key, at);
                    let field = field
                        .ok()
                        .filter(|field| field.strategy == BaseStrategy::Merge);
                    if let Some(field) = field {
                        let others = others.map(|value| value.and_then(Value::as_array_mut));
                        self.take_out_list(&mut scope, others, modified, (node, key), field, at)?;
                    }
                }
                _ => {}
            }
        }
        Ok(scope)
    }

    fn take_out_list(
        &mut self,
        scope: &mut Scope,
        others: [Option<&mut Vec<Value>>; 2],
        modified: &mut Vec<Value>,
        (node, name): (NodeId, &str),
        field: FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        let [original, current] = others;
        let texts_of = |list: Option<&Vec<Value>>| {
            let list = list.map(Vec::as_slice).unwrap_or_default();
            texts(list, field.merge_key)
        };
        let (Some(originals), Some(news), Some(currents)) = (
            texts_of(original.as_deref()),
            texts_of(Some(modified)),
            texts_of(current.as_deref()),
        ) else {
            // An invalid list is an error elsewhere.
            return Ok(());
        };
        let texts = [originals, news, currents];
        if texts.iter().any(|texts| !are_unique(texts)) {
            let original = original.map(std::mem::take);
            let Some(current) = current else {
                // A list that the live object lacks is inserted as a whole.
                let [originals, news, _] = texts;
                let lists = original.map(|original| DocumentLists {
                    original: Vec::new(),
                    modified: modified.clone(),
                    current: original,
                    texts: [Vec::new(), news, originals],
                });
                if let Some(lists) = lists {
                    let mut comparison = self.comparison_of_author();
                    comparison.list(&lists, &field, (node, name), at)?;
                }
                return Ok(());
            };
            let lists = DocumentLists {
                original: original.unwrap_or_default(),
                modified: std::mem::take(modified),
                current: std::mem::take(current),
                texts,
            };
            if let Some(patch) = self.list(&lists, &field, (node, name), at)? {
                modified.push(PLACEHOLDER);
                scope.lists.push((name.to_owned(), patch));
            }
            return Ok(());
        }
        let others = [original, current];
        let elements =
            self.take_out_of_elements(others, modified, texts, &field, &at.field(name))?;
        if !elements.is_empty() {
            scope.elements.push(ElementScopes {
                field: name.to_owned(),
                merge_key: field.merge_key.to_owned(),
                scopes: elements,
            });
        }
        Ok(())
    }

    /// Takes the lists with shared keys out of the elements of a list, and returns the patches of
    /// these lists by the keys of the elements. `texts` has the strings of the keys.
    fn take_out_of_elements(
        &mut self,
        others: [Option<&mut Vec<Value>>; 2],
        modified: &mut [Value],
        texts: [Vec<String>; 3],
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<Vec<(String, Scope)>, PatchError> {
        let [originals, news, currents] = texts;
        let positions = |texts: Vec<String>| -> HashMap<String, usize> {
            let numbered = texts.into_iter().enumerate();
            numbered.map(|(i, text)| (text, i)).collect()
        };
        let [originals, currents] = [originals, currents].map(positions);
        let [mut original, mut current] = others;
        let mut elements = Vec::new();
        for (new, text) in modified.iter_mut().zip(news) {
            let Value::Object(new) = new else { continue };
            let old = object_in(original.as_deref_mut(), originals.get(&text));
            let live = object_in(current.as_deref_mut(), currents.get(&text));
            if old.is_none() && live.is_none() {
                continue;
            }
            let at = at.step(PathStep::Key(&text));
            let below = self.take_out([old, live], new, field.node, &at)?;
            if !below.is_empty() {
                elements.push((text.clone(), below));
            }
        }
        Ok(elements)
    }
}

impl Scope {
    fn is_empty(&self) -> bool {
        self.lists.is_empty() && self.objects.is_empty() && self.elements.is_empty()
    }

    /// Puts the patches of the lists into the patch of the object, in place of the placeholders.
    fn put_into(self, patch: &mut Map<String, Value>) {
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
        for (name, scope) in self.objects {
            if let Some(Value::Object(below)) = patch.get_mut(&name) {
                scope.put_into(below);
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
            for (text, scope) in elements.scopes {
                if let Some(item) = object_in(Some(items), positions.get(&text)) {
                    scope.put_into(item);
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
fn texts(list: &[Value], merge_key: &str) -> Option<Vec<String>> {
    let texts = list.iter().map(|item| {
        let key = item.as_object()?.get(merge_key)?;
        Scalar::from_value(key).map(|_| to_sort_string(key).into_owned())
    });
    texts.collect()
}

fn are_unique(texts: &[String]) -> bool {
    let mut seen = HashSet::with_capacity(texts.len());
    texts.iter().all(|text| seen.insert(text))
}
