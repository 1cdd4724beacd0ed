//! Decoding of an object before validation: undescribed fields are pruned, nulls are dropped, and
//! defaults are applied (`docs/ratcheting.md`, "Order of a request").
//!
//! A [`DecodeProbe`] first finds the steps that would change the object, so that a decoded
//! object needs no other walk.

use serde_json::{Map, Value};

use super::prune::{PruneState, is_all_pruned};
use crate::schema::unknown::unknown_fields::{TYPE_META, UnknownFields};
use crate::schema::{AdditionalProperties, Node, NodeId, Property, StructuralSchema};
use k8s_json_internals::deep;
use union_runtime::path::Path;

/// The treatment of undescribed fields: the fields that the schema does not describe.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pruning {
    /// Removes undescribed fields.
    Object,
    /// Removes undescribed fields, except `apiVersion`, `kind` and `metadata`.
    Resource,
    /// Keeps undescribed fields, because the list that contains the object preserves unknown
    /// fields.
    Preserve,
    /// Keeps undescribed fields at any depth.
    Disabled,
}

/// A visitor of the values that a [`DecodeProbe`] walks over, so that another check can share the
/// walk.
pub(crate) trait ValueVisitor {
    /// Visits a value and its schema. The walk visits every value that has a schema, except the
    /// root object. `required_count` is the number of required fields that the value has.
    fn visit(&mut self, node: &Node, value: &Value, required_count: usize);

    /// Visits an undescribed field of an object with the schema `node`.
    fn visit_undescribed_key(&mut self, node: &Node);

    /// Ignores all values from now on. Called before the object changes.
    fn stop(&mut self);

    /// Forgets all values, and accepts values again. Called after the object has changed.
    fn restart(&mut self);
}

/// The visitor that ignores all values.
impl ValueVisitor for () {
    fn visit(&mut self, _: &Node, _: &Value, _: usize) {}

    fn visit_undescribed_key(&mut self, _: &Node) {}

    fn stop(&mut self) {}

    fn restart(&mut self) {}
}

/// The decoding steps that would change an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PendingDecode {
    /// No steps: the object is decoded.
    Nothing,
    /// Defaults have to be applied.
    Defaulting,
    /// Fields have to be pruned or nulls dropped. Defaults may have to be applied.
    PruningAndDefaulting,
}

/// A walk that finds the decoding steps that would change an object. The walk itself changes
/// nothing.
struct DecodeProbe<'a, B> {
    schema: &'a StructuralSchema,
    visitor: &'a mut B,
    /// True if the walk has found a missing default.
    lacks_defaults: bool,
}

impl StructuralSchema {
    /// Prunes the object and drops nulls, unless the CRD preserves unknown fields. Adds the pruned
    /// fields to `unknown`.
    pub(crate) fn prune_and_drop_nulls<'s>(
        &'s self,
        object: &mut Value,
        unknown: &mut UnknownFields<'s>,
    ) {
        if !self.preserves_unknown {
            let start = unknown.len();
            self.prune(PruneState::ROOT, object, &Path::ROOT, unknown);
            unknown.finish_pruned(start);
            self.drop_nulls(Self::ROOT, object);
        }
    }

    /// Returns the steps that would change the object:
    /// [`prune_and_drop_nulls`](Self::prune_and_drop_nulls) and
    /// [`apply_defaults`](Self::apply_defaults). A single walk finds out. The fields `excluded` of
    /// the object are ignored, and may be missing. If the CRD preserves unknown fields, there is no
    /// walk, and the result may include unnecessary defaulting.
    pub(crate) fn pending_decode(
        &self,
        object: &Value,
        excluded: &[&str],
        visitor: &mut impl ValueVisitor,
    ) -> PendingDecode {
        if self.preserves_unknown {
            return if self.node(Self::ROOT).subtree.has_defaults {
                PendingDecode::Defaulting
            } else {
                PendingDecode::Nothing
            };
        }
        let mut probe = DecodeProbe::new(self, visitor);
        let is_decoded = probe.is_root_decoded(object, excluded);
        probe.pending_decode(is_decoded)
    }

    /// Returns true if neither pruning nor defaulting would change a value with the schema `node`.
    /// The value must not be inside a list, because a list can preserve the unknown fields of its
    /// elements.
    pub(crate) fn is_value_decoded(&self, node: &Node, value: &Value) -> bool {
        let visitor = &mut ();
        let mut probe = DecodeProbe::new(self, visitor);
        let is_decoded = probe.is_node_value_decoded(node, value, Pruning::Object);
        probe.pending_decode(is_decoded) == PendingDecode::Nothing
    }

    /// Returns true if neither pruning nor the dropping of nulls would change a field of the
    /// object. The field must not be `apiVersion`, `kind` or `metadata`.
    pub(crate) fn is_field_pruned(&self, object: &Value, field: &str) -> bool {
        let root = self.node(Self::ROOT);
        let Some(value) = object.get(field).filter(|_| !self.preserves_unknown) else {
            return true;
        };
        match (root.child(field), root.additional_properties) {
            (Some(child), _) => {
                let visitor = &mut ();
                DecodeProbe::new(self, visitor).is_entry_decoded(child, value, Pruning::Object)
            }
            (None, AdditionalProperties::Absent) => root.preserves_unknown,
            (None, _) => is_all_pruned(value),
        }
    }

    /// Returns true if decoding is known to keep a field of the object unchanged. Returns false if
    /// the CRD preserves unknown fields.
    pub(crate) fn is_field_decoded(
        &self,
        object: &Value,
        field: &str,
        visitor: &mut impl ValueVisitor,
    ) -> bool {
        let root = self.node(Self::ROOT);
        let is_type_meta = TYPE_META.contains(&field);
        if self.preserves_unknown {
            return false;
        }
        let Some(child) = root.property(field) else {
            return is_type_meta && root.additional_properties_schema().is_none();
        };
        let Some(value) = object.get(field) else {
            return self.node(child).default.is_none();
        };
        let pruning = if is_type_meta {
            Pruning::Disabled
        } else {
            Pruning::Object
        };
        let mut probe = DecodeProbe::new(self, visitor);
        let is_decoded = probe.is_entry_decoded(child, value, pruning);
        probe.pending_decode(is_decoded) == PendingDecode::Nothing
    }
}

impl<'a, B: ValueVisitor> DecodeProbe<'a, B> {
    const fn new(schema: &'a StructuralSchema, visitor: &'a mut B) -> Self {
        Self {
            schema,
            visitor,
            lacks_defaults: false,
        }
    }

    const fn pending_decode(&self, is_decoded: bool) -> PendingDecode {
        match (is_decoded, self.lacks_defaults) {
            (false, _) => PendingDecode::PruningAndDefaulting,
            (true, true) => PendingDecode::Defaulting,
            (true, false) => PendingDecode::Nothing,
        }
    }

    /// Records that a default is missing. Stops the visitor, because defaulting will change the
    /// object.
    fn record_missing_default(&mut self) {
        if !self.lacks_defaults {
            self.lacks_defaults = true;
            self.visitor.stop();
        }
    }

    /// Returns true if neither pruning nor the dropping of nulls would change the object, apart
    /// from the fields `excluded`.
    fn is_root_decoded(&mut self, object: &Value, excluded: &[&str]) -> bool {
        let root = self.schema.node(StructuralSchema::ROOT);
        match object {
            Value::Object(object) => self
                .count_required_if_decoded(root, object, Pruning::Resource, excluded)
                .is_some(),
            Value::Array(elements) => self.is_list_decoded(root, elements, Pruning::Resource),
            _ => true,
        }
    }

    /// Returns the number of required fields that the object has, or `None` if pruning or the
    /// dropping of nulls would change the object.
    fn count_required_if_decoded(
        &mut self,
        node: &Node,
        object: &Map<String, Value>,
        pruning: Pruning,
        excluded: &[&str],
    ) -> Option<usize> {
        let preserves_undescribed = preserves_undescribed(node, pruning);
        // Fast path: the schema describes no fields and preserves unknown fields.
        if preserves_undescribed
            && node.properties.is_empty()
            && node.additional_properties == AdditionalProperties::Absent
        {
            return Some(0);
        }
        let is_resource = pruning == Pruning::Resource || node.embedded;
        let mut next_property_index = 0;
        let mut default_count = 0;
        let mut required_count = 0;
        for (key, value) in object {
            if !excluded.is_empty() && excluded.contains(&key.as_str()) {
                continue;
            }
            let is_type_meta = is_resource && TYPE_META.contains(&key.as_str());
            let property = node.next_property(key, &mut next_property_index);
            let Some(child) = property
                .map(|property| property.id)
                .or(node.additional_properties_schema())
            else {
                self.visitor.visit_undescribed_key(node);
                let is_kept = is_type_meta
                    || match node.additional_properties {
                        AdditionalProperties::Absent => preserves_undescribed,
                        _ => pruning == Pruning::Disabled || is_all_pruned(value),
                    };
                if is_kept {
                    continue;
                }
                return None;
            };
            if let Some(property) = property {
                default_count += usize::from(property.has_default);
                required_count += usize::from(property.is_required);
            }
            let pruning = match pruning {
                Pruning::Disabled => Pruning::Disabled,
                _ if is_type_meta => Pruning::Disabled,
                _ => Pruning::Object,
            };
            if !self.is_entry_decoded(child, value, pruning) {
                return None;
            }
        }
        if default_count < node.count_defaults(excluded) {
            self.record_missing_default();
        }
        Some(required_count)
    }

    /// Returns true if neither pruning nor the dropping of nulls would change the value of a field.
    #[inline]
    fn is_entry_decoded(&mut self, id: NodeId, value: &Value, pruning: Pruning) -> bool {
        self.is_node_value_decoded(self.schema.node(id), value, pruning)
    }

    /// Returns true if neither pruning nor the dropping of nulls would change a value that has a
    /// schema.
    fn is_node_value_decoded(&mut self, node: &Node, value: &Value, pruning: Pruning) -> bool {
        let required_count = match value {
            Value::Object(object) => {
                let Some(required_count) =
                    self.count_required_if_decoded(node, object, pruning, &[])
                else {
                    return false;
                };
                required_count
            }
            _ => 0,
        };
        self.visitor.visit(node, value, required_count);
        match value {
            Value::Array(elements) => self.is_list_decoded(node, elements, pruning),
            Value::Null => match &node.default {
                _ if node.nullable => true,
                None => false,
                Some(default) if default.is_null() => true,
                Some(_) => {
                    self.record_missing_default();
                    true
                }
            },
            _ => true,
        }
    }

    /// Returns true if neither pruning nor the dropping of nulls would change the elements of a
    /// list.
    fn is_list_decoded(&mut self, node: &Node, elements: &[Value], pruning: Pruning) -> bool {
        let preserves_undescribed = preserves_undescribed(node, pruning);
        let Some(items) = node.items else {
            return preserves_undescribed || elements.iter().all(is_all_pruned);
        };
        let pruning = match pruning {
            Pruning::Disabled => Pruning::Disabled,
            _ if preserves_undescribed => Pruning::Preserve,
            _ => Pruning::Object,
        };
        let items = self.schema.node(items);
        elements.iter().all(|element| {
            if let Value::Object(_) | Value::Array(_) = element {
                return self.is_node_value_decoded(items, element, pruning);
            }
            self.visitor.visit(items, element, 0);
            // Nulls are never dropped from a list, but a default can replace a null.
            if replacing_default(items, Some(element)).is_some() {
                self.record_missing_default();
            }
            true
        })
    }
}

impl StructuralSchema {
    /// Removes the fields whose value is null, if their schema is not nullable and has no default.
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

    /// Returns true if `drop_nulls` removes a field.
    fn is_dropped(&self, node: &Node, key: &str, value: &Value) -> bool {
        value.is_null()
            && node.child(key).is_some_and(|child| {
                let child = self.node(child);
                !child.nullable && child.default.is_none()
            })
    }

    /// Applies defaults to missing properties, and replaces nulls that the schema does not allow.
    /// Missing fields of the value that are in `excluded` stay missing.
    pub(crate) fn apply_defaults(&self, id: NodeId, value: &mut Value, excluded: &[&str]) {
        let node = self.node(id);
        match value {
            Value::Object(object) => {
                for Property {
                    name, id: child, ..
                } in node.properties_with_default()
                {
                    if !excluded.contains(&&**name)
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
                        if self.node(child).subtree.has_defaults {
                            self.apply_defaults(child, value, &[]);
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
                    self.apply_defaults(items, element, &[]);
                }
            }
            _ => {}
        }
    }

    /// Returns the default of a schema that replaces a missing value or a null.
    fn default_for(&self, id: NodeId, value: Option<&Value>) -> Option<&Value> {
        replacing_default(self.node(id), value)
    }
}

/// Returns the default that replaces a missing value, or a null that the schema does not allow.
fn replacing_default<'n>(node: &'n Node, value: Option<&Value>) -> Option<&'n Value> {
    let default = node.default.as_deref()?;
    match value {
        None => Some(default),
        Some(Value::Null) if !node.nullable && !default.is_null() => Some(default),
        Some(_) => None,
    }
}

/// Returns true if undescribed fields are kept.
const fn preserves_undescribed(node: &Node, pruning: Pruning) -> bool {
    node.preserves_unknown || matches!(pruning, Pruning::Preserve | Pruning::Disabled)
}
