//! URLs, as Go's `net/url` parses them and as CEL rules accept them.

mod authority;
mod components;
mod error;
mod escape;
mod parse;

pub use self::parse::{Url, check_request_uri, is_request_uri};
