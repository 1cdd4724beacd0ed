//! Unions of flattened and nested structs: where they are found, what they are compared with, what their schema is.

mod answer;
mod boxes;
mod correlate;
mod flat;
mod go_tags;
mod inline;
mod inline_schema;
mod keys;
mod members;
mod pairs;
mod paths;
mod properties;
mod ratchets;
mod real_env;
mod real_probe;
mod real_volume;
mod schema;
mod settled;
mod types;
mod walked;
