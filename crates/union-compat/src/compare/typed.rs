//! The comparison of Rust types in tests.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::compare::compare::compare;
use crate::version::version::ApiVersion;

/// Panics if objects or clients that work with `V1` do not work with `V2`. The message contains
/// each breaking finding, with the smallest object that shows it and a remedy. Clients read and
/// write by the types.
///
/// ```
/// use union_runtime::UnionEnum;
/// use union_compat::assert_compatible;
///
/// mod v1 {
///     #[derive(union_runtime::UnionEnum)]
///     #[union(discriminator = "type")]
///     pub enum Target {
///         S3(String),
///         #[union(other)]
///         Other(union_runtime::RawUnion),
///     }
/// }
///
/// #[derive(UnionEnum)]
/// #[union(discriminator = "type")]
/// enum Target {
///     S3(String),
///     Volume(String),
///     #[union(other)]
///     Other(union_runtime::RawUnion),
/// }
///
/// // One more value is fine for clients whose types keep what they do not know.
/// assert_compatible::<v1::Target, Target>();
/// ```
///
/// # Panics
///
/// Panics if a finding is breaking, or if an API server cannot read the schema of a type.
#[track_caller]
pub fn assert_compatible<V1, V2>()
where
    V1: JsonSchema + Serialize + DeserializeOwned,
    V2: JsonSchema + Serialize + DeserializeOwned,
{
    let versions =
        ApiVersion::from_type::<V1>().and_then(|old| Ok((old, ApiVersion::from_type::<V2>()?)));
    let wrong = match versions {
        Ok((old, new)) => {
            let comparison = compare(&old, &new);
            (!comparison.is_compatible()).then(|| comparison.to_string())
        }
        Err(error) => Some(error.to_string()),
    };
    assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
}
