//! Reads a schema, with all schemas that it refers to, into a graph of schemas. Unions are not read
//! yet.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::compile::annotated::AnnotatedSchema;
use crate::compile::problems::Problems;
pub(crate) use crate::document::reader::Id;
use crate::document::reader::{Reached, Reader, Referred, is_null, named, unfit};
use crate::error::{KeywordError, SchemaError};
use crate::limits::Limits;
use k8s_json_internals::rows::{row, row_mut};
use union_runtime::schema_keys::UNIONS;

/// The schemas that can be reached from one schema.
pub(crate) struct Graph<'v> {
    reader: Reader<'v>,
    schemas: Vec<Schema<'v>>,
}

/// A schema, and the schemas that its keywords contain or refer to.
pub(crate) struct Schema<'v> {
    pub(crate) object: &'v Map<String, Value>,
    /// The value of [`UNIONS`] in the schema, or the extension that an annotation has for the
    /// schema.
    pub(crate) extension: Option<&'v Value>,
    /// The schemas that apply to the same value: `$ref`, `allOf`, and the branch of an `anyOf`
    /// beside null.
    pub(crate) also: Vec<Id>,
    /// The schemas that may or may not apply to a value, so that their unions may not hold.
    pub(crate) maybe: Vec<Id>,
    pub(crate) fields: Vec<(&'v str, Id)>,
    pub(crate) items: Option<Id>,
    pub(crate) values: Option<Id>,
}

impl<'v> Graph<'v> {
    pub(crate) const START: Id = 0;

    pub(crate) fn read(
        source: &AnnotatedSchema<'v>,
        limits: Limits,
        problems: &Problems,
    ) -> Result<Self, SchemaError> {
        let mut opening = Opening {
            source,
            problems,
            graph: Self {
                reader: Reader::new(&source.located, limits),
                schemas: Vec::new(),
            },
            referred: HashMap::new(),
            waiting: Vec::new(),
        };
        let schema = source.located.schema;
        if let Some(start) = opening.add(schema, Reached::Start)? {
            opening.referred.insert(core::ptr::from_ref(schema), start);
        }
        // Schemas wait in a list, so that a deep schema takes memory and not stack.
        while let Some(id) = opening.waiting.pop() {
            opening.open(id)?;
        }
        Ok(opening.graph)
    }

    pub(crate) fn schema(&self, id: Id) -> &Schema<'v> {
        row(&self.schemas, id)
    }

    /// Returns the keyword that contains a schema.
    pub(crate) fn keyword(&self, id: Id) -> &'static str {
        match self.reader.reached(id) {
            Reached::Start | Reached::Reference(_) => "$ref",
            Reached::Keyword(_, keyword)
            | Reached::Named(_, keyword, _)
            | Reached::Numbered(_, keyword, _) => keyword,
            Reached::ItemsOf(..) => "items",
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.schemas.len()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        // `Reader::add` numbers them.
        0..Id::try_from(self.schemas.len()).unwrap_or(Id::MAX)
    }

    /// Returns the place of a schema, as a JSON pointer.
    pub(crate) fn place(&self, id: Id) -> String {
        self.reader.place(id)
    }
}

/// A graph that is being read.
struct Opening<'s, 'v> {
    source: &'s AnnotatedSchema<'v>,
    problems: &'s Problems,
    graph: Graph<'v>,
    /// The schemas that references refer to, by address: two references to a schema may differ in
    /// spelling.
    referred: HashMap<*const Value, Id>,
    waiting: Vec<Id>,
}

impl<'v> Opening<'_, 'v> {
    /// Adds a schema; returns `None` for a schema that is `true`, `false` or null.
    fn add(&mut self, schema: &'v Value, reached: Reached<'v>) -> Result<Option<Id>, SchemaError> {
        let object = self.graph.reader.object(schema, reached);
        let object = match reached {
            // Without the first schema, there is nothing to read.
            Reached::Start => object?,
            _ => self.problems.or_default(object)?,
        };
        let Some(object) = object else {
            return Ok(None);
        };
        let id = self.graph.reader.add(reached)?;
        self.graph.schemas.push(Schema {
            object,
            extension: self.source.said_of(schema).or_else(|| object.get(UNIONS)),
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

    /// Adds the schemas that a schema contains or refers to.
    fn open(&mut self, id: Id) -> Result<(), SchemaError> {
        let object = self.graph.schema(id).object;
        self.open_combined(id, object)?;
        self.open_maybe(id, object)?;
        for (name, schema) in self.named(id, object, "properties")? {
            let field = self.add(schema, Reached::Named(id, "properties", name))?;
            let field = field.map(|field| (name.as_str(), field));
            self.opened(id).fields.extend(field);
        }
        if let Some(items) = object.get("items").filter(|items| !items.is_array()) {
            self.opened(id).items = self.add(items, Reached::Keyword(id, "items"))?;
        }
        if let Some(values) = object.get("additionalProperties") {
            self.opened(id).values =
                self.add(values, Reached::Keyword(id, "additionalProperties"))?;
        }
        Ok(())
    }

    /// Adds the schemas that apply to the same value.
    fn open_combined(&mut self, id: Id, object: &'v Map<String, Value>) -> Result<(), SchemaError> {
        if let Some(reference) = object.get("$ref").filter(|reference| !reference.is_null()) {
            let also = self.refer(id, reference)?;
            self.opened(id).also.extend(also);
        }
        for keyword in COMBINED {
            let branches = match object.get(keyword) {
                None | Some(Value::Null) => continue,
                Some(Value::Array(branches)) => branches,
                Some(other) => {
                    let problem = unfit(keyword, other, "a list of schemas");
                    self.problems.take(self.at(id, keyword, problem))?;
                    continue;
                }
            };
            let is_all = keyword == "allOf";
            let all = branches.iter().enumerate();
            let left = all.filter(|(_, branch)| is_all || !is_null(branch));
            let holds = is_all || left.clone().count() == 1;
            for (number, branch) in left {
                let branch = self.add(branch, Reached::Numbered(id, keyword, number))?;
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

    /// Adds the schemas that may or may not apply.
    fn open_maybe(&mut self, id: Id, object: &'v Map<String, Value>) -> Result<(), SchemaError> {
        let mut maybe = Vec::new();
        for keyword in MAYBE {
            match object.get(keyword) {
                Some(Value::Array(schemas)) => {
                    for (number, schema) in schemas.iter().enumerate() {
                        maybe.extend(self.add(schema, Reached::Numbered(id, keyword, number))?);
                    }
                }
                // `items` with one schema applies to every element; `open` adds it.
                Some(schema) if keyword != "items" => {
                    maybe.extend(self.add(schema, Reached::Keyword(id, keyword))?);
                }
                _ => {}
            }
        }
        for keyword in MAYBE_BY_NAME {
            for (name, schema) in self.named(id, object, keyword)? {
                // Under `dependencies`, a name may also have a list of field names.
                if !schema.is_array() {
                    maybe.extend(self.add(schema, Reached::Named(id, keyword, name))?);
                }
            }
        }
        self.opened(id).maybe.extend(maybe);
        Ok(())
    }

    /// Returns the schemas under a keyword that has a name for each.
    fn named(
        &self,
        id: Id,
        object: &'v Map<String, Value>,
        keyword: &'static str,
    ) -> Result<impl Iterator<Item = (&'v String, &'v Value)> + use<'v>, SchemaError> {
        let schemas = named(object, keyword).map_err(|problem| self.at(id, keyword, problem));
        let schemas = self.problems.or_default(schemas)?;
        Ok(schemas.into_iter().flatten())
    }

    /// Returns the error for a problem with the value of a keyword.
    fn at(&self, id: Id, keyword: &str, problem: KeywordError) -> SchemaError {
        SchemaError::of_keyword(format!("{}/{keyword}", self.graph.place(id)), problem)
    }

    /// Returns the schema that a `$ref` refers to, and adds the schema if it is new.
    fn refer(&mut self, id: Id, reference: &'v Value) -> Result<Option<Id>, SchemaError> {
        let Referred {
            schema: target,
            reached,
        } = match self.graph.reader.refer(reference) {
            Ok(found) => found,
            Err(problem) => {
                self.problems.take(self.at(id, "$ref", problem))?;
                return Ok(None);
            }
        };
        let address = core::ptr::from_ref(target);
        if let Some(id) = self.referred.get(&address) {
            return Ok(Some(*id));
        }
        let id = self.add(target, reached)?;
        self.referred.extend(id.map(|id| (address, id)));
        Ok(id)
    }
}

/// The keywords of lists of schemas for the same value: all of them apply, or one does. The
/// keywords with `x-` are the ones that `OpenAPI` v2 does not have (`to_openapi_v2` of union-json).
const COMBINED: [&str; 5] = ["allOf", "anyOf", "oneOf", "x-anyOf", "x-oneOf"];

/// The keywords of schemas, alone or in a list, that do not apply to every value, or not to every
/// part of a value.
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

/// The keywords of [`MAYBE`] that have a name for each schema.
const MAYBE_BY_NAME: [&str; 3] = ["patternProperties", "dependentSchemas", "dependencies"];
