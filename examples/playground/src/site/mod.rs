//! The public site: the page, and the documents of the repository as a book.

mod book;
mod html_links;
mod markdown_links;
mod mdbook;
mod write;

pub use html_links::broken_links;
pub use write::{SiteSettings, write_site};
