//! A union is a struct with named fields, which are the keys of a JSON object.

use union_runtime::Union;

#[derive(Union)]
struct Strategy(u8, Option<u8>);

fn main() {}
