//! The results of an expression that are compared, from our crate or from the reference.

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, DeclaredTypes, Environment, Evaluator, Feature, KubeVersion};
use serde_json::{Value, json};

use crate::case::Case;

/// The results of an expression. After an error, the later results are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) compile: String,
    pub(crate) ty: String,
    pub(crate) estimate: u64,
    pub(crate) value: String,
    pub(crate) error: String,
    pub(crate) cost: u64,
    pub(crate) panic: String,
}

impl Answer {
    /// Reads a result of the reference.
    pub(crate) fn read(value: &Value) -> Self {
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| value[key].as_u64().unwrap_or_default();
        Self {
            compile: text("compile"),
            ty: text("type"),
            estimate: number("estimate"),
            value: text("value"),
            error: text("error"),
            cost: number("cost"),
            panic: text("panic"),
        }
    }

    /// Returns our result.
    pub(crate) fn of(
        case: &Case,
        declared: &DeclaredTypes,
        optional_old_self: bool,
        version: KubeVersion,
    ) -> Self {
        let mut answer = Self::default();
        let environment = Environment::new(declared, DeclaredTypes::ROOT)
            .optional_old_self(optional_old_self)
            .libraries(version);
        let program = match environment.compile(&case.expression) {
            Ok(program) => program,
            Err(error) => {
                answer.compile = error.to_string();
                return answer;
            }
        };
        answer.ty = program.ty().to_string();
        if !declared.server_version().has(Feature::OptionalTypeName) {
            answer.ty = answer.ty.replace("optional_type(", "optional(");
        }
        if declared.server_version() < VERSION_29 {
            answer.ty = without_types_of_types(&answer.ty);
        }
        answer.estimate = program.max_cost();
        let this = Binding::new(declared, &case.this, DeclaredTypes::ROOT);
        let old = case
            .old
            .as_ref()
            .map(|old| Binding::new(declared, old, DeclaredTypes::ROOT));
        let old = match old {
            old if !optional_old_self => old,
            Some(old) => Some(old.into_optional()),
            None => Some(Binding::none()),
        };
        let evaluation =
            Evaluator::new(declared).run(&program, &this, old.as_ref(), PER_CALL_LIMIT);
        answer.cost = evaluation.cost;
        match evaluation.result {
            Ok(value) => answer.value = value.to_typed_string(declared),
            Err(fault) => answer.error = fault.to_string(),
        }
        answer
    }

    /// Returns the names of the results that differ.
    pub(crate) fn differing(&self, other: &Self) -> Vec<&'static str> {
        let parts = [
            ("compile", self.compile != other.compile),
            ("type", self.ty != other.ty),
            ("estimate", self.estimate != other.estimate),
            ("value", self.value != other.value),
            ("error", self.error != other.error),
            ("cost", self.cost != other.cost),
            ("panic", self.panic != other.panic),
        ];
        parts
            .into_iter()
            .filter(|part| part.1)
            .map(|part| part.0)
            .collect()
    }

    /// Returns true if more than a message differs: one side fails, or has another type, value or
    /// cost.
    pub(crate) fn is_another_verdict(&self, other: &Self) -> bool {
        let without_messages = |answer: &Self| Self {
            compile: answer.compile.is_empty().to_string(),
            error: answer.error.is_empty().to_string(),
            ..answer.clone()
        };
        without_messages(self) != without_messages(other)
    }

    /// Formats the result for the output.
    pub(crate) fn show(&self) -> String {
        if self.compile.is_empty() {
            let mut shown = json!({"type": self.ty, "estimate": self.estimate, "cost": self.cost});
            for (key, text) in [
                ("value", &self.value),
                ("error", &self.error),
                ("panic", &self.panic),
            ] {
                if !text.is_empty() {
                    shown[key] = text.as_str().into();
                }
            }
            shown.to_string()
        } else {
            self.compile.clone()
        }
    }
}

/// The first version whose checker infers the parameter of a `type(...)` type.
const VERSION_29: KubeVersion = Feature::OptFlatMap.since();

/// Replaces each `type(...)` in a type by `type(dyn)`.
fn without_types_of_types(ty: &str) -> String {
    let Some(start) = ty.find("type(") else {
        return ty.to_owned();
    };
    let (before, inner) = ty.split_at(start + "type(".len());
    let mut depth = 1;
    let end = inner.find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    });
    let after = end.map_or("", |end| &inner[end..]);
    format!("{before}dyn{}", without_types_of_types(after))
}
