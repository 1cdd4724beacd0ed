//! A walk through the structs of a new object, each with the correlated struct of the old object.

use serde_json::Value;

use crate::object::Object;
use crate::prediction::{ChangedBy, Predicate, Prediction};
use crate::schema::{Struct, Type};

/// A struct of a case.
pub(crate) struct Visit<'a> {
    pub(crate) of: &'a Struct,
    /// The new object, or `None` if null replaces the old object.
    pub(crate) new: Option<&'a Object>,
    pub(crate) old: Option<&'a Object>,
    pub(crate) at: &'a Path,
    pub(crate) sides: ProcessingSides,
}

/// The facts that decide which sides process a struct.
#[derive(Clone, Copy, Default)]
pub(crate) struct ProcessingSides {
    /// True inside a list without keys or an atomic struct, where the reference does not process
    /// unions.
    pub(crate) is_atomic: bool,
    /// True inside a member that is cleared, where we do not process unions.
    pub(crate) is_cleared: bool,
}

/// The names of fields and keys, and the indexes of elements.
pub(crate) type Path = Vec<Step>;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Field(String),
    Index(usize),
}

/// A union is in a list without keys, or in an atomic struct. 2019 text: all unions are normalized
/// and validated. The reference does not visit these unions.
pub(crate) const ATOMIC: Predicate = "atomic";

impl Visit<'_> {
    /// Predicts a change of a field of the struct by the sides that process the struct.
    pub(crate) fn change(
        &self,
        prediction: &mut Prediction,
        who: ChangedBy,
        name: &str,
        value: Option<Value>,
    ) {
        let who = match who {
            ChangedBy::They(_) if self.sides.is_atomic => return,
            ChangedBy::Both | ChangedBy::We(_) if self.sides.is_atomic => ChangedBy::We(ATOMIC),
            who => who,
        };
        prediction.change(who, step(self.at, name), value);
    }
}

pub(crate) trait Visitor {
    /// Predicts the results for a struct, and returns the names of the members that are cleared.
    fn visit(&mut self, visit: &Visit<'_>) -> Vec<String>;

    /// Returns true if a list without keys is always equal to the old list. This is so after a
    /// server-side apply, which replaces the whole list by the applied list.
    fn keeps_whole_lists(&self) -> bool {
        false
    }
}

pub(crate) fn walk(of: &Struct, new: &Object, old: Option<&Object>, visitor: &mut dyn Visitor) {
    let root = Visit {
        of,
        new: Some(new),
        old,
        at: &Path::new(),
        sides: ProcessingSides::default(),
    };
    go_on(&root, visitor);
}

fn go_on(visit: &Visit<'_>, visitor: &mut dyn Visitor) {
    let cleared = visitor.visit(visit);
    let Some(new) = visit.new else {
        return;
    };
    for (name, of) in &visit.of.fields {
        let Some(value) = new.get(name) else {
            continue;
        };
        let old = visit.old.and_then(|old| old.get(name));
        let mut sides = visit.sides;
        sides.is_cleared |= cleared.contains(name);
        field(of, value, old, &step(visit.at, name), sides, visitor);
    }
}

fn field(
    of: &Type,
    new: &Value,
    old: Option<&Value>,
    at: &Path,
    mut sides: ProcessingSides,
    visitor: &mut dyn Visitor,
) {
    match of {
        Type::Integer | Type::Text | Type::Integers => {}
        Type::Struct(held) => one(held, new, old, at, sides, visitor),
        Type::Map(held) => {
            for (key, new) in new.as_object().into_iter().flatten() {
                let old = old.and_then(|old| old.get(key));
                one(held, new, old, &step(at, key), sides, visitor);
            }
        }
        Type::ListMap(held, keys) => {
            for (i, new) in new.as_array().into_iter().flatten().enumerate() {
                let mut old = old.and_then(Value::as_array).into_iter().flatten();
                let old = old.find(|old| keys.of(old) == keys.of(new));
                one(held, new, old, &index(at, i), sides, visitor);
            }
        }
        Type::List(held) => {
            sides.is_atomic = true;
            let old = old.filter(|_| visitor.keeps_whole_lists());
            for (i, new) in new.as_array().into_iter().flatten().enumerate() {
                let old = old.and_then(|old| old.get(i));
                one(held, new, old, &index(at, i), sides, visitor);
            }
        }
    }
}

fn one(
    of: &Struct,
    new: &Value,
    old: Option<&Value>,
    at: &Path,
    mut sides: ProcessingSides,
    visitor: &mut dyn Visitor,
) {
    sides.is_atomic |= of.is_atomic;
    let old = old.and_then(Value::as_object);
    let new = new.as_object();
    if new.is_some() || old.is_some_and(|old| !old.is_empty()) {
        let visit = Visit {
            of,
            new,
            old,
            at,
            sides,
        };
        go_on(&visit, visitor);
    }
}

fn step(at: &Path, name: &str) -> Path {
    let mut at = at.clone();
    at.push(Step::Field(name.to_owned()));
    at
}

fn index(at: &Path, index: usize) -> Path {
    let mut at = at.clone();
    at.push(Step::Index(index));
    at
}
