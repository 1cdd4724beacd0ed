//! The limits on connections and requests, and their enforcement: the open connections, the phases
//! of a connection, and the memory of bodies.

pub(crate) mod body;
pub(crate) mod connections;
#[expect(
    clippy::module_inception,
    reason = "the file contains the type `Limits`"
)]
mod limits;
pub(crate) mod phase;

pub use limits::Limits;
