//! The old value of a new one, looked up where an error asks for it (spec `ratcheting.md` 3).

use core::cell::Cell;

use serde_json::Value;
use union_runtime::comparator::{Equality, SchemaNode};

use crate::schema::{Node, NodeId, StructuralSchema};

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

/// Whether a value equals the old one, if there is one.
pub(crate) fn is_unchanged(
    equality: &Equality,
    schema: SchemaAt<'_>,
    new: &Value,
    before: &Before<'_>,
) -> bool {
    // Where one value is not equal, neither is what it is in. Deep equality correlates lists in another way.
    if before.is_changed.get() && !equality.is_deep() {
        before.set_changed();
        return false;
    }
    let Some(old) = before.get() else {
        return false;
    };
    let is_equal = equality.is_equal(schema, new, old);
    if !is_equal {
        before.set_changed();
    }
    is_equal
}

/// A schema of the tables, for the comparator.
#[derive(Clone, Copy, Debug)]
pub struct SchemaAt<'s> {
    schema: &'s StructuralSchema,
    node: &'s Node,
}

impl StructuralSchema {
    /// The schema of whole objects, for [`Comparison`](union_runtime::comparator::Comparison).
    #[must_use]
    pub fn root(&self) -> SchemaAt<'_> {
        self.at(Self::ROOT)
    }

    pub(crate) fn at(&self, id: NodeId) -> SchemaAt<'_> {
        SchemaAt::new(self, self.node(id))
    }
}

impl<'s> SchemaAt<'s> {
    pub(crate) const fn new(schema: &'s StructuralSchema, node: &'s Node) -> Self {
        Self { schema, node }
    }
}

impl<'s> SchemaNode<'s> for SchemaAt<'s> {
    fn property(self, name: &str) -> Option<Self> {
        self.node.property(name).map(|id| self.schema.at(id))
    }

    fn values(self) -> Option<Self> {
        self.node.values_schema().map(|id| self.schema.at(id))
    }

    fn items(self) -> Option<Self> {
        self.node.items.map(|id| self.schema.at(id))
    }

    fn list_key(self, position: usize) -> Option<&'s str> {
        self.node.list_keys().get(position).map(|key| &**key)
    }
}
