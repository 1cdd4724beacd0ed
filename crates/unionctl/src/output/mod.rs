//! The output: documents, messages, tables, progress.

pub(crate) mod print;
pub(crate) mod progress_bar;
pub(crate) mod table;
pub(crate) mod yaml;
