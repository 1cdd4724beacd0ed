//! The choice between an object, lines, and the listing.

use super::args::UnionsArgs;
use super::{jsonl, listing, object};
use crate::output::output::{Output, Verdict};
use crate::problem::Problem;

pub(crate) fn run(args: &UnionsArgs, output: Output) -> Result<Verdict, Problem> {
    if args.listing.is_asked_for() {
        return if args.jsonl {
            output.format()?;
            listing::jsonl()
        } else {
            listing::run(&args.listing, &args.schema, output)
        };
    }
    let format = output.format()?;
    let Some(new) = &args.new else {
        return jsonl::run(args);
    };
    object::run(args, new, format)
}
