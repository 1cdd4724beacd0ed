//! Without a discriminator, an unset member would be an empty union.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(undiscriminated)]
enum Limit {
    Nothing,
    Count(Option<u8>),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
