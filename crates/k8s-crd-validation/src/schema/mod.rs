//! The data structures of schemas: the structural schema, which is compiled once into tables, and
//! readers of the keywords in a CRD. `compile` fills the tables, and `decode`, `validate` and
//! `rules` read them.

pub(crate) mod allowed_functions;
pub(crate) mod crd_path;
pub(crate) mod depth;
pub(crate) mod format;
pub(crate) mod print;
pub(crate) mod raw;
pub(crate) mod scale;
pub(crate) mod structural;
pub(crate) mod unknown;

pub(crate) use raw::rule::Rule;
pub use structural::StructuralSchema;
pub(crate) use structural::{
    AdditionalProperties, ListKeywords, ListType, Node, NodeId, NumberKeywords, ObjectIdentity,
    Pattern, Property, SchemaFacts, SchemaType, StringKeywords, SubtreeFlags,
};
