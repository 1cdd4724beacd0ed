//! `OpenAPI` v2 and v3: the same document in the other form (KEP-1027, `OpenAPI`: conversion preserves the extension).

mod bodies;
mod content;
mod convert;
mod grammar;
mod words;

pub use convert::{to_openapi_v2, to_openapi_v3};
