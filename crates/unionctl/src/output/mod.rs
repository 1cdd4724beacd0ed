//! The output: documents, messages, tables, progress.

pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod table;
