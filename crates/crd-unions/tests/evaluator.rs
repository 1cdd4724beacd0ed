//! The validator of this workspace (k8s-crd-validation) as a server that accepts or rejects
//! objects.

use std::error::Error;

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};

use crate::server_comparison::Server;

pub(crate) struct Evaluator;

impl Server for Evaluator {
    fn create(
        &mut self,
        schema: &Value,
        objects: &[Value],
    ) -> Result<Vec<Option<Value>>, Box<dyn Error>> {
        let root = json!({"type": "object", "properties": {"spec": schema}});
        let compiled =
            StructuralSchema::compile(&root).map_err(|errors| format!("{errors}\n{schema}"))?;
        let settings = ServerSettings::default();
        let stored = objects.iter().map(|object| {
            let mut request = json!({"spec": object});
            let outcome = compiled.create(&mut request, &settings);
            outcome.is_accepted().then(|| request["spec"].take())
        });
        Ok(stored.collect())
    }
}
