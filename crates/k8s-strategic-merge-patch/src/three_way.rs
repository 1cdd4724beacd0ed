//! Applying, comparing, and putting patches together: the doors to the algorithms.

use serde_json::{Map, Value};

use super::conflict::{Conflicts, Search};
use super::diff::Diff;
use super::document::{self, Which};
use super::error::PatchError;
use super::merge::{Merge, Mode};
use super::precondition::{DiffError, Precondition, check};
use super::schema::PatchSchema;
use union_runtime::path::Path;

impl PatchSchema {
    /// Applies a patch to an object, as an API server does it.
    ///
    /// Null counts as an empty object. No directive is left in what the patch puts in, but where the strategy of a field
    /// is to replace it (see [the table](crate#kept-and-fixed), B3).
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
    /// What is wrong with the patch, or with the object where they meet.
    pub fn apply(&self, target: Value, patch: &Value) -> Result<Value, PatchError> {
        let mut target = document::taken(target, self.depth)?;
        let patch = document::object(patch, self.depth, Which::Patch)?;
        let merge = Merge {
            schema: self,
            mode: Mode::Server,
        };
        if let Some(patch) = patch {
            merge.object(&mut target, patch, self.root, &Path::ROOT)?;
        }
        Ok(target.into())
    }

    /// The patch that makes `modified` of `original`: `{}` where nothing changed.
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
    /// # Errors
    ///
    /// That one of them holds something that no patch can be made of.
    pub fn diff(&self, original: &Value, modified: &Value) -> Result<Value, PatchError> {
        let empty = Map::new();
        let [original, modified] = [
            self.document(original, &empty)?,
            self.document(modified, &empty)?,
        ];
        self.two_way(original, modified, true, true, true)
            .map(Value::Object)
    }

    /// As [`diff`](Self::diff), where the patch has to meet all of the preconditions.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_strategic_merge_patch::{DiffError, PatchSchema, key_unchanged, metadata_key_unchanged};
    ///
    /// let schema = PatchSchema::compile(&json!({"properties": {"kind": {"type": "string"}}}))?;
    /// let same_object = [&key_unchanged("kind") as _, &metadata_key_unchanged("name") as _];
    /// let failed = schema.diff_with(&json!({"kind": "A"}), &json!({"kind": "B"}), &same_object).unwrap_err();
    /// assert!(matches!(failed, DiffError::Precondition(_)));
    /// # Ok::<(), union_runtime::engine::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`diff`](Self::diff), and the first precondition that the patch does not meet.
    pub fn diff_with(
        &self,
        original: &Value,
        modified: &Value,
        preconditions: &[Precondition<'_>],
    ) -> Result<Value, DiffError> {
        check(self.diff(original, modified)?, preconditions)
    }

    /// The patch that makes of `current`, the live object, what its author wants: `original` is what the author applied
    /// last, `modified` what the author applies now.
    ///
    /// It sets what the live object lacks, and removes what the author removed. With `overwrite` it does so whatever
    /// others changed in the meantime; without, fields that both changed are [`Conflicts`].
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_strategic_merge_patch::{DiffError, PatchSchema};
    ///
    /// let schema = PatchSchema::compile(&json!({"properties": {"replicas": {"type": "integer"}}}))?;
    /// let [applied, wanted, live] = [1, 2, 3].map(|replicas| json!({"replicas": replicas}));
    ///
    /// let Err(DiffError::Conflict(conflicts)) = schema.three_way(&applied, &wanted, &live, false) else {
    ///     panic!("somebody scaled it");
    /// };
    /// assert_eq!(conflicts.iter().next().unwrap().path(), "replicas");
    /// assert_eq!(schema.three_way(&applied, &wanted, &live, true)?, json!({"replicas": 2}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// That one of the documents holds something that no patch can be made of; conflicts.
    pub fn three_way(
        &self,
        original: &Value,
        modified: &Value,
        current: &Value,
        overwrite: bool,
    ) -> Result<Value, DiffError> {
        self.three_way_with(original, modified, current, overwrite, &[])
    }

    /// As [`three_way`](Self::three_way), where the patch has to meet all of the preconditions, which come before conflicts.
    ///
    /// # Errors
    ///
    /// As [`three_way`](Self::three_way), and the first precondition that the patch does not meet.
    pub fn three_way_with(
        &self,
        original: &Value,
        modified: &Value,
        current: &Value,
        overwrite: bool,
        preconditions: &[Precondition<'_>],
    ) -> Result<Value, DiffError> {
        let empty = Map::new();
        let [current, modified, original] = [
            self.document(current, &empty)?,
            self.document(modified, &empty)?,
            self.document(original, &empty)?,
        ];
        let additions = self.two_way(current, modified, true, true, false)?;
        let mut patch = self.two_way(original, modified, true, false, true)?;
        self.compose_into(&mut patch, &additions)?;
        let patch = check(patch.into(), preconditions)?;
        if overwrite {
            return Ok(patch);
        }
        let changed = self.two_way(original, current, false, true, true)?;
        let found = Search::of(self, patch.as_object().unwrap_or(&empty), &changed)?;
        if found.is_empty() {
            Ok(patch)
        } else {
            Err(DiffError::Conflict(Conflicts::new(
                patch,
                changed.into(),
                found,
            )))
        }
    }

    /// Puts patches of one object together, so that the later ones win. Applied at once, the result is what they are one
    /// by one, but for `$patch: delete` of an element that an earlier patch sets, which is lost.
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
    /// That they disagree on what is to be kept or on the order of a list; what is wrong with one of them.
    pub fn compose<'p>(
        &self,
        patches: impl IntoIterator<Item = &'p Value>,
    ) -> Result<Value, PatchError> {
        let mut composed = Map::new();
        for patch in patches {
            if let Some(patch) = document::object(patch, self.depth, Which::Patch)? {
                self.compose_into(&mut composed, patch)?;
            }
        }
        Ok(composed.into())
    }

    fn compose_into(
        &self,
        composed: &mut Map<String, Value>,
        patch: &Map<String, Value>,
    ) -> Result<(), PatchError> {
        let merge = Merge {
            schema: self,
            mode: Mode::Compose,
        };
        merge.object(composed, patch, self.root, &Path::ROOT)
    }

    /// A document, null being an empty one.
    fn document<'v>(
        &self,
        document: &'v Value,
        empty: &'v Map<String, Value>,
    ) -> Result<&'v Map<String, Value>, PatchError> {
        let object = document::object(document, self.depth, Which::Document)?;
        Ok(object.unwrap_or(empty))
    }

    fn two_way(
        &self,
        original: &Map<String, Value>,
        modified: &Map<String, Value>,
        order: bool,
        additions: bool,
        deletions: bool,
    ) -> Result<Map<String, Value>, PatchError> {
        let diff = Diff {
            schema: self,
            order,
            additions,
            deletions,
        };
        diff.object(original, modified, self.root, false, &Path::ROOT)
    }
}
