//! Unions of the Kubernetes API, judged in every state against an oracle that knows only KEP-1027.

mod cases;
mod create;
mod defaults;
mod enums;
mod gateway;
mod kep;
mod metrics;
mod model;
mod properties;
mod ratchets;
mod snapshots;
mod texts;
mod updates;
mod view;
mod workloads;
mod world;

#[path = "../../cases/table.rs"]
mod table;
