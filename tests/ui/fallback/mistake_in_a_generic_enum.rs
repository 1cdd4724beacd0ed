//! The code that is generated after a mistake has the parameters of the enum.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, Union, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target<T: Clone = u8, const N: usize = 2>
where
    T: Send,
{
    None,
    #[union(absent)]
    S3(S3),
    Marked([T; N]),
    #[union(other)]
    Other(RawUnion),
}

fn main() -> Result<(), serde_json::Error> {
    let target: Target = serde_json::from_str("{}")?;
    let _ = target.validate_unions();
    Ok(())
}
