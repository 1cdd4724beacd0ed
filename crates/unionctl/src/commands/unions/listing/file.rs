//! The listing of a file, in the format that the arguments select.

use super::args::{Form, ListingArgs};
use super::model::Listing;
use super::remark::Remark;
use super::{annotation, json, rust, sarif, text};
use crate::input::Inputs;
use crate::judge::schema::SchemaArgs;
use crate::output::output::{self, Output, Verdict};
use crate::problem::Problem;

/// Lists the unions of a file.
pub(crate) fn run(
    args: &ListingArgs,
    schema: &SchemaArgs,
    output: Output,
) -> Result<Verdict, Problem> {
    // SARIF and the other formats cannot contain the rules of lists.
    let with_lists = match output {
        Output::Text => args.all,
        Output::Json => args.list,
        Output::Sarif => false,
    };
    let listing = Listing::read(&mut Inputs::default(), schema, with_lists)?;
    output::notes(&listing.notes);
    if let Some(form) = args.form {
        output.format()?;
        let (text, notes) = match form {
            Form::Annotation => annotation::print(&listing)?,
            Form::Rust => rust::print(&listing),
        };
        output::notes(&notes);
        return output::plain(&text).map(|()| Verdict::Fine);
    }
    match output {
        Output::Text => text::print(&listing, args).print()?,
        Output::Json => output::json(&[json::of(&listing)])?,
        Output::Sarif => output::json(&[sarif::of(&listing)])?,
    }
    let is_wrong = args.strict && listing.remarks().any(Remark::is_strong);
    Ok(if is_wrong {
        Verdict::Refused
    } else {
        Verdict::Fine
    })
}
