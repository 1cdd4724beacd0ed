//! Tests of fields beside a union that are not members.

use serde::{Deserialize, Serialize};
use union_runtime::spec::UnionType as _;
use union_runtime::{EnumType, Union};

use crate::{describe_union, error_paths};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
    Gamma,
    #[serde(rename = "")]
    Nothing,
}

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    /// A member with an explicit value. The name of the next field matches the same value.
    #[union(member = "Gamma")]
    #[serde(skip_serializing_if = "Option::is_none")]
    third: Option<u8>,
    gamma: Option<u8>,
    /// A field whose name matches `Beta`, but which is not a member.
    #[union(not_member)]
    beta: Option<u8>,
    /// A field whose name matches no value.
    alphabet: Option<u8>,
    /// A field that is not an `Option`.
    #[serde(default, rename = "Beta")]
    list: Vec<u8>,
    /// A field that is not in JSON.
    #[serde(skip, rename = "BETA")]
    skipped: Option<u8>,
}

#[derive(Union, Serialize, Deserialize)]
struct SingleMember {
    #[union(member, group = source, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[test]
fn unmarked_fields_are_not_members() {
    assert_eq!(
        describe_union::<Choice>(),
        r#"kind: alpha = "Alpha", third = "Gamma""#
    );
    let choice: Choice = serde_json::from_str(r#"{"kind": "Beta", "beta": 1, "gamma": 2}"#)
        .expect("a readable value");
    assert_eq!(error_paths(&choice), "");
    assert_eq!(choice.skipped, None);
}

#[test]
fn a_group_may_have_a_single_member_with_alone() {
    assert_eq!(SingleMember::unions().len(), 1);
    assert_eq!(SingleMember::unions()[0].members().count(), 1);
}
