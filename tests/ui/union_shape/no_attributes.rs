//! The derive does not guess which fields are meant.

use union_runtime::Union;

#[derive(Union)]
struct Strategy {
    kind: u8,
    alpha: Option<u8>,
}

fn main() {}
