//! CEL that iterates over the unions of one site, in the new object and the old one together, as
//! the engine does.
//!
//! `object` and `oldObject` of a policy are JSON: fields have their JSON names, and null is a
//! value. A value that does not have the type of its schema is skipped, because the API server
//! rejects it.

use k8s_json_internals::cel_literal::string_literal;
use serde_json::Value;

use crate::location::union_location::{LocationStep, UnionLocation};
use union_json::pointer::escape;

/// The position of an expression: the CEL names of the values there.
#[derive(Clone, Debug)]
pub(crate) struct CelScope {
    /// The expression of the new value.
    pub(crate) new: String,
    /// The expression of the old value, which may be null.
    pub(crate) old: String,
    /// The JSON pointer of the value.
    pub(crate) pointer: CelConcat,
    /// The path of the value in error messages.
    pub(crate) path: CelConcat,
    /// The number of enclosing loops and bindings. Names of variables end with it.
    depth: usize,
}

/// A string that is concatenated when a policy runs, from literals and expressions.
#[derive(Clone, Debug, Default)]
pub(crate) struct CelConcat(Vec<ConcatPart>);

#[derive(Clone, Debug)]
enum ConcatPart {
    Literal(String),
    Expression(String),
}

impl CelConcat {
    /// Returns the string with a literal appended.
    pub(crate) fn with_literal(&self, text: &str) -> Self {
        let mut parts = self.0.clone();
        match parts.last_mut() {
            Some(ConcatPart::Literal(last)) => last.push_str(text),
            _ => parts.push(ConcatPart::Literal(text.to_owned())),
        }
        Self(parts)
    }

    /// Returns the string with the value of an expression appended.
    pub(crate) fn with_expression(&self, expression: impl Into<String>) -> Self {
        let mut parts = self.0.clone();
        parts.push(ConcatPart::Expression(expression.into()));
        Self(parts)
    }

    /// Returns true if the string is empty, as the path of the root object is.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the CEL expression of the string.
    pub(crate) fn to_cel(&self) -> String {
        if self.is_empty() {
            return "''".to_owned();
        }
        let parts = self.0.iter().map(|part| match part {
            ConcatPart::Literal(text) => string_literal(text),
            ConcatPart::Expression(expression) => expression.clone(),
        });
        parts.collect::<Vec<_>>().join(" + ")
    }
}

/// The treatment of lists without keys, whose elements do not have old ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnkeyedLists {
    /// All elements are new.
    AllNew,
    /// All elements are new, and an unchanged list is skipped.
    SkipUnchanged,
}

/// Returns a CEL expression for the concatenated lists of `leaf` for all unions of a site.
pub(crate) fn navigate(
    site: &UnionLocation<'_>,
    unkeyed: UnkeyedLists,
    leaf: &dyn Fn(&CelScope) -> String,
) -> String {
    let root = CelScope {
        new: "object".to_owned(),
        old: "oldObject".to_owned(),
        pointer: CelConcat::default(),
        path: CelConcat::default(),
        depth: 0,
    };
    navigate_steps(&site.steps, &root, unkeyed, leaf)
}

fn navigate_steps(
    steps: &[LocationStep<'_>],
    at: &CelScope,
    unkeyed: UnkeyedLists,
    leaf: &dyn Fn(&CelScope) -> String,
) -> String {
    let Some((step, rest)) = steps.split_first() else {
        return at.list_if_map(&leaf(at));
    };
    let go_on = |old: String, next: CelScope| {
        let rest = navigate_steps(rest, &next, unkeyed, leaf);
        format!("[{old}].map({}, {rest})[0]", next.old)
    };
    let CelScope { new, old, .. } = at;
    match step {
        LocationStep::Field(name) => {
            let next = at.field(name);
            let old = at.old_value_at(&string_literal(name));
            let (field, value) = (string_literal(name), &next.new);
            let rest = go_on(old, next.clone());
            at.list_if_map(&format!(
                "{new}[?{field}].optMap({value}, {rest}).orValue([])"
            ))
        }
        LocationStep::Items(keys) => {
            let (index, next) = at.element();
            let found = match keys.as_slice() {
                [] => "null".to_owned(),
                keys => old_element(keys, at, &index, &next),
            };
            let changed = match (keys.is_empty(), unkeyed) {
                (true, UnkeyedLists::SkipUnchanged) => format!(" && {new} != {old}"),
                _ => String::new(),
            };
            let (value, rest) = (next.new.clone(), go_on(found, next));
            format!(
                "(type({new}) == list{changed} ? {new}.transformList({index}, {value}, {rest}).flatten() : [])"
            )
        }
        LocationStep::Values(described) => {
            let (key, next) = at.value();
            let names: Vec<String> = described.iter().map(|name| string_literal(name)).collect();
            let others = if names.is_empty() {
                String::new()
            } else {
                format!("!({key} in [{}]), ", names.join(", "))
            };
            let old = at.old_value_at(&key);
            let (value, rest) = (next.new.clone(), go_on(old, next));
            at.list_if_map(&format!(
                "{new}.transformList({key}, {value}, {others}{rest}).flatten()"
            ))
        }
    }
}

/// Returns a CEL expression for the old element with the keys of the new one. The position of the
/// new element is tried first.
fn old_element(
    keys: &[(&str, Option<&Value>)],
    at: &CelScope,
    index: &str,
    next: &CelScope,
) -> String {
    let (old, new) = (&at.old, &next.new);
    let key = |of: &str, (name, default): &(&str, Option<&Value>)| {
        let default = default.map_or_else(|| "null".to_owned(), value);
        format!("{of}[?{}].orValue({default})", string_literal(name))
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
        Value::String(text) => string_literal(text),
        value => value.to_string(),
    }
}

impl CelScope {
    fn field(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self {
            pointer: self.pointer.with_literal(&format!("/{}", escape(name))),
            path: self.path.with_literal(&format!("{dot}{name}")),
            ..self.nested()
        }
    }

    /// Returns the name of the index, and the position of an element.
    fn element(&self) -> (String, Self) {
        let next = self.nested();
        let index = format!("i{}", next.depth);
        let made = format!("string({index})");
        let at = Self {
            pointer: self.pointer.with_literal("/").with_expression(&made),
            path: self
                .path
                .with_literal("[")
                .with_expression(made)
                .with_literal("]"),
            ..next
        };
        (index, at)
    }

    /// Returns the name of the key, and the position of its value.
    fn value(&self) -> (String, Self) {
        let next = self.nested();
        let key = format!("k{}", next.depth);
        let made = escaped_token(&key);
        let at = Self {
            pointer: self.pointer.with_literal("/").with_expression(made),
            path: self
                .path
                .with_literal("[")
                .with_expression(&key)
                .with_literal("]"),
            ..next
        };
        (key, at)
    }

    fn nested(&self) -> Self {
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
    fn list_if_map(&self, list: &str) -> String {
        match self.depth {
            0 => list.to_owned(),
            _ => format!("(type({}) == map ? {list} : [])", self.new),
        }
    }

    /// Returns a CEL expression for the old object's value under a key, or null. `key` is an
    /// expression.
    fn old_value_at(&self, key: &str) -> String {
        let old = &self.old;
        format!(
            "{} ? {old}[?{key}].orValue(dyn(null)) : dyn(null)",
            self.update_condition()
        )
    }

    /// Returns a CEL condition that is true if there is an old object.
    pub(crate) fn update_condition(&self) -> String {
        format!("type({}) == map", self.old)
    }
}

/// Returns a CEL expression for the value of an expression as a token of a JSON pointer.
pub(crate) fn escaped_token(name: &str) -> String {
    format!("{name}.replace('~', '~0').replace('/', '~1')")
}
