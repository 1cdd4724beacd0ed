//! A variant is not a member.

use union_runtime::EnumType;

#[derive(EnumType)]
enum Kind {
    #[union(member)]
    Alpha,
}

fn main() {}
