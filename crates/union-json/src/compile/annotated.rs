//! A schema that is read, and the unions that are declared for it outside of the schema.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::document::located::Located;
use crate::document::reference::nearest;
use crate::error::SchemaError;
use crate::extension::annotation;
use union_runtime::spec::OwnedUnionSpec;

/// A schema in its document, with the extensions and unions that are declared for parts of it
/// elsewhere.
pub(crate) struct AnnotatedSchema<'v> {
    pub(crate) located: Located<'v>,
    extensions: HashMap<*const Value, &'v Value>,
    unions: HashMap<*const Map<String, Value>, Vec<OwnedUnionSpec>>,
    /// The pointers of the extensions and the unions, with the objects at these pointers.
    said: Vec<(Said, String, *const Map<String, Value>)>,
    /// The key of the annotation that has the extensions.
    pub(crate) annotation: &'static str,
}

/// The place outside of the schema that declares a union for a part of the schema.
#[derive(Clone, Copy)]
enum Said {
    InAnnotation,
    ByUnionAt,
}

impl<'v> AnnotatedSchema<'v> {
    /// Returns a schema for which nothing is declared elsewhere.
    pub(crate) fn new(located: Located<'v>) -> Self {
        Self {
            located,
            extensions: HashMap::new(),
            unions: HashMap::new(),
            said: Vec::new(),
            annotation: annotation::ANNOTATION,
        }
    }

    /// Returns the extension that is declared for a schema elsewhere.
    pub(crate) fn said_of(&self, schema: &Value) -> Option<&'v Value> {
        self.extensions.get(&core::ptr::from_ref(schema)).copied()
    }

    /// Returns the unions that are declared for an object elsewhere.
    pub(crate) fn unions_of(&self, object: &Map<String, Value>) -> &[OwnedUnionSpec] {
        let unions = self.unions.get(&core::ptr::from_ref(object));
        unions.map_or(&[], Vec::as_slice)
    }

    /// Returns the schema at a pointer: below the schema, or, if the pointer begins with `#`, in
    /// the document.
    fn at(
        &mut self,
        pointer: &str,
        said: Said,
    ) -> Result<(&'v Value, &'v Map<String, Value>), SchemaError> {
        let found = match pointer.strip_prefix('#') {
            Some(pointer) => self.located.document.pointer(pointer),
            None => self.located.schema.pointer(pointer),
        };
        let Some((schema, object)) = found.and_then(|found| Some((found, found.as_object()?)))
        else {
            return Err(self.nowhere(pointer, said));
        };
        self.said
            .push((said, pointer.to_owned(), core::ptr::from_ref(object)));
        Ok((schema, object))
    }

    /// Adds the extension that an annotation has for one schema.
    pub(crate) fn add_extension(
        &mut self,
        pointer: &str,
        extension: &'v Value,
    ) -> Result<(), SchemaError> {
        let (schema, object) = self.at(pointer, Said::InAnnotation)?;
        let stands = object.get(union_runtime::schema_keys::UNIONS);
        if stands.is_some_and(|stands| stands != extension) {
            return Err(SchemaError::new(
                format!("{}{pointer}", self.located.place),
                format!(
                    "the schema has `x-kubernetes-unions` here, and annotation {:?} says something else; \
                     remove one of them",
                    self.annotation
                ),
            ));
        }
        self.extensions
            .insert(core::ptr::from_ref(schema), extension);
        Ok(())
    }

    /// Adds a union that is declared for one schema.
    pub(crate) fn add_union(
        &mut self,
        pointer: &str,
        union: &Result<OwnedUnionSpec, String>,
    ) -> Result<(), SchemaError> {
        let (_, object) = self.at(pointer, Said::ByUnionAt)?;
        let union = union
            .as_ref()
            .map_err(|problem| SchemaError::new(pointer, problem.as_str()))?;
        let unions = self.unions.entry(core::ptr::from_ref(object));
        unions.or_default().push(union.clone());
        Ok(())
    }

    /// Rejects a declaration for a place that the schema does not lead to. A pointer with `#` is
    /// accepted: other schemas of the document may lead there.
    pub(crate) fn refuse_unread<'o>(
        &self,
        read: impl Iterator<Item = &'o Map<String, Value>>,
    ) -> Result<(), SchemaError> {
        if self.said.is_empty() {
            return Ok(());
        }
        let read: HashSet<_> = read.map(core::ptr::from_ref).collect();
        let mut said = self.said.iter();
        let unread =
            said.find(|(_, pointer, object)| !pointer.starts_with('#') && !read.contains(object));
        match unread {
            None => Ok(()),
            Some((said, pointer, _)) => Err(self.nowhere(pointer, *said)),
        }
    }

    /// Returns the error for a pointer that does not lead to a schema.
    fn nowhere(&self, pointer: &str, said: Said) -> SchemaError {
        let remedy = "which the schema does not lead to; write a JSON pointer through `properties`, `items` and \
                      `additionalProperties`, as \"/properties/spec/properties/strategy\"";
        match said {
            Said::InAnnotation => SchemaError::new(
                annotation::place(self.annotation),
                format!("it has unions for {pointer:?}, {remedy}"),
            ),
            Said::ByUnionAt => {
                let (place, value, below) = match pointer.strip_prefix('#') {
                    Some(below) => (&self.located.document_place, self.located.document, below),
                    None => (&self.located.place, self.located.schema, pointer),
                };
                SchemaError::new(
                    format!("{place}{}", nearest(value, below)),
                    format!("`union_at` has a union for {pointer:?}, {remedy}"),
                )
            }
        }
    }
}
