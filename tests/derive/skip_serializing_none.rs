//! Test of `skip_serializing_if` attributes that an attribute macro adds to a whole struct.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use union_runtime::{EnumType, Union};

use crate::describe_union;

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
fn members_without_attributes_are_accepted_below_skip_serializing_none() {
    assert_eq!(
        describe_union::<Choice>(),
        r#"kind: alpha = "Alpha", beta = "Beta" optional"#
    );
    let json = r#"{"kind":"Beta"}"#;
    let choice: Choice = serde_json::from_str(json).expect("a readable value");
    assert_eq!(
        serde_json::to_string(&choice).expect("a serializable value"),
        json
    );
}
