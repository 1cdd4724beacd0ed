//! The walk through a JSON object, together with the shapes of its schema and the old object.

use core::cell::Cell;

use serde_json::{Map, Value};

use crate::limits::Limits;
use crate::walk::object::{Object, ObjectPair};
use crate::walk::shape::{Shape, ShapeId};
use k8s_json_internals::rows::row;
use union_runtime::path::{FieldPath, Step};
use union_runtime::spec::Place;
use union_runtime::spec::{Visitor, VisitorMut};

/// The path and the reason of a walk that stopped because the object exceeds the limits.
#[derive(Clone, Debug)]
pub(crate) struct Stopped {
    pub(crate) path: FieldPath,
    pub(crate) why: String,
}

/// A walk through a single object.
pub(crate) struct Walk<'a> {
    shapes: &'a [Shape],
    limits: Limits,
    /// The number of places that the walk may still visit.
    places: Cell<usize>,
    depth: Cell<usize>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(shapes: &'a [Shape], limits: Limits) -> Self {
        Self {
            shapes,
            limits,
            places: Cell::new(limits.places),
            depth: Cell::new(limits.deepest()),
        }
    }

    fn shape(&self, id: ShapeId) -> &'a Shape {
        row(self.shapes, id)
    }

    /// Counts a visited place. Returns `None` if there are more places than the limit.
    fn count(&self) -> Option<()> {
        self.places.set(self.places.get().checked_sub(1)?);
        Some(())
    }

    /// Calls `go_on` one level deeper. Returns `None` if there are more levels than the limit.
    fn down<R>(&self, go_on: impl FnOnce() -> R) -> Option<R> {
        self.depth.set(self.depth.get().checked_sub(1)?);
        let result = go_on();
        self.depth.set(self.depth.get() + 1);
        Some(result)
    }

    /// Counts a visited place, and calls `go_on` one level deeper. Returns an error if the object
    /// exceeds the limits.
    fn enter<R>(
        &self,
        at: &Place<'_, '_>,
        go_on: impl FnOnce() -> Result<R, Stopped>,
    ) -> Result<R, Stopped> {
        let stop = |why: String| {
            let path = at.path().to_field_path();
            Err(Stopped { path, why })
        };
        if self.count().is_none() {
            let places = self.limits.places;
            return stop(format!(
                "the object has more than {places} places that may contain unions; make it smaller, or raise `Limits::places`"
            ));
        }
        self.down(go_on).unwrap_or_else(|| {
            let depth = self.limits.deepest();
            stop(format!(
                "the object has more than {depth} levels here; make it flatter, or raise `Limits::depth`"
            ))
        })
    }

    /// Returns true if every union is settled, and no object with unions has an unknown field.
    /// Returns false if the object exceeds the limits.
    pub(crate) fn is_settled(&self, id: ShapeId, value: &Value) -> bool {
        if self.count().is_none() {
            return false;
        }
        let shape = self.shape(id);
        let is_settled = self.down(|| match value {
            Value::Object(object) => self.object_is_settled(shape, object),
            Value::Array(elements) => shape
                .items
                .is_none_or(|items| elements.iter().all(|value| self.is_settled(items, value))),
            _ => true,
        });
        is_settled.unwrap_or(false)
    }

    fn object_is_settled(&self, shape: &Shape, object: &Map<String, Value>) -> bool {
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
            && (shape.values.is_none()
                || object.iter().all(|(name, value)| {
                    shape
                        .value_of(name)
                        .is_none_or(|id| self.is_settled(id, value))
                }))
    }

    /// Calls the visitor for every object with unions, together with the correlated old object.
    pub(crate) fn walk(
        &self,
        id: ShapeId,
        new: &Value,
        old: Option<&'a Value>,
        at: &Place<'_, 'a>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), Stopped> {
        let shape = self.shape(id);
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
        shape: &Shape,
        new: &Map<String, Value>,
        old: Option<&'a Map<String, Value>>,
        at: &Place<'_, 'a>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), Stopped> {
        if !shape.unions.is_empty() {
            let node = |object| Object { shape, object };
            let old = old.map(node);
            visitor.visit(&node(new), old.as_ref().map(|old| old as _), at);
        }
        let old_of = |name: &str| old.and_then(|old| old.get(name));
        for (name, id) in &shape.fields {
            if let Some(new) = new.get(&**name) {
                at.field(name, |at| self.walk(*id, new, old_of(name), at, visitor))?;
            }
        }
        if shape.values.is_some() {
            for (name, new) in new {
                if let Some(id) = shape.value_of(name) {
                    let step = Step::Key(name);
                    at.step(step, |at| self.walk(id, new, old_of(name), at, visitor))?;
                }
            }
        }
        Ok(())
    }

    /// Calls the visitor like [`walk`](Self::walk), but allows the visitor to change the objects.
    pub(crate) fn walk_mut(
        &self,
        id: ShapeId,
        new: &mut Value,
        old: Option<&'a Value>,
        at: &Place<'_, 'a>,
        visitor: &mut dyn VisitorMut,
    ) -> Result<(), Stopped> {
        let shape = self.shape(id);
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
        shape: &Shape,
        new: &mut Map<String, Value>,
        old: Option<&'a Map<String, Value>>,
        at: &Place<'_, 'a>,
        visitor: &mut dyn VisitorMut,
    ) -> Result<(), Stopped> {
        if !shape.unions.is_empty() {
            let old = old.map(|object| Object { shape, object });
            let new = &mut *new;
            let mut pair = ObjectPair { shape, new, old };
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
        if shape.values.is_some() {
            for (name, new) in new {
                if let Some(id) = shape.value_of(name) {
                    let step = Step::Key(name);
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
