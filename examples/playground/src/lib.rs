//! The tool `unionctl` as a page for a browser: one file, which needs no server and sends nothing.
//!
//! [`build`] makes the page, [`serve`] serves it on loopback, and [`SAMPLES`] has the samples of
//! the page. The page calls `unionctl::page` through the bindings of the crate in `wasm`.

mod page;
mod samples;
mod serve;
mod wasm;

pub use page::{Page, build};
pub use samples::{SAMPLES, Sample};
pub use serve::serve;

/// The message of a failure: the action, and its error.
pub type ErrorMessage = String;
