//! Tests of the JSON engine: unions that are read from a schema, and their rules for JSON objects.
#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the functions of the crate take settings so"
)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "cases are written down as values"
)]

mod agree;
mod allocation;
mod correlate;
mod crd;
mod deep;
mod deep_value;
mod documents;
mod gateway;
mod hostile_objects;
mod hostile_schemas;
mod malformed;
mod misplaced;
mod models;
mod nested_unions;
mod partial_object;
mod pointers;
mod read;
mod requests;
mod small_objects;
mod tables;
mod union_at;
mod union_spec;
mod unknown;

#[path = "../cases/table.rs"]
mod table;
