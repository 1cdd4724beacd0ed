//! How a plain API server is made to check unions: CEL rules and `oneOf`, judged as a server does it (DESIGN 7).
#![expect(
    clippy::needless_pass_by_value,
    reason = "schemas are written down as values"
)]

mod agree;
mod forms;
mod types;
mod world;
