//! Runs `unionctl unions`: on an object, on JSON lines, or as a listing.

use super::args::UnionsArgs;
use super::{jsonl, listing, object};
use crate::cluster::Program;
use crate::error::CommandError;
use crate::output::print::{CommandStatus, OutputFormat};

pub(crate) fn run(
    args: &UnionsArgs,
    program: Program,
    output: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    if args.listing.is_requested() {
        return if args.jsonl {
            output.text_or_json()?;
            listing::jsonl()
        } else {
            listing::run(&args.listing, &args.schema, program, output)
        };
    }
    let format = output.text_or_json()?;
    let Some(new_path) = &args.new else {
        return jsonl::run(args);
    };
    object::run(args, new_path, program, format)
}
