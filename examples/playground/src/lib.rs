//! `unionctl` as a page for a browser: one file, which needs no server and sends no data.
//!
//! [`build`] builds the page, [`serve`] serves it on loopback, and [`SAMPLES`] has the samples of
//! the page. The page calls `unionctl::page` through the bindings of the crate in `wasm`.

mod page;
mod samples;
mod serve;
mod wasm;

pub use page::{Page, build};
pub use samples::{SAMPLES, Sample};
pub use serve::serve;

/// An error message: the failed action, and the reason.
pub type ErrorMessage = String;
