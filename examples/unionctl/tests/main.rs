//! The tool as its users have it: a process, by what it reads, writes and returns.

mod hostile;
mod jsonl;
mod output;
mod process;
mod prune_enums;
mod readme;
mod schemas;
mod unions;
