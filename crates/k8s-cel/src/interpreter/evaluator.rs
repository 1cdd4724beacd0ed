//! Runs programs over JSON values.

use core::fmt;

use serde_json::Value;

use crate::interpreter::cel_value::CelValue;
use crate::interpreter::interpreter::Interpreter;
use crate::interpreter::program::Program;
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::values::from_json::{MAX_DEPTH, convert, native_to_value};
use crate::values::value::{EvalError, Val};

/// An evaluator runs programs, one after the other. It reuses the space for variables, so it
/// borrows from all values that it has seen: create an evaluator for as long as the values live.
/// The creation is free.
pub struct Evaluator<'v> {
    interpreter: Interpreter<'v>,
}

/// A JSON value as a variable of a program. A value that is not of its declared type fails when the
/// program reads it.
#[derive(Clone, Debug)]
pub struct Binding<'v> {
    value: Option<&'v Value>,
    converted: Result<Val<'v>, EvalError>,
}

/// The result of a run of a program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EvalResult<'v> {
    /// The result of the program, or the reason for a failure.
    pub result: Result<CelValue<'v>, EvalError>,
    /// The cost, as an API server counts it; after a failure, the cost up to the failure.
    pub cost: u64,
}

impl<'v> Evaluator<'v> {
    /// Returns an evaluator for programs that were compiled with these declared types.
    #[must_use]
    pub const fn new(declared: &'v DeclaredTypes) -> Self {
        Self {
            interpreter: Interpreter::new(declared),
        }
    }

    /// Runs a program.
    ///
    /// `this` is `self`, and `old` is `oldSelf`: without `old`, a program that reads `oldSelf`
    /// fails. A run that costs more than `limit` is stopped; the limit of a server is
    /// [`PER_CALL_LIMIT`](crate::cost::PER_CALL_LIMIT).
    ///
    /// The result of a program that was compiled with other declared types is not meaningful.
    pub fn run(
        &mut self,
        program: &'v Program,
        this: &Binding<'v>,
        old: Option<&Binding<'v>>,
        limit: u64,
    ) -> EvalResult<'v> {
        let old = old.map(|old| &old.converted);
        let machine = &mut self.interpreter;
        machine.prepare(program, &this.converted, old, limit);
        let result = if program.is_bool {
            match machine.eval_bool(&program.root) {
                Ok(value) => Ok(CelValue(Val::Bool(value))),
                Err(fault) => Err(fault),
            }
        } else {
            machine.eval(&program.root).map(CelValue)
        };
        EvalResult {
            result,
            cost: machine.cost(),
        }
    }
}

impl fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluator").finish_non_exhaustive()
    }
}

impl<'v> Binding<'v> {
    /// Returns a value of a declared type of the table: [`DeclaredTypes::ROOT`] is the outermost
    /// type.
    #[must_use]
    pub fn new(declared: &DeclaredTypes, value: &'v Value, declaration: DeclaredId) -> Self {
        Self {
            value: Some(value),
            converted: convert(declared, value, declaration),
        }
    }

    /// Returns the absent optional value: `oldSelf` on a create, if
    /// [`Environment::optional_old_self`] is set.
    ///
    /// [`Environment::optional_old_self`]: crate::Environment::optional_old_self
    #[must_use]
    pub const fn none() -> Self {
        Self {
            value: None,
            converted: Ok(Val::Optional(None)),
        }
    }

    /// Returns an optional value that contains this value: `oldSelf` on an update, if
    /// [`Environment::optional_old_self`] is set.
    ///
    /// [`Environment::optional_old_self`]: crate::Environment::optional_old_self
    #[must_use]
    pub fn into_optional(self) -> Self {
        let converted = match self.converted {
            // The server converts an optional list or object to plain JSON, for any schema.
            Ok(Val::JsonList(..) | Val::JsonObject(..) | Val::Unstructured(_)) => {
                match self.value {
                    Some(value) => Ok(Val::some(native_to_value(value, MAX_DEPTH))),
                    None => Ok(Val::Optional(None)),
                }
            }
            Ok(scalar) => Ok(Val::some(scalar)),
            Err(EvalError::Expression(text)) => Ok(Val::some(Val::Error(text))),
            Err(fault) => Err(fault),
        };
        Self { converted, ..self }
    }
}
