//! The correlation of a new value with its old value (`docs/ratcheting.md`, "Correlation").
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

/// An old object. Decoding by the current schema may change the object; only a walk shows if it
/// does.
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

/// The old value of a new value. The old value is looked up only if there is an error, so a valid
/// value costs nothing.
pub(crate) struct OldValue<'p, 'v> {
    origin: OldValueOrigin<'p, 'v>,
    equality: &'p Equality<'v>,
    /// The schema of both values.
    node: &'p Node,
    /// True if some part of the new value is known to have changed.
    is_changed: Cell<bool>,
    /// The old value, once it is looked up. `None` if the new value has no old value.
    value: OnceCell<Option<&'v Value>>,
}

/// The position of an old value: the old object, or a step from the old value around this value.
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
        origin: OldValueOrigin<'p, 'v>,
        equality: &'p Equality<'v>,
        node: &'p Node,
    ) -> Self {
        Self {
            origin,
            equality,
            node,
            is_changed: Cell::new(false),
            value: OnceCell::new(),
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
        *self.value.get_or_init(|| {
            let object_and_value = if self.has_resolved_ancestor() {
                None
            } else {
                self.find_stored()
            };
            // `find_stored` returns no values in lists, so decoding this value alone is enough: the
            // result depends only on the value and its schema.
            let is_unchanged = |old_object: &dyn OldObject, stored_value: Option<&Value>| {
                stored_value.is_none_or(|stored_value| {
                    old_object.is_unchanged_by_decoding(self.node, stored_value)
                })
            };
            match object_and_value {
                Some((old_object, stored_value)) if is_unchanged(old_object, stored_value) => {
                    stored_value
                }
                _ => self.find_decoded(),
            }
        })
    }

    /// Returns true if a value around this value is already looked up.
    fn has_resolved_ancestor(&self) -> bool {
        match self.origin {
            OldValueOrigin::Root(_) => false,
            OldValueOrigin::Child(parent, _) | OldValueOrigin::Element(parent, ..) => {
                parent.value.get().is_some() || parent.has_resolved_ancestor()
            }
        }
    }

    /// Returns the stored object and the stored value in it. Returns `None` if the object is
    /// already decoded, or if decoding would replace the value by a default.
    fn find_stored(&self) -> Option<(&'v dyn OldObject, Option<&'v Value>)> {
        match self.origin {
            OldValueOrigin::Root(old_object) => {
                Some((old_object, Some(old_object.stored_if_undecoded()?)))
            }
            OldValueOrigin::Child(parent, key) => {
                let (old_object, parent_value) = parent.find_stored()?;
                let stored = match parent_value {
                    Some(parent_value) => parent_value.as_object()?.get(key),
                    None => None,
                };
                let is_replaced_by_default = match stored {
                    None => self.node.default.is_some(),
                    Some(stored) => stored.is_null(),
                };
                (!is_replaced_by_default).then_some((old_object, stored))
            }
            OldValueOrigin::Element(..) => None,
        }
    }

    /// Returns the value in the decoded object.
    fn find_decoded(&self) -> Option<&'v Value> {
        if let Some(old_value) = self.value.get() {
            return *old_value;
        }
        match self.origin {
            OldValueOrigin::Root(old_object) => Some(old_object.decoded()),
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
    old_value: &OldValue<'_, 'v>,
) -> bool {
    let equality = old_value.equality;
    // A value that contains a changed value has changed too. This shortcut does not hold for deep
    // equality, which correlates list elements in another way.
    if old_value.is_changed.get() && !equality.is_deep() {
        old_value.set_changed();
        return false;
    }
    let Some(old) = old_value.get() else {
        // Without an old value, this value is a new entry of the value around it.
        old_value.set_changed();
        return false;
    };
    let is_equal = if is_short_list(schema.node, new) {
        deep_equal(new, old)
    } else {
        equality.is_equal(schema, new, old)
    };
    if !is_equal {
        old_value.set_changed();
    }
    is_equal
}

/// Returns true for a short list of scalars without keys. To compare such a list again is faster
/// than to look up the result in the cache of [`Equality`]. The exact limit affects only the speed.
fn is_short_list(node: &Node, value: &Value) -> bool {
    const MAX_LENGTH: usize = 8;
    let is_scalar = |value: &Value| !value.is_array() && !value.is_object();
    let elements = value.as_array().filter(|_| node.list_keys().is_empty());
    elements.is_some_and(|elements| elements.len() <= MAX_LENGTH && elements.iter().all(is_scalar))
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
