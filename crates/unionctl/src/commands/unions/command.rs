//! Runs `unionctl unions`: on an object, on JSON lines, or as a listing.

use super::args::UnionsArgs;
use super::{jsonl, listing, object};
use crate::cluster::Program;
use crate::error::{CommandError, reject_flags};
use crate::output::print::{CommandStatus, OutputFormat};

pub(crate) fn run(
    args: &UnionsArgs,
    program: Program,
    output: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    if args.listing.is_requested() {
        let settings = args.settings.given_flags();
        reject_flags(&settings, " on a list of unions; remove it")?;
        return if args.jsonl {
            output.text_or_json()?;
            args.schema.cluster_args().reject_with_lines()?;
            let [listing, schema] = [&args.listing.given_flags()[..], &args.schema.given_flags()];
            reject_flags(
                &[listing, schema].concat(),
                " with --list --jsonl; remove it",
            )?;
            listing::jsonl()
        } else {
            listing::run(&args.listing, &args.schema, program, output)
        };
    }
    let format = output.text_or_json()?;
    let Some(new_path) = &args.new else {
        args.schema.cluster_args().reject_with_lines()?;
        return jsonl::run(args);
    };
    object::run(args, new_path, program, format)
}
