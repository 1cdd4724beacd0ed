//! Preparation of an object before validation: fields without a schema are pruned, nulls are
//! dropped, and defaults are filled in (`docs/ratcheting.md`, "Order of a request").

use serde_json::{Map, Value};

use super::prune::{PruneState, is_all_pruned};
use crate::schema::unknown_fields::{TYPE_META, UnknownFields};
use crate::schema::{AdditionalProperties, Node, NodeId, Property, StructuralSchema};
use k8s_json_internals::deep;
use union_runtime::path::Path;

/// The treatment of fields that the schema does not describe.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pruning {
    /// Removes the fields.
    Object,
    /// Removes the fields, except the fields that every resource has.
    Resource,
    /// Keeps the fields, because the list around the object preserves unknown fields.
    Preserve,
    /// Keeps the fields at any depth.
    Disabled,
}

/// An observer of the values that a walk visits, so that one walk answers several questions.
pub(crate) trait ValueVisitor {
    /// Observes a value and its schema. The walk visits every value that has a schema, except the
    /// whole object. The value is known to have `required` of its required fields.
    fn visit(&mut self, node: &Node, value: &Value, required: usize);

    /// Observes that an object with this schema has a key without a schema.
    fn visit_undescribed_key(&mut self, node: &Node);

    /// Stops the observation, because the object is about to change.
    fn stop(&mut self);

    /// Restarts the observation, because the object has changed.
    fn restart(&mut self);
}

/// An observer that does nothing.
impl ValueVisitor for () {
    fn visit(&mut self, _: &Node, _: &Value, _: usize) {}

    fn visit_undescribed_key(&mut self, _: &Node) {}

    fn stop(&mut self) {}

    fn restart(&mut self) {}
}

/// The work that remains to decode an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PendingDecode {
    /// The object is decoded.
    Nothing,
    /// Defaults are missing.
    Defaulting,
    /// Fields have to be pruned or nulls dropped, and defaults may be missing.
    PruningAndDefaulting,
}

/// A walk that finds out whether an object has to be decoded.
struct DecodeProbe<'a, B> {
    schema: &'a StructuralSchema,
    visitor: &'a mut B,
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

    /// Returns the steps that would change the object: [`decode`](Self::decode) and
    /// [`apply_defaults`](Self::fill_in). This takes one walk instead of three. The fields `but` of
    /// the object are ignored, and may be missing. If the CRD preserves unknown fields, `beside`
    /// sees no value.
    pub(crate) fn pending_decode(
        &self,
        object: &Value,
        but: &[&str],
        beside: &mut impl ValueVisitor,
    ) -> PendingDecode {
        if self.preserves_unknown {
            return if self.node(Self::ROOT).subtree.has_defaults {
                PendingDecode::Defaulting
            } else {
                PendingDecode::Nothing
            };
        }
        let mut look = DecodeProbe::new(self, beside);
        let is_decoded = look.is_whole_decoded(object, but);
        look.pending_decode(is_decoded)
    }

    /// Returns true if neither pruning nor defaulting would change this value. The value must be in
    /// a field of the object, or of an object inside it, but not in a list.
    pub(crate) fn is_value_decoded(&self, node: &Node, value: &Value) -> bool {
        let beside = &mut ();
        let mut look = DecodeProbe::new(self, beside);
        let is_decoded = look.is_described_decoded(node, value, Pruning::Object);
        look.pending_decode(is_decoded) == PendingDecode::Nothing
    }

    /// Returns true if decoding would not remove anything in a field of the object. The field must
    /// not be a field that every resource has, such as `kind`.
    pub(crate) fn is_field_pruned(&self, object: &Value, field: &str) -> bool {
        let root = self.node(Self::ROOT);
        let Some(value) = object.get(field).filter(|_| !self.preserves_unknown) else {
            return true;
        };
        match (root.child(field), root.additional_properties) {
            (Some(child), _) => {
                let beside = &mut ();
                DecodeProbe::new(self, beside).is_entry_decoded(child, value, Pruning::Object)
            }
            (None, AdditionalProperties::Absent) => root.preserves_unknown,
            (None, _) => is_all_pruned(value),
        }
    }

    /// Returns true if decoding is known to keep one field of the object. `beside` sees the field.
    /// Returns false if the CRD preserves unknown fields.
    pub(crate) fn is_field_decoded(
        &self,
        object: &Value,
        field: &str,
        beside: &mut impl ValueVisitor,
    ) -> bool {
        let root = self.node(Self::ROOT);
        let is_kept = TYPE_META.contains(&field);
        if self.preserves_unknown {
            return false;
        }
        let Some(child) = root.property(field) else {
            return is_kept && root.additional_properties_schema().is_none();
        };
        let Some(value) = object.get(field) else {
            return self.node(child).default.is_none();
        };
        let pruning = if is_kept {
            Pruning::Disabled
        } else {
            Pruning::Object
        };
        let mut look = DecodeProbe::new(self, beside);
        let is_decoded = look.is_entry_decoded(child, value, pruning);
        look.pending_decode(is_decoded) == PendingDecode::Nothing
    }
}

impl<'a, B: ValueVisitor> DecodeProbe<'a, B> {
    const fn new(schema: &'a StructuralSchema, beside: &'a mut B) -> Self {
        Self {
            schema,
            visitor: beside,
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

    /// Records that a default is missing, and stops the observer.
    fn record_missing_default(&mut self) {
        if !self.lacks_defaults {
            self.lacks_defaults = true;
            self.visitor.stop();
        }
    }

    /// Returns true if nothing in the object, apart from the fields `but`, has to be pruned or
    /// dropped.
    fn is_whole_decoded(&mut self, object: &Value, but: &[&str]) -> bool {
        let root = self.schema.node(StructuralSchema::ROOT);
        match object {
            Value::Object(object) => self
                .count_required_if_decoded(root, object, Pruning::Resource, but)
                .is_some(),
            Value::Array(elements) => self.is_list_decoded(root, elements, Pruning::Resource),
            _ => true,
        }
    }

    /// Returns the number of required fields that the object has, or `None` if something in the
    /// object has to be pruned or dropped.
    fn count_required_if_decoded(
        &mut self,
        node: &Node,
        object: &Map<String, Value>,
        pruning: Pruning,
        but: &[&str],
    ) -> Option<usize> {
        let preserves = preserves(node, pruning);
        // A fast path for objects whose fields are not described.
        if preserves
            && node.properties.is_empty()
            && node.additional_properties == AdditionalProperties::Absent
        {
            return Some(0);
        }
        let is_resource = pruning == Pruning::Resource || node.embedded;
        let (mut next, mut defaulted, mut required) = (0, 0, 0);
        for (key, value) in object {
            if !but.is_empty() && but.contains(&key.as_str()) {
                continue;
            }
            let is_kept = is_resource && TYPE_META.contains(&key.as_str());
            let property = node.next_property(key, &mut next);
            let Some(child) = property
                .map(|property| property.id)
                .or(node.additional_properties_schema())
            else {
                self.visitor.visit_undescribed_key(node);
                let stays = is_kept
                    || match node.additional_properties {
                        AdditionalProperties::Absent => preserves,
                        _ => pruning == Pruning::Disabled || is_all_pruned(value),
                    };
                if stays {
                    continue;
                }
                return None;
            };
            if let Some(property) = property {
                defaulted += usize::from(property.has_default);
                required += usize::from(property.is_required);
            }
            let pruning = match pruning {
                Pruning::Disabled => Pruning::Disabled,
                _ if is_kept => Pruning::Disabled,
                _ => Pruning::Object,
            };
            if !self.is_entry_decoded(child, value, pruning) {
                return None;
            }
        }
        if defaulted < node.count_defaults(but) {
            self.record_missing_default();
        }
        Some(required)
    }

    /// Returns true if nothing in a property has to be pruned or dropped.
    #[inline]
    fn is_entry_decoded(&mut self, id: NodeId, value: &Value, pruning: Pruning) -> bool {
        self.is_described_decoded(self.schema.node(id), value, pruning)
    }

    fn is_described_decoded(&mut self, node: &Node, value: &Value, pruning: Pruning) -> bool {
        let required = match value {
            Value::Object(object) => {
                let Some(required) = self.count_required_if_decoded(node, object, pruning, &[])
                else {
                    return false;
                };
                required
            }
            _ => 0,
        };
        self.visitor.visit(node, value, required);
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

    fn is_list_decoded(&mut self, node: &Node, elements: &[Value], pruning: Pruning) -> bool {
        let preserves = preserves(node, pruning);
        let Some(items) = node.items else {
            return preserves || elements.iter().all(is_all_pruned);
        };
        let pruning = match pruning {
            Pruning::Disabled => Pruning::Disabled,
            _ if preserves => Pruning::Preserve,
            _ => Pruning::Object,
        };
        let items = self.schema.node(items);
        elements.iter().all(|element| {
            if let Value::Object(_) | Value::Array(_) = element {
                return self.is_described_decoded(items, element, pruning);
            }
            self.visitor.visit(items, element, 0);
            // A null is not dropped from a list.
            if replacing_default(items, Some(element)).is_some() {
                self.record_missing_default();
            }
            true
        })
    }
}

impl StructuralSchema {
    /// Removes nulls whose schema is neither nullable nor has a default.
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

    /// Fills in defaults: for absent properties, and in place of nulls that the schema does not
    /// allow. Absent fields in `but` stay absent.
    pub(crate) fn apply_defaults(&self, id: NodeId, value: &mut Value, but: &[&str]) {
        let node = self.node(id);
        match value {
            Value::Object(object) => {
                for Property {
                    name, id: child, ..
                } in node.properties_with_default()
                {
                    if !but.contains(&&**name)
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

    /// Returns the default that replaces a value.
    fn default_for(&self, id: NodeId, value: Option<&Value>) -> Option<&Value> {
        replacing_default(self.node(id), value)
    }
}

/// Returns the default that replaces an absent value, or a null that the schema does not allow.
fn replacing_default<'n>(node: &'n Node, value: Option<&Value>) -> Option<&'n Value> {
    let default = node.default.as_deref()?;
    match value {
        None => Some(default),
        Some(Value::Null) if !node.nullable && !default.is_null() => Some(default),
        Some(_) => None,
    }
}

/// Returns true if fields that the schema does not describe are kept.
const fn preserves(node: &Node, pruning: Pruning) -> bool {
    node.preserves_unknown || matches!(pruning, Pruning::Preserve | Pruning::Disabled)
}
