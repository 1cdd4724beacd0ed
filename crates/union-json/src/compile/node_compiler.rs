//! The second step of compilation: makes shapes from a graph of schemas. Each place that leads to
//! unions has a shape, which merges all schemas that are combined at the place.

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

/// Returns the shapes of a graph. The first shape is the shape of the first schema. The result is
/// empty if the schema does not lead to unions.
pub(crate) fn compile_nodes(
    graph: &SchemaGraph<'_>,
    source: &AnnotatedSchema<'_>,
    limits: Limits,
    problems: &ErrorPolicy,
) -> Result<Vec<CompiledNode>, SchemaError> {
    let merge = NodeCompiler {
        graph,
        source,
        limits,
        policy: problems,
        used: RefCell::new(vec![false; graph.len()]),
        repeated: Cell::new(0),
    };
    let leads = merge.find_schemas_with_unions()?;
    merge.reject_conditional_unions(&leads)?;
    if !leads
        .get(SchemaGraph::START as usize)
        .is_some_and(|leads| *leads)
    {
        return Ok(Vec::new());
    }
    let mut shapes = Vec::new();
    let mut by_id = HashMap::from([(SchemaGraph::START, 0)]);
    let mut waiting = vec![SchemaGraph::START];
    let mut next = 0;
    while let Some(id) = waiting.get(next).copied() {
        next += 1;
        let mut number = |id: SchemaId| -> NodeId {
            *by_id.entry(id).or_insert_with(|| {
                waiting.push(id);
                // The conversion always succeeds, because there are at most as many shapes as
                // schemas.
                NodeId::try_from(waiting.len() - 1).unwrap_or(NodeId::MAX)
            })
        };
        shapes.push(merge.compile_node(id, &leads, &mut number)?);
    }
    Ok(shapes)
}

pub(crate) struct NodeCompiler<'g, 'v> {
    pub(crate) graph: &'g SchemaGraph<'v>,
    pub(crate) source: &'g AnnotatedSchema<'v>,
    limits: Limits,
    pub(crate) policy: &'g ErrorPolicy,
    /// True for each schema that is part of a shape.
    used: RefCell<Vec<bool>>,
    /// The total size of the schemas that are part of several shapes. The first use of a schema
    /// does not count.
    repeated: Cell<usize>,
}

impl<'v> NodeCompiler<'_, 'v> {
    /// Returns a schema and all schemas that always apply to the same value, without duplicates.
    pub(crate) fn combined(&self, id: SchemaId) -> Result<Vec<SchemaId>, SchemaError> {
        let mut combined = vec![id];
        let mut next = 0;
        while let Some(at) = combined.get(next).copied() {
            next += 1;
            for also in &self.graph.schema(at).combined {
                if combined.contains(also) {
                    continue;
                }
                let most = self.limits.max_combined;
                if combined.len() >= most {
                    return Err(SchemaError::new(
                        self.graph.pointer(id),
                        format!(
                            "`$ref`, `allOf` and similar keywords combine more than {most} schemas \
                             here; combine fewer, or raise `Limits::max_combined`"
                        ),
                    ));
                }
                combined.push(*also);
            }
        }
        Ok(combined)
    }

    /// Returns the error for a problem with the extension of a schema. `number` is the position of
    /// the union in the list of unions, for an extension in the shape of 2019.
    pub(crate) fn extension_error(
        &self,
        id: SchemaId,
        number: Option<usize>,
        problem: String,
    ) -> SchemaError {
        let schema = self.graph.schema(id);
        let mut place = self.graph.pointer(id);
        if !schema.object.contains_key(UNIONS) {
            let problem = match number {
                Some(number) => format!("union {number}: {problem}"),
                None => problem,
            };
            return SchemaError::new(
                place,
                format!("{problem} (in annotation {:?})", self.source.annotation),
            );
        }
        if let Some(number) = number {
            place = format!("{place}/{UNIONS}/{number}");
        }
        SchemaError::new(place, problem)
    }

    /// Returns the extension of a property in the shape of 2022, and the first of the combined
    /// schemas that has the extension.
    pub(crate) fn extension_2022(
        &self,
        property: SchemaId,
    ) -> Result<Option<(SchemaId, &'v Value)>, SchemaError> {
        let combined = self.combined(property)?;
        let mut found = combined.into_iter().filter_map(|id| {
            let extension = self.graph.schema(id).extension?;
            extension.is_object().then_some((id, extension))
        });
        Ok(found.next())
    }

    fn compile_node(
        &self,
        id: SchemaId,
        leads: &[bool],
        number: &mut dyn FnMut(SchemaId) -> NodeId,
    ) -> Result<CompiledNode, SchemaError> {
        let combined = self.combined(id)?;
        let mut fields: Vec<(&str, SchemaId)> = Vec::new();
        let mut by_name = HashMap::new();
        let mut described: Vec<Box<str>> = Vec::new();
        let mut shape = CompiledNode::default();
        let [mut items, mut values] = [None; 2];
        for part in &combined {
            let schema = self.graph.schema(*part);
            self.add_property_names(*part, &mut described)?;
            for keyword in ["additionalProperties", "patternProperties"] {
                shape.is_open |= schema.object.get(keyword).is_some_and(Value::is_object);
            }
            for (name, field) in schema.fields.iter().filter(|(_, id)| *row(leads, *id)) {
                match by_name.insert(*name, *field) {
                    Some(other) if other != *field => self.reject_two_extensions(*field, other)?,
                    Some(_) => {}
                    None => fields.push((name, *field)),
                }
            }
            for (slot, found) in [
                (&mut items, schema.items),
                (&mut values, schema.additional_properties),
            ] {
                let Some(found) = found.filter(|id| *row(leads, *id)) else {
                    continue;
                };
                match slot.replace(found) {
                    Some(other) if other != found => self.reject_two_extensions(found, other)?,
                    _ => {}
                }
            }
        }
        described.sort_unstable();
        described.dedup();
        // A schema that does not describe any fields by name allows all fields.
        shape.is_open |= described.is_empty();
        shape.unions = self.unions(&combined, &described)?;
        shape.names = FieldTable::new(described, &shape.unions);
        shape.keys = match items {
            Some(items) => self.policy.or_default(self.list_keys(&combined, items))?,
            None => ListKeys::default(),
        };
        shape.fields = fields
            .into_iter()
            .map(|(name, id)| (name.into(), number(id)))
            .collect();
        shape.names.set_nodes(&shape.fields);
        shape.items = items.map(&mut *number);
        shape.additional_properties = values.map(number);
        Ok(shape)
    }

    /// Adds the names of the fields that a schema describes. This includes the fields that the
    /// schema describes for some objects only.
    fn add_property_names(
        &self,
        id: SchemaId,
        described: &mut Vec<Box<str>>,
    ) -> Result<(), SchemaError> {
        let mut add = |id: SchemaId| {
            self.count_use(id)?;
            if let Some(Value::Object(properties)) = self.graph.schema(id).object.get("properties")
            {
                described.extend(properties.keys().map(|name| name.as_str().into()));
            }
            Ok(())
        };
        add(id)?;
        for maybe in &self.graph.schema(id).conditional {
            self.combined(*maybe)?.into_iter().try_for_each(&mut add)?;
        }
        Ok(())
    }

    /// Counts the use of a schema in a shape. Returns an error if large schemas are used in too
    /// many shapes: every shape contains all schemas that are combined in it, so the work grows
    /// with the product of the number of references and the size of the schemas.
    fn count_use(&self, id: SchemaId) -> Result<(), SchemaError> {
        let is_first = !core::mem::replace(row_mut(&mut self.used.borrow_mut(), id), true);
        let most = self.limits.max_schemas;
        let schema = self.graph.schema(id);
        let size = |value: &Value| match value {
            Value::Array(values) => values.len(),
            Value::Object(values) => values.len(),
            _ => 1,
        };
        if !is_first {
            let parts = schema.object.values().map(size).sum::<usize>();
            let extension = schema.extension.map_or(0, object_unions::extension_size);
            self.repeated.set(self.repeated.get() + parts + extension);
        }
        if self.repeated.get() <= most {
            return Ok(());
        }
        Err(SchemaError::new(
            self.graph.pointer(id),
            format!(
                "repeated references to this and other schemas expand to more than {most} fields \
                 and values; use fewer references, make the schemas smaller, or raise \
                 `Limits::max_schemas`"
            ),
        ))
    }

    fn reject_two_extensions(&self, id: SchemaId, other: SchemaId) -> Result<(), SchemaError> {
        let other = self.graph.pointer(other);
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
        combined: &[SchemaId],
        described: &[Box<str>],
    ) -> Result<Box<[OwnedUnionSpec]>, SchemaError> {
        let mut found = object_unions::ObjectUnions::new(described);
        let is_required = |name: &str| {
            let required = combined.iter().filter_map(|id| {
                let object = self.graph.schema(*id).object;
                object.get("required")?.as_array()
            });
            required.flatten().any(|field| field == name)
        };
        for part in combined {
            for (name, field) in &self.graph.schema(*part).fields {
                let read = self.add_2022(&mut found, combined, (name, *field), &is_required);
                self.policy.or_default(read)?;
            }
        }
        for part in combined {
            let schema = self.graph.schema(*part);
            if let Some(Value::Array(list)) = schema.extension {
                for (number, entry) in list.iter().enumerate() {
                    let read = self.add_2019(&mut found, combined, (*part, number), entry);
                    self.policy.or_default(read)?;
                }
            }
            for union in self.source.unions_of(schema.object) {
                let read = self.add_declared(&mut found, combined, *part, union);
                self.policy.or_default(read)?;
            }
        }
        Ok(found.finish())
    }

    /// Adds the union of a discriminator, if its property has the extension in the shape of 2022.
    fn add_2022(
        &self,
        found: &mut object_unions::ObjectUnions<'_>,
        combined: &[SchemaId],
        (name, field): (&str, SchemaId),
        is_required: &dyn Fn(&str) -> bool,
    ) -> Result<(), SchemaError> {
        let Some((id, extension)) = self.extension_2022(field)? else {
            return Ok(());
        };
        self.reject_other_types(combined)?;
        let property = self.property(field)?;
        found
            .add_2022(name, &property, extension, is_required(name))
            .map_err(|problem| self.extension_error(id, None, problem))
    }

    /// Adds the union of an entry in the list of unions of a schema, which has the shape of 2019.
    /// `number` is the position of the entry.
    fn add_2019(
        &self,
        found: &mut object_unions::ObjectUnions<'_>,
        combined: &[SchemaId],
        (part, number): (SchemaId, usize),
        entry: &Value,
    ) -> Result<(), SchemaError> {
        self.reject_other_types(combined)?;
        let wrong = |problem| self.extension_error(part, Some(number), problem);
        let entry = Entry2019::from_extension(entry).map_err(wrong)?;
        if let Some(same) = found.union_2022(entry.discriminator()) {
            return entry.require_same_members(same).map_err(wrong);
        }
        let property = match entry.discriminator() {
            Some(name) => self.property_named(combined, name)?,
            None => None,
        };
        let union = entry.to_union(property).map_err(wrong)?;
        found.add(union).map_err(wrong)
    }

    /// Adds a union that the user of the compiler declares for a schema.
    fn add_declared(
        &self,
        found: &mut object_unions::ObjectUnions<'_>,
        combined: &[SchemaId],
        part: SchemaId,
        union: &OwnedUnionSpec,
    ) -> Result<(), SchemaError> {
        self.reject_other_types(combined)?;
        let property = match union.spec().discriminator() {
            Some(discriminator) => self.property_named(combined, discriminator.name())?,
            None => None,
        };
        found
            .add_declared(union.clone(), property.as_ref())
            .map_err(|problem| SchemaError::new(self.graph.pointer(part), problem))
    }

    /// Returns an error if the `type` of one of the schemas does not allow objects, because only
    /// objects have unions.
    fn reject_other_types(&self, combined: &[SchemaId]) -> Result<(), SchemaError> {
        for id in combined {
            let kind = self.graph.schema(*id).object.get("type");
            let Some(kind) = kind.filter(|kind| !kind.is_null()) else {
                continue;
            };
            let kinds = kind
                .as_array()
                .map_or(core::slice::from_ref(kind), Vec::as_slice);
            if !kinds.iter().any(|kind| kind == "object") {
                return Err(SchemaError::new(
                    self.graph.pointer(*id),
                    format!(
                        "unions must be on an object, and `type` is {} here; move them to an object, or to the `items` of a list",
                        format_type(kind)
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Returns the schemas that describe the property with this number.
    fn property(&self, id: SchemaId) -> Result<PropertySchemas<'v>, SchemaError> {
        let combined = self.combined(id)?;
        combined.iter().try_for_each(|id| self.count_use(*id))?;
        Ok(PropertySchemas(
            combined
                .iter()
                .map(|id| self.graph.schema(*id).object)
                .collect(),
        ))
    }

    /// Returns the schemas that describe the property with this name.
    pub(crate) fn property_named(
        &self,
        combined: &[SchemaId],
        name: &str,
    ) -> Result<Option<PropertySchemas<'v>>, SchemaError> {
        combined.iter().try_for_each(|id| self.count_use(*id))?;
        let mut fields = combined
            .iter()
            .flat_map(|id| &self.graph.schema(*id).fields);
        let field = fields.find(|(other, _)| *other == name);
        field.map(|(_, id)| self.property(*id)).transpose()
    }
}
