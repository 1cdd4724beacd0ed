//! Runs `unionctl patch`: on documents in files, or on JSON lines.

use super::args::PatchArgs;
use super::{files, jsonl};
use crate::error::CommandError;
use crate::output::print::{CommandStatus, TextOrJson};

pub(crate) fn run(args: &PatchArgs, format: TextOrJson) -> Result<CommandStatus, CommandError> {
    match &args.op {
        Some(op) => files::run(op, format),
        None if args.jsonl => jsonl::run(&args.schema),
        None => Err(CommandError::new(
            "the command line",
            "missing subcommand: diff, apply, three-way or compose (or use --jsonl)",
        )),
    }
}
