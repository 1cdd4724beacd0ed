//! Reads a schema, with all that it refers to, into a graph of schemas. Nothing is decided yet.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::error::SchemaError;
use super::limits::Limits;
use super::reference::pointer_of;
use super::shown::shown;
use super::source::Source;
use crate::spec::schema_keys::UNIONS;
use k8s_json_internals::rows::{row, row_mut};

pub(super) type Id = u32;

/// The schemas that can be reached from one.
pub(super) struct Graph<'v> {
    /// Where the first one stands, and the document that references lead into.
    place: String,
    document: String,
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
                document: source.document_place.clone(),
                schemas: Vec::new(),
            },
            referred: HashMap::new(),
            waiting: Vec::new(),
        };
        if let Some(start) = reader.add(source.schema, From::Start)? {
            reader
                .referred
                .insert(core::ptr::from_ref(source.schema), start);
        }
        // A schema waits in a list, so that a deep one takes memory and no stack.
        while let Some(id) = reader.waiting.pop() {
            reader.open(id)?;
        }
        Ok(reader.graph)
    }

    pub(super) fn schema(&self, id: Id) -> &Schema<'v> {
        row(&self.schemas, id)
    }

    /// The keyword that a schema stands under.
    pub(super) fn keyword(&self, id: Id) -> &'static str {
        match self.schema(id).from {
            From::Start | From::Reference(_) => "$ref",
            From::Keyword(_, keyword)
            | From::Named(_, keyword, _)
            | From::Numbered(_, keyword, _) => keyword,
        }
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
                From::Reference(reference) => {
                    break format!(
                        "{}{}",
                        self.document,
                        pointer_of(reference).unwrap_or_default()
                    );
                }
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
    /// The schemas that references lead to, however they are written.
    referred: HashMap<*const Value, Id>,
    waiting: Vec<Id>,
}

impl<'v> Reader<'_, 'v> {
    /// Adds a schema; `None` for one that says nothing.
    fn add(&mut self, schema: &'v Value, from: From<'v>) -> Result<Option<Id>, SchemaError> {
        let object = match schema {
            Value::Object(object) => object,
            Value::Bool(_) => return Ok(None),
            other => {
                return Err(SchemaError::new(
                    self.graph.place_from(from),
                    format!(
                        "a schema is {}; write an object, or true or false",
                        shown(other)
                    ),
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

    fn opened(&mut self, id: Id) -> &mut Schema<'v> {
        row_mut(&mut self.graph.schemas, id)
    }

    /// Adds what a schema leads to.
    fn open(&mut self, id: Id) -> Result<(), SchemaError> {
        let object = self.graph.schema(id).object;
        self.open_combined(id, object)?;
        self.open_maybe(id, object)?;
        for (name, schema) in self.named(id, object, "properties")? {
            let field = self.add(schema, From::Named(id, "properties", name))?;
            let field = field.map(|field| (name.as_str(), field));
            self.opened(id).fields.extend(field);
        }
        if let Some(items) = object.get("items").filter(|items| !items.is_array()) {
            self.opened(id).items = self.add(items, From::Keyword(id, "items"))?;
        }
        if let Some(values) = object.get("additionalProperties") {
            self.opened(id).values = self.add(values, From::Keyword(id, "additionalProperties"))?;
        }
        Ok(())
    }

    /// Adds what holds for the same value.
    fn open_combined(&mut self, id: Id, object: &'v Map<String, Value>) -> Result<(), SchemaError> {
        if let Some(reference) = object.get("$ref") {
            let also = self.refer(id, reference)?;
            self.opened(id).also.extend(also);
        }
        for keyword in COMBINED {
            let branches = match object.get(keyword) {
                None => continue,
                Some(Value::Array(branches)) => branches,
                Some(other) => return self.refuse(id, keyword, other, "a list of schemas"),
            };
            let is_all = keyword == "allOf";
            let all = branches.iter().enumerate();
            let left = all.filter(|(_, branch)| is_all || !is_null(branch));
            let holds = is_all || left.clone().count() == 1;
            for (number, branch) in left {
                let branch = self.add(branch, From::Numbered(id, keyword, number))?;
                let schema = self.opened(id);
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
        let mut maybe = Vec::new();
        for keyword in MAYBE {
            match object.get(keyword) {
                Some(Value::Array(schemas)) => {
                    for (number, schema) in schemas.iter().enumerate() {
                        maybe.extend(self.add(schema, From::Numbered(id, keyword, number))?);
                    }
                }
                // What holds for every element is no matter of chance.
                Some(schema) if keyword != "items" => {
                    maybe.extend(self.add(schema, From::Keyword(id, keyword))?);
                }
                _ => {}
            }
        }
        for keyword in MAYBE_BY_NAME {
            for (name, schema) in self.named(id, object, keyword)? {
                // Under `dependencies` there may be names of fields too.
                if !schema.is_array() {
                    maybe.extend(self.add(schema, From::Named(id, keyword, name))?);
                }
            }
        }
        self.opened(id).maybe.extend(maybe);
        Ok(())
    }

    /// The schemas under a keyword that has a name for each.
    fn named(
        &self,
        id: Id,
        object: &'v Map<String, Value>,
        keyword: &'static str,
    ) -> Result<impl Iterator<Item = (&'v String, &'v Value)> + use<'v>, SchemaError> {
        let schemas = match object.get(keyword) {
            None => None,
            Some(Value::Object(schemas)) => Some(schemas),
            Some(other) => {
                return self.refuse(id, keyword, other, "an object from names to schemas");
            }
        };
        Ok(schemas.into_iter().flatten())
    }

    /// Refuses what stands under a keyword.
    fn refuse<T>(
        &self,
        id: Id,
        keyword: &str,
        found: &Value,
        wanted: &str,
    ) -> Result<T, SchemaError> {
        Err(SchemaError::new(
            format!("{}/{keyword}", self.graph.place(id)),
            format!("`{keyword}` is {}; write {wanted}", shown(found)),
        ))
    }

    /// The schema that a `$ref` leads to.
    fn refer(&mut self, id: Id, reference: &'v Value) -> Result<Option<Id>, SchemaError> {
        let Some(reference) = reference.as_str() else {
            return self.refuse(
                id,
                "$ref",
                reference,
                "a text, as \"#/components/schemas/Name\"",
            );
        };
        let pointer = pointer_of(reference);
        let Some(target) = pointer.and_then(|pointer| self.source.document.pointer(&pointer))
        else {
            return Err(SchemaError::new(
                format!("{}/$ref", self.graph.place(id)),
                format!(
                    "`$ref` {reference:?} leads nowhere in this document; \
                     give the whole document, with what it refers to in it"
                ),
            ));
        };
        let address = core::ptr::from_ref(target);
        if let Some(id) = self.referred.get(&address) {
            return Ok(Some(*id));
        }
        let id = self.add(target, From::Reference(reference))?;
        self.referred.extend(id.map(|id| (address, id)));
        Ok(id)
    }
}

/// The keywords of lists of schemas for the same value: all, or one, of them hold. With `x-` they are those that `OpenAPI`
/// v2 does not have (`schema::to_openapi_v2`).
const COMBINED: [&str; 5] = ["allOf", "anyOf", "oneOf", "x-anyOf", "x-oneOf"];

/// The keywords of schemas, alone or in a list, that do not hold for every value, or not for every part of it.
const MAYBE: [&str; 12] = [
    "not",
    "x-not",
    "if",
    "then",
    "else",
    "prefixItems",
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "unevaluatedProperties",
    "propertyNames",
];

/// The same with a name for each schema.
const MAYBE_BY_NAME: [&str; 3] = ["patternProperties", "dependentSchemas", "dependencies"];

/// Whether a branch holds for null alone.
fn is_null(schema: &Value) -> bool {
    let all_null = |values: &Value| {
        let values = values.as_array();
        values.is_some_and(|values| values.iter().all(Value::is_null))
    };
    let is_null = |kind: &Value| match kind {
        Value::Array(kinds) => !kinds.is_empty() && kinds.iter().all(|kind| kind == "null"),
        kind => kind == "null",
    };
    schema.get("type").is_some_and(is_null)
        || schema.get("const").is_some_and(Value::is_null)
        || schema.get("enum").is_some_and(all_null)
}
