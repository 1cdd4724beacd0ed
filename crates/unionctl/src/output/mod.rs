//! The output: documents, messages, tables, SARIF and a progress bar.

pub(crate) mod print;
pub(crate) mod progress_bar;
pub(crate) mod sarif;
pub(crate) mod table;
pub(crate) mod yaml;
