//! A schema, together with the unions that are declared for the schema in other places.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::document::reference::longest_valid_prefix;
use crate::document::schema_in_document::SchemaInDocument;
use crate::error::SchemaError;
use crate::extension::annotation;
use union_runtime::spec::OwnedUnionSpec;

/// A schema in its document, with the extensions from the annotation of a CRD, and the unions from
/// [`union_at`](crate::Compiler::union_at) and `declared_union_at`.
pub(crate) struct AnnotatedSchema<'v> {
    pub(crate) located: SchemaInDocument<'v>,
    extensions: HashMap<*const Value, &'v Value>,
    unions: HashMap<*const Map<String, Value>, Vec<OwnedUnionSpec>>,
    /// The JSON pointers of the extensions and the unions, with the schemas at these pointers.
    overrides: Vec<(UnionOverride, String, *const Map<String, Value>)>,
    /// The key of the annotation that contains the extensions.
    pub(crate) annotation: &'static str,
}

/// The place outside of the schema in which a union is declared.
#[derive(Clone, Copy)]
enum UnionOverride {
    Annotation,
    UnionAt,
}

impl<'v> AnnotatedSchema<'v> {
    /// Returns a schema without unions that are declared in other places.
    pub(crate) fn new(located: SchemaInDocument<'v>) -> Self {
        Self {
            located,
            extensions: HashMap::new(),
            unions: HashMap::new(),
            overrides: Vec::new(),
            annotation: annotation::ANNOTATION,
        }
    }

    /// Returns the extension that the annotation contains for a schema.
    pub(crate) fn extension_of(&self, schema: &Value) -> Option<&'v Value> {
        self.extensions.get(&core::ptr::from_ref(schema)).copied()
    }

    /// Returns the unions that the user of the compiler declares for a schema.
    pub(crate) fn unions_of(&self, object: &Map<String, Value>) -> &[OwnedUnionSpec] {
        let unions = self.unions.get(&core::ptr::from_ref(object));
        unions.map_or(&[], Vec::as_slice)
    }

    /// Returns the schema at a JSON pointer, and records the pointer. The pointer begins at the
    /// schema, or at the document if the pointer begins with `#`.
    fn resolve(
        &mut self,
        pointer: &str,
        said: UnionOverride,
    ) -> Result<(&'v Value, &'v Map<String, Value>), SchemaError> {
        let found = match pointer.strip_prefix('#') {
            Some(pointer) => self.located.document.pointer(pointer),
            None => self.located.schema.pointer(pointer),
        };
        let Some((schema, object)) = found.and_then(|found| Some((found, found.as_object()?)))
        else {
            return Err(self.unresolved_error(pointer, said));
        };
        self.overrides
            .push((said, pointer.to_owned(), core::ptr::from_ref(object)));
        Ok((schema, object))
    }

    /// Adds the extension that an annotation contains for the schema at a JSON pointer. Returns an
    /// error if the schema itself has a different extension.
    pub(crate) fn add_extension(
        &mut self,
        pointer: &str,
        extension: &'v Value,
    ) -> Result<(), SchemaError> {
        let (schema, object) = self.resolve(pointer, UnionOverride::Annotation)?;
        let stands = object.get(union_runtime::schema_keys::UNIONS);
        if stands.is_some_and(|stands| stands != extension) {
            return Err(SchemaError::new(
                format!("{}{pointer}", self.located.pointer),
                format!(
                    "`x-kubernetes-unions` and annotation {:?} contradict each other here; remove \
                     one of them",
                    self.annotation
                ),
            ));
        }
        self.extensions
            .insert(core::ptr::from_ref(schema), extension);
        Ok(())
    }

    /// Adds a union that the user of the compiler declares for the schema at a JSON pointer.
    pub(crate) fn add_union(
        &mut self,
        pointer: &str,
        union: &Result<OwnedUnionSpec, String>,
    ) -> Result<(), SchemaError> {
        let (_, object) = self.resolve(pointer, UnionOverride::UnionAt)?;
        let union = union
            .as_ref()
            .map_err(|problem| SchemaError::new(pointer, problem.as_str()))?;
        let unions = self.unions.entry(core::ptr::from_ref(object));
        unions.or_default().push(union.clone());
        Ok(())
    }

    /// Returns an error if a union is declared for a schema that was not read. A pointer that
    /// begins with `#` is accepted, because other schemas of the document may refer to that schema.
    pub(crate) fn check_all_read<'o>(
        &self,
        read: impl Iterator<Item = &'o Map<String, Value>>,
    ) -> Result<(), SchemaError> {
        if self.overrides.is_empty() {
            return Ok(());
        }
        let read: HashSet<_> = read.map(core::ptr::from_ref).collect();
        let mut said = self.overrides.iter();
        let unread =
            said.find(|(_, pointer, object)| !pointer.starts_with('#') && !read.contains(object));
        match unread {
            None => Ok(()),
            Some((said, pointer, _)) => Err(self.unresolved_error(pointer, *said)),
        }
    }

    /// Returns the error for a JSON pointer that does not lead to a schema that is read.
    fn unresolved_error(&self, pointer: &str, said: UnionOverride) -> SchemaError {
        let remedy = "which is not a path through the schema; use a JSON pointer of `properties`, \
                      `items` and `additionalProperties`, such as \
                      \"/properties/spec/properties/strategy\"";
        match said {
            UnionOverride::Annotation => SchemaError::new(
                annotation::annotation_pointer(self.annotation),
                format!("the annotation has unions for {pointer:?}, {remedy}"),
            ),
            UnionOverride::UnionAt => {
                let (place, value, below) = match pointer.strip_prefix('#') {
                    Some(below) => (&self.located.document_pointer, self.located.document, below),
                    None => (&self.located.pointer, self.located.schema, pointer),
                };
                SchemaError::new(
                    format!("{place}{}", longest_valid_prefix(value, below)),
                    format!("`union_at` has a union for {pointer:?}, {remedy}"),
                )
            }
        }
    }
}
