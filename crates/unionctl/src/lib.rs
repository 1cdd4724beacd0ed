//! `unionctl`: Kubernetes objects, CRDs and patches judged from the command line as an API server does it. The same program
//! is `kubectl-union`, so that `kubectl union` works.
//!
//! This library is what both programs run, [`main`], and what the page of `examples/playground` asks, [`page`]. There is nothing
//! in it for others to build on: that is [`union_runtime`], [`k8s_crd_validation`] and [`k8s_strategic_merge_patch`]. The README
//! says how to install and use the programs.
//!
//! A subcommand is a file or a folder of `commands`: its arguments, and `run`, which gives a
//! `Verdict` or the `Problem` that kept it from one. To add one, add its file, and in
//! `commands/cli.rs` its variant of `Command` and its arm of `run`. What several need stands below
//! them: what comes in (`input`), what goes out (`output`), schemas and settings of requests
//! (`judge`).

// Folders, lowest first: problem, input, output, judge, jsonl, commands, page
mod commands;
mod input;
mod jsonl;
mod judge;
mod output;
pub mod page;
mod problem;

pub use commands::cli::main;
