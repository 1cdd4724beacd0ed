//! The first step of compilation: reads a schema, and all schemas that can be reached from it, into
//! a graph. Extensions are found, but not parsed.

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

/// The schemas that can be reached from a first schema, as a graph.
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
    pub(crate) combined_schemas: Vec<SchemaId>,
    /// The schemas that apply only to some values. Unions in these schemas are not supported.
    pub(crate) conditional_schemas: Vec<SchemaId>,
    /// The schemas in `properties`.
    pub(crate) fields: Vec<(&'v str, SchemaId)>,
    pub(crate) items: Option<SchemaId>,
    pub(crate) additional_properties: Option<SchemaId>,
}

impl<'v> SchemaGraph<'v> {
    /// The id of the first schema.
    pub(crate) const START: SchemaId = 0;

    /// Reads the schemas that can be reached from the schema of `source`.
    pub(crate) fn build(
        source: &AnnotatedSchema<'v>,
        limits: Limits,
        policy: &ErrorPolicy,
    ) -> Result<Self, SchemaError> {
        let mut builder = SchemaGraphBuilder {
            source,
            policy,
            graph: Self {
                reader: SchemaGraphReader::new(&source.schema_in_document, limits),
                schemas: Vec::new(),
            },
            reference_targets: HashMap::new(),
            pending_ids: Vec::new(),
        };
        let schema = source.schema_in_document.schema;
        if let Some(start) = builder.add(schema, SchemaOrigin::Root)? {
            builder
                .reference_targets
                .insert(core::ptr::from_ref(schema), start);
        }
        // A loop replaces recursion, because a deep schema must not overflow the stack.
        while let Some(id) = builder.pending_ids.pop() {
            builder.add_subschemas(id)?;
        }
        Ok(builder.graph)
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

/// A graph that is being built, and the schemas whose subschemas have not been read yet.
struct SchemaGraphBuilder<'s, 'v> {
    source: &'s AnnotatedSchema<'v>,
    policy: &'s ErrorPolicy,
    graph: SchemaGraph<'v>,
    /// The targets of references by address, because two references to the same schema may be
    /// spelled differently.
    reference_targets: HashMap<*const Value, SchemaId>,
    pending_ids: Vec<SchemaId>,
}

impl<'v> SchemaGraphBuilder<'_, 'v> {
    /// Adds a schema, and returns its number. Returns `None` for a schema that is `true`, `false`
    /// or null.
    fn add(
        &mut self,
        schema: &'v Value,
        origin: SchemaOrigin<'v>,
    ) -> Result<Option<SchemaId>, SchemaError> {
        let object = self.graph.reader.object(schema, origin);
        let object = match origin {
            // An error in the first schema is returned even by a lenient compiler, because no other
            // schema can be read.
            SchemaOrigin::Root => object?,
            _ => self.policy.or_default(object)?,
        };
        let Some(object) = object else {
            return Ok(None);
        };
        let id = self.graph.reader.add(origin)?;
        self.graph.schemas.push(Schema {
            object,
            extension: self
                .source
                .extension_of(schema)
                .or_else(|| object.get(UNIONS)),
            combined_schemas: Vec::new(),
            conditional_schemas: Vec::new(),
            fields: Vec::new(),
            items: None,
            additional_properties: None,
        });
        self.pending_ids.push(id);
        Ok(Some(id))
    }

    fn schema_mut(&mut self, id: SchemaId) -> &mut Schema<'v> {
        row_mut(&mut self.graph.schemas, id)
    }

    /// Adds the schemas that a schema contains or to which it refers.
    fn add_subschemas(&mut self, id: SchemaId) -> Result<(), SchemaError> {
        let object = self.graph.schema(id).object;
        self.add_combined_schemas(id, object)?;
        self.add_conditional_schemas(id, object)?;
        for (name, schema) in self.named_subschemas(id, object, "properties")? {
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
    fn add_combined_schemas(
        &mut self,
        id: SchemaId,
        object: &'v Map<String, Value>,
    ) -> Result<(), SchemaError> {
        if let Some(reference) = object.get("$ref").filter(|reference| !reference.is_null()) {
            let target = self.add_reference_target(id, reference)?;
            self.schema_mut(id).combined_schemas.extend(target);
        }
        for keyword in COMBINING_KEYWORDS {
            let branches = match object.get(keyword) {
                None | Some(Value::Null) => continue,
                Some(Value::Array(branches)) => branches,
                Some(value) => {
                    let problem = type_error(keyword, value, "a list of schemas");
                    self.policy
                        .handle(self.keyword_error(id, keyword, problem))?;
                    continue;
                }
            };
            let is_all_of = keyword == "allOf";
            let branches = branches
                .iter()
                .enumerate()
                .filter(|(_, branch)| is_all_of || !allows_only_null(branch));
            let always_applies = is_all_of || branches.clone().count() == 1;
            for (index, branch) in branches {
                let branch = self.add(branch, SchemaOrigin::ListEntry(id, keyword, index))?;
                let schema = self.schema_mut(id);
                let subschemas = if always_applies {
                    &mut schema.combined_schemas
                } else {
                    &mut schema.conditional_schemas
                };
                subschemas.extend(branch);
            }
        }
        Ok(())
    }

    /// Adds the schemas in keywords that apply to some values only.
    fn add_conditional_schemas(
        &mut self,
        id: SchemaId,
        object: &'v Map<String, Value>,
    ) -> Result<(), SchemaError> {
        let mut conditional_schemas = Vec::new();
        for keyword in CONDITIONAL_KEYWORDS {
            match object.get(keyword) {
                Some(Value::Array(schemas)) => {
                    for (index, schema) in schemas.iter().enumerate() {
                        conditional_schemas
                            .extend(self.add(schema, SchemaOrigin::ListEntry(id, keyword, index))?);
                    }
                }
                // An `items` with a single schema applies to every element. `add_subschemas` adds
                // the schema.
                Some(schema) if keyword != "items" => {
                    conditional_schemas
                        .extend(self.add(schema, SchemaOrigin::Keyword(id, keyword))?);
                }
                _ => {}
            }
        }
        for keyword in CONDITIONAL_MAP_KEYWORDS {
            for (name, schema) in self.named_subschemas(id, object, keyword)? {
                // In `dependencies`, a value may also be a list of field names.
                if !schema.is_array() {
                    conditional_schemas
                        .extend(self.add(schema, SchemaOrigin::MapEntry(id, keyword, name))?);
                }
            }
        }
        self.schema_mut(id)
            .conditional_schemas
            .extend(conditional_schemas);
        Ok(())
    }

    /// Returns the schemas in a keyword whose value is a map from names to schemas.
    fn named_subschemas(
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

    /// Adds the JSON pointer to an error in the value of a keyword.
    fn keyword_error(&self, id: SchemaId, keyword: &str, error: KeywordError) -> SchemaError {
        SchemaError::from_keyword_error(format!("{}/{keyword}", self.graph.pointer(id)), error)
    }

    /// Returns the target of a `$ref`, and adds the target to the graph if it is new.
    fn add_reference_target(
        &mut self,
        id: SchemaId,
        reference: &'v Value,
    ) -> Result<Option<SchemaId>, SchemaError> {
        let ReferencedSchema {
            schema: target,
            origin,
        } = match self.graph.reader.resolve_reference(reference) {
            Ok(referenced) => referenced,
            Err(problem) => {
                self.policy
                    .handle(self.keyword_error(id, "$ref", problem))?;
                return Ok(None);
            }
        };
        let address = core::ptr::from_ref(target);
        if let Some(id) = self.reference_targets.get(&address) {
            return Ok(Some(*id));
        }
        let id = self.add(target, origin)?;
        self.reference_targets.extend(id.map(|id| (address, id)));
        Ok(id)
    }
}

/// The keywords with a list of schemas for the same value. Either all schemas apply, or at least
/// one schema applies. `to_openapi_v2` adds `x-` to `anyOf` and `oneOf`, because `OpenAPI` v2 does
/// not have these keywords.
const COMBINING_KEYWORDS: [&str; 5] = ["allOf", "anyOf", "oneOf", "x-anyOf", "x-oneOf"];

/// The keywords with a schema or a list of schemas that applies only to some values, or only to
/// some elements or fields.
const CONDITIONAL_KEYWORDS: [&str; 12] = [
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

/// Keywords like [`CONDITIONAL_KEYWORDS`], whose values are maps from names to schemas.
const CONDITIONAL_MAP_KEYWORDS: [&str; 3] =
    ["patternProperties", "dependentSchemas", "dependencies"];
