//! Reads a schema into the tables of [`PatchSchema`].

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::schema::{Field, Meta, Node, NodeId, PatchSchema, Policy};
use super::strategy::Strategy;
use union_json::document::{Id, Located, Reached, Reader, is_null, named};
use union_json::{KeywordError, Limits, SchemaError};
use union_runtime::schema_keys::{MERGE_KEY, STRATEGY};

/// The maximum depth of a document. Merging takes up to 6 kB of stack for each level in a debug
/// build, and a thread may have 1 MiB.
const DEEPEST: usize = 128;

/// Reads a schema, and all schemas that it refers to.
pub(super) fn read(
    start: &Located<'_>,
    limits: Limits,
    policy: Policy,
) -> Result<PatchSchema, SchemaError> {
    let mut tables = Tables {
        reader: Reader::new(start, limits),
        limits,
        policy,
        known: HashMap::new(),
        reached: Vec::new(),
        nodes: vec![Node::default(); NodeId::RESERVED],
        fields: Vec::new(),
    };
    let root = tables.node(start.schema, Reached::Start)?;
    // Schemas are queued in a list, so that a deep schema takes memory rather than stack.
    let mut next = 0;
    while let Some((id, object)) = tables.reached.get(next).copied() {
        tables.open(id, object)?;
        next += 1;
    }
    Ok(PatchSchema {
        root,
        nodes: tables.nodes,
        fields: tables.fields,
        depth: limits.deepest().min(DEEPEST),
    })
}

/// The tables of a [`PatchSchema`] during compilation.
struct Tables<'v> {
    reader: Reader<'v>,
    limits: Limits,
    policy: Policy,
    /// The nodes of schemas, by the address of the schema.
    known: HashMap<*const Value, NodeId>,
    /// The schemas of the nodes, in their order.
    reached: Vec<(Id, &'v Map<String, Value>)>,
    nodes: Vec<Node>,
    fields: Vec<Field>,
}

/// A schema that defines fields, after references are resolved.
struct Followed<'v> {
    schema: &'v Value,
    object: &'v Map<String, Value>,
    reached: Reached<'v>,
}

impl<'v> Tables<'v> {
    /// Returns the node of a schema.
    fn node(&mut self, schema: &'v Value, reached: Reached<'v>) -> Result<NodeId, SchemaError> {
        let Some(Followed {
            schema,
            object,
            reached,
        }) = self.follow(schema, reached)?
        else {
            return Ok(self.unsaid());
        };
        let properties = named(object, "properties");
        let properties = properties.map_err(|error| self.bad_keyword(reached, error))?;
        if properties.is_none() {
            let is_unsaid = object.get("type").is_none();
            return Ok(if is_unsaid {
                self.unsaid()
            } else {
                NodeId::CLOSED
            });
        }
        let address = core::ptr::from_ref(schema);
        if let Some(known) = self.known.get(&address) {
            return Ok(*known);
        }
        let id = self.reader.add(reached)?;
        let node = NodeId::of(id);
        self.known.insert(address, node);
        self.reached.push((id, object));
        self.nodes.push(Node::default());
        Ok(node)
    }

    /// Returns the schema that defines the fields, and how it was reached: through the first
    /// `allOf` alone, as lookups of Kubernetes do, through a `$ref`, and through a union with null.
    /// Returns `None` for a schema that defines nothing.
    fn follow(
        &self,
        mut schema: &'v Value,
        mut reached: Reached<'v>,
    ) -> Result<Option<Followed<'v>>, SchemaError> {
        let most = self.limits.combined;
        for _ in 0..=most {
            let Some(object) = self.reader.object(schema, reached)? else {
                return Ok(None);
            };
            if let Some(first) = object.get("allOf").and_then(|all| all.get(0)) {
                schema = first;
            } else if let Some(reference) = object.get("$ref") {
                let found = self.reader.refer(reference);
                let found = found.map_err(|error| self.bad_keyword(reached, error))?;
                (schema, reached) = (found.schema, found.reached);
            } else if let Some(only) = beside_null(object) {
                schema = only;
            } else {
                return Ok(Some(Followed {
                    schema,
                    object,
                    reached,
                }));
            }
        }
        let problem = format!(
            "`$ref` and `allOf` form a chain of more than {most} schemas; break the cycle, or raise `Limits::combined`"
        );
        Err(self.wrong(reached, problem))
    }

    #[cold]
    fn bad_keyword(&self, reached: Reached<'v>, error: KeywordError) -> SchemaError {
        SchemaError::of_keyword(self.reader.place_from(reached), error)
    }

    #[cold]
    fn wrong(&self, reached: Reached<'v>, problem: String) -> SchemaError {
        SchemaError::new(self.reader.place_from(reached), problem)
    }

    /// Returns the node of a schema that defines nothing.
    const fn unsaid(&self) -> NodeId {
        match self.policy {
            Policy::Strict => NodeId::CLOSED,
            Policy::Schemaless => NodeId::OPEN,
        }
    }

    /// Reads the fields of an object.
    fn open(&mut self, id: Id, object: &'v Map<String, Value>) -> Result<(), SchemaError> {
        let properties = object.get("properties").and_then(Value::as_object);
        let first = self.fields.len();
        for (name, property) in properties.into_iter().flatten() {
            let as_object = self.node(property, Reached::Named(id, "properties", name))?;
            let items = property.get("items").filter(|items| !items.is_array());
            let as_list = match items {
                Some(items) => self.node(items, Reached::ItemsOf(id, name))?,
                None => as_object,
            };
            self.fields.push(Field {
                name: name.as_str().into(),
                as_object,
                as_list,
                meta: meta(property),
            });
        }
        let fields = self.fields.get_mut(first..).unwrap_or_default();
        fields.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let end = self.fields.len();
        if let Some(node) = self.nodes.get_mut(NodeId::of(id).0 as usize) {
            *node = Node { first, end };
        }
        Ok(())
    }
}

/// Returns the other schema of an `anyOf` or `oneOf` that only adds null, which is how schemars
/// writes an `Option`.
fn beside_null(object: &Map<String, Value>) -> Option<&Value> {
    if object.contains_key("properties") {
        return None;
    }
    let options = object.get("anyOf").or_else(|| object.get("oneOf"))?;
    match options.as_array()?.as_slice() {
        [null, only] | [only, null] if is_null(null) => Some(only),
        _ => None,
    }
}

/// Returns the patch keywords of a property; Kubernetes reads them beside `$ref` and `allOf`.
fn meta(property: &Value) -> Meta {
    let mut texts = ["", ""];
    for (text, keyword) in texts.iter_mut().zip([STRATEGY, MERGE_KEY]) {
        match property.get(keyword) {
            None => {}
            Some(Value::String(found)) => *text = found,
            // The elements of a list or an object are not printed, so they are not kept.
            Some(Value::Array(_)) => return Meta::BadType(Value::Array(Vec::new())),
            Some(Value::Object(_)) => return Meta::BadType(Value::Object(Map::new())),
            Some(other) => return Meta::BadType(other.clone()),
        }
    }
    let [strategy, merge_key] = texts;
    match Strategy::parse(strategy) {
        Ok(strategy) => Meta::Good {
            strategy,
            merge_key: merge_key.into(),
        },
        Err(words) => Meta::BadStrategy(words),
    }
}
