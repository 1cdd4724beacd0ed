//! A union is a struct: its members are fields that stand beside others.

use union_runtime::Union;

#[derive(Union)]
enum Strategy {
    Recreate,
    RollingUpdate(u8),
}

fn main() {}
