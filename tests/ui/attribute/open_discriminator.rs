use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Level {
    Low,
    High,
}

#[derive(Union, Serialize, Deserialize)]
struct Volume {
    #[union(discriminator, open)]
    level: Level,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<u32>,
}

fn main() {}
