//! Whether a new value equals the old one that it is correlated with.

use core::cell::RefCell;
use std::collections::HashMap;

use k8s_json_internals::equality::same;
use k8s_json_internals::key::scalar;
use k8s_json_internals::keyed::{Index, Indexes, Keys, Tuple};
use serde_json::{Map, Value};

use super::schema::SchemaNode;

/// So many levels of a schema are followed; every level takes stack. No schema of an API server is deeper, and what is below
/// counts as not described.
const LEVELS: usize = 512;

/// Whether new values equal the old ones that they are correlated with, found once for each in a request.
///
/// For validators that walk new and old themselves; [`Comparison`](super::Comparison) walks for you.
#[derive(Debug, Default)]
pub struct Equality {
    known: RefCell<HashMap<*const Value, bool>>,
    indexes: Indexes,
    is_deep: bool,
}

/// The old elements of a list, found by the keys of new ones: those of a list of type map; for other lists there are none.
pub struct OldElements<'a, S> {
    index: Index<'a, Value, ListKeys<S>>,
}

/// The keys of the elements of a list.
#[derive(Clone, Copy)]
struct ListKeys<S>(S);

impl<'s, S: SchemaNode<'s>> Keys<Value> for ListKeys<S> {
    fn are_any(&self) -> bool {
        self.0.list_key(0).is_some()
    }

    fn tuple<'e>(&'e self, element: &'e Value) -> Option<Tuple<'e>> {
        let element = element.as_object()?;
        let first = element.get(self.0.list_key(0)?)?;
        if self.0.list_key(1).is_none() {
            return scalar(first, true).map(Tuple::One);
        }
        let names = (0..).map_while(|position| self.0.list_key(position));
        let keys = names.map(|name| scalar(element.get(name)?, false));
        keys.collect::<Option<_>>().map(Tuple::Many)
    }
}

impl Equality {
    /// Equality as an API server has it: integers and floats are different, elements of lists of type map are compared by
    /// their keys, and an object with a key that the schema does not describe equals no other.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Deep equality, as the text of KEP-4008 has it.
    #[must_use]
    pub fn deep() -> Self {
        Self {
            is_deep: true,
            ..Self::default()
        }
    }

    /// Whether it is deep equality.
    #[must_use]
    pub const fn is_deep(&self) -> bool {
        self.is_deep
    }

    /// The elements of an old value, if it is a list of type map, by its schema. What is made of them is kept for all that ask.
    pub fn old_elements<'a, 's, S: SchemaNode<'s>>(
        &'a self,
        schema: S,
        old: Option<&'a Value>,
    ) -> OldElements<'a, S> {
        let old = old.and_then(Value::as_array).map(Vec::as_slice);
        OldElements {
            index: Index::among(old, ListKeys(schema), &self.indexes),
        }
    }

    /// Whether a value equals the one that it is correlated with, `schema` being theirs. A value is asked about with one old
    /// value only: the answer is kept.
    pub fn is_equal<'s, S: SchemaNode<'s>>(&self, schema: S, new: &Value, old: &Value) -> bool {
        if self.is_deep {
            return same(new, old);
        }
        self.is_equal_to(Some(schema), new, old, LEVELS)
    }

    fn is_equal_to<'s, S: SchemaNode<'s>>(
        &self,
        schema: Option<S>,
        new: &Value,
        old: &Value,
        levels: usize,
    ) -> bool {
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
        let Some((schema, levels)) = schema.zip(levels.checked_sub(1)) else {
            return false;
        };
        let is_equal = match (new, old) {
            (Value::Array(elements), Value::Array(was)) => {
                self.lists_are_equal(schema, elements, (old, was), levels)
            }
            (Value::Object(object), Value::Object(was)) => {
                self.objects_are_equal(schema, object, was, levels)
            }
            _ => false,
        };
        self.known.borrow_mut().insert(key, is_equal);
        is_equal
    }

    fn lists_are_equal<'s, S: SchemaNode<'s>>(
        &self,
        schema: S,
        new: &[Value],
        (old, elements): (&Value, &[Value]),
        levels: usize,
    ) -> bool {
        if new.len() != elements.len() {
            return false;
        }
        let (Some(_), Some(items)) = (schema.list_key(0), schema.items()) else {
            return new.iter().zip(elements).all(|(new, old)| same(new, old));
        };
        let mut index = self.old_elements(schema, Some(old));
        new.iter().all(|new| {
            let old = index.find(new);
            old.is_some_and(|(_, old)| self.is_equal_to(Some(items), new, old, levels))
        })
    }

    fn objects_are_equal<'s, S: SchemaNode<'s>>(
        &self,
        schema: S,
        new: &Map<String, Value>,
        old: &Map<String, Value>,
        levels: usize,
    ) -> bool {
        new.len() == old.len()
            && new
                .iter()
                .all(|(key, new)| match (schema.child(key), old.get(key)) {
                    (Some(child), Some(old)) => self.is_equal_to(Some(child), new, old, levels),
                    _ => false,
                })
    }
}

impl<'a, 's, S: SchemaNode<'s>> OldElements<'a, S> {
    /// The old element that a new one is correlated with, and its position: the first one with the same keys.
    pub fn find(&mut self, new: &Value) -> Option<(usize, &'a Value)> {
        self.index.find(new)
    }
}

/// The old value under a key of an object: both have the key, and the schema describes it.
pub(super) fn old_child<'v, 's, S: SchemaNode<'s>>(
    schema: S,
    old: Option<&'v Value>,
    key: &str,
) -> Option<&'v Value> {
    schema.child(key)?;
    old?.as_object()?.get(key)
}
