//! Requests between clients and API servers of two versions of a type, where the newer version has
//! one more member. `cargo run --example version_skew`
//!
//! `union_compat::skew` simulates the requests for the types below; replace them by your own types.
//! The rules of union-runtime determine which members are rejected, cleared and restored.

use std::error::Error;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use union_compat::skew::{IntentOutcome, SkewMatrix};
use union_compat::{Options, skew};
use union_runtime::spec::UnionType;
use union_runtime::{EnumType, RestoreUnaware, Settings, Union};

/// The value of a member.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Content {
    name: String,
}

/// Defines a version of the API. Backups go to `s3`, to a `volume` or, in the newer version, to a
/// `tape`.
macro_rules! version {
    ($version:ident: $($value:ident $member:ident)+) => {
        mod $version {
            use super::*;

            #[derive(EnumType, Serialize, Deserialize, JsonSchema)]
            #[schemars(transform = union_runtime::add_enum::<Kind>)]
            pub(crate) enum Kind {
                $($value,)+
                #[enum_type(other)]
                #[serde(untagged)]
                Unknown(String),
            }

            #[derive(Union, Serialize, Deserialize, JsonSchema)]
            #[schemars(transform = union_runtime::add_unions::<Target>)]
            pub(crate) struct Target {
                #[union(discriminator)]
                r#type: Kind,
                $(
                    #[union(member)]
                    #[serde(skip_serializing_if = "Option::is_none")]
                    $member: Option<Content>,
                )+
            }

            /// The same union without a discriminator.
            #[derive(Union, Serialize, Deserialize, JsonSchema)]
            #[schemars(transform = union_runtime::add_unions::<Plain>)]
            pub(crate) struct Plain {
                $(
                    #[union(member, group = target)]
                    #[serde(skip_serializing_if = "Option::is_none")]
                    $member: Option<Content>,
                )+
            }
        }
    };
}

version! { v1: S3 s3 Volume volume }
version! { v2: S3 s3 Volume volume Tape tape }

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "A backup is written to `s3`, to a `volume` or, in the newer version of the API, to a `tape`.\n"
    );
    println!("# With a discriminator\n");
    let discriminated = skew::<v1::Target, v2::Target>()?;
    print!("{discriminated}");
    for restore in [RestoreUnaware::Required, RestoreUnaware::All] {
        println!("\nWith RestoreUnaware::{restore:?}, these requests are honoured too:");
        show_changes(
            &discriminated,
            &restored::<v1::Target, v2::Target>(restore)?,
        );
    }
    println!("\n# Without a discriminator\n");
    print!("{}", skew::<v1::Plain, v2::Plain>()?);
    Ok(())
}

fn restored<Old, New>(restore: RestoreUnaware) -> Result<SkewMatrix, Box<dyn Error>>
where
    Old: UnionType + JsonSchema + Serialize + DeserializeOwned,
    New: UnionType + JsonSchema + Serialize + DeserializeOwned,
{
    let settings = Settings::default().restore_unaware(restore);
    Ok(Options::new().settings(settings).skew::<Old, New>()?)
}

/// Prints the requests that are honoured in the matrix `after`, but not in the matrix `before`.
fn show_changes(before: &SkewMatrix, after: &SkewMatrix) {
    for (old_cell, new_cell) in before.cells().zip(after.cells()) {
        let outcomes = (
            old_cell.outcome.intent_outcome(),
            new_cell.outcome.intent_outcome(),
        );
        if outcomes.0 != outcomes.1 && outcomes.1 == Some(IntentOutcome::Honoured) {
            println!("  {}", new_cell.row);
        }
    }
}
