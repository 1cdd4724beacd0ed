//! What happens to an object before it is validated: fields without a schema go, nulls go, defaults come (spec
//! `ratcheting.md` 1.1, 5.4, 5.5).

use serde_json::{Map, Value};

use crate::schema::{Additional, Node, NodeId, StructuralSchema};
use k8s_json_internals::deep;
use k8s_json_internals::equality::same;

/// Fields that every resource has.
const TYPE_META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// What happens to fields that the schema does not describe.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pruning {
    /// They go.
    Plain,
    /// They go, but for those that every resource has.
    OfResource,
    /// The list around keeps them.
    Preserves,
    /// They stay, however deep.
    Off,
}

impl StructuralSchema {
    /// Prunes and drops nulls, unless the CRD preserves unknown fields.
    pub(super) fn decode(&self, object: &mut Value) {
        if !self.preserves_unknown {
            self.prune_object(object);
            self.drop_nulls(Self::ROOT, object);
        }
    }

    /// Whether [`decode`](Self::decode) and [`fill_in`](Self::fill_in) would leave an object as it is: one walk, where they
    /// take three. `but` is a field of the object that need not be there.
    pub(super) fn is_decoded(&self, object: &Value, but: &str) -> bool {
        if self.preserves_unknown {
            return !self.node(Self::ROOT).below.has_defaults;
        }
        self.is_decoded_at(Self::ROOT, object, Pruning::OfResource, but)
    }

    fn is_decoded_at(&self, id: NodeId, value: &Value, pruning: Pruning, but: &str) -> bool {
        let node = self.node(id);
        let preserves =
            node.preserves_unknown || matches!(pruning, Pruning::Preserves | Pruning::Off);
        match value {
            Value::Object(object) => {
                let is_resource = pruning == Pruning::OfResource || node.embedded;
                has_defaults(node, object, but)
                    && object.iter().all(|(key, value)| {
                        let is_kept = is_resource && TYPE_META.contains(&key.as_str());
                        let Some(child) = node.child(key) else {
                            return is_kept
                                || match node.additional {
                                    Additional::Nothing => preserves,
                                    _ => pruning == Pruning::Off || is_all_pruned(value),
                                };
                        };
                        if value.is_null() {
                            let child = self.node(child);
                            return child.nullable
                                || child.default.as_ref().is_some_and(|value| value.is_null());
                        }
                        let pruning = match pruning {
                            Pruning::Off => Pruning::Off,
                            _ if is_kept => Pruning::Off,
                            _ => Pruning::Plain,
                        };
                        self.is_decoded_at(child, value, pruning, "")
                    })
            }
            Value::Array(elements) => {
                let Some(items) = node.items else {
                    return preserves || elements.iter().all(is_all_pruned);
                };
                let pruning = match pruning {
                    Pruning::Off => Pruning::Off,
                    _ if preserves => Pruning::Preserves,
                    _ => Pruning::Plain,
                };
                elements.iter().all(|element| {
                    self.default_for(items, Some(element)).is_none()
                        && self.is_decoded_at(items, element, pruning, "")
                })
            }
            _ => true,
        }
    }

    /// Takes out of a whole object the fields that the schema does not describe.
    pub(super) fn prune_object(&self, object: &mut Value) {
        self.prune(Self::ROOT, object, true, false);
    }

    /// Takes out the fields that the schema does not describe. `preserves`: the list around it keeps them.
    fn prune(&self, id: NodeId, value: &mut Value, is_resource: bool, preserves: bool) {
        let node = self.node(id);
        let preserves = preserves || node.preserves_unknown;
        match value {
            Value::Object(object) => {
                let is_resource = is_resource || node.embedded;
                if !preserves && object.keys().any(|key| !keeps(node, key, is_resource)) {
                    deep::retain(object, |key, _| keeps(node, key, is_resource));
                }
                for (key, value) in object {
                    if is_resource && TYPE_META.contains(&key.as_str()) {
                        continue;
                    }
                    match (node.child(key), node.additional) {
                        (Some(child), _) => self.prune(child, value, false, false),
                        (None, Additional::Allowed | Additional::Forbidden) => prune_all(value),
                        _ => {}
                    }
                }
            }
            Value::Array(elements) => {
                for element in elements {
                    match node.items {
                        Some(items) => self.prune(items, element, false, preserves),
                        None if !preserves => prune_all(element),
                        None => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether a value has no field that its schema does not describe.
    pub(super) fn is_pruned_at(&self, id: NodeId, value: &Value) -> bool {
        let mut pruned = deep::Own::copy(value);
        self.prune(id, &mut pruned, id == Self::ROOT, false);
        same(&pruned, value)
    }

    /// Takes out nulls that say nothing: their schema is there, not nullable, and has no default.
    fn drop_nulls(&self, id: NodeId, value: &mut Value) {
        let node = self.node(id);
        match value {
            Value::Object(object) => {
                if object
                    .iter()
                    .any(|(key, value)| self.is_dropped(node, key, value))
                {
                    object.retain(|key, value| !self.is_dropped(node, key, value));
                }
                for (key, value) in object {
                    if let Some(child) = node.child(key) {
                        self.drop_nulls(child, value);
                    }
                }
            }
            Value::Array(elements) => {
                if let Some(items) = node.items {
                    for element in elements {
                        self.drop_nulls(items, element);
                    }
                }
            }
            _ => {}
        }
    }

    fn is_dropped(&self, node: &Node, key: &str, value: &Value) -> bool {
        value.is_null()
            && node.child(key).is_some_and(|child| {
                let child = self.node(child);
                !child.nullable && child.default.is_none()
            })
    }

    /// Fills in defaults: of properties that are absent, or null and not nullable; of other values that are so. The absent
    /// field `but` of the value stays so.
    pub(super) fn fill_in(&self, id: NodeId, value: &mut Value, but: &str) {
        let node = self.node(id);
        match value {
            Value::Object(object) => {
                for (name, child) in node.defaulted() {
                    if **name != *but
                        && let Some(default) = self.default_for(*child, object.get(&**name))
                    {
                        object.insert(name.to_string(), deep::copy(default));
                    }
                }
                for (key, value) in object {
                    if let Some(child) = node.child(key) {
                        if value.is_null()
                            && let Some(default) = self.default_for(child, Some(value))
                        {
                            *value = deep::copy(default);
                        }
                        if self.node(child).below.has_defaults {
                            self.fill_in(child, value, "");
                        }
                    }
                }
            }
            Value::Array(elements) => {
                let Some(items) = node.items else { return };
                for element in elements {
                    if let Some(default) = self.default_for(items, Some(element)) {
                        *element = deep::copy(default);
                    }
                    self.fill_in(items, element, "");
                }
            }
            _ => {}
        }
    }

    /// The default that takes the place of a value: of none, or of null where that is not allowed.
    fn default_for(&self, id: NodeId, value: Option<&Value>) -> Option<&Value> {
        let node = self.node(id);
        let default = node.default.as_deref()?;
        match value {
            None => Some(default),
            Some(Value::Null) if !node.nullable && !default.is_null() => Some(default),
            Some(_) => None,
        }
    }
}

/// Whether a field stays in an object that does not preserve unknown ones.
fn keeps(node: &Node, key: &str, is_resource: bool) -> bool {
    node.additional != Additional::Nothing
        || node.property(key).is_some()
        || is_resource && TYPE_META.contains(&key)
}

/// Whether all properties with a default are there, but for one.
fn has_defaults(node: &Node, object: &Map<String, Value>, but: &str) -> bool {
    let mut defaulted = node.defaulted();
    defaulted.all(|(name, _)| **name == *but || object.contains_key(&**name))
}

/// Prunes a value without a schema: its objects are left empty. Lists may be deep, so what waits is kept in a list.
fn prune_all(value: &mut Value) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Object(object) => deep::discard(core::mem::take(object).into()),
            Value::Array(elements) => waiting.extend(elements),
            _ => {}
        }
    }
}

fn is_all_pruned(value: &Value) -> bool {
    let Value::Array(elements) = value else {
        return value.as_object().is_none_or(Map::is_empty);
    };
    let mut waiting: Vec<&Value> = elements.iter().collect();
    while let Some(value) = waiting.pop() {
        match value {
            Value::Object(object) if !object.is_empty() => return false,
            Value::Array(elements) => waiting.extend(elements),
            _ => {}
        }
    }
    true
}
