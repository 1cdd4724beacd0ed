//! `unionctl`: judges Kubernetes objects, CRDs and patches from the command line as an API server
//! does. The same program is installed as `kubectl-union`, for `kubectl union`.
//!
//! This library has [`main`], which both programs run, and [`page`], which the page of
//! `examples/playground` calls. It is not meant for other crates: use [`union_runtime`],
//! [`k8s_crd_validation`] and [`k8s_strategic_merge_patch`]. The README describes how to install
//! and use the programs.
//!
//! A subcommand is a file or a folder of `commands`: its arguments, and `run`, which returns a
//! `Verdict`, or the `CommandError` that prevents a verdict. To add a subcommand, add its file, and
//! in `commands/cli.rs` its variant of `Command` and its arm of `run`. Modules that several
//! subcommands share are in other folders: input (`input`), output (`output`), schemas and settings
//! of requests (`judge`).

// Folders, lowest first: error, input, output, judge, jsonl, commands, page
mod commands;
mod error;
mod input;
mod jsonl;
mod judge;
mod output;
pub mod page;

pub use commands::cli::main;
