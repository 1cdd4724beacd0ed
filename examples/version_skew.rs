//! Requests between clients and API servers of two versions of a type, where the newer version has
//! one more member. `cargo run --example version_skew`
//!
//! `union_compat::skew` simulates the requests for the types below; replace them by your own types.
//! The rules of this library decide which members are rejected, cleared and restored.

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
    let ruled = skew::<v1::Target, v2::Target>()?;
    print!("{ruled}");
    for restore in [RestoreUnaware::Required, RestoreUnaware::All] {
        println!("\nWith RestoreUnaware::{restore:?}, these requests are honoured too:");
        show_changes(&ruled, &restored::<v1::Target, v2::Target>(restore)?);
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

/// Prints the requests that are honoured with the settings of `after`, but not with those of
/// `before`.
fn show_changes(before: &SkewMatrix, after: &SkewMatrix) {
    for (was, is) in before.cells().zip(after.cells()) {
        let verdicts = (was.outcome.intent_outcome(), is.outcome.intent_outcome());
        if verdicts.0 != verdicts.1 && verdicts.1 == Some(IntentOutcome::Honoured) {
            println!("  {}", is.row);
        }
    }
}
