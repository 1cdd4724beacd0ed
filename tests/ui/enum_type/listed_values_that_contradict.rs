//! One list of values rules, the enum's.

use schemars::JsonSchema;
use union_runtime::EnumType;

#[derive(EnumType, JsonSchema)]
#[schemars(extend("enum" = ["Alpha", "Gamma"]))]
enum Kind {
    Alpha,
    Beta,
}

fn main() {}
