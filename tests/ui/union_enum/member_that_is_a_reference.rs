//! A member is owned, because the enum keeps unreadable objects.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    S3(&'static str),
    Volume(Option<&'static str>),
    Disks(Vec<Box<&'static str>>),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
