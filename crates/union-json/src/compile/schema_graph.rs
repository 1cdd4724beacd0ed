//! The first step of compilation: reads a schema, and all schemas that can be reached from it, into
//! a graph. This step does not read unions.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::compile::annotated_schema::AnnotatedSchema;
use crate::compile::error_policy::ErrorPolicy;
pub(crate) use crate::document::graph_reader::SchemaId;
use crate::document::graph_reader::{
    ReferencedSchema, SchemaGraphReader, SchemaOrigin, allows_only_null, named_schemas, type_error,
};
use crate::error::{KeywordError, SchemaError};
use crate::limits::Limits;
use k8s_json_internals::rows::{row, row_mut};
use union_runtime::schema_keys::UNIONS;

/// The graph of the schemas that can be reached from a first schema.
pub(crate) struct SchemaGraph<'v> {
    reader: SchemaGraphReader<'v>,
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
    pub(crate) combined: Vec<SchemaId>,
    /// The schemas that apply to some values only, so that unions in them are not allowed.
    pub(crate) conditional: Vec<SchemaId>,
    pub(crate) fields: Vec<(&'v str, SchemaId)>,
    pub(crate) items: Option<SchemaId>,
    pub(crate) additional_properties: Option<SchemaId>,
}

impl<'v> SchemaGraph<'v> {
    pub(crate) const START: SchemaId = 0;

    pub(crate) fn build(
        source: &AnnotatedSchema<'v>,
        limits: Limits,
        problems: &ErrorPolicy,
    ) -> Result<Self, SchemaError> {
        let mut opening = SchemaGraphBuilder {
            source,
            policy: problems,
            graph: Self {
                reader: SchemaGraphReader::new(&source.located, limits),
                schemas: Vec::new(),
            },
            referred: HashMap::new(),
            waiting: Vec::new(),
        };
        let schema = source.located.schema;
        if let Some(start) = opening.add(schema, SchemaOrigin::Root)? {
            opening.referred.insert(core::ptr::from_ref(schema), start);
        }
        // The schemas to read are kept in a list instead of on the stack, so that a deep schema
        // does not cause a stack overflow.
        while let Some(id) = opening.waiting.pop() {
            opening.add_subschemas(id)?;
        }
        Ok(opening.graph)
    }

    pub(crate) fn schema(&self, id: SchemaId) -> &Schema<'v> {
        row(&self.schemas, id)
    }

    /// Returns the keyword by which a schema was reached.
    pub(crate) fn keyword(&self, id: SchemaId) -> &'static str {
        match self.reader.origin(id) {
            SchemaOrigin::Root | SchemaOrigin::Reference(_) => "$ref",
            SchemaOrigin::Keyword(_, keyword)
            | SchemaOrigin::MapEntry(_, keyword, _)
            | SchemaOrigin::ListEntry(_, keyword, _) => keyword,
            SchemaOrigin::PropertyItems(..) => "items",
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.schemas.len()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = SchemaId> + use<> {
        // `SchemaGraphReader::add` numbers the schemas from 0.
        0..SchemaId::try_from(self.schemas.len()).unwrap_or(SchemaId::MAX)
    }

    /// Returns the JSON pointer to a schema.
    pub(crate) fn pointer(&self, id: SchemaId) -> String {
        self.reader.pointer(id)
    }
}

/// A graph that is being read, and the schemas that are still to be read.
struct SchemaGraphBuilder<'s, 'v> {
    source: &'s AnnotatedSchema<'v>,
    policy: &'s ErrorPolicy,
    graph: SchemaGraph<'v>,
    /// The schemas to which references refer. The keys are addresses, because two references to the
    /// same schema may be spelled differently.
    referred: HashMap<*const Value, SchemaId>,
    waiting: Vec<SchemaId>,
}

impl<'v> SchemaGraphBuilder<'_, 'v> {
    /// Adds a schema, and returns its number. Returns `None` for a schema that is `true`, `false`
    /// or null.
    fn add(
        &mut self,
        schema: &'v Value,
        reached: SchemaOrigin<'v>,
    ) -> Result<Option<SchemaId>, SchemaError> {
        let object = self.graph.reader.object(schema, reached);
        let object = match reached {
            // An error in the first schema is always returned, because no other schemas can be read
            // then.
            SchemaOrigin::Root => object?,
            _ => self.policy.or_default(object)?,
        };
        let Some(object) = object else {
            return Ok(None);
        };
        let id = self.graph.reader.add(reached)?;
        self.graph.schemas.push(Schema {
            object,
            extension: self
                .source
                .extension_of(schema)
                .or_else(|| object.get(UNIONS)),
            combined: Vec::new(),
            conditional: Vec::new(),
            fields: Vec::new(),
            items: None,
            additional_properties: None,
        });
        self.waiting.push(id);
        Ok(Some(id))
    }

    fn schema_mut(&mut self, id: SchemaId) -> &mut Schema<'v> {
        row_mut(&mut self.graph.schemas, id)
    }

    /// Adds the schemas that a schema contains or to which it refers.
    fn add_subschemas(&mut self, id: SchemaId) -> Result<(), SchemaError> {
        let object = self.graph.schema(id).object;
        self.add_combined(id, object)?;
        self.add_conditional(id, object)?;
        for (name, schema) in self.named(id, object, "properties")? {
            let field = self.add(schema, SchemaOrigin::MapEntry(id, "properties", name))?;
            let field = field.map(|field| (name.as_str(), field));
            self.schema_mut(id).fields.extend(field);
        }
        if let Some(items) = object.get("items").filter(|items| !items.is_array()) {
            self.schema_mut(id).items = self.add(items, SchemaOrigin::Keyword(id, "items"))?;
        }
        if let Some(values) = object.get("additionalProperties") {
            self.schema_mut(id).additional_properties =
                self.add(values, SchemaOrigin::Keyword(id, "additionalProperties"))?;
        }
        Ok(())
    }

    /// Adds the schemas in `$ref`, `allOf`, `anyOf` and `oneOf`, which apply to the same value.
    fn add_combined(
        &mut self,
        id: SchemaId,
        object: &'v Map<String, Value>,
    ) -> Result<(), SchemaError> {
        if let Some(reference) = object.get("$ref").filter(|reference| !reference.is_null()) {
            let also = self.refer(id, reference)?;
            self.schema_mut(id).combined.extend(also);
        }
        for keyword in COMBINED {
            let branches = match object.get(keyword) {
                None | Some(Value::Null) => continue,
                Some(Value::Array(branches)) => branches,
                Some(other) => {
                    let problem = type_error(keyword, other, "a list of schemas");
                    self.policy
                        .handle(self.keyword_error(id, keyword, problem))?;
                    continue;
                }
            };
            let is_all = keyword == "allOf";
            let all = branches.iter().enumerate();
            let left = all.filter(|(_, branch)| is_all || !allows_only_null(branch));
            let holds = is_all || left.clone().count() == 1;
            for (number, branch) in left {
                let branch = self.add(branch, SchemaOrigin::ListEntry(id, keyword, number))?;
                let schema = self.schema_mut(id);
                let list = if holds {
                    &mut schema.combined
                } else {
                    &mut schema.conditional
                };
                list.extend(branch);
            }
        }
        Ok(())
    }

    /// Adds the schemas in keywords that apply to some values only.
    fn add_conditional(
        &mut self,
        id: SchemaId,
        object: &'v Map<String, Value>,
    ) -> Result<(), SchemaError> {
        let mut maybe = Vec::new();
        for keyword in CONDITIONAL {
            match object.get(keyword) {
                Some(Value::Array(schemas)) => {
                    for (number, schema) in schemas.iter().enumerate() {
                        maybe.extend(
                            self.add(schema, SchemaOrigin::ListEntry(id, keyword, number))?,
                        );
                    }
                }
                // An `items` with a single schema applies to every element, and `open` adds it.
                Some(schema) if keyword != "items" => {
                    maybe.extend(self.add(schema, SchemaOrigin::Keyword(id, keyword))?);
                }
                _ => {}
            }
        }
        for keyword in CONDITIONAL_BY_NAME {
            for (name, schema) in self.named(id, object, keyword)? {
                // In `dependencies`, a value may also be a list of field names.
                if !schema.is_array() {
                    maybe.extend(self.add(schema, SchemaOrigin::MapEntry(id, keyword, name))?);
                }
            }
        }
        self.schema_mut(id).conditional.extend(maybe);
        Ok(())
    }

    /// Returns the schemas in a keyword whose value is a map from names to schemas.
    fn named(
        &self,
        id: SchemaId,
        object: &'v Map<String, Value>,
        keyword: &'static str,
    ) -> Result<impl Iterator<Item = (&'v String, &'v Value)> + use<'v>, SchemaError> {
        let schemas = named_schemas(object, keyword)
            .map_err(|problem| self.keyword_error(id, keyword, problem));
        let schemas = self.policy.or_default(schemas)?;
        Ok(schemas.into_iter().flatten())
    }

    /// Returns the error for a problem with the value of a keyword of a schema.
    fn keyword_error(&self, id: SchemaId, keyword: &str, problem: KeywordError) -> SchemaError {
        SchemaError::from_keyword_error(format!("{}/{keyword}", self.graph.pointer(id)), problem)
    }

    /// Returns the number of the schema to which a `$ref` refers, and adds the schema if it is new.
    fn refer(
        &mut self,
        id: SchemaId,
        reference: &'v Value,
    ) -> Result<Option<SchemaId>, SchemaError> {
        let ReferencedSchema {
            schema: target,
            origin: reached,
        } = match self.graph.reader.resolve_reference(reference) {
            Ok(found) => found,
            Err(problem) => {
                self.policy
                    .handle(self.keyword_error(id, "$ref", problem))?;
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
const CONDITIONAL: [&str; 12] = [
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

/// The keywords like [`CONDITIONAL`] whose values are maps from names to schemas.
const CONDITIONAL_BY_NAME: [&str; 3] = ["patternProperties", "dependentSchemas", "dependencies"];
