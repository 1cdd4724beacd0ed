//! Numbers the schemas that are reached from a first schema, resolves `$ref`, computes the JSON
//! pointer of each schema, and limits the number of schemas.
//!
//! The caller decides which keywords to follow, and what a schema means.

use serde_json::{Map, Value};

use crate::document::message_format::format_value;
use crate::document::reference::pointer_of_reference;
use crate::document::schema_in_document::SchemaInDocument;
use crate::error::{KeywordError, SchemaError};
use crate::limits::Limits;
use crate::pointer::escape;

/// The number of a schema. Schemas are numbered in the order in which they are added to a
/// [`SchemaGraphReader`].
pub type SchemaId = u32;

/// The keyword of another schema by which a schema was reached. The [`SchemaId`] is the number of
/// the schema with the keyword.
#[derive(Clone, Copy, Debug)]
pub enum SchemaOrigin<'v> {
    /// The first schema, which was not reached from another schema.
    Root,
    /// The target of a `$ref` with this value.
    Reference(&'v str),
    /// A schema that is the value of this keyword.
    Keyword(SchemaId, &'static str),
    /// A schema in a map, which is the value of this keyword, under this name.
    MapEntry(SchemaId, &'static str, &'v str),
    /// A schema in a list, which is the value of this keyword, at this index.
    ListEntry(SchemaId, &'static str, usize),
    /// The schema in `items` of the property with this name. Use this origin if the schema of the
    /// property itself was not added.
    PropertyItems(SchemaId, &'v str),
}

/// The target of a `$ref`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReferencedSchema<'v> {
    /// The schema.
    pub schema: &'v Value,
    /// The origin of the schema, for [`SchemaGraphReader::add`].
    pub origin: SchemaOrigin<'v>,
}

/// A list of the schemas that were reached from a first schema, with the origin of each schema.
#[derive(Clone, Debug)]
pub struct SchemaGraphReader<'v> {
    document: &'v Value,
    /// The JSON pointer to the first schema.
    pointer: String,
    /// The JSON pointer to the document in which `$ref` is resolved.
    document_pointer: String,
    limits: Limits,
    origins: Vec<SchemaOrigin<'v>>,
}

impl<'v> SchemaGraphReader<'v> {
    /// Creates a reader without schemas. Add the first schema with [`SchemaOrigin::Root`].
    #[must_use]
    pub fn new(start: &SchemaInDocument<'v>, limits: Limits) -> Self {
        Self {
            document: start.document,
            pointer: start.pointer.clone(),
            document_pointer: start.document_pointer.clone(),
            limits,
            origins: Vec::new(),
        }
    }

    /// Returns the object of a schema. Returns `None` for `true` and `false`, which describe no
    /// fields, and for null, which counts as a missing schema.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not an object, a boolean or null.
    pub fn object(
        &self,
        schema: &'v Value,
        origin: SchemaOrigin<'v>,
    ) -> Result<Option<&'v Map<String, Value>>, SchemaError> {
        match schema {
            Value::Object(object) => Ok(Some(object)),
            Value::Bool(_) | Value::Null => Ok(None),
            value => Err(SchemaError::new(
                self.pointer_of_origin(origin),
                format!(
                    "expected a schema (object, true or false), found {}",
                    format_value(value)
                ),
            )),
        }
    }

    /// Adds a schema and returns its number.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more schemas than [`Limits::max_schemas`].
    pub fn add(&mut self, origin: SchemaOrigin<'v>) -> Result<SchemaId, SchemaError> {
        let max = self.limits.max_schemas;
        let count = self.origins.len();
        let Some(id) = SchemaId::try_from(count).ok().filter(|_| count < max) else {
            return Err(SchemaError::new(
                self.pointer.as_str(),
                format!(
                    "more than {max} schemas; make the document smaller, or raise `Limits::max_schemas`"
                ),
            ));
        };
        self.origins.push(origin);
        Ok(id)
    }

    /// Returns the target of a `$ref` with this value.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not a string, or refers to no part of the document.
    pub fn resolve_reference(
        &self,
        reference: &'v Value,
    ) -> Result<ReferencedSchema<'v>, KeywordError> {
        let Some(reference) = reference.as_str() else {
            return Err(type_error(
                "$ref",
                reference,
                "a string, such as \"#/components/schemas/Name\"",
            ));
        };
        let pointer = pointer_of_reference(reference);
        let schema = pointer.and_then(|pointer| self.document.pointer(&pointer));
        let referenced = schema.map(|schema| ReferencedSchema {
            schema,
            origin: SchemaOrigin::Reference(reference),
        });
        referenced.ok_or_else(|| KeywordError::UnresolvedReference {
            reference: reference.to_owned(),
        })
    }

    /// Returns the origin of a schema.
    #[must_use]
    pub fn origin(&self, id: SchemaId) -> SchemaOrigin<'v> {
        let origin = usize::try_from(id).ok().and_then(|id| self.origins.get(id));
        // The default is never used, because `add` returned the number.
        origin.copied().unwrap_or(SchemaOrigin::Root)
    }

    /// Returns the JSON pointer to a schema.
    #[must_use]
    pub fn pointer(&self, id: SchemaId) -> String {
        self.pointer_of_origin(self.origin(id))
    }

    /// Returns the JSON pointer to a schema with this origin. The reader may not have read the
    /// schema yet.
    #[must_use]
    pub fn pointer_of_origin(&self, mut origin: SchemaOrigin<'v>) -> String {
        let mut steps = Vec::new();
        let mut pointer = loop {
            let (parent, step) = match origin {
                SchemaOrigin::Root => break self.pointer.clone(),
                SchemaOrigin::Reference(reference) => {
                    let pointer = pointer_of_reference(reference).unwrap_or_default();
                    break format!("{}{pointer}", self.document_pointer);
                }
                SchemaOrigin::Keyword(parent, keyword) => (parent, keyword.to_owned()),
                SchemaOrigin::MapEntry(parent, keyword, name) => {
                    (parent, format!("{keyword}/{}", escape(name)))
                }
                SchemaOrigin::ListEntry(parent, keyword, index) => {
                    (parent, format!("{keyword}/{index}"))
                }
                SchemaOrigin::PropertyItems(parent, name) => {
                    (parent, format!("properties/{}/items", escape(name)))
                }
            };
            steps.push(step);
            origin = self.origin(parent);
        };
        for step in steps.iter().rev() {
            pointer.push('/');
            pointer.push_str(step);
        }
        pointer
    }
}

/// Returns the value of a keyword that maps names to schemas. Returns `None` if the keyword is
/// missing or null.
///
/// # Errors
///
/// Returns an error if the value of the keyword is not an object.
pub fn named_schemas<'v>(
    object: &'v Map<String, Value>,
    keyword: &str,
) -> Result<Option<&'v Map<String, Value>>, KeywordError> {
    match object.get(keyword) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(schemas)) => Ok(Some(schemas)),
        Some(value) => Err(type_error(
            keyword,
            value,
            "an object that maps names to schemas",
        )),
    }
}

/// Returns true if only null is valid for a schema. schemars describes an `Option` by an `anyOf` or
/// a `oneOf` of such a schema and another schema.
#[must_use]
pub fn allows_only_null(schema: &Value) -> bool {
    let are_all_null = |values: &Value| {
        let values = values.as_array();
        values.is_some_and(|values| values.iter().all(Value::is_null))
    };
    let is_null = |ty: &Value| match ty {
        Value::Array(types) => !types.is_empty() && types.iter().all(|ty| ty == "null"),
        ty => ty == "null",
    };
    schema.get("type").is_some_and(is_null)
        || schema.get("const").is_some_and(Value::is_null)
        || schema.get("enum").is_some_and(are_all_null)
}

/// Creates the error for a keyword whose value has the wrong type.
pub(crate) fn type_error(keyword: &str, found: &Value, expected: &'static str) -> KeywordError {
    KeywordError::WrongType {
        keyword: keyword.to_owned(),
        found: format_value(found),
        expected,
    }
}
