//! The output: documents, messages, tables and a progress bar.

pub(crate) mod print;
pub(crate) mod progress_bar;
pub(crate) mod table;
pub(crate) mod yaml;
