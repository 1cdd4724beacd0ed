//! The values in the schema come from the enum, not from an attribute of schemars.

use schemars::JsonSchema;
use union_runtime::EnumType;

#[derive(EnumType, JsonSchema)]
#[schemars(extend("enum" = ["Alpha", "Gamma"]))]
enum Kind {
    Alpha,
    Beta,
}

fn main() {}
