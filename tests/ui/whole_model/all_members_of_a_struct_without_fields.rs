//! A struct without fields has no members.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(all_members)]
struct Strategy {}

fn main() {}
