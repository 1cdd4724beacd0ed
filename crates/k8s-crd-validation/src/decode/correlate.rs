//! The old value of a new one, looked up where an error asks for it (`docs/ratcheting.md`,
//! "Correlation").
//!
//! `union_runtime::comparator` decides equality and correlates lists. This crate walks down both
//! objects itself, since it validates on the way: to collect all errors and to pass them to
//! `Comparison::split` takes 1.4 times the instructions, where each of 1,000 elements has an old
//! error. `tests/comparator` holds this walk against `split`.

use core::cell::{Cell, OnceCell};

use serde_json::Value;
use union_runtime::comparator::{Equality, SchemaNode};

use crate::schema::{Node, NodeId, StructuralSchema};
use k8s_json_internals::equality::same;

/// An old object. As a server sees it it may be another one than what is stored, and to find that out takes a walk.
pub(crate) trait Past {
    /// The object as a server sees it.
    fn whole(&self) -> &Value;

    /// What is stored, if nothing is known of it yet.
    fn unread(&self) -> Option<&Value>;

    /// Whether a value in fields of it, of fields of it, is seen as it is stored.
    fn is_as_stored(&self, node: &Node, value: &Value) -> bool;
}

/// An old object that is seen as it is.
impl Past for Value {
    fn whole(&self) -> &Value {
        self
    }

    fn unread(&self) -> Option<&Value> {
        None
    }

    fn is_as_stored(&self, _: &Node, _: &Value) -> bool {
        true
    }
}

/// The old value of a new one. It is looked up where an error asks for it, so that what is valid is not looked at.
pub(crate) struct Before<'p, 'v> {
    place: Place<'p, 'v>,
    equality: &'p Equality<'v>,
    /// The schema of both.
    node: &'p Node,
    /// Whether something in the new value is known to have changed.
    is_changed: Cell<bool>,
    /// What it is, once that was asked.
    found: OnceCell<Option<&'v Value>>,
}

enum Place<'p, 'v> {
    Root(&'v dyn Past),
    Child(&'p Before<'p, 'v>, &'p str),
    /// An element of a list of type map, and what finds its position in the old list.
    Element(
        &'p Before<'p, 'v>,
        &'p Value,
        &'p dyn Fn(&Value) -> Option<usize>,
    ),
}

impl<'p, 'v> Before<'p, 'v> {
    #[inline]
    const fn at(place: Place<'p, 'v>, equality: &'p Equality<'v>, node: &'p Node) -> Self {
        Self {
            place,
            equality,
            node,
            is_changed: Cell::new(false),
            found: OnceCell::new(),
        }
    }

    /// Returns the old object, as `equality` compares it.
    pub(crate) const fn root(
        old: &'v dyn Past,
        equality: &'p Equality<'v>,
        node: &'p Node,
    ) -> Self {
        Self::at(Place::Root(old), equality, node)
    }

    pub(crate) const fn equality(&self) -> &'p Equality<'v> {
        self.equality
    }

    /// The old value under a key that the schema describes.
    #[inline]
    pub(crate) const fn child(&'p self, key: &'p str, node: &'p Node) -> Self {
        Self::at(Place::Child(self, key), self.equality, node)
    }

    /// `find` asks for the old list itself.
    pub(crate) const fn element(
        &'p self,
        new: &'p Value,
        find: &'p dyn Fn(&Value) -> Option<usize>,
        node: &'p Node,
    ) -> Self {
        Self::at(Place::Element(self, new, find), self.equality, node)
    }

    pub(crate) fn get(&self) -> Option<&'v Value> {
        *self.found.get_or_init(|| {
            let alone = if self.is_in_what_is_read() {
                None
            } else {
                self.stored()
            };
            // No more than the value has to be looked at to know what a server sees in its place.
            let is_seen = |past: &dyn Past, stored: Option<&Value>| {
                stored.is_none_or(|stored| past.is_as_stored(self.node, stored))
            };
            match alone {
                Some((past, stored)) if is_seen(past, stored) => stored,
                _ => self.read(),
            }
        })
    }

    /// Whether it is in a value that is known.
    fn is_in_what_is_read(&self) -> bool {
        match self.place {
            Place::Root(_) => false,
            Place::Child(parent, _) | Place::Element(parent, ..) => {
                parent.found.get().is_some() || parent.is_in_what_is_read()
            }
        }
    }

    /// What is stored in its place, in an object of which nothing is known yet; nothing, if that is not what a server sees.
    fn stored(&self) -> Option<(&'v dyn Past, Option<&'v Value>)> {
        match self.place {
            Place::Root(past) => Some((past, Some(past.unread()?))),
            Place::Child(parent, key) => {
                let (past, within) = parent.stored()?;
                let stored = match within {
                    Some(within) => within.as_object()?.get(key),
                    None => None,
                };
                let is_filled_in = match stored {
                    None => self.node.default.is_some(),
                    Some(stored) => stored.is_null(),
                };
                (!is_filled_in).then_some((past, stored))
            }
            Place::Element(..) => None,
        }
    }

    fn read(&self) -> Option<&'v Value> {
        if let Some(found) = self.found.get() {
            return *found;
        }
        match self.place {
            Place::Root(past) => Some(past.whole()),
            Place::Child(parent, key) => parent.read()?.as_object()?.get(key),
            Place::Element(parent, new, find) => {
                let position = find(new)?;
                parent.read()?.as_array()?.get(position)
            }
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
pub(crate) fn is_unchanged<'v>(
    schema: SchemaAt<'_>,
    new: &'v Value,
    before: &Before<'_, 'v>,
) -> bool {
    let equality = before.equality;
    // Where one value is not equal, neither is what it is in. Deep equality correlates lists in another way.
    if before.is_changed.get() && !equality.is_deep() {
        before.set_changed();
        return false;
    }
    let Some(old) = before.get() else {
        // What it is in has more than it had.
        before.set_changed();
        return false;
    };
    let is_equal = if is_short(schema.node, new) {
        same(new, old)
    } else {
        equality.is_equal(schema, new, old)
    };
    if !is_equal {
        before.set_changed();
    }
    is_equal
}

/// Whether a value is a list that is compared as a whole, and sooner than it would be kept in mind that it was.
fn is_short(node: &Node, value: &Value) -> bool {
    const FEW: usize = 8;
    let is_scalar = |value: &Value| !value.is_array() && !value.is_object();
    let elements = value.as_array().filter(|_| node.list_keys().is_empty());
    elements.is_some_and(|elements| elements.len() <= FEW && elements.iter().all(is_scalar))
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
    fn child(self, name: &str) -> Option<Self> {
        self.node.child(name).map(|id| self.schema.at(id))
    }

    fn items(self) -> Option<Self> {
        self.node.items.map(|id| self.schema.at(id))
    }

    fn list_keys(self) -> impl Iterator<Item = &'s str> + Clone {
        self.node.list_keys().iter().map(|key| &**key)
    }
}
