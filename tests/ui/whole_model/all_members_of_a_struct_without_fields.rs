//! A struct with `all_members` has fields.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(all_members)]
struct Strategy {}

fn main() {}
