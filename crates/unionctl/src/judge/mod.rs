//! Schemas, CRDs and objects, the settings of an API server, and the results of its validation.

pub(crate) mod builtin;
mod crd_index;
pub(crate) mod crds;
pub(crate) mod hints;
pub(crate) mod inferred_unions;
pub(crate) mod job_args;
pub(crate) mod manifest;
pub(crate) mod object_args;
pub(crate) mod objects;
pub(crate) mod pipeline;
pub(crate) mod reply;
pub(crate) mod schema;
pub(crate) mod schema_cache;
pub(crate) mod server_errors;
pub(crate) mod server_settings;
pub(crate) mod skipped_objects;
pub(crate) mod stored_objects;
pub(crate) mod union_settings;
