//! CEL that iterates over the unions of one site, in the new object and the old one together, as
//! the engine does.
//!
//! `object` and `oldObject` of a policy are JSON: fields have their JSON names, and null is a
//! value. A value that does not have the type of its schema is skipped, because the API server
//! rejects it.

use k8s_json_internals::cel_text::literal;
use serde_json::Value;

use crate::place::site::{Site, Step};
use union_json::pointer::escape;

/// The position of an expression: the CEL names of the values there.
#[derive(Clone, Debug)]
pub(crate) struct At {
    /// The expression of the new value.
    pub(crate) new: String,
    /// The expression of the old value, which may be null.
    pub(crate) old: String,
    /// The JSON pointer of the value.
    pub(crate) pointer: Joined,
    /// The path of the value in error messages.
    pub(crate) path: Joined,
    /// The number of enclosing loops and bindings. Names of variables end with it.
    depth: usize,
}

/// A string that is concatenated when a policy runs, from literals and expressions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Literal(String),
    Made(String),
}

impl Joined {
    /// Returns the string with a literal appended.
    pub(crate) fn and(&self, text: &str) -> Self {
        let mut parts = self.0.clone();
        match parts.last_mut() {
            Some(Part::Literal(last)) => last.push_str(text),
            _ => parts.push(Part::Literal(text.to_owned())),
        }
        Self(parts)
    }

    /// Returns the string with the value of an expression appended.
    pub(crate) fn and_made(&self, expression: impl Into<String>) -> Self {
        let mut parts = self.0.clone();
        parts.push(Part::Made(expression.into()));
        Self(parts)
    }

    /// Returns true if the string is empty, as the path of the root object is.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the CEL expression of the string.
    pub(crate) fn cel(&self) -> String {
        if self.is_empty() {
            return "''".to_owned();
        }
        let parts = self.0.iter().map(|part| match part {
            Part::Literal(text) => literal(text),
            Part::Made(expression) => expression.clone(),
        });
        parts.collect::<Vec<_>>().join(" + ")
    }
}

/// The treatment of lists without keys, whose elements do not have old ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unkeyed {
    /// All elements are new.
    New,
    /// All elements are new, and an unchanged list is skipped.
    Changed,
}

/// Returns a CEL expression for the concatenated lists of `leaf` for all unions of a site.
pub(crate) fn descend(site: &Site<'_>, unkeyed: Unkeyed, leaf: &dyn Fn(&At) -> String) -> String {
    let root = At {
        new: "object".to_owned(),
        old: "oldObject".to_owned(),
        pointer: Joined::default(),
        path: Joined::default(),
        depth: 0,
    };
    below(&site.steps, &root, unkeyed, leaf)
}

fn below(steps: &[Step<'_>], at: &At, unkeyed: Unkeyed, leaf: &dyn Fn(&At) -> String) -> String {
    let Some((step, rest)) = steps.split_first() else {
        return at.if_map(&leaf(at));
    };
    let go_on = |old: String, next: At| {
        let rest = below(rest, &next, unkeyed, leaf);
        format!("[{old}].map({}, {rest})[0]", next.old)
    };
    let At { new, old, .. } = at;
    match step {
        Step::Field(name) => {
            let next = at.field(name);
            let old = at.old_under(&literal(name));
            let (field, value) = (literal(name), &next.new);
            let rest = go_on(old, next.clone());
            at.if_map(&format!(
                "{new}[?{field}].optMap({value}, {rest}).orValue([])"
            ))
        }
        Step::Items(keys) => {
            let (index, next) = at.element();
            let found = match keys.as_slice() {
                [] => "null".to_owned(),
                keys => old_element(keys, at, &index, &next),
            };
            let changed = match (keys.is_empty(), unkeyed) {
                (true, Unkeyed::Changed) => format!(" && {new} != {old}"),
                _ => String::new(),
            };
            let (value, rest) = (next.new.clone(), go_on(found, next));
            format!(
                "(type({new}) == list{changed} ? {new}.transformList({index}, {value}, {rest}).flatten() : [])"
            )
        }
        Step::Values(described) => {
            let (key, next) = at.value();
            let names: Vec<String> = described.iter().map(|name| literal(name)).collect();
            let others = if names.is_empty() {
                String::new()
            } else {
                format!("!({key} in [{}]), ", names.join(", "))
            };
            let old = at.old_under(&key);
            let (value, rest) = (next.new.clone(), go_on(old, next));
            at.if_map(&format!(
                "{new}.transformList({key}, {value}, {others}{rest}).flatten()"
            ))
        }
    }
}

/// Returns a CEL expression for the old element with the keys of the new one. The position of the
/// new element is tried first.
fn old_element(keys: &[(&str, Option<&Value>)], at: &At, index: &str, next: &At) -> String {
    let (old, new) = (&at.old, &next.new);
    let key = |of: &str, (name, default): &(&str, Option<&Value>)| {
        let default = default.map_or_else(|| "null".to_owned(), value);
        format!("{of}[?{}].orValue({default})", literal(name))
    };
    let same = |of: &str| {
        let keys = keys.iter();
        let keys = keys.map(|each| format!("{} == {}", key(of, each), key(new, each)));
        let keys: Vec<String> = keys.collect();
        format!("type({of}) == map && {}", keys.join(" && "))
    };
    let there = format!("{old}[{index}]");
    format!(
        "type({old}) == list && type({new}) == map ? ({index} < {old}.size() && {} ? {there} : {old}.filter(e, {})[?0].orValue(dyn(null))) : dyn(null)",
        same(&there),
        same("e"),
    )
}

/// Returns a scalar, the default of a key, as a CEL literal.
fn value(value: &Value) -> String {
    match value {
        Value::String(text) => literal(text),
        value => value.to_string(),
    }
}

impl At {
    fn field(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self {
            pointer: self.pointer.and(&format!("/{}", escape(name))),
            path: self.path.and(&format!("{dot}{name}")),
            ..self.deeper()
        }
    }

    /// Returns the name of the index, and the position of an element.
    fn element(&self) -> (String, Self) {
        let next = self.deeper();
        let index = format!("i{}", next.depth);
        let made = format!("string({index})");
        let at = Self {
            pointer: self.pointer.and("/").and_made(&made),
            path: self.path.and("[").and_made(made).and("]"),
            ..next
        };
        (index, at)
    }

    /// Returns the name of the key, and the position of its value.
    fn value(&self) -> (String, Self) {
        let next = self.deeper();
        let key = format!("k{}", next.depth);
        let made = escape_in_cel(&key);
        let at = Self {
            pointer: self.pointer.and("/").and_made(made),
            path: self.path.and("[").and_made(&key).and("]"),
            ..next
        };
        (key, at)
    }

    fn deeper(&self) -> Self {
        let depth = self.depth + 1;
        Self {
            new: format!("n{depth}"),
            old: format!("o{depth}"),
            depth,
            ..self.clone()
        }
    }

    /// Returns a CEL expression for the list if the new value is an object, and otherwise for an
    /// empty list. The root of a request is always an object.
    fn if_map(&self, list: &str) -> String {
        match self.depth {
            0 => list.to_owned(),
            _ => format!("(type({}) == map ? {list} : [])", self.new),
        }
    }

    /// Returns a CEL expression for the old object's value under a key, or null. `key` is an
    /// expression.
    fn old_under(&self, key: &str) -> String {
        let old = &self.old;
        format!(
            "{} ? {old}[?{key}].orValue(dyn(null)) : dyn(null)",
            self.is_update()
        )
    }

    /// Returns a CEL condition that is true if there is an old object.
    pub(crate) fn is_update(&self) -> String {
        format!("type({}) == map", self.old)
    }
}

/// Returns a CEL expression for the value of an expression as a token of a JSON pointer.
pub(crate) fn escape_in_cel(name: &str) -> String {
    format!("{name}.replace('~', '~0').replace('/', '~1')")
}
