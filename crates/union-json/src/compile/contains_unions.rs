//! The search for the schemas that lead to unions, and the check that schemas that apply to some
//! values only do not contain unions.

use serde_json::Value;

use crate::compile::node_compiler::NodeCompiler;
use crate::compile::schema_graph::{SchemaGraph, SchemaId};
use crate::document::message_format::format_value;
use crate::error::SchemaError;
use k8s_json_internals::rows::{row, row_mut};

impl NodeCompiler<'_, '_> {
    /// Returns a list with an entry for each schema, which is true if the schema has unions or
    /// leads to schemas with unions.
    pub(crate) fn find_schemas_with_unions(&self) -> Result<Vec<bool>, SchemaError> {
        let mut before: Vec<Vec<SchemaId>> = vec![Vec::new(); self.graph.len()];
        let mut waiting = Vec::new();
        for id in self.graph.ids() {
            let schema = self.graph.schema(id);
            let fields = schema.fields.iter().map(|(_, id)| *id);
            let next = fields
                .chain(schema.items)
                .chain(schema.additional_properties);
            for next in next.chain(schema.combined.iter().chain(&schema.conditional).copied()) {
                row_mut(&mut before, next).push(id);
            }
            if self.policy.or_default(self.has_unions(id))? {
                waiting.push(id);
            }
        }
        let mut leads = vec![false; self.graph.len()];
        while let Some(id) = waiting.pop() {
            if !std::mem::replace(row_mut(&mut leads, id), true) {
                waiting.extend(row(&before, id));
            }
        }
        Ok(leads)
    }

    /// Returns true if a schema itself has unions.
    ///
    /// Returns an error if an extension is neither an object nor a list, or if an extension in the
    /// shape of 2022 is on a schema that is not a property.
    fn has_unions(&self, id: SchemaId) -> Result<bool, SchemaError> {
        let schema = self.graph.schema(id);
        let wrong =
            |id: SchemaId, problem: &str| Err(self.extension_error(id, None, problem.to_owned()));
        let is_property = |id: SchemaId| self.extension_2022(id).map(|found| found.is_some());
        let no_property = schema.items.into_iter().chain(schema.additional_properties);
        let start = (id == SchemaGraph::START).then_some(id);
        for id in no_property.chain(start) {
            if let Some((id, _)) = self.extension_2022(id)? {
                return wrong(
                    id,
                    "`x-kubernetes-unions` with `fieldMembers` must be on the property of the \
                     discriminator; move it there",
                );
            }
        }
        if let Some(extension) = schema.extension
            && !extension.is_object()
            && !extension.is_array()
        {
            return wrong(
                id,
                &format!(
                    "`x-kubernetes-unions` is {}; expected an object with `fieldMembers` on a \
                     discriminator's property, or a list of unions on an object",
                    format_value(extension)
                ),
            );
        }
        if schema.extension.is_some_and(Value::is_array)
            || !self.source.unions_of(schema.object).is_empty()
        {
            return Ok(true);
        }
        for (_, field) in &schema.fields {
            if is_property(*field)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns an error if a schema that applies to some values only has unions or leads to unions.
    pub(crate) fn reject_conditional_unions(&self, leads: &[bool]) -> Result<(), SchemaError> {
        for id in self.graph.ids() {
            for maybe in &self.graph.schema(id).conditional {
                if *row(leads, *maybe) || self.extension_2022(*maybe)?.is_some() {
                    let keyword = self.graph.keyword(*maybe);
                    self.policy.handle(SchemaError::new(
                        self.graph.pointer(*maybe),
                        format!(
                            "unions are not supported under `{keyword}`, which applies only to \
                             some objects; move the properties with unions out of it"
                        ),
                    ))?;
                }
            }
        }
        Ok(())
    }
}
