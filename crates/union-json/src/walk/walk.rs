//! The walk through a JSON object, together with the shapes of its schema and the old object.

use core::cell::Cell;

use serde_json::{Map, Value};

use crate::limits::Limits;
use crate::walk::compiled_node::{CompiledNode, NodeId};
use crate::walk::object::{ObjectNode, ObjectNodeMut};
use k8s_json_internals::rows::row;
use union_runtime::path::{FieldPath, PathStep};
use union_runtime::spec::Cursor;
use union_runtime::spec::{Visitor, VisitorMut};

/// The path and the reason of a walk that stopped because the object exceeds the limits.
#[derive(Clone, Debug)]
pub(crate) struct WalkError {
    pub(crate) path: FieldPath,
    pub(crate) reason: String,
}

/// A walk through a single object.
pub(crate) struct LimitedWalk<'a> {
    nodes: &'a [CompiledNode],
    limits: Limits,
    /// The number of places that the walk may still visit.
    remaining_nodes: Cell<usize>,
    depth: Cell<usize>,
}

impl<'a> LimitedWalk<'a> {
    pub(crate) fn new(shapes: &'a [CompiledNode], limits: Limits) -> Self {
        Self {
            nodes: shapes,
            limits,
            remaining_nodes: Cell::new(limits.max_nodes),
            depth: Cell::new(limits.effective_max_depth()),
        }
    }

    fn node(&self, id: NodeId) -> &'a CompiledNode {
        row(self.nodes, id)
    }

    /// Counts a visited place. Returns `None` if there are more places than the limit.
    fn count(&self) -> Option<()> {
        self.remaining_nodes
            .set(self.remaining_nodes.get().checked_sub(1)?);
        Some(())
    }

    /// Calls `go_on` one level deeper. Returns `None` if there are more levels than the limit.
    fn descend<R>(&self, go_on: impl FnOnce() -> R) -> Option<R> {
        self.depth.set(self.depth.get().checked_sub(1)?);
        let result = go_on();
        self.depth.set(self.depth.get() + 1);
        Some(result)
    }

    /// Counts a visited place, and calls `go_on` one level deeper. Returns an error if the object
    /// exceeds the limits.
    fn enter<R>(
        &self,
        at: &Cursor<'_, '_>,
        go_on: impl FnOnce() -> Result<R, WalkError>,
    ) -> Result<R, WalkError> {
        let stop = |why: String| {
            let path = at.path().to_field_path();
            Err(WalkError { path, reason: why })
        };
        if self.count().is_none() {
            let places = self.limits.max_nodes;
            return stop(format!(
                "the object has more than {places} places that may contain unions; make it smaller, or raise `Limits::max_nodes`"
            ));
        }
        self.descend(go_on).unwrap_or_else(|| {
            let depth = self.limits.effective_max_depth();
            stop(format!(
                "the object has more than {depth} levels here; make it flatter, or raise `Limits::max_depth`"
            ))
        })
    }

    /// Returns true if every union is settled, and no object with unions has an unknown field.
    /// Returns false if the object exceeds the limits.
    pub(crate) fn is_settled(&self, id: NodeId, value: &Value) -> bool {
        if self.count().is_none() {
            return false;
        }
        let shape = self.node(id);
        let is_settled = self.descend(|| match value {
            Value::Object(object) => self.object_is_settled(shape, object),
            Value::Array(elements) => shape
                .items
                .is_none_or(|items| elements.iter().all(|value| self.is_settled(items, value))),
            _ => true,
        });
        is_settled.unwrap_or(false)
    }

    fn object_is_settled(&self, shape: &CompiledNode, object: &Map<String, Value>) -> bool {
        if !shape.is_settled(object) {
            return false;
        }
        let mut fields = shape.fields.iter();
        let fields_are_settled = fields.all(|(name, id)| {
            object
                .get(&**name)
                .is_none_or(|value| self.is_settled(*id, value))
        });
        fields_are_settled
            && (shape.additional_properties.is_none()
                || object.iter().all(|(name, value)| {
                    shape
                        .undescribed_field_node(name)
                        .is_none_or(|id| self.is_settled(id, value))
                }))
    }

    /// Calls the visitor for every object with unions, together with the correlated old object.
    pub(crate) fn walk(
        &self,
        id: NodeId,
        new: &Value,
        old: Option<&'a Value>,
        at: &Cursor<'_, 'a>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), WalkError> {
        let shape = self.node(id);
        self.enter(at, || match new {
            Value::Object(new) => {
                self.walk_object(shape, new, old.and_then(Value::as_object), at, visitor)
            }
            Value::Array(new) => {
                let Some(items) = shape.items else {
                    return Ok(());
                };
                let elements = elements(old);
                let mut index = at.index(elements, &shape.keys);
                let list = at.list(elements);
                for (i, new) in new.iter().enumerate() {
                    let old = at.old_element(i, new, elements, &mut index);
                    at.element(i, old, list.as_ref(), |old, at| {
                        self.walk(items, new, old, at, visitor)
                    })?;
                }
                Ok(())
            }
            _ => Ok(()),
        })
    }

    fn walk_object(
        &self,
        shape: &CompiledNode,
        new: &Map<String, Value>,
        old: Option<&'a Map<String, Value>>,
        at: &Cursor<'_, 'a>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), WalkError> {
        if !shape.unions.is_empty() {
            let node = |object| ObjectNode { shape, object };
            let old = old.map(node);
            visitor.visit(&node(new), old.as_ref().map(|old| old as _), at);
        }
        let old_of = |name: &str| old.and_then(|old| old.get(name));
        for (name, id) in &shape.fields {
            if let Some(new) = new.get(&**name) {
                at.field(name, |at| self.walk(*id, new, old_of(name), at, visitor))?;
            }
        }
        if shape.additional_properties.is_some() {
            for (name, new) in new {
                if let Some(id) = shape.undescribed_field_node(name) {
                    let step = PathStep::Key(name);
                    at.step(step, |at| self.walk(id, new, old_of(name), at, visitor))?;
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
        at: &Cursor<'_, 'a>,
        visitor: &mut dyn VisitorMut,
    ) -> Result<(), WalkError> {
        let shape = self.node(id);
        self.enter(at, || match new {
            Value::Object(new) => {
                self.walk_object_mut(shape, new, old.and_then(Value::as_object), at, visitor)
            }
            Value::Array(new) => {
                let Some(items) = shape.items else {
                    return Ok(());
                };
                let elements = elements(old);
                let mut index = at.index(elements, &shape.keys);
                for (i, new) in new.iter_mut().enumerate() {
                    let old = at.old_element(i, new, elements, &mut index);
                    at.element(i, old, None, |old, at| {
                        self.walk_mut(items, new, old, at, visitor)
                    })?;
                }
                Ok(())
            }
            _ => Ok(()),
        })
    }

    fn walk_object_mut(
        &self,
        shape: &CompiledNode,
        new: &mut Map<String, Value>,
        old: Option<&'a Map<String, Value>>,
        at: &Cursor<'_, 'a>,
        visitor: &mut dyn VisitorMut,
    ) -> Result<(), WalkError> {
        if !shape.unions.is_empty() {
            let old = old.map(|object| ObjectNode { shape, object });
            let new = &mut *new;
            let mut pair = ObjectNodeMut { shape, new, old };
            visitor.visit(&mut pair, at);
        }
        let old_of = |name: &str| old.and_then(|old| old.get(name));
        for (name, id) in &shape.fields {
            if let Some(new) = new.get_mut(&**name) {
                at.field(name, |at| {
                    self.walk_mut(*id, new, old_of(name), at, visitor)
                })?;
            }
        }
        if shape.additional_properties.is_some() {
            for (name, new) in new {
                if let Some(id) = shape.undescribed_field_node(name) {
                    let step = PathStep::Key(name);
                    at.step(step, |at| self.walk_mut(id, new, old_of(name), at, visitor))?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the elements of a value that is a list.
fn elements(list: Option<&Value>) -> Option<&[Value]> {
    list.and_then(Value::as_array).map(Vec::as_slice)
}
