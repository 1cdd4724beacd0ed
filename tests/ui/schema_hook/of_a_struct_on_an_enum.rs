//! The hook `add_unions` is for structs with a union.

use schemars::JsonSchema;
use union_runtime::EnumType;

#[derive(EnumType, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Kind>)]
enum Kind {
    Alpha,
}

fn main() {}
