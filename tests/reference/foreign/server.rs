//! Implements [`Server`] by the Go program of `../crd`, which calls the API server's code.

use std::error::Error;

use serde_json::{Value, json};

use crate::reference::Reference;
use crate::server_comparison::Server;

impl Server for Reference {
    fn create(
        &mut self,
        schema: &Value,
        objects: &[Value],
    ) -> Result<Vec<Option<Value>>, Box<dyn Error>> {
        let whole = json!({"type": "object", "properties": {"spec": schema}});
        // The schema is treated as the schema of a stored CRD, because a server limits the costs of
        // rules in a new CRD.
        let usage = self.ask(&json!({"use": {"schema": whole, "stored": true}}))?;
        if usage != json!({}) {
            return Err(format!("{usage}: {schema}").into());
        }
        let answers = objects.iter().map(|object| {
            let mut answer = self.ask(&json!({"op": "create", "new": {"spec": object}}))?;
            if answer.get("panic").is_some() {
                return Err(format!("{answer}: {object}: {schema}").into());
            }
            let errors = answer["errors"]
                .as_array()
                .ok_or("the answer has no list of errors")?;
            Ok(errors.is_empty().then(|| answer["object"]["spec"].take()))
        });
        answers.collect()
    }
}
