//! A union is a struct with fields.

use union_runtime::Union;

#[derive(Union)]
struct Strategy;

fn main() {}
