//! The strategy `replace` is not combined with `retainKeys`, because it keeps no keys.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "replace,retainKeys")]
    volumes: Vec<Volume>,
}

fn main() {}
