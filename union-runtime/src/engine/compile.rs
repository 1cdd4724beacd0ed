//! Reads a schema, with all that it refers to, into a graph of schemas. Nothing is decided yet.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::error::SchemaError;
use super::extension::UNIONS;
use super::limits::Limits;
use super::source::Source;

pub(super) type Id = u32;

/// The schemas that can be reached from one.
pub(super) struct Graph<'v> {
    /// Where the first one stands.
    place: String,
    schemas: Vec<Schema<'v>>,
}

/// A schema, and what it leads to.
pub(super) struct Schema<'v> {
    pub(super) object: &'v Map<String, Value>,
    /// What stands under [`UNIONS`] in it, or is said of it elsewhere.
    pub(super) extension: Option<&'v Value>,
    from: From<'v>,
    /// What holds for the same value: `$ref`, `allOf`, and what is left of an `anyOf` beside null.
    pub(super) also: Vec<Id>,
    /// What may hold or not, so that unions in it are not known to be there.
    pub(super) maybe: Vec<Id>,
    pub(super) fields: Vec<(&'v str, Id)>,
    pub(super) items: Option<Id>,
    pub(super) values: Option<Id>,
}

/// How a schema was reached.
#[derive(Clone, Copy)]
enum From<'v> {
    /// It is the first one.
    Start,
    Reference(&'v str),
    Keyword(Id, &'static str),
    Named(Id, &'static str, &'v str),
    Numbered(Id, &'static str, usize),
}

impl<'v> Graph<'v> {
    pub(super) const START: Id = 0;

    pub(super) fn read(source: &Source<'v>, limits: Limits) -> Result<Self, SchemaError> {
        let mut reader = Reader {
            source,
            limits,
            graph: Self {
                place: source.place.clone(),
                schemas: Vec::new(),
            },
            by_reference: HashMap::new(),
            waiting: Vec::new(),
        };
        reader.add(source.schema, From::Start)?;
        // A schema waits in a list, so that a deep one takes memory and no stack.
        while let Some(id) = reader.waiting.pop() {
            reader.open(id)?;
        }
        Ok(reader.graph)
    }

    pub(super) fn schema(&self, id: Id) -> &Schema<'v> {
        &self.schemas[id as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.schemas.len()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        // `Reader::add` counts them.
        0..Id::try_from(self.schemas.len()).unwrap_or(Id::MAX)
    }

    /// Where a schema stands, as a JSON pointer.
    pub(super) fn place(&self, id: Id) -> String {
        self.place_from(self.schema(id).from)
    }

    fn place_from(&self, mut from: From<'v>) -> String {
        let mut steps = Vec::new();
        let mut place = loop {
            let before = match from {
                From::Start => break self.place.clone(),
                From::Reference(reference) => break reference.to_owned(),
                From::Keyword(before, keyword) => {
                    steps.push(keyword.to_owned());
                    before
                }
                From::Named(before, keyword, name) => {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    steps.push(format!("{keyword}/{name}"));
                    before
                }
                From::Numbered(before, keyword, number) => {
                    steps.push(format!("{keyword}/{number}"));
                    before
                }
            };
            from = self.schema(before).from;
        };
        for step in steps.iter().rev() {
            place.push('/');
            place.push_str(step);
        }
        place
    }
}

struct Reader<'s, 'v> {
    source: &'s Source<'v>,
    limits: Limits,
    graph: Graph<'v>,
    by_reference: HashMap<&'v str, Id>,
    waiting: Vec<Id>,
}

impl<'v> Reader<'_, 'v> {
    /// Adds a schema; `None` for one that says nothing.
    fn add(&mut self, schema: &'v Value, from: From<'v>) -> Result<Option<Id>, SchemaError> {
        let object = match schema {
            Value::Object(object) => object,
            Value::Bool(_) => return Ok(None),
            _ => {
                return Err(SchemaError::new(
                    self.graph.place_from(from),
                    "a schema is an object, or true or false; this is neither",
                ));
            }
        };
        let most = self.limits.schemas;
        let count = self.graph.len();
        let Some(id) = Id::try_from(count).ok().filter(|_| count < most) else {
            return Err(SchemaError::new(
                self.graph.place.as_str(),
                format!(
                    "it has more than {most} schemas; make it smaller, or raise `Limits::schemas`"
                ),
            ));
        };
        self.graph.schemas.push(Schema {
            object,
            extension: self.source.said_of(schema).or_else(|| object.get(UNIONS)),
            from,
            also: Vec::new(),
            maybe: Vec::new(),
            fields: Vec::new(),
            items: None,
            values: None,
        });
        self.waiting.push(id);
        Ok(Some(id))
    }

    /// Adds what a schema leads to.
    fn open(&mut self, id: Id) -> Result<(), SchemaError> {
        let object = self.graph.schema(id).object;
        self.open_combined(id, object)?;
        self.open_maybe(id, object)?;
        if let Some(Value::Object(properties)) = object.get("properties") {
            for (name, schema) in properties {
                let field = self.add(schema, From::Named(id, "properties", name))?;
                let field = field.map(|field| (name.as_str(), field));
                self.graph.schemas[id as usize].fields.extend(field);
            }
        }
        if let Some(items) = object.get("items").filter(|items| !items.is_array()) {
            self.graph.schemas[id as usize].items = self.add(items, From::Keyword(id, "items"))?;
        }
        if let Some(values) = object.get("additionalProperties") {
            self.graph.schemas[id as usize].values =
                self.add(values, From::Keyword(id, "additionalProperties"))?;
        }
        Ok(())
    }

    /// Adds what holds for the same value.
    fn open_combined(&mut self, id: Id, object: &'v Map<String, Value>) -> Result<(), SchemaError> {
        if let Some(reference) = object.get("$ref") {
            let also = self.refer(id, reference)?;
            self.graph.schemas[id as usize].also.extend(also);
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let Some(branches) = object.get(keyword).and_then(Value::as_array) else {
                continue;
            };
            let is_all = keyword == "allOf";
            let all = branches.iter().enumerate();
            let left = all.filter(|(_, branch)| is_all || !is_null(branch));
            let holds = is_all || left.clone().count() == 1;
            for (number, branch) in left {
                let branch = self.add(branch, From::Numbered(id, keyword, number))?;
                let schema = &mut self.graph.schemas[id as usize];
                let list = if holds {
                    &mut schema.also
                } else {
                    &mut schema.maybe
                };
                list.extend(branch);
            }
        }
        Ok(())
    }

    /// Adds what may hold or not.
    fn open_maybe(&mut self, id: Id, object: &'v Map<String, Value>) -> Result<(), SchemaError> {
        for keyword in [
            "not",
            "if",
            "then",
            "else",
            "prefixItems",
            "items",
            "patternProperties",
        ] {
            let mut maybe = Vec::new();
            match object.get(keyword) {
                Some(Value::Array(schemas)) => {
                    for (number, schema) in schemas.iter().enumerate() {
                        maybe.extend(self.add(schema, From::Numbered(id, keyword, number))?);
                    }
                }
                Some(Value::Object(schemas)) if keyword == "patternProperties" => {
                    for (name, schema) in schemas {
                        maybe.extend(self.add(schema, From::Named(id, keyword, name))?);
                    }
                }
                Some(schema) if keyword != "items" => {
                    maybe.extend(self.add(schema, From::Keyword(id, keyword))?);
                }
                _ => {}
            }
            self.graph.schemas[id as usize].maybe.extend(maybe);
        }
        Ok(())
    }

    /// The schema that a `$ref` leads to.
    fn refer(&mut self, id: Id, reference: &'v Value) -> Result<Option<Id>, SchemaError> {
        let Some(reference) = reference.as_str() else {
            return Err(SchemaError::new(
                self.graph.place(id),
                "`$ref` is no text; write it as \"#/components/schemas/Name\"",
            ));
        };
        if let Some(id) = self.by_reference.get(reference) {
            return Ok(Some(*id));
        }
        let pointer = reference.strip_prefix('#');
        let Some(target) = pointer.and_then(|pointer| self.source.document.pointer(pointer)) else {
            return Err(SchemaError::new(
                self.graph.place(id),
                format!(
                    "`$ref` {reference:?} leads nowhere in this document; \
                     give the whole document, with what it refers to in it"
                ),
            ));
        };
        let id = self.add(target, From::Reference(reference))?;
        if let Some(id) = id {
            self.by_reference.insert(reference, id);
        }
        Ok(id)
    }
}

/// Whether a branch holds for null alone.
fn is_null(schema: &Value) -> bool {
    let all_null = |values: &Value| {
        let values = values.as_array();
        values.is_some_and(|values| values.iter().all(Value::is_null))
    };
    schema.get("type").is_some_and(|kind| kind == "null")
        || schema.get("const").is_some_and(Value::is_null)
        || schema.get("enum").is_some_and(all_null)
}
