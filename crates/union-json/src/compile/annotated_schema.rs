//! A schema, with the unions that are declared for it outside of the schema.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::document::reference::longest_valid_prefix;
use crate::document::schema_in_document::SchemaInDocument;
use crate::error::SchemaError;
use crate::extension::annotation;
use union_runtime::spec::OwnedUnionSpec;

/// A schema in its document, with unions from two other sources: the `x-kubernetes-unions`
/// extensions in the annotation of a CRD, and the unions from
/// [`union_at`](crate::Compiler::union_at) and `declared_union_at`.
///
/// Subschemas are identified by their addresses, because several JSON pointers may lead to the same
/// subschema.
pub(crate) struct AnnotatedSchema<'v> {
    pub(crate) schema_in_document: SchemaInDocument<'v>,
    /// The extensions from the annotation, by the address of the schema.
    extensions: HashMap<*const Value, &'v Value>,
    /// The unions that the caller declares, by the address of the schema.
    unions: HashMap<*const Map<String, Value>, Vec<OwnedUnionSpec>>,
    /// The extensions and the unions in the order in which they were added, to check that the
    /// compiler reads all of their schemas.
    overrides: Vec<UnionOverride>,
    /// The key of the annotation that contains the extensions.
    pub(crate) annotation: &'static str,
}

/// A union or an extension that is declared outside of its schema.
struct UnionOverride {
    source: OverrideSource,
    /// The JSON pointer to the schema.
    pointer: String,
    /// The address of the schema.
    schema: *const Map<String, Value>,
}

/// The source of a union that is declared outside of its schema.
#[derive(Clone, Copy)]
enum OverrideSource {
    Annotation,
    UnionAt,
}

impl<'v> AnnotatedSchema<'v> {
    /// Creates a schema without unions from other sources.
    pub(crate) fn new(schema_in_document: SchemaInDocument<'v>) -> Self {
        Self {
            schema_in_document,
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

    /// Returns the schema at a JSON pointer and the object of this schema, and records the pointer.
    /// The pointer is relative to the schema, or to the document if the pointer begins with `#`.
    fn resolve(
        &mut self,
        pointer: &str,
        source: OverrideSource,
    ) -> Result<(&'v Value, &'v Map<String, Value>), SchemaError> {
        let schema = match pointer.strip_prefix('#') {
            Some(pointer) => self.schema_in_document.document.pointer(pointer),
            None => self.schema_in_document.schema.pointer(pointer),
        };
        let object = schema.and_then(Value::as_object);
        let (Some(schema), Some(object)) = (schema, object) else {
            return Err(self.unresolved_error(pointer, source));
        };
        self.overrides.push(UnionOverride {
            source,
            pointer: pointer.to_owned(),
            schema: core::ptr::from_ref(object),
        });
        Ok((schema, object))
    }

    /// Adds the extension that an annotation contains for the schema at a JSON pointer. Returns an
    /// error if the schema itself has a different extension.
    pub(crate) fn add_extension(
        &mut self,
        pointer: &str,
        extension: &'v Value,
    ) -> Result<(), SchemaError> {
        let (schema, object) = self.resolve(pointer, OverrideSource::Annotation)?;
        let own_extension = object.get(union_runtime::schema_keys::UNIONS);
        if own_extension.is_some_and(|own_extension| own_extension != extension) {
            return Err(SchemaError::new(
                format!("{}{pointer}", self.schema_in_document.pointer),
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
        let (_, object) = self.resolve(pointer, OverrideSource::UnionAt)?;
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
        read_schemas: impl Iterator<Item = &'o Map<String, Value>>,
    ) -> Result<(), SchemaError> {
        if self.overrides.is_empty() {
            return Ok(());
        }
        let addresses: HashSet<_> = read_schemas.map(core::ptr::from_ref).collect();
        let mut overrides = self.overrides.iter();
        let unread_override = overrides.find(|union_override| {
            let UnionOverride {
                pointer, schema, ..
            } = union_override;
            !pointer.starts_with('#') && !addresses.contains(schema)
        });
        match unread_override {
            None => Ok(()),
            Some(UnionOverride {
                source, pointer, ..
            }) => Err(self.unresolved_error(pointer, *source)),
        }
    }

    /// Creates the error for a JSON pointer that does not refer to a schema that the compiler
    /// reads.
    fn unresolved_error(&self, pointer: &str, source: OverrideSource) -> SchemaError {
        let remedy = "which is not a path through the schema; use a JSON pointer of `properties`, \
                      `items` and `additionalProperties`, such as \
                      \"/properties/spec/properties/strategy\"";
        match source {
            OverrideSource::Annotation => SchemaError::new(
                annotation::annotation_pointer(self.annotation),
                format!("the annotation has unions for {pointer:?}, {remedy}"),
            ),
            OverrideSource::UnionAt => {
                let (base, value, relative_pointer) = match pointer.strip_prefix('#') {
                    Some(relative_pointer) => (
                        &self.schema_in_document.document_pointer,
                        self.schema_in_document.document,
                        relative_pointer,
                    ),
                    None => (
                        &self.schema_in_document.pointer,
                        self.schema_in_document.schema,
                        pointer,
                    ),
                };
                SchemaError::new(
                    format!("{base}{}", longest_valid_prefix(value, relative_pointer)),
                    format!("`union_at` has a union for {pointer:?}, {remedy}"),
                )
            }
        }
    }
}
