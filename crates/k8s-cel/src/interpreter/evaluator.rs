//! Runs programs over JSON values.

use core::fmt;

use serde_json::Value;

use crate::interpreter::answer::Answer;
use crate::interpreter::machine::Machine;
use crate::interpreter::program::Program;
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::values::convert::{DEEPEST, convert, native};
use crate::values::value::{Fault, Val};

/// Runs programs, one after the other. It keeps room for variables, so that it borrows from what it has seen: make one for as long as
/// the values live. It costs nothing to make.
pub struct Evaluator<'v> {
    machine: Machine<'v>,
}

/// A JSON value as a variable of a program: what is not of its declared type fails where the program reads it.
#[derive(Clone, Debug)]
pub struct Operand<'v> {
    value: Option<&'v Value>,
    converted: Result<Val<'v>, Fault>,
}

/// A run of a program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Evaluation<'v> {
    /// What the program came to, or why it came to nothing.
    pub result: Result<Answer<'v>, Fault>,
    /// What it cost, as an API server counts; where it failed, up to there.
    pub cost: u64,
}

impl<'v> Evaluator<'v> {
    /// For programs that were compiled with these declared types.
    #[must_use]
    pub const fn new(declared: &'v DeclaredTypes) -> Self {
        Self {
            machine: Machine::new(declared),
        }
    }

    /// Runs a program.
    ///
    /// `this` is `self`, and `old` is `oldSelf`: without it, a program that asks for it comes to an error. A run that costs more than
    /// `limit` is stopped; a server's is [`CALL_LIMIT`](crate::cost::CALL_LIMIT).
    ///
    /// A program that was compiled with other declared types comes to something, but not to what a server says.
    pub fn run(
        &mut self,
        program: &'v Program,
        this: &Operand<'v>,
        old: Option<&Operand<'v>>,
        limit: u64,
    ) -> Evaluation<'v> {
        let old = old.map(|old| &old.converted);
        let machine = &mut self.machine;
        machine.prepare(program, &this.converted, old, limit);
        let result = if program.is_truth {
            match machine.decided(&program.code) {
                Ok(value) => Ok(Answer(Val::Bool(value))),
                Err(fault) => Err(fault),
            }
        } else {
            machine.eval(&program.code).map(Answer)
        };
        Evaluation {
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

impl<'v> Operand<'v> {
    /// A value of the declared type at a place of the table: [`DeclaredTypes::ROOT`] for the outermost one.
    #[must_use]
    pub fn new(declared: &DeclaredTypes, value: &'v Value, declaration: DeclaredId) -> Self {
        Self {
            value: Some(value),
            converted: convert(declared, value, declaration),
        }
    }

    /// The optional value that is absent: `oldSelf` on a create, where [`Environment::optional_old_self`] is set.
    ///
    /// [`Environment::optional_old_self`]: crate::Environment::optional_old_self
    #[must_use]
    pub const fn none() -> Self {
        Self {
            value: None,
            converted: Ok(Val::Optional(None)),
        }
    }

    /// The optional value that has this one: `oldSelf` on an update, where [`Environment::optional_old_self`] is set.
    ///
    /// [`Environment::optional_old_self`]: crate::Environment::optional_old_self
    #[must_use]
    pub fn into_optional(self) -> Self {
        let converted = match self.converted {
            // The server unwraps an optional list or object down to plain JSON, whatever its schema says.
            Ok(Val::Items(..) | Val::Object(..) | Val::Unknown(_)) => match self.value {
                Some(value) => Ok(Val::some(native(value, DEEPEST))),
                None => Ok(Val::Optional(None)),
            },
            Ok(scalar) => Ok(Val::some(scalar)),
            Err(Fault::Error(text)) => Ok(Val::some(Val::Fault(text))),
            Err(fault) => Err(fault),
        };
        Self { converted, ..self }
    }
}
