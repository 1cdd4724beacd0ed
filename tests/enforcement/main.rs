//! How a plain API server is made to check unions: CEL rules and `oneOf`, judged as a server does it
//! (`docs/design.md`, "Enforcement").

mod agree;
mod enums;
mod forms;
mod native;
mod ratchet;
mod read_back;
mod types;
mod world;
