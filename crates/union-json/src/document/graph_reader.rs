//! The reader of schemas that are reached from a first schema. It finds the targets of `$ref`,
//! knows the place of each schema, and limits the number of schemas.
//!
//! The user of the reader decides which keywords lead to further schemas, and what a schema means.

use serde_json::{Map, Value};

use crate::document::message_format::format_value;
use crate::document::reference::pointer_of;
use crate::document::schema_in_document::SchemaInDocument;
use crate::error::{KeywordError, SchemaError};
use crate::limits::Limits;
use crate::pointer::escape;

/// The number of a schema. Schemas are numbered in the order in which they are added to a
/// [`SchemaGraphReader`].
pub type SchemaId = u32;

/// The way in which a schema was reached: from which other schema, and by which keyword.
#[derive(Clone, Copy, Debug)]
pub enum SchemaOrigin<'v> {
    /// The first schema, which was not reached from another schema.
    Root,
    /// The schema to which a `$ref` with this value refers.
    Reference(&'v str),
    /// The schema in a keyword whose value is a schema.
    Keyword(SchemaId, &'static str),
    /// The schema with this name in a keyword whose value is a map from names to schemas.
    MapEntry(SchemaId, &'static str, &'v str),
    /// The schema at this position in a keyword whose value is a list of schemas.
    ListEntry(SchemaId, &'static str, usize),
    /// The schema in `items` of the property with this name, if the schema of the property itself
    /// was not added.
    PropertyItems(SchemaId, &'v str),
}

/// A schema to which a `$ref` refers.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReferencedSchema<'v> {
    /// The schema.
    pub schema: &'v Value,
    /// The way in which the schema was reached, for [`SchemaGraphReader::add`].
    pub origin: SchemaOrigin<'v>,
}

/// A reader of schemas, which knows how each schema was reached.
#[derive(Clone, Debug)]
pub struct SchemaGraphReader<'v> {
    document: &'v Value,
    /// The place of the first schema, and the place of the document to whose parts references
    /// refer.
    pointer: String,
    document_pointer: String,
    limits: Limits,
    origins: Vec<SchemaOrigin<'v>>,
}

impl<'v> SchemaGraphReader<'v> {
    /// Returns a reader that has not reached any schema yet.
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

    /// Returns the object of a schema. Returns `None` for `true` and `false`, which do not describe
    /// fields, and for null, which counts as a missing schema.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not an object, a boolean or null.
    pub fn object(
        &self,
        schema: &'v Value,
        reached: SchemaOrigin<'v>,
    ) -> Result<Option<&'v Map<String, Value>>, SchemaError> {
        match schema {
            Value::Object(object) => Ok(Some(object)),
            Value::Bool(_) | Value::Null => Ok(None),
            other => Err(SchemaError::new(
                self.pointer_of_origin(reached),
                format!(
                    "expected a schema (object, true or false), found {}",
                    format_value(other)
                ),
            )),
        }
    }

    /// Adds a schema and returns its number.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more schemas than [`Limits::max_schemas`].
    pub fn add(&mut self, reached: SchemaOrigin<'v>) -> Result<SchemaId, SchemaError> {
        let most = self.limits.max_schemas;
        let count = self.origins.len();
        let Some(id) = SchemaId::try_from(count).ok().filter(|_| count < most) else {
            return Err(SchemaError::new(
                self.pointer.as_str(),
                format!(
                    "more than {most} schemas; make the document smaller, or raise `Limits::max_schemas`"
                ),
            ));
        };
        self.origins.push(reached);
        Ok(id)
    }

    /// Returns the schema to which a `$ref` with this value refers.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not a string, or does not refer to a part of the document.
    pub fn resolve_reference(
        &self,
        reference: &'v Value,
    ) -> Result<ReferencedSchema<'v>, KeywordError> {
        let Some(text) = reference.as_str() else {
            return Err(type_error(
                "$ref",
                reference,
                "a string, such as \"#/components/schemas/Name\"",
            ));
        };
        let found = pointer_of(text).and_then(|pointer| self.document.pointer(&pointer));
        let found = found.map(|schema| ReferencedSchema {
            schema,
            origin: SchemaOrigin::Reference(text),
        });
        found.ok_or_else(|| KeywordError::UnresolvedReference {
            reference: text.to_owned(),
        })
    }

    /// Returns the way in which a schema was reached.
    #[must_use]
    pub fn origin(&self, id: SchemaId) -> SchemaOrigin<'v> {
        let reached = usize::try_from(id).ok().and_then(|id| self.origins.get(id));
        // The default is unused, because the number comes from `add`.
        reached.copied().unwrap_or(SchemaOrigin::Root)
    }

    /// Returns the JSON pointer to a schema.
    #[must_use]
    pub fn pointer(&self, id: SchemaId) -> String {
        self.pointer_of_origin(self.origin(id))
    }

    /// Returns the JSON pointer to a schema that does not have a number yet.
    #[must_use]
    pub fn pointer_of_origin(&self, mut reached: SchemaOrigin<'v>) -> String {
        let mut steps = Vec::new();
        let mut place = loop {
            let (before, step) = match reached {
                SchemaOrigin::Root => break self.pointer.clone(),
                SchemaOrigin::Reference(reference) => {
                    let pointer = pointer_of(reference).unwrap_or_default();
                    break format!("{}{pointer}", self.document_pointer);
                }
                SchemaOrigin::Keyword(before, keyword) => (before, keyword.to_owned()),
                SchemaOrigin::MapEntry(before, keyword, name) => {
                    (before, format!("{keyword}/{}", escape(name)))
                }
                SchemaOrigin::ListEntry(before, keyword, number) => {
                    (before, format!("{keyword}/{number}"))
                }
                SchemaOrigin::PropertyItems(before, name) => {
                    (before, format!("properties/{}/items", escape(name)))
                }
            };
            steps.push(step);
            reached = self.origin(before);
        };
        for step in steps.iter().rev() {
            place.push('/');
            place.push_str(step);
        }
        place
    }
}

/// Returns the schemas in a keyword whose value is a map from names to schemas. Returns `None` if
/// the keyword is missing or null.
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
        Some(other) => Err(type_error(
            keyword,
            other,
            "an object that maps names to schemas",
        )),
    }
}

/// Returns true if only null is valid for a schema. schemars describes an `Option` as an `anyOf` or
/// `oneOf` of such a schema and another schema.
#[must_use]
pub fn allows_only_null(schema: &Value) -> bool {
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

/// Returns the error for a keyword whose value has the wrong type.
pub(crate) fn type_error(keyword: &str, found: &Value, expected: &'static str) -> KeywordError {
    KeywordError::WrongType {
        keyword: keyword.to_owned(),
        found: format_value(found),
        expected,
    }
}
