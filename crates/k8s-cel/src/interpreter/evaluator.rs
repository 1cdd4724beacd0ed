//! Runs programs over JSON values.

use core::fmt;

use serde_json::Value;

use crate::interpreter::cel_value::CelValue;
use crate::interpreter::interpreter::Interpreter;
use crate::interpreter::program::Program;
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::types::feature::Feature;
use crate::types::version::KubeVersion;
use crate::values::from_json::{MAX_DEPTH, convert, native_to_value};
use crate::values::value::{EvalError, Val};

/// An evaluator, which runs programs one after the other. All runs share the memory of variables,
/// so the evaluator borrows their values until it is dropped. Creating an evaluator does not
/// allocate.
pub struct Evaluator<'v> {
    interpreter: Interpreter<'v>,
}

/// A JSON value that a program can read as a variable. If the value does not have its declared
/// type, the program fails when it reads the variable.
#[derive(Clone, Debug)]
pub struct Binding<'v> {
    value: Option<&'v Value>,
    version: KubeVersion,
    converted: Result<Val<'v>, EvalError>,
}

/// The result and the cost of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EvalResult<'v> {
    /// The value that the program returned, or the error.
    pub result: Result<CelValue<'v>, EvalError>,
    /// The cost as an API server counts it. After an error, the cost up to the error.
    pub cost: u64,
}

impl<'v> Evaluator<'v> {
    /// Returns an evaluator for programs that were compiled with these declared types.
    #[must_use]
    pub const fn new(declared_types: &'v DeclaredTypes) -> Self {
        Self {
            interpreter: Interpreter::new(declared_types),
        }
    }

    /// Runs a program.
    ///
    /// `self_binding` is the value of `self`, and `old_self` is the value of `oldSelf`. A program
    /// that reads `oldSelf` fails if `old_self` is `None`. A run fails if it costs more than
    /// `limit`; the limit of a server is [`PER_CALL_LIMIT`](crate::cost::PER_CALL_LIMIT).
    ///
    /// The program must have been compiled with the declared types of the evaluator; otherwise, the
    /// result is meaningless.
    pub fn run(
        &mut self,
        program: &'v Program,
        self_binding: &Binding<'v>,
        old_self: Option<&Binding<'v>>,
        limit: u64,
    ) -> EvalResult<'v> {
        let old_self = old_self.map(|binding| &binding.converted);
        let interpreter = &mut self.interpreter;
        interpreter.prepare(program, &self_binding.converted, old_self, limit);
        let result = if program.is_bool {
            match interpreter.eval_bool(&program.root) {
                Ok(value) => Ok(CelValue(Val::Bool(value))),
                Err(error) => Err(error),
            }
        } else {
            interpreter.eval(&program.root).map(CelValue)
        };
        EvalResult {
            result,
            cost: interpreter.cost(),
        }
    }
}

impl fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluator").finish_non_exhaustive()
    }
}

impl<'v> Binding<'v> {
    /// Returns a binding for a value of a declared type; [`DeclaredTypes::ROOT`] is the outermost
    /// type.
    #[must_use]
    pub fn new(declared_types: &DeclaredTypes, value: &'v Value, declaration: DeclaredId) -> Self {
        Self {
            value: Some(value),
            version: declared_types.server_version(),
            converted: convert(declared_types, value, declaration),
        }
    }

    /// Returns a binding for a JSON value without a declared type, such as the parameters of an
    /// admission policy. Numbers, strings, lists and maps have their JSON types, whatever type the
    /// variable has. Values below 200 levels become null.
    #[must_use]
    pub fn untyped(value: &'v Value) -> Self {
        Self {
            value: Some(value),
            version: KubeVersion::LATEST,
            converted: Ok(native_to_value(value, MAX_DEPTH)),
        }
    }

    /// Returns a binding for the absent optional value: `oldSelf` on a create, if
    /// [`Environment::optional_old_self`] is set.
    ///
    /// [`Environment::optional_old_self`]: crate::Environment::optional_old_self
    #[must_use]
    pub const fn none() -> Self {
        Self {
            value: None,
            version: KubeVersion::LATEST,
            converted: Ok(Val::Optional(None)),
        }
    }

    /// Returns the binding with its value as a present optional value: `oldSelf` on an update, if
    /// [`Environment::optional_old_self`] is set.
    ///
    /// [`Environment::optional_old_self`]: crate::Environment::optional_old_self
    #[must_use]
    pub fn into_optional(self) -> Self {
        let converted = match self.converted {
            // An older server converts an optional list or object to plain JSON, regardless of the
            // schema.
            Ok(Val::JsonList(..) | Val::JsonObject(..) | Val::Unstructured(_))
                if !self.version.has(Feature::OldSelfSchema) =>
            {
                match self.value {
                    Some(value) => Ok(Val::some(native_to_value(value, MAX_DEPTH))),
                    None => Ok(Val::Optional(None)),
                }
            }
            Ok(scalar) => Ok(Val::some(scalar)),
            Err(EvalError::Expression(message)) => Ok(Val::some(Val::Error(message))),
            Err(error) => Err(error),
        };
        Self { converted, ..self }
    }
}
