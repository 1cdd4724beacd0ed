//! Preparation of an object before validation: fields without a schema go, nulls go, defaults come
//! (`docs/ratcheting.md`, "Order of a request").

use serde_json::{Map, Value};

use crate::schema::{Additional, Node, NodeId, Property, StructuralSchema};
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

/// What else is asked of the values that a walk comes by, so that one walk answers all.
pub(crate) trait Beside {
    /// Shows a value and its schema: every value of an object that has one, but for the object itself. So many of the fields that
    /// are required of it are known to be there.
    fn see(&mut self, node: &Node, value: &Value, required: usize);

    /// Told that an object of this schema has a key without one.
    fn see_stray(&mut self, node: &Node);

    /// Told that the object is about to change, so that the rest of it need not be looked at.
    fn stop(&mut self);

    /// Forgets what was shown: the object has changed.
    fn start_again(&mut self);
}

/// Nothing else is asked.
impl Beside for () {
    fn see(&mut self, _: &Node, _: &Value, _: usize) {}

    fn see_stray(&mut self, _: &Node) {}

    fn stop(&mut self) {}

    fn start_again(&mut self) {}
}

/// What is still to be done with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToDo {
    /// Nothing.
    Nothing,
    /// Defaults are to be filled in.
    FillIn,
    /// It is to be pruned or has nulls to be dropped, and defaults may be missing.
    Decode,
}

/// A walk that looks what is to be done.
struct Look<'a, B> {
    schema: &'a StructuralSchema,
    beside: &'a mut B,
    lacks_defaults: bool,
}

impl StructuralSchema {
    /// Prunes and drops nulls, unless the CRD preserves unknown fields.
    pub(crate) fn decode(&self, object: &mut Value) {
        if !self.preserves_unknown {
            self.prune_object(object);
            self.drop_nulls(Self::ROOT, object);
        }
    }

    /// Whether [`decode`](Self::decode) and [`fill_in`](Self::fill_in) would change an object: one walk, where they take three.
    /// `but` are fields of the object that are not looked at, and need not be there. Where the CRD preserves unknown fields, no value
    /// is shown to `beside`.
    pub(crate) fn to_do(&self, object: &Value, but: &[&str], beside: &mut impl Beside) -> ToDo {
        if self.preserves_unknown {
            return if self.node(Self::ROOT).below.has_defaults {
                ToDo::FillIn
            } else {
                ToDo::Nothing
            };
        }
        let mut look = Look::new(self, beside);
        let is_decoded = look.is_whole_decoded(object, but);
        look.to_do(is_decoded)
    }

    /// Whether nothing is to be done with a value that stands in fields of an object, of fields of it.
    pub(crate) fn is_value_decoded(&self, node: &Node, value: &Value) -> bool {
        let beside = &mut ();
        let mut look = Look::new(self, beside);
        let is_decoded = look.is_described_decoded(node, value, Pruning::Plain);
        look.to_do(is_decoded) == ToDo::Nothing
    }

    /// Whether nothing is to be done with one field of an object, which is shown. What is not described is not known to be so.
    pub(crate) fn is_field_decoded(
        &self,
        object: &Value,
        field: &str,
        beside: &mut impl Beside,
    ) -> bool {
        let root = self.node(Self::ROOT);
        let is_kept = TYPE_META.contains(&field);
        if self.preserves_unknown {
            return false;
        }
        let Some(child) = root.property(field) else {
            return is_kept && root.values_schema().is_none();
        };
        let Some(value) = object.get(field) else {
            return self.node(child).default.is_none();
        };
        let pruning = if is_kept {
            Pruning::Off
        } else {
            Pruning::Plain
        };
        let mut look = Look::new(self, beside);
        let is_decoded = look.is_entry_decoded(child, value, pruning);
        look.to_do(is_decoded) == ToDo::Nothing
    }
}

impl<'a, B: Beside> Look<'a, B> {
    const fn new(schema: &'a StructuralSchema, beside: &'a mut B) -> Self {
        Self {
            schema,
            beside,
            lacks_defaults: false,
        }
    }

    const fn to_do(&self, is_decoded: bool) -> ToDo {
        match (is_decoded, self.lacks_defaults) {
            (false, _) => ToDo::Decode,
            (true, true) => ToDo::FillIn,
            (true, false) => ToDo::Nothing,
        }
    }

    /// Goes on, as a default is missing.
    fn miss_default(&mut self) {
        if !self.lacks_defaults {
            self.lacks_defaults = true;
            self.beside.stop();
        }
    }

    /// Whether there is nothing to be pruned or dropped in an object, but for these fields.
    fn is_whole_decoded(&mut self, object: &Value, but: &[&str]) -> bool {
        let root = self.schema.node(StructuralSchema::ROOT);
        match object {
            Value::Object(object) => self
                .decoded_fields(root, object, Pruning::OfResource, but)
                .is_some(),
            Value::Array(elements) => self.is_list_decoded(root, elements, Pruning::OfResource),
            _ => true,
        }
    }

    /// If there is nothing to be pruned or dropped in an object: how many of its fields are known to be required.
    fn decoded_fields(
        &mut self,
        node: &Node,
        object: &Map<String, Value>,
        pruning: Pruning,
        but: &[&str],
    ) -> Option<usize> {
        let preserves = preserves(node, pruning);
        // As in most objects that are not described.
        if preserves && node.properties.is_empty() && node.additional == Additional::Nothing {
            return Some(0);
        }
        let is_resource = pruning == Pruning::OfResource || node.embedded;
        let (mut next, mut defaulted, mut required) = (0, 0, 0);
        for (key, value) in object {
            if !but.is_empty() && but.contains(&key.as_str()) {
                continue;
            }
            let is_kept = is_resource && TYPE_META.contains(&key.as_str());
            let property = node.next_property(key, &mut next);
            let Some(child) = property
                .map(|property| property.id)
                .or(node.values_schema())
            else {
                self.beside.see_stray(node);
                let stays = is_kept
                    || match node.additional {
                        Additional::Nothing => preserves,
                        _ => pruning == Pruning::Off || is_all_pruned(value),
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
                Pruning::Off => Pruning::Off,
                _ if is_kept => Pruning::Off,
                _ => Pruning::Plain,
            };
            if !self.is_entry_decoded(child, value, pruning) {
                return None;
            }
        }
        if defaulted < node.count_defaulted(but) {
            self.miss_default();
        }
        Some(required)
    }

    /// Whether there is nothing to be pruned or dropped in a value under a key.
    #[inline]
    fn is_entry_decoded(&mut self, id: NodeId, value: &Value, pruning: Pruning) -> bool {
        self.is_described_decoded(self.schema.node(id), value, pruning)
    }

    fn is_described_decoded(&mut self, node: &Node, value: &Value, pruning: Pruning) -> bool {
        let required = match value {
            Value::Object(object) => {
                let Some(required) = self.decoded_fields(node, object, pruning, &[]) else {
                    return false;
                };
                required
            }
            _ => 0,
        };
        self.beside.see(node, value, required);
        match value {
            Value::Array(elements) => self.is_list_decoded(node, elements, pruning),
            Value::Null => match &node.default {
                _ if node.nullable => true,
                None => false,
                Some(default) if default.is_null() => true,
                Some(_) => {
                    self.miss_default();
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
            Pruning::Off => Pruning::Off,
            _ if preserves => Pruning::Preserves,
            _ => Pruning::Plain,
        };
        let items = self.schema.node(items);
        elements.iter().all(|element| {
            if let Value::Object(_) | Value::Array(_) = element {
                return self.is_described_decoded(items, element, pruning);
            }
            self.beside.see(items, element, 0);
            // Null is not dropped from a list.
            if default_in_place_of(items, Some(element)).is_some() {
                self.miss_default();
            }
            true
        })
    }
}

impl StructuralSchema {
    /// Takes out of a whole object the fields that the schema does not describe.
    pub(crate) fn prune_object(&self, object: &mut Value) {
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
    pub(crate) fn is_pruned_at(&self, id: NodeId, value: &Value) -> bool {
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
    /// fields `but` of the value stay so.
    pub(crate) fn fill_in(&self, id: NodeId, value: &mut Value, but: &[&str]) {
        let node = self.node(id);
        match value {
            Value::Object(object) => {
                for Property {
                    name, id: child, ..
                } in node.defaulted()
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
                        if self.node(child).below.has_defaults {
                            self.fill_in(child, value, &[]);
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
                    self.fill_in(items, element, &[]);
                }
            }
            _ => {}
        }
    }

    /// The default that takes the place of a value.
    fn default_for(&self, id: NodeId, value: Option<&Value>) -> Option<&Value> {
        default_in_place_of(self.node(id), value)
    }
}

/// The default that takes the place of a value: of none, or of null where that is not allowed.
fn default_in_place_of<'n>(node: &'n Node, value: Option<&Value>) -> Option<&'n Value> {
    let default = node.default.as_deref()?;
    match value {
        None => Some(default),
        Some(Value::Null) if !node.nullable && !default.is_null() => Some(default),
        Some(_) => None,
    }
}

/// Whether a field stays in an object that does not preserve unknown ones.
fn keeps(node: &Node, key: &str, is_resource: bool) -> bool {
    node.additional != Additional::Nothing
        || node.property(key).is_some()
        || is_resource && TYPE_META.contains(&key)
}

/// Whether fields that the schema does not describe stay.
const fn preserves(node: &Node, pruning: Pruning) -> bool {
    node.preserves_unknown || matches!(pruning, Pruning::Preserves | Pruning::Off)
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
