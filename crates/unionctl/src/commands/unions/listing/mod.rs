//! `unionctl unions --list`: the unions that the rules of schemas declare, and the errors in these
//! rules.

mod annotation;
mod args;
mod declared;
mod file;
mod json;
mod lines;
mod lists;
mod model;
mod placed;
mod read;
mod remark;
mod rust;
mod sarif;
mod server;
mod text;

pub(crate) use args::ListingArgs;
pub(crate) use file::run;
pub(crate) use lines::run as jsonl;
pub(crate) use placed::of_text;
