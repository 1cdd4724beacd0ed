//! The conversion of the model to tokens.

mod attributes;
pub(crate) mod format;
mod items;
mod json;
mod numbers;
mod parts;
mod root;
mod union;

pub(crate) use self::items::items;
pub(crate) use self::parts::{doc, ident};
