//! The data structures of schemas: the structural schema, which is compiled once into tables, and
//! readers of the keywords in a CRD. `compile` fills the tables, and `decode`, `validate` and
//! `rules` read them.

pub(crate) mod allowed_functions;
pub(crate) mod compiled_rules;
pub(crate) mod crd_path;
pub(crate) mod depth;
pub(crate) mod dropped_keywords;
pub(crate) mod format;
pub(crate) mod go_schema;
pub(crate) mod keywords;
pub(crate) mod near_name;
mod node;
pub(crate) mod print;
pub(crate) mod scale;
mod schema_type;
mod structural;
pub(crate) mod unknown_fields;
pub(crate) mod unknown_keywords;

pub(crate) use node::{
    AdditionalProperties, ListKeywords, ListType, Node, NodeId, NumberKeywords, Pattern, Property,
    Rule, StringKeywords, SubtreeFlags,
};
pub(crate) use schema_type::SchemaType;
pub use structural::StructuralSchema;
pub(crate) use structural::{ObjectIdentity, SchemaFacts};
