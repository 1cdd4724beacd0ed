//! The values in the schema come from `EnumType`.

use schemars::JsonSchema;

#[derive(JsonSchema)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
enum Kind {
    Alpha,
}

fn main() {}
