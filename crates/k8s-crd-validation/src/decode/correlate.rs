//! The correlation of a new value with its old value, which is looked up if there is an error
//! (`docs/ratcheting.md`, "Correlation").
//!
//! `union_runtime::comparator` decides equality and correlates lists. This crate walks both objects
//! itself during validation. The alternative is to collect all errors and pass them to
//! `Comparison::split`, which takes 1.4 times the instructions if each of 1,000 elements has an old
//! error. `tests/comparator` compares this walk with `split`.

use core::cell::{Cell, OnceCell};

use serde_json::Value;
use union_runtime::comparator::{Equality, SchemaNode};

use crate::schema::{Node, NodeId, StructuralSchema};
use k8s_json_internals::equality::same;

/// An old object. Decoding by the current schema may change it, which only a walk can find out.
pub(crate) trait Past {
    /// Returns the decoded object.
    fn whole(&self) -> &Value;

    /// Returns the stored object if it is not decoded yet.
    fn unread(&self) -> Option<&Value>;

    /// Returns true if neither pruning nor defaulting changes this value.
    fn is_as_stored(&self, node: &Node, value: &Value) -> bool;
}

/// An old object that decoding does not change.
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

/// The old value of a new value. It is looked up only if there is an error, so a valid value costs
/// nothing.
pub(crate) struct Before<'p, 'v> {
    place: Place<'p, 'v>,
    equality: &'p Equality<'v>,
    /// The schema of both values.
    node: &'p Node,
    /// True if some part of the new value is known to have changed.
    is_changed: Cell<bool>,
    /// The old value, once it is looked up.
    found: OnceCell<Option<&'v Value>>,
}

enum Place<'p, 'v> {
    Root(&'v dyn Past),
    Child(&'p Before<'p, 'v>, &'p str),
    /// An element of a list of type map, and the function that returns its position in the old
    /// list.
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

    /// Returns the old object, with the equality that compares its values.
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

    /// Returns the old value under a key that the schema describes.
    #[inline]
    pub(crate) const fn child(&'p self, key: &'p str, node: &'p Node) -> Self {
        Self::at(Place::Child(self, key), self.equality, node)
    }

    /// Returns the old value of a list element. `find` returns the position in the old list.
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
            // The value alone decides whether decoding changes it.
            let is_seen = |past: &dyn Past, stored: Option<&Value>| {
                stored.is_none_or(|stored| past.is_as_stored(self.node, stored))
            };
            match alone {
                Some((past, stored)) if is_seen(past, stored) => stored,
                _ => self.read(),
            }
        })
    }

    /// Returns true if a value around this value is already looked up.
    fn is_in_what_is_read(&self) -> bool {
        match self.place {
            Place::Root(_) => false,
            Place::Child(parent, _) | Place::Element(parent, ..) => {
                parent.found.get().is_some() || parent.is_in_what_is_read()
            }
        }
    }

    /// Returns the stored value in an object that is not decoded yet, or `None` if decoding would
    /// replace it by a default.
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

    /// Marks the value, and the value around it, as changed.
    fn set_changed(&self) {
        self.is_changed.set(true);
        if let Place::Child(parent, _) | Place::Element(parent, ..) = self.place {
            parent.is_changed.set(true);
        }
    }
}

/// Returns true if a value equals its old value.
pub(crate) fn is_unchanged<'v>(
    schema: SchemaAt<'_>,
    new: &'v Value,
    before: &Before<'_, 'v>,
) -> bool {
    let equality = before.equality;
    // A value that contains a changed value has changed too. Deep equality correlates lists
    // differently.
    if before.is_changed.get() && !equality.is_deep() {
        before.set_changed();
        return false;
    }
    let Some(old) = before.get() else {
        // The value around this value has a new entry.
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

/// Returns true for a short list of scalars that is compared as a whole. To compare it again is
/// faster than to cache the result.
fn is_short(node: &Node, value: &Value) -> bool {
    const FEW: usize = 8;
    let is_scalar = |value: &Value| !value.is_array() && !value.is_object();
    let elements = value.as_array().filter(|_| node.list_keys().is_empty());
    elements.is_some_and(|elements| elements.len() <= FEW && elements.iter().all(is_scalar))
}

/// A position in the compiled schema, for [`comparator`](union_runtime::comparator).
#[derive(Clone, Copy, Debug)]
pub struct SchemaAt<'s> {
    schema: &'s StructuralSchema,
    node: &'s Node,
}

impl StructuralSchema {
    /// Returns the schema of whole objects, for
    /// [`Comparison`](union_runtime::comparator::Comparison).
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
