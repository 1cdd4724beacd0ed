//! The first step of compilation: reads a schema, and all schemas that can be reached from it, into
//! a graph. This step does not read unions.

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

/// The graph of the schemas that can be reached from a first schema.
pub(crate) struct Graph<'v> {
    reader: Reader<'v>,
    schemas: Vec<Schema<'v>>,
}

/// A schema, and the schemas that it contains or to which it refers.
pub(crate) struct Schema<'v> {
    pub(crate) object: &'v Map<String, Value>,
    /// The extension that the annotation contains for the schema, or the value of [`UNIONS`] in the
    /// schema itself.
    pub(crate) extension: Option<&'v Value>,
    /// The schemas that always apply to the same value: the target of `$ref`, the branches of
    /// `allOf`, and the only branch of an `anyOf` or `oneOf` apart from null.
    pub(crate) also: Vec<Id>,
    /// The schemas that apply to some values only, so that unions in them are not allowed.
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
        // The schemas to read are kept in a list instead of on the stack, so that a deep schema
        // does not cause a stack overflow.
        while let Some(id) = opening.waiting.pop() {
            opening.open(id)?;
        }
        Ok(opening.graph)
    }

    pub(crate) fn schema(&self, id: Id) -> &Schema<'v> {
        row(&self.schemas, id)
    }

    /// Returns the keyword by which a schema was reached.
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
        // `Reader::add` numbers the schemas from 0.
        0..Id::try_from(self.schemas.len()).unwrap_or(Id::MAX)
    }

    /// Returns the JSON pointer to a schema.
    pub(crate) fn place(&self, id: Id) -> String {
        self.reader.place(id)
    }
}

/// A graph that is being read, and the schemas that are still to be read.
struct Opening<'s, 'v> {
    source: &'s AnnotatedSchema<'v>,
    problems: &'s Problems,
    graph: Graph<'v>,
    /// The schemas to which references refer. The keys are addresses, because two references to the
    /// same schema may be spelled differently.
    referred: HashMap<*const Value, Id>,
    waiting: Vec<Id>,
}

impl<'v> Opening<'_, 'v> {
    /// Adds a schema, and returns its number. Returns `None` for a schema that is `true`, `false`
    /// or null.
    fn add(&mut self, schema: &'v Value, reached: Reached<'v>) -> Result<Option<Id>, SchemaError> {
        let object = self.graph.reader.object(schema, reached);
        let object = match reached {
            // An error in the first schema is always returned, because no other schemas can be read
            // then.
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

    /// Adds the schemas that a schema contains or to which it refers.
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

    /// Adds the schemas in `$ref`, `allOf`, `anyOf` and `oneOf`, which apply to the same value.
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

    /// Adds the schemas in keywords that apply to some values only.
    fn open_maybe(&mut self, id: Id, object: &'v Map<String, Value>) -> Result<(), SchemaError> {
        let mut maybe = Vec::new();
        for keyword in MAYBE {
            match object.get(keyword) {
                Some(Value::Array(schemas)) => {
                    for (number, schema) in schemas.iter().enumerate() {
                        maybe.extend(self.add(schema, Reached::Numbered(id, keyword, number))?);
                    }
                }
                // An `items` with a single schema applies to every element, and `open` adds it.
                Some(schema) if keyword != "items" => {
                    maybe.extend(self.add(schema, Reached::Keyword(id, keyword))?);
                }
                _ => {}
            }
        }
        for keyword in MAYBE_BY_NAME {
            for (name, schema) in self.named(id, object, keyword)? {
                // In `dependencies`, a value may also be a list of field names.
                if !schema.is_array() {
                    maybe.extend(self.add(schema, Reached::Named(id, keyword, name))?);
                }
            }
        }
        self.opened(id).maybe.extend(maybe);
        Ok(())
    }

    /// Returns the schemas in a keyword whose value is a map from names to schemas.
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

    /// Returns the error for a problem with the value of a keyword of a schema.
    fn at(&self, id: Id, keyword: &str, problem: KeywordError) -> SchemaError {
        SchemaError::of_keyword(format!("{}/{keyword}", self.graph.place(id)), problem)
    }

    /// Returns the number of the schema to which a `$ref` refers, and adds the schema if it is new.
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

/// The keywords with a list of schemas for the same value, of which all apply, or at least one
/// applies. `to_openapi_v2` writes the keywords with `x-`, because `OpenAPI` v2 does not have
/// `anyOf` and `oneOf`.
const COMBINED: [&str; 5] = ["allOf", "anyOf", "oneOf", "x-anyOf", "x-oneOf"];

/// The keywords with a schema or a list of schemas that apply only to some values, or only to some
/// elements or fields.
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

/// The keywords like [`MAYBE`] whose values are maps from names to schemas.
const MAYBE_BY_NAME: [&str; 3] = ["patternProperties", "dependentSchemas", "dependencies"];
