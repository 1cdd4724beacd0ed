//! Compares Rust types in tests.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::compare::compare::compare;
use crate::version::version::ApiVersion;

/// Panics if objects or clients that work with `V1` do not work with `V2`. The message contains
/// each breaking finding, with the smallest object that shows it and a remedy. Clients are assumed
/// to read and write with these types.
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
/// // Another value is compatible with clients whose types keep unknown values.
/// assert_compatible::<v1::Target, Target>();
/// ```
///
/// # Panics
///
/// Panics if a finding is breaking, or if an API server rejects the schema of a type.
#[track_caller]
pub fn assert_compatible<V1, V2>()
where
    V1: JsonSchema + Serialize + DeserializeOwned,
    V2: JsonSchema + Serialize + DeserializeOwned,
{
    let versions =
        ApiVersion::from_type::<V1>().and_then(|old| Ok((old, ApiVersion::from_type::<V2>()?)));
    let failure = match versions {
        Ok((old, new)) => {
            let report = compare(&old, &new);
            (!report.is_compatible()).then(|| report.to_string())
        }
        Err(error) => Some(error.to_string()),
    };
    assert!(failure.is_none(), "{}", failure.unwrap_or_default());
}
