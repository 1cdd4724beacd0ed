use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Strategy {
    Recreate,
    #[union(member, optional)]
    RollingUpdate(u32),
    #[union(optional, member)]
    Partition(u32),
    #[union(member = Third)]
    Third(u32),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
