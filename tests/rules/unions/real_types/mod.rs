//! Unions of the Kubernetes API, whose results in every state are compared with an oracle that
//! implements only KEP-1027.

pub(crate) mod answer;
mod cases;
pub(crate) mod defaults;
pub(crate) mod enums;
pub(crate) mod gateway;
pub(crate) mod kep;
pub(crate) mod metrics;
pub(crate) mod model;
pub(crate) mod properties;
pub(crate) mod snapshots;
pub(crate) mod states;
pub(crate) mod view;
pub(crate) mod workloads;

#[path = "../../../cases/table.rs"]
pub(crate) mod table;
