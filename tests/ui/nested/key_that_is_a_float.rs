//! An API server takes no float for a key: floats that are the same are not told from those that look so.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    name: f64,
}

fn main() {}
