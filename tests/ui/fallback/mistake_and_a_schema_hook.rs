//! The schema hook adds no further errors to a mistake.

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, JsonSchema, Serialize)]
enum Kind {
    Alpha,
}

#[derive(Union, JsonSchema, Serialize)]
#[schemars(transform = union_runtime::add_unions::<Strategy>)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    alpha: Option<u8>,
}

fn main() {
    let _ = union_runtime::schema_for::<Strategy>();
}
