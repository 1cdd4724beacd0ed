//! Unions of JSON objects, driven by a schema alone (feature `engine`).
//!
//! A server, a webhook or a tool has no Rust type: it has a CRD or an `OpenAPI` document, and JSON. [`Unions`] reads the
//! unions from the schema once and applies the same rules to any object of it: those of [`normalize`](crate::normalize),
//! [`validate`](crate::validate) and [`admit`](crate::admit), not copies of them.
//!
//! ```
//! use serde_json::json;
//! use union_runtime::Settings;
//! use union_runtime::engine::Unions;
//!
//! let unions = Unions::of_schema(&json!({
//!     "type": "object",
//!     "required": ["type"],
//!     "properties": {
//!         "type": {
//!             "type": "string",
//!             "enum": ["Recreate", "RollingUpdate"],
//!             "x-kubernetes-unions": {"fieldMembers": {
//!                 "Recreate": null,
//!                 "RollingUpdate": {"name": "rollingUpdate", "optional": true},
//!             }},
//!         },
//!         "rollingUpdate": {"type": "object"},
//!     },
//! }))?;
//!
//! let old = json!({"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}});
//! let mut new = json!({"type": "Recreate", "rollingUpdate": {"maxSurge": 1}});
//! let admitted = unions.admit(&mut new, Some(&old), &Settings::default()).expect("it is valid then");
//!
//! assert_eq!(admitted.changes.cleared().collect::<Vec<_>>(), ["rollingUpdate"]);
//! assert_eq!(new, json!({"type": "Recreate"}));
//! # Ok::<(), union_runtime::engine::SchemaError>(())
//! ```
//!
//! # What it reads
//!
//! - `x-kubernetes-unions` in the shape of 2022, on the discriminator's property, and in that of 2019, a list on the
//!   object (KEP-1027, "`OpenAPI`", in both texts); where both are there, the 2022 one rules;
//! - the same from an annotation of the CRD ([`ANNOTATION`]), for an API server keeps no such key in a schema;
//! - unions of types that belong to others, by [`Compiler::union_at`] and [`union_spec!`](crate::union_spec), or by
//!   [`Compiler::declared_at`] where they are known when the program runs.
//!
//! It descends through `properties`, `items`, `additionalProperties`, `$ref`, `allOf`, and an `anyOf` or `oneOf` that
//! only adds null. New and old are correlated as an API server does it (KEP-4008): fields by name, lists of type map by
//! their keys, other lists as wholes. What a schema says beside unions is not checked here.
//!
//! A malformed extension is a [`SchemaError`]. Who reads the schemas of others asks for [`Compiler::sound`] instead: all that
//! is wrong, and the unions that are sound.
//!
//! # Limits
//!
//! Schemas and objects may come from anybody. A malformed extension is a [`SchemaError`] that names the place, and so is a
//! schema beyond the [`Limits`]; an object beyond them is refused by a violation, and not normalized. The work is linear
//! in the size of the object, and a valid object costs no allocation.

mod annotation;
mod compile;
mod compiler;
mod declared;
mod error;
mod extension;
mod find;
mod leads;
mod limits;
mod list_keys;
mod located;
mod merge;
mod object;
mod owned_union;
mod part;
mod places;
mod problems;
mod reader;
mod reference;
mod shape;
mod shape_2019;
mod shape_2022;
mod shown;
mod source;
mod unions;
mod walk;

pub use annotation::{ANNOTATION, annotation};
pub use compiler::{Compiler, Sound};
pub use declared::DeclaredUnion;
pub use error::SchemaError;
pub use limits::Limits;
pub use places::{Place, PlacedUnion};

pub mod document {
    //! Schemas in the documents that hold them, for readers of other things that schemas say.
    //!
    //! [`Located`] is a schema in its document, found by [`in_crd`], [`in_openapi`] or by other means. A [`Reader`] numbers
    //! the schemas that are reached from it, within [`Limits`](super::Limits), and knows where each stands. Which keywords lead on, and what
    //! is made of them, is the matter of who reads: [`Unions`](super::Unions) follows them all.
    //!
    //! ```
    //! use serde_json::json;
    //! use union_runtime::engine::Limits;
    //! use union_runtime::engine::document::{Reached, Reader, in_openapi, named};
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
    //!     assert!(reader.refer(&property["$ref"]).unwrap_err().contains("leads nowhere"));
    //! }
    //! # Ok::<(), Box<dyn std::error::Error>>(())
    //! ```

    pub use super::find::{find_version, in_crd, in_openapi};
    pub use super::located::Located;
    pub use super::reader::{Id, Reached, Reader, is_null, named};
}

pub use unions::Unions;
