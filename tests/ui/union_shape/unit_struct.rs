//! A union has fields.

use union_runtime::Union;

#[derive(Union)]
struct Strategy;

fn main() {}
