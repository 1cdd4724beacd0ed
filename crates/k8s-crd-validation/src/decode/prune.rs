//! Pruning: the removal of unknown fields, which no schema describes. A [`RemovedFields`] records
//! the removed fields.

use serde_json::{Map, Value};

use crate::schema::unknown::unknown_fields::{NO_NAMES, RemovedFields, TYPE_META, names_of};
use crate::schema::{AdditionalProperties, Node, NodeId, StructuralSchema};
use k8s_json_internals::deep;
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::{Path, PathStep};

/// The schema and the context of a value that is pruned.
#[derive(Clone, Copy)]
pub(super) struct PruneState {
    id: NodeId,
    /// True if the value is a resource, which keeps `apiVersion`, `kind` and `metadata`.
    is_resource: bool,
    /// True if the list that contains the value preserves unknown fields.
    preserves: bool,
}

impl PruneState {
    /// The state for a whole object.
    pub(super) const ROOT: Self = Self {
        id: StructuralSchema::ROOT,
        is_resource: true,
        preserves: false,
    };

    /// Returns the state for a value inside an object.
    const fn of_child(id: NodeId) -> Self {
        Self {
            id,
            is_resource: false,
            preserves: false,
        }
    }
}

impl StructuralSchema {
    /// Removes the unknown fields of a whole object.
    pub(crate) fn prune_object(&self, object: &mut Value) {
        self.prune(PruneState::ROOT, object, &Path::ROOT, &mut ());
    }

    /// Removes the unknown fields of a value, and records them in `removed`. `path` is the path of
    /// the value. The path has only fields and indexes, because servers print `.key` for keys of
    /// maps in messages about pruned fields.
    pub(super) fn prune<'s>(
        &'s self,
        state: PruneState,
        value: &mut Value,
        path: &Path<'_>,
        removed: &mut impl RemovedFields<'s>,
    ) {
        let node = self.node(state.id);
        let preserves = state.preserves || node.preserves_unknown;
        match value {
            Value::Object(object) => {
                let is_resource = state.is_resource || node.embedded;
                if !preserves
                    && object
                        .keys()
                        .any(|key| !is_kept_by_pruning(node, key, is_resource))
                {
                    deep::retain(object, |key, _| {
                        let is_kept = is_kept_by_pruning(node, key, is_resource);
                        if !is_kept {
                            removed.record(path, key, names_of(node, is_resource));
                        }
                        is_kept
                    });
                }
                for (key, value) in object {
                    if is_resource && TYPE_META.contains(&key.as_str()) {
                        continue;
                    }
                    let path = path.field(key);
                    match (node.child(key), node.additional_properties) {
                        (Some(child), _) => {
                            self.prune(PruneState::of_child(child), value, &path, removed);
                        }
                        (None, AdditionalProperties::Allowed | AdditionalProperties::Forbidden) => {
                            prune_all(value, &path, removed);
                        }
                        _ => {}
                    }
                }
            }
            Value::Array(elements) => {
                for (index, element) in elements.iter_mut().enumerate() {
                    let path = path.step(PathStep::Index(index));
                    match node.items {
                        Some(items) => {
                            let state = PruneState {
                                preserves,
                                ..PruneState::of_child(items)
                            };
                            self.prune(state, element, &path, removed);
                        }
                        None if !preserves => prune_all(element, &path, removed),
                        None => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns true if pruning by a schema would not change the value.
    pub(crate) fn is_pruned_at(&self, id: NodeId, value: &Value) -> bool {
        let mut pruned = deep::DeepValue::copy(value);
        let state = PruneState {
            is_resource: id == Self::ROOT,
            ..PruneState::of_child(id)
        };
        self.prune(state, &mut pruned, &Path::ROOT, &mut ());
        deep_equal(&pruned, value)
    }
}

/// Returns true if pruning keeps a field of an object whose schema does not preserve unknown
/// fields.
fn is_kept_by_pruning(node: &Node, key: &str, is_resource: bool) -> bool {
    node.additional_properties != AdditionalProperties::Absent
        || node.property(key).is_some()
        || is_resource && TYPE_META.contains(&key)
}

/// Prunes a value without a schema: removes all fields of its objects. The walk does not recurse,
/// because lists may be nested deeper than the stack allows.
fn prune_all<'s>(value: &mut Value, path: &Path<'_>, removed: &mut impl RemovedFields<'s>) {
    // `indexes` is the position of the current value: an index for each list around the value. A
    // pending value has the number of lists around it, its index in the innermost list, and the
    // value itself.
    let mut indexes = Vec::new();
    let mut pending = vec![(0_usize, 0, value)];
    while let Some((depth, index, value)) = pending.pop() {
        indexes.truncate(depth.saturating_sub(1));
        if depth > 0 {
            indexes.push(index);
        }
        match value {
            Value::Object(object) => {
                for name in object.keys() {
                    removed.record_in_lists(path, &indexes, name, NO_NAMES);
                }
                deep::discard(core::mem::take(object).into());
            }
            Value::Array(elements) => {
                let elements = elements.iter_mut().enumerate();
                pending.extend(elements.map(|(index, element)| (depth + 1, index, element)));
            }
            _ => {}
        }
    }
}

/// Returns true if [`prune_all`] would not change the value.
pub(super) fn is_all_pruned(value: &Value) -> bool {
    let Value::Array(elements) = value else {
        return value.as_object().is_none_or(Map::is_empty);
    };
    let mut pending: Vec<&Value> = elements.iter().collect();
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(object) if !object.is_empty() => return false,
            Value::Array(elements) => pending.extend(elements),
            _ => {}
        }
    }
    true
}
