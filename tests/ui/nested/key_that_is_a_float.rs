//! A key is not a float, because API servers do not compare floats reliably.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    name: f64,
}

fn main() {}
