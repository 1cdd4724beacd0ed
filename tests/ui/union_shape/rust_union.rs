//! The word is Kubernetes', not Rust's.

use union_runtime::Union;

#[derive(Union)]
union Strategy {
    alpha: u8,
    beta: u16,
}

fn main() {}
