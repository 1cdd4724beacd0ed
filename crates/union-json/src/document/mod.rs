//! Schemas in the documents that contain them, for programs that read other keywords than the
//! unions.
//!
//! [`Crd`] is a view of a `CustomResourceDefinition`, with its group, kind and versions.
//!
//! [`Located`] is a schema in its document. [`CrdVersion::located_schema`] and [`in_openapi`] find
//! schemas. A [`Reader`] numbers the schemas that are reached from a first schema, within
//! [`Limits`](crate::Limits), and returns the place of each schema. The user of the reader decides
//! which keywords lead to further schemas, and what the keywords mean; [`Unions`](crate::Unions)
//! follows all keywords that lead to schemas.
//!
//! ```
//! use serde_json::json;
//! use union_json::Limits;
//! use union_json::document::{Reached, Reader, in_openapi, named};
//!
//! let document = json!({"definitions": {
//!     "Spec": {"properties": {"a/b": {"$ref": "#/definitions/Nowhere"}}},
//! }});
//! let start = in_openapi(&document, "Spec")?;
//! let mut reader = Reader::new(&start, Limits::default());
//! let id = reader.add(Reached::Start)?;
//! let object = reader.object(start.schema, Reached::Start)?.expect("it is not true or false");
//! for (name, property) in named(object, "properties")?.into_iter().flatten() {
//!     let id = reader.add(Reached::Named(id, "properties", name))?;
//!     assert_eq!(reader.place(id), "/definitions/Spec/properties/a~1b");
//!     assert!(reader.refer(&property["$ref"]).unwrap_err().to_string().contains("leads nowhere"));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod crd;
pub(crate) mod find;
pub(crate) mod located;
pub(crate) mod path;
pub(crate) mod reader;
pub(crate) mod reference;
pub(crate) mod shown;

pub use crd::{Crd, CrdVersion};
pub use find::in_openapi;
pub use located::Located;
pub use path::{SchemaPath, SchemaStep};
pub use reader::{Id, Reached, Reader, Referred, is_null, named};
