//! Tests that run the program as a process, and check its output and its exit code.

mod check;
mod check_folder;
mod check_jsonl;
mod compat;
mod findings;
mod foreign;
mod generate;
mod hostile;
mod jsonl;
mod kubectl;
mod listing;
mod listing_all;
mod output;
mod page;
mod patch;
mod patch_jsonl;
mod place_rules;
mod policy;
mod process;
mod prune_enums;
mod readme;
mod schemas;
mod shell;
mod tighten;
mod unions;
mod unknown_fields;
