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
use k8s_json_internals::equality::deep_equal;
use k8s_yaml::to_yaml;
use union_runtime::path::{FieldPath, Path, PathStep};

/// Fields that both the patch and other clients changed since the author of the patch applied the
/// object last.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflicts {
    patch: Patch,
    live_change: Value,
    fields: Vec<Conflict>,
}

/// A field that both the patch and other clients changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    path: FieldPath,
    patch: Value,
    live_change: Value,
}

impl Conflicts {
    pub(super) const fn new(patch: Patch, live_change: Value, fields: Vec<Conflict>) -> Self {
        Self {
            patch,
            live_change,
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
        &self.live_change
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
        // Printing recurses. The limits of documents bound the depth.
        format!(
            "patch:\n{}\nconflicts with changes made from original to current:\n{}\n",
            to_yaml(&self.patch),
            to_yaml(&self.live_change)
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
    pub(super) fn new(patch: Value, live_change: Value, location: &Path<'_>) -> Self {
        Self {
            path: location.to_field_path(),
            patch,
            live_change,
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
        &self.live_change
    }
}

/// Prints one line for each field, with both values, and then the remedy.
impl fmt::Display for Conflicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for conflict in &self.fields {
            let Conflict {
                path,
                patch,
                live_change,
            } = conflict;
            writeln!(
                f,
                "{path}: the patch sets {patch}, others changed it to {live_change}"
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
        live_change: &Map<String, Value>,
    ) -> Result<Vec<Conflict>, PatchError> {
        Self::collect_in_object(schema, patch, live_change, schema.root, &Path::ROOT)
    }

    /// Returns the conflicts between patches of the object at a path.
    pub(super) fn collect_in_object(
        schema: &'s PatchSchema,
        patch: &Map<String, Value>,
        live_change: &Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<Vec<Conflict>, PatchError> {
        let mut collector = Self {
            schema,
            conflicts: Vec::new(),
        };
        match collector.compare_objects(patch, live_change, node, location) {
            Err(error) if collector.conflicts.is_empty() => Err(error),
            _ => Ok(collector.conflicts),
        }
    }

    fn add(&mut self, patch: &Value, live_change: &Value, location: &Path<'_>) {
        self.conflicts
            .push(Conflict::new(patch.clone(), live_change.clone(), location));
    }

    fn compare_objects(
        &mut self,
        patch: &Map<String, Value>,
        live_change: &Map<String, Value>,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        let mut fields: Vec<_> = patch.iter().collect();
        fields.sort_unstable_by_key(|(key, _)| *key);
        for (key, patch_value) in fields {
            if key == DIRECTIVE_MARKER
                || key == RETAIN_KEYS_DIRECTIVE
                || is_parallel_list_directive(key)
            {
                continue;
            }
            let Some(live_value) = live_change.get(key) else {
                continue;
            };
            let field = match patch_value {
                Value::Object(_) => Some(self.schema.patch_meta_for_object(node, key, location)?),
                Value::Array(_) => Some(self.schema.patch_meta_for_list(node, key, location)?),
                _ => None,
            };
            self.compare_values(patch_value, live_value, field, &location.field(key))?;
        }
        Ok(())
    }

    /// Compares two values. `field` is the schema of an object or a list, and `None` for scalars.
    fn compare_values(
        &mut self,
        patch: &Value,
        live_change: &Value,
        field: Option<FieldPatchMeta<'_>>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        match (patch, live_change, field) {
            (Value::Object(patch_object), Value::Object(live_object), Some(field)) => {
                let directives =
                    [patch_object, live_object].map(|object| object.get(DIRECTIVE_MARKER));
                let directives_are_equal = match directives {
                    [None, None] => true,
                    [Some(patch_directive), Some(live_directive)] => {
                        deep_equal(patch_directive, live_directive)
                    }
                    _ => false,
                };
                if !directives_are_equal {
                    self.add(patch, live_change, location);
                } else if field.strategy != BaseStrategy::Replace {
                    self.compare_objects(patch_object, live_object, field.node, location)?;
                }
            }
            (Value::Array(patch_list), Value::Array(live_list), Some(field)) => {
                if field.strategy == BaseStrategy::Merge {
                    self.compare_merged_lists(patch_list, live_list, &field, location)?;
                } else {
                    self.compare_replaced_lists(
                        patch,
                        live_change,
                        patch_list,
                        live_list,
                        field,
                        location,
                    )?;
                }
            }
            _ if JsonType::from_value(patch) != JsonType::from_value(live_change)
                || !deep_equal(patch, live_change) =>
            {
                self.add(patch, live_change, location);
            }
            _ => {}
        }
        Ok(())
    }

    fn compare_merged_lists(
        &mut self,
        patch_list: &[Value],
        live_list: &[Value],
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        if common_type(patch_list, live_list, location)? != Some(JsonType::Object) {
            return Ok(());
        }
        // Observed in Kubernetes: this search reports a missing key with its own message, and an
        // empty merge key in the schema counts as missing.
        let item_without_key = patch_list
            .iter()
            .find(|item| item.get(field.merge_key).is_none());
        if let Some(item) = item_without_key {
            return Err(PatchError::no_merge_key_in_conflict_search(
                item,
                field.merge_key,
                location,
            ));
        }
        let mut live_items: HashMap<Scalar<'_>, &Value> = HashMap::with_capacity(live_list.len());
        for item in live_list {
            live_items.insert(identity(item, field.merge_key, location)?, item);
        }
        for item in patch_list {
            let Some(counterpart) = live_items.get(&identity(item, field.merge_key, location)?)
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
        live_change: &Value,
        patch_list: &[Value],
        live_list: &[Value],
        field: FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        let element_type = common_type(patch_list, live_list, location)?;
        if patch_list.len() != live_list.len() {
            self.add(patch, live_change, location);
            return Ok(());
        }
        if element_type == Some(JsonType::Object) {
            for (i, (patch_item, live_item)) in patch_list.iter().zip(live_list).enumerate() {
                let element_meta = FieldPatchMeta {
                    strategy: BaseStrategy::Unspecified,
                    ..field
                };
                self.compare_values(
                    patch_item,
                    live_item,
                    Some(element_meta),
                    &location.step(PathStep::Index(i)),
                )?;
            }
            return Ok(());
        }
        // The order of scalars does not count.
        let [patch_strings, live_strings] = [patch_list, live_list]
            .map(|list| list.iter().map(to_sort_string).collect::<BTreeSet<_>>());
        if patch_strings != live_strings {
            self.add(patch, live_change, location);
        }
        Ok(())
    }
}
