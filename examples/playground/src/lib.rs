//! The tool as a page in a browser: one file, without a server, from which nothing is sent anywhere.
//!
//! [`build`] makes the page, [`serve`] shows it on loopback, [`SAMPLES`] are what one can start from. The page calls
//! `unionctl::page`, which the crate in `wasm` binds.

mod page;
mod samples;
mod serve;
mod wasm;

pub use page::{Page, build};
pub use samples::{SAMPLES, Sample};
pub use serve::serve;

/// Why there is no page: what was done, and what went wrong.
pub type Problem = String;
