//! `unionctl`: validates Kubernetes objects, CRDs and patches as an API server does, from the
//! command line. The same program is installed as `kubectl-union`, for `kubectl union`.
//!
//! This library exports [`main`], which both programs call, and [`page`], which
//! `examples/playground` calls. The library is not meant for other crates: use [`union_runtime`],
//! [`k8s_crd_validation`] and [`k8s_strategic_merge_patch`]. The README describes how to install
//! and use the programs.
//!
//! A subcommand is a file or a folder of `commands`. It contains the arguments and the function
//! `run`, which returns a `CommandStatus`, or a `CommandError` if the command cannot finish. To add
//! a subcommand, add its file, a variant of `Command` in `commands/cli.rs`, and an arm of `run`
//! there. Subcommands share the modules of `input` and `output`, of `cluster` for inputs that
//! kubectl reads, and of `judge` for schemas and requests.

// Folders, lowest first: error, input, output, cluster, judge, jsonl, commands, page, bin
mod cluster;
mod commands;
mod error;
mod input;
mod jsonl;
mod judge;
mod output;
pub mod page;

pub use cluster::Program;
pub use commands::cli::main;
