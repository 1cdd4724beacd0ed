//! Test of `skip_serializing_if` attributes that an attribute macro adds to a whole struct.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use union_runtime::{EnumType, Union};

use crate::declared;

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
}

#[skip_serializing_none]
#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(discriminator)]
    kind: Option<Kind>,
    #[union(member)]
    alpha: Option<u8>,
    #[union(member, optional)]
    beta: Option<u8>,
}

#[test]
fn struct_level_skips_above_the_derive_are_seen() {
    assert_eq!(
        declared::<Choice>(),
        r#"kind: alpha = "Alpha", beta = "Beta" optional"#
    );
    let text = r#"{"kind":"Beta"}"#;
    let choice: Choice = serde_json::from_str(text).expect("a readable value");
    assert_eq!(
        serde_json::to_string(&choice).expect("a serializable value"),
        text
    );
}
