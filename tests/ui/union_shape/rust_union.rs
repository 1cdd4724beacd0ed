//! A union of Kubernetes is a struct, not a `union` of Rust.

use union_runtime::Union;

#[derive(Union)]
union Strategy {
    alpha: u8,
    beta: u16,
}

fn main() {}
