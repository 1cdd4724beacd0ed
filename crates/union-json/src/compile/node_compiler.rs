//! The second step of compilation: compiles a graph of schemas into nodes. A node merges all
//! schemas that are combined for one value. Only values that contain unions have a node.

use core::cell::{Cell, RefCell};
use std::collections::HashMap;

use serde_json::Value;

use crate::compile::annotated_schema::AnnotatedSchema;
use crate::compile::error_policy::ErrorPolicy;
use crate::compile::schema_graph::{SchemaGraph, SchemaId};
use crate::document::message_format::format_type;
use crate::error::SchemaError;
use crate::extension::object_unions;
use crate::extension::property_schemas::PropertySchemas;
use crate::extension::shape_2019::Entry2019;
use crate::limits::Limits;
use crate::walk::compiled_node::{CompiledNode, FieldTable, ListKeys, NodeId};
use k8s_json_internals::rows::{row, row_mut};
use union_runtime::schema_keys::UNIONS;
use union_runtime::spec::OwnedUnionSpec;

/// Compiles a graph into nodes. The first node is the node of the first schema. The result is empty
/// if the schema contains no unions.
pub(crate) fn compile_nodes(
    graph: &SchemaGraph<'_>,
    source: &AnnotatedSchema<'_>,
    limits: Limits,
    policy: &ErrorPolicy,
) -> Result<Vec<CompiledNode>, SchemaError> {
    let compiler = NodeCompiler {
        graph,
        source,
        limits,
        policy,
        used_schemas: RefCell::new(vec![false; graph.len()]),
        repeated_size: Cell::new(0),
    };
    let contains_unions = compiler.find_schemas_with_unions()?;
    compiler.reject_conditional_unions(&contains_unions)?;
    if !contains_unions
        .get(SchemaGraph::START as usize)
        .is_some_and(|contains| *contains)
    {
        return Ok(Vec::new());
    }
    let mut nodes = Vec::new();
    let mut node_ids = HashMap::from([(SchemaGraph::START, 0)]);
    let mut pending = vec![SchemaGraph::START];
    let mut index = 0;
    while let Some(id) = pending.get(index).copied() {
        index += 1;
        let mut node_id = |id: SchemaId| -> NodeId {
            *node_ids.entry(id).or_insert_with(|| {
                pending.push(id);
                // The conversion always succeeds, because there are at most as many nodes as
                // schemas.
                NodeId::try_from(pending.len() - 1).unwrap_or(NodeId::MAX)
            })
        };
        nodes.push(compiler.compile_node(id, &contains_unions, &mut node_id)?);
    }
    Ok(nodes)
}

/// The state of the compilation of a graph.
pub(crate) struct NodeCompiler<'g, 'v> {
    pub(crate) graph: &'g SchemaGraph<'v>,
    pub(crate) source: &'g AnnotatedSchema<'v>,
    limits: Limits,
    pub(crate) policy: &'g ErrorPolicy,
    /// A flag for each schema: true if the schema is part of a node.
    used_schemas: RefCell<Vec<bool>>,
    /// The total size of the schemas that are part of several nodes. The first use of a schema does
    /// not count.
    repeated_size: Cell<usize>,
}

impl<'v> NodeCompiler<'_, 'v> {
    /// Returns the ids of a schema and of all schemas that always apply to the same value, without
    /// duplicates.
    pub(crate) fn combined_schemas(&self, id: SchemaId) -> Result<Vec<SchemaId>, SchemaError> {
        let mut combined_schemas = vec![id];
        let mut index = 0;
        while let Some(schema_id) = combined_schemas.get(index).copied() {
            index += 1;
            for subschema in &self.graph.schema(schema_id).combined_schemas {
                if combined_schemas.contains(subschema) {
                    continue;
                }
                let max = self.limits.max_combined;
                if combined_schemas.len() >= max {
                    return Err(SchemaError::new(
                        self.graph.pointer(id),
                        format!(
                            "`$ref`, `allOf` and similar keywords combine more than {max} schemas \
                             here; combine fewer, or raise `Limits::max_combined`"
                        ),
                    ));
                }
                combined_schemas.push(*subschema);
            }
        }
        Ok(combined_schemas)
    }

    /// Creates an error in the extension of a schema. `index` is the index in the list of unions,
    /// for an extension in the shape of 2019.
    pub(crate) fn extension_error(
        &self,
        id: SchemaId,
        index: Option<usize>,
        problem: String,
    ) -> SchemaError {
        let schema = self.graph.schema(id);
        let mut pointer = self.graph.pointer(id);
        if !schema.object.contains_key(UNIONS) {
            let problem = match index {
                Some(index) => format!("union {index}: {problem}"),
                None => problem,
            };
            return SchemaError::new(
                pointer,
                format!("{problem} (in annotation {:?})", self.source.annotation),
            );
        }
        if let Some(index) = index {
            pointer = format!("{pointer}/{UNIONS}/{index}");
        }
        SchemaError::new(pointer, problem)
    }

    /// Returns the extension of a property in the shape of 2022, with the schema that contains it:
    /// the first of the combined schemas that has the extension.
    pub(crate) fn extension_2022(
        &self,
        property: SchemaId,
    ) -> Result<Option<(SchemaId, &'v Value)>, SchemaError> {
        let combined_schemas = self.combined_schemas(property)?;
        let mut extensions = combined_schemas.into_iter().filter_map(|id| {
            let extension = self.graph.schema(id).extension?;
            extension.is_object().then_some((id, extension))
        });
        Ok(extensions.next())
    }

    /// Compiles the node of a schema. `node_id` returns the number of the node of another schema.
    fn compile_node(
        &self,
        id: SchemaId,
        contains_unions: &[bool],
        node_id: &mut dyn FnMut(SchemaId) -> NodeId,
    ) -> Result<CompiledNode, SchemaError> {
        let combined_schemas = self.combined_schemas(id)?;
        let mut fields: Vec<(&str, SchemaId)> = Vec::new();
        let mut fields_by_name = HashMap::new();
        let mut property_names: Vec<Box<str>> = Vec::new();
        let mut node = CompiledNode::default();
        let [mut items, mut additional_properties] = [None; 2];
        for schema_id in &combined_schemas {
            let schema = self.graph.schema(*schema_id);
            self.add_property_names(*schema_id, &mut property_names)?;
            for keyword in ["additionalProperties", "patternProperties"] {
                node.is_open |= schema.object.get(keyword).is_some_and(Value::is_object);
            }
            for (name, field) in schema
                .fields
                .iter()
                .filter(|(_, id)| *row(contains_unions, *id))
            {
                match fields_by_name.insert(*name, *field) {
                    Some(previous) if previous != *field => {
                        self.reject_two_extensions(*field, previous)?;
                    }
                    Some(_) => {}
                    None => fields.push((name, *field)),
                }
            }
            for (slot, subschema) in [
                (&mut items, schema.items),
                (&mut additional_properties, schema.additional_properties),
            ] {
                let Some(subschema) = subschema.filter(|id| *row(contains_unions, *id)) else {
                    continue;
                };
                match slot.replace(subschema) {
                    Some(previous) if previous != subschema => {
                        self.reject_two_extensions(subschema, previous)?;
                    }
                    _ => {}
                }
            }
        }
        property_names.sort_unstable();
        property_names.dedup();
        // A schema that describes no fields allows all fields.
        node.is_open |= property_names.is_empty();
        node.unions = self.unions(&combined_schemas, &property_names)?;
        node.field_table = FieldTable::new(property_names, &node.unions);
        node.keys = match items {
            Some(items) => self
                .policy
                .or_default(self.list_keys(&combined_schemas, items))?,
            None => ListKeys::default(),
        };
        node.fields = fields
            .into_iter()
            .map(|(name, id)| (name.into(), node_id(id)))
            .collect();
        node.field_table.set_nodes(&node.fields);
        node.items = items.map(&mut *node_id);
        node.additional_properties = additional_properties.map(node_id);
        Ok(node)
    }

    /// Adds the names of the fields that a schema describes, including the fields that the schema
    /// describes only for some objects.
    fn add_property_names(
        &self,
        id: SchemaId,
        property_names: &mut Vec<Box<str>>,
    ) -> Result<(), SchemaError> {
        let mut add_names = |id: SchemaId| {
            self.count_use(id)?;
            if let Some(Value::Object(properties)) = self.graph.schema(id).object.get("properties")
            {
                property_names.extend(properties.keys().map(|name| name.as_str().into()));
            }
            Ok(())
        };
        add_names(id)?;
        for conditional_id in &self.graph.schema(id).conditional_schemas {
            let combined_schemas = self.combined_schemas(*conditional_id)?;
            combined_schemas.into_iter().try_for_each(&mut add_names)?;
        }
        Ok(())
    }

    /// Counts the use of a schema in a node. Returns an error if large schemas are used in too many
    /// nodes. A node merges all of its schemas, so the work grows with the number of references
    /// times the size of the schemas.
    fn count_use(&self, id: SchemaId) -> Result<(), SchemaError> {
        let is_first_use =
            !core::mem::replace(row_mut(&mut self.used_schemas.borrow_mut(), id), true);
        let max = self.limits.max_schemas;
        let schema = self.graph.schema(id);
        let size = |value: &Value| match value {
            Value::Array(values) => values.len(),
            Value::Object(values) => values.len(),
            _ => 1,
        };
        if !is_first_use {
            let object_size = schema.object.values().map(size).sum::<usize>();
            let extension_size = schema.extension.map_or(0, object_unions::extension_size);
            let repeated_size = self.repeated_size.get() + object_size + extension_size;
            self.repeated_size.set(repeated_size);
        }
        if self.repeated_size.get() <= max {
            return Ok(());
        }
        Err(SchemaError::new(
            self.graph.pointer(id),
            format!(
                "repeated references to this and other schemas expand to more than {max} fields \
                 and values; use fewer references, make the schemas smaller, or raise \
                 `Limits::max_schemas`"
            ),
        ))
    }

    /// Reports that two schemas declare the unions of the same value.
    fn reject_two_extensions(&self, id: SchemaId, other_id: SchemaId) -> Result<(), SchemaError> {
        let other = self.graph.pointer(other_id);
        self.policy.handle(SchemaError::new(
            self.graph.pointer(id),
            format!(
                "unions of the same value are declared here and in {other:?}; declare them in one of the two places"
            ),
        ))
    }

    /// Returns the unions of an object, in the order of the schema.
    fn unions(
        &self,
        combined_schemas: &[SchemaId],
        property_names: &[Box<str>],
    ) -> Result<Box<[OwnedUnionSpec]>, SchemaError> {
        let mut unions = object_unions::ObjectUnions::new(property_names);
        let is_required = |name: &str| {
            let required_lists = combined_schemas.iter().filter_map(|id| {
                let object = self.graph.schema(*id).object;
                object.get("required")?.as_array()
            });
            required_lists.flatten().any(|field| field == name)
        };
        for id in combined_schemas {
            for (name, field) in &self.graph.schema(*id).fields {
                let result =
                    self.add_2022(&mut unions, combined_schemas, (name, *field), &is_required);
                self.policy.or_default(result)?;
            }
        }
        for id in combined_schemas {
            let schema = self.graph.schema(*id);
            if let Some(Value::Array(list)) = schema.extension {
                for (index, entry) in list.iter().enumerate() {
                    let result = self.add_2019(&mut unions, combined_schemas, (*id, index), entry);
                    self.policy.or_default(result)?;
                }
            }
            for union in self.source.unions_of(schema.object) {
                let result = self.add_declared(&mut unions, combined_schemas, *id, union);
                self.policy.or_default(result)?;
            }
        }
        Ok(unions.finish())
    }

    /// Adds the union of the discriminator `field`, if the property has the extension in the shape
    /// of 2022.
    fn add_2022(
        &self,
        unions: &mut object_unions::ObjectUnions<'_>,
        combined_schemas: &[SchemaId],
        (name, field): (&str, SchemaId),
        is_required: &dyn Fn(&str) -> bool,
    ) -> Result<(), SchemaError> {
        let Some((id, extension)) = self.extension_2022(field)? else {
            return Ok(());
        };
        self.reject_other_types(combined_schemas)?;
        let property = self.property(field)?;
        unions
            .add_2022(name, &property, extension, is_required(name))
            .map_err(|problem| self.extension_error(id, None, problem))
    }

    /// Adds the union of an entry in a schema's list of unions, in the shape of 2019. `index` is
    /// the index of the entry.
    fn add_2019(
        &self,
        unions: &mut object_unions::ObjectUnions<'_>,
        combined_schemas: &[SchemaId],
        (schema_id, index): (SchemaId, usize),
        entry: &Value,
    ) -> Result<(), SchemaError> {
        self.reject_other_types(combined_schemas)?;
        let error = |problem| self.extension_error(schema_id, Some(index), problem);
        let entry = Entry2019::from_extension(entry).map_err(error)?;
        if let Some(union_2022) = unions.union_2022(entry.discriminator()) {
            return entry.require_same_members(union_2022).map_err(error);
        }
        let property = match entry.discriminator() {
            Some(name) => self.property_named(combined_schemas, name)?,
            None => None,
        };
        let union = entry.to_union(property).map_err(error)?;
        unions.add(union).map_err(error)
    }

    /// Adds a union that the caller declares for the schema `schema_id`.
    fn add_declared(
        &self,
        unions: &mut object_unions::ObjectUnions<'_>,
        combined_schemas: &[SchemaId],
        schema_id: SchemaId,
        union: &OwnedUnionSpec,
    ) -> Result<(), SchemaError> {
        self.reject_other_types(combined_schemas)?;
        let property = match union.spec().discriminator() {
            Some(discriminator) => self.property_named(combined_schemas, discriminator.name())?,
            None => None,
        };
        unions
            .add_declared(union.clone(), property.as_ref())
            .map_err(|problem| SchemaError::new(self.graph.pointer(schema_id), problem))
    }

    /// Returns an error if the `type` of one of the schemas does not allow objects. Only objects
    /// have unions.
    fn reject_other_types(&self, combined_schemas: &[SchemaId]) -> Result<(), SchemaError> {
        for id in combined_schemas {
            let ty = self.graph.schema(*id).object.get("type");
            let Some(ty) = ty.filter(|ty| !ty.is_null()) else {
                continue;
            };
            let types = ty
                .as_array()
                .map_or(core::slice::from_ref(ty), Vec::as_slice);
            if !types.iter().any(|ty| ty == "object") {
                return Err(SchemaError::new(
                    self.graph.pointer(*id),
                    format!(
                        "unions must be on an object, and `type` is {} here; move them to an object, or to the `items` of a list",
                        format_type(ty)
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Returns the schemas that describe the property whose first schema is `id`.
    fn property(&self, id: SchemaId) -> Result<PropertySchemas<'v>, SchemaError> {
        let combined_schemas = self.combined_schemas(id)?;
        combined_schemas
            .iter()
            .try_for_each(|id| self.count_use(*id))?;
        Ok(PropertySchemas(
            combined_schemas
                .iter()
                .map(|id| self.graph.schema(*id).object)
                .collect(),
        ))
    }

    /// Returns the schemas that describe the property with this name.
    pub(crate) fn property_named(
        &self,
        combined_schemas: &[SchemaId],
        name: &str,
    ) -> Result<Option<PropertySchemas<'v>>, SchemaError> {
        combined_schemas
            .iter()
            .try_for_each(|id| self.count_use(*id))?;
        let mut fields = combined_schemas
            .iter()
            .flat_map(|id| &self.graph.schema(*id).fields);
        let field = fields.find(|(field_name, _)| *field_name == name);
        field.map(|(_, id)| self.property(*id)).transpose()
    }
}
