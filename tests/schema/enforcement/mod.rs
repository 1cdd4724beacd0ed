//! Tests of the enforcement of unions by a plain API server: CEL rules and `oneOf`, evaluated as in
//! a server (`docs/design.md`, "Enforcement").

mod agree;
mod enums;
mod forms;
mod native;
mod ratchet;
mod read_back;
mod types;
mod world;
