//! The subcommands, a file or a folder each, and the command line that chooses one.

pub(crate) mod check;
pub(crate) mod cli;
pub(crate) mod compat;
pub(crate) mod generate;
pub(crate) mod patch;
pub(crate) mod place_rules;
pub(crate) mod policy;
pub(crate) mod prune_enums;
pub(crate) mod shell;
pub(crate) mod tighten;
pub(crate) mod unions;
