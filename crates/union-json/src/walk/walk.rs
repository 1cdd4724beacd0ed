//! Walks through a JSON object, together with the compiled nodes of its schema and the old object.

use core::cell::Cell;

use serde_json::{Map, Value};

use crate::limits::Limits;
use crate::walk::compiled_node::{CompiledNode, NodeId};
use crate::walk::object::{ObjectNode, ObjectNodeMut};
use k8s_json_internals::rows::row;
use union_runtime::path::{FieldPath, PathStep};
use union_runtime::spec::Cursor;
use union_runtime::spec::{Visitor, VisitorMut};

/// An error of a walk that stopped because the object exceeds the limits.
#[derive(Clone, Debug)]
pub(crate) struct WalkError {
    pub(crate) path: FieldPath,
    pub(crate) reason: String,
}

/// A walk through one object, within the limits.
pub(crate) struct LimitedWalk<'a> {
    nodes: &'a [CompiledNode],
    limits: Limits,
    /// The number of values that the walk may still visit.
    remaining_nodes: Cell<usize>,
    /// The number of levels that the walk may still descend.
    remaining_depth: Cell<usize>,
}

impl<'a> LimitedWalk<'a> {
    pub(crate) fn new(nodes: &'a [CompiledNode], limits: Limits) -> Self {
        Self {
            nodes,
            limits,
            remaining_nodes: Cell::new(limits.max_nodes),
            remaining_depth: Cell::new(limits.effective_max_depth()),
        }
    }

    fn node(&self, id: NodeId) -> &'a CompiledNode {
        row(self.nodes, id)
    }

    /// Counts a visited value. Returns `None` if there are more values than the limit.
    fn count_node(&self) -> Option<()> {
        self.remaining_nodes
            .set(self.remaining_nodes.get().checked_sub(1)?);
        Some(())
    }

    /// Calls `continue_walk` one level deeper. Returns `None` if there are more levels than the
    /// limit.
    fn descend<R>(&self, continue_walk: impl FnOnce() -> R) -> Option<R> {
        let depth = self.remaining_depth.get();
        self.remaining_depth.set(depth.checked_sub(1)?);
        let result = continue_walk();
        self.remaining_depth.set(depth);
        Some(result)
    }

    /// Counts a visited value, and calls `continue_walk` one level deeper. Returns an error if the
    /// object exceeds the limits.
    fn enter_node<R>(
        &self,
        cursor: &Cursor<'_, '_>,
        continue_walk: impl FnOnce() -> Result<R, WalkError>,
    ) -> Result<R, WalkError> {
        let error = |reason: String| {
            let path = cursor.path().to_field_path();
            Err(WalkError { path, reason })
        };
        if self.count_node().is_none() {
            let max = self.limits.max_nodes;
            return error(format!(
                "the object has more than {max} places that may contain unions; make it smaller, or raise `Limits::max_nodes`"
            ));
        }
        self.descend(continue_walk).unwrap_or_else(|| {
            let depth = self.limits.effective_max_depth();
            error(format!(
                "the object has more than {depth} levels here; make it flatter, or raise `Limits::max_depth`"
            ))
        })
    }

    /// Returns true if every union is settled, and no object with unions has an unknown field.
    /// Returns false if the object exceeds the limits.
    pub(crate) fn is_settled(&self, id: NodeId, value: &Value) -> bool {
        if self.count_node().is_none() {
            return false;
        }
        let node = self.node(id);
        let is_settled = self.descend(|| match value {
            Value::Object(object) => self.object_is_settled(node, object),
            Value::Array(elements) => node
                .items
                .is_none_or(|items| elements.iter().all(|value| self.is_settled(items, value))),
            _ => true,
        });
        is_settled.unwrap_or(false)
    }

    /// Returns true if the unions of an object, and the unions in its fields, are settled.
    fn object_is_settled(&self, node: &CompiledNode, object: &Map<String, Value>) -> bool {
        if !node.is_settled(object) {
            return false;
        }
        let mut fields = node.fields.iter();
        let fields_are_settled = fields.all(|(name, id)| {
            object
                .get(&**name)
                .is_none_or(|value| self.is_settled(*id, value))
        });
        fields_are_settled
            && (node.additional_properties.is_none()
                || object.iter().all(|(name, value)| {
                    node.undescribed_field_node(name)
                        .is_none_or(|id| self.is_settled(id, value))
                }))
    }

    /// Calls the visitor for every object with unions, together with the correlated old object.
    pub(crate) fn walk(
        &self,
        id: NodeId,
        new: &Value,
        old: Option<&'a Value>,
        cursor: &Cursor<'_, 'a>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), WalkError> {
        let node = self.node(id);
        self.enter_node(cursor, || match new {
            Value::Object(new) => {
                self.walk_object(node, new, old.and_then(Value::as_object), cursor, visitor)
            }
            Value::Array(new) => {
                let Some(items) = node.items else {
                    return Ok(());
                };
                let old_elements = list_elements(old);
                let mut index = cursor.old_element_index(old_elements, &node.keys);
                let list = cursor.atomic_list(old_elements);
                for (i, new) in new.iter().enumerate() {
                    let old = cursor.old_element(i, new, old_elements, &mut index);
                    cursor.element(i, old, list.as_ref(), |old, cursor| {
                        self.walk(items, new, old, cursor, visitor)
                    })?;
                }
                Ok(())
            }
            _ => Ok(()),
        })
    }

    /// Visits an object, if it has unions, and then walks through the fields that contain unions.
    fn walk_object(
        &self,
        compiled: &CompiledNode,
        new: &Map<String, Value>,
        old: Option<&'a Map<String, Value>>,
        cursor: &Cursor<'_, 'a>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), WalkError> {
        if !compiled.unions.is_empty() {
            let node = |object| ObjectNode { compiled, object };
            let old = old.map(node);
            visitor.visit(&node(new), old.as_ref().map(|old| old as _), cursor);
        }
        let old_field = |name: &str| old.and_then(|old| old.get(name));
        for (name, id) in &compiled.fields {
            if let Some(new) = new.get(&**name) {
                cursor.field(name, |cursor| {
                    self.walk(*id, new, old_field(name), cursor, visitor)
                })?;
            }
        }
        if compiled.additional_properties.is_some() {
            for (name, new) in new {
                if let Some(id) = compiled.undescribed_field_node(name) {
                    let step = PathStep::Key(name);
                    cursor.step(step, |cursor| {
                        self.walk(id, new, old_field(name), cursor, visitor)
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Calls the visitor like [`walk`](Self::walk), but allows the visitor to change the objects.
    pub(crate) fn walk_mut(
        &self,
        id: NodeId,
        new: &mut Value,
        old: Option<&'a Value>,
        cursor: &Cursor<'_, 'a>,
        visitor: &mut dyn VisitorMut,
    ) -> Result<(), WalkError> {
        let node = self.node(id);
        self.enter_node(cursor, || match new {
            Value::Object(new) => {
                self.walk_object_mut(node, new, old.and_then(Value::as_object), cursor, visitor)
            }
            Value::Array(new) => {
                let Some(items) = node.items else {
                    return Ok(());
                };
                let old_elements = list_elements(old);
                let mut index = cursor.old_element_index(old_elements, &node.keys);
                for (i, new) in new.iter_mut().enumerate() {
                    let old = cursor.old_element(i, new, old_elements, &mut index);
                    cursor.element(i, old, None, |old, cursor| {
                        self.walk_mut(items, new, old, cursor, visitor)
                    })?;
                }
                Ok(())
            }
            _ => Ok(()),
        })
    }

    /// Walks through an object like [`walk_object`](Self::walk_object), for a visitor that may
    /// change the object.
    fn walk_object_mut(
        &self,
        compiled: &CompiledNode,
        new: &mut Map<String, Value>,
        old: Option<&'a Map<String, Value>>,
        cursor: &Cursor<'_, 'a>,
        visitor: &mut dyn VisitorMut,
    ) -> Result<(), WalkError> {
        if !compiled.unions.is_empty() {
            let old = old.map(|object| ObjectNode { compiled, object });
            let new = &mut *new;
            let mut pair = ObjectNodeMut { compiled, new, old };
            visitor.visit(&mut pair, cursor);
        }
        let old_field = |name: &str| old.and_then(|old| old.get(name));
        for (name, id) in &compiled.fields {
            if let Some(new) = new.get_mut(&**name) {
                cursor.field(name, |cursor| {
                    self.walk_mut(*id, new, old_field(name), cursor, visitor)
                })?;
            }
        }
        if compiled.additional_properties.is_some() {
            for (name, new) in new {
                if let Some(id) = compiled.undescribed_field_node(name) {
                    let step = PathStep::Key(name);
                    cursor.step(step, |cursor| {
                        self.walk_mut(id, new, old_field(name), cursor, visitor)
                    })?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the elements of a value, if the value is a list.
fn list_elements(value: Option<&Value>) -> Option<&[Value]> {
    value.and_then(Value::as_array).map(Vec::as_slice)
}
