//! Creates CEL that visits the unions of one location in the new object and the old object
//! together, as `Unions` of union-json does.
//!
//! `object` and `oldObject` of a policy are JSON: fields have their JSON names, and null is a
//! value. A value whose type differs from its schema is skipped, because the API server rejects it.

use k8s_json_internals::cel_literal::string_literal;
use serde_json::Value;

use crate::location::union_location::{LocationStep, UnionLocation};
use union_json::pointer::escape;

/// The CEL expressions of the new value, the old value and the path at a location.
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
    /// The number of enclosing loops and bindings. The names of variables contain this number.
    depth: usize,
}

/// A string that a policy concatenates from literals and expressions.
#[derive(Clone, Debug, Default)]
pub(crate) struct CelConcat(Vec<ConcatPart>);

#[derive(Clone, Debug)]
enum ConcatPart {
    Literal(String),
    Expression(String),
}

impl CelConcat {
    /// Returns the string with a literal appended.
    pub(crate) fn with_literal(&self, string: &str) -> Self {
        let mut parts = self.0.clone();
        match parts.last_mut() {
            Some(ConcatPart::Literal(last_literal)) => last_literal.push_str(string),
            _ => parts.push(ConcatPart::Literal(string.to_owned())),
        }
        Self(parts)
    }

    /// Returns the string with the value of an expression appended.
    pub(crate) fn with_expression(&self, expression: impl Into<String>) -> Self {
        let mut parts = self.0.clone();
        parts.push(ConcatPart::Expression(expression.into()));
        Self(parts)
    }

    /// Returns true if the string is empty. The path of the root object is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the CEL expression of the string.
    pub(crate) fn to_cel(&self) -> String {
        if self.is_empty() {
            return "''".to_owned();
        }
        let parts = self.0.iter().map(|part| match part {
            ConcatPart::Literal(string) => string_literal(string),
            ConcatPart::Expression(expression) => expression.clone(),
        });
        parts.collect::<Vec<_>>().join(" + ")
    }
}

/// The use of the old object. Elements of lists without keys cannot be correlated with old
/// elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OldObjectUse {
    /// All elements of lists without keys are new.
    UnkeyedElementsAreNew,
    /// An unchanged list without keys is skipped. Otherwise, all its elements are new.
    SkipUnchangedLists,
    /// The old object is not used, as if the request created the object.
    Ignored,
}

/// Returns a CEL expression for the concatenated lists of all unions at a location.
/// `union_expression` returns the expression for the list of one union in a scope.
pub(crate) fn expression_at_location(
    location: &UnionLocation<'_>,
    old_object_use: OldObjectUse,
    union_expression: &dyn Fn(&CelScope) -> String,
) -> String {
    let old = match old_object_use {
        OldObjectUse::Ignored => "dyn(null)",
        _ => "oldObject",
    };
    let root = CelScope {
        new: "object".to_owned(),
        old: old.to_owned(),
        pointer: CelConcat::default(),
        path: CelConcat::default(),
        depth: 0,
    };
    expression_at_steps(&location.steps, &root, old_object_use, union_expression)
}

/// Returns the expression for the unions below the remaining steps.
fn expression_at_steps(
    steps: &[LocationStep<'_>],
    scope: &CelScope,
    old_object_use: OldObjectUse,
    union_expression: &dyn Fn(&CelScope) -> String,
) -> String {
    let Some((step, remaining_steps)) = steps.split_first() else {
        return scope.list_if_map(&union_expression(scope));
    };
    // Binds the old value of an inner scope to its variable.
    let inner_expression = |old_value: String, inner: CelScope| {
        let expression =
            expression_at_steps(remaining_steps, &inner, old_object_use, union_expression);
        format!("[{old_value}].map({}, {expression})[0]", inner.old)
    };
    let CelScope { new, old, .. } = scope;
    match step {
        LocationStep::Field(name) => {
            let inner = scope.field(name);
            let old_value = scope.old_value_at(&string_literal(name));
            let field = string_literal(name);
            let value = &inner.new;
            let list = inner_expression(old_value, inner.clone());
            scope.list_if_map(&format!(
                "{new}[?{field}].optMap({value}, {list}).orValue([])"
            ))
        }
        LocationStep::Items(keys) => {
            let (index, inner) = scope.element();
            let old_value = match keys.as_slice() {
                [] => "null".to_owned(),
                keys => old_element(keys, scope, &index, &inner),
            };
            let is_changed = match (keys.is_empty(), old_object_use) {
                (true, OldObjectUse::SkipUnchangedLists) => format!(" && {new} != {old}"),
                _ => String::new(),
            };
            let value = inner.new.clone();
            let list = inner_expression(old_value, inner);
            format!(
                "(type({new}) == list{is_changed} ? {new}.transformList({index}, {value}, {list}).flatten() : [])"
            )
        }
        LocationStep::Values(properties) => {
            let (key, inner) = scope.map_value();
            let names: Vec<String> = properties.iter().map(|name| string_literal(name)).collect();
            let property_filter = if names.is_empty() {
                String::new()
            } else {
                format!("!({key} in [{}]), ", names.join(", "))
            };
            let old_value = scope.old_value_at(&key);
            let value = inner.new.clone();
            let list = inner_expression(old_value, inner);
            scope.list_if_map(&format!(
                "{new}.transformList({key}, {value}, {property_filter}{list}).flatten()"
            ))
        }
    }
}

/// Returns a CEL expression for the old element with the same keys as the new element. The index of
/// the new element is tried first.
fn old_element(
    keys: &[(&str, Option<&Value>)],
    scope: &CelScope,
    index: &str,
    element_scope: &CelScope,
) -> String {
    let old_list = &scope.old;
    let new_element = &element_scope.new;
    let key_value = |element: &str, (name, default): &(&str, Option<&Value>)| {
        let default = default.map_or_else(|| "null".to_owned(), scalar_literal);
        format!("{element}[?{}].orValue({default})", string_literal(name))
    };
    let has_same_keys = |element: &str| {
        let key_specs = keys.iter();
        let equalities = key_specs.map(|key_spec| {
            format!(
                "{} == {}",
                key_value(element, key_spec),
                key_value(new_element, key_spec)
            )
        });
        let equalities: Vec<String> = equalities.collect();
        format!("type({element}) == map && {}", equalities.join(" && "))
    };
    let element_at_index = format!("{old_list}[{index}]");
    format!(
        "type({old_list}) == list && type({new_element}) == map ? ({index} < {old_list}.size() && {} ? {element_at_index} : {old_list}.filter(e, {})[?0].orValue(dyn(null))) : dyn(null)",
        has_same_keys(&element_at_index),
        has_same_keys("e"),
    )
}

/// Returns a scalar default of a key as a CEL literal.
fn scalar_literal(value: &Value) -> String {
    match value {
        Value::String(string) => string_literal(string),
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

    /// Returns the variable of the index, and the scope of the element at the index.
    fn element(&self) -> (String, Self) {
        let inner = self.nested();
        let index = format!("i{}", inner.depth);
        let index_string = format!("string({index})");
        let scope = Self {
            pointer: self
                .pointer
                .with_literal("/")
                .with_expression(&index_string),
            path: self
                .path
                .with_literal("[")
                .with_expression(index_string)
                .with_literal("]"),
            ..inner
        };
        (index, scope)
    }

    /// Returns the variable of the key, and the scope of its value.
    fn map_value(&self) -> (String, Self) {
        let inner = self.nested();
        let key = format!("k{}", inner.depth);
        let escaped_key = escaped_token(&key);
        let scope = Self {
            pointer: self.pointer.with_literal("/").with_expression(escaped_key),
            path: self
                .path
                .with_literal("[")
                .with_expression(&key)
                .with_literal("]"),
            ..inner
        };
        (key, scope)
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

    /// Returns a CEL expression that is the list if the new value is an object, and otherwise an
    /// empty list. The root of a request is always an object.
    fn list_if_map(&self, list: &str) -> String {
        match self.depth {
            0 => list.to_owned(),
            _ => format!("(type({}) == map ? {list} : [])", self.new),
        }
    }

    /// Returns a CEL expression for the value of a key in the old object, or null. `key` is an
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

/// Returns a CEL expression that escapes the value of an expression as a reference token of a JSON
/// pointer.
pub(crate) fn escaped_token(name: &str) -> String {
    format!("{name}.replace('~', '~0').replace('/', '~1')")
}
