//! `unionctl unions --list`: lists the unions that the rules of schemas declare, and the mistakes
//! in these rules.

mod annotation;
mod args;
mod builtin;
mod declared;
mod example_check;
mod file;
mod finding;
mod json;
mod json_with_lines;
mod jsonl;
mod list_rules;
mod load;
mod model;
mod rust;
mod sarif;
mod text;

pub(crate) use args::ListingArgs;
pub(crate) use file::run;
pub(crate) use json_with_lines::listing_with_lines;
pub(crate) use jsonl::run as jsonl;
