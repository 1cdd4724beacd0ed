//! Tests of unions in flattened and nested structs: the paths where they are found, the old values
//! that they are compared with, and their schemas.

pub(crate) mod answer;
pub(crate) mod boxes;
pub(crate) mod correlate;
pub(crate) mod flat;
pub(crate) mod go_tags;
pub(crate) mod inline;
pub(crate) mod inline_schema;
pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod pairs;
pub(crate) mod paths;
pub(crate) mod properties;
pub(crate) mod real_env;
pub(crate) mod real_probe;
pub(crate) mod real_volume;
pub(crate) mod schema;
pub(crate) mod types;
pub(crate) mod walked;
