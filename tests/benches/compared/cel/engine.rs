//! The crates that evaluate CEL.

use std::collections::HashMap;
use std::sync::Arc;

use cel::objects::OptionalValue;
use cel::{Context, Env, ExecutionError, Value as CelCrateValue, extensions};
use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, DeclaredTypes, Environment, Evaluator};
use kube_cel::{CompiledSchema, ErrorKind, Validator};
use serde_json::Value;

use super::case::{Answer, Case};
use crate::declared;

/// A crate that evaluates CEL.
pub(crate) trait Engine: 'static {
    /// The name of the crate.
    const NAME: &'static str;
    /// The name of the part of the report that compares `k8s-cel` with this crate.
    const REPORT_PART: &'static str;

    type Program;

    fn new() -> Self;

    /// Compiles the expression, or returns `None` if the crate refuses it.
    fn compile(&self, case: &Case) -> Option<Self::Program>;

    /// Does the part of `compile` that is the same for each expression, because the crate has no
    /// function for an expression alone.
    fn compile_nothing(&self) {}

    /// Evaluates a program, beginning with the JSON of its values.
    fn evaluate(&self, program: &Self::Program, case: &Case) -> Answer;

    fn answer(&self, case: &Case) -> Answer {
        let program = self.compile(case);
        program.map_or(Answer::Refused, |program| self.evaluate(&program, case))
    }
}

pub(crate) struct K8sCel {
    types: DeclaredTypes,
}

impl Engine for K8sCel {
    const NAME: &'static str = "k8s-cel";
    const REPORT_PART: &'static str = "CEL";

    type Program = k8s_cel::Program;

    fn new() -> Self {
        let (_, types) = declared::schema(false).expect("a schema");
        Self { types }
    }

    fn compile(&self, case: &Case) -> Option<Self::Program> {
        let environment = Environment::new(&self.types, DeclaredTypes::ROOT)
            .optional_old_self(case.has_optional_old_self);
        environment.compile(&case.expression).ok()
    }

    fn evaluate(&self, program: &Self::Program, case: &Case) -> Answer {
        let bind = |value| Binding::new(&self.types, value, DeclaredTypes::ROOT);
        let this = bind(&case.this);
        let old = match case.old.as_ref().map(bind) {
            old if !case.has_optional_old_self => old,
            Some(old) => Some(old.into_optional()),
            None => Some(Binding::none()),
        };
        let evaluation =
            Evaluator::new(&self.types).run(program, &this, old.as_ref(), PER_CALL_LIMIT);
        let result = evaluation.result.ok().and_then(|value| value.as_bool());
        result.map_or(Answer::Error, Answer::Bool)
    }
}

/// The crate `cel`, with all of its extensions. It has no schemas, so the strings of `self` stay
/// strings, whatever their formats are.
pub(crate) struct CelCrate {
    env: Arc<Env>,
}

impl Engine for CelCrate {
    const NAME: &'static str = "cel";
    const REPORT_PART: &'static str = "CEL, cel";

    type Program = cel::Program;

    fn new() -> Self {
        let mut env = Env::stdlib();
        let extensions = [
            extensions::encoders,
            extensions::lists,
            extensions::math,
            extensions::strings,
        ];
        for extension in extensions {
            env.add_extension(extension).expect("a new extension");
        }
        Self { env: Arc::new(env) }
    }

    fn compile(&self, case: &Case) -> Option<Self::Program> {
        self.env.compile(&case.expression).ok()
    }

    fn evaluate(&self, program: &Self::Program, case: &Case) -> Answer {
        let mut context = Context::with_env(Arc::clone(&self.env));
        context.add_variable_from_value("self", cel_crate_value(&case.this));
        let old = case.old.as_ref().map(cel_crate_value);
        if case.has_optional_old_self {
            let old = old.map_or_else(OptionalValue::none, OptionalValue::of);
            context.add_variable_from_value("oldSelf", CelCrateValue::Opaque(Arc::new(old)));
        } else if let Some(old) = old {
            context.add_variable_from_value("oldSelf", old);
        }
        match program.execute(&context) {
            Ok(CelCrateValue::Bool(value)) => Answer::Bool(value),
            // The crate looks functions up when it evaluates them.
            Err(ExecutionError::UndeclaredReference(_)) => Answer::Refused,
            _ => Answer::Error,
        }
    }
}

/// Returns JSON as a value of the crate `cel`. Its own conversion makes each positive integer a
/// `uint`.
fn cel_crate_value(value: &Value) -> CelCrateValue {
    match value {
        Value::Null => CelCrateValue::Null,
        Value::Bool(value) => CelCrateValue::Bool(*value),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => CelCrateValue::Int(integer),
            None => CelCrateValue::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(string) => string.as_str().into(),
        Value::Array(elements) => elements
            .iter()
            .map(cel_crate_value)
            .collect::<Vec<_>>()
            .into(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.as_str(), cel_crate_value(value)))
            .collect::<HashMap<_, _>>()
            .into(),
    }
}

/// The crate `kube-cel`, by its functions for schemas with rules, which read formats.
pub(crate) struct KubeCel {
    validator: Validator,
    schema_without_rules: Value,
}

impl Engine for KubeCel {
    const NAME: &'static str = "kube-cel";
    const REPORT_PART: &'static str = "CEL, kube-cel";

    type Program = CompiledSchema;

    fn new() -> Self {
        let (schema_without_rules, _) = declared::schema(false).expect("a schema");
        Self {
            validator: Validator::new(),
            schema_without_rules,
        }
    }

    fn compile(&self, case: &Case) -> Option<Self::Program> {
        let compiled = kube_cel::compile_schema(&case.schema);
        let is_valid = compiled.validations.iter().all(Result::is_ok);
        is_valid.then_some(compiled)
    }

    fn compile_nothing(&self) {
        drop(kube_cel::compile_schema(&self.schema_without_rules));
    }

    fn evaluate(&self, program: &Self::Program, case: &Case) -> Answer {
        let result = self
            .validator
            .validate_compiled(program, &case.this, case.old.as_ref());
        let Err(errors) = result else {
            return Answer::Bool(true);
        };
        match errors.first().map(|error| &error.kind) {
            Some(ErrorKind::ValidationFailure) => Answer::Bool(false),
            Some(ErrorKind::CompilationFailure | ErrorKind::UnsupportedReference) => {
                Answer::Refused
            }
            _ => Answer::Error,
        }
    }
}
