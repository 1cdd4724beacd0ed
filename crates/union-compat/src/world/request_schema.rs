//! Finds the schemas of the values in the object of a request.

use crd_compat::schema_path;
use serde_json::Value;
use union_json::document::SchemaPath;
use union_runtime::path::PathStep;

/// The schema of a value in the object of a request.
#[derive(Clone, Copy)]
pub(crate) struct RequestSchema<'a> {
    pub(crate) schema: &'a Value,
    /// The path of the schema in the schema of its version; `None` for the whole schema.
    pub(crate) path: Option<&'a SchemaPath>,
    /// The number of steps to the value in the object of the request.
    pub(crate) outer_steps: usize,
}

impl RequestSchema<'_> {
    /// Returns the path in the schema of the version for a path in the object of the request.
    pub(crate) fn place<'p>(&self, steps: impl Iterator<Item = PathStep<'p>>) -> SchemaPath {
        let inner = schema_path(self.schema, steps.skip(self.outer_steps));
        let outer = self.path.cloned().unwrap_or_default();
        inner.steps().fold(outer, SchemaPath::step)
    }

    /// Returns the text of a rule at a path in the object of the request.
    pub(crate) fn rule<'p>(
        &self,
        steps: impl Iterator<Item = PathStep<'p>>,
        index: usize,
    ) -> Option<String> {
        let place = schema_path(self.schema, steps.skip(self.outer_steps));
        let rules = place.find(self.schema)?.get("x-kubernetes-validations")?;
        let rule = rules.get(index)?.get("rule")?.as_str()?;
        Some(rule.to_owned())
    }
}
