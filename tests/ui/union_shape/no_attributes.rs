//! A struct with the derive `Union` marks at least one field.

use union_runtime::Union;

#[derive(Union)]
struct Strategy {
    kind: u8,
    alpha: Option<u8>,
}

fn main() {}
