//! Conversions of `OpenAPI` documents between v2 and v3, which preserve the extension for unions
//! (KEP-1027, `OpenAPI`), and the removal of enum types.

mod bodies;
mod content;
mod convert;
mod grammar;
mod prune;
mod version_keywords;

pub use convert::{to_openapi_v2, to_openapi_v3};
#[cfg(feature = "schemars")]
pub use prune::PruneEnums;
pub use prune::prune_enums;
