//! Finds the schemas that contain unions, and rejects unions in schemas that apply only to some
//! values.

use serde_json::Value;

use crate::compile::node_compiler::NodeCompiler;
use crate::compile::schema_graph::{SchemaGraph, SchemaId};
use crate::document::message_format::format_value;
use crate::error::SchemaError;
use k8s_json_internals::rows::{row, row_mut};

impl NodeCompiler<'_, '_> {
    /// Returns a flag for each schema: true if the schema contains unions, itself or through other
    /// schemas.
    pub(crate) fn find_schemas_with_unions(&self) -> Result<Vec<bool>, SchemaError> {
        let mut parents: Vec<Vec<SchemaId>> = vec![Vec::new(); self.graph.len()];
        let mut pending = Vec::new();
        for id in self.graph.ids() {
            let schema = self.graph.schema(id);
            let fields = schema.fields.iter().map(|(_, id)| *id);
            let subschemas = fields
                .chain(schema.items)
                .chain(schema.additional_properties)
                .chain(schema.combined_schemas.iter().copied())
                .chain(schema.conditional_schemas.iter().copied());
            for subschema in subschemas {
                row_mut(&mut parents, subschema).push(id);
            }
            if self.policy.or_default(self.has_unions(id))? {
                pending.push(id);
            }
        }
        let mut contains_unions = vec![false; self.graph.len()];
        while let Some(id) = pending.pop() {
            if !std::mem::replace(row_mut(&mut contains_unions, id), true) {
                pending.extend(row(&parents, id));
            }
        }
        Ok(contains_unions)
    }

    /// Returns true if a schema itself has unions.
    ///
    /// Returns an error if an extension is neither an object nor a list, or if an extension in the
    /// shape of 2022 is on a schema that is not a property.
    fn has_unions(&self, id: SchemaId) -> Result<bool, SchemaError> {
        let schema = self.graph.schema(id);
        let error =
            |id: SchemaId, problem: &str| Err(self.extension_error(id, None, problem.to_owned()));
        let items = schema.items.into_iter();
        let root = (id == SchemaGraph::START).then_some(id);
        // An extension in the shape of 2022 is invalid on these schemas, which are not properties.
        for id in items.chain(schema.additional_properties).chain(root) {
            if let Some((id, _)) = self.extension_2022(id)? {
                return error(
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
            return error(
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
            if self.extension_2022(*field)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns an error if a schema that applies only to some values contains unions.
    /// `contains_unions` is the result of
    /// [`find_schemas_with_unions`](Self::find_schemas_with_unions).
    pub(crate) fn reject_conditional_unions(
        &self,
        contains_unions: &[bool],
    ) -> Result<(), SchemaError> {
        for id in self.graph.ids() {
            for conditional_id in &self.graph.schema(id).conditional_schemas {
                if *row(contains_unions, *conditional_id)
                    || self.extension_2022(*conditional_id)?.is_some()
                {
                    let keyword = self.graph.keyword(*conditional_id);
                    self.policy.handle(SchemaError::new(
                        self.graph.pointer(*conditional_id),
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
