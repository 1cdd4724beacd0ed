//! The judges: schemas, CRDs and objects, the settings of an API server, and its answers.

pub(crate) mod answer;
pub(crate) mod cache;
pub(crate) mod crds;
pub(crate) mod foreign;
pub(crate) mod judgement;
pub(crate) mod manifest;
pub(crate) mod objects;
pub(crate) mod schema;
pub(crate) mod server;
pub(crate) mod settings;
