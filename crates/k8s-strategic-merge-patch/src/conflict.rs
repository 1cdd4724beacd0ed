//! Conflicts: fields that both the patch and other clients changed.

use core::fmt;
use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};

use crate::elements::identity::identity;
use crate::elements::patch::Patch;
use crate::elements::scalar::{Scalar, common_type, to_sort_string};
use crate::error::PatchError;
use crate::merge::directive_names::{
    DIRECTIVE_MARKER, RETAIN_KEYS_DIRECTIVE, is_parallel_list_directive,
};
use crate::schema::schema::{FieldPatchMeta, NodeId, PatchSchema};
use crate::schema::strategy::BaseStrategy;
use crate::values::json_type::JsonType;
use crate::values::yaml::Yaml;
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::{FieldPath, Path, PathStep};

/// Fields that both the patch and other clients changed since the author of the patch applied the
/// object last.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflicts {
    patch: Patch,
    changed: Value,
    fields: Vec<Conflict>,
}

/// A field that both the patch and other clients changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    path: FieldPath,
    patch: Value,
    changed: Value,
}

impl Conflicts {
    pub(super) const fn new(patch: Patch, changed: Value, fields: Vec<Conflict>) -> Self {
        Self {
            patch,
            changed,
            fields,
        }
    }

    /// Returns the patch that [`OnConflict::Overwrite`](crate::OnConflict) would return, with the
    /// warnings about the patch.
    #[must_use]
    pub const fn patch(&self) -> &Patch {
        &self.patch
    }

    /// Returns the changes of other clients to the whole object, as a patch.
    #[must_use]
    pub const fn live(&self) -> &Value {
        &self.changed
    }

    /// Returns an iterator over the conflicts. The fields of an object are in the order of their
    /// names.
    pub fn iter(&self) -> core::slice::Iter<'_, Conflict> {
        self.fields.iter()
    }

    /// Returns exactly the message that Kubernetes prints. `Display` prints a line for each field,
    /// and the remedy.
    #[must_use]
    pub fn message(&self) -> String {
        format!(
            "patch:\n{}\nconflicts with changes made from original to current:\n{}\n",
            Yaml(&self.patch),
            Yaml(&self.changed)
        )
    }
}

impl<'a> IntoIterator for &'a Conflicts {
    type Item = &'a Conflict;
    type IntoIter = core::slice::Iter<'a, Conflict>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Conflict {
    /// Returns the conflict of two patches of the value at a path.
    pub(super) fn new(patch: Value, changed: Value, location: &Path<'_>) -> Self {
        Self {
            path: location.to_field_path(),
            patch,
            changed,
        }
    }

    /// Returns the path of the field, such as `spec.containers[web].image`. Merge keys name the
    /// elements of merged lists.
    pub const fn path(&self) -> &FieldPath {
        &self.path
    }

    /// Returns the value in the patch; null if the patch removes the field.
    #[must_use]
    pub const fn patch(&self) -> &Value {
        &self.patch
    }

    /// Returns the change of other clients, as a patch; null if they removed the field.
    #[must_use]
    pub const fn live(&self) -> &Value {
        &self.changed
    }
}

/// Prints one line for each field, with both values, and then the remedy.
impl fmt::Display for Conflicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for conflict in &self.fields {
            let Conflict {
                path,
                patch,
                changed,
            } = conflict;
            writeln!(
                f,
                "{path}: the patch sets {patch}, others changed it to {changed}"
            )?;
        }
        f.write_str("keep the changes of others, or overwrite them")
    }
}

impl core::error::Error for Conflicts {}

/// A comparison of two patches that collects their conflicts.
pub(super) struct ConflictCollector<'s> {
    schema: &'s PatchSchema,
    conflicts: Vec<Conflict>,
}

impl<'s> ConflictCollector<'s> {
    /// Returns the fields that both patches set to different values. An error is returned only if
    /// there are no conflicts.
    pub(super) fn collect(
        schema: &'s PatchSchema,
        patch: &Map<String, Value>,
        changed: &Map<String, Value>,
    ) -> Result<Vec<Conflict>, PatchError> {
        Self::collect_in_object(schema, patch, changed, schema.root, &Path::ROOT)
    }

    /// Returns the conflicts between patches of the object at a path.
    pub(super) fn collect_in_object(
        schema: &'s PatchSchema,
        patch: &Map<String, Value>,
        changed: &Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<Vec<Conflict>, PatchError> {
        let mut collector = Self {
            schema,
            conflicts: Vec::new(),
        };
        match collector.compare_objects(patch, changed, node, location) {
            Err(error) if collector.conflicts.is_empty() => Err(error),
            _ => Ok(collector.conflicts),
        }
    }

    fn add(&mut self, patch: &Value, changed: &Value, location: &Path<'_>) {
        self.conflicts
            .push(Conflict::new(patch.clone(), changed.clone(), location));
    }

    fn compare_objects(
        &mut self,
        patch: &Map<String, Value>,
        changed: &Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        let mut fields: Vec<_> = patch.iter().collect();
        fields.sort_unstable_by_key(|(key, _)| *key);
        for (key, left) in fields {
            if key == DIRECTIVE_MARKER
                || key == RETAIN_KEYS_DIRECTIVE
                || is_parallel_list_directive(key)
            {
                continue;
            }
            let Some(right) = changed.get(key) else {
                continue;
            };
            let field = match left {
                Value::Object(_) => Some(self.schema.patch_meta_for_object(node, key, location)?),
                Value::Array(_) => Some(self.schema.patch_meta_for_list(node, key, location)?),
                _ => None,
            };
            self.compare_values(left, right, field, &location.field(key))?;
        }
        Ok(())
    }

    /// Compares two values. `field` is the schema of an object or a list, and `None` for scalars.
    fn compare_values(
        &mut self,
        patch: &Value,
        changed: &Value,
        field: Option<FieldPatchMeta<'_>>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        match (patch, changed, field) {
            (Value::Object(left), Value::Object(right), Some(field)) => {
                let [left_directive, right_directive] =
                    [left, right].map(|object| object.get(DIRECTIVE_MARKER));
                let directives_are_equal = match (left_directive, right_directive) {
                    (None, None) => true,
                    (Some(left), Some(right)) => deep_equal(left, right),
                    _ => false,
                };
                if !directives_are_equal {
                    self.add(patch, changed, location);
                } else if field.strategy != BaseStrategy::Replace {
                    self.compare_objects(left, right, field.node, location)?;
                }
            }
            (Value::Array(left), Value::Array(right), Some(field)) => {
                if field.strategy == BaseStrategy::Merge {
                    self.compare_merged_lists(left, right, &field, location)?;
                } else {
                    self.compare_replaced_lists(patch, changed, left, right, field, location)?;
                }
            }
            _ if JsonType::from_value(patch) != JsonType::from_value(changed)
                || !deep_equal(patch, changed) =>
            {
                self.add(patch, changed, location);
            }
            _ => {}
        }
        Ok(())
    }

    fn compare_merged_lists(
        &mut self,
        left: &[Value],
        right: &[Value],
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        if common_type(left, right, location)? != Some(JsonType::Object) {
            return Ok(());
        }
        // Observed in Kubernetes: this search reports a missing key with its own message, and an
        // empty merge key in the schema counts as missing.
        let without_key = left.iter().find(|item| item.get(field.merge_key).is_none());
        if let Some(item) = without_key {
            return Err(PatchError::no_merge_key_in_conflict_search(
                item,
                field.merge_key,
                location,
            ));
        }
        let mut by_identity: HashMap<Scalar<'_>, &Value> = HashMap::with_capacity(right.len());
        for item in right {
            by_identity.insert(identity(item, field.merge_key, location)?, item);
        }
        for item in left {
            let Some(counterpart) = by_identity.get(&identity(item, field.merge_key, location)?)
            else {
                continue;
            };
            let key = item
                .get(field.merge_key)
                .map(to_sort_string)
                .unwrap_or_default();
            let element_meta = FieldPatchMeta {
                strategy: BaseStrategy::Unspecified,
                ..*field
            };
            self.compare_values(
                item,
                counterpart,
                Some(element_meta),
                &location.step(PathStep::Key(&key)),
            )?;
        }
        Ok(())
    }

    /// Compares two lists that are replaced.
    fn compare_replaced_lists(
        &mut self,
        patch: &Value,
        changed: &Value,
        left: &[Value],
        right: &[Value],
        field: FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        let element_type = common_type(left, right, location)?;
        if left.len() != right.len() {
            self.add(patch, changed, location);
            return Ok(());
        }
        if element_type == Some(JsonType::Object) {
            for (i, (left, right)) in left.iter().zip(right).enumerate() {
                let element_meta = FieldPatchMeta {
                    strategy: BaseStrategy::Unspecified,
                    ..field
                };
                self.compare_values(
                    left,
                    right,
                    Some(element_meta),
                    &location.step(PathStep::Index(i)),
                )?;
            }
            return Ok(());
        }
        // The order of scalars does not count.
        let [left, right] =
            [left, right].map(|list| list.iter().map(to_sort_string).collect::<BTreeSet<_>>());
        if left != right {
            self.add(patch, changed, location);
        }
        Ok(())
    }
}
