//! Test that `union_compat::skew` of two types returns the same table as the matrix of the API
//! whose versions the types are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_compat::skew;
use union_compat::skew::{SkewMatrix, SkewOutcome, VersionSide};
use union_runtime::{EnumType, Settings, Union, add_unions};
use union_simulation::{Cell, Column, Form, Intent, Matrix, Member, Need, Version};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Content {
    name: String,
}

macro_rules! version {
    ($version:ident: $($value:ident $member:ident,)+) => {
        mod $version {
            use super::*;

            #[derive(EnumType, Serialize, Deserialize, JsonSchema)]
            #[schemars(transform = union_runtime::add_enum::<Kind>)]
            pub(super) enum Kind {
                $($value,)+
                #[enum_type(other)]
                #[serde(untagged)]
                Unknown(String),
            }

            #[derive(Union, Serialize, Deserialize, JsonSchema)]
            #[schemars(transform = add_unions::<Discriminated>)]
            pub(super) struct Discriminated {
                #[union(discriminator)]
                r#type: Kind,
                $(
                    #[union(member)]
                    #[serde(skip_serializing_if = "Option::is_none")]
                    $member: Option<Content>,
                )+
            }

            #[derive(Union, Serialize, Deserialize, JsonSchema)]
            #[schemars(transform = add_unions::<ExactlyOne>)]
            #[union(exactly_one(target))]
            pub(super) struct ExactlyOne {
                $(
                    #[union(member, group = target)]
                    #[serde(skip_serializing_if = "Option::is_none")]
                    $member: Option<Content>,
                )+
            }

            #[derive(Union, Serialize, Deserialize, JsonSchema)]
            #[schemars(transform = add_unions::<AtMostOne>)]
            pub(super) struct AtMostOne {
                $(
                    #[union(member, group = target)]
                    #[serde(skip_serializing_if = "Option::is_none")]
                    $member: Option<Content>,
                )+
            }
        }
    };
}

version! { older: S3 s3, Volume volume, }
version! { newer: S3 s3, Volume volume, Tape tape, }

/// Returns the side of a version in `union_compat::skew`.
fn side(version: Version) -> VersionSide {
    match version {
        Version::Older => VersionSide::Old,
        Version::Newer => VersionSide::New,
    }
}

/// Returns the intent in terms of `union_compat::skew`.
fn skew_intent(intent: Intent) -> skew::Intent<String> {
    let name = |member: Member| member.name().to_owned();
    match intent {
        Intent::Unchanged => skew::Intent::Unchanged,
        Intent::EditElsewhere => skew::Intent::EditElsewhere,
        Intent::EditMember => skew::Intent::EditMember,
        Intent::SetMember(member) => skew::Intent::SetMember(name(member)),
        Intent::SwitchMember(member) => skew::Intent::SwitchMember(name(member)),
        Intent::ClearMembers => skew::Intent::ClearMembers,
    }
}

/// Compares each cell of a union's columns with the skew, and returns the number of cells.
fn compare(skew: &SkewMatrix, need: Need, form: Form) -> usize {
    let matrix = Matrix::with_engine(Settings::default());
    let is_compared = |column: Column| column.union.need == need && column.union.form == form;
    let mut count = 0;
    for (cell, outcome_in_matrix) in matrix.cells().filter(|(cell, _)| is_compared(cell.column)) {
        let Cell { row, column } = cell;
        let skew_cell = skew.cells().find(|candidate| {
            let candidate_row = &candidate.row;
            candidate_row.client_type == row.client.kind
                && candidate_row.client == side(row.client.version)
                && candidate_row.verb == row.verb
                && candidate_row.intent == skew_intent(row.intent)
                && candidate.server == side(column.server)
        });
        let outcome = &skew_cell.expect("a cell").outcome;
        assert_eq!(
            outcome.intent_outcome(),
            outcome_in_matrix,
            "{row} at {:?}: {outcome:?}",
            column.server
        );
        if let SkewOutcome::Sent { is_limit, .. } = outcome {
            assert_eq!(*is_limit, cell.is_limit(), "{row}");
        }
        count += 1;
    }
    assert_eq!(count, skew.cells().count());
    count
}

#[test]
fn the_skew_of_two_types_equals_the_matrix() {
    let tape = Need::Required;
    let discriminated_skew =
        union_compat::skew::<older::Discriminated, newer::Discriminated>().unwrap();
    let mut count = compare(
        &discriminated_skew,
        Need::Required,
        Form::Discriminator { tape },
    );
    let exactly_one_skew = union_compat::skew::<older::ExactlyOne, newer::ExactlyOne>().unwrap();
    count += compare(&exactly_one_skew, Need::Required, Form::Undiscriminated);
    let at_most_one_skew = union_compat::skew::<older::AtMostOne, newer::AtMostOne>().unwrap();
    count += compare(&at_most_one_skew, Need::Optional, Form::Undiscriminated);
    assert_eq!(count, 3 * 4 * 5 * 8 * 2);
}
