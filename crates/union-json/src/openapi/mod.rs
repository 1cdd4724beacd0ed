//! `OpenAPI` documents: v2 and v3, each converted to the other (KEP-1027, `OpenAPI`: conversion
//! preserves the extension), and enum types removed.

mod bodies;
mod content;
mod convert;
mod grammar;
mod prune;
mod words;

pub use convert::{to_openapi_v2, to_openapi_v3};
#[cfg(feature = "schemars")]
pub use prune::PruneEnums;
pub use prune::prune_enums;
