//! Reads a schema into the tables of [`PatchSchema`].

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::schema::{Field, Meta, Node, NodeId, PatchSchema, Policy};
use super::strategy::Strategy;
use union_runtime::engine::document::{pointer_of, shown};
use union_runtime::engine::{Limits, SchemaError};
use union_runtime::schema_keys::{MERGE_KEY, STRATEGY};

/// Merging takes stack for every level, up to 6 kB where nothing is optimized: threads have 2 MB.
const DEEPEST: usize = 256;

/// Reads the schema at `place` of what was given. References lead into the document.
pub(super) fn read(
    document: &Value,
    schema: &Value,
    place: &str,
    limits: Limits,
    policy: Policy,
) -> Result<PatchSchema, SchemaError> {
    let mut reader = Reader {
        document,
        // A schema alone is its own document, wherever it stands.
        document_place: if core::ptr::eq(document, schema) {
            place
        } else {
            ""
        },
        place,
        limits,
        policy,
        known: HashMap::new(),
        opened: vec![None, None],
        nodes: vec![Node::default(); 2],
        fields: Vec::new(),
    };
    let root = reader.node(schema, From::Start)?;
    // Schemas wait in a list, so that a deep one takes memory and no stack.
    let mut next = 2;
    while let Some(opened) = reader.opened.get(next).copied() {
        if let Some((schema, _)) = opened {
            reader.open(next, schema)?;
        }
        next += 1;
    }
    Ok(PatchSchema {
        root,
        nodes: reader.nodes,
        fields: reader.fields,
        depth: limits.deepest().min(DEEPEST),
    })
}

struct Reader<'v, 'l> {
    document: &'v Value,
    document_place: &'l str,
    place: &'l str,
    limits: Limits,
    policy: Policy,
    /// The nodes of schemas, however they are reached.
    known: HashMap<*const Value, NodeId>,
    /// The schemas of the nodes, by number.
    opened: Vec<Option<(&'v Map<String, Value>, From<'v>)>>,
    nodes: Vec<Node>,
    fields: Vec<Field>,
}

/// How a schema was reached.
#[derive(Clone, Copy)]
enum From<'v> {
    Start,
    Reference(&'v str),
    Property(NodeId, &'v str),
    Items(NodeId, &'v str),
}

impl<'v> Reader<'v, '_> {
    /// The node of a schema: `allOf`'s first and `$ref` are followed.
    fn node(&mut self, mut schema: &'v Value, mut from: From<'v>) -> Result<NodeId, SchemaError> {
        let mut steps = 0;
        let object = loop {
            let object = match schema {
                Value::Object(object) => object,
                Value::Bool(_) => return Ok(self.unsaid()),
                other => {
                    let problem = format!(
                        "a schema is {}; write an object, or true or false",
                        shown(other)
                    );
                    return Err(SchemaError::new(self.place_of(from), problem));
                }
            };
            if let Some(first) = object.get("allOf").and_then(|all| all.get(0)) {
                schema = first;
            } else if let Some(reference) = object.get("$ref") {
                (schema, from) = self.referred(reference, from)?;
            } else if let Some(only) = beside_null(object) {
                schema = only;
            } else {
                break object;
            }
            steps += 1;
            if steps > self.limits.combined {
                let most = self.limits.combined;
                return Err(SchemaError::new(
                    self.place_of(from),
                    format!(
                        "`$ref` and `allOf` lead on more than {most} times; end the circle, or raise `Limits::combined`"
                    ),
                ));
            }
        };
        let Some(properties) = object.get("properties") else {
            let is_unsaid = object.get("type").is_none();
            return Ok(if is_unsaid {
                self.unsaid()
            } else {
                NodeId::CLOSED
            });
        };
        if !properties.is_object() {
            let problem = format!(
                "`properties` is {}; write an object of schemas",
                shown(properties)
            );
            return Err(SchemaError::new(self.place_of(from), problem));
        }
        if let Some(known) = self.known.get(&core::ptr::from_ref(schema)) {
            return Ok(*known);
        }
        let most = self.limits.schemas;
        let count = self.opened.len();
        let Some(id) = u32::try_from(count).ok().filter(|_| count < most) else {
            return Err(SchemaError::new(
                self.place,
                format!(
                    "it has more than {most} schemas; make it smaller, or raise `Limits::schemas`"
                ),
            ));
        };
        let id = NodeId(id);
        self.known.insert(core::ptr::from_ref(schema), id);
        self.opened.push(Some((object, from)));
        self.nodes.push(Node::default());
        Ok(id)
    }

    /// The node of a schema that says nothing.
    const fn unsaid(&self) -> NodeId {
        match self.policy {
            Policy::Strict => NodeId::CLOSED,
            Policy::Schemaless => NodeId::OPEN,
        }
    }

    fn referred(
        &self,
        reference: &'v Value,
        from: From<'v>,
    ) -> Result<(&'v Value, From<'v>), SchemaError> {
        let found = reference.as_str().and_then(|text| {
            let schema = self.document.pointer(&pointer_of(text)?)?;
            Some((schema, From::Reference(text)))
        });
        found.ok_or_else(|| {
            SchemaError::new(
                self.place_of(from),
                format!(
                    "`$ref` is {}, and leads nowhere in this document; give the whole document, and references such as \
                     \"#/definitions/Name\"",
                    shown(reference)
                ),
            )
        })
    }

    /// Reads the fields of an object.
    fn open(&mut self, number: usize, object: &'v Map<String, Value>) -> Result<(), SchemaError> {
        // `node` counts them.
        let id = NodeId(u32::try_from(number).unwrap_or(u32::MAX));
        let properties = object.get("properties").and_then(Value::as_object);
        let first = self.fields.len();
        for (name, property) in properties.into_iter().flatten() {
            let as_object = self.node(property, From::Property(id, name))?;
            let items = property.get("items").filter(|items| !items.is_array());
            let as_list = match items {
                Some(items) => self.node(items, From::Items(id, name))?,
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
        if let Some(node) = self.nodes.get_mut(number) {
            *node = Node { first, end };
        }
        Ok(())
    }

    /// Where a schema stands, as a JSON pointer.
    fn place_of(&self, mut from: From<'v>) -> String {
        let mut steps = Vec::new();
        let start = loop {
            let (id, name, items) = match from {
                From::Start => break self.place.to_owned(),
                From::Reference(text) => {
                    let pointer = pointer_of(text).unwrap_or_default();
                    break format!("{}{pointer}", self.document_place);
                }
                From::Property(id, name) => (id, name, ""),
                From::Items(id, name) => (id, name, "/items"),
            };
            let name = name.replace('~', "~0").replace('/', "~1");
            steps.push(format!("/properties/{name}{items}"));
            match self.opened.get(id.0 as usize).copied().flatten() {
                Some((_, before)) => from = before,
                None => break self.place.to_owned(),
            }
        };
        steps
            .into_iter()
            .rev()
            .fold(start, |place, step| place + &step)
    }
}

/// What an `anyOf` or `oneOf` that only adds null says beside that, which is how schemars writes an `Option`.
fn beside_null(object: &Map<String, Value>) -> Option<&Value> {
    if object.contains_key("properties") {
        return None;
    }
    let options = object.get("anyOf").or_else(|| object.get("oneOf"))?;
    let is_null = |schema: &&Value| {
        schema.get("type").is_some_and(|kind| kind == "null")
            || schema.get("const").is_some_and(Value::is_null)
            || schema
                .get("enum")
                .and_then(Value::as_array)
                .is_some_and(|values| matches!(values.as_slice(), [Value::Null]))
    };
    match options.as_array()?.as_slice() {
        [null, only] | [only, null] if is_null(&null) => Some(only),
        _ => None,
    }
}

/// What a property says of patches, beside `$ref` and `allOf`.
fn meta(property: &Value) -> Meta {
    let mut texts = ["", ""];
    for (text, keyword) in texts.iter_mut().zip([STRATEGY, MERGE_KEY]) {
        match property.get(keyword) {
            None => {}
            Some(Value::String(found)) => *text = found,
            // What a list or an object holds is not printed.
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
