//! Compares a new value with the old value that it is correlated with.

use core::cell::RefCell;
use std::collections::HashMap;

use k8s_json_internals::element_index::{ElementKeys, IndexCache, KeyTuple, OldElementIndex};
use k8s_json_internals::{equality::deep_equal, key::scalar_key};
use serde_json::{Map, Value};

use super::schema::CorrelationSchema;

/// The maximum number of schema levels that a comparison descends, because every level takes stack.
/// No schema of an API server is deeper. Values below the last level count as values that the
/// schema does not describe.
const MAX_LEVELS: usize = 512;

/// Compares new values with their correlated old values. Each pair of lists or objects is compared
/// once, and the result is cached. Use an `Equality` with one schema only, because the cache does
/// not depend on the schema.
///
/// This type is for validators that walk through both objects themselves.
/// [`Comparison`](super::Comparison) walks for you. An `Equality` borrows the values, so that they
/// cannot change while results about them are cached:
///
/// ```compile_fail,E0506
/// use serde_json::json;
/// use union_runtime::comparator::Equality;
///
/// let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
/// let old = json!({"a": 1});
/// let mut new = json!({"a": 1});
/// let equality = Equality::new();
/// assert!(equality.is_equal(&schema, &new, &old));
/// new = json!({"a": 2});
/// assert!(!equality.is_equal(&schema, &new, &old));
/// ```
#[derive(Debug, Default)]
#[must_use]
pub struct Equality<'v> {
    /// The cached results: the key is the address of the new value, and the entry is the address of
    /// the old value with the result.
    cache: RefCell<HashMap<usize, (usize, bool)>>,
    /// The indexes of old lists by the keys of their elements.
    indexes: IndexCache<'v>,
    is_deep: bool,
}

/// Returns the address of a value. The values of an [`Equality`] are borrowed, so no other value
/// can have the same address.
fn address(value: &Value) -> usize {
    core::ptr::from_ref(value).addr()
}

/// A lookup of the old elements of a list of type map by the keys of new elements. The lookup finds
/// no elements of other lists.
pub struct OldElements<'e, 'v, S> {
    index: OldElementIndex<'e, 'v, Value, ListKeys<S>>,
}

/// The keys of the elements of a list.
#[derive(Clone, Copy)]
struct ListKeys<S>(S);

impl<'s, S: CorrelationSchema<'s>> ElementKeys<Value> for ListKeys<S> {
    fn has_keys(&self) -> bool {
        self.0.list_keys().next().is_some()
    }

    fn key_tuple<'e>(&'e self, element: &'e Value) -> Option<KeyTuple<'e>> {
        let element = element.as_object()?;
        let mut names = self.0.list_keys();
        let first_key = element.get(names.next()?)?;
        if names.next().is_none() {
            let is_exact = true;
            return scalar_key(first_key, is_exact).map(KeyTuple::One);
        }
        let names = self.0.list_keys();
        let is_exact = false;
        let keys = names.map(|name| scalar_key(element.get(name)?, is_exact));
        keys.collect::<Option<_>>().map(KeyTuple::Many)
    }
}

impl<'v> Equality<'v> {
    /// Creates the equality of an API server. An integer is not equal to a float. Elements of lists
    /// of type map are compared by their keys. An object with a key that the schema does not
    /// describe is not equal to any object.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates deep equality, as KEP-4008 describes it.
    pub fn deep() -> Self {
        Self {
            is_deep: true,
            ..Self::default()
        }
    }

    /// Returns true for deep equality.
    #[must_use]
    pub const fn is_deep(&self) -> bool {
        self.is_deep
    }

    /// Returns a lookup of the elements of an old list of type map. The elements are indexed once
    /// for all callers.
    pub fn old_elements<'s, S: CorrelationSchema<'s>>(
        &self,
        schema: S,
        old: Option<&'v Value>,
    ) -> OldElements<'_, 'v, S> {
        let old = old.and_then(Value::as_array).map(Vec::as_slice);
        OldElements {
            index: OldElementIndex::new(old, ListKeys(schema), &self.indexes, 0),
        }
    }

    /// Returns true if a value equals its correlated old value. `schema` is the schema of both.
    pub fn is_equal<'s, S: CorrelationSchema<'s>>(
        &self,
        schema: S,
        new: &'v Value,
        old: &'v Value,
    ) -> bool {
        self.is_equal_cached(Some(schema), new, old, MAX_LEVELS)
    }

    /// Returns true if the values are equal. `levels` is the number of schema levels that the
    /// comparison may still descend.
    fn is_equal_cached<'s, S: CorrelationSchema<'s>>(
        &self,
        schema: Option<S>,
        new: &'v Value,
        old: &'v Value,
        levels: usize,
    ) -> bool {
        match (new, old) {
            (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => {}
            (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => {
                return false;
            }
            (new, old) => return deep_equal(new, old),
        }
        if let Some((cached_old, is_equal)) = self.cache.borrow().get(&address(new))
            && *cached_old == address(old)
        {
            return *is_equal;
        }
        let is_equal = if self.is_deep {
            deep_equal(new, old)
        } else {
            self.is_equal_by_schema(schema, new, old, levels)
        };
        let entry = (address(old), is_equal);
        self.cache.borrow_mut().insert(address(new), entry);
        is_equal
    }

    /// Compares lists and objects as an API server does.
    fn is_equal_by_schema<'s, S: CorrelationSchema<'s>>(
        &self,
        schema: Option<S>,
        new: &'v Value,
        old: &'v Value,
        levels: usize,
    ) -> bool {
        let Some((schema, levels)) = schema.zip(levels.checked_sub(1)) else {
            return false;
        };
        match (new, old) {
            (Value::Array(elements), Value::Array(old_elements)) => {
                let old_list = (old, old_elements.as_slice());
                self.lists_are_equal(schema, elements, old_list, levels)
            }
            (Value::Object(object), Value::Object(old_object)) => {
                self.objects_are_equal(schema, object, old_object, levels)
            }
            _ => false,
        }
    }

    /// Compares lists of type map by the keys of their elements, and other lists by position.
    fn lists_are_equal<'s, S: CorrelationSchema<'s>>(
        &self,
        schema: S,
        elements: &'v [Value],
        (old_list, old_elements): (&'v Value, &'v [Value]),
        levels: usize,
    ) -> bool {
        if elements.len() != old_elements.len() {
            return false;
        }
        let (Some(_), Some(items)) = (schema.list_keys().next(), schema.items()) else {
            let mut pairs = elements.iter().zip(old_elements);
            return pairs.all(|(new, old)| deep_equal(new, old));
        };
        let mut index = self.old_elements(schema, Some(old_list));
        elements.iter().all(|new| match index.find(new) {
            Some((_, old)) => self.is_equal_cached(Some(items), new, old, levels),
            None => false,
        })
    }

    /// Compares objects field by field. A field without a schema is not equal to any field.
    fn objects_are_equal<'s, S: CorrelationSchema<'s>>(
        &self,
        schema: S,
        object: &'v Map<String, Value>,
        old_object: &'v Map<String, Value>,
        levels: usize,
    ) -> bool {
        object.len() == old_object.len()
            && object.iter().all(
                |(key, new)| match (schema.child(key), old_object.get(key)) {
                    (Some(child), Some(old)) => self.is_equal_cached(Some(child), new, old, levels),
                    _ => false,
                },
            )
    }
}

impl<'v, 's, S: CorrelationSchema<'s>> OldElements<'_, 'v, S> {
    /// Returns the position and the value of the first old element with the keys of the new
    /// element.
    pub fn find(&mut self, new: &Value) -> Option<(usize, &'v Value)> {
        self.index.find(new)
    }
}
