//! A structural schema, compiled once into tables. This folder contains the data and its accessors;
//! other folders validate with them.

pub(crate) mod depth;
pub(crate) mod format;
pub(crate) mod go;
mod kind;
pub(crate) mod libraries;
mod node;
pub(crate) mod place;
pub(crate) mod print;
pub(crate) mod programs;
pub(crate) mod props;
pub(crate) mod scale;
mod structural;

pub(crate) use kind::Kind;
pub(crate) use node::{
    Additional, Below, ListRules, ListType, Node, NodeId, NumberRules, Pattern, Property, Rule,
    TextRules,
};
pub use structural::StructuralSchema;
pub(crate) use structural::{Facts, Identity};
