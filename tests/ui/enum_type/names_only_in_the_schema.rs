//! The schema has the same names as JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::EnumType;

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(rename_all = "lowercase", transform = union_runtime::add_enum::<Kind>)]
enum Kind {
    Alpha,
    #[schemars(rename = "b")]
    Beta,
    #[schemars(skip)]
    Gamma,
}

fn main() {}
