//! The subcommands, each a file or a folder, and the command line.

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
pub(crate) mod upgrade;
