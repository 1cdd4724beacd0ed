//! Converts `OpenAPI` documents between v2 and v3, with their unions (KEP-1027, section
//! "`OpenAPI`"), and removes enum types.

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
