//! `unionctl` as a page for a browser: one file, which needs no server and sends no data.
//!
//! [`build`] builds the page, [`serve`] serves it on loopback, and [`write_site`] writes a site
//! with the page and the documents of the repository. [`SAMPLES`] has the samples of the page. The
//! page calls `unionctl::page` through the bindings of the crate in `wasm`.

mod page;
mod samples;
mod serve;
mod site;
mod wasm;

pub use page::{BuildProfile, Page, build};
pub use samples::{SAMPLES, Sample};
pub use serve::serve;
pub use site::{SiteSettings, broken_links, write_site};

/// An error message: the failed action, and the reason.
pub type ErrorMessage = String;
