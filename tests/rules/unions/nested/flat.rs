//! Tests that a parent which flattens its unions has the same results as a struct that declares
//! the same unions itself, for every pair of old and new states.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{Ratchet, Union};

use crate::unions::nested::answer::{RATCHETS, request, update_with_ratchet};
use crate::unions::nested::types::{Choice, Kind, Source};

/// The struct that declares both unions itself.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Flat>)]
struct Flat {
    name: String,
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    host_path: Option<i32>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    empty_dir: Option<i32>,
}

macro_rules! parents {
    ($($parent:ident: $choice:ty, $source:ty;)*) => {$(
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = union_runtime::add_unions::<$parent>)]
        struct $parent {
            name: String,
            #[union(inline)]
            #[serde(flatten)]
            choice: $choice,
            #[union(inline)]
            #[serde(flatten)]
            source: $source,
        }
    )*};
}

parents! {
    Bare: Choice, Source;
    Boxed: Box<Choice>, Box<Source>;
    Optional: Option<Choice>, Option<Source>;
    OptionalBoxed: Option<Box<Choice>>, Option<Box<Source>>;
    BoxedAndOptionalTwice: Box<Choice>, Option<Option<Source>>;
}

/// A struct that flattens a struct which flattens unions.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<FlattenedTwice>)]
struct FlattenedTwice {
    #[union(inline)]
    #[serde(flatten)]
    perhaps: Optional,
}

/// Returns every kind with every set of members.
fn states(kinds: &[Option<&str>]) -> Vec<Value> {
    let mut states = Vec::new();
    for kind in kinds {
        for mask in 0..16 {
            let mut state = json!({"name": "n"});
            if let Some(kind) = kind {
                state["kind"] = json!(kind);
            }
            for (bit, member) in ["alpha", "beta", "hostPath", "emptyDir"].iter().enumerate() {
                if mask & (1 << bit) != 0 {
                    state[*member] = json!(1);
                }
            }
            let has_field = |member: &str| state.get(member).is_some();
            // serde does not read a flattened struct whose discriminator is missing, and drops its
            // members.
            if kind.is_some() || (!has_field("alpha") && !has_field("beta")) {
                states.push(state);
            }
        }
    }
    states
}

#[track_caller]
fn assert_same_answers_as_flat_struct<T: Union + Serialize + DeserializeOwned>(
    kinds: &[Option<&str>],
) {
    let states = states(kinds);
    for new in &states {
        let settings = union_runtime::Settings::default();
        let (actual, expected) = (
            request::<T>(None, new, settings),
            request::<Flat>(None, new, settings),
        );
        assert_eq!(actual, expected, "create {new}");
        for old in &states {
            for ratchet in RATCHETS {
                let actual = update_with_ratchet::<T>(ratchet, old, new);
                let expected = update_with_ratchet::<Flat>(ratchet, old, new);
                assert_eq!(actual, expected, "{ratchet:?}: {old} to {new}");
            }
        }
    }
}

const KINDS: [Option<&str>; 4] = [None, Some("Nothing"), Some("Alpha"), Some("Beta")];

#[test]
fn flattened_and_boxed_structs_have_the_results_of_a_flat_struct() {
    assert_same_answers_as_flat_struct::<Bare>(&KINDS[1..]);
    assert_same_answers_as_flat_struct::<Boxed>(&KINDS[1..]);
}

#[test]
fn optional_flattened_structs_have_the_results_of_a_flat_struct() {
    assert_same_answers_as_flat_struct::<Optional>(&KINDS);
    assert_same_answers_as_flat_struct::<OptionalBoxed>(&KINDS);
}

#[test]
fn other_combinations_have_the_results_of_a_flat_struct() {
    assert_same_answers_as_flat_struct::<BoxedAndOptionalTwice>(&KINDS[1..]);
    assert_same_answers_as_flat_struct::<FlattenedTwice>(&KINDS);
}

#[test]
fn a_change_of_another_field_only_matters_if_all_must_be_unchanged() {
    let old = json!({"name": "n", "kind": "Alpha", "alpha": 1, "beta": 1});
    let mut new = old.clone();
    new["name"] = json!("m");
    for ratchet in RATCHETS {
        let actual = update_with_ratchet::<FlattenedTwice>(ratchet, &old, &new);
        assert_eq!(actual, update_with_ratchet::<Flat>(ratchet, &old, &new));
        let is_tolerated = ratchet == Ratchet::SameReason;
        assert_eq!(actual.errors.is_empty(), is_tolerated, "{ratchet:?}");
    }
}
