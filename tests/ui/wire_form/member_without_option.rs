use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    #[serde(rename = "ALPHA")]
    Alpha,
    #[serde(rename = "BETA")]
    Beta,
    #[serde(rename = "GAMMA")]
    Gamma,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Choice>)]
struct Choice {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member = "ALPHA")]
    alpha: i32,
    #[union(member = "BETA", optional)]
    beta: Vec<String>,
    #[union(member = "GAMMA")]
    gamma: std::collections::BTreeMap<String, u8>,
}

fn main() {}
