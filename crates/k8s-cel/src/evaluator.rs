//! Runs programs over JSON values.

use serde_json::Value;

use crate::code::Program;
use crate::convert::{DEEPEST, convert, native};
use crate::machine::Machine;
use crate::shapes::{ShapeId, Shapes};
use crate::value::{Fault, Val};

/// Runs programs, one after the other.
pub struct Evaluator<'v> {
    machine: Machine<'v>,
}

/// A JSON value as a variable of a program: what is not of its shape fails where the program reads it.
#[derive(Clone, Debug)]
pub struct Operand<'v> {
    value: Option<&'v Value>,
    converted: Result<Val<'v>, Fault>,
}

/// What a program comes to.
#[derive(Clone, Debug)]
pub struct Answer<'v>(Val<'v>);

impl<'v> Evaluator<'v> {
    /// For programs that were compiled with these shapes.
    #[must_use]
    pub const fn new(shapes: &'v Shapes) -> Self {
        Self {
            machine: Machine::new(shapes),
        }
    }

    /// Runs a program, which may cost so much, and says what it cost.
    pub fn run(
        &mut self,
        program: &'v Program,
        this: &Operand<'v>,
        old: Option<Operand<'v>>,
        limit: u64,
    ) -> (Result<Answer<'v>, Fault>, u64) {
        let old = old.map(|old| old.converted);
        let (result, cost) = self.machine.run(program, &this.converted, old, limit);
        (result.map(Answer), cost)
    }
}

impl<'v> Operand<'v> {
    /// A value of a shape.
    #[must_use]
    pub fn new(shapes: &Shapes, value: &'v Value, shape: ShapeId) -> Self {
        Self {
            value: Some(value),
            converted: convert(shapes, value, shape),
        }
    }

    /// The optional value that is absent.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            value: None,
            converted: Ok(Val::Optional(None)),
        }
    }

    /// The optional value that has this one.
    #[must_use]
    pub fn into_optional(self) -> Self {
        let converted = match self.converted {
            // The server unwraps an optional list or object down to plain JSON, whatever its schema says.
            Ok(Val::Items(..) | Val::Object(..) | Val::Unknown(_)) => match self.value {
                Some(value) => Ok(Val::some(native(value, DEEPEST))),
                None => Ok(Val::Optional(None)),
            },
            Ok(scalar) => Ok(Val::some(scalar)),
            Err(Fault::Error(text)) => {
                let text =
                    format!("unsupported conversion to ref.Val: (*errors.errorString){text}");
                Ok(Val::some(Val::Fault(text.into())))
            }
            Err(fault) => Err(fault),
        };
        Self { converted, ..self }
    }
}

impl Answer<'_> {
    /// The truth value, where it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        self.0.as_bool()
    }

    /// The text, where it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Val::Text(text) => Some(text.as_str()),
            _ => None,
        }
    }
}
