//! The evaluator of whole custom resources in this workspace, as a server that validates objects.

use std::error::Error;

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};

use crate::judged::Server;

pub(crate) struct Evaluator;

impl Server for Evaluator {
    fn create(
        &mut self,
        schema: &Value,
        objects: &[Value],
    ) -> Result<Vec<Option<Value>>, Box<dyn Error>> {
        let whole = json!({"type": "object", "properties": {"spec": schema}});
        let compiled =
            StructuralSchema::compile(&whole).map_err(|errors| format!("{errors}\n{schema}"))?;
        let settings = ServerSettings::default();
        let answers = objects.iter().map(|object| {
            let mut request = json!({"spec": object});
            let outcome = compiled.create(&mut request, &settings);
            outcome.is_accepted().then(|| request["spec"].take())
        });
        Ok(answers.collect())
    }
}
