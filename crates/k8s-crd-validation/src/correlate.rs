//! Which old value a new one is compared with, and whether the two are equal (spec `ratcheting.md` 3).

use core::cell::{Cell, RefCell};
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::schema::{Node, NodeId, StructuralSchema};
use k8s_json_internals::equality::same;
use k8s_json_internals::key::scalar;
use k8s_json_internals::keyed::{Index, Indexes, Keys, Tuple};

/// The names of the keys of a list's elements.
#[derive(Clone, Copy)]
pub(crate) struct ListKeys<'s>(pub(crate) &'s [Box<str>]);

impl Keys<Value> for ListKeys<'_> {
    fn are_any(&self) -> bool {
        !self.0.is_empty()
    }

    fn tuple<'e>(&'e self, element: &'e Value) -> Option<Tuple<'e>> {
        let element = element.as_object()?;
        let is_one = self.0.len() == 1;
        Tuple::of(self.0, |key| scalar(element.get(&**key)?, is_one))
    }
}

/// The old value of a new one. It is looked up where an error asks for it, so that what is valid is not looked at.
pub(crate) struct Before<'p> {
    place: Place<'p>,
    /// Whether something in the new value is known to have changed.
    is_changed: Cell<bool>,
}

enum Place<'p> {
    Root(&'p Value),
    Child(&'p Before<'p>, &'p str),
    /// An element of a list of type map, and what finds its position in the old list.
    Element(
        &'p Before<'p>,
        &'p Value,
        &'p dyn Fn(&Value) -> Option<usize>,
    ),
}

impl<'p> Before<'p> {
    const fn at(place: Place<'p>) -> Self {
        Self {
            place,
            is_changed: Cell::new(false),
        }
    }

    pub(crate) const fn root(old: &'p Value) -> Self {
        Self::at(Place::Root(old))
    }

    /// The old value under a key that the schema describes.
    pub(crate) const fn child(&'p self, key: &'p str) -> Self {
        Self::at(Place::Child(self, key))
    }

    pub(crate) const fn element(
        &'p self,
        new: &'p Value,
        find: &'p dyn Fn(&Value) -> Option<usize>,
    ) -> Self {
        Self::at(Place::Element(self, new, find))
    }

    pub(crate) fn get(&self) -> Option<&'p Value> {
        match self.place {
            Place::Root(old) => Some(old),
            Place::Child(parent, key) => parent.get()?.as_object()?.get(key),
            Place::Element(parent, new, find) => parent.get()?.as_array()?.get(find(new)?),
        }
    }

    /// The value has changed, and so has what it is in.
    fn set_changed(&self) {
        self.is_changed.set(true);
        if let Place::Child(parent, _) | Place::Element(parent, ..) = self.place {
            parent.is_changed.set(true);
        }
    }
}

/// The old value of a child of an object: both have the key, and the schema describes it.
pub(crate) fn old_child<'v>(node: &Node, old: Option<&'v Value>, key: &str) -> Option<&'v Value> {
    node.child(key)?;
    old?.as_object()?.get(key)
}

/// The old elements that new ones are correlated with: those of a list of type map.
pub(crate) fn old_elements<'v>(node: &Node, old: Option<&'v Value>) -> Option<&'v [Value]> {
    if node.list_keys().is_empty() {
        return None;
    }
    old?.as_array().map(Vec::as_slice)
}

/// Whether new values equal the old ones that they are correlated with, found once for each in a request.
#[derive(Default)]
pub(crate) struct Equality {
    known: RefCell<HashMap<*const Value, bool>>,
    indexes: Indexes,
    /// Plain deep equality, as the text of KEP-4008 says.
    is_strict: bool,
}

impl Equality {
    pub(crate) fn new(is_strict: bool) -> Self {
        Self {
            known: RefCell::default(),
            indexes: Indexes::default(),
            is_strict,
        }
    }

    /// The old elements of a list, read once for all that ask.
    pub(crate) fn index<'a>(
        &'a self,
        old: Option<&'a [Value]>,
        keys: &'a ListKeys<'a>,
    ) -> Index<'a, Value, ListKeys<'a>> {
        Index::among(old, keys, &self.indexes)
    }

    /// Whether a value equals the old one, if there is one.
    pub(crate) fn is_unchanged(
        &self,
        schema: &StructuralSchema,
        id: NodeId,
        new: &Value,
        before: &Before<'_>,
    ) -> bool {
        // Where one value is not equal, neither is what it is in. Deep equality correlates lists in another way.
        if before.is_changed.get() && !self.is_strict {
            before.set_changed();
            return false;
        }
        let Some(old) = before.get() else {
            return false;
        };
        let is_equal = self.is_equal(schema, id, new, old);
        if !is_equal {
            before.set_changed();
        }
        is_equal
    }

    /// Whether a value equals the one that it is correlated with. A value is asked about with one old value only.
    pub(crate) fn is_equal(
        &self,
        schema: &StructuralSchema,
        id: NodeId,
        new: &Value,
        old: &Value,
    ) -> bool {
        if self.is_strict {
            return same(new, old);
        }
        match (new, old) {
            (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => {}
            (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => {
                return false;
            }
            (new, old) => return same(new, old),
        }
        let key = core::ptr::from_ref(new);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let node = schema.node(id);
        let is_equal = match (new, old) {
            (Value::Array(elements), Value::Array(was)) => {
                self.lists_are_equal(schema, node, elements, was)
            }
            (Value::Object(object), Value::Object(was)) => {
                self.objects_are_equal(schema, node, object, was)
            }
            _ => false,
        };
        self.known.borrow_mut().insert(key, is_equal);
        is_equal
    }

    fn lists_are_equal(
        &self,
        schema: &StructuralSchema,
        node: &Node,
        new: &[Value],
        old: &[Value],
    ) -> bool {
        if new.len() != old.len() {
            return false;
        }
        let keys = ListKeys(node.list_keys());
        let (false, Some(items)) = (keys.0.is_empty(), node.items) else {
            return new.iter().zip(old).all(|(new, old)| same(new, old));
        };
        let mut index = self.index(Some(old), &keys);
        new.iter().all(|new| {
            let old = index.find(new);
            old.is_some_and(|(_, old)| self.is_equal(schema, items, new, old))
        })
    }

    fn objects_are_equal(
        &self,
        schema: &StructuralSchema,
        node: &Node,
        new: &Map<String, Value>,
        old: &Map<String, Value>,
    ) -> bool {
        new.len() == old.len()
            && new
                .iter()
                .all(|(key, new)| match (node.child(key), old.get(key)) {
                    (Some(child), Some(old)) => self.is_equal(schema, child, new, old),
                    _ => false,
                })
    }
}
