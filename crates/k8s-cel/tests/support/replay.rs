//! Our answers to recorded expressions, in the form of the program `tests/reference/expressions`.
//! The recorder and the fuzz target `recorded` share this file.

use std::collections::HashMap;

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, DeclaredTypes, Environment, Evaluator, KubeVersion};
use serde_json::{Value, json};

use crate::declared;

/// The declared types of the schemas that were used so far, by their names.
#[derive(Default)]
pub(crate) struct Replay {
    declared: HashMap<String, (Value, DeclaredTypes)>,
}

impl Replay {
    /// Returns the schema of a definition as JSON, and our declaration of its types.
    pub(crate) fn declared(&mut self, definition: &Value) -> &(Value, DeclaredTypes) {
        let name = definition["schema"].as_str().unwrap_or("unbounded");
        self.declared
            .entry(name.to_owned())
            .or_insert_with(|| declared::schema(name == "bounded").expect("a schema"))
    }

    /// Returns our answer to the expression of `question`.
    pub(crate) fn answer(&mut self, definition: &Value, question: &Value) -> Value {
        let has_optional_old_self = definition["optionalOldSelf"] == true;
        let version: KubeVersion = definition["version"]
            .as_str()
            .and_then(|version| version.parse().ok())
            .unwrap_or(KubeVersion::LATEST);
        let (_, types) = self.declared(definition);
        let environment = Environment::new(types, DeclaredTypes::ROOT)
            .optional_old_self(has_optional_old_self)
            .libraries(version);
        let program = match environment.compile(question["expression"].as_str().unwrap_or("")) {
            Ok(program) => program,
            Err(error) => return json!({"compile": error.to_string()}),
        };
        let this = Binding::new(types, &question["self"], DeclaredTypes::ROOT);
        let old = question.get("oldSelf").filter(|old| !old.is_null());
        let old = old.map(|old| Binding::new(types, old, DeclaredTypes::ROOT));
        let old = match old {
            old if !has_optional_old_self => old,
            Some(old) => Some(old.into_optional()),
            None => Some(Binding::none()),
        };
        let evaluation = Evaluator::new(types).run(&program, &this, old.as_ref(), PER_CALL_LIMIT);
        let mut answer = json!({
            "type": program.ty().to_string(),
            "estimate": program.max_cost(),
            "cost": evaluation.cost,
        });
        match evaluation.result {
            Ok(value) => answer["value"] = value.to_typed_string(types).into(),
            Err(error) => answer["error"] = error.to_string().into(),
        }
        answer
    }
}
