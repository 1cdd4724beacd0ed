//! Tests of recursive structs.
//!
//! The code that constructs such a struct limits its depth: `serde_json` reads 127 levels, and
//! dropping a struct also takes a stack frame per level.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Settings, Union};

#[derive(EnumType, Serialize, Deserialize, Clone, PartialEq)]
enum Kind {
    A,
    B,
}

#[derive(Union, Serialize, Deserialize, Clone, PartialEq)]
#[union(schema = false)]
struct Chain {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u32>,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Box<Self>>,
}

fn chain(levels: usize, r#type: &Kind) -> Chain {
    let link = |next| Chain {
        r#type: r#type.clone(),
        a: Some(1),
        b: None,
        next,
    };
    (1..levels).fold(link(None), |next, _| link(Some(Box::new(next))))
}

/// Checks eight times the depth that `serde_json` reads.
#[test]
fn a_struct_of_a_thousand_levels_is_validated_and_normalized() {
    let levels = 1_000;
    let old = chain(levels, &Kind::A);
    assert!(old.validate_unions().is_accepted());
    let mut new = chain(levels, &Kind::B);
    let report = new.validate_unions_update(&old, &Settings::default());
    assert_eq!(report.errors().len(), levels, "`a` is not selected");
    let report = new.admit_unions(Some(&old), &Settings::default());
    assert!(report.is_accepted(), "`a` is cleared");
    assert_eq!(report.changes().cleared().count(), levels);
}
