//! A mistake in a union struct adds no errors in code that calls its methods.

use serde::Serialize;
use union_runtime::{EnumType, Settings, Union};

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
    let _ = new.normalize_unions(Some(&old), &Settings::default());
    let _ = new.validate_unions();
    let _ = new.validate_unions_update(&old, &Settings::default());
    let _ = new.admit_unions(Some(&old), &Settings::default());
}
