//! Runs `unionctl patch`: on documents in files, or on JSON lines.

use super::args::{PatchArgs, PatchCommand};
use super::{files, jsonl, switch};
use crate::cluster::Program;
use crate::error::CommandError;
use crate::output::print::{CommandStatus, TextOrJson};

pub(crate) fn run(
    args: &PatchArgs,
    program: Program,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    match &args.op {
        Some(PatchCommand::Documents(op)) => files::run(op, program, format),
        Some(PatchCommand::Switch(args)) => switch::run(args, program, format),
        None if args.jsonl => jsonl::run(&args.schema),
        None => Err(CommandError::new(
            "the command line",
            "missing subcommand: diff, apply, three-way, compose or switch (or use --jsonl)",
        )),
    }
}
