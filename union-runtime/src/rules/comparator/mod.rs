//! The ratcheting comparator (KEP-4008): what of a new object is correlated with what of the old one, and what is unchanged;
//! for validators of yours, over any schema that is a [`SchemaNode`].

mod equality;
mod schema;

use core::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::Value;

pub use self::equality::{Equality, OldElements};
pub use self::schema::SchemaNode;

use self::equality::old_child;
use crate::rules::ratchet::Ratchet;
use crate::walk::path::Step;

/// A new object beside the old one, under a schema: what is correlated with what, and what is unchanged (KEP-4008).
///
/// ```
/// use serde_json::json;
/// use union_runtime::comparator::Comparison;
///
/// let schema = json!({"type": "object", "properties": {
///     "ports": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": {
///         "type": "object", "required": ["name"],
///         "properties": {"name": {"type": "string"}, "port": {"type": "integer"}},
///     }},
/// }});
/// let old = json!({"ports": [{"name": "a", "port": 1}, {"name": "b", "port": 2}]});
/// let new = json!({"ports": [{"name": "b", "port": 2}, {"name": "a", "port": 3}]});
///
/// let comparison = Comparison::new(&schema, &new, &old);
/// let ports = comparison.root().key("ports").unwrap();
/// assert!(ports.index(0).unwrap().is_unchanged());
/// assert!(!ports.index(1).unwrap().key("port").unwrap().is_unchanged());
/// assert_eq!(comparison.at("ports[1].port").unwrap().old(), Some(&json!(1)));
/// ```
pub struct Comparison<'a, S> {
    schema: S,
    new: &'a Value,
    old: &'a Value,
    equality: Equality,
    /// The pairs of lists of type map that were asked for, by the new list.
    pairs: RefCell<HashMap<*const Value, Pairs>>,
}

/// Which old element each element of a new list is correlated with.
type Pairs = Rc<[Option<usize>]>;

/// A value of the new object, and the old one that it is correlated with.
#[derive(Clone)]
pub struct Correlated<'c, 'a, S> {
    comparison: &'c Comparison<'a, S>,
    schema: Option<S>,
    new: &'a Value,
    old: Option<&'a Value>,
    /// The path in the old object, where there is an old value.
    old_path: String,
}

/// Errors of an update, split into those that are new and those that are tolerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split<E> {
    /// What the update is to be refused for.
    pub new: Vec<E>,
    /// What is tolerated.
    pub tolerated: Vec<E>,
}

impl<'a, 's, S: SchemaNode<'s>> Comparison<'a, S> {
    /// Compares `new` with `old`, both as they are after pruning and defaulting, with the equality that an API server has:
    /// an object with a key that the schema does not describe equals no other.
    #[must_use]
    pub fn new(schema: S, new: &'a Value, old: &'a Value) -> Self {
        Self {
            schema,
            new,
            old,
            equality: Equality::new(),
            pairs: RefCell::default(),
        }
    }

    /// The same with deep equality, as the text of KEP-4008 has it.
    #[must_use]
    pub fn deep(self) -> Self {
        Self {
            equality: Equality::deep(),
            ..self
        }
    }

    /// The objects themselves.
    #[must_use]
    pub fn root(&self) -> Correlated<'_, 'a, S> {
        Correlated {
            comparison: self,
            schema: Some(self.schema),
            new: self.new,
            old: Some(self.old),
            old_path: String::new(),
        }
    }

    /// The value at a path of the new object, as `spec.ports[0].name` or `spec.labels[a.b/c]`; `None` if there is none.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<Correlated<'_, 'a, S>> {
        let mut at = self.root();
        for step in steps(path) {
            at = at.step(step)?;
        }
        Some(at)
    }

    /// Splits errors of a validator of yours, found in the new object, into those that are new and those that are
    /// tolerated. `tell` gives the path of an error, as [`at`](Self::at) takes it, and what rule it breaks.
    ///
    /// - [`Ratchet::SameReason`] (KEP-1027): tolerated iff `of_old`, the errors that the same validator finds in the old
    ///   object, have the same rule at the correlated path.
    /// - [`Ratchet::Unchanged`] (KEP-4008): tolerated iff the value at the path is unchanged; where there is none, the value
    ///   around it.
    /// - [`Ratchet::Off`]: nothing is.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_runtime::Ratchet;
    /// use union_runtime::comparator::Comparison;
    ///
    /// let schema = json!({"properties": {"from": {"type": "string"}, "to": {"type": "string"}}});
    /// let old = json!({"from": "x", "to": "a"});
    /// let new = json!({"from": "x", "to": "y"});
    /// let comparison = Comparison::new(&schema, &new, &old);
    ///
    /// // Paths and rules, as a validator of yours may tell them.
    /// let of_new = vec![("from", "is known"), ("to", "is known")];
    /// let split = comparison.split(of_new, &[], Ratchet::Unchanged, |&error| error);
    /// assert_eq!(split.tolerated, [("from", "is known")]);
    /// assert_eq!(split.new, [("to", "is known")]);
    /// ```
    #[must_use]
    pub fn split<E>(
        &self,
        of_new: Vec<E>,
        of_old: &[E],
        ratchet: Ratchet,
        tell: impl Fn(&E) -> (&str, &str),
    ) -> Split<E> {
        let known: HashSet<(&str, &str)> = match ratchet {
            Ratchet::SameReason => of_old.iter().map(&tell).collect(),
            _ => HashSet::new(),
        };
        let is_tolerated = |error: &E| {
            let (path, rule) = tell(error);
            match ratchet {
                Ratchet::SameReason => {
                    let old_path = self.old_path(path);
                    old_path.is_some_and(|path| known.contains(&(path.as_str(), rule)))
                }
                Ratchet::Unchanged => self.nearest(path).is_unchanged(),
                Ratchet::Off => false,
            }
        };
        let (tolerated, new) = of_new.into_iter().partition(is_tolerated);
        Split { new, tolerated }
    }

    /// The value at a path, or the one around it that is there.
    fn nearest(&self, path: &str) -> Correlated<'_, 'a, S> {
        let mut at = self.root();
        for step in steps(path) {
            match at.step(step) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// The path in the old object; `None` where nothing is correlated.
    fn old_path(&self, path: &str) -> Option<String> {
        let mut at = self.root();
        let mut rest = Vec::new();
        for step in steps(path) {
            if rest.is_empty()
                && let Some(next) = at.step(step)
            {
                // A value that is new has no old path, and neither has what is in it.
                next.old?;
                at = next;
            } else {
                rest.push(step);
            }
        }
        let mut path = at.old_path;
        for step in rest {
            push(&mut path, step);
        }
        Some(path)
    }

    fn pairs_of(&self, schema: S, new: &'a Value, old: Option<&'a Value>) -> Pairs {
        let key = core::ptr::from_ref(new);
        if let Some(pairs) = self.pairs.borrow().get(&key) {
            return Rc::clone(pairs);
        }
        let mut index = self.equality.old_elements(schema, old);
        let elements = new.as_array().into_iter().flatten();
        let pairs: Pairs = elements
            .map(|element| index.find(element).map(|(at, _)| at))
            .collect();
        self.pairs.borrow_mut().insert(key, Rc::clone(&pairs));
        pairs
    }
}

impl<'a, 's, S: SchemaNode<'s>> Correlated<'_, 'a, S> {
    /// The new value.
    #[must_use]
    pub const fn new_value(&self) -> &'a Value {
        self.new
    }

    /// The old value, if the new one is correlated with one.
    #[must_use]
    pub const fn old(&self) -> Option<&'a Value> {
        self.old
    }

    /// Whether the value is correlated with an old one, and equal to it; found once, whoever asks.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        match (self.schema, self.old) {
            (Some(schema), Some(old)) => self.comparison.equality.is_equal(schema, self.new, old),
            _ => false,
        }
    }

    /// The value under a key of an object; `None` if there is none.
    #[must_use]
    pub fn key(&self, key: &str) -> Option<Self> {
        let new = self.new.as_object()?.get(key)?;
        let schema = self.schema;
        let mut old_path = self.old_path.clone();
        let is_property = schema.is_none_or(|schema| schema.property(key).is_some());
        push(
            &mut old_path,
            if is_property {
                Step::Field(key)
            } else {
                Step::Key(key)
            },
        );
        Some(Self {
            comparison: self.comparison,
            schema: schema.and_then(|schema| schema.child(key)),
            new,
            old: schema.and_then(|schema| old_child(schema, self.old, key)),
            old_path,
        })
    }

    /// The element of a list at a position of the new one; `None` if there is none. Lists of type map are correlated by
    /// their keys, others not at all.
    #[must_use]
    pub fn index(&self, position: usize) -> Option<Self> {
        let new = self.new.as_array()?.get(position)?;
        let comparison = self.comparison;
        let found = self.schema.and_then(|schema| {
            let pairs = comparison.pairs_of(schema, self.new, self.old);
            pairs.get(position).copied().flatten()
        });
        let mut old_path = self.old_path.clone();
        push(&mut old_path, Step::Index(found.unwrap_or(position)));
        Some(Self {
            comparison,
            schema: self.schema.and_then(SchemaNode::items),
            new,
            old: found.and_then(|at| self.old?.as_array()?.get(at)),
            old_path,
        })
    }

    /// The first element of a list that has these values under these keys; `None` if none has.
    #[must_use]
    pub fn element(&self, keys: &[(&str, &Value)]) -> Option<Self> {
        let elements = self.new.as_array()?;
        let position = elements.iter().position(|element| {
            keys.iter()
                .all(|(key, value)| element.get(*key) == Some(*value))
        })?;
        self.index(position)
    }

    fn step(&self, step: Step<'_>) -> Option<Self> {
        match step {
            Step::Field(key) | Step::Key(key) => self.key(key),
            Step::Index(position) => self.index(position).or_else(|| {
                // A map may have a key of digits.
                self.key(&position.to_string())
            }),
        }
    }
}

/// The steps of a path: fields between dots, and positions or keys in brackets.
fn steps(path: &str) -> impl Iterator<Item = Step<'_>> {
    let mut rest = path;
    core::iter::from_fn(move || {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if rest.is_empty() {
            return None;
        }
        if let Some(inner) = rest.strip_prefix('[') {
            let (key, after) = inner.split_once(']').unwrap_or((inner, ""));
            rest = after;
            return Some(key.parse().map_or(Step::Key(key), Step::Index));
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (field, after) = rest.split_at(end);
        rest = after;
        Some(Step::Field(field))
    })
}

fn push(path: &mut String, step: Step<'_>) {
    match step {
        Step::Field(field) if path.is_empty() => path.push_str(field),
        Step::Field(field) => {
            path.push('.');
            path.push_str(field);
        }
        Step::Index(position) => push_bracketed(path, &position.to_string()),
        Step::Key(key) => push_bracketed(path, key),
    }
}

fn push_bracketed(path: &mut String, text: &str) {
    path.push('[');
    path.push_str(text);
    path.push(']');
}
