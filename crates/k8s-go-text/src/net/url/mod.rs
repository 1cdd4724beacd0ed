//! URLs, as Go's `net/url` reads them, and as rules take them.

mod authority;
mod error;
mod escape;
mod parse;
mod parts;

pub use self::parse::{Url, check_request_uri, is_request_uri};
