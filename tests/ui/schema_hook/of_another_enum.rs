//! The schema hook of an enum type names the same enum type.

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, JsonSchema, Serialize)]
#[schemars(transform = union_runtime::add_enum::<Other>)]
enum Kind {
    Alpha,
}

#[derive(EnumType)]
enum Other {
    Beta,
}

fn main() {}
