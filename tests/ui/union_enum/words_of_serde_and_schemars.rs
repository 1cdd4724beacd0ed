//! Each attribute of serde and schemars has another attribute in its place.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(tag = "type", content = "value", rename_all = "camelCase", deny_unknown_fields, transform = f)]
enum Target {
    #[union(rename = "s3")]
    S3(String),
    #[union(skip, alias = "v")]
    Volume(String),
    #[union(skip_serializing_if = "Option::is_none", flatten, extend("x" = 1))]
    Disk(Option<String>),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum)]
#[union(untagged)]
enum Untagged {
    S3(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
