//! A union with `enforce = "one_of"` has no `ratchet`, because `oneOf` cannot see old objects.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", enforce = "one_of", ratchet = "same_reason")]
enum Choice {
    Alpha(i32),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
