//! The choice between documents in files and lines.

use super::args::PatchArgs;
use super::{files, jsonl};
use crate::output::output::{Format, Verdict};
use crate::problem::Problem;

pub(crate) fn run(args: &PatchArgs, format: Format) -> Result<Verdict, Problem> {
    match &args.op {
        Some(op) => files::run(op, format),
        None if args.jsonl => jsonl::run(&args.schema),
        None => Err(Problem::new(
            "the command line",
            "missing subcommand: diff, apply, three-way or compose (or use --jsonl)",
        )),
    }
}
