//! A mistake in the derive's input adds no errors where its methods are used.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}
#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(membre)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {
    let mut new = Strategy {
        kind: Kind::Alpha,
        alpha: None,
    };
    let old = Strategy {
        kind: Kind::Beta,
        alpha: Some(1),
    };
    let _ = new.normalize_unions(Some(&old));
    let _ = new.validate_unions();
    let _ = new.validate_unions_update(&old);
    let _ = union_runtime::admit(&mut new, Some(&old), &union_runtime::Settings::default());
}
