//! The public operations: apply, diff, three-way and compose.

use core::cell::Cell;

use serde_json::{Map, Value};

use super::precondition::{DiffError, OnConflict, ThreeWayOptions, check_preconditions};
use super::shared_keys::{ComparisonForm, Documents, SharedKeyDiffer};
use super::three_way::ObjectVersions;
use crate::conflict::{ConflictCollector, Conflicts};
use crate::diff::diff::{DepthCheck, Differ, RetainKeys};
use crate::elements::document::{self, InputKind};
use crate::elements::patch::Patch;
use crate::error::PatchError;
use crate::merge::merge::Merger;
use crate::merge::merge_target::MergeTarget;
use crate::schema::schema::PatchSchema;
use union_runtime::path::Path;

impl PatchSchema {
    /// Applies a patch to an object, as an API server does.
    ///
    /// Null counts as an empty object. The values that the patch inserts do not contain directives,
    /// except in a field that its strategy replaces (see [B3](crate#kept-and-fixed)).
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_strategic_merge_patch::PatchSchema;
    ///
    /// let schema = PatchSchema::compile(&json!({"properties": {"ports": {
    ///     "type": "array",
    ///     "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name",
    ///     "items": {"properties": {"name": {"type": "string"}, "port": {"type": "integer"}}},
    /// }}}))?;
    /// let live = json!({"ports": [{"name": "a", "port": 1}, {"name": "b", "port": 2}]});
    /// let patch = json!({"ports": [{"name": "b", "$patch": "delete"}, {"name": "a", "port": 3}]});
    /// assert_eq!(schema.apply(live, &patch)?, json!({"ports": [{"name": "a", "port": 3}]}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the patch is invalid, or if the object is invalid at a place that the
    /// patch changes.
    pub fn apply(&self, target: Value, patch: &Value) -> Result<Value, PatchError> {
        let mut target = document::into_object(target, self.depth)?;
        let patch = document::to_object(patch, self.depth, InputKind::Patch)?;
        let merger = Merger {
            schema: self,
            target: MergeTarget::Object,
            is_own_patch: false,
        };
        if let Some(patch) = patch {
            merger.merge_object(&mut target, patch, self.root, &Path::ROOT)?;
        }
        Ok(target.into())
    }

    /// Returns the patch that changes `original` to `modified`: `{}` if both are equal.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_strategic_merge_patch::PatchSchema;
    ///
    /// let schema = PatchSchema::compile(&json!({"properties": {"ports": {
    ///     "type": "array",
    ///     "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name",
    ///     "items": {"properties": {"name": {"type": "string"}, "port": {"type": "integer"}}},
    /// }}}))?;
    /// let original = json!({"ports": [{"name": "a", "port": 1}]});
    /// let modified = json!({"ports": [{"name": "a", "port": 3}]});
    /// let patch = schema.diff(&original, &modified)?;
    /// assert_eq!(patch["ports"], json!([{"name": "a", "port": 3}]));
    /// assert_eq!(schema.apply(original, &patch)?, modified);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Elements that share their merge key are paired by their other fields; see
    /// [`PatchWarning`](crate::PatchWarning).
    ///
    /// # Errors
    ///
    /// Returns an error if a document is invalid, so that no patch can be created from it.
    pub fn diff(&self, original: &Value, modified: &Value) -> Result<Patch, PatchError> {
        let shared_keys = Cell::new(false);
        let compare = || {
            let empty = Map::new();
            let [original, modified] = to_objects([original, modified], &empty)?;
            let differ = Differ {
                element_orders: true,
                additions: true,
                deletions: true,
                shared_keys: Some(&shared_keys),
                ..self.depth_checking_differ()
            };
            differ.diff_documents(original, modified).map(Value::Object)
        };
        let result = compare();
        if shared_keys.get() {
            let [current, modified] = self.copy_documents([original, modified])?;
            let documents = Documents {
                original: None,
                modified,
                current,
            };
            let form = ComparisonForm::TwoWay(RetainKeys::Emit);
            let mut comparison = SharedKeyDiffer::new(self, form);
            let patch = comparison.diff_documents(documents)?;
            return Ok(Patch::new(patch.into(), comparison.warnings));
        }
        let patch =
            result.map_err(|error| self.first_document_error([original, modified], error))?;
        Ok(Patch::new(patch, Vec::new()))
    }

    /// Returns the patch that changes the live object `current` to the state that its author wants:
    /// `original` is the state that the author applied last, `modified` the state that the author
    /// applies now.
    ///
    /// The patch sets fields that the live object does not have, and removes fields that the author
    /// removed. [`OnConflict`] decides about fields that both the author and others changed;
    /// [`ThreeWayOptions`] also has conditions that the patch must meet. Elements that share their
    /// merge key are paired by their other fields; see [`PatchWarning`](crate::PatchWarning).
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchSchema};
    ///
    /// let schema = PatchSchema::compile(&json!({
    ///     "properties": {"replicas": {"type": "integer"}},
    /// }))?;
    /// let [applied, wanted, live] = [1, 2, 3].map(|replicas| json!({"replicas": replicas}));
    ///
    /// let careful = schema.three_way(&applied, &wanted, &live, OnConflict::Fail);
    /// let Err(DiffError::Conflict(conflicts)) = careful else {
    ///     panic!("somebody scaled it");
    /// };
    /// assert_eq!(conflicts.iter().next().unwrap().path(), "replicas");
    /// let patch = schema.three_way(&applied, &wanted, &live, OnConflict::Overwrite)?;
    /// assert_eq!(patch, json!({"replicas": 2}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a document is invalid, if the patch does not meet a precondition, or if
    /// there are conflicts, checked in this order.
    pub fn three_way<'f>(
        &self,
        original: &Value,
        modified: &Value,
        current: &Value,
        options: impl Into<ThreeWayOptions<'f>>,
    ) -> Result<Patch, DiffError> {
        let options = options.into();
        let empty = Map::new();
        let shared_keys = Cell::new(false);
        let compare = || {
            let [current, modified, original] = to_objects([current, modified, original], &empty)?;
            let differ = Differ {
                shared_keys: Some(&shared_keys),
                ..self.depth_checking_differ()
            };
            let versions = ObjectVersions {
                original,
                modified,
                current,
            };
            let patch = differ.three_way_object(versions, self.root, false, &Path::ROOT)?;
            Ok((original, current, patch.unwrap_or_default()))
        };
        let result = compare();
        if shared_keys.get() {
            return self.three_way_with_shared_keys([current, modified, original], options);
        }
        let result =
            result.map_err(|error| self.first_document_error([current, modified, original], error));
        let (original, current, patch) = result?;
        let patch = Patch::new(patch.into(), Vec::new());
        check_preconditions(&patch, options.preconditions)?;
        if options.on_conflict == OnConflict::Overwrite {
            return Ok(patch);
        }
        let live_differ = Differ {
            additions: true,
            deletions: true,
            ..self.differ()
        };
        let live_changes = live_differ.diff_documents(original, current)?;
        let conflicts =
            ConflictCollector::collect(self, patch.as_object().unwrap_or(&empty), &live_changes)?;
        if conflicts.is_empty() {
            Ok(patch)
        } else {
            let conflicts = Conflicts::new(patch, live_changes.into(), conflicts);
            Err(DiffError::Conflict(conflicts))
        }
    }

    /// Returns the patch of documents in which elements of a merged list share their key.
    fn three_way_with_shared_keys(
        &self,
        documents: [&Value; 3],
        options: ThreeWayOptions<'_>,
    ) -> Result<Patch, DiffError> {
        let [current, modified, original] = self.copy_documents(documents)?;
        let finds_conflicts = options.on_conflict == OnConflict::Fail;
        let mut comparison =
            SharedKeyDiffer::new(self, ComparisonForm::ThreeWay { finds_conflicts });
        let live_changes = finds_conflicts.then(|| comparison.changes(&original, &current));
        let patch = comparison.diff_documents(Documents {
            original: Some(original),
            modified,
            current,
        })?;
        let warnings = std::mem::take(&mut comparison.warnings);
        let patch = Patch::new(patch.into(), warnings);
        check_preconditions(&patch, options.preconditions)?;
        let live_changes = live_changes.transpose()?;
        let conflicts = comparison.conflicts()?;
        match live_changes {
            Some(live_changes) if !conflicts.is_empty() => {
                let conflicts = Conflicts::new(patch, live_changes.into(), conflicts);
                Err(DiffError::Conflict(conflicts))
            }
            _ => Ok(patch),
        }
    }

    /// Returns copies of documents, which are objects and not too deep.
    fn copy_documents<const N: usize>(
        &self,
        documents: [&Value; N],
    ) -> Result<[Map<String, Value>; N], PatchError> {
        let mut copies = documents.map(|_| Map::new());
        for (copy, document) in copies.iter_mut().zip(documents) {
            let object = document::to_object(document, self.depth, InputKind::Document)?;
            *copy = object.cloned().unwrap_or_default();
        }
        Ok(copies)
    }

    /// Combines patches of one object; later patches win. Takes quadratic time if the patches add
    /// many elements to one list.
    ///
    /// If the patches only set and remove different fields, or the same scalars, applying the
    /// result has the same effect as applying the patches one by one. As in Kubernetes, it does not
    /// in these cases:
    ///
    /// - A directive is lost if no earlier patch has the value that it refers to: `$patch: delete`
    ///   and `$patch: replace`. So a single patch with a directive may lose its effect.
    /// - A later patch sets what an earlier patch removes: the object is then merged with the
    ///   value in the live object, instead of replacing it.
    /// - `$retainKeys` of one patch and a field of another: the result cannot be applied.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_strategic_merge_patch::PatchSchema;
    ///
    /// let schema = PatchSchema::compile(&json!({"properties": {"a": {}, "b": {}}}))?;
    /// let composed = schema.compose([&json!({"a": 1, "b": 1}), &json!({"b": null})])?;
    /// assert_eq!(composed, json!({"a": 1, "b": null}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the patches disagree on the fields to keep or on the order of a list, or
    /// if a patch is invalid.
    pub fn compose<'p>(
        &self,
        patches: impl IntoIterator<Item = &'p Value>,
    ) -> Result<Value, PatchError> {
        let merger = Merger {
            schema: self,
            target: MergeTarget::Patch,
            is_own_patch: false,
        };
        let mut composed_patch = Map::new();
        for patch in patches {
            if let Some(patch) = document::to_object(patch, self.depth, InputKind::Patch)? {
                merger.merge_object(&mut composed_patch, patch, self.root, &Path::ROOT)?;
            }
        }
        Ok(composed_patch.into())
    }

    /// Returns a comparison of documents that also checks their depth.
    fn depth_checking_differ(&self) -> Differ<'_> {
        let differ = self.differ();
        Differ {
            depth: DepthCheck {
                checks_original: true,
                checks_modified: true,
                ..differ.depth
            },
            ..differ
        }
    }

    /// Returns a comparison of documents whose depth is already checked.
    pub(crate) const fn differ(&self) -> Differ<'_> {
        Differ {
            schema: self,
            element_orders: false,
            additions: false,
            deletions: false,
            retain_keys: RetainKeys::Emit,
            depth: DepthCheck {
                levels: self.depth.saturating_sub(1),
                checks_original: false,
                checks_modified: false,
            },
            sibling_patch: None,
            shared_keys: None,
        }
    }

    /// Returns the error of the first document that is too deep or not an object, or else `error`.
    #[cold]
    fn first_document_error<const N: usize>(
        &self,
        documents: [&Value; N],
        error: PatchError,
    ) -> PatchError {
        let mut documents = documents.into_iter();
        let first_error = documents.find_map(|document| {
            document::to_object(document, self.depth, InputKind::Document).err()
        });
        first_error.unwrap_or(error)
    }
}

/// Returns the documents as objects; null is an empty object. The comparison checks their depth.
fn to_objects<'v, const N: usize>(
    values: [&'v Value; N],
    empty: &'v Map<String, Value>,
) -> Result<[&'v Map<String, Value>; N], PatchError> {
    let mut objects = [empty; N];
    for (object, value) in objects.iter_mut().zip(values) {
        *object = document::to_object_of_any_depth(value)?.unwrap_or(empty);
    }
    Ok(objects)
}

impl Differ<'_> {
    /// Returns the difference of two documents.
    fn diff_documents(
        self,
        original: &Map<String, Value>,
        modified: &Map<String, Value>,
    ) -> Result<Map<String, Value>, PatchError> {
        let patch = self.diff_object(original, modified, self.schema.root, false, &Path::ROOT)?;
        Ok(patch.unwrap_or_default())
    }
}
