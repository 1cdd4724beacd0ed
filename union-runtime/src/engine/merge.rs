//! Makes shapes of a graph of schemas: what leads to unions, with all that is combined at one place together.

use std::collections::HashMap;

use serde_json::Value;

use super::compile::{Graph, Id};
use super::error::SchemaError;
use super::extension;
use super::limits::Limits;
use super::object::OwnedUnion;
use super::source::Source;
use super::walk::{ListKey, ListKeys, Shape, ShapeId};

/// The shapes that a graph has, the first one for its first schema; none where no union can be reached.
pub(super) fn shapes(
    graph: &Graph<'_>,
    source: &Source<'_>,
    limits: Limits,
) -> Result<Vec<Shape>, SchemaError> {
    let merge = Merge {
        graph,
        source,
        limits,
    };
    let leads = merge.leading()?;
    merge.refuse_maybe(&leads)?;
    if !leads.get(Graph::START as usize).is_some_and(|leads| *leads) {
        return Ok(Vec::new());
    }
    let mut shapes = Vec::new();
    let mut by_id = HashMap::from([(Graph::START, 0)]);
    let mut waiting = vec![Graph::START];
    let mut next = 0;
    while let Some(id) = waiting.get(next).copied() {
        next += 1;
        let mut number = |id: Id| -> ShapeId {
            *by_id.entry(id).or_insert_with(|| {
                waiting.push(id);
                // There are no more shapes than schemas.
                ShapeId::try_from(waiting.len() - 1).unwrap_or(ShapeId::MAX)
            })
        };
        shapes.push(merge.shape(id, &leads, &mut number)?);
    }
    Ok(shapes)
}

struct Merge<'g, 'v> {
    graph: &'g Graph<'v>,
    source: &'g Source<'v>,
    limits: Limits,
}

impl<'v> Merge<'_, 'v> {
    /// A schema and all that holds for the same value, each once.
    fn combined(&self, id: Id) -> Result<Vec<Id>, SchemaError> {
        let mut combined = vec![id];
        let mut next = 0;
        while let Some(at) = combined.get(next).copied() {
            next += 1;
            for also in &self.graph.schema(at).also {
                if !combined.contains(also) {
                    combined.push(*also);
                }
            }
            let most = self.limits.combined;
            if combined.len() > most {
                return Err(SchemaError::new(
                    self.graph.place(id),
                    format!(
                        "more than {most} schemas are combined here by `$ref`, `allOf` and the like; \
                         combine fewer, or raise `Limits::combined`"
                    ),
                ));
            }
        }
        Ok(combined)
    }

    /// The extension of a property in the shape of 2022, wherever it stands among what is combined.
    fn extension_2022(&self, property: Id) -> Result<Option<(Id, &'v Value)>, SchemaError> {
        let combined = self.combined(property)?;
        let mut found = combined.into_iter().filter_map(|id| {
            let extension = self.graph.schema(id).extension?;
            extension.is_object().then_some((id, extension))
        });
        Ok(found.next())
    }

    /// Which schemas lead to unions.
    fn leading(&self) -> Result<Vec<bool>, SchemaError> {
        let mut before: Vec<Vec<Id>> = vec![Vec::new(); self.graph.len()];
        let mut waiting = Vec::new();
        for id in self.graph.ids() {
            let schema = self.graph.schema(id);
            let fields = schema.fields.iter().map(|(_, id)| *id);
            let next = fields.chain(schema.items).chain(schema.values);
            for next in next.chain(schema.also.iter().chain(&schema.maybe).copied()) {
                before[next as usize].push(id);
            }
            if self.has_unions(id)? {
                waiting.push(id);
            }
        }
        let mut leads = vec![false; self.graph.len()];
        while let Some(id) = waiting.pop() {
            if !std::mem::replace(&mut leads[id as usize], true) {
                waiting.extend(&before[id as usize]);
            }
        }
        Ok(leads)
    }

    /// Whether a schema has unions of its own; refuses an extension that is neither here nor there.
    fn has_unions(&self, id: Id) -> Result<bool, SchemaError> {
        let schema = self.graph.schema(id);
        let wrong_place = |id: Id| {
            Err(SchemaError::new(
                self.graph.place(id),
                "`x-kubernetes-unions` with `fieldMembers` belongs on the discriminator's property, and this is none; \
                 move it there",
            ))
        };
        let is_property = |id: Id| self.extension_2022(id).map(|found| found.is_some());
        let no_property = schema.items.into_iter().chain(schema.values);
        let start = (id == Graph::START).then_some(id);
        for id in no_property.chain(start) {
            if let Some((id, _)) = self.extension_2022(id)? {
                return wrong_place(id);
            }
        }
        if let Some(extension) = schema.extension
            && !extension.is_object()
            && !extension.is_array()
        {
            return Err(SchemaError::new(
                self.graph.place(id),
                "`x-kubernetes-unions` is an object with `fieldMembers` on a discriminator's property, \
                 or a list of unions on an object; this is neither",
            ));
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

    /// Refuses unions that may hold or not.
    fn refuse_maybe(&self, leads: &[bool]) -> Result<(), SchemaError> {
        for id in self.graph.ids() {
            let maybe = &self.graph.schema(id).maybe;
            if let Some(id) = maybe.iter().find(|id| leads[**id as usize]) {
                return Err(SchemaError::new(
                    self.graph.place(*id),
                    "there are unions in one of several schemas, and which one holds is not known; \
                     move the properties with unions out of it",
                ));
            }
        }
        Ok(())
    }

    fn shape(
        &self,
        id: Id,
        leads: &[bool],
        number: &mut dyn FnMut(Id) -> ShapeId,
    ) -> Result<Shape, SchemaError> {
        let combined = self.combined(id)?;
        let mut fields: Vec<(&str, Id)> = Vec::new();
        let mut described: Vec<Box<str>> = Vec::new();
        let mut shape = Shape::default();
        let [mut items, mut values] = [None; 2];
        for part in &combined {
            let schema = self.graph.schema(*part);
            if let Some(Value::Object(properties)) = schema.object.get("properties") {
                described.extend(properties.keys().map(|name| name.as_str().into()));
            }
            shape.is_open |= schema
                .object
                .get("additionalProperties")
                .is_some_and(Value::is_object);
            for (name, field) in schema.fields.iter().filter(|(_, id)| leads[*id as usize]) {
                match fields.iter().find(|(other, _)| other == name) {
                    Some((_, other)) if other != field => return self.refuse_twice(*field),
                    Some(_) => {}
                    None => fields.push((name, *field)),
                }
            }
            for (slot, found) in [(&mut items, schema.items), (&mut values, schema.values)] {
                let Some(found) = found.filter(|id| leads[*id as usize]) else {
                    continue;
                };
                if slot.is_some_and(|other| other != found) {
                    return self.refuse_twice(found);
                }
                *slot = Some(found);
            }
        }
        described.sort_unstable();
        described.dedup();
        // A schema that names no field, as one made of places alone, does not tell what is unknown.
        shape.is_open |= described.is_empty();
        shape.described = described.into();
        shape.unions = self.unions(&combined, &shape.described)?;
        shape.keys = match items {
            Some(items) => self.list_keys(&combined, items)?,
            None => ListKeys::default(),
        };
        shape.fields = fields
            .into_iter()
            .map(|(name, id)| (name.into(), number(id)))
            .collect();
        shape.items = items.map(&mut *number);
        shape.values = values.map(number);
        Ok(shape)
    }

    fn refuse_twice<T>(&self, id: Id) -> Result<T, SchemaError> {
        Err(SchemaError::new(
            self.graph.place(id),
            "unions are described here and in another schema that holds for the same value; \
             describe the field in one of them",
        ))
    }

    /// The unions of an object, in the order of its schema.
    fn unions(
        &self,
        combined: &[Id],
        described: &[Box<str>],
    ) -> Result<Box<[OwnedUnion]>, SchemaError> {
        let mut found = extension::Found::new(described);
        for part in combined {
            let schema = self.graph.schema(*part);
            for (name, field) in &schema.fields {
                if let Some((place, extension)) = self.extension_2022(*field)? {
                    let property = self.property(*field)?;
                    found.add_2022(name, &property, extension, schema.object, || {
                        self.graph.place(place)
                    })?;
                }
            }
        }
        for part in combined {
            let schema = self.graph.schema(*part);
            if let Some(Value::Array(list)) = schema.extension {
                let property = |name: &str| self.named(combined, name);
                found.add_2019(list, property, || self.graph.place(*part))?;
            }
            for spec in self.source.unions_of(schema.object) {
                let place = || self.graph.place(*part);
                let property = match spec.discriminator() {
                    Some(discriminator) => self.named(combined, discriminator.name())?,
                    None => None,
                };
                found.add_declared(spec, property.as_ref(), place)?;
            }
        }
        Ok(found.finish())
    }

    /// The objects that describe a property.
    fn property(&self, id: Id) -> Result<extension::Property<'v>, SchemaError> {
        let combined = self.combined(id)?;
        Ok(extension::Property(
            combined
                .iter()
                .map(|id| self.graph.schema(*id).object)
                .collect(),
        ))
    }

    /// As [`property`](Self::property), by name.
    fn named(
        &self,
        combined: &[Id],
        name: &str,
    ) -> Result<Option<extension::Property<'v>>, SchemaError> {
        let mut fields = combined
            .iter()
            .flat_map(|id| &self.graph.schema(*id).fields);
        let field = fields.find(|(other, _)| *other == name);
        field.map(|(_, id)| self.property(*id)).transpose()
    }

    /// The keys of the elements of a list of type map; none for other lists.
    fn list_keys(&self, combined: &[Id], items: Id) -> Result<ListKeys, SchemaError> {
        let mut schemas = combined.iter().map(|id| self.graph.schema(*id).object);
        let list = schemas.find(|schema| {
            let list_type = schema.get("x-kubernetes-list-type");
            list_type.is_some_and(|list_type| list_type == "map")
        });
        let Some(Value::Array(names)) =
            list.and_then(|list| list.get("x-kubernetes-list-map-keys"))
        else {
            return Ok(ListKeys::default());
        };
        let elements = self.combined(items)?;
        let mut keys = Vec::new();
        for name in names {
            let Some(name) = name.as_str() else {
                return Err(SchemaError::new(
                    self.graph.place(combined[0]),
                    format!(
                        "`x-kubernetes-list-map-keys` holds {name}, which is no name of a field; write names"
                    ),
                ));
            };
            let property = self.named(&elements, name)?;
            let default = property.and_then(|property| property.get("default").cloned());
            keys.push(ListKey {
                name: name.into(),
                default,
            });
        }
        Ok(ListKeys(keys.into()))
    }
}
