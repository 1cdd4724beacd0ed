//! The compiled structural schema: its nodes and its compiled rules.

pub(crate) mod compiled_rules;
mod node;
mod schema_type;
mod structural_schema;

pub(crate) use node::{
    AdditionalProperties, ListKeywords, ListType, Node, NodeId, NumberKeywords, Pattern, Property,
    StringKeywords, SubtreeFlags,
};
pub(crate) use schema_type::SchemaType;
pub use structural_schema::StructuralSchema;
pub(crate) use structural_schema::{ObjectIdentity, SchemaFacts};
