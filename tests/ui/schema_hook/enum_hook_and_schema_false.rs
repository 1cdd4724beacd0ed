//! An enum type with `schema = false` has no schema hook.

use schemars::JsonSchema;
use union_runtime::EnumType;

#[derive(EnumType, JsonSchema)]
#[enum_type(schema = false)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
enum Kind {
    Alpha,
}

fn main() {}
