//! The correlation of a new value with its old value, which is looked up if there is an error
//! (`docs/ratcheting.md`, "Correlation").
//!
//! `union_runtime::comparator` decides equality and correlates lists. This crate walks both objects
//! itself during validation. The alternative is to collect all errors and pass them to
//! `Comparison::split`, which takes 1.4 times the instructions if each of 1,000 elements has an old
//! error. `tests/comparator` compares this walk with `split`.

use core::cell::{Cell, OnceCell};

use serde_json::Value;
use union_runtime::comparator::{CorrelationSchema, Equality};

use crate::schema::{Node, NodeId, StructuralSchema};
use k8s_json_internals::equality::deep_equal;

/// An old object. Decoding by the current schema may change it, which only a walk can find out.
pub(crate) trait OldObject {
    /// Returns the decoded object.
    fn decoded(&self) -> &Value;

    /// Returns the stored object if it is not decoded yet.
    fn stored_if_undecoded(&self) -> Option<&Value>;

    /// Returns true if neither pruning nor defaulting changes this value.
    fn is_unchanged_by_decoding(&self, node: &Node, value: &Value) -> bool;
}

/// An old object that decoding does not change.
impl OldObject for Value {
    fn decoded(&self) -> &Value {
        self
    }

    fn stored_if_undecoded(&self) -> Option<&Value> {
        None
    }

    fn is_unchanged_by_decoding(&self, _: &Node, _: &Value) -> bool {
        true
    }
}

/// The old value of a new value. It is looked up only if there is an error, so a valid value costs
/// nothing.
pub(crate) struct OldValue<'p, 'v> {
    origin: OldValueOrigin<'p, 'v>,
    equality: &'p Equality<'v>,
    /// The schema of both values.
    node: &'p Node,
    /// True if some part of the new value is known to have changed.
    is_changed: Cell<bool>,
    /// The old value, once it is looked up.
    found: OnceCell<Option<&'v Value>>,
}

enum OldValueOrigin<'p, 'v> {
    Root(&'v dyn OldObject),
    Child(&'p OldValue<'p, 'v>, &'p str),
    /// An element of a list of type map, and the function that returns its position in the old
    /// list.
    Element(
        &'p OldValue<'p, 'v>,
        &'p Value,
        &'p dyn Fn(&Value) -> Option<usize>,
    ),
}

impl<'p, 'v> OldValue<'p, 'v> {
    #[inline]
    const fn new(
        place: OldValueOrigin<'p, 'v>,
        equality: &'p Equality<'v>,
        node: &'p Node,
    ) -> Self {
        Self {
            origin: place,
            equality,
            node,
            is_changed: Cell::new(false),
            found: OnceCell::new(),
        }
    }

    /// Returns the old object, with the equality that compares its values.
    pub(crate) const fn root(
        old: &'v dyn OldObject,
        equality: &'p Equality<'v>,
        node: &'p Node,
    ) -> Self {
        Self::new(OldValueOrigin::Root(old), equality, node)
    }

    pub(crate) const fn equality(&self) -> &'p Equality<'v> {
        self.equality
    }

    /// Returns the old value under a key that the schema describes.
    #[inline]
    pub(crate) const fn child(&'p self, key: &'p str, node: &'p Node) -> Self {
        Self::new(OldValueOrigin::Child(self, key), self.equality, node)
    }

    /// Returns the old value of a list element. `find` returns the position in the old list.
    pub(crate) const fn element(
        &'p self,
        new: &'p Value,
        find: &'p dyn Fn(&Value) -> Option<usize>,
        node: &'p Node,
    ) -> Self {
        Self::new(
            OldValueOrigin::Element(self, new, find),
            self.equality,
            node,
        )
    }

    pub(crate) fn get(&self) -> Option<&'v Value> {
        *self.found.get_or_init(|| {
            let alone = if self.has_resolved_ancestor() {
                None
            } else {
                self.find_stored()
            };
            // The value alone decides whether decoding changes it.
            let is_seen = |past: &dyn OldObject, stored: Option<&Value>| {
                stored.is_none_or(|stored| past.is_unchanged_by_decoding(self.node, stored))
            };
            match alone {
                Some((past, stored)) if is_seen(past, stored) => stored,
                _ => self.find_decoded(),
            }
        })
    }

    /// Returns true if a value around this value is already looked up.
    fn has_resolved_ancestor(&self) -> bool {
        match self.origin {
            OldValueOrigin::Root(_) => false,
            OldValueOrigin::Child(parent, _) | OldValueOrigin::Element(parent, ..) => {
                parent.found.get().is_some() || parent.has_resolved_ancestor()
            }
        }
    }

    /// Returns the stored value in an object that is not decoded yet, or `None` if decoding would
    /// replace it by a default.
    fn find_stored(&self) -> Option<(&'v dyn OldObject, Option<&'v Value>)> {
        match self.origin {
            OldValueOrigin::Root(past) => Some((past, Some(past.stored_if_undecoded()?))),
            OldValueOrigin::Child(parent, key) => {
                let (past, within) = parent.find_stored()?;
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
            OldValueOrigin::Element(..) => None,
        }
    }

    fn find_decoded(&self) -> Option<&'v Value> {
        if let Some(found) = self.found.get() {
            return *found;
        }
        match self.origin {
            OldValueOrigin::Root(past) => Some(past.decoded()),
            OldValueOrigin::Child(parent, key) => parent.find_decoded()?.as_object()?.get(key),
            OldValueOrigin::Element(parent, new, find) => {
                let position = find(new)?;
                parent.find_decoded()?.as_array()?.get(position)
            }
        }
    }

    /// Marks the value, and the value around it, as changed.
    fn set_changed(&self) {
        self.is_changed.set(true);
        if let OldValueOrigin::Child(parent, _) | OldValueOrigin::Element(parent, ..) = self.origin
        {
            parent.is_changed.set(true);
        }
    }
}

/// Returns true if a value equals its old value.
pub(crate) fn is_unchanged<'v>(
    schema: ComparatorSchema<'_>,
    new: &'v Value,
    before: &OldValue<'_, 'v>,
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
        deep_equal(new, old)
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
pub struct ComparatorSchema<'s> {
    schema: &'s StructuralSchema,
    node: &'s Node,
}

impl StructuralSchema {
    /// Returns the schema of whole objects, for
    /// [`Comparison`](union_runtime::comparator::Comparison).
    #[must_use]
    pub fn root(&self) -> ComparatorSchema<'_> {
        self.comparator_schema(Self::ROOT)
    }

    pub(crate) fn comparator_schema(&self, id: NodeId) -> ComparatorSchema<'_> {
        ComparatorSchema::new(self, self.node(id))
    }
}

impl<'s> ComparatorSchema<'s> {
    pub(crate) const fn new(schema: &'s StructuralSchema, node: &'s Node) -> Self {
        Self { schema, node }
    }
}

impl<'s> CorrelationSchema<'s> for ComparatorSchema<'s> {
    fn child(self, name: &str) -> Option<Self> {
        self.node
            .child(name)
            .map(|id| self.schema.comparator_schema(id))
    }

    fn items(self) -> Option<Self> {
        self.node.items.map(|id| self.schema.comparator_schema(id))
    }

    fn list_keys(self) -> impl Iterator<Item = &'s str> + Clone {
        self.node.list_keys().iter().map(|key| &**key)
    }
}
