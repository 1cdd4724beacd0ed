//! A discriminator alone has no members.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize)]
#[union(all_members)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
}

fn main() {}
