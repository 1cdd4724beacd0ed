//! Reads a schema into the tables of [`PatchSchema`].

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::schema::{Field, Node, NodeId, PatchMeta, PatchSchema, UnknownFieldPolicy};
use super::strategy::Strategy;
use union_json::document::{
    SchemaGraphReader, SchemaId, SchemaInDocument, SchemaOrigin, allows_only_null, named_schemas,
};
use union_json::{KeywordError, Limits, SchemaError};
use union_runtime::schema_keys::{MERGE_KEY, STRATEGY};

/// The maximum depth of a document. Merging takes up to 6 kB of stack for each level in a debug
/// build, and a thread may have 1 MiB.
const MAX_DEPTH: usize = 128;

/// Reads a schema, and all schemas that it refers to.
pub(super) fn compile_tables(
    start: &SchemaInDocument<'_>,
    limits: Limits,
    policy: UnknownFieldPolicy,
) -> Result<PatchSchema, SchemaError> {
    let mut tables = SchemaTables {
        reader: SchemaGraphReader::new(start, limits),
        limits,
        policy,
        nodes_by_address: HashMap::new(),
        queue: Vec::new(),
        nodes: vec![Node::default(); NodeId::RESERVED],
        fields: Vec::new(),
    };
    let root = tables.find_or_add_node(start.schema, SchemaOrigin::Root)?;
    // A queue instead of recursion, because a deep schema would overflow the stack.
    let mut queue_position = 0;
    while let Some((id, object)) = tables.queue.get(queue_position).copied() {
        tables.add_fields(id, object)?;
        queue_position += 1;
    }
    Ok(PatchSchema {
        root,
        nodes: tables.nodes,
        fields: tables.fields,
        depth: limits.effective_max_depth().min(MAX_DEPTH),
    })
}

/// The tables of a [`PatchSchema`] during compilation.
struct SchemaTables<'v> {
    reader: SchemaGraphReader<'v>,
    limits: Limits,
    policy: UnknownFieldPolicy,
    /// The nodes of schemas, by the address of the schema.
    nodes_by_address: HashMap<*const Value, NodeId>,
    /// The schemas of the nodes, whose fields are read in this order.
    queue: Vec<(SchemaId, &'v Map<String, Value>)>,
    nodes: Vec<Node>,
    fields: Vec<Field>,
}

/// A schema that defines fields, after references are resolved.
struct ResolvedSchema<'v> {
    schema: &'v Value,
    object: &'v Map<String, Value>,
    origin: SchemaOrigin<'v>,
}

impl<'v> SchemaTables<'v> {
    /// Returns the node of a schema, and adds the node if it is new.
    fn find_or_add_node(
        &mut self,
        schema: &'v Value,
        origin: SchemaOrigin<'v>,
    ) -> Result<NodeId, SchemaError> {
        let Some(ResolvedSchema {
            schema,
            object,
            origin,
        }) = self.resolve(schema, origin)?
        else {
            return Ok(self.undescribed_node());
        };
        let properties = named_schemas(object, "properties");
        let properties = properties.map_err(|error| self.bad_keyword(origin, error))?;
        if properties.is_none() {
            let has_no_type = object.get("type").is_none();
            return Ok(if has_no_type {
                self.undescribed_node()
            } else {
                NodeId::CLOSED
            });
        }
        let address = core::ptr::from_ref(schema);
        if let Some(node) = self.nodes_by_address.get(&address) {
            return Ok(*node);
        }
        let id = self.reader.add(origin)?;
        let node = NodeId::from_schema_id(id);
        self.nodes_by_address.insert(address, node);
        self.queue.push((id, object));
        self.nodes.push(Node::default());
        Ok(node)
    }

    /// Returns the schema that defines the fields, after following the first `allOf` (as lookups of
    /// Kubernetes do), `$ref`, and unions with null. Returns `None` for a schema that defines
    /// nothing.
    fn resolve(
        &self,
        mut schema: &'v Value,
        mut origin: SchemaOrigin<'v>,
    ) -> Result<Option<ResolvedSchema<'v>>, SchemaError> {
        let max_schemas = self.limits.max_combined;
        for _ in 0..=max_schemas {
            let Some(object) = self.reader.object(schema, origin)? else {
                return Ok(None);
            };
            if let Some(subschema) = object.get("allOf").and_then(|all_of| all_of.get(0)) {
                schema = subschema;
            } else if let Some(reference) = object.get("$ref") {
                let referenced = self.reader.resolve_reference(reference);
                let referenced = referenced.map_err(|error| self.bad_keyword(origin, error))?;
                (schema, origin) = (referenced.schema, referenced.origin);
            } else if let Some(other_schema) = non_null_schema(object) {
                schema = other_schema;
            } else {
                return Ok(Some(ResolvedSchema {
                    schema,
                    object,
                    origin,
                }));
            }
        }
        let problem = format!(
            "`$ref` and `allOf` form a chain of more than {max_schemas} schemas; break the cycle, or raise `Limits::max_combined`"
        );
        Err(self.schema_error(origin, problem))
    }

    #[cold]
    fn bad_keyword(&self, origin: SchemaOrigin<'v>, error: KeywordError) -> SchemaError {
        SchemaError::from_keyword_error(self.reader.pointer_of_origin(origin), error)
    }

    #[cold]
    fn schema_error(&self, origin: SchemaOrigin<'v>, problem: String) -> SchemaError {
        SchemaError::new(self.reader.pointer_of_origin(origin), problem)
    }

    /// Returns the node of a schema that defines nothing.
    const fn undescribed_node(&self) -> NodeId {
        match self.policy {
            UnknownFieldPolicy::Strict => NodeId::CLOSED,
            UnknownFieldPolicy::Schemaless => NodeId::OPEN,
        }
    }

    /// Reads the fields of an object.
    fn add_fields(
        &mut self,
        id: SchemaId,
        object: &'v Map<String, Value>,
    ) -> Result<(), SchemaError> {
        let properties = object.get("properties").and_then(Value::as_object);
        let first_field = self.fields.len();
        for (name, property) in properties.into_iter().flatten() {
            let object_node =
                self.find_or_add_node(property, SchemaOrigin::MapEntry(id, "properties", name))?;
            let items = property.get("items").filter(|items| !items.is_array());
            let element_node = match items {
                Some(items) => {
                    self.find_or_add_node(items, SchemaOrigin::PropertyItems(id, name))?
                }
                None => object_node,
            };
            self.fields.push(Field {
                name: name.as_str().into(),
                object_node,
                element_node,
                patch_meta: read_patch_meta(property),
            });
        }
        let fields = self.fields.get_mut(first_field..).unwrap_or_default();
        fields.sort_unstable_by(|first, second| first.name.cmp(&second.name));
        let end = self.fields.len();
        if let Some(node) = self.nodes.get_mut(NodeId::from_schema_id(id).0 as usize) {
            *node = Node {
                first: first_field,
                end,
            };
        }
        Ok(())
    }
}

/// Returns the other schema of an `anyOf` or `oneOf` that only adds null. Schemars writes an
/// `Option` in this form.
fn non_null_schema(object: &Map<String, Value>) -> Option<&Value> {
    if object.contains_key("properties") {
        return None;
    }
    let options = object.get("anyOf").or_else(|| object.get("oneOf"))?;
    match options.as_array()?.as_slice() {
        [null, other_schema] | [other_schema, null] if allows_only_null(null) => Some(other_schema),
        _ => None,
    }
}

/// Returns the patch keywords of a property. Kubernetes reads the keywords beside `$ref` and
/// `allOf`, not in the referenced schema.
fn read_patch_meta(property: &Value) -> PatchMeta {
    let mut values = ["", ""];
    for (value, keyword) in values.iter_mut().zip([STRATEGY, MERGE_KEY]) {
        match property.get(keyword) {
            None => {}
            Some(Value::String(string)) => *value = string,
            // The elements of a list or an object are not printed, so they are not kept.
            Some(Value::Array(_)) => return PatchMeta::InvalidType(Value::Array(Vec::new())),
            Some(Value::Object(_)) => return PatchMeta::InvalidType(Value::Object(Map::new())),
            Some(scalar) => return PatchMeta::InvalidType(scalar.clone()),
        }
    }
    let [strategy, merge_key] = values;
    match Strategy::parse(strategy) {
        Ok(strategy) => PatchMeta::Valid {
            strategy,
            merge_key: merge_key.into(),
        },
        Err(words) => PatchMeta::InvalidStrategy(words),
    }
}
