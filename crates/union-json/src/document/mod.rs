//! Finds and reads schemas in CRDs and `OpenAPI` documents, for programs that read other keywords
//! than the unions.
//!
//! [`Crd`] is a view of a `CustomResourceDefinition` that reads its group, kind and versions.
//!
//! [`SchemaInDocument`] is a schema in its document. [`CrdVersion::located_schema`] and
//! [`find_openapi_schema`] find schemas. A [`SchemaGraphReader`] numbers the schemas that are
//! reached from a first schema, within [`Limits`](crate::Limits), and returns the JSON pointer of
//! each schema. The caller decides which keywords to follow, and what the keywords mean.
//! [`Unions`](crate::Unions) follows all keywords that contain schemas.
//!
//! ```
//! use serde_json::json;
//! use union_json::Limits;
//! use union_json::document::{SchemaOrigin, SchemaGraphReader, find_openapi_schema, named_schemas};
//!
//! let document = json!({"definitions": {
//!     "Spec": {"properties": {"a/b": {"$ref": "#/definitions/Nowhere"}}},
//! }});
//! let start = find_openapi_schema(&document, "Spec")?;
//! let mut reader = SchemaGraphReader::new(&start, Limits::default());
//! let id = reader.add(SchemaOrigin::Root)?;
//! let object = reader.object(start.schema, SchemaOrigin::Root)?.expect("it is not true or false");
//! for (name, property) in named_schemas(object, "properties")?.into_iter().flatten() {
//!     let id = reader.add(SchemaOrigin::MapEntry(id, "properties", name))?;
//!     assert_eq!(reader.pointer(id), "/definitions/Spec/properties/a~1b");
//!     let error = reader.resolve_reference(&property["$ref"]).unwrap_err();
//!     assert!(error.to_string().contains("cannot resolve"));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod crd;
pub(crate) mod graph_reader;
pub(crate) mod message_format;
pub(crate) mod openapi_schema;
pub(crate) mod reference;
pub(crate) mod schema_in_document;
pub(crate) mod schema_path;

pub use crd::{Crd, CrdVersion};
pub use graph_reader::{
    ReferencedSchema, SchemaGraphReader, SchemaId, SchemaOrigin, allows_only_null, named_schemas,
};
pub use openapi_schema::find_openapi_schema;
pub use schema_in_document::SchemaInDocument;
pub use schema_path::{SchemaPath, SchemaStep};
