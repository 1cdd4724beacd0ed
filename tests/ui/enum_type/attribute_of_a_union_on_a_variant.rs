//! A variant of an enum type is not a member, so `union` is not an attribute there.

use union_runtime::EnumType;

#[derive(EnumType)]
enum Kind {
    #[union(member)]
    Alpha,
}

fn main() {}
