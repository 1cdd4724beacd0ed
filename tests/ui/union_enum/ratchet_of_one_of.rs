//! A `oneOf` cannot ask what the old object had.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", enforce = "one_of", ratchet = "same_reason")]
enum Choice {
    Alpha(i32),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
