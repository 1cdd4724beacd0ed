//! Converts the model to tokens.

mod attributes;
pub(crate) mod format;
mod integer_enum;
mod items;
mod json;
mod parts;
mod root;
mod union;

pub(crate) use self::items::items;
pub(crate) use self::parts::{doc, ident};
