//! A schema, with the unions that are declared for it outside of the schema.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::document::reference::longest_valid_prefix;
use crate::document::schema_in_document::SchemaInDocument;
use crate::error::SchemaError;
use crate::extension::annotation;
use union_runtime::spec::OwnedUnionSpec;

/// A schema in its document, with unions from two other sources: the extensions in the annotation
/// of a CRD, and the unions from [`union_at`](crate::Compiler::union_at) and `declared_union_at`.
pub(crate) struct AnnotatedSchema<'v> {
    pub(crate) located: SchemaInDocument<'v>,
    /// The extensions from the annotation, by the address of the schema.
    extensions: HashMap<*const Value, &'v Value>,
    /// The unions that the caller declares, by the address of the schema.
    unions: HashMap<*const Map<String, Value>, Vec<OwnedUnionSpec>>,
    /// The JSON pointers of the extensions and the unions, with the addresses of their schemas.
    overrides: Vec<(UnionOverride, String, *const Map<String, Value>)>,
    /// The key of the annotation that contains the extensions.
    pub(crate) annotation: &'static str,
}

/// The source of a union that is declared outside of its schema.
#[derive(Clone, Copy)]
enum UnionOverride {
    Annotation,
    UnionAt,
}

impl<'v> AnnotatedSchema<'v> {
    /// Creates a schema without unions from other sources.
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

    /// Returns the unions that the caller declares for a schema.
    pub(crate) fn unions_of(&self, object: &Map<String, Value>) -> &[OwnedUnionSpec] {
        let unions = self.unions.get(&core::ptr::from_ref(object));
        unions.map_or(&[], Vec::as_slice)
    }

    /// Returns the schema at a JSON pointer, and records the pointer. The pointer is relative to
    /// the schema, or to the document if it begins with `#`.
    fn resolve(
        &mut self,
        pointer: &str,
        override_source: UnionOverride,
    ) -> Result<(&'v Value, &'v Map<String, Value>), SchemaError> {
        let found = match pointer.strip_prefix('#') {
            Some(pointer) => self.located.document.pointer(pointer),
            None => self.located.schema.pointer(pointer),
        };
        let Some((schema, object)) = found.and_then(|found| Some((found, found.as_object()?)))
        else {
            return Err(self.unresolved_error(pointer, override_source));
        };
        self.overrides.push((
            override_source,
            pointer.to_owned(),
            core::ptr::from_ref(object),
        ));
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
        let own_extension = object.get(union_runtime::schema_keys::UNIONS);
        if own_extension.is_some_and(|own_extension| own_extension != extension) {
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

    /// Adds a union that the caller declares for the schema at a JSON pointer.
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

    /// Returns an error if a union is declared for a schema that the compiler did not read. A
    /// pointer that begins with `#` is allowed, because other schemas of the document may refer to
    /// that schema.
    pub(crate) fn check_all_read<'o>(
        &self,
        read: impl Iterator<Item = &'o Map<String, Value>>,
    ) -> Result<(), SchemaError> {
        if self.overrides.is_empty() {
            return Ok(());
        }
        let read: HashSet<_> = read.map(core::ptr::from_ref).collect();
        let mut overrides = self.overrides.iter();
        let unread = overrides
            .find(|(_, pointer, object)| !pointer.starts_with('#') && !read.contains(object));
        match unread {
            None => Ok(()),
            Some((override_source, pointer, _)) => {
                Err(self.unresolved_error(pointer, *override_source))
            }
        }
    }

    /// Creates the error for a JSON pointer that does not refer to a schema that the compiler
    /// reads.
    fn unresolved_error(&self, pointer: &str, override_source: UnionOverride) -> SchemaError {
        let remedy = "which is not a path through the schema; use a JSON pointer of `properties`, \
                      `items` and `additionalProperties`, such as \
                      \"/properties/spec/properties/strategy\"";
        match override_source {
            UnionOverride::Annotation => SchemaError::new(
                annotation::annotation_pointer(self.annotation),
                format!("the annotation has unions for {pointer:?}, {remedy}"),
            ),
            UnionOverride::UnionAt => {
                let (base, value, relative) = match pointer.strip_prefix('#') {
                    Some(relative) => (
                        &self.located.document_pointer,
                        self.located.document,
                        relative,
                    ),
                    None => (&self.located.pointer, self.located.schema, pointer),
                };
                SchemaError::new(
                    format!("{base}{}", longest_valid_prefix(value, relative)),
                    format!("`union_at` has a union for {pointer:?}, {remedy}"),
                )
            }
        }
    }
}
