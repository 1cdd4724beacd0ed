//! Reads the terms of a rule: places of the state, and constants.

use k8s_cel::syntax::{Ast, AstKind, Literal};
use serde_json::{Value, json};
use union_runtime::path::FieldPath;

use super::solver::{Binding, SELF, Scope, Solver};
use crate::sample::dictionary::json_name;

/// The functions of one argument whose result is compared as the argument is.
const CONVERSIONS: [&str; 12] = [
    "dyn",
    "duration",
    "timestamp",
    "quantity",
    "semver",
    "ip",
    "cidr",
    "url",
    "string",
    "int",
    "double",
    "uint",
];

/// Returns the binding of a variable, and the scope around it.
pub(super) fn binding<'s, 'r>(
    name: &str,
    scope: &'s Scope<'r>,
) -> Option<(&'s Binding<'r>, &'s Scope<'r>)> {
    let index = scope.iter().rposition(|(known, _)| *known == name)?;
    let (_, binding) = scope.get(index)?;
    let outer = match binding {
        Binding::Term(_, count) => scope.get(..*count)?,
        _ => scope,
    };
    Some((binding, outer))
}

/// Returns the literal as JSON.
pub(super) fn literal(literal: &Literal) -> Option<Value> {
    Some(match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => json!(value),
        Literal::Int(value) => json!(value),
        Literal::Uint(value) => json!(value),
        Literal::Double(value) => json!(value),
        Literal::String(value) => json!(value),
        _ => return None,
    })
}

/// Returns the argument of a function that converts a value.
pub(super) fn converted(ast: &Ast) -> Option<&Ast> {
    match &ast.kind {
        AstKind::Call {
            function,
            target: None,
            args,
        } if CONVERSIONS.contains(&function.as_str()) => args.first(),
        AstKind::Call {
            function,
            target: Some(target),
            args,
        } => match (function.as_str(), &target.kind, args.as_slice()) {
            ("value", _, []) => Some(target),
            ("of" | "ofNonZeroValue", AstKind::Ident(name), [arg]) if name == "optional" => {
                Some(arg)
            }
            _ => None,
        },
        _ => None,
    }
}

impl Solver {
    /// Returns the place that a term reads; `None` if the term is not a place.
    pub(super) fn place(&self, ast: &Ast, scope: &Scope<'_>, state: &Value) -> Option<FieldPath> {
        if !self.takes_read() {
            return None;
        }
        match &ast.kind {
            AstKind::Ident(name) => {
                // `oldSelf` is read as `self`, because one value is searched.
                let name = if name == "oldSelf" { SELF } else { name };
                match binding(name, scope) {
                    Some((Binding::Place(place), _)) => Some(place.clone()),
                    Some((Binding::Term(ast, _), outer)) => {
                        self.follow_term(|| self.place(ast, outer, state))
                    }
                    Some((Binding::Constant(_), _)) => None,
                    None => (name == SELF).then(|| FieldPath::root().field(SELF)),
                }
            }
            AstKind::Select { operand, field, .. } => {
                let operand = self.place(operand, scope, state)?;
                Some(operand.field(&json_name(field)))
            }
            AstKind::Call { function, args, .. } => match (function.as_str(), args.as_slice()) {
                ("_?._" | "_[_]" | "_[?_]", [operand, key]) => {
                    let operand = self.place(operand, scope, state)?;
                    match self.value(key, scope, state)? {
                        Value::String(name) if function == "_?._" => {
                            Some(operand.field(&json_name(&name)))
                        }
                        Value::String(key) => Some(operand.key(&key)),
                        index => {
                            let index = usize::try_from(index.as_u64()?).ok()?;
                            Some(operand.index(index))
                        }
                    }
                }
                _ => self.place(converted(ast)?, scope, state),
            },
            _ => None,
        }
    }

    /// Returns the value of a term that does not depend on the state.
    pub(super) fn constant(&self, ast: &Ast, scope: &Scope<'_>) -> Option<Value> {
        if !self.takes_read() {
            return None;
        }
        match &ast.kind {
            AstKind::Literal(value) => literal(value),
            AstKind::Ident(name) => match binding(name, scope)? {
                (Binding::Constant(value), _) => Some(value.clone()),
                (Binding::Term(ast, _), outer) => self.follow_term(|| self.constant(ast, outer)),
                (Binding::Place(_), _) => None,
            },
            AstKind::List(elements) => {
                let values = elements.iter().map(|it| self.constant(&it.value, scope));
                values.collect::<Option<Vec<_>>>().map(Value::from)
            }
            AstKind::Call { function, args, .. } => match (function.as_str(), args.as_slice()) {
                ("-_", [number]) => {
                    let number = self.constant(number, scope)?.as_i64()?;
                    number.checked_neg().map(Value::from)
                }
                _ => self.constant(converted(ast)?, scope),
            },
            _ => None,
        }
    }

    /// Returns the value of a term in a state; `None` if it is absent or not known.
    pub(super) fn value(&self, ast: &Ast, scope: &Scope<'_>, state: &Value) -> Option<Value> {
        if let Some(value) = self.constant(ast, scope) {
            return Some(value);
        }
        if let Some(measured) = measured(ast) {
            return size(&self.value(measured, scope, state)?).map(Value::from);
        }
        let place = self.place(ast, scope, state)?;
        place.find(state).cloned()
    }
}

/// Returns the term whose size a term is.
pub(super) fn measured(ast: &Ast) -> Option<&Ast> {
    match &ast.kind {
        AstKind::Call {
            function,
            target,
            args,
        } if function == "size" => target.as_deref().or_else(|| args.first()),
        _ => None,
    }
}

/// Returns the size of a value in CEL.
pub(super) fn size(value: &Value) -> Option<usize> {
    match value {
        Value::String(string) => Some(string.chars().count()),
        Value::Array(items) => Some(items.len()),
        Value::Object(fields) => Some(fields.len()),
        _ => None,
    }
}
